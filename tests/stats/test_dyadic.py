"""The dyadic variance, against its definition as a double sum over pairs of pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.stats.dyadic import Dyads, DyadsWithin
from clonetruth.stats.influence import KindInfluence, PairInfluence
from clonetruth.stats.rates import Floats, Integers

ROWS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(0, 3)), min_size=3, max_size=25)
APART = ROWS.map(lambda rows: [row for row in rows if row[0] != row[1]]).filter(lambda rows: len(rows) > 2)


def dyads(rows: list[tuple[int, int, int]]) -> Dyads:
    left, right, kinds = (np.array(column) for column in zip(*rows, strict=True))
    return Dyads.of(left, right, kinds.astype(np.int8))


def double_sum(left: Integers, right: Integers, influence: Floats, without: Floats) -> float:
    """Σ of products over all rows that share a fragment, each fragment's part enlarged by the jackknife."""
    total = 0.0
    for one in range(len(left)):
        for other in range(len(left)):
            shared = {left[one], right[one]} & {left[other], right[other]}
            enlarged = sum(1 / without[fragment] ** 2 for fragment in shared)
            total += influence[one] * influence[other] * (enlarged - (len(shared) == 2))
    return float(total)


@given(APART, st.integers(0, 2**32 - 1))
def test_is_the_double_sum(rows: list[tuple[int, int, int]], seed: int) -> None:
    found = dyads(rows)
    values = np.random.default_rng(seed).normal(size=len(rows))
    values -= values.mean()
    spread = found.spread(PairInfluence(values), np.ones(4))
    sizes = found.counts.sum(axis=1)
    without = 1 - 2 * sizes / sizes.sum()
    if sizes.sum() ** 2 / (sizes**2).sum() < 3 - 1e-9 or without.min() < 1e-9:
        assert spread is None
        return
    assert spread is not None
    expected = max(double_sum(found.left, found.right, values, without), float(values @ values))
    assert spread.variance == pytest.approx(expected)
    assert spread.effective == pytest.approx(sizes.sum() ** 2 / (sizes**2).sum())


@given(ROWS, st.lists(st.floats(-3, 3), min_size=4, max_size=4))
def test_influence_by_kind_is_influence_by_pair(rows: list[tuple[int, int, int]], values: list[float]) -> None:
    found = dyads(rows)
    by_kind = found.spread(KindInfluence(np.array(values)), np.ones(4))
    by_pair = found.spread(PairInfluence(np.array(values)[found.kinds]), np.ones(4))
    if by_kind is None or by_pair is None:
        assert by_kind is by_pair
    else:
        assert by_kind.variance == pytest.approx(by_pair.variance, abs=1e-9)
        assert by_kind.effective == by_pair.effective


def test_the_order_of_a_pair_and_gaps_in_numbers_do_not_matter() -> None:
    random = np.random.default_rng(1)
    left, right = np.triu_indices(9, 1)
    kinds = random.integers(0, 4, len(left)).astype(np.int8)
    influence = PairInfluence(random.normal(size=len(left)))
    turned = random.random(len(left)) < 0.5
    plain = Dyads.of(left, right, kinds).spread(influence, np.ones(4))
    mixed = Dyads.of(np.where(turned, right, left), np.where(turned, left, right), kinds).spread(influence, np.ones(4))
    sparse = Dyads.of(left * 10**9 + 5, right * 10**9 + 5, kinds)
    assert sparse.count == 9
    assert plain is not None
    assert mixed is not None
    assert plain.variance == pytest.approx(mixed.variance)
    assert sparse.spread(influence, np.ones(4)) == plain


def test_a_fragment_with_itself_is_a_cluster_of_its_pairs() -> None:
    """All pairs inside their clusters: the jackknife's variance between clusters."""
    codes = np.repeat(np.arange(6), 5)
    values = np.random.default_rng(3).normal(size=30)
    values -= values.mean()
    spread = Dyads.of(codes, codes, np.zeros(30, np.int8)).spread(PairInfluence(values), np.ones(4))
    assert spread is not None
    between = float(((values.reshape(6, 5).sum(axis=1) / (1 - 1 / 6)) ** 2).sum())
    assert spread.variance == pytest.approx(max(between, float(values @ values)))
    assert spread.effective == pytest.approx(6)


def test_a_fragment_in_every_pair_leaves_nothing_to_compare() -> None:
    star = Dyads.of(np.zeros(5, int), np.arange(1, 6), np.zeros(5, np.int8))
    assert star.spread(PairInfluence(np.array([1.0, -1, 2, -2, 0])), np.ones(4)) is None


def test_pairs_without_common_fragments_are_independent() -> None:
    values = np.random.default_rng(2).normal(size=200)
    values -= values.mean()
    alone = Dyads.of(np.arange(200), np.arange(200, 400), np.zeros(200, np.int8))
    spread = alone.spread(PairInfluence(values), np.ones(4))
    assert spread is not None
    assert spread.variance == pytest.approx(float(values @ values), rel=0.03)
    assert spread.effective == pytest.approx(400)


def all_pairs(sizes: list[int]) -> tuple[Dyads, Integers]:
    """Every pair within functionalities of these sizes, and the functionality of each fragment."""
    own = np.repeat(np.arange(len(sizes)), sizes)
    left, right = np.triu_indices(len(own), 1)
    inside = own[left] == own[right]
    left, right = left[inside], right[inside]
    return Dyads.of(left, right, np.zeros(len(left), np.int8)), own


@given(st.integers(4, 12), st.integers(0, 2**32 - 1))
def test_within_one_functionality_nothing_else_is_compared(size: int, seed: int) -> None:
    pairs, own = all_pairs([size])
    values = np.random.default_rng(seed).normal(size=len(pairs.left))
    influence = PairInfluence(values - values.mean())
    plain, within = pairs.spread(influence, np.ones(4)), DyadsWithin(pairs, own).spread(influence, np.ones(4))
    assert plain is not None
    assert within is not None
    assert within.variance == pytest.approx(plain.variance)
    assert within.effective == pytest.approx(plain.effective)


@given(st.lists(st.integers(5, 9), min_size=2, max_size=4), st.integers(0, 2**32 - 1))
def test_how_functionalities_differ_is_not_spread_within_them(sizes: list[int], seed: int) -> None:
    """Only fragments are random: a functionality that is easier as a whole changes nothing."""
    pairs, own = all_pairs(sizes)
    random = np.random.default_rng(seed)
    effects = random.normal(size=len(own))  # large effects of fragments, far above the variance of independent pairs
    values = effects[pairs.left] + effects[pairs.right]
    easier = values + 0.1 * own[pairs.left]
    within = DyadsWithin(pairs, own)
    one, other = (within.spread(PairInfluence(each), np.ones(4)) for each in (values, easier))
    assert one is not None
    assert other is not None
    floors = [float(each @ each) for each in (values, easier)]
    if one.variance > floors[0] and other.variance > floors[1]:
        assert one.variance == pytest.approx(other.variance)
    between = pairs.spread(PairInfluence(values + 9 * own[pairs.left] - np.mean(9 * own[pairs.left])), np.ones(4))
    assert between is not None
    assert between.variance > one.variance


def test_two_fragments_of_each_functionality_say_nothing_about_others() -> None:
    for sizes in ([2], [2, 2, 2, 2]):
        pairs, own = all_pairs(sizes)
        influence = PairInfluence(np.linspace(-1, 1, len(sizes)).astype(np.float64))
        assert DyadsWithin(pairs, own).spread(influence, np.ones(4)) is None
