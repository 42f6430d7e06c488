"""Precision at a recall, Brier score and MAP@R as measurements."""

import numpy as np
import pytest

from clonetruth.evaluate.score_metrics import mean_over_queries, measure_scores
from clonetruth.stats.calibration import brier
from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.ranking import precision_at_recall
from clonetruth.stats.rates import Floats
from clonetruth.stats.retrieval import holds_every_pair, map_at_r


def search(classes: int = 12, size: int = 5, seed: int = 3) -> tuple[Outcomes, Floats, list[int]]:
    """Every two fragments as a pair, as POJ-104 is searched; pairs across classes have no functionality."""
    random = np.random.default_rng(seed)
    kind = np.repeat(np.arange(classes), size)
    matrix = random.random((len(kind), len(kind))) / 2
    matrix = (matrix + matrix.T) / 2 + np.where(np.equal.outer(kind, kind), 0.3, 0)
    left, right = np.triu_indices(len(kind), 1)
    truth = kind[left] == kind[right]
    score = matrix[left, right]
    return Outcomes(score > 0.5, truth, score, np.where(truth, kind[left], -1), left, right), matrix, kind.tolist()


def test_all_three() -> None:
    outcomes, matrix, kind = search()
    at_recall, squared, found = measure_scores(outcomes)
    assert outcomes.score is not None
    assert at_recall.name == "precision-at-recall-90"
    assert at_recall.value == precision_at_recall(outcomes.score, outcomes.truth, 0.9)
    assert at_recall.note is not None
    assert squared.value == brier(outcomes.score, outcomes.truth)
    assert squared.low is not None
    assert squared.high is not None
    assert squared.value is not None
    assert squared.low < squared.value < squared.high
    assert found.name == "map-at-r"
    assert found.value == pytest.approx(map_at_r(matrix, kind).map_at_r)
    assert found.n == 60
    assert found.low is not None
    assert found.high is not None
    assert found.value is not None
    assert found.low < found.value < found.high


def test_a_search_needs_all_candidates() -> None:
    outcomes, _, _ = search()
    some = outcomes.select(np.arange(len(outcomes)) % 7 > 0)
    assert [one.name for one in measure_scores(some, recall=0.5)] == ["precision-at-recall-50", "brier"]
    assert holds_every_pair(np.array([0, 0, 2]), np.array([1, 2, 1]))
    assert not holds_every_pair(np.array([0, 0, 1]), np.array([1, 2, 0]))
    assert not holds_every_pair(np.array([0, 0, 2]), np.array([1, 2, 2]))


@pytest.mark.parametrize(("value", "known"), [(1 / 7, False), (0.3, False), (0.0, True), (1.0, True)])
def test_functionalities_that_agree_show_no_spread(value: float, known: bool) -> None:
    """As where every first result is right, and every query has seven relevant fragments: recall at 1 is 1/7."""
    found = mean_over_queries("recall-at-1", np.full(80, value), np.repeat(np.arange(10), 8))
    assert found.value == pytest.approx(value)
    assert (found.low is not None) is known
    assert found.note == ("no interval: all functionalities agree" if not known else None)


def test_what_cannot_be_known() -> None:
    assert measure_scores(Outcomes(np.array([True]), np.array([True]))) == ()
    assert measure_scores(Outcomes(np.empty(0, bool), np.empty(0, bool), np.empty(0))) == ()
    alone = Outcomes(np.zeros(1, bool), np.zeros(1, bool), np.array([7.0]), None, np.array([0]), np.array([1]))
    at_recall, found = measure_scores(alone)
    assert (at_recall.value, at_recall.note) == (None, "undefined: no clones")
    assert (found.value, found.n) == (None, 0)
    pair = Outcomes(np.ones(1, bool), np.ones(1, bool), np.array([7.0]), None, np.array([0]), np.array([1]))
    known = measure_scores(pair)[-1]
    assert (known.value, known.low) == (1, None)
    assert known.note == "no interval: fewer than 3 effective functionalities are known"
