"""Features count by how much more often fragments of one functionality share them than others do."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.code.canonical import BINS, VIEWS, ViewCounts
from clonetruth.detectors.semantic.feature_lift import lift_weights

EVERYWHERE, OWN, HABIT, UNSEEN = 0, 10, 20, 30


def counts_of(features: list[set[int]]) -> ViewCounts:
    """Fragments that have features in the first view only."""
    views = len(VIEWS)
    sizes = np.zeros((len(features), views), np.int64)
    sizes[:, 0] = [len(one) for one in features]
    columns = np.array([column for one in features for column in sorted(one)], np.int32)
    starts = np.concatenate([[0], np.cumsum(sizes.reshape(-1))])
    return ViewCounts(starts, columns, np.ones(len(columns), np.uint8))


def example() -> tuple[ViewCounts, np.ndarray]:
    """Four functionalities of twelve fragments: all have one feature, each its own, every fourth fragment a habit."""
    features, functionality = [], []
    for group in range(4):
        for number in range(12):
            features.append({EVERYWHERE, OWN + group} | ({HABIT} if number % 4 == 0 else set()))
            functionality.append(group)
    return counts_of(features), np.array(functionality)


def flat() -> np.ndarray:
    return np.full(len(VIEWS) * BINS, 2.0, np.float32)


def test_a_habit_counts_less_than_what_belongs_to_a_functionality() -> None:
    counts, functionality = example()
    weights = lift_weights(counts, functionality, flat())
    assert weights is not None
    own, habit, everywhere = weights[OWN : OWN + 4], weights[HABIT], weights[EVERYWHERE]
    assert (own > 3 * habit).all()
    assert np.ptp(own) < 1e-6
    # As rare as a functionality's own feature, and says nothing: rarity alone could not tell them apart.
    assert habit < 0.5
    assert everywhere < 0.2


def test_an_unseen_feature_has_the_weight_of_its_view_and_rarity() -> None:
    counts, functionality = example()
    rarity = flat()
    rarity[UNSEEN] = 5.0
    weights = lift_weights(counts, functionality, rarity)
    assert weights is not None
    assert weights[UNSEEN + 1] == weights[UNSEEN + 2]
    assert weights[HABIT] < weights[UNSEEN + 1] < weights[OWN]
    assert weights[UNSEEN] == weights[BINS + 5]  # nothing of its rarity, nothing of the other view was seen


def test_few_functionalities_with_two_fragments_give_no_weights() -> None:
    counts = counts_of([{1, 2}, {1, 3}, {2, 4}, {2, 5}, {6}, {7}])
    assert lift_weights(counts, np.array([0, 0, 1, 1, 2, 3]), flat()) is None


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 4), st.sets(st.integers(0, 12), max_size=6)), min_size=2, max_size=40),
)
def test_weights_are_positive_and_do_not_depend_on_names_or_order(
    rows: list[tuple[int, set[int]]],
) -> None:
    functionality = np.array([group for group, _ in rows])
    found = lift_weights(counts_of([one for _, one in rows]), functionality, flat())
    order = np.random.default_rng(len(rows)).permutation(len(rows))
    renamed = (7 - functionality)[order]
    again = lift_weights(counts_of([rows[at][1] for at in order]), renamed, flat())
    assert (found is None) == (again is None)
    if found is not None and again is not None:
        assert np.isfinite(found).all()
        assert (found > 0).all()
        np.testing.assert_allclose(found, again, rtol=1e-5)
