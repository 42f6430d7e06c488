"""Groups as in GPTCloneBench: shares, two who must agree, undecided ones to another group, the rest to a panel."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.store.study_protocol import JudgeGroup
from clonetruth.store.votes import ItemKey, JudgeRole
from clonetruth.studies.rounds import RoundPlan, SubjectOutcome
from tests.studies.simulated_study import SimulatedStudy, methods, pairs

THIRDS = tuple(JudgeGroup(name, 1 / 3) for name in ("red", "green", "blue"))


def three_groups_of_two(subjects: int = 90, seed: int = 1) -> SimulatedStudy:
    study = SimulatedStudy(RoundPlan(seed, pairs(subjects), 2, THIRDS, panel="panel"))
    for group in THIRDS:
        for number in (1, 2):
            study.join(f"{group.name} {number}", group.name)
    study.join("post-doc", "panel", JudgeRole.ADJUDICATOR)
    study.join("chair", role=JudgeRole.ADJUDICATOR)
    return study


def outcomes(study: SimulatedStudy) -> Counter[SubjectOutcome]:
    return Counter(study.eligibility.turn(item).outcome for item in study.plan.subjects)


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
    study = three_groups_of_two()
    for name in study.active:
        study.work(name)
    for item, rotation in study.plan.rotations.items():
        assert study.voters(item) == {f"{rotation[0]} 1", f"{rotation[0]} 2"}
    assert outcomes(study) == {SubjectOutcome.AGREED: 90}
    assert study.disagreements("chair") == ()


def test_undecided_ones_go_to_another_group_once_and_then_to_the_panel() -> None:
    study = three_groups_of_two()
    for name in ("red 1", "red 2"):
        assert len(study.work(name, "undecided")) == 30
    red = [item for item, rotation in study.plan.rotations.items() if rotation[0] == "red"]
    assert study.disagreements("post-doc") == ()

    for name in ("green 1", "green 2"):
        study.work(name, "clone")
    for name in ("blue 1", "blue 2"):
        study.work(name, "undecided")
    for name in ("green 1", "green 2"):
        study.work(name, "clone")
    # What blue left undecided of its own share goes to red or green; red still cannot decide.
    for name in ("red 1", "red 2"):
        study.work(name, "undecided")
    assert [study.next(name) for name in study.active] == [None] * len(study.active)

    for item in red:
        second = study.plan.rotations[item][1]
        assert {name.split()[0] for name in study.voters(item)} == {"red", second}
        expected = SubjectOutcome.AGREED if second == "green" else SubjectOutcome.UNDECIDED
        assert study.eligibility.turn(item).outcome is expected
    left = study.disagreements("post-doc")
    assert left
    assert set(left) == {
        item for item in study.plan.subjects if study.eligibility.turn(item).outcome is SubjectOutcome.UNDECIDED
    }
    study.decide("post-doc", left[0])
    assert study.disagreements("post-doc") == left[1:]


def vote_apart(study: SimulatedStudy, item: ItemKey, values: tuple[str, str]) -> None:
    group = study.plan.rotations[item][0]
    for number, value in zip((1, 2), values, strict=True):
        study.vote(f"{group} {number}", item, value)


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
    study = three_groups_of_two(3)
    item = study.plan.subjects[0]
    vote_apart(study, item, values)
    turn = study.eligibility.turn(item)
    assert turn.outcome is outcome
    if outcome is SubjectOutcome.OPEN:
        second = study.plan.rotations[item][1]
        assert turn.eligible == {f"{second} 1", f"{second} 2"}
        assert turn.missing == 2


def test_the_panel_decides_the_undecided_and_others_also_the_different() -> None:
    study = three_groups_of_two(3)
    item = study.plan.subjects[0]
    vote_apart(study, item, ("clone", "not-clone"))
    assert study.disagreements("post-doc") == ()
    assert study.disagreements("chair") == (item,)


def test_a_group_that_lost_a_member_hands_on() -> None:
    study = three_groups_of_two()
    study.work("red 1", limit=10)
    study.leave("red 2")
    for _ in range(2):
        for name in study.active:
            study.work(name)
    assert outcomes(study) == {SubjectOutcome.AGREED: 90}
    for item in study.plan.subjects:
        assert len({name for name in study.voters(item) if not name.startswith("red")}) == 2


def test_a_group_that_waits_for_its_second_member_keeps_its_share() -> None:
    study = SimulatedStudy(RoundPlan(1, pairs(30), 2, THIRDS))
    study.join("red 1", "red")
    for name in ("green 1", "green 2"):
        study.join(name, "green")
        assert len(study.work(name)) == 10
    assert len(study.work("red 1")) == 10
    study.join("red 2", "red")
    assert len(study.work("red 2")) == 10


def test_without_groups_the_undecided_and_different_wait_for_an_adjudicator() -> None:
    study = SimulatedStudy(RoundPlan(1, pairs(4)))
    for name in "ab":
        study.join(name)
    study.join("chair", role=JudgeRole.ADJUDICATOR)
    same, different, undecided, half = study.plan.subjects
    for item, values in ((same, "cc"), (different, "cn"), (undecided, "uu"), (half, "c")):
        for name, value in zip("ab", values, strict=False):
            study.vote(name, item, {"c": "clone", "n": "not-clone", "u": "undecided"}[value])
    assert study.disagreements("chair") == (different, undecided)
    assert study.eligibility.turn(half).eligible == {"b"}
