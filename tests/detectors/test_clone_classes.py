"""Clone classes: connected components, each represented by its medoid."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.detectors import CLONE_CLASSES, DETECTORS, FINDERS, FOUND_PAIRS, clone_classes
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
