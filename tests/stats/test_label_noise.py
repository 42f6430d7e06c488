"""Corrections for wrong labels: counting where the truth is known, the paper's example, and coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from bench.coverage_corrections import SCENARIOS, DependentScenario, Scenario, coverage
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.stats import Confusion, Interval
from clonetruth.stats.label_noise import (
    CORRECTED_METRICS,
    CorrectedNumber,
    CorrectionMethod,
    LabelGroup,
    NoisyLabels,
    correct_labels,
    refutes_rogan_gladen,
)
from clonetruth.stats.survey import SampledShare

count = st.integers(0, 40)
cells = st.tuples(*[count] * 8).filter(lambda one: sum(one[:4]) > 0 and one[0] + one[1] + one[4] + one[5] > 0)
"""Pairs labelled clones: predicted right and wrong, not predicted right and wrong; then the same of the others, where
the first number of each two is that of clones."""


def exact(clones: float, of: float) -> SampledShare:
    """A share that is known without error."""
    return SampledShare(clones / of) if of else SampledShare(None, 0.0)


def pairs(case: tuple[int, ...]) -> NoisyLabels:
    """The counts with what is true of them, known without error; the counts themselves are not a sample."""
    groups = []
    for label, (yes, no, missed, rest) in ((True, case[:4]), (False, case[4:])):
        halves = (exact(yes, yes + no), exact(missed, missed + rest))
        whole = exact(yes + missed, yes + no + missed + rest)
        groups.append(LabelGroup(label, yes + no, missed + rest, whole, *halves))
    return NoisyLabels(tuple(groups), sampled=False)


def counted(case: tuple[int, ...]) -> dict[str, float | None]:
    tp, fp, fn, tn = (case[number] + case[number + 4] for number in range(4))
    table = Confusion(tp, fp, fn, tn)
    found = {"precision": table.precision, "recall": table.recall, "f1": table.f1, "prevalence": (tp + fn) / table.n}
    if tp + fn == 0 and fp:
        found["f1"] = 0.0
    return found


def of(found: object, name: str) -> CorrectedNumber:
    assert isinstance(found, dict)
    one = found[name]
    assert isinstance(one, CorrectedNumber)
    return one


def values(pairs: NoisyLabels, method: CorrectionMethod) -> list[float | None]:
    found = correct_labels(pairs, method)
    assert found is not None
    return [found[name].value for name in CORRECTED_METRICS if name in found]


def reported(precision: float, recall: float, wrong: int, judged: int) -> NoisyLabels:
    """Reported numbers without their counts, and a judged sample of the clone labels."""
    labels = LabelGroup(True, recall, 1 - recall, SampledShare(1 - wrong / judged, judged))
    return NoisyLabels((labels, LabelGroup.believed(False, recall * (1 - precision) / precision, 0.0)), sampled=False)


@given(cells)
def test_where_the_judged_pairs_show_everything_it_is_counting(case: tuple[int, ...]) -> None:
    found = correct_labels(pairs(case), CorrectionMethod.DESIGN_BASED)
    for name, value in counted(case).items():
        number = of(found, name)
        assert number.value == (None if value is None else pytest.approx(value)), name
        if value is not None and number.interval is not None:
            assert (number.interval.low, number.interval.high) == pytest.approx((value, value))


@given(st.integers(1, 20), st.integers(0, 20), st.integers(0, 20), st.integers(0, 20), st.integers(1, 4), count)
def test_independence_is_exact_when_it_holds(hits: int, rest: int, fp: int, tn: int, right: int, wrong: int) -> None:
    """The halves of each group have the same share of clones: right / (right + wrong), and its complement."""
    case = (hits * right, hits * wrong, rest * right, rest * wrong, fp * wrong, fp * right, tn * wrong, tn * right)
    for name, value in counted(case).items():
        number = of(correct_labels(pairs(case), CorrectionMethod.INDEPENDENT), name)
        assert number.value == (None if value is None else pytest.approx(value)), name


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 9), st.integers(1, 9), st.integers(0, 9), st.integers(1, 9))
def test_rogan_gladen_is_exact_when_it_holds(
    found: int, missed: int, alarms: int, quiet: int, hidden: int, kept: int
) -> None:
    """Labels depend on the truth alone: `kept` clones are labelled so for each `hidden` one, and nine non-clones right
    for each wrong."""
    case = (found * kept, alarms, missed * kept, quiet, found * hidden, 9 * alarms, missed * hidden, 9 * quiet)
    informative = kept / (kept + hidden) + 0.9 > 1.001
    result = correct_labels(pairs(case), CorrectionMethod.ROGAN_GLADEN)
    if informative:
        for name, value in counted(case).items():
            assert of(result, name).value == (None if value is None else pytest.approx(value)), name


@given(cells)
def test_the_truth_lies_within_the_bounds(case: tuple[int, ...]) -> None:
    found = correct_labels(pairs(case), CorrectionMethod.BOUNDS)
    for name, value in counted(case).items():
        number = of(found, name)
        assert number.value is None
        if value is not None:
            assert number.interval is not None
            assert number.interval.low - 1e-9 <= value <= number.interval.high + 1e-9, name


@given(cells, st.sampled_from((0, 1, 20)), st.sampled_from(list(CorrectionMethod)))
def test_every_number_lies_within_its_interval_and_between_0_and_1(
    case: tuple[int, ...], judged: int, method: CorrectionMethod
) -> None:
    groups = tuple(
        LabelGroup(one.label, one.predicted, one.others, SampledShare(one.clones.value if judged else None, judged))
        for one in pairs(case).groups
    )
    found = correct_labels(NoisyLabels(groups), method) or {}
    for name, number in found.items():
        if number.interval is not None:
            assert 0 <= number.interval.low <= number.interval.high <= 1, name
            assert number.value is None or number.interval.low <= number.value <= number.interval.high, name


def test_the_example_of_the_paper() -> None:
    """Krinke and Ragkhitwetsagul (2025): 99.8 / 88.3 / 93.7 % become 6.7 / 5.9 / 6.3 % with 379 of 406 labels wrong."""
    example = reported(0.998, 0.883, 379, 406)
    assert values(example, CorrectionMethod.AS_PUBLISHED) == pytest.approx([0.067, 0.059, 0.063])
    independent = [0.998 * 27 / 406, 0.883]
    independent.append(2 * math.prod(independent) / sum(independent))
    assert values(example, CorrectionMethod.INDEPENDENT)[:3] == pytest.approx(independent)
    bounds = of(correct_labels(example, CorrectionMethod.BOUNDS), "recall").interval
    assert bounds == Interval(0.0, 1.0)


def test_an_assumption_that_the_numbers_refute_gives_no_number() -> None:
    labels = LabelGroup(True, 8830, 1170, SampledShare(0.067, 406))
    example = NoisyLabels((labels, LabelGroup.believed(False, 18, 9982)))
    assert correct_labels(example, CorrectionMethod.ROGAN_GLADEN) is None
    assert refutes_rogan_gladen(example) == pytest.approx((0.883 - 0.933 * 0.0018) / 0.067, rel=1e-3)
    assert refutes_rogan_gladen(NoisyLabels((labels,))) is None


def test_wrong_non_clones_lower_the_recall() -> None:
    labels = LabelGroup(True, 80, 20, SampledShare(1.0))
    one_side, both = (
        values(NoisyLabels((labels, LabelGroup(False, 10, 890, share))), CorrectionMethod.INDEPENDENT)
        for share in (SampledShare(0.0), SampledShare(0.1, 400))
    )
    assert one_side[1] == pytest.approx(0.8)
    assert both[1] == pytest.approx((80 + 1) / (100 + 90))
    assert both[0] == pytest.approx((80 + 1) / 90)


def test_what_nobody_judged_is_believed_or_doubted() -> None:
    judged = LabelGroup(True, 80, 20, SampledShare(0.9, 100))
    believed = NoisyLabels((judged, LabelGroup.believed(False, 10, 890)))
    right = of(correct_labels(believed, CorrectionMethod.INDEPENDENT), "recall")
    doubted = of(correct_labels(believed, CorrectionMethod.SENSITIVITY), "recall")
    assert right.interval is not None
    assert doubted.interval is not None
    assert doubted.value is None
    # One in twenty of the 900 is a clone, and 1 % of those are predicted.
    assert doubted.interval.low < (72 + 0.5) / (90 + 45) < right.interval.low
    assert doubted.interval.high == pytest.approx(right.interval.high)
    both = NoisyLabels((judged, LabelGroup(False, 10, 890, SampledShare(0.0, 50))))
    assert correct_labels(both, CorrectionMethod.SENSITIVITY) is None


def test_a_half_that_nobody_judged_leaves_bounds() -> None:
    unjudged = LabelGroup(True, 80, 20, SampledShare(0.9, 50), SampledShare(0.9, 50), SampledShare(None, 0.0))
    found = correct_labels(NoisyLabels((unjudged, LabelGroup.believed(False, 0, 100))), CorrectionMethod.DESIGN_BASED)
    precision, recall = of(found, "precision"), of(found, "recall")
    assert precision.value == pytest.approx(0.9)
    assert recall.value is None
    assert recall.interval is not None
    # Of the 20 others, all or none are clones.
    assert recall.interval.low < 72 / 92
    assert recall.interval.high == 1.0


def test_more_of_either_sample_narrows_and_dependence_widens() -> None:
    def width(judged: float, evaluated: float, effect: float = 1.0) -> float:
        groups = (
            LabelGroup(True, 0.8 * evaluated, 0.2 * evaluated, SampledShare(0.7, judged)),
            LabelGroup.believed(False, 0.1 * evaluated, 0.9 * evaluated),
        )
        found = correct_labels(NoisyLabels(groups, True, lambda influence, stake: effect), CorrectionMethod.INDEPENDENT)
        interval = of(found, "precision").interval
        assert interval is not None
        return interval.high - interval.low

    assert width(20, 200) > width(100, 200) > width(100, 2000) > width(10_000, 2000)
    assert width(100, 2000, 10) > width(100, 2000)
    assert width(100, 2000, 10) == pytest.approx(width(100, 200), rel=0.1)


def test_pairs_that_all_agree_are_worth_their_clusters() -> None:
    """None of 3,000 pairs in ten clusters is predicted: other clusters may well have such pairs."""

    def effect(influence: np.ndarray, stake: np.ndarray) -> float:
        return 1.0 if influence.any() else 300.0

    groups = (LabelGroup(True, 1500, 1500, SampledShare(0.9, 400)), LabelGroup.believed(False, 0, 3000))
    low = [
        interval.low
        for one in (None, effect)
        if (
            interval := of(
                correct_labels(NoisyLabels(groups, True, one), CorrectionMethod.INDEPENDENT), "precision"
            ).interval
        )
    ]
    assert low[0] > 0.85
    assert low[1] < 0.7


def nominal(replicates: int) -> float:
    """95 %, less three standard errors of the simulation."""
    return 0.95 - 3 * math.sqrt(0.95 * 0.05 / replicates)


@pytest.mark.parametrize(
    "scenario",
    [
        Scenario((0.07,), (400,), evaluated=300),
        Scenario((0.05, 0.4), (10, 10), 0.05, 20, evaluated=100, strata=(0.8, 0.2)),
        DependentScenario((0.3,), (40,), evaluated=300),
    ],
    ids=["one side", "both sides, strata, small cells", "judged halves"],
)
def test_the_intervals_cover_as_often_as_they_say(scenario: Scenario) -> None:
    held, _ = coverage(scenario, 40)
    assert all(share >= nominal(40) for share in held.values()), held


@pytest.mark.slow
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one.name)
def test_the_intervals_cover_as_often_as_they_say_everywhere(scenario: Scenario) -> None:
    held, _ = coverage(scenario, 250)
    assert all(share >= nominal(250) for share in held.values()), held
