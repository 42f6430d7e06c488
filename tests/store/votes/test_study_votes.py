"""Votes as judgements of the study: what stands, by pseudonym."""

from __future__ import annotations

import json
from pathlib import Path

from clonetruth.store.study_judgements import STUDY_JUDGEMENTS, STUDY_JUDGES, read_study_judgements
from clonetruth.store.votes import VOTES_FILE, ItemKey, ItemKind, JudgeRole, Vote, VoteKind, VoteStore, read_votes

PAIR = ItemKey(ItemKind.PAIR, 0)


def test_nobody_voted(study: Path) -> None:
    judges, judgements = read_votes(study)
    assert (judges.num_rows, judgements.num_rows) == (0, 0)
    assert (judges.schema, judgements.schema) == (STUDY_JUDGES, STUDY_JUDGEMENTS)
    assert not (study / VOTES_FILE).exists()


def test_what_stands_becomes_judgements(study: Path, url: str | None, store: VoteStore) -> None:
    ada, bob = store.add_judge("Ada", group="first")[0].id, store.add_judge("Bob")[0].id
    eve = store.add_judge("Eve", JudgeRole.ADJUDICATOR)[0].id
    store.add_judge("Nobody")
    store.cast(Vote("a1", ada, PAIR, "clone"))
    store.cast(Vote("a2", ada, PAIR, "not-clone", confidence=0.75, reason="differs", swapped=True, seconds=9.5))
    store.cast(Vote("a3", ada, ItemKey(ItemKind.CHECK, 0), "clone"))
    store.cast(Vote("a4", ada, ItemKey(ItemKind.PAIR, 1), None, VoteKind.SKIP))
    store.cast(Vote("b1", bob, PAIR, "clone"))
    store.cast(Vote("b2", bob, ItemKey(ItemKind.PAIR, 2), "clone"))
    store.undo(bob, "b2")
    decision = store.cast(Vote("e1", eve, PAIR, "clone", VoteKind.ADJUDICATION, reason="looked twice"))

    judges, judgements = read_votes(study, url)
    assert judges.schema == STUDY_JUDGES
    assert [(row["judge"], row["name"], json.loads(row["settings"])) for row in judges.to_pylist()] == [
        (ada, ada, {"group": "first", "role": "judge"}),
        (bob, bob, {"role": "judge"}),
        (eve, eve, {"role": "adjudicator"}),
    ]
    rows = judgements.to_pylist()
    assert [(row["judge"], row["subject_kind"], row["subject"], row["value"]) for row in rows] == [
        (ada, "pair", 0, "not-clone"),
        (bob, "pair", 0, "clone"),
        (eve, "pair", 0, "clone"),
    ]
    assert {row["criterion"] for row in rows} == {"textual"}
    assert (rows[0]["confidence"], rows[0]["reason"]) == (0.75, "differs")
    assert json.loads(rows[0]["evidence"]) == {"seconds": 9.5, "swapped": True, "vote": "a2"}
    assert (rows[2]["time"], rows[2]["sequence"]) == (decision.time, decision.sequence)
    assert read_study_judgements(study, (judges, judgements))[1].equals(judgements)


def test_names_only_when_asked_for(study: Path, url: str | None, store: VoteStore) -> None:
    store.cast(Vote("a1", store.add_judge("Ada")[0].id, PAIR, "clone"))
    for names, expected in ((True, True), (False, False)):
        judges, _ = read_votes(study, url, names=names)
        assert ("Ada" in judges["name"].to_pylist()) is expected
