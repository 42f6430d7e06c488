"""Groups as in GPTCloneBench: shares, two who must agree, undecided ones to another group, the rest to a panel."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.store.study_protocol import JudgeGroup
from clonetruth.store.votes import ItemKey, JudgeRole
from clonetruth.studies.rounds import RoundPlan, SubjectOutcome

from .hall import Hall, methods, pairs

THIRDS = tuple(JudgeGroup(name, 1 / 3) for name in ("red", "green", "blue"))


def three_groups_of_two(subjects: int = 90, seed: int = 1) -> Hall:
    hall = Hall(RoundPlan(seed, pairs(subjects), 2, THIRDS, panel="panel"))
    for group in THIRDS:
        for number in (1, 2):
            hall.join(f"{group.name} {number}", group.name)
    hall.join("post-doc", "panel", JudgeRole.ADJUDICATOR)
    hall.join("chair", role=JudgeRole.ADJUDICATOR)
    return hall


def outcomes(hall: Hall) -> Counter[SubjectOutcome]:
    return Counter(hall.roll.turn(item).outcome for item in hall.plan.subjects)


@given(
    seed=st.integers(0, 99),
    subjects=st.integers(0, 200),
    weights=st.lists(st.integers(1, 9), min_size=1, max_size=5),
)
def test_the_groups_get_their_shares(seed: int, subjects: int, weights: list[int]) -> None:
    groups = tuple(JudgeGroup(str(at), weight / sum(weights)) for at, weight in enumerate(weights))
    plan = RoundPlan(seed, pairs(subjects), 2, groups)
    assert set(plan.rotations) == set(plan.subjects)
    counts = Counter(rotation[0] for rotation in plan.rotations.values())
    for group in groups:
        assert abs(counts[group.name] - group.share * subjects) < 1 + 1e-6
    for rotation in plan.rotations.values():
        assert sorted(rotation) == sorted(group.name for group in groups)


def test_the_published_shares() -> None:
    """38,276 pairs for three groups: the paper's 12,758, 12,758 and 12,760 are thirds to within a pair or two."""
    counts = Counter(rotation[0] for rotation in RoundPlan(1, pairs(38_276), 2, THIRDS).rotations.values())
    assert sorted(counts.values()) == [12_758, 12_759, 12_759]


def test_methods_are_shared_out_like_pairs() -> None:
    plan = RoundPlan(1, pairs(30) + methods(30), 2, THIRDS)
    counts = Counter((item.kind, rotation[0]) for item, rotation in plan.rotations.items())
    assert set(counts.values()) == {10}


def test_both_members_of_a_group_judge_its_share() -> None:
    hall = three_groups_of_two()
    for name in hall.active:
        hall.work(name)
    for item, rotation in hall.plan.rotations.items():
        assert hall.voters(item) == {f"{rotation[0]} 1", f"{rotation[0]} 2"}
    assert outcomes(hall) == {SubjectOutcome.AGREED: 90}
    assert hall.disagreements("chair") == ()


def test_undecided_ones_go_to_another_group_once_and_then_to_the_panel() -> None:
    hall = three_groups_of_two()
    for name in ("red 1", "red 2"):
        assert len(hall.work(name, "undecided")) == 30
    red = [item for item, rotation in hall.plan.rotations.items() if rotation[0] == "red"]
    assert hall.disagreements("post-doc") == ()

    for name in ("green 1", "green 2"):
        hall.work(name, "clone")
    for name in ("blue 1", "blue 2"):
        hall.work(name, "undecided")
    for name in ("green 1", "green 2"):
        hall.work(name, "clone")
    # What blue left undecided of its own share goes to red or green; red still cannot decide.
    for name in ("red 1", "red 2"):
        hall.work(name, "undecided")
    assert [hall.next(name) for name in hall.active] == [None] * len(hall.active)

    for item in red:
        second = hall.plan.rotations[item][1]
        assert {name.split()[0] for name in hall.voters(item)} == {"red", second}
        expected = SubjectOutcome.AGREED if second == "green" else SubjectOutcome.UNDECIDED
        assert hall.roll.turn(item).outcome is expected
    left = hall.disagreements("post-doc")
    assert left
    assert set(left) == {
        item for item in hall.plan.subjects if hall.roll.turn(item).outcome is SubjectOutcome.UNDECIDED
    }
    hall.decide("post-doc", left[0])
    assert hall.disagreements("post-doc") == left[1:]


def vote_apart(hall: Hall, item: ItemKey, values: tuple[str, str]) -> None:
    group = hall.plan.rotations[item][0]
    for number, value in zip((1, 2), values, strict=True):
        hall.say(f"{group} {number}", item, value)


@pytest.mark.parametrize(
    ("values", "outcome"),
    [
        (("clone", "clone"), SubjectOutcome.AGREED),
        (("not-clone", "not-clone"), SubjectOutcome.AGREED),
        (("clone", "not-clone"), SubjectOutcome.DIFFERENT),
        (("clone", "undecided"), SubjectOutcome.OPEN),
        (("undecided", "undecided"), SubjectOutcome.OPEN),
    ],
)
def test_both_must_say_the_same(values: tuple[str, str], outcome: SubjectOutcome) -> None:
    hall = three_groups_of_two(3)
    item = hall.plan.subjects[0]
    vote_apart(hall, item, values)
    turn = hall.roll.turn(item)
    assert turn.outcome is outcome
    if outcome is SubjectOutcome.OPEN:
        second = hall.plan.rotations[item][1]
        assert turn.free == {f"{second} 1", f"{second} 2"}
        assert turn.wanting == 2


def test_the_panel_decides_the_undecided_and_others_also_the_different() -> None:
    hall = three_groups_of_two(3)
    item = hall.plan.subjects[0]
    vote_apart(hall, item, ("clone", "not-clone"))
    assert hall.disagreements("post-doc") == ()
    assert hall.disagreements("chair") == (item,)


def test_a_group_that_lost_a_member_hands_on() -> None:
    hall = three_groups_of_two()
    hall.work("red 1", most=10)
    hall.leave("red 2")
    for _ in range(2):
        for name in hall.active:
            hall.work(name)
    assert outcomes(hall) == {SubjectOutcome.AGREED: 90}
    for item in hall.plan.subjects:
        assert len({name for name in hall.voters(item) if not name.startswith("red")}) == 2


def test_a_group_that_waits_for_its_second_member_keeps_its_share() -> None:
    hall = Hall(RoundPlan(1, pairs(30), 2, THIRDS))
    hall.join("red 1", "red")
    for name in ("green 1", "green 2"):
        hall.join(name, "green")
        assert len(hall.work(name)) == 10
    assert len(hall.work("red 1")) == 10
    hall.join("red 2", "red")
    assert len(hall.work("red 2")) == 10


def test_without_groups_the_undecided_and_different_wait_for_an_adjudicator() -> None:
    hall = Hall(RoundPlan(1, pairs(4)))
    for name in "ab":
        hall.join(name)
    hall.join("chair", role=JudgeRole.ADJUDICATOR)
    same, different, undecided, half = hall.plan.subjects
    for item, values in ((same, "cc"), (different, "cn"), (undecided, "uu"), (half, "c")):
        for name, value in zip("ab", values, strict=False):
            hall.say(name, item, {"c": "clone", "n": "not-clone", "u": "undecided"}[value])
    assert hall.disagreements("chair") == (different, undecided)
    assert hall.roll.turn(half).free == {"b"}
