"""Student's t, against published quantiles and, where it is installed, SciPy."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.stats.intervals import student_quantile, student_two_sided


@pytest.mark.parametrize(
    ("confidence", "degrees", "quantile"),
    [(0.95, 1, 12.706205), (0.95, 2, 4.302653), (0.95, 9, 2.262157), (0.99, 30, 2.749996), (0.9, 120, 1.657651)],
)
def test_published_quantiles(confidence: float, degrees: float, quantile: float) -> None:
    assert student_quantile(confidence, degrees) == pytest.approx(quantile, abs=1e-6)


@given(st.floats(0.01, 0.999), st.floats(0.2, 1e6))
def test_quantile_and_probability_are_inverse(confidence: float, degrees: float) -> None:
    assert student_two_sided(student_quantile(confidence, degrees), degrees) == pytest.approx(1 - confidence, rel=1e-6)


def test_limits() -> None:
    assert student_quantile(0.95, 1e9) == pytest.approx(1.959964, abs=1e-6)
    assert student_two_sided(math.inf, 3) == 0
    assert student_two_sided(0, 3) == 1
    assert student_quantile(0.95, 0.001) == math.inf


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="degrees"):
        student_two_sided(1, 0)
    with pytest.raises(ValueError, match="confidence"):
        student_quantile(1, 3)


def test_as_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    for degrees in (0.4, 1, 1.7, 5, 33.3, 1e4):
        for confidence in (0.5, 0.8, 0.95, 0.999):
            assert student_quantile(confidence, degrees) == pytest.approx(stats.t.ppf(0.5 + confidence / 2, degrees))
