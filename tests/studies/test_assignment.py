"""Who sees what, and when: every subject gets its judges, whoever joins late or leaves."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.store.votes import JudgeRole
from clonetruth.studies.assignment import ItemPurpose, is_swapped
from clonetruth.studies.rounds import RoundPlan

from .hall import Hall, checks, methods, pairs

SUBJECTS = st.integers(1, 12)


@given(seed=st.integers(0, 99), subjects=SUBJECTS, overlap=st.integers(1, 3), data=st.data())
def test_each_subject_gets_k_judges_whoever_joins_or_leaves(
    seed: int, subjects: int, overlap: int, data: st.DataObject
) -> None:
    hall = Hall(RoundPlan(seed, pairs(subjects), overlap))
    hall.join("judge 0")
    for step in range(data.draw(st.integers(0, 60))):
        event = data.draw(st.sampled_from(["vote", "vote", "vote", "skip", "join", "leave"]))
        if event == "join":
            hall.join(f"judge {step + 1}")
        elif hall.active:
            name = data.draw(st.sampled_from(hall.active))
            item = hall.next(name)
            if event == "leave":
                hall.leave(name)
            elif item is not None:
                hall.say(name, item.key, "clone" if event == "vote" else None)
    while len(hall.active) < overlap:
        hall.join(f"late {len(hall.people)}")
    for name in hall.active:
        hall.work(name)
    assert {item: len(hall.voters(item)) for item in hall.plan.subjects} == dict.fromkeys(hall.plan.subjects, overlap)


@given(seed=st.integers(0, 99), subjects=SUBJECTS, overlap=st.integers(1, 4), judges=st.integers(1, 3))
def test_too_few_judges_judge_all(seed: int, subjects: int, overlap: int, judges: int) -> None:
    hall = Hall(RoundPlan(seed, pairs(subjects), overlap))
    for number in range(judges):
        hall.join(str(number))
    for number in range(judges):
        hall.work(str(number))
    assert {len(hall.voters(item)) for item in hall.plan.subjects} == {min(judges, overlap)}


def in_turn(hall: Hall, most: int = 10**6) -> Counter[str]:
    """Everybody votes once in each turn; how many votes each gave."""
    given_votes: Counter[str] = Counter()
    for _ in range(most):
        seen = [name for name in hall.active if hall.work(name, most=1)]
        if not seen:
            break
        given_votes.update(seen)
    return given_votes


def test_the_work_is_shared_evenly() -> None:
    hall = Hall(RoundPlan(7, pairs(200), overlap=2))
    for name in "abcde":
        hall.join(name)
    # In the last turn, what is left may be what somebody has judged already.
    assert set(in_turn(hall).values()) <= {79, 80, 81}


def test_who_joins_late_takes_a_fair_part_of_the_rest() -> None:
    hall = Hall(RoundPlan(7, pairs(300), overlap=2))
    hall.join("a")
    hall.join("b")
    in_turn(hall, most=150)
    hall.join("c")
    late = in_turn(hall)
    assert all(95 <= votes <= 105 for votes in late.values())
    assert all(len(hall.voters(item)) == 2 for item in hall.plan.subjects)


def test_nobody_elses_work_moves_when_somebody_joins() -> None:
    def own(names: str) -> dict[str, set[object]]:
        hall = Hall(RoundPlan(3, pairs(300), overlap=1))
        for name in names:
            hall.join(name)
        return {name: {item.key for item in hall.work(name, most=hall.progress(name).left)} for name in names}

    before, after = own("abc"), own("abcd")
    assert all(after[name] <= before[name] for name in "abc")
    assert 50 < len(after["d"]) < 100


def test_orders_and_sides_are_each_judges_own() -> None:
    plan = RoundPlan(5, pairs(200), overlap=3)
    seen = {}
    for name in "abc":
        hall = Hall(plan)
        hall.join(name)
        seen[name] = hall.work(name)
        assert hall.work(name) == []
        assert [item.swapped for item in seen[name]] == [is_swapped(plan, name, item.key) for item in seen[name]]
        assert 70 < sum(item.swapped for item in seen[name]) < 130
    for one, other in combinations("abc", 2):
        same_place = sum(a.key == b.key for a, b in zip(seen[one], seen[other], strict=True))
        assert same_place < 10
        assert {item.key for item in seen[one]} == set(pairs(200))
        differing = sum(is_swapped(plan, one, key) != is_swapped(plan, other, key) for key in pairs(200))
        assert 70 < differing < 130


def test_another_seed_is_another_order() -> None:
    orders = []
    for seed in (1, 2):
        hall = Hall(RoundPlan(seed, pairs(50)))
        hall.join("a")
        orders.append([item.key for item in hall.work("a")])
    assert orders[0] != orders[1]


def test_pairs_come_before_methods_and_methods_have_no_sides() -> None:
    hall = Hall(RoundPlan(1, methods(30) + pairs(30)))
    hall.join("a")
    seen = hall.work("a")
    assert [item.key.kind for item in seen] == ["pair"] * 30 + ["method"] * 30
    assert not any(item.swapped for item in seen[30:])


def test_training_comes_first_in_its_order() -> None:
    hall = Hall(RoundPlan(1, pairs(5), training=checks(0, 1, 2)))
    hall.join("a")
    first = hall.next("a")
    assert first is not None
    assert (first.key, first.purpose) == (checks(0)[0], ItemPurpose.TRAINING)
    hall.say("a", first.key, None)
    seen = hall.work("a")
    assert [item.key for item in seen[:3]] == list(checks(1, 2, 0))
    assert [item.purpose for item in seen] == [ItemPurpose.TRAINING] * 3 + [ItemPurpose.SUBJECT] * 5


@given(seed=st.integers(0, 99), subjects=st.integers(10, 60), attention=st.integers(1, 5))
@settings(max_examples=30)
def test_attention_checks_are_spread_over_the_work(seed: int, subjects: int, attention: int) -> None:
    hall = Hall(RoundPlan(seed, pairs(subjects), overlap=1, attention=checks(*range(attention))))
    hall.join("a")
    places = [at for at, item in enumerate(hall.work("a")) if item.purpose is ItemPurpose.ATTENTION]
    assert len(places) == attention
    stretch = subjects / attention
    for number, place in enumerate(places):
        # `number` checks stand before it; the rest of its place is subjects.
        assert number * stretch - 1 <= place - number <= (number + 1) * stretch


def test_attention_checks_are_at_other_places_for_another_judge() -> None:
    places = set()
    for name in "abcd":
        hall = Hall(RoundPlan(1, pairs(100), attention=checks(0, 1)))
        hall.join(name)
        places.add(tuple(at for at, item in enumerate(hall.work(name)) if item.purpose is ItemPurpose.ATTENTION))
    assert len(places) == 4


def test_what_is_skipped_comes_again_at_the_end_the_longest_put_off_first() -> None:
    hall = Hall(RoundPlan(1, pairs(6)))
    hall.join("a")
    skipped = []
    for _ in range(2):
        item = hall.next("a")
        assert item is not None
        skipped.append(item.key)
        hall.say("a", item.key, None)
    assert hall.progress("a").skipped == 2
    assert [item.key for item in hall.work("a")][-2:] == skipped
    assert hall.progress("a").skipped == 0


def test_a_judge_goes_on_where_they_left_and_after_an_undo_one_before() -> None:
    hall = Hall(RoundPlan(1, pairs(6)))
    hall.join("a")
    hall.work("a", most=2)
    here = hall.next("a")
    assert here is not None
    assert hall.next("a") == here
    key = hall.say("a", here.key)
    assert hall.next("a") != here
    hall.undo("a", here.key, key)
    assert hall.next("a") == here


def test_progress_counts_down() -> None:
    hall = Hall(RoundPlan(1, pairs(20), overlap=1, training=checks(0), attention=checks(1)))
    hall.join("a")
    assert (hall.progress("a").done, hall.progress("a").left) == (0, 22)
    hall.work("a", most=5)
    assert (hall.progress("a").done, hall.progress("a").left) == (5, 17)
    hall.work("a")
    assert (hall.progress("a").done, hall.progress("a").left) == (22, 0)


@pytest.mark.parametrize("role", [JudgeRole.ADJUDICATOR, JudgeRole.OWNER])
def test_who_does_not_judge_gets_nothing(role: JudgeRole) -> None:
    hall = Hall(RoundPlan(1, pairs(3), training=checks(0)))
    hall.join("a", role=role)
    hall.join("b")
    assert hall.next("a") is None
    assert len(hall.work("b")) == 4


def test_who_left_gets_nothing() -> None:
    hall = Hall(RoundPlan(1, pairs(3), training=checks(0)))
    hall.join("a")
    hall.leave("a")
    assert hall.next("a") is None
