"""Logistic regression with non-negative weights on the similarities of views, with models for each fold."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from clonetruth.detectors.semantic.view_model import OutputModel
from clonetruth.training.trainer import Booleans, Floats, Integers, Weights, best_threshold

_FIRST_PENALTY = 1.0
_MODERATE_PENALTY = 0.01
_TRIALS = 10
_ODDS_UNIT = 2.0
"""Log-odds of the views are divided by this where outputs revise them: the range of what outputs say."""
_ITERATIONS = 150
"""Steps of accelerated projected gradient descent for each penalty; each starts where the one before ended."""


class ViewWeights:
    """The weights of the views; see `trainer.Trainable`.

    An epoch is the optimum under one penalty, half of the penalty before, on the squared differences from the weights
    of a prior: few functionalities move them little. Beside the model of
    all examples there is one for each fold, fitted without the functionalities of that fold: its predictions for the
    fold choose the epoch, and so the penalty, and the threshold.

    Args:
        similarities: the similarity of each example in each view.
        truth: whether each example is a clone.
        fold: the folds of the functionalities of both sides.
        prior: the weights of the first views without any example (default: 0); the others have 0.
    """

    def __init__(self, similarities: Floats, truth: Booleans, fold: Integers, prior: Floats | None = None) -> None:
        self._x = np.column_stack([similarities, np.ones(len(similarities))])
        self._y = truth.astype(np.float64)
        self._folds = int(fold.max()) + 1
        self._used = [np.ones(len(truth), bool)]
        for number in range(self._folds):
            used = (fold != number).all(axis=1)
            both = used.any() and 0 < self._y[used].sum() < used.sum()
            self._used.append(used if both else self._used[0])
        self._prior = np.zeros(similarities.shape[1])
        if prior is not None:
            self._prior[: len(prior)] = prior
        start = np.append(np.maximum(self._prior, 0.05), 0.0)
        self._points = np.tile(start, (self._folds + 1, 1))
        self._penalty = _FIRST_PENALTY

    def run_epoch(self, batches: Iterator[Integers]) -> float:
        """See `Trainable.run_epoch`."""
        for number, used in enumerate(self._used):
            self._points[number] = _optimum(
                self._x[used], self._y[used], self._points[number], self._penalty, self._prior
            )
        self._penalty /= 2
        for _ in batches:
            pass  # All pairs were used at once: the batches only report progress.
        odds = self._x @ self._points[0]
        return float(np.logaddexp(0, np.where(self._y > 0, -odds, odds)).mean())

    def weights(self) -> Weights:
        """See `Trainable.weights`."""
        return {"final": self._points[0].copy(), "folds": self._points[1:].copy()}

    def state(self) -> Weights:
        """See `Trainable.state`."""
        return {"points": self._points.copy(), "penalty": np.array(self._penalty)}

    def restore(self, state: Weights) -> None:
        """See `Trainable.restore`."""
        self._points = state["points"].copy()
        self._penalty = float(state["penalty"])

    @staticmethod
    def out_of_fold(weights: Weights, similarities: Floats, fold: Integers) -> Floats:
        """The probability of each example, by the models of the folds of its sides; rounded as scores are."""
        x = np.column_stack([similarities, np.ones(len(similarities))])
        odds = np.stack([x @ point for point in weights["folds"]], axis=1)
        rows = np.arange(len(x))
        mean = (odds[rows, fold[:, 0]] + odds[rows, fold[:, 1]]) / 2
        probabilities: Floats = np.round(1 / (1 + np.exp(-np.clip(mean, -13.0, 13.0))), 6)
        return probabilities

    @classmethod
    def held_out_f1(cls, similarities: Floats, truth: Booleans, fold: Integers, prior: Floats | None = None) -> float:
        """The best F1 on predictions of models that were not fitted to a pair's functionalities, of some penalties."""
        model, found = cls(similarities, truth, fold, prior), 0.0
        for _ in range(_TRIALS):
            model.run_epoch(iter(()))
            scores = cls.out_of_fold(model.weights(), similarities, fold)
            found = max(found, best_threshold(scores, truth)[1])
        return found

    @staticmethod
    def fitted(similarities: Floats, truth: Booleans) -> Floats:
        """The weights of the views under one moderate penalty, without the bias."""
        x = np.column_stack([similarities, np.ones(len(similarities))])
        point = np.append(np.full(similarities.shape[1], 0.05), 0.0)
        return _optimum(x, truth.astype(np.float64), point, _MODERATE_PENALTY, np.zeros(similarities.shape[1]))[:-1]


def fitted_revision(
    scores: Floats, said: tuple[Floats, Booleans], truth: Booleans, fold: Integers
) -> tuple[OutputModel, Floats]:
    """How outputs revise what the views say of pairs, fitted to pairs of which both are known.

    The views' own weights stay as they are: fitted together with outputs, which explain most pairs, they would say
    less about pairs that do not run.

    Args:
        scores: the probability of each example by its views, of models that were not fitted to its functionalities.
        said: what its outputs say, and where something is known of them.
        truth: whether it is a clone.
        fold: the folds of the functionalities of both sides.

    Returns:
        The model, and the probability of each example, of models that were not fitted to its functionalities.
    """
    columns, known = said
    clones = int(truth[known].sum())
    if not 0 < clones < int(known.sum()):
        return OutputModel.silent(), scores
    said_views = np.clip(scores[known], 1e-6, 1 - 1e-6)
    x = np.column_stack([np.log(said_views / (1 - said_views)) / _ODDS_UNIT, columns[known]])
    prior = np.append(_ODDS_UNIT, np.zeros(columns.shape[1]))
    model = ViewWeights(x, truth[known], fold[known], prior)
    best, chosen, predicted = -1.0, np.append(prior, 0.0), scores
    for _ in range(_TRIALS):
        model.run_epoch(iter(()))
        weights, own = model.weights(), scores.copy()
        # Folds of examples that ship are not among these: nothing is known of their outputs.
        own[known] = ViewWeights.out_of_fold(weights, x, fold[known])
        if (found := best_threshold(own, truth)[1]) > best:
            best, chosen, predicted = found, weights["final"], own
    chosen = np.append(chosen[0] / _ODDS_UNIT, chosen[1:])
    return OutputModel(chosen[:-1], float(chosen[-1])), predicted


def _optimum(x: Floats, y: Floats, start: Floats, penalty: float, prior: Floats) -> Floats:
    scale = np.full(x.shape[1], penalty)
    scale[-1] = 0.0  # the bias is free
    centre = np.append(prior, 0.0)
    step = 1 / (np.linalg.eigvalsh(x.T @ x / len(x))[-1] / 4 + penalty)
    point, ahead, momentum = start.copy(), start.copy(), 1.0
    for _ in range(_ITERATIONS):
        gradient = x.T @ (_logistic(x @ ahead) - y) / len(x) + scale * (ahead - centre)
        new = ahead - step * gradient
        new[:-1] = np.maximum(new[:-1], 0.0)
        following = (1 + (1 + 4 * momentum**2) ** 0.5) / 2
        ahead = new + (momentum - 1) / following * (new - point)
        point, momentum = new, following
    return point


def _logistic(odds: Floats) -> Floats:
    values: Floats = 1 / (1 + np.exp(-np.clip(odds, -30.0, 30.0)))
    return values
