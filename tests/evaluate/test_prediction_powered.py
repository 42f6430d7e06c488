"""Estimates from judged samples: exact where everything is judged, unbiased, and as sure as they say."""

from __future__ import annotations

import numpy as np
import pytest
from bench.coverage_corrections import METRICS, SCENARIOS, Coverage, simulate
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.evaluate.labels.prediction_powered import (
    Totals,
    design_based,
    judged_sample,
    prediction_powered,
    prediction_powered_correction,
)
from clonetruth.stats import Confusion, wilson
from clonetruth.stats.survey import Design, estimate_ratio

pairs = st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=1, max_size=60)
Rows = list[tuple[bool, bool, bool]]


@given(pairs)
def test_where_everything_is_judged_it_is_counting(rows: Rows) -> None:
    predicted, label, true = np.array(rows, np.float64).T
    counted = Confusion.count((bool(f), bool(y)) for f, _, y in rows)
    sample = judged_sample(Design.simple(len(rows), len(rows)), predicted, true, label)
    for found in (design_based(sample), prediction_powered(sample, Totals.of(predicted, label))):
        for one, value in zip(found, (counted.precision, counted.recall, counted.f1), strict=True):
            expected = None if value is None else pytest.approx(value)
            assert (one.value, one.low, one.high) == (expected, expected, expected)


@given(pairs, st.integers(0, 1000))
def test_every_estimate_is_a_share_within_its_interval(rows: Rows, more: int) -> None:
    predicted, label, true = np.array(rows, np.float64).T
    strata = ["a" if f else "b" for f, _, _ in rows]
    populations = {name: strata.count(name) + more for name in ("a", "b")}
    sample = judged_sample(Design.stratified(strata, populations), predicted, true, label)
    totals = Totals(sum(populations.values()), populations["a"], label.sum() + more, float(predicted @ label))
    for one in (*design_based(sample), *prediction_powered(sample, totals)):
        if one.value is None:
            assert one.note == "No judged pair is in its denominator."
        else:
            assert one.low is not None
            assert one.high is not None
            assert 0 <= one.low <= one.value <= one.high <= 1


@given(pairs, st.integers(0, 50))
def test_settled_pairs_count_as_predicted_and_false(rows: Rows, settled: int) -> None:
    """Only pairs that are labelled clones were judged; the others are not clones, and some are predicted."""
    predicted, _, true = np.array(rows, np.float64).T
    counted = Confusion.count([(bool(f), bool(y)) for f, _, y in rows] + [(True, False)] * settled)
    sample = judged_sample(Design.simple(len(rows), len(rows)), predicted, true, settled=settled)
    values = (counted.precision, counted.recall, counted.f1)
    for found in (design_based(sample), prediction_powered(sample, Totals.of(predicted))):
        for one, value in zip(found, values, strict=True):
            # A sample without any predicted pair does not show how many of them are clones.
            assert one.value is None or one.value == pytest.approx(value)
    if settled:
        assert "not clones, as their labels say" in prediction_powered_correction(sample, None).assumption


def test_weights_make_up_for_unequal_chances() -> None:
    """20 of 1000 and 20 of 100 pairs are judged; half and all of them are clones, and all are predicted."""
    strata = ["large"] * 20 + ["small"] * 20
    true = [1, 0] * 10 + [1] * 20
    sample = judged_sample(Design.stratified(strata, {"large": 1000, "small": 100}), np.ones(40), true)
    assert design_based(sample)[0].value == pytest.approx((0.5 * 1000 + 1.0 * 100) / 1100)
    weighted = judged_sample(Design.weighted([50.0] * 20 + [5.0] * 20, strata), np.ones(40), true)
    assert design_based(weighted) == design_based(sample)


def test_uninformative_predictions_get_no_power() -> None:
    true = np.tile([1.0, 0.0], 50)
    sample = judged_sample(Design.simple(100, 10_000), np.ones(100), true, np.full(100, 0.5))
    alone, powered = design_based(sample), prediction_powered(sample, Totals(10_000, 10_000, 5_000, 5_000))
    assert "λ = 0.00" in (powered[0].method or "")
    assert (powered[0].value, powered[0].low, powered[0].high) == (alone[0].value, alone[0].low, alone[0].high)


def test_a_perfect_proxy_gives_its_own_numbers() -> None:
    true = np.tile([1.0, 1.0, 0.0, 1.0], 25)
    sample = judged_sample(Design.simple(100, 10_000), np.ones(100), true, true)
    precision = prediction_powered(sample, Totals(10_000, 10_000, 7_000, 7_000))[0]
    assert precision.value == pytest.approx(0.7)
    assert "λ = 1.00" in (precision.method or "")


