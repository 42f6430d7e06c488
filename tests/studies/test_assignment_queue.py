"""What is kept while votes arrive is what would be counted from the beginning."""

from __future__ import annotations

import statistics
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.store.study_protocol import JudgeGroup
from clonetruth.store.votes import ItemKey, Vote, VoteStore
from clonetruth.store.votes.databases import SQLiteDatabase
from clonetruth.studies.assignment import Assignment, JudgeProgress
from clonetruth.studies.assignment_queue import Assigner, NextItem
from clonetruth.studies.rounds import Eligibility, RoundPlan, Turn
from tests.studies.simulated_study import SimulatedStudy, checks, methods, pairs

HALVES = (JudgeGroup("red", 0.5), JudgeGroup("blue", 0.5))
EVENTS = ("vote", "vote", "vote", "undecided", "skip", "again", "undo", "join", "leave", "withdraw", "quota")


def counted_anew(study: SimulatedStudy, name: str) -> NextItem:
    judge, progress, assignment = study.people[name], JudgeProgress(study.own(name)), Assignment(study.eligibility)
    return NextItem(
        assignment.next_item(judge, progress),
        assignment.workload(judge, progress),
        progress.median_seconds,
        progress.undoable,
        judge.id in assignment.eligibility.spent,
    )


@given(
    seed=st.integers(0, 99),
    overlap=st.integers(1, 3),
    groups=st.sampled_from([(), HALVES]),
    events=st.lists(st.tuples(st.sampled_from(EVENTS), st.integers(0, 99)), max_size=40),
)
@settings(max_examples=60)
def test_what_is_kept_is_what_is_counted_anew(
    seed: int, overlap: int, groups: tuple[JudgeGroup, ...], events: list[tuple[str, int]]
) -> None:
    plan = RoundPlan(seed, pairs(6) + methods(3), overlap, groups, training=checks(0), attention=checks(1, 2))
    study = SimulatedStudy(plan)
    votes: list[tuple[str, ItemKey, str]] = []
    for step, (event, which) in enumerate([("join", 0), ("join", 1), *events]):
        name = study.active[which % len(study.active)] if study.active else None
        if event == "join":
            study.join(f"judge {step}", ("red", "blue")[which % 2])
        elif event == "leave" and name is not None:
            study.leave(name)
        elif event == "withdraw" and name is not None:
            study.withdraw(name)
            votes = [vote for vote in votes if vote[0] != name]
        elif event == "quota" and name is not None:
            study.limit(name, which % 6 + 1)
        elif event == "undo" and votes:
            study.undo(*votes.pop(which % len(votes)))
        elif event == "again" and name is not None:
            # A vote on whatever it is: a form that was open for long, or a second thought.
            item = plan.subjects[which % len(plan.subjects)]
            votes.append((name, item, study.vote(name, item)))
        elif name is not None and (next_item := study.next(name)) is not None:
            value = {"skip": None, "undecided": "undecided"}.get(event, "clone")
            votes.append((name, next_item.key, study.vote(name, next_item.key, value)))
        for one in study.people:
            assert study.next_item(one) == counted_anew(study, one)


@given(st.lists(st.none() | st.floats(0, 1000)))
def test_the_pace_is_the_median_of_times_after_training(times: list[float | None]) -> None:
    study = SimulatedStudy(RoundPlan(1, pairs(9), training=checks(0), attention=checks(1)))
    study.join("a")
    study.vote("a", checks(0)[0], seconds=5000.0)
    study.vote("a", checks(1)[0], seconds=7.0)
    for number, seconds in enumerate(times):
        study.vote("a", pairs(9)[number % 9], seconds=seconds)
    # A median that did not move after a check would tell the judge what it was.
    known = [7.0, *(seconds for seconds in times if seconds is not None)]
    assert study.next_item("a").median_seconds == statistics.median(known)


def test_what_can_be_taken_back_is_the_last_that_stands() -> None:
    study = SimulatedStudy(RoundPlan(1, pairs(3)))
    study.join("a")
    assert study.next_item("a").undoable is None
    first, second = (study.vote("a", item) for item in pairs(2))
    assert study.next_item("a").undoable == second
    study.undo("a", pairs(2)[1], second)
    assert study.next_item("a").undoable == first


def test_a_vote_deals_one_subject_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """However large the study is, a page costs what happened since the last one."""
    study = SimulatedStudy(RoundPlan(1, pairs(300), overlap=2))
    for name in "abc":
        study.join(name)
    item = study.next("a")
    assert item is not None
    dealt: list[ItemKey] = []
    turn = Eligibility.turn

    def counted(roll: Eligibility, key: ItemKey) -> Turn:
        dealt.append(key)
        return turn(roll, key)

    monkeypatch.setattr(Eligibility, "turn", counted)
    study.vote("a", item.key)
    for name in "abc":
        study.next_item(name)
    assert dealt == [item.key]


def test_a_skip_of_what_was_judged_puts_nothing_off() -> None:
    study = SimulatedStudy(RoundPlan(1, pairs(2)))
    study.join("a")
    study.vote("a", pairs(2)[0])
    study.vote("a", pairs(2)[0], None)
    assert (study.workload("a").done, study.workload("a").skipped) == (1, 0)


def test_another_process_and_the_clock_are_noticed(tmp_path: Path) -> None:
    """Two boxes on one file are as two processes: votes, invitations, revocations; and a link that expires."""
    now = datetime(2030, 1, 1, tzinfo=UTC)
    database = SQLiteDatabase(tmp_path / "votes.sqlite")
    with VoteStore(database, "study", lambda: now) as here, VoteStore(database, "study", lambda: now) as there:
        plan = RoundPlan(1, pairs(40), overlap=1)
        assigner = Assigner(plan, here, lambda: now)
        ada, _ = there.add_judge("Ada", days=9)

        def left() -> int:
            return assigner.next_item(ada).workload.left

        assert left() == 40
        there.cast(Vote("k1", ada.id, pairs(40)[7], "clone"))
        assert left() == 39
        there.add_judge("Bob", days=5)
        there.add_judge("Cleo", days=5)
        shared = left()
        assert 0 < shared < 30
        there.revoke("Cleo")
        assert shared < left() < 39
        now += timedelta(days=6)
        assert left() == 39
        there.undo(ada.id, "k1")
        assert left() == 40
        now += timedelta(days=6)
        assert assigner.next_item(ada) == NextItem(None, assigner.next_item(ada).workload, None, None)
