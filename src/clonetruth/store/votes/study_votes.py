"""The votes of a study: opening its vote store, and the current votes as tables of judges and judgements."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pyarrow as pa

from clonetruth.model import JudgeKind
from clonetruth.store.hashing import hash_file
from clonetruth.store.study import StudyPlan, read_study, study_header
from clonetruth.store.study_judgements import STUDY_JUDGEMENTS, STUDY_JUDGES
from clonetruth.store.study_protocol import METHOD_CRITERION
from clonetruth.store.votes.databases import Database, PostgreSQLDatabase, SQLiteDatabase
from clonetruth.store.votes.vote import CastVote, InvitedJudge, ItemKind
from clonetruth.store.votes.vote_store import VoteStore

VOTES_FILE = "votes.sqlite"


def open_vote_store(study_folder: str | os.PathLike[str], url: str | None = None) -> VoteStore:
    """Open the vote store of a study, creating it if necessary.

    Args:
        study_folder: the study.
        url: `postgresql://…` for a team (default: a SQLite file in the study folder).

    Raises:
        InputError: there is no study, or the votes belong to another study.
        UnavailableError: the votes cannot be opened.
        MissingExtraError: the PostgreSQL driver is not installed.
    """
    folder = Path(study_folder)
    study = hash_file(study_header(folder))
    database: Database = SQLiteDatabase(folder / VOTES_FILE) if url is None else PostgreSQLDatabase(url, study)
    return VoteStore(database, study)


def read_votes(
    study_folder: str | os.PathLike[str], url: str | None = None, *, names: bool = False
) -> tuple[pa.Table, pa.Table]:
    """The current votes, as judges and judgements of the study.

    The latest vote of each judge on each pair and method counts; undone votes, skips and answers to checks do not
    appear. Judges are identified by pseudonyms; `settings` hold the role (`judge`, or `adjudicator` and `owner`, whose
    judgements are decisions between judges) and the group.

    Args:
        study_folder: the study.
        url: where the votes are, as for `open_vote_store`.
        names: include the judges' real names; only with their consent.

    Returns:
        The judges with a judgement, with the columns of `STUDY_JUDGES`, and the judgements, with those of
        `STUDY_JUDGEMENTS`. Both are empty if nobody has voted.

    Raises:
        InputError, UnavailableError: as for `open_vote_store`.
    """
    plan = read_study(study_folder).plan
    if url is None and not (Path(study_folder) / VOTES_FILE).exists():
        return STUDY_JUDGES.empty_table(), STUDY_JUDGEMENTS.empty_table()
    with open_vote_store(study_folder, url) as store:
        return votes_as_tables(store, plan, names=names)


def votes_as_tables(store: VoteStore, plan: StudyPlan, *, names: bool = False) -> tuple[pa.Table, pa.Table]:
    """The current votes of an open vote store, as in `read_votes`."""
    votes = [cast for by_judge in store.current_votes().values() for cast in by_judge.values()]
    votes += store.adjudications().values()
    criteria = {ItemKind.PAIR: plan.criterion, ItemKind.METHOD: METHOD_CRITERION}
    judgements = [
        _judgement(cast, criteria[cast.vote.item.kind])
        for cast in sorted(votes, key=lambda one: one.sequence)
        if cast.vote.item.kind in criteria
    ]
    voters = {row["judge"] for row in judgements}
    judges = [_judge(judge, names) for judge in store.judges() if judge.id in voters]
    return (
        pa.Table.from_pylist(judges, schema=STUDY_JUDGES),
        pa.Table.from_pylist(judgements, schema=STUDY_JUDGEMENTS),
    )


def _judge(judge: InvitedJudge, names: bool) -> dict[str, object]:
    settings = {"role": str(judge.role), **({} if judge.group is None else {"group": judge.group})}
    return {
        "judge": judge.id,
        "kind": str(JudgeKind.PERSON),
        "name": judge.name if names else judge.id,
        "description": None,
        "settings": json.dumps(settings, sort_keys=True, ensure_ascii=False),
    }


def _judgement(cast: CastVote, criterion: str) -> dict[str, object]:
    vote = cast.vote
    evidence = {"swapped": vote.swapped, "seconds": vote.seconds, "vote": vote.key}
    return {
        "judge": vote.judge,
        "subject_kind": str(vote.item.kind),
        "subject": vote.item.number,
        "criterion": criterion,
        "value": vote.value,
        "confidence": vote.confidence,
        "reason": vote.reason,
        "evidence": json.dumps(evidence, sort_keys=True),
        "time": cast.time,
        "sequence": cast.sequence,
    }
