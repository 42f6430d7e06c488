"""MAP@R, reciprocal rank and recall at k, against CodeXGLUE's way and against all orders of equal scores."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.stats.rates import Floats
from clonetruth.stats.retrieval import map_at_r, map_at_r_of_pairs, rank_queries


def as_codexglue(scores: Floats, classes: list[int]) -> float:
    """The evaluator of POJ-104: precision at each right answer among the first R, divided by R."""
    means = []
    for query, kind in enumerate(classes):
        others = [other for other in np.argsort(-scores[query]) if other != query]
        wanted = classes.count(kind) - 1
        if not wanted:
            continue
        precisions: list[float] = []
        for place, other in enumerate(others[:wanted]):
            if classes[other] == kind:
                precisions.append((len(precisions) + 1) / (place + 1))
        means.append(sum(precisions) / wanted)
    return float(np.mean(means))


@given(st.integers(0, 2**32 - 1), st.lists(st.integers(0, 3), min_size=2, max_size=15))
def test_as_codexglue_without_ties(seed: int, classes: list[int]) -> None:
    scores = np.random.default_rng(seed).random((len(classes), len(classes)))
    found = map_at_r(scores, classes)
    if len(set(classes)) == len(classes):
        assert found.map_at_r is None
    else:
        assert found.map_at_r == pytest.approx(as_codexglue(scores, classes))
    assert found.queries == sum(classes.count(kind) > 1 for kind in classes)


@settings(max_examples=40)
@given(st.lists(st.tuples(st.integers(0, 2), st.booleans()), min_size=1, max_size=6))
def test_ties_are_the_mean_over_all_orders(rows: list[tuple[int, bool]]) -> None:
    scores, same = [float(s) for s, _ in rows], [clone for _, clone in rows]
    wanted = sum(same)
    found = map_at_r_of_pairs(np.zeros(len(rows), int), np.arange(1, len(rows) + 1), scores, same).precisions[0]
    if not wanted:
        assert np.isnan(found)
        return
    values = []
    for order in permutations(range(len(rows))):
        falling = [scores[at] for at in order]
        if falling == sorted(falling, reverse=True):
            first = [same[at] for at in order][:wanted]
            values.append(sum(sum(first[: at + 1]) / (at + 1) for at in range(wanted) if first[at]) / wanted)
    assert found == pytest.approx(float(np.mean(values)))


def test_a_table_of_all_pairs_is_a_matrix() -> None:
    random = np.random.default_rng(4)
    classes = random.integers(0, 4, 30)
    scores = random.random((30, 30))
    scores = scores + scores.T
    left, right = np.triu_indices(30, 1)
    table = map_at_r_of_pairs(left, right, scores[left, right], classes[left] == classes[right])
    assert table.map_at_r == pytest.approx(map_at_r(scores, classes).map_at_r)


def test_a_perfect_and_a_hopeless_search() -> None:
    classes = ["a", "a", "b", "b"]
    like = np.equal.outer(classes, classes).astype(float)
    assert map_at_r(like, classes).map_at_r == 1
    assert map_at_r(1 - like, classes).map_at_r == 0


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="matrix"):
        map_at_r(np.zeros((2, 3)), [1, 2])
    with pytest.raises(ValueError, match="NaN"):
        map_at_r(np.full((2, 2), np.nan), [1, 1])
    assert map_at_r(np.empty((0, 0)), []).map_at_r is None


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 2), st.booleans()), min_size=1, max_size=6), st.integers(1, 7))
def test_every_metric_is_the_mean_over_all_orders(rows: list[tuple[int, bool]], k: int) -> None:
    scores, same = [float(score) for score, _ in rows], [clone for _, clone in rows]
    found = rank_queries(np.array([scores]), np.array([same]), [k])
    if not any(same):
        assert np.isnan([found.precision[0], found.reciprocal[0], found.recall[0, 0]]).all()
        return
    values = []
    for order in permutations(range(len(rows))):
        if [scores[at] for at in order] == sorted(scores, reverse=True):
            hits = [same[at] for at in order]
            wanted = sum(hits)
            precision = sum(sum(hits[: at + 1]) / (at + 1) for at in range(wanted) if hits[at]) / wanted
            values.append((precision, 1 / (hits.index(True) + 1), sum(hits[:k]) / wanted))
    assert (found.precision[0], found.reciprocal[0], found.recall[0, 0]) == pytest.approx(np.mean(values, axis=0))


def test_a_large_tie_is_a_random_order() -> None:
    relevant = np.zeros((1, 10_000), np.bool_)
    relevant[0, :100] = True
    ranks = rank_queries(np.zeros((1, 10_000)), relevant, [50])
    assert ranks.recall[0, 0] == pytest.approx(0.005)
    # The mean of 1 ÷ rank of the first of 100 hits, by drawing.
    random = np.random.default_rng(1)
    drawn = np.mean([1 / (random.permutation(10_000)[:100].min() + 1) for _ in range(2000)])
    assert ranks.reciprocal[0] == pytest.approx(drawn, rel=0.15)


def test_blocks_do_not_matter_and_the_query_is_no_candidate(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(2)
    scores = random.integers(0, 5, (40, 40)).astype(float)
    np.fill_diagonal(scores, -np.inf)
    kinds = random.integers(0, 5, 40)
    relevant = kinds[:, None] == kinds[None, :]
    whole = rank_queries(scores, relevant, [1, 5])
    monkeypatch.setattr("clonetruth.stats.retrieval._BLOCK", 100)
    parts = rank_queries(scores, relevant, [1, 5])
    assert np.array_equal(whole.precision, parts.precision, equal_nan=True)
    assert np.array_equal(whole.recall, parts.recall, equal_nan=True)
    others = ~np.eye(40, dtype=bool)
    for query in range(40):
        alone = rank_queries(scores[query][None, others[query]], relevant[query][None, others[query]], [1, 5])
        assert np.array_equal(alone.reciprocal, whole.reciprocal[query : query + 1], equal_nan=True)
