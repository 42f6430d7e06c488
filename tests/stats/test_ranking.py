"""Score metrics, against their definitions by counting over all pairs of pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.stats.ranking import (
    Steps,
    average_precision,
    precision_at_recall,
    precision_recall_curve,
    roc_auc,
    roc_curve,
)

SCORED = st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=25)
WEIGHTED = st.lists(st.tuples(st.integers(0, 6), st.booleans(), st.integers(0, 3)), min_size=1, max_size=25)


def auc_by_counting(rows: list[tuple[int, bool]]) -> float | None:
    clones, others = [s for s, clone in rows if clone], [s for s, clone in rows if not clone]
    if not clones or not others:
        return None
    wins = sum((a > b) + 0.5 * (a == b) for a in clones for b in others)
    return wins / (len(clones) * len(others))


def average_precision_by_counting(rows: list[tuple[int, bool]]) -> float | None:
    clones = [s for s, clone in rows if clone]
    if not clones:
        return None
    return sum(
        sum(score >= one and clone for score, clone in rows) / sum(score >= one for score, _ in rows) for one in clones
    ) / len(clones)


@given(SCORED)
def test_auc_and_average_precision_are_their_definitions(rows: list[tuple[int, bool]]) -> None:
    scores, labels = zip(*rows, strict=True)
    assert roc_auc(scores, labels) == pytest.approx(auc_by_counting(rows))
    assert average_precision(scores, labels) == pytest.approx(average_precision_by_counting(rows))


@given(WEIGHTED)
def test_a_weight_is_a_repetition(rows: list[tuple[int, bool, int]]) -> None:
    repeated = [(score, clone) for score, clone, weight in rows for _ in range(weight)]
    scores, labels, weights = zip(*rows, strict=True)
    assert roc_auc(scores, labels, weights) == pytest.approx(auc_by_counting(repeated))
    assert average_precision(scores, labels, weights) == pytest.approx(average_precision_by_counting(repeated))


@given(SCORED)
def test_only_the_order_of_scores_matters(rows: list[tuple[int, bool]]) -> None:
    scores, labels = np.array([s for s, _ in rows], float), [clone for _, clone in rows]
    assert roc_auc(scores, labels) == roc_auc(np.exp(scores), labels)
    assert average_precision(scores, labels) == average_precision(3 * scores - 100, labels)


@given(SCORED, st.floats(0.01, 1))
def test_precision_at_recall_is_the_best_that_reaches_it(rows: list[tuple[int, bool]], recall: float) -> None:
    scores, labels = zip(*rows, strict=True)
    found = precision_at_recall(scores, labels, recall)
    clones = sum(labels)
    if not clones:
        assert found is None
        return
    reported = [[clone for score, clone in rows if score >= threshold] for threshold in set(scores)]
    reaching = [sum(one) / len(one) for one in reported if sum(one) >= recall * clones - 1e-9]
    assert found == pytest.approx(max(reaching))


def test_what_one_class_cannot_say_is_unknown() -> None:
    assert roc_auc([0.1, 0.2], [True, True]) is None
    assert roc_auc([], []) is None
    assert average_precision([0.1], [False]) is None
    assert average_precision([0.1], [True]) == 1
    assert precision_at_recall([], [], 0.5) is None
    assert roc_curve(Steps.of([0.1], [True])) == ()
    assert precision_recall_curve(Steps.of([], [])) == ()


def test_nonsense_is_refused() -> None:
    with pytest.raises(ValueError, match="2 scores, 1 labels"):
        roc_auc([0.1, 0.2], [True])
    with pytest.raises(ValueError, match="NaN"):
        roc_auc([0.1, float("nan")], [True, False])
    with pytest.raises(ValueError, match="recall of 0"):
        precision_at_recall([1], [True], 0)
    with pytest.raises(ValueError, match="1 points"):
        roc_curve(Steps.of([0.1, 0.2], [True, False]), points=1)


def test_curves_keep_their_ends_and_their_area_when_thinned() -> None:
    random = np.random.default_rng(3)
    labels = random.random(20_000) < 0.3
    steps = Steps.of(random.normal(size=20_000) + labels, labels)
    roc = roc_curve(steps, points=200)
    assert len(roc) <= 200
    assert roc[0] == (0, 0)
    assert roc[-1] == (1, 1)
    area = np.trapezoid([y for _, y in roc], [x for x, _ in roc])
    assert area == pytest.approx(steps.roc_auc(), abs=1e-3)
    curve = precision_recall_curve(steps, points=200)
    assert len(curve) <= 200
    assert np.array(curve[-1]) == pytest.approx(np.array([1, labels.mean()]))
    assert precision_recall_curve(Steps.of([2, 1], [True, False])) == ((1, 1), (1, 0.5))


def test_infinite_scores_have_their_place() -> None:
    assert roc_auc([np.inf, 0, -np.inf], [True, False, False]) == 1