def test_equal_weights_and_many_pairs_give_nearly_wilson() -> None:
    true = np.array([1.0] * 900 + [0.0] * 100)
    precision, plain = design_based(judged_sample(Design.simple(1000), np.ones(1000), true))[0], wilson(900, 1000)
    assert plain is not None
    assert (precision.low, precision.high) == pytest.approx((plain.low, plain.high), abs=2e-3)


def test_judging_a_large_part_narrows() -> None:
    true = np.tile([1.0, 0.0], 50)
    widths = []
    for population in (None, 1_000, 150, 100):
        found = estimate_ratio(Design.simple(100, population), true, np.ones(100))
        assert found.low is not None
        assert found.high is not None
        widths.append(found.high - found.low)
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] == 0


def test_lone_pairs_of_strata_are_put_together() -> None:
    """A stratum with one judged pair has no spread, and must not look certain."""
    strata = [str(number) for number in range(40)]
    true = np.array([1.0] * 30 + [0.0] * 10)
    found = estimate_ratio(Design.stratified(strata, dict.fromkeys(strata, 100)), true, np.ones(40))
    simple = wilson(30, 40)
    assert simple is not None
    assert (found.low, found.high) == pytest.approx((simple.low, simple.high), abs=0.02)


def test_few_pairs_are_noted() -> None:
    found = design_based(judged_sample(Design.simple(20, 10_000), np.ones(20), [1.0] * 19 + [0.0]))
    assert "Worth 20 equally drawn pairs" in (found[0].note or "")


@pytest.mark.parametrize(
    ("predicted", "true", "message"),
    [([1, 0], [1, 0, 1], "'predicted' has 2"), ([1, 0, 2], [1, 0, 1], "'predicted' has a value")],
)
def test_columns_that_do_not_fit_are_refused(predicted: list[int], true: list[int], message: str) -> None:
    with pytest.raises(InputError, match=message):
        judged_sample(Design.simple(3), predicted, true)


def test_nan_is_refused() -> None:
    with pytest.raises(InputError, match="not between 0 and 1"):
        Totals.of([1.0, float("nan")])


def test_impossible_designs_are_refused() -> None:
    with pytest.raises(InputError, match="more judged pairs than pairs"):
        Design.simple(10, 9)
    with pytest.raises(InputError, match="The population of the stratum 'b' is missing"):
        Design.stratified(["a", "b"], {"a": 10})
    with pytest.raises(InputError, match="below 1"):
        Design.weighted([2.0, 0.5])
    sample = judged_sample(Design.simple(3), [1, 1, 0], [1, 0, 0])
    with pytest.raises(InputError, match="only 2"):
        prediction_powered(sample, Totals(2, 1, 1, 1))


def test_as_a_result_holds_it() -> None:
    sample = judged_sample(Design.simple(100, 1000), np.ones(100), np.tile([1.0, 0.0], 50))
    alone = prediction_powered_correction(sample, None)
    powered = prediction_powered_correction(sample, Totals(1000, 1000, 1000, 1000))
    assert (alone.name, powered.name) == ("design-based", "prediction-powered")
    assert [one.name for one in powered.measurements] == list(METRICS)


@pytest.fixture(scope="module")
def simulated() -> dict[str, Coverage]:
    """What 4,000 samples of each population give."""
    chosen = (
        "simple, 400 of 20,000",
        "three strata, unequal weights",
        "two fifths judged",
        "precision 0.99, 400 predicted",
    )
    return {scenario.name: simulate(scenario, 4_000) for scenario in SCENARIOS if scenario.name in chosen}


@pytest.mark.slow
def test_the_intervals_hold_what_they_promise(simulated: dict[str, Coverage]) -> None:
    assert len(simulated) == 4
    for name, found in simulated.items():
        for way in (found.design_based, found.powered):
            assert all(0.93 <= share <= 0.97 for share in way.values()), (name, way)


@pytest.mark.slow
def test_informative_labels_narrow_the_intervals(simulated: dict[str, Coverage]) -> None:
    for name, found in simulated.items():
        for metric in METRICS:
            assert found.powered_width[metric] < found.design_based_width[metric], (name, metric)


def test_the_intervals_hold_what_they_promise_with_unequal_weights() -> None:
    """The quick one of the simulations; `simulated` and the bench have the others."""
    scenario = next(one for one in SCENARIOS if one.name == "three strata, unequal weights")
    found = simulate(scenario, 1_000, seed=2)
    assert all(0.925 <= share <= 0.975 for share in (*found.design_based.values(), *found.powered.values()))
