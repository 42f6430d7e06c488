"""A small linear model with an honest test: ridge logistic regression, scored on groups that it has not seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]

FOLDS = 3
_RIDGE = 1.0
_STEPS = 15


@dataclass(frozen=True)
class WordScore:
    """How well labels are told.

    Args:
        auc: the chance that a positive scores above a negative; 0.5 is guessing.
        f1: of “score ≥ 0.5”.
        right: rightly told cases.
        cases: cases that were scored, each by a model that saw neither of its groups.
    """

    auc: float
    f1: float
    right: int
    cases: int


def cross_validate(features: Floats, labels: Booleans, left: Integers, right: Integers) -> WordScore | None:
    """Score a linear model on pairs.

    A pair is scored by a model that was fitted on the pairs that share no fold with it: both of its folds must
    be the one that was held out. Pairs that mix folds are used for neither in that round.

    Args:
        features: one row a pair.
        labels: whether it is a clone.
        left, right: the folds of its fragments, from 0 to `FOLDS` - 1.

    Returns:
        None where no fold has both classes to fit and both to score.
    """
    scores: list[Floats] = []
    truths: list[Booleans] = []
    for fold in range(FOLDS):
        test = (left == fold) & (right == fold)
        train = (left != fold) & (right != fold)
        if any(len(np.unique(labels[side])) < 2 for side in (test, train)):
            continue
        mean, spread = features[train].mean(axis=0), features[train].std(axis=0)
        spread[spread == 0] = 1
        weights = fit_logistic((features[train] - mean) / spread, labels[train])
        scores.append(_probability((features[test] - mean) / spread, weights))
        truths.append(labels[test])
    if not scores:
        return None
    score, truth = np.concatenate(scores), np.concatenate(truths)
    called = score >= 0.5
    hits, calls = int((called & truth).sum()), int(called.sum())
    f1 = 2 * hits / (calls + int(truth.sum()))
    # The area is taken within each fold: scores of different models are not comparable.
    areas = [area_under_curve(one, other) for one, other in zip(scores, truths, strict=True)]
    auc = float(np.average(areas, weights=[len(one) for one in truths]))
    return WordScore(auc, f1, int((called == truth).sum()), len(truth))


def fit_logistic(features: Floats, labels: Booleans) -> Floats:
    """The weights of a ridge logistic regression with balanced classes (Newton's method); the last is the intercept."""
    design = _with_intercept(features)
    balance = np.where(labels, 0.5 / labels.mean(), 0.5 / (1 - labels.mean()))
    penalty = np.full(design.shape[1], _RIDGE)
    penalty[-1] = 1e-6
    weights = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        gradient = design.T @ (balance * (labels - chance)) - penalty * weights
        curvature = (design * (balance * np.maximum(chance * (1 - chance), 1e-6))[:, None]).T @ design
        step = np.linalg.solve(curvature + np.diag(penalty), gradient)
        weights = weights + step
        if np.abs(step).max() < 1e-4:
            break
    return weights


def area_under_curve(scores: Floats, labels: Booleans) -> float:
    """The area under the ROC curve; ties count half."""
    _, place, count = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(count) - (count - 1) / 2)[place]
    positives = int(labels.sum())
    negatives = len(labels) - positives
    return float((ranks[labels].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def _with_intercept(features: Floats) -> Floats:
    return np.hstack([features, np.ones((len(features), 1))])


def _probability(features: Floats, weights: Floats) -> Floats:
    chance: Floats = 1 / (1 + np.exp(-np.clip(_with_intercept(features) @ weights, -30, 30)))
    return chance
