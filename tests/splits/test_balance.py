"""The optimiser: whatever the groups, no bin is empty, no single move or swap helps, and the shares are met."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.splits.balance import TOLERANCE, Features, Integers, balanced


def features(sizes: list[list[int]]) -> Features:
    amounts = np.array(sizes, dtype=np.int64)[:, None, :]
    return Features(amounts, np.ones(amounts.shape[2]))


def objective(amounts: Integers, bins: list[int], shares: tuple[int, ...]) -> float:
    """The objective as its definition has it, in floats."""
    whole = np.maximum(amounts.sum(axis=(0, 1)), 1)
    result = 0.0
    for at, share in enumerate(shares):
        held = sum((amounts[group, 0] for group, chosen in enumerate(bins) if chosen == at), np.zeros(len(whole)))
        result += float((((held / (share / sum(shares) * whole)) - 1) ** 2).sum())
    return result


def bin_lists(least: int = 3) -> st.SearchStrategy[list[list[int]]]:
    return st.integers(1, 3).flatmap(
        lambda width: st.lists(
            st.lists(st.integers(0, 50), min_size=width, max_size=width), min_size=least, max_size=12
        ).filter(lambda rows: all(any(row[at] for row in rows) for at in range(width)))
    )


@given(bin_lists(), st.sampled_from([(3, 1, 1), (1, 1), (1, 1, 1), (8, 1, 1)]))
def test_no_bin_is_empty_and_no_move_or_swap_improves_a_bad_result(
    sizes: list[list[int]], shares: tuple[int, ...]
) -> None:
    given_features = features(sizes)
    bins = balanced(given_features, shares).tolist()
    assert set(bins) == set(range(len(shares)))
    reached = objective(given_features.amounts, bins, shares)
    if reached <= TOLERANCE**2 * len(shares) * len(sizes[0]):
        return
    others = []
    for group, own in enumerate(bins):
        if bins.count(own) > 1:
            others += [[*bins[:group], to, *bins[group + 1 :]] for to in range(len(shares))]
        for second in range(group):
            swapped = list(bins)
            swapped[group], swapped[second] = swapped[second], swapped[group]
            others.append(swapped)
    best = min(objective(given_features.amounts, other, shares) for other in others)
    # The optimiser rounds to a millionth of a column.
    assert best >= reached - 1e-3


@pytest.mark.parametrize("shares", [(3, 1, 1), (8, 1, 1), (1, 1, 1, 1, 1)])
def test_many_groups_come_near_the_shares_in_every_column(shares: tuple[int, ...]) -> None:
    random = np.random.default_rng(3)
    sizes = np.stack([random.integers(1, 30, 300), random.zipf(1.8, 300).clip(max=40)], axis=1)
    bins = balanced(Features(sizes[:, None, :].astype(np.int64), np.ones(2)), shares)
    for column in sizes.T:
        held = np.bincount(bins, weights=column, minlength=len(shares)) / column.sum()
        assert held == pytest.approx(np.array(shares) / sum(shares), rel=0.2)


def test_groups_that_a_bin_cannot_use_go_elsewhere() -> None:
    # Each group adds something to one bin only.
    amounts = np.zeros((6, 3, 1), dtype=np.int64)
    for at in range(6):
        amounts[at, at % 3] = 10
    assert balanced(Features(amounts, np.ones(1)), (1, 1, 1)).tolist() == [0, 1, 2, 0, 1, 2]


@settings(max_examples=20)
@given(st.integers(1, 128), st.integers(61, 400))
def test_large_ratios_and_numbers_do_not_overflow(first: int, groups: int) -> None:
    amounts = np.full((groups, 1, 60), 10**12, dtype=np.int64)
    bins = balanced(Features(amounts, np.ones(60)), (first, 1))
    assert np.bincount(bins)[1] == pytest.approx(groups / (first + 1), abs=max(0.11 * groups, 1))
