"""Shares from samples: weights, strata, finite populations, and intervals that cover."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.stats.intervals import clopper_pearson, wilson
from clonetruth.stats.survey import Design, SampledShare, estimate_share, estimate_stratified


@given(st.integers(0, 60), st.integers(1, 60))
def test_clopper_and_pearson_invert_the_binomial_tails(hits: int, n: int) -> None:
    hits = min(hits, n)
    found = clopper_pearson(hits, n)
    assert found is not None

    def at_least(share: float, least: int) -> float:
        return sum(math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(least, n + 1))

    assert found.low == 0 if hits == 0 else at_least(found.low, hits) == pytest.approx(0.025, abs=1e-9)
    assert found.high == 1 if hits == n else at_least(found.high, hits + 1) == pytest.approx(0.975, abs=1e-9)


def test_clopper_and_pearson_cover_where_wilson_does_not() -> None:
    """One label in a hundred is wrong, and a hundred are judged."""
    chances = [math.comb(100, k) * 0.01**k * 0.99 ** (100 - k) for k in range(101)]

    def covered(interval: object) -> float:
        assert callable(interval)
        return sum(chance for k, chance in enumerate(chances) if interval(k, 100).low <= 0.01 <= interval(k, 100).high)

    assert covered(wilson) < 0.93
    assert covered(clopper_pearson) >= 0.95


@pytest.mark.parametrize(("successes", "n", "confidence"), [(5, 4, 0.95), (-1, 4, 0.95), (1, 4, 1.0)])
def test_impossible_intervals_are_refused(successes: float, n: float, confidence: float) -> None:
    with pytest.raises(ValueError, match=r"trials|confidence"):
        clopper_pearson(successes, n, confidence)


def test_weights_make_up_for_unequal_chances() -> None:
    """20 of 1000 and 20 of 100 pairs are judged; half and all of them are clones."""
    strata = ["large"] * 20 + ["small"] * 20
    clone = np.array([1.0, 0.0] * 10 + [1.0] * 20)
    found = estimate_stratified(strata, {"large": 1000, "small": 100}, clone, np.ones(40, np.bool_))
    assert found.value == pytest.approx((0.5 * 1000 + 1.0 * 100) / 1100)
    weighted = Design.weighted([50.0] * 20 + [5.0] * 20, strata)
    assert estimate_share(weighted, clone, np.ones(40)) == found


def test_a_simple_random_sample_has_the_interval_of_clopper_and_pearson() -> None:
    found = estimate_stratified([""] * 100, None, [True] * 93 + [False] * 7, np.ones(100, np.bool_))
    assert found == SampledShare(0.93, 100)
    assert found.interval() == clopper_pearson(93, 100)


def test_judging_a_large_part_narrows() -> None:
    clone = np.tile([1.0, 0.0], 50)
    trials = [estimate_share(Design.simple(100, size), clone, np.ones(100)).trials for size in (None, 1000, 150, 100)]
    assert trials[:2] == pytest.approx(
        [
            100,
            111,
        ],
        abs=1,
    )
    assert trials == sorted(trials)
    assert math.isinf(trials[-1])
    # For pairs like these, and not exactly these, even the whole population is a sample.
    whole = estimate_stratified([""] * 100, {"": 100}, clone, np.ones(100, np.bool_), finite=False)
    assert whole.trials == 100


def test_lone_pairs_of_strata_are_merged() -> None:
    """A stratum with one judged pair has no spread, and must not look certain."""
    strata = [str(number) for number in range(40)]
    clone = np.array([1.0] * 30 + [0.0] * 10)
    found = estimate_share(Design.stratified(strata, dict.fromkeys(strata, 100)), clone, np.ones(40)).interval()
    simple = clopper_pearson(30, 40)
    assert found is not None
    assert simple is not None
    assert (found.low, found.high) == pytest.approx((simple.low, simple.high), abs=0.02)


def test_nothing_sampled_is_nothing_known() -> None:
    found = estimate_stratified(["a"], {"a": 10}, [True], [False])
    assert found == SampledShare(None, 0.0)
    assert found.interval() is None
    random = np.random.default_rng(0)
    assert found.draws(random, 3, upper=False).tolist() == [0.0] * 3
    assert found.draws(random, 3, upper=True).tolist() == [1.0] * 3


@pytest.mark.parametrize(("value", "trials"), [(0.0, 20.0), (1.0, 20.0), (0.3, 20.0), (0.07, 400.5)])
def test_draws_have_the_ends_of_the_interval_as_quantiles(value: float, trials: float) -> None:
    share, random = SampledShare(value, trials), np.random.default_rng(0)
    interval = share.interval()
    assert interval is not None
    assert np.quantile(share.draws(random, 40_000, upper=False), 0.025) == pytest.approx(interval.low, abs=0.004)
    assert np.quantile(share.draws(random, 40_000, upper=True), 0.975) == pytest.approx(interval.high, abs=0.004)


def test_impossible_designs_are_refused() -> None:
    with pytest.raises(InputError, match="more judged pairs than pairs"):
        Design.simple(10, 9)
    with pytest.raises(InputError, match="The population of the stratum 'b' is missing"):
        Design.stratified(["a", "b"], {"a": 10})
    with pytest.raises(InputError, match="below 1"):
        Design.weighted([2.0, 0.5])
    with pytest.raises(InputError, match="'numerator' has 2"):
        estimate_share(Design.simple(3), np.ones(2), np.ones(3))
