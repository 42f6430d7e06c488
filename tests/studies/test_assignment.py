"""Who sees what, and when: every subject gets its judges, even if judges join late or leave."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.store.votes import ItemKey, ItemKind, JudgeRole
from clonetruth.studies.assignment import ItemPurpose, is_swapped
from clonetruth.studies.rounds import RoundPlan
from tests.studies.simulated_study import SimulatedStudy, checks, methods, pairs

SUBJECTS = st.integers(1, 12)


@given(seed=st.integers(0, 99), subjects=SUBJECTS, overlap=st.integers(1, 3), data=st.data())
def test_each_subject_gets_k_judges_even_if_judges_join_or_leave(
    seed: int, subjects: int, overlap: int, data: st.DataObject
) -> None:
    study = SimulatedStudy(RoundPlan(seed, pairs(subjects), overlap))
    study.join("judge 0")
    for step in range(data.draw(st.integers(0, 60))):
        event = data.draw(st.sampled_from(["vote", "vote", "vote", "skip", "join", "leave"]))
        if event == "join":
            study.join(f"judge {step + 1}")
        elif study.active:
            name = data.draw(st.sampled_from(study.active))
            item = study.next(name)
            if event == "leave":
                study.leave(name)
            elif item is not None:
                study.vote(name, item.key, "clone" if event == "vote" else None)
    while len(study.active) < overlap:
        study.join(f"late {len(study.people)}")
    for name in study.active:
        study.work(name)
    assert {item: len(study.voters(item)) for item in study.plan.subjects} == dict.fromkeys(
        study.plan.subjects, overlap
    )


@given(seed=st.integers(0, 99), subjects=SUBJECTS, overlap=st.integers(1, 4), judges=st.integers(1, 3))
def test_too_few_judges_judge_all(seed: int, subjects: int, overlap: int, judges: int) -> None:
    study = SimulatedStudy(RoundPlan(seed, pairs(subjects), overlap))
    for number in range(judges):
        study.join(str(number))
    for number in range(judges):
        study.work(str(number))
    assert {len(study.voters(item)) for item in study.plan.subjects} == {min(judges, overlap)}


def in_turn(study: SimulatedStudy, limit: int = 10**6) -> Counter[str]:
    """Everybody votes once per turn; returns the number of votes of each."""
    given_votes: Counter[str] = Counter()
    for _ in range(limit):
        seen = [name for name in study.active if study.work(name, limit=1)]
        if not seen:
            break
        given_votes.update(seen)
    return given_votes


def test_the_work_is_shared_evenly() -> None:
    study = SimulatedStudy(RoundPlan(7, pairs(200), overlap=2))
    for name in "abcde":
        study.join(name)
    # In the last turn, what is left may be what somebody has judged already.
    assert set(in_turn(study).values()) <= {79, 80, 81}


def test_a_late_judge_takes_a_fair_part_of_the_rest() -> None:
    study = SimulatedStudy(RoundPlan(7, pairs(300), overlap=2))
    study.join("a")
    study.join("b")
    in_turn(study, limit=150)
    study.join("c")
    late = in_turn(study)
    assert all(95 <= votes <= 105 for votes in late.values())
    assert all(len(study.voters(item)) == 2 for item in study.plan.subjects)


def test_nobody_elses_work_moves_when_somebody_joins() -> None:
    def own(names: str) -> dict[str, set[object]]:
        study = SimulatedStudy(RoundPlan(3, pairs(300), overlap=1))
        for name in names:
            study.join(name)
        return {name: {item.key for item in study.work(name, limit=study.workload(name).left)} for name in names}

    before, after = own("abc"), own("abcd")
    assert all(after[name] <= before[name] for name in "abc")
    assert 50 < len(after["d"]) < 100


def test_orders_and_sides_are_each_judges_own() -> None:
    plan = RoundPlan(5, pairs(200), overlap=3)
    seen = {}
    for name in "abc":
        study = SimulatedStudy(plan)
        study.join(name)
        seen[name] = study.work(name)
        assert study.work(name) == []
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
        study = SimulatedStudy(RoundPlan(seed, pairs(50)))
        study.join("a")
        orders.append([item.key for item in study.work("a")])
    assert orders[0] != orders[1]


def test_pairs_come_before_methods_and_methods_have_no_sides() -> None:
    study = SimulatedStudy(RoundPlan(1, methods(30) + pairs(30)))
    study.join("a")
    seen = study.work("a")
    assert [item.key.kind for item in seen] == ["pair"] * 30 + ["method"] * 30
    assert not any(item.swapped for item in seen[30:])


def test_training_comes_first_in_its_order() -> None:
    study = SimulatedStudy(RoundPlan(1, pairs(5), training=checks(0, 1, 2)))
    study.join("a")
    first = study.next("a")
    assert first is not None
    assert (first.key, first.purpose) == (checks(0)[0], ItemPurpose.TRAINING)
    study.vote("a", first.key, None)
    seen = study.work("a")
    assert [item.key for item in seen[:3]] == list(checks(1, 2, 0))
    assert [item.purpose for item in seen] == [ItemPurpose.TRAINING] * 3 + [ItemPurpose.SUBJECT] * 5


@given(seed=st.integers(0, 99), subjects=st.integers(10, 60), attention=st.integers(1, 5))
@settings(max_examples=30)
def test_attention_checks_are_spread_over_the_work(seed: int, subjects: int, attention: int) -> None:
    study = SimulatedStudy(RoundPlan(seed, pairs(subjects), overlap=1, attention=checks(*range(attention))))
    study.join("a")
    places = [at for at, item in enumerate(study.work("a")) if item.purpose is ItemPurpose.ATTENTION]
    assert len(places) == attention
    stretch = subjects / attention
    for number, place in enumerate(places):
        # `number` checks stand before it; the rest of its place is subjects.
        assert number * stretch - 1 <= place - number <= (number + 1) * stretch


def test_attention_checks_are_at_other_places_for_another_judge() -> None:
    places = set()
    for name in "abcd":
        study = SimulatedStudy(RoundPlan(1, pairs(100), attention=checks(0, 1)))
        study.join(name)
        places.add(tuple(at for at, item in enumerate(study.work(name)) if item.purpose is ItemPurpose.ATTENTION))
    assert len(places) == 4


@given(
    seed=st.integers(0, 99), subjects=st.integers(12, 60), repeats=st.integers(1, 5), skips=st.sets(st.integers(0, 80))
)
@settings(max_examples=40)
def test_repeats_come_later_with_swapped_sides(seed: int, subjects: int, repeats: int, skips: set[int]) -> None:
    plan = RoundPlan(seed, pairs(subjects) + methods(3), overlap=1, attention=checks(0, 1), repeats=repeats)
    study = SimulatedStudy(plan)
    study.join("a")
    assert study.workload("a").left == subjects + 3 + 2 + repeats
    judged: list[ItemKey] = []
    seen: dict[ItemKey, bool] = {}
    step = 0
    while (item := study.next("a")) is not None:
        done, left = study.workload("a").done, study.workload("a").left
        if item.key.kind is ItemKind.REPEAT:
            assert item.purpose is ItemPurpose.REPEAT
            original = ItemKey(ItemKind.PAIR, item.key.number)
            between = [key for key in judged[judged.index(original) + 1 :] if key.kind is ItemKind.PAIR]
            assert len(between) + 1 >= min(20, subjects // 3)
            assert item.swapped is not seen[original]
        step += 1
        if step - 1 in skips and item.key not in seen:
            study.vote("a", item.key, None)
            seen[item.key] = item.swapped
            continue
        seen[item.key] = item.swapped
        study.vote("a", item.key)
        judged.append(item.key)
        # Whatever it was, the counters move by one.
        assert (study.workload("a").done, study.workload("a").left) == (done + 1, left - 1)
    assert Counter(key.kind for key in judged) == {"pair": subjects, "method": 3, "check": 2, "repeat": repeats}
    assert len(judged) == len(set(judged))


def test_a_repeat_is_no_further_vote_on_its_subject() -> None:
    study = SimulatedStudy(RoundPlan(1, pairs(20), overlap=1, repeats=4))
    study.join("a")
    repeated = [item.key for item in study.work("a") if item.purpose is ItemPurpose.REPEAT]
    assert len(repeated) == 4
    assert all(study.voters(item) == {"a"} for item in study.plan.subjects)


def test_judges_see_different_pairs_again() -> None:
    again = set()
    for name in "abcd":
        study = SimulatedStudy(RoundPlan(1, pairs(40), repeats=3))
        study.join(name)
        again.add(tuple(item.key.number for item in study.work(name) if item.purpose is ItemPurpose.REPEAT))
    assert len(again) == 4


def test_skipped_subjects_come_again_at_the_end_in_the_order_of_skipping() -> None:
    study = SimulatedStudy(RoundPlan(1, pairs(6)))
    study.join("a")
    skipped = []
    for _ in range(2):
        item = study.next("a")
        assert item is not None
        skipped.append(item.key)
        study.vote("a", item.key, None)
    assert study.workload("a").skipped == 2
    assert [item.key for item in study.work("a")][-2:] == skipped
    assert study.workload("a").skipped == 0


def test_a_judge_goes_on_where_they_left_and_after_an_undo_one_before() -> None:
    study = SimulatedStudy(RoundPlan(1, pairs(6)))
    study.join("a")
    study.work("a", limit=2)
    here = study.next("a")
    assert here is not None
    assert study.next("a") == here
    key = study.vote("a", here.key)
    assert study.next("a") != here
    study.undo("a", here.key, key)
    assert study.next("a") == here


def test_progress_counts_down() -> None:
    study = SimulatedStudy(RoundPlan(1, pairs(20), overlap=1, training=checks(0), attention=checks(1)))
    study.join("a")
    assert (study.workload("a").done, study.workload("a").left) == (0, 22)
    study.work("a", limit=5)
    assert (study.workload("a").done, study.workload("a").left) == (5, 17)
    study.work("a")
    assert (study.workload("a").done, study.workload("a").left) == (22, 0)


@pytest.mark.parametrize("role", [JudgeRole.ADJUDICATOR, JudgeRole.OWNER])
def test_other_roles_get_nothing_to_judge(role: JudgeRole) -> None:
    study = SimulatedStudy(RoundPlan(1, pairs(3), training=checks(0)))
    study.join("a", role=role)
    study.join("b")
    assert study.next("a") is None
    assert len(study.work("b")) == 4


def test_a_judge_who_left_gets_nothing() -> None:
    study = SimulatedStudy(RoundPlan(1, pairs(3), training=checks(0)))
    study.join("a")
    study.leave("a")
    assert study.next("a") is None


@given(
    seed=st.integers(0, 99),
    subjects=st.integers(1, 12),
    overlap=st.integers(1, 2),
    quotas=st.lists(st.none() | st.integers(1, 8), min_size=1, max_size=5),
)
@settings(max_examples=60)
def test_nobody_is_asked_for_more_than_their_quota_and_others_take_over(
    seed: int, subjects: int, overlap: int, quotas: list[int | None]
) -> None:
    study = SimulatedStudy(RoundPlan(seed, pairs(subjects), overlap, training=checks(0), attention=checks(1)))
    names = [f"judge {number}" for number in range(len(quotas))]
    for name, quota in zip(names, quotas, strict=True):
        study.join(name)
        if quota is not None:
            study.limit(name, quota)
    done: Counter[str] = Counter()
    while any(study.next(name) is not None for name in names):
        for name in names:
            item = study.next(name)
            if item is not None:
                done[name] += item.key.kind is not ItemKind.CHECK
                study.vote(name, item.key)
                quota = study.people[name].quota
                assert quota is None or done[name] + study.workload(name).left <= quota + 2
    for name, quota in zip(names, quotas, strict=True):
        assert quota is None or done[name] <= quota
        assert study.workload(name).left == 0
    # Nothing is left over that somebody could still have judged.
    for pair in pairs(subjects):
        missing = overlap - len(study.voters(pair))
        free = [
            name
            for name, quota in zip(names, quotas, strict=True)
            if name not in study.voters(pair) and (quota is None or done[name] < quota)
        ]
        assert missing <= 0 or not free


def test_a_withdrawn_judge_leaves_their_subjects_to_others() -> None:
    study = SimulatedStudy(RoundPlan(1, pairs(8), overlap=1))
    study.join("a")
    study.join("b")
    assert len(study.work("a")) == 8
    assert study.next("b") is None
    study.withdraw("a")
    assert len(study.work("b")) == 8
