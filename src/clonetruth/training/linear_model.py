"""Linear models over words: which words two fragments share, and which they have.

The score of a pair is the logistic function of a bias, a weight for each word that either side has (counted for each
side), and a second weight for each word that both sides have. `identifiers` reads names only, as the linear model
of Yu et al. did (“Assessing and Improving an Evaluation Dataset for Detecting Semantic Code Clones via Deep Learning”,
TOSEM 2022), which on BigCloneBench came close to the networks of its time. `linear` reads what `mlp` reads. Both need
numpy only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from clonetruth.detectors.word_bags import WordBags
from clonetruth.training.bag_detector import BagLearner, PupilMaker, TrainingSet
from clonetruth.training.learner import TrainingOptions
from clonetruth.training.trainer import Floats, Integers, Weights
from clonetruth.training.word_lists import names, tree_words

_PAIRS = 50_000
"""Pairs at a time: bounds memory."""
_FASTER = 3.0
"""How much faster than a network the weights move: nothing lies between them and the score."""


def shapes(words: int) -> dict[str, tuple[int, ...]]:
    """The shapes of the weights."""
    return {"has": (words,), "shares": (words,), "bias": (1,)}


def logistic(
    weights: Weights, bags: WordBags, left: Integers, right: Integers, report: Callable[[int], None]
) -> Floats:
    """The chances that pairs are clones; see `bag_detector.Score`."""
    values = np.zeros(len(left))
    for start in range(0, len(left), _PAIRS):
        a, b = left[start : start + _PAIRS], right[start : start + _PAIRS]
        values[start : start + _PAIRS] = _chance(weights, bags, a, b, bags.shared(a, b))
        report(len(a))
    return values


def _chance(weights: Weights, bags: WordBags, left: Integers, right: Integers, shared: WordBags) -> Floats:
    own = _sums(weights["has"], bags)
    # The sides are added first, so that their order cannot change the last digit.
    odds = weights["bias"] + (own[left] + own[right]) + _sums(weights["shares"], shared)
    chance: Floats = 1 / (1 + np.exp(-np.clip(odds, -500, 500)))
    return chance


def _sums(weights: Floats, bags: WordBags) -> Floats:
    owners = np.repeat(np.arange(len(bags)), bags.sizes)
    sums: Floats = np.bincount(owners, weights[bags.words], len(bags)).astype(np.float64)
    return sums


class Logistic:
    """Logistic regression by steps along the gradient (Adam); see `schooling.Pupil`."""

    def __init__(self, lesson: TrainingSet, options: TrainingOptions) -> None:
        self._lesson = lesson
        self._rate = options.rate * _FASTER
        own = shapes(lesson.bags.kinds)
        self._weights: dict[str, Floats] = {name: np.zeros(shape) for name, shape in own.items()}
        self._adam = _Adam(own)

    def study(self, batches: Iterator[Integers]) -> float:
        """See `Pupil.study`."""
        total = 0.0
        for rows in batches:
            loss, gradient = self._slope(rows)
            for name, step in self._adam.steps(gradient).items():
                self._weights[name] -= self._rate * step
            total += loss
        return total / len(self._lesson.truth)

    def weights(self) -> Weights:
        """See `Pupil.weights`."""
        return {name: array.copy() for name, array in self._weights.items()}

    def state(self) -> Weights:
        """See `Pupil.state`."""
        return {**self.weights(), **self._adam.state()}

    def restore(self, state: Weights) -> None:
        """See `Pupil.restore`."""
        self._weights = {name: state[name].copy() for name in self._weights}
        self._adam.restore(state)

    def _slope(self, rows: Integers) -> tuple[float, dict[str, Floats]]:
        """The sum of the losses of pairs, and the gradient of their mean."""
        lesson = self._lesson
        left, right, truth = lesson.left[rows], lesson.right[rows], lesson.truth[rows]
        fragments, places = np.unique(np.concatenate([left, right]), return_inverse=True)
        bags, left, right = lesson.bags.take(fragments), places[: len(rows)], places[len(rows) :]
        shared = bags.shared(left, right)
        chance = _chance(self._weights, bags, left, right, shared)
        loss = -np.log(np.maximum(np.where(truth, chance, 1 - chance), 1e-300)).sum()
        error = (chance - truth) / len(rows)
        of_fragment = np.bincount(np.concatenate([left, right]), np.concatenate([error, error]), len(bags))
        gradient = {
            "has": np.bincount(bags.words, np.repeat(of_fragment, bags.sizes), bags.kinds),
            "shares": np.bincount(shared.words, np.repeat(error, shared.sizes), bags.kinds),
            "bias": error.sum(keepdims=True),
        }
        return float(loss), gradient


class _Adam:
    """Kingma and Ba's steps, with their constants."""

    def __init__(self, shapes: Mapping[str, tuple[int, ...]]) -> None:
        self._mean = {name: np.zeros(shape) for name, shape in shapes.items()}
        self._square = {name: np.zeros(shape) for name, shape in shapes.items()}
        self._count = 0

    def steps(self, gradient: Mapping[str, Floats]) -> dict[str, Floats]:
        """The direction to go against, for each array."""
        self._count += 1
        found = {}
        for name, slope in gradient.items():
            self._mean[name] += 0.1 * (slope - self._mean[name])
            self._square[name] += 0.001 * (slope**2 - self._square[name])
            spread = np.sqrt(self._square[name] / (1 - 0.999**self._count))
            found[name] = self._mean[name] / (1 - 0.9**self._count) / (spread + 1e-8)
        return found

    def state(self) -> Weights:
        means = {f"mean/{name}": array.copy() for name, array in self._mean.items()}
        squares = {f"square/{name}": array.copy() for name, array in self._square.items()}
        return {**means, **squares, "count": np.array(self._count)}

    def restore(self, state: Weights) -> None:
        self._mean = {name: state[f"mean/{name}"].copy() for name in self._mean}
        self._square = {name: state[f"square/{name}"].copy() for name in self._square}
        self._count = int(state["count"])


def _pupils() -> PupilMaker:
    return Logistic


LINEAR = BagLearner(
    "linear",
    "Chance of a clone by a linear model of the words of the syntax trees that fragments have and share.",
    words_of=tree_words,
    score=logistic,
    shapes=shapes,
    pupils=_pupils,
    paper_threshold=0.5,
)
IDENTIFIERS = BagLearner(
    "identifiers",
    "Chance of a clone by a linear model of the names that fragments have and share (Yu et al.).",
    words_of=names,
    score=logistic,
    shapes=shapes,
    pupils=_pupils,
    paper_threshold=0.5,
)
