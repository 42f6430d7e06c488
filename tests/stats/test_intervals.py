"""Wilson's interval, against published values and its own definition."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.stats import clustered, wilson


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        (8, 10, 0.4901625, 0.9433178),
        (0, 10, 0.0, 0.2775328),
        (10, 10, 0.7224672, 1.0),
        (81, 263, 0.2553, 0.3662),  # Newcombe (1998), Table I
        (15, 148, 0.0624, 0.1605),
    ],
)
def test_known_values(successes: int, n: int, low: float, high: float) -> None:
    interval = wilson(successes, n)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((low, high), abs=1e-4)


def test_no_trials_are_unknown() -> None:
    assert wilson(0, 0) is None


@pytest.mark.parametrize(("successes", "n", "confidence"), [(-1, 3, 0.95), (4, 3, 0.95), (1, 3, 1.0), (1, 3, 0)])
def test_nonsense_is_refused(successes: int, n: int, confidence: float) -> None:
    with pytest.raises(ValueError, match=r"successes|confidence"):
        wilson(successes, n, confidence)


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_contains_the_share_and_mirrors(case: tuple[int, int]) -> None:
    successes, n = case
    interval, mirrored = wilson(successes, n), wilson(n - successes, n)
    assert interval is not None
    assert mirrored is not None
    assert 0 <= interval.low <= successes / n <= interval.high <= 1
    assert math.isclose(interval.low, 1 - mirrored.high, abs_tol=1e-12)


def test_narrows_with_trials_and_widens_with_confidence() -> None:
    few, many, sure = wilson(5, 10), wilson(500, 1000), wilson(5, 10, 0.99)
    assert few is not None
    assert many is not None
    assert sure is not None
    assert many.high - many.low < few.high - few.low < sure.high - sure.low


def test_clusters_that_agree_within_carry_less_than_their_trials() -> None:
    split = clustered([10, 0, 10, 0, 10, 0], [10] * 6)
    mixed = clustered([5] * 6, [10] * 6)
    alone = wilson(30, 60)
    assert split is not None
    assert mixed is not None
    assert alone is not None
    assert split.low < alone.low < 0.5 < alone.high < split.high
    # Clusters that happen to agree say no more than independent trials.
    assert split.low < mixed.low < alone.low


def test_unanimous_clusters_are_the_trials() -> None:
    assert clustered([0, 0, 0], [100, 100, 100]) == wilson(0, 3)
    assert clustered([100, 100, 100, 0], [100, 100, 100, 0]) == wilson(3, 3)


def test_fewer_than_three_effective_clusters_say_nothing() -> None:
    assert clustered([], []) is None
    assert clustered([5, 0], [10, 0]) is None
    assert clustered([5, 3], [10, 10]) is None
    assert clustered([500, 3, 3, 4], [1000, 5, 5, 5]) is None
    with pytest.raises(ValueError, match="successes in 1 clusters"):
        clustered([1], [2, 3])


def test_the_clustered_interval_covers_what_it_promises() -> None:
    """Simulated: shares differ between clusters, as functionalities do; the naive interval covers far less."""
    draw = random.Random(11)
    covered = naive = 0
    runs = 600
    for _ in range(runs):
        shares = [draw.betavariate(2, 2) for _ in range(30)]
        hits = [sum(draw.random() < share for _ in range(40)) for share in shares]
        found, plain = clustered(hits, [40] * 30), wilson(sum(hits), 1200)
        assert found is not None
        assert plain is not None
        covered += found.low <= 0.5 <= found.high
        naive += plain.low <= 0.5 <= plain.high
    assert 0.92 <= covered / runs <= 0.98
    assert naive / runs < 0.6
