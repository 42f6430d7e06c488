"""Linear models over the words that fragments contain and share.

The score of a pair is the logistic function of a bias, a weight for each word that a side contains (counted for each
side), and a second weight for each word that both sides share. `identifiers` reads names only, like the linear model of
Yu et al. (“Assessing and Improving an Evaluation Dataset for Detecting Semantic Code Clones via Deep Learning”, TOSEM
2022), which came close to the networks of its time on BigCloneBench. `linear` reads the same words as `mlp`. Both need
numpy only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from clonetruth.detectors.word_bags import WordBags
from clonetruth.training.bag_detector import BagLearner, ModelFactory, TrainingSet
from clonetruth.training.learner import TrainingSpec
from clonetruth.training.trainer import Floats, Integers, Weights
from clonetruth.training.word_lists import identifier_words, tree_words

_PAIRS = 50_000
"""Pairs scored per step: bounds memory."""
_RATE_FACTOR = 3.0
"""The learning rate relative to that of a network: no layer lies between the weights and the score."""


def shapes(words: int) -> dict[str, tuple[int, ...]]:
    """The shapes of the weights."""
    return {"has": (words,), "shares": (words,), "bias": (1,)}


def logistic(
    weights: Weights, bags: WordBags, left: Integers, right: Integers, report: Callable[[int], None]
) -> Floats:
    """The probabilities that pairs are clones; see `bag_detector.PairScorer`."""
    values = np.zeros(len(left))
    for start in range(0, len(left), _PAIRS):
        a, b = left[start : start + _PAIRS], right[start : start + _PAIRS]
        values[start : start + _PAIRS] = _probability(weights, bags, a, b, bags.shared(a, b))
        report(len(a))
    return values


def _probability(weights: Weights, bags: WordBags, left: Integers, right: Integers, shared: WordBags) -> Floats:
    own = _sums(weights["has"], bags)
    # Add the sides first, so that their order cannot change the last digit.
    log_odds = weights["bias"] + (own[left] + own[right]) + _sums(weights["shares"], shared)
    probability: Floats = 1 / (1 + np.exp(-np.clip(log_odds, -500, 500)))
    return probability


def _sums(weights: Floats, bags: WordBags) -> Floats:
    owners = np.repeat(np.arange(len(bags)), bags.sizes)
    sums: Floats = np.bincount(owners, weights[bags.words], len(bags)).astype(np.float64)
    return sums


class LogisticRegression:
    """Logistic regression trained with Adam; see `trainer.Trainable`."""

    def __init__(self, training: TrainingSet, options: TrainingSpec) -> None:
        self._training = training
        self._rate = options.rate * _RATE_FACTOR
        weight_shapes = shapes(training.bags.vocabulary_size)
        self._weights: dict[str, Floats] = {name: np.zeros(shape) for name, shape in weight_shapes.items()}
        self._adam = _Adam(weight_shapes)

    def run_epoch(self, batches: Iterator[Integers]) -> float:
        """See `Trainable.run_epoch`."""
        total = 0.0
        for rows in batches:
            loss, gradient = self._loss_and_gradient(rows)
            for name, step in self._adam.steps(gradient).items():
                self._weights[name] -= self._rate * step
            total += loss
        return total / len(self._training.truth)

    def weights(self) -> Weights:
        """See `Trainable.weights`."""
        return {name: array.copy() for name, array in self._weights.items()}

    def state(self) -> Weights:
        """See `Trainable.state`."""
        return {**self.weights(), **self._adam.state()}

    def restore(self, state: Weights) -> None:
        """See `Trainable.restore`."""
        self._weights = {name: state[name].copy() for name in self._weights}
        self._adam.restore(state)

    def _loss_and_gradient(self, rows: Integers) -> tuple[float, dict[str, Floats]]:
        """The total loss of a batch, and the gradient of its mean loss."""
        training = self._training
        left, right, truth = training.left[rows], training.right[rows], training.truth[rows]
        fragments, positions = np.unique(np.concatenate([left, right]), return_inverse=True)
        bags, left, right = training.bags.take(fragments), positions[: len(rows)], positions[len(rows) :]
        shared = bags.shared(left, right)
        probability = _probability(self._weights, bags, left, right, shared)
        loss = -np.log(np.maximum(np.where(truth, probability, 1 - probability), 1e-300)).sum()
        error = (probability - truth) / len(rows)
        of_fragment = np.bincount(np.concatenate([left, right]), np.concatenate([error, error]), len(bags))
        gradient = {
            "has": np.bincount(bags.words, np.repeat(of_fragment, bags.sizes), bags.vocabulary_size),
            "shares": np.bincount(shared.words, np.repeat(error, shared.sizes), bags.vocabulary_size),
            "bias": error.sum(keepdims=True),
        }
        return float(loss), gradient


class _Adam:
    """The Adam optimiser (Kingma and Ba, 2015), with the paper's constants."""

    def __init__(self, shapes: Mapping[str, tuple[int, ...]]) -> None:
        self._mean = {name: np.zeros(shape) for name, shape in shapes.items()}
        self._square = {name: np.zeros(shape) for name, shape in shapes.items()}
        self._count = 0

    def steps(self, gradient: Mapping[str, Floats]) -> dict[str, Floats]:
        """The update of each array, to be subtracted."""
        self._count += 1
        steps = {}
        for name, array in gradient.items():
            self._mean[name] += 0.1 * (array - self._mean[name])
            self._square[name] += 0.001 * (array**2 - self._square[name])
            spread = np.sqrt(self._square[name] / (1 - 0.999**self._count))
            steps[name] = self._mean[name] / (1 - 0.9**self._count) / (spread + 1e-8)
        return steps

    def state(self) -> Weights:
        means = {f"mean/{name}": array.copy() for name, array in self._mean.items()}
        squares = {f"square/{name}": array.copy() for name, array in self._square.items()}
        return {**means, **squares, "count": np.array(self._count)}

    def restore(self, state: Weights) -> None:
        self._mean = {name: state[f"mean/{name}"].copy() for name in self._mean}
        self._square = {name: state[f"square/{name}"].copy() for name in self._square}
        self._count = int(state["count"])


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
)
IDENTIFIERS = BagLearner(
    "identifiers",
    "Probability of a clone, by a linear model of the names that fragments contain and share (Yu et al.).",
    words_of=identifier_words,
    score=logistic,
    shapes=shapes,
    load_factory=_load_factory,
    paper_threshold=0.5,
)
