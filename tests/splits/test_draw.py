"""Drawn divisions: whole groups, within the balance limits, by the seed and the names alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.splits.draw import Draw, draw, group_counts

SHARES = st.sampled_from([(3, 1, 1), (1, 1), (8, 1, 1), (1, 1, 1, 1, 1)])
SIZES = st.lists(st.integers(1, 500), min_size=5, max_size=30)


def drawn(sizes: list[int], shares: tuple[int, ...], tolerance: float, seed: str) -> Draw:
    labels = [f"u{at}" for at in range(len(sizes))]
    counts = group_counts(len(sizes), shares)
    return draw(labels, np.array(sizes), counts, [share / sum(shares) for share in shares], tolerance, seed)


def deviation(sizes: list[int], bins: list[int], shares: tuple[int, ...]) -> float:
    """The largest relative distance from a requested share, by its definition."""
    wanted = [share / sum(shares) * sum(sizes) for share in shares]
    held = [sum(size for size, at in zip(sizes, bins, strict=True) if at == part) for part in range(len(shares))]
    return max(abs(one / other - 1) for one, other in zip(held, wanted, strict=True))


@given(SIZES, SHARES, st.floats(0.05, 2), st.integers(0, 10**6))
def test_a_draw_meets_the_limits_or_says_that_it_does_not(
    sizes: list[int], shares: tuple[int, ...], tolerance: float, seed: int
) -> None:
    found = drawn(sizes, shares, tolerance, str(seed))
    assert np.bincount(found.bins).tolist() == group_counts(len(sizes), shares)
    assert found.deviation == pytest.approx(deviation(sizes, found.bins.tolist(), shares))
    if len(sizes) == 5 and len(shares) == 2 and found.deviation > tolerance:
        # Few enough to try all: the draws have missed nothing.
        every = [[number >> at & 1 for at in range(5)] for number in range(32)]
        possible = [bins for bins in every if [bins.count(0), bins.count(1)] == group_counts(5, shares)]
        assert min(deviation(sizes, bins, shares) for bins in possible) > tolerance


@given(st.integers(2, 300), SHARES)
def test_the_numbers_of_groups_are_near_the_shares(more: int, shares: tuple[int, ...]) -> None:
    groups = len(shares) + more
    counts = group_counts(groups, shares)
    assert sum(counts) == groups
    for count, share in zip(counts, shares, strict=True):
        assert count >= 1
        assert count == 1 or abs(count - groups * share / sum(shares)) <= 1.5


@given(SIZES, st.integers(0, 1000))
def test_a_seed_gives_the_same_draw_whatever_the_order(sizes: list[int], seed: int) -> None:
    labels = [f"u{at}" for at in range(len(sizes))]
    counts, shares = group_counts(len(sizes), (3, 1, 1)), (0.6, 0.2, 0.2)
    one = draw(labels, np.array(sizes), counts, shares, 0.5, str(seed))
    other = draw(labels[::-1], np.array(sizes[::-1]), counts, shares, 0.5, str(seed))
    assert one.bins.tolist() == other.bins.tolist()[::-1]


def test_draws_are_those_of_earlier_versions() -> None:
    """A recorded split must be rebuilt on every machine and by every later version."""
    found = drawn([2, 4, 18, 20, 242, 245, 435, 478], (3, 1, 1), 0.5, "0 0")
    assert found.bins.tolist() == [1, 0, 0, 2, 2, 1, 0, 0]


@pytest.mark.parametrize("sizes", [[10] * 12, [2, 4, 18, 20, 242, 245, 435, 478]], ids=["equal", "Code Jam's"])
def test_seeds_are_different_draws(sizes: list[int]) -> None:
    """The optimiser gives two divisions of Code Jam's eight problems, with whatever seeds."""
    found = {tuple(drawn(sizes, (3, 1, 1), 0.5, str(seed)).bins.tolist()) for seed in range(20)}
    assert len(found) >= 10


def test_every_division_within_the_limits_is_as_likely_as_another() -> None:
    counts: dict[tuple[int, ...], int] = {}
    for seed in range(3000):
        bins = tuple(drawn([10, 10, 10, 10, 30], (1, 1), 0.5, str(seed)).bins.tolist())
        counts[bins] = counts.get(bins, 0) + 1
    # The three groups of the first bin: any three of the four small ones, or the large one and any two.
    assert len(counts) == 10
    # Four standard errors of a share of 0.1 in 3,000 draws are 0.022.
    assert all(abs(count / 3000 - 0.1) < 0.022 for count in counts.values())


def test_where_no_draw_meets_the_limits_seeds_still_differ() -> None:
    sizes = [1000, *[1] * 11]
    found = [drawn(sizes, (3, 1, 1), 0.5, str(seed)) for seed in range(20)]
    assert all(one.deviation > 0.5 for one in found)
    assert len({tuple(one.bins.tolist()) for one in found}) >= 10
