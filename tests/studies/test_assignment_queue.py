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

from .hall import Hall, checks, methods, pairs

HALVES = (JudgeGroup("red", 0.5), JudgeGroup("blue", 0.5))
EVENTS = ("vote", "vote", "vote", "undecided", "skip", "again", "undo", "join", "leave")


def counted_anew(hall: Hall, name: str) -> NextItem:
    judge, desk, assignment = hall.people[name], JudgeProgress(hall.own(name)), Assignment(hall.roll)
    return NextItem(assignment.next_item(judge, desk), assignment.progress(judge, desk), desk.median_seconds, desk.last)


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
    hall = Hall(plan)
    said: list[tuple[str, ItemKey, str]] = []
    for step, (event, which) in enumerate([("join", 0), ("join", 1), *events]):
        name = hall.active[which % len(hall.active)] if hall.active else None
        if event == "join":
            hall.join(f"judge {step}", ("red", "blue")[which % 2])
        elif event == "leave" and name is not None:
            hall.leave(name)
        elif event == "undo" and said:
            hall.undo(*said.pop(which % len(said)))
        elif event == "again" and name is not None:
            # A vote on whatever it is: a form that was open for long, or a second thought.
            item = plan.subjects[which % len(plan.subjects)]
            said.append((name, item, hall.say(name, item)))
        elif name is not None and (next_item := hall.next(name)) is not None:
            value = {"skip": None, "undecided": "undecided"}.get(event, "clone")
            said.append((name, next_item.key, hall.say(name, next_item.key, value)))
        for one in hall.people:
            assert hall.hand(one) == counted_anew(hall, one)


@given(st.lists(st.none() | st.floats(0, 1000)))
def test_the_pace_is_the_median_of_subjects_whose_time_is_known(times: list[float | None]) -> None:
    hall = Hall(RoundPlan(1, pairs(9), training=checks(0)))
    hall.join("a")
    hall.say("a", checks(0)[0], seconds=5000.0)
    for number, seconds in enumerate(times):
        hall.say("a", pairs(9)[number % 9], seconds=seconds)
    known = [seconds for seconds in times if seconds is not None]
    assert hall.hand("a").median_seconds == (statistics.median(known) if known else None)


def test_what_can_be_taken_back_is_the_last_that_stands() -> None:
    hall = Hall(RoundPlan(1, pairs(3)))
    hall.join("a")
    assert hall.hand("a").last is None
    first, second = (hall.say("a", item) for item in pairs(2))
    assert hall.hand("a").last == second
    hall.undo("a", pairs(2)[1], second)
    assert hall.hand("a").last == first


def test_a_vote_deals_one_subject_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """However large the study is, a page costs what happened since the last one."""
    hall = Hall(RoundPlan(1, pairs(300), overlap=2))
    for name in "abc":
        hall.join(name)
    item = hall.next("a")
    assert item is not None
    dealt: list[ItemKey] = []
    turn = Eligibility.turn

    def counted(roll: Eligibility, key: ItemKey) -> Turn:
        dealt.append(key)
        return turn(roll, key)

    monkeypatch.setattr(Eligibility, "turn", counted)
    hall.say("a", item.key)
    for name in "abc":
        hall.hand(name)
    assert dealt == [item.key]


def test_a_skip_of_what_was_judged_puts_nothing_off() -> None:
    hall = Hall(RoundPlan(1, pairs(2)))
    hall.join("a")
    hall.say("a", pairs(2)[0])
    hall.say("a", pairs(2)[0], None)
    assert (hall.progress("a").done, hall.progress("a").skipped) == (1, 0)


def test_another_process_and_the_clock_are_noticed(tmp_path: Path) -> None:
    """Two boxes on one file are as two processes: votes, invitations, revocations; and a link that expires."""
    now = datetime(2030, 1, 1, tzinfo=UTC)
    database = SQLiteDatabase(tmp_path / "votes.sqlite")
    with VoteStore(database, "study", lambda: now) as here, VoteStore(database, "study", lambda: now) as there:
        plan = RoundPlan(1, pairs(40), overlap=1)
        dealer = Assigner(plan, here, lambda: now)
        ada, _ = there.add_judge("Ada", days=9)

        def left() -> int:
            return dealer.hand(ada).progress.left

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
        assert dealer.hand(ada) == NextItem(None, dealer.hand(ada).progress, None, None)
