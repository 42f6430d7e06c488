"""The inference: what may follow from pairs and twins, whatever the benchmark."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.build.functionalities.calibration import Calibration
from clonetruth.build.functionalities.inference import Edges, Flags, FunctionalityGraph, best_functionalities, infer
from clonetruth.splits.near_duplicates import connected

COUNT, ROWS = 9, 3


def edges(*pairs: tuple[int, int]) -> Edges:
    table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return Edges.of(table[:, 0], table[:, 1])


def clique(*members: int) -> list[tuple[int, int]]:
    return [(one, other) for one in members for other in members if one < other]


def members(*cells: tuple[int, int], rows: int = ROWS, count: int = COUNT) -> Flags:
    flags = np.zeros((rows, count), dtype=bool)
    for cell in cells:
        flags[cell] = True
    return flags


place = st.integers(0, COUNT - 1)
pairs = st.lists(st.tuples(place, place), max_size=25).map(lambda rows: edges(*rows))
ties = st.builds(FunctionalityGraph, st.just(COUNT), pairs, pairs, pairs)
cells = st.lists(st.tuples(st.integers(0, ROWS - 1), place), max_size=6)


@given(st.lists(st.tuples(place, place), max_size=25))
def test_edges_are_distinct_unordered_pairs(rows: list[tuple[int, int]]) -> None:
    found = edges(*rows)
    assert set(zip(found.left.tolist(), found.right.tolist(), strict=True)) == {
        (min(row), max(row)) for row in rows if row[0] != row[1]
    }
    assert len(found) == len({frozenset(row) for row in rows if row[0] != row[1]})


@given(ties)
def test_nothing_is_likely_without_known_members(some: FunctionalityGraph) -> None:
    assert (infer(some, members(), members()) < 0).all()


@given(ties, cells)
def test_only_fragments_connected_with_a_known_member_can_be_likely(
    some: FunctionalityGraph, known: list[tuple[int, int]]
) -> None:
    component = connected(
        COUNT,
        np.concatenate([some.positive.left, some.twins.left]),
        np.concatenate([some.positive.right, some.twins.right]),
    )
    flags = members(*known)
    odds = infer(some, flags, members())
    for row in range(ROWS):
        reached = np.isin(component, component[flags[row]])
        assert (odds[row, ~reached] < 0).all()


@given(ties, cells, cells)
def test_known_and_denied_members_stay(
    some: FunctionalityGraph, known: list[tuple[int, int]], denied: list[tuple[int, int]]
) -> None:
    true = members(*known)
    false = members(*denied) & ~true
    odds = infer(some, true, false)
    assert (odds[true] == np.inf).all()
    assert (odds[false] == -np.inf).all()
    assert np.isfinite(odds[~true & ~false]).all()


@given(ties, cells, st.permutations(range(ROWS)), st.permutations(range(COUNT)))
def test_names_do_not_matter(
    some: FunctionalityGraph, known: list[tuple[int, int]], rows: list[int], places: list[int]
) -> None:
    moved = np.array(places)
    renamed = FunctionalityGraph(
        COUNT, *(Edges.of(moved[one.left], moved[one.right]) for one in (some.positive, some.negative, some.twins))
    )
    odds = infer(some, members(*known), members())
    again = infer(renamed, members(*((rows.index(row), places[at]) for row, at in known)), members())
    np.testing.assert_allclose(again[:, moved], odds[rows], rtol=1e-3, atol=1e-2)


def test_a_bridge_does_not_make_two_functionalities_one() -> None:
    one, other, bridge = (0, 1, 2, 3), (4, 5, 6, 7), 8
    across = [(left, right) for left in one for right in other]
    some = FunctionalityGraph(COUNT, edges(*clique(*one, bridge), *clique(*other, bridge)), edges(*across), edges())
    odds = infer(some, members((0, 0), (1, 4), rows=2), members(rows=2))
    assert (odds[0, 1:4] > 3).all()
    assert (odds[1, 5:8] > 3).all()
    assert (odds[0, 4:8] < 0).all()
    assert (odds[1, :4] < 0).all()
    assert (odds[:, bridge] > 0).all()


def test_negative_pairs_keep_a_fragment_out() -> None:
    alone = FunctionalityGraph(COUNT, edges(*clique(0, 1, 2, 3)), edges(), edges())
    with_doubts = FunctionalityGraph(COUNT, alone.positive, edges((3, 4), (3, 5), (3, 6)), edges())
    known = members((0, 0), (0, 1), (0, 4), (0, 5), (0, 6))
    assert infer(alone, known, members())[0, 3] > 0 > infer(with_doubts, known, members())[0, 3]


def test_many_copies_of_a_known_text_count_once() -> None:
    one = infer(FunctionalityGraph(COUNT, edges(), edges(), edges((0, 8))), members((0, 0)), members())
    many = infer(
        FunctionalityGraph(COUNT, edges(), edges(), edges((0, 8), (1, 8), (2, 8))),
        members((0, 0), (0, 1), (0, 2)),
        members(),
    )
    assert one[0, 8] == pytest.approx(many[0, 8], abs=1e-3)
    assert one[0, 8] > 0


def test_planted_functionalities_come_back_from_a_tenth_of_their_members() -> None:
    random = np.random.default_rng(5)
    count, rows = 1_500, 5
    truth = random.choice(rows + 1, count, p=[0.35, 0.15, 0.1, 0.05, 0.02, 0.33])  # the last is none
    left, right = random.integers(0, count, (2, 60_000))
    alike = (truth[left] == truth[right]) & (truth[left] < rows)
    some = FunctionalityGraph(
        count,
        Edges.of(left[alike][:6_000], right[alike][:6_000]),
        Edges.of(left[~alike][:8_000], right[~alike][:8_000]),
        edges(),
    )
    known = np.zeros((rows, count), dtype=bool)
    sample = np.flatnonzero((truth < rows) & (random.random(count) < 0.1))
    known[truth[sample], sample] = True
    rest = np.flatnonzero(~known.any(axis=0))
    best, lead = best_functionalities(infer(some, known, np.zeros_like(known)), rest)
    given_one = lead > 0
    assert (best[given_one] == truth[rest[given_one]]).mean() > 0.99
    assert given_one[truth[rest] < rows].mean() > 0.9


def test_a_lead_is_over_the_next_one_that_is_likely() -> None:
    odds = np.array([[5.0, 5.0, -1.0], [2.0, -3.0, -2.0]], dtype=np.float32)
    best, lead = best_functionalities(odds, np.arange(3))
    assert best.tolist() == [0, 0, 0]
    assert lead.tolist() == [3.0, 5.0, -1.0]


trials = st.lists(st.tuples(st.floats(0, 80, width=32), st.booleans()), max_size=200)


@given(trials, st.lists(st.floats(0, 80, width=32), min_size=1))
def test_confidence_rises_with_the_lead_and_is_never_certain(
    some: list[tuple[float, bool]], asked: list[float]
) -> None:
    leads, right = np.array([one for one, _ in some]), np.array([one for _, one in some], dtype=bool)
    calibration = Calibration.of(leads, right)
    assert list(calibration.starts) == sorted(set(calibration.starts))
    assert list(calibration.confidences) == sorted(set(calibration.confidences))
    assert all(0 < one < 1 for one in calibration.confidences)
    found = calibration(np.array(sorted(asked)))
    assert (np.diff(found) >= 0).all()
    assert (found[np.array(sorted(asked)) < leads.min(initial=np.inf)] == 0).all()


def test_confidence_is_the_share_that_was_right() -> None:
    leads = np.repeat([1.0, 2.0, 3.0], 50)
    right = np.concatenate([np.arange(50) < 10, np.arange(50) < 40, np.arange(50) < 50])
    calibration = Calibration.of(leads, right)
    assert calibration.starts == (1.0, 2.0, 3.0)
    assert calibration.confidences == (11 / 52, 41 / 52, 51 / 52)
    assert calibration(np.array([0.5, 2.5])).tolist() == [0, 41 / 52]
