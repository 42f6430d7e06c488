"""Rates of a confusion, and that what is undefined stays unknown."""

import pytest

from clonetruth.stats import Confusion


def test_rates() -> None:
    confusion = Confusion(tp=6, fp=2, fn=4, tn=8)
    assert confusion.n == 20
    assert confusion.precision == 0.75
    assert confusion.recall == 0.6
    assert confusion.specificity == 0.8
    assert confusion.f1 == pytest.approx(2 / 3)
    assert confusion.balanced_accuracy == pytest.approx(0.7)
    assert confusion.mcc == pytest.approx((48 - 8) / (8 * 10 * 10 * 12) ** 0.5)


def test_unknown_is_not_zero() -> None:
    nothing = Confusion(0, 0, 0, 0)
    for rate in ("precision", "recall", "specificity", "f1", "balanced_accuracy", "mcc"):
        assert getattr(nothing, rate) is None
    silent = Confusion(tp=0, fp=0, fn=5, tn=5)
    assert silent.precision is None
    assert silent.recall == 0
    assert silent.balanced_accuracy == 0.5
    assert Confusion(tp=3, fp=0, fn=0, tn=0).balanced_accuracy is None


def test_counts_outcomes_given_as_predicted_and_true() -> None:
    outcomes = [(True, True), (True, False), (True, False), (False, True), (False, False)]
    assert Confusion.count(outcomes) == Confusion(tp=1, fp=2, fn=1, tn=1)


def test_negative_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        Confusion(-1, 0, 0, 0)
