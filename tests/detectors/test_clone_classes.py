"""Clone classes: connected components, each represented by its medoid; and the stars that cover them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.detectors import CLONE_CLASSES, DETECTORS, FINDERS, FOUND_PAIRS, clone_classes, star_classes
from tests.detectors.corpora import ALL_SIZES, corpora, fragments, scored

Edge = tuple[int, int, float]


def batches(*edges: Edge) -> Iterator[pa.RecordBatch]:
    """One batch per pair."""
    for edge in edges:
        yield pa.record_batch([[value] for value in edge], schema=FOUND_PAIRS)


def members(table: pa.Table) -> list[tuple[int, ...]]:
    """The fragments of each class."""
    assert table.schema == CLONE_CLASSES
    by_class: dict[int, list[int]] = {}
    for number, fragment in zip(table["class"].to_pylist(), table["fragment"].to_pylist(), strict=True):
        by_class.setdefault(number, []).append(fragment)
    assert list(by_class) == list(range(len(by_class)))
    return [tuple(fragments) for fragments in by_class.values()]


def representatives(table: pa.Table) -> list[int]:
    keys: list[int] = table.filter(table["representative"])["fragment"].to_pylist()
    return keys


def test_a_chain_is_one_class_and_its_middle_represents_it() -> None:
    table = clone_classes(batches((5, 9, 0.7), (9, 40, 0.8), (2, 3, 1.0)))
    assert members(table) == [(2, 3), (5, 9, 40)]
    assert representatives(table) == [2, 9]


def test_the_closest_member_represents_a_class() -> None:
    table = clone_classes(batches((0, 1, 0.7), (0, 2, 0.8), (1, 2, 0.9)))
    assert representatives(table) == [2]


def test_no_pairs_no_classes() -> None:
    assert clone_classes(batches()).num_rows == 0


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)).filter(lambda edge: edge[0] < edge[1])))
def test_classes_are_connected_components(edges: list[tuple[int, int]]) -> None:
    reach = {key: {key} for edge in edges for key in edge}
    for left, right in edges:
        joint = reach[left] | reach[right]
        for key in joint:
            reach[key] = joint
    table = clone_classes(batches(*[(left, right, 1.0) for left, right in edges]))
    assert members(table) == sorted({tuple(sorted(group)) for group in reach.values()})
    assert len(representatives(table)) == len(members(table))


@given(corpora())
def test_all_members_are_clones_of_each_other_under_equality(texts: list[str]) -> None:
    table = fragments(texts)
    for name in ("exact", "renamed"):
        scores = scored(DETECTORS[name], table)
        for group in members(clone_classes(FINDERS[name].find(table, ALL_SIZES))):
            assert all(scores[a, b] == 1 for a in group for b in group if a < b)


# --- stars

ALL_DIFFERENT = np.arange(50)


def test_a_chain_is_cut_where_its_ends_are_too_far_apart() -> None:
    chain = batches(*[(at, at + 1, 0.8) for at in range(5)])
    stars = star_classes(chain, ALL_DIFFERENT)
    assert members(stars.members) == [(0, 1, 2), (3, 4, 5)]
    assert representatives(stars.members) == [1, 4]
    assert stars.related.to_pylist() == [{"class": 0, "fragment": 3}, {"class": 1, "fragment": 2}]


def test_a_leftover_is_reported_with_its_closest_clone() -> None:
    """Fragment 3 is a clone of 2 only, which is in the class of 0."""
    stars = star_classes(batches((0, 1, 0.9), (0, 2, 0.9), (0, 4, 0.9), (2, 3, 0.8)), ALL_DIFFERENT)
    assert members(stars.members) == [(0, 1, 2, 4), (2, 3)]
    assert representatives(stars.members) == [0, 2]


def test_equal_fragments_stay_together_without_their_pairs() -> None:
    """A budget may leave out pairs of a large set of equal fragments."""
    equal = ALL_DIFFERENT.copy()
    equal[:5] = 0
    stars = star_classes(batches((0, 1, 1.0), (1, 2, 1.0), (2, 3, 1.0), (3, 4, 1.0), (4, 9, 0.7)), equal)
    assert members(stars.members) == [(0, 1, 2, 3, 4, 9)]
    assert stars.related.num_rows == 0


edges_of_a_graph = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)).filter(lambda edge: edge[0] < edge[1]))


@given(edges_of_a_graph, st.lists(st.integers(0, 6), min_size=21, max_size=21))
def test_stars_cover_every_fragment_and_every_pair_is_inside_a_class_or_related(
    edges: list[tuple[int, int]], groups: list[int]
) -> None:
    # Fragments 0 to 6 may be equal to one another, the others are not.
    equal = np.array([groups[at] if at < 7 else 100 + at for at in range(21)])
    stars = star_classes(batches(*[(left, right, 0.9) for left, right in edges]), equal)
    classes = members(stars.members)
    centres = representatives(stars.members)
    assert {at for group in classes for at in group} == {at for edge in edges for at in edge}
    assert all(len(group) > 1 for group in classes)
    found = {(int(equal[left]), int(equal[right])) for left, right in edges}
    for group, centre in zip(classes, centres, strict=True):
        for at in group:
            pair = int(equal[at]), int(equal[centre])
            assert pair[0] == pair[1] or pair in found or pair[::-1] in found
    outside = [at for number, group in enumerate(classes) for at in group if at != centres[number]]
    assert len(outside) == len(set(outside)), "only representatives are in several classes"
    related = {(one["class"], int(equal[one["fragment"]])) for one in stars.related.to_pylist()}
    for left, right in edges:
        inside = any(left in group and right in group for group in classes)
        numbers = [number for number, group in enumerate(classes) if left in group]
        same = equal[left] == equal[right]
        assert (
            inside
            or same
            or any((number, int(equal[right])) in related for number in numbers)
            or any({int(equal[left]), int(equal[right])} <= {int(equal[at]) for at in group} for group in classes)
        )
