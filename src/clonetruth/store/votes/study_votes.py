"""The votes of a study: opening its vote store, and the current votes as tables of judges and judgements."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from itertools import chain, pairwise
from operator import attrgetter
from pathlib import Path

import numpy as np
import pyarrow as pa

from clonetruth.model import JudgeKind
from clonetruth.store.hashing import hash_json
from clonetruth.store.study import CONSENT_FILE, Study, read_plan, read_study, study_identity
from clonetruth.store.study_judgements import STUDY_JUDGEMENTS, STUDY_JUDGES
from clonetruth.store.study_protocol import METHOD_CRITERION
from clonetruth.store.study_reviews import read_reviews
from clonetruth.store.votes.current_votes import VotesByItem
from clonetruth.store.votes.databases import Database, PostgreSQLDatabase, SQLiteDatabase
from clonetruth.store.votes.participation import ConsentFile
from clonetruth.store.votes.vote import CastVote, InvitedJudge, ItemKey, ItemKind, JudgeRole
from clonetruth.store.votes.vote_store import SUBJECTS, VoteStore

VOTES_FILE = "votes.sqlite"
REVIEW_JUDGE = "review-"
"""Begins the id of a judge who stands for the decisions of a review."""


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
    study = study_identity(folder)
    # In a sitting, the methods of a pair are judged with it, and are not further subjects.
    counted = (ItemKind.PAIR,) if read_plan(folder).protocol.sitting else SUBJECTS
    database: Database = SQLiteDatabase(folder / VOTES_FILE) if url is None else PostgreSQLDatabase(url, study)
    return VoteStore(database, study, consent=ConsentFile(folder / CONSENT_FILE), counted=counted)


def has_votes(study_folder: str | os.PathLike[str], url: str | None = None) -> bool:
    """Whether a vote store exists, or may exist at a URL; opening one would create it."""
    return url is not None or (Path(study_folder) / VOTES_FILE).exists()


def read_votes(
    study_folder: str | os.PathLike[str], url: str | None = None, *, names: bool = False, reviews: bool = True
) -> tuple[pa.Table, pa.Table]:
    """The current votes, as judges and judgements of the study.

    The latest vote of each judge on each pair and method counts; undone votes, skips, answers to checks and unfinished
    sittings do not appear. Judges are identified by pseudonyms; `settings` hold the role (`judge`, or `adjudicator` and
    `owner`, whose judgements are decisions between judges) and the group. People who decided together are one judge,
    whose settings name them (`speaks_for`). The decision of a review is that of one more judge, who replaces
    everybody who judged before.

    Args:
        study_folder: the study.
        url: where the votes are, as for `open_vote_store`.
        names: include the judges' real names; only with their consent.
        reviews: include the decisions of reviews.

    Returns:
        The judges with a judgement, with the columns of `STUDY_JUDGES`, and the judgements, with those of
        `STUDY_JUDGEMENTS`. Both are empty if nobody has voted.

    Raises:
        InputError, UnavailableError: as for `open_vote_store`.
    """
    study = read_study(study_folder)
    if not has_votes(study_folder, url):
        return STUDY_JUDGES.empty_table(), STUDY_JUDGEMENTS.empty_table()
    with open_vote_store(study_folder, url) as store:
        return votes_as_tables(store, study, names=names, reviews=reviews)


class VoteTables:
    """Reads the current votes of a study as tables, again and again. Rows that were read before are not made again.

    Args:
        study: the study.
    """

    def __init__(self, study: Study) -> None:
        self._study = study
        # By the sequence numbers of their votes divided by `_BLOCK`: the numbers, and the rows.
        self._blocks: dict[int, tuple[list[int], pa.Table]] = {}

    def read(self, store: VoteStore) -> tuple[pa.Table, pa.Table]:
        """The current votes of an open vote store, as in `read_votes`, with pseudonyms."""
        counted = _counted_votes(store, self._study)
        numbers = list(map(_SEQUENCE, counted))
        last = numbers[-1] if numbers else 0
        ends = np.searchsorted(numbers, range(0, last + _BLOCK + 1, _BLOCK)).tolist()
        self._blocks = {
            block: self._block(block, numbers[start:end], counted[start:end])
            for block, (start, end) in enumerate(pairwise(ends))
            if start < end
        }
        rows = [table for _, table in self._blocks.values()]
        judgements = pa.concat_tables([STUDY_JUDGEMENTS.empty_table(), *rows])
        return _with_reviews(store, self._study, counted, _judges_table(store, counted), judgements)

    def _block(self, block: int, numbers: list[int], votes: Sequence[CastVote]) -> tuple[list[int], pa.Table]:
        known = self._blocks.get(block)
        return known if known is not None and known[0] == numbers else (numbers, _judgements_table(self._study, votes))


_BLOCK = 1_000
_SEQUENCE = attrgetter("sequence")
_SPEAKERS = attrgetter("vote.judge", "vote.participants")


def votes_as_tables(
    store: VoteStore, study: Study, *, names: bool = False, reviews: bool = True
) -> tuple[pa.Table, pa.Table]:
    """The current votes of an open vote store, as in `read_votes`."""
    counted = _counted_votes(store, study)
    judges, rows = _judges_table(store, counted, names), _judgements_table(study, counted)
    return _with_reviews(store, study, counted, judges, rows) if reviews else (judges, rows)


def _counted_votes(store: VoteStore, study: Study) -> list[CastVote]:
    """The votes and decisions that count, in order."""
    current = store.current_votes()
    judged = (ItemKind.PAIR, ItemKind.METHOD)
    votes = list(chain.from_iterable(one.values() for item, one in current.items() if item.kind in judged))
    if study.plan.protocol.sitting:
        finished = _finished_methods(study, current)
        votes = [
            cast
            for cast in votes
            if cast.vote.item.kind is not ItemKind.METHOD or (cast.vote.judge, cast.vote.item.number) in finished
        ]
    votes += [cast for item, cast in store.adjudications().items() if item.kind in judged]
    return sorted(votes, key=_SEQUENCE)


def _judges_table(store: VoteStore, counted: Sequence[CastVote], names: bool = False) -> pa.Table:
    """Everybody whose votes count."""
    invited = {judge.id: judge for judge in store.judges()}
    speakers = set(map(_SPEAKERS, counted))
    circles = sorted({circle for _, circle in speakers if circle})
    speaking = {judge for judge, circle in speakers if not circle}.union(*circles)
    judges = [_judge(judge, names) for judge in invited.values() if judge.id in speaking]
    judges += [_joint_judge([invited[one] for one in circle], names) for circle in circles]
    return pa.Table.from_pylist(judges, schema=STUDY_JUDGES)


def _judgements_table(study: Study, counted: Sequence[CastVote]) -> pa.Table:
    criteria = {ItemKind.PAIR: study.plan.criterion, ItemKind.METHOD: METHOD_CRITERION}
    return pa.Table.from_pylist(
        [_judgement(cast, criteria[cast.vote.item.kind]) for cast in counted], schema=STUDY_JUDGEMENTS
    )


def _with_reviews(
    store: VoteStore, study: Study, counted: Sequence[CastVote], judges: pa.Table, rows: pa.Table
) -> tuple[pa.Table, pa.Table]:
    """Add the decisions of reviews, each of a judge who replaces everybody who judged the pair before."""
    decided = store.reviews()
    if not decided:
        return judges, rows
    before: dict[ItemKey, set[str]] = {item: set() for item in decided}
    for cast in counted:
        if cast.vote.item in before:
            circle = cast.vote.participants
            before[cast.vote.item].add(joint_judge_id(circle) if circle else cast.vote.judge)
    reopened = [(review, pair) for review in read_reviews(study.path) for pair in review.pairs]
    reviewers: dict[str, dict[str, object]] = {}
    judgements = []
    for item, cast in sorted(decided.items(), key=lambda one: one[1].sequence):
        rounds = [(review, pair) for review, pair in reopened if pair.subject == item.number]
        members = sorted(before[item].union([cast.vote.judge], *(pair.spoke for _, pair in rounds)))
        settings = {
            "role": "reviewer",
            "speaks_for": members,
            "against": sorted(review.judge for review, _ in rounds),
        }
        judge = f"{REVIEW_JUDGE}{hash_json(settings)[:8]}"
        reviewers[judge] = {
            "judge": judge,
            "kind": str(JudgeKind.PERSON),
            "name": judge,
            "description": "A settled pair, reviewed because a judge contradicts it.",
            "settings": json.dumps(settings, sort_keys=True, ensure_ascii=False),
        }
        judgements.append({**_judgement(cast, study.plan.criterion), "judge": judge})
    return (
        pa.concat_tables([judges, pa.Table.from_pylist(list(reviewers.values()), schema=STUDY_JUDGES)]),
        pa.concat_tables([rows, pa.Table.from_pylist(judgements, schema=STUDY_JUDGEMENTS)]),
    )


def _finished_methods(study: Study, votes: VotesByItem) -> set[tuple[str, int]]:
    """Who has finished the sitting of which methods: labelled both methods of a pair, and the pair."""
    return {
        (judge, method)
        for pair, methods in study.methods_of_pairs.items()
        for judge in votes.get(ItemKey(ItemKind.PAIR, pair), ())
        if all(judge in votes.get(ItemKey(ItemKind.METHOD, one), ()) for one in methods)
        for method in methods
    }


def _judge(judge: InvitedJudge, names: bool) -> dict[str, object]:
    settings = {"role": str(judge.role), **({} if judge.group is None else {"group": judge.group})}
    return {
        "judge": judge.id,
        "kind": str(JudgeKind.PERSON),
        "name": judge.name if names else judge.id,
        "description": None,
        "settings": json.dumps(settings, sort_keys=True, ensure_ascii=False),
    }


def _joint_judge(members: Sequence[InvitedJudge], names: bool) -> dict[str, object]:
    """The people who decided together, as one judge: their decision replaces what each of them said before."""
    settings = {"role": str(JudgeRole.ADJUDICATOR), "speaks_for": [one.id for one in members]}
    identity = joint_judge_id([one.id for one in members])
    return {
        "judge": identity,
        "kind": str(JudgeKind.PERSON),
        "name": " and ".join(one.name for one in members) if names else identity,
        "description": f"A joint decision of {len(members)} people.",
        "settings": json.dumps(settings, sort_keys=True, ensure_ascii=False),
    }


def joint_judge_id(members: Sequence[str]) -> str:
    """The id of the judge that stands for people who decided together."""
    return f"joint-{hash_json(sorted(members))[:8]}"


def _judgement(cast: CastVote, criterion: str) -> dict[str, object]:
    vote = cast.vote
    evidence: dict[str, object] = {"swapped": vote.swapped, "seconds": vote.seconds, "vote": vote.key}
    if vote.participants:
        evidence |= {"participants": list(vote.participants), "recorded_by": vote.judge}
    return {
        "judge": joint_judge_id(vote.participants) if vote.participants else vote.judge,
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
