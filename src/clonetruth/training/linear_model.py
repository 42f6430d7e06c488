"""Linear models over the words that fragments contain and share.

The score of a pair is the logistic function of a bias, a weight for each word that a side contains (counted for each
side), and a second weight for each word that both sides share. `identifiers` reads names only, like the linear model of
Yu et al. (“Assessing and Improving an Evaluation Dataset for Detecting Semantic Code Clones via Deep Learning”, TOSEM
2022), which came close to the networks of its time on BigCloneBench. `linear` reads the same words as `mlp`. Both need
numpy only.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from clonetruth.detectors.word_bags import WordBags
from clonetruth.training.bag_detector import BagLearner, ModelFactory, TrainingSet
from clonetruth.training.learner import TrainingSpec
from clonetruth.training.trainer import Floats, Integers, Weights
from clonetruth.training.word_lists import identifier_words, tree_words

_PAIRS = 50_000
"""Pairs per step: bounds memory."""
_REMEMBERED_WORDS = 200_000_000
"""Shared words of training pairs that stay in memory, at four bytes each; those of further pairs are computed anew."""
_FIRST_PENALTY = 1.0
"""The penalty of the first epoch, relative to the mean loss: all weights stay close to 0."""
_TOLERANCE, _STEPS = 1e-4, 200
"""When a solution is exact enough: no component of the gradient is larger; and how many steps are taken at most."""
_MEMORY, _HALVINGS = 40, 40
"""Changes from which L-BFGS estimates the curvature, and tries of a line search."""


def shapes(words: int) -> dict[str, tuple[int, ...]]:
    """The shapes of the weights."""
    return {"has": (words,), "shares": (words,), "bias": (1,)}


def logistic(
    weights: Weights, bags: WordBags, left: Integers, right: Integers, report: Callable[[int], None]
) -> Floats:
    """The probabilities that pairs are clones; see `bag_detector.PairScorer`."""
    own = _sums(weights["has"], bags)
    values = np.zeros(len(left))
    for start in range(0, len(left), _PAIRS):
        a, b = left[start : start + _PAIRS], right[start : start + _PAIRS]
        # Add the sides first, so that their order cannot change the last digit.
        log_odds = weights["bias"] + (own[a] + own[b]) + _sums(weights["shares"], bags.shared(a, b))
        values[start : start + _PAIRS] = _probability(log_odds)
        report(len(a))
    return values


def _probability(log_odds: Floats) -> Floats:
    probability: Floats = 1 / (1 + np.exp(-np.clip(log_odds, -500, 500)))
    return probability


def _sums(weights: Floats, bags: WordBags) -> Floats:
    owners = np.repeat(np.arange(len(bags)), bags.sizes)
    sums: Floats = np.bincount(owners, weights[bags.words], len(bags)).astype(np.float64)
    return sums


def _quick_sums(weights: Floats, bags: WordBags) -> Floats:
    """The same up to rounding, which here depends on the neighbours: not for scores."""
    sums, filled = np.zeros(len(bags)), bags.sizes > 0
    sums[filled] = np.add.reduceat(weights[bags.words], bags.starts[:-1][filled])
    return sums


class LogisticRegression:
    """Logistic regression with a squared penalty, solved exactly; see `trainer.Trainable`.

    An epoch is the optimum under one penalty, from which the next epoch starts with half of that penalty. The
    validation pairs thus choose the penalty, as they choose the epoch of a network. Neither the seed nor the batch size
    nor the learning rate matters.
    """

    def __init__(self, training: TrainingSet, options: TrainingSpec) -> None:
        self._training = training
        self._shapes = shapes(training.bags.vocabulary_size)
        self._point = np.zeros(sum(math.prod(shape) for shape in self._shapes.values()))
        self._penalty = _FIRST_PENALTY
        self._blocks = _Blocks(training)

    def run_epoch(self, batches: Iterator[Integers]) -> float:
        """See `Trainable.run_epoch`."""
        self._point = minimise(self._objective, self._point, _TOLERANCE, _STEPS)
        loss, _ = self._loss_and_gradient(self._point)
        self._penalty /= 2
        for _ in batches:
            pass  # All pairs were used at once: the batches only report progress.
        return loss

    def weights(self) -> Weights:
        """See `Trainable.weights`."""
        return {name: array.copy() for name, array in self._named(self._point).items()}

    def state(self) -> Weights:
        """See `Trainable.state`."""
        return {**self.weights(), "penalty": np.array(self._penalty)}

    def restore(self, state: Weights) -> None:
        """See `Trainable.restore`."""
        self._point = np.concatenate([state[name] for name in self._shapes])
        self._penalty = float(state["penalty"])

    def _named(self, point: Floats) -> dict[str, Floats]:
        ends = np.cumsum([math.prod(shape) for shape in self._shapes.values()])[:-1]
        return dict(zip(self._shapes, np.split(point, ends), strict=True))

    def _objective(self, point: Floats) -> tuple[float, Floats]:
        loss, gradient = self._loss_and_gradient(point)
        penalised = point.copy()
        penalised[-1] = 0  # the bias is free
        return loss + self._penalty / 2 * float((penalised**2).sum()), gradient + self._penalty * penalised

    def _loss_and_gradient(self, point: Floats) -> tuple[float, Floats]:
        """The mean loss over all pairs, and its gradient."""
        weights, bags, pairs = self._named(point), self._training.bags, len(self._training.truth)
        own = _sums(weights["has"], bags)
        loss, errors, of_shared = 0.0, np.zeros(pairs), np.zeros(bags.vocabulary_size)
        for rows, shared in self._blocks:
            truth = self._training.truth[rows]
            sides = own[self._training.left[rows]] + own[self._training.right[rows]]
            log_odds = weights["bias"] + sides + _quick_sums(weights["shares"], shared)
            # The logarithm of 1 + exp(-x) for clones, of 1 + exp(x) for the others, without overflow.
            loss += float(np.logaddexp(0, np.where(truth, -log_odds, log_odds)).sum())
            errors[rows] = _probability(log_odds) - truth
            of_shared += np.bincount(shared.words, np.repeat(errors[rows], shared.sizes), bags.vocabulary_size)
        sides = np.concatenate([self._training.left, self._training.right])
        of_fragment = np.bincount(sides, np.concatenate([errors, errors]), len(bags))
        of_words = np.bincount(bags.words, np.repeat(of_fragment, bags.sizes), bags.vocabulary_size)
        return loss / pairs, np.concatenate([of_words, of_shared, errors.sum(keepdims=True)]) / pairs


class _Blocks:
    """The training pairs in blocks, with the words that they share; remembered unless they need too much memory."""

    def __init__(self, training: TrainingSet) -> None:
        self._training = training
        self._rows = [
            slice(start, min(start + _PAIRS, len(training.truth))) for start in range(0, len(training.truth), _PAIRS)
        ]
        self._remembered: dict[int, WordBags] = {}

    def __iter__(self) -> Iterator[tuple[slice, WordBags]]:
        for number, rows in enumerate(self._rows):
            yield rows, self._shared(number, rows)

    def _shared(self, number: int, rows: slice) -> WordBags:
        if number in self._remembered:
            return self._remembered[number]
        shared = self._training.bags.shared(self._training.left[rows], self._training.right[rows])
        if sum(len(one.words) for one in self._remembered.values()) + len(shared.words) <= _REMEMBERED_WORDS:
            self._remembered[number] = shared
        return shared


def minimise(function: Callable[[Floats], tuple[float, Floats]], start: Floats, tolerance: float, steps: int) -> Floats:
    """Minimise a smooth convex function by L-BFGS (Liu and Nocedal, 1989), with a bisecting Wolfe line search.

    Args:
        function: returns the value and the gradient at a point.
        start: where to start.
        tolerance: stop where no component of the gradient is larger.
        steps: the maximum number of steps.
    """
    point, (value, gradient) = start, function(start)
    changes: deque[tuple[Floats, Floats]] = deque(maxlen=_MEMORY)
    for _ in range(steps):
        if np.abs(gradient).max() <= tolerance:
            break
        direction = _newton_direction(gradient, changes)
        slope = _dot(gradient, direction)
        low, high = 0.0, math.inf
        size = 1.0 if changes else min(1.0, 1 / float(np.abs(gradient).sum()))
        for _ in range(_HALVINGS):
            new_point = point + size * direction
            new_value, new_gradient = function(new_point)
            if new_value > value + 1e-4 * size * slope:
                high = size
            elif _dot(new_gradient, direction) < 0.9 * slope:
                low = size
            else:
                break
            size = 2 * low if high == math.inf else (low + high) / 2
        else:
            break  # the value no longer changes in its last digits
        changes.append((new_point - point, new_gradient - gradient))
        point, value, gradient = new_point, new_value, new_gradient
    return point


def _newton_direction(gradient: Floats, changes: Sequence[tuple[Floats, Floats]]) -> Floats:
    """The direction of a Newton step, with the curvature estimated from the last changes of point and gradient."""
    direction, shares = -gradient, []
    for step, turn in reversed(changes):
        share = _dot(step, direction) / _dot(step, turn)
        direction = direction - share * turn
        shares.append(share)
    if changes:
        step, turn = changes[-1]
        direction = direction * (_dot(step, turn) / _dot(turn, turn))
    for (step, turn), share in zip(changes, reversed(shares), strict=True):
        direction = direction + (share - _dot(turn, direction) / _dot(step, turn)) * step
    return direction


def _dot(one: Floats, other: Floats) -> float:
    # Not a matrix product: its last digits depend on the number of threads.
    return float((one * other).sum())


def _load_factory() -> ModelFactory:
    return LogisticRegression


LINEAR = BagLearner(
    "linear",
    "Probability of a clone, by a linear model of the syntax-tree words that fragments contain and share.",
    words_of=tree_words,
    score=logistic,
    shapes=shapes,
    load_factory=_load_factory,
    paper_threshold=0.5,
    stops_early=False,  # a fall under a strong penalty says nothing about weaker ones
)
IDENTIFIERS = BagLearner(
    "identifiers",
    "Probability of a clone, by a linear model of the names that fragments contain and share (Yu et al.).",
    words_of=identifier_words,
    score=logistic,
    shapes=shapes,
    load_factory=_load_factory,
    paper_threshold=0.5,
    stops_early=False,  # a fall under a strong penalty says nothing about weaker ones
)
