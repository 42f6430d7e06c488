"""Scores become probabilities: the order stays, and the prior is the stated one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.stats.rates import Bools, Floats
from clonetruth.stats.score_calibration import METHODS, Method, ScoreCalibration, fit_calibration, threshold_at_prior

Rows = list[tuple[float, bool]]
scored = st.lists(
    st.tuples(st.floats(-1e3, 1e3, allow_subnormal=False).map(lambda x: round(x, 3)), st.booleans()),
    min_size=2,
    max_size=60,
).filter(lambda rows: len({clone for _, clone in rows}) == 2)
priors = st.floats(0.01, 0.99)


def columns(rows: Rows) -> tuple[Floats, Bools]:
    return np.array([score for score, _ in rows]), np.array([clone for _, clone in rows])


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=60, deadline=None)
@given(rows=scored, prior=priors, asked=st.lists(st.floats(-2e3, 2e3), min_size=2, max_size=20))
def test_probabilities_rise_with_scores(method: Method, rows: Rows, prior: float, asked: list[float]) -> None:
    fitted = fit_calibration(method, *columns(rows), prior)
    found = fitted.probabilities(np.sort(np.array([*asked, *(score for score, _ in rows)])))
    assert ((found >= 0) & (found <= 1)).all()
    # Interpolating between two equal values may lose the last bit.
    assert (np.diff(found) >= -1e-12).all()


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=60, deadline=None)
@given(rows=scored, prior=priors, other=priors)
def test_another_prior_changes_the_odds_by_its_ratio(method: Method, rows: Rows, prior: float, other: float) -> None:
    scores, truth = columns(rows)
    fitted = fit_calibration(method, scores, truth, prior)
    one, two = (fitted.with_prior(share).probabilities(scores) for share in (prior, other))
    inner = (one > 1e-9) & (one < 1 - 1e-9) & (two > 1e-9) & (two < 1 - 1e-9)
    odds = (two / (1 - two))[inner] / (one / (1 - one))[inner]
    assert odds == pytest.approx((other / (1 - other)) / (prior / (1 - prior)), rel=1e-4)


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=40, deadline=None)
@given(rows=scored, prior=priors, times=st.integers(2, 5))
def test_how_many_non_clones_were_drawn_does_not_matter(method: Method, rows: Rows, prior: float, times: int) -> None:
    """Only the likelihood of a score is learned from the pairs.

    Each score has clones and others, three to one or one to three: where a score tells both apart without an error,
    all depends on smoothing, and so on the number of pairs.
    """
    scores, truth = columns([*rows * 3, *((score, not clone) for score, clone in rows)])
    more = np.concatenate([np.arange(len(truth)), *[np.flatnonzero(~truth)] * (times - 1)])
    once, often = (
        fit_calibration(method, np.tile(scores[chosen], 500), np.tile(truth[chosen], 500), prior)
        for chosen in (np.arange(len(truth)), more)
    )
    assert once.probabilities(scores) == pytest.approx(often.probabilities(scores), abs=0.002)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("prior", [0.05, 0.5, 0.8])
def test_probabilities_are_right_where_the_truth_is_known(method: Method, prior: float) -> None:
    """Scores of two normal distributions: the posterior is known, and pairs of any share of clones recover it."""
    random = np.random.default_rng(0)
    truth = random.random(40_000) < 0.3
    scores = random.normal(np.where(truth, 1.0, -1.0))
    fitted = fit_calibration(method, scores, truth, prior)
    asked = np.linspace(-1.5, 1.5, 13)
    right = 1 / (1 + np.exp(-(2 * asked + np.log(prior / (1 - prior)))))
    assert fitted.probabilities(asked) == pytest.approx(right, abs=0.05 if method == "isotonic" else 0.01)
    # On new pairs with that share of clones, the mean probability is the share.
    fresh = random.random(40_000) < prior
    assert fitted.probabilities(random.normal(np.where(fresh, 1.0, -1.0))).mean() == pytest.approx(prior, abs=0.01)


def test_scores_that_rank_clones_last_give_the_prior_and_say_so() -> None:
    scores, truth = np.arange(20.0), np.arange(20) < 10
    platt = fit_calibration("platt", scores, truth, 0.2)
    assert not platt.informative
    assert platt.probabilities(scores) == pytest.approx(0.2, abs=1e-4)
    assert (np.diff(platt.probabilities(scores)) > 0).all(), "the order of scores is kept"
    isotonic = fit_calibration("isotonic", scores, truth, 0.2)
    assert not isotonic.informative
    assert isotonic.probabilities(scores) == pytest.approx(0.2)


def test_a_pair_without_a_score_has_no_probability() -> None:
    fitted = fit_calibration("platt", np.array([0.0, np.nan, 1.0]), np.array([False, True, True]), 0.5)
    assert np.isnan(fitted.probabilities(np.array([np.nan, 0.0]))).tolist() == [True, False]


@settings(max_examples=100, deadline=None)
@given(rows=scored, prior=priors)
def test_the_threshold_is_the_best_of_all(rows: Rows, prior: float) -> None:
    scores, truth = columns(rows)
    chosen = threshold_at_prior(scores, truth, prior)

    def f1(threshold: float) -> float:
        called = scores >= threshold
        hit, false = prior * called[truth].mean(), (1 - prior) * called[~truth].mean()
        return float(2 * hit / (hit + false + prior))

    assert f1(chosen.value) == pytest.approx(chosen.f1)
    assert chosen.f1 == pytest.approx(max(f1(one) for one in scores))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("platt", 0.0, (0.0, 1.0), (0.0, 1.0)), "between 0 and 1"),
        (("platt", 0.5, (0.0, 1.0, 2.0), (0.0, 1.0, 2.0)), "two points"),
        (("isotonic", 0.5, (0.0, 0.0), (0.0, 1.0)), "do not rise"),
        (("isotonic", 0.5, (0.0, 1.0), (1.0, 0.0)), "do not rise"),
        (("isotonic", 0.5, (0.0, float("nan")), (0.0, 1.0)), "finite"),
        (("isotonic", 0.5, (), ()), "finite"),
        (("spline", 0.5, (0.0, 1.0), (0.0, 1.0)), "not one of"),
    ],
)
def test_a_calibration_that_is_none_is_refused(given: tuple[Any, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        ScoreCalibration(*given)


@pytest.mark.parametrize("truth", [[True, True], [False, False]])
def test_one_class_cannot_calibrate(truth: list[bool]) -> None:
    with pytest.raises(InputError, match="clones and scored non-clones"):
        fit_calibration("platt", np.array([0.0, 1.0]), np.array(truth), 0.5)
