"""Draws by hash, and the numbering of pairs that they draw from."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.stats.pair_numbers import count_across, count_within, draw, unrank_across, unrank_within

TOTALS = st.integers(1, 5000)


@given(TOTALS, st.integers(0, 6000), st.integers(0, 2**31))
def test_a_draw_is_without_replacement(total: int, count: int, seed: int) -> None:
    drawn = draw(total, count, seed)
    assert len(drawn) == min(count, total) == len(set(drawn.tolist()))
    assert all(0 <= number < total for number in drawn.tolist())


@given(TOTALS, st.integers(0, 2**31))
def test_a_larger_draw_holds_the_smaller(total: int, seed: int) -> None:
    whole = draw(total, total, seed)
    assert draw(total, total // 2, seed).tolist() == whole[: total // 2].tolist()


def test_a_draw_is_spread_and_depends_on_the_seed() -> None:
    total = 10**12
    one, other = (draw(total, 20_000, seed) for seed in (1, 2))
    assert not set(one.tolist()) & set(other.tolist())
    tenths = np.histogram(one, bins=10, range=(0, total))[0]
    # Each tenth is binomial with mean 2,000 and deviation 42.
    assert np.abs(tenths - 2000).max() < 6 * 42


@given(st.lists(st.integers(1, 9), min_size=1, max_size=5))
def test_pairs_are_numbered_once_each(sizes: list[int]) -> None:
    size = np.array(sizes, dtype=np.int64)
    starts = np.concatenate([[0], np.cumsum(size)[:-1]])
    problem = np.repeat(np.arange(len(sizes)), size)
    pairs = list(combinations(range(int(size.sum())), 2))
    within = {(a, b) for a, b in pairs if problem[a] == problem[b]}
    across = {(a, b) for a, b in pairs if problem[a] != problem[b]}
    left, right, which = unrank_within(np.arange(len(within)), starts, size)
    assert set(zip(left.tolist(), right.tolist(), strict=True)) == within
    assert all(problem[a] == p for a, p in zip(left, which, strict=True))
    assert (count_within(size), count_across(size)) == (len(within), len(across))
    left, right = unrank_across(np.arange(len(across)), starts, size)
    assert set(zip(left.tolist(), right.tolist(), strict=True)) == across
