"""How well a small model predicts a yes-or-no fact from features: cross-validated, with a permutation test.

Two models try: a ridge regression on all features, and the best single feature. Neither is meant to be good at
predicting; they are meant to notice that something can be predicted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clonetruth.stats.ranking import roc_auc
from clonetruth.stats.rates import Floats, Integers

FOLDS = 5
PERMUTATIONS = 999

_FIRST, _HOPELESS = 199, 0.1
"""Permutations that are always made, and the p-value above which no more follow."""
_RIDGE = 0.05
"""The penalty, relative to the number of cases that a model is fitted on."""


@dataclass(frozen=True)
class Predictability:
    """How well a fact is predicted.

    Attributes:
        auc: the area under the ROC curve of the better model, on cases that it was not fitted on; 0.5 is guessing.
        p_value: the probability of predicting as well or better if features and fact had nothing to do with each
            other.
    """

    auc: float
    p_value: float


def measure_predictability(
    features: Floats, truth: npt.NDArray[np.bool_], folds: Integers, seed: int = 0, permutations: int = PERMUTATIONS
) -> Predictability:
    """Measure how well features predict a fact.

    The test is exact where the fact could have been assigned to the cases in any order, whatever the features are.

    Args:
        features: one row per case.
        truth: the fact; some cases must have it and some not.
        folds: the fold of each case, from 0; it must not depend on the fact.
        seed: the random seed of the permutations.
        permutations: how often the fact is shuffled.
    """
    found = _try(features, truth, folds, seed, min(permutations, _FIRST))
    # Where the first permutations show that nothing is predicted, the others would show it again.
    return found if found.p_value > _HOPELESS else _try(features, truth, folds, seed, permutations)


def _try(
    features: Floats, truth: npt.NDArray[np.bool_], folds: Integers, seed: int, permutations: int
) -> Predictability:
    generator = np.random.default_rng(seed)
    facts = np.empty((len(truth), permutations + 1))
    facts[:, 0] = truth
    for column in range(1, permutations + 1):
        facts[:, column] = generator.permutation(truth)
    ridge, single = np.zeros_like(facts), np.zeros_like(facts)
    for fold in np.unique(folds):
        test, train = folds == fold, folds != fold
        fitted, asked = _standardised(features[train], features[test])
        known = facts[train] - facts[train].mean(axis=0)
        kernel = fitted @ fitted.T / features.shape[1] + _RIDGE * len(fitted) * np.eye(len(fitted))
        ridge[test] = (asked @ np.linalg.solve(kernel, fitted).T) @ known / features.shape[1]
        slopes = fitted.T @ known / len(fitted)
        best = np.abs(slopes).argmax(axis=0)
        single[test] = asked[:, best] * slopes[best, np.arange(permutations + 1)]
    scores = [_correlations(one, facts) for one in (ridge, single)]
    reached = np.maximum(*scores)
    better = (ridge, single)[int(scores[1][0] > scores[0][0])][:, 0]
    at_least = int((reached[1:] >= reached[0] - 1e-9).sum())
    return Predictability(roc_auc(np.round(better, 9), truth) or 0.5, (1 + at_least) / (permutations + 1))


def assign_folds(groups: Integers, seed: int = 0, folds: int = FOLDS) -> Integers:
    """Divide cases into folds of similar size, with the cases of a group in one fold.

    A group that is larger than a fold should be is divided like the others, case by case.
    """
    generator = np.random.default_rng(seed)
    _, numbered, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    divided = sizes[numbered] > max(1, len(groups) // folds)
    # Each case of a divided group is a group of its own.
    numbered = np.where(divided, len(sizes) + np.arange(len(groups)), numbered)
    found = np.zeros(len(groups), dtype=np.int64)
    loads = np.zeros(folds, dtype=np.int64)
    for group in generator.permutation(np.unique(numbered)):
        members = numbered == group
        fold = int(loads.argmin())
        found[members] = fold
        loads[fold] += members.sum()
    return found


def connected_groups(links: Sequence[Sequence[object]]) -> Integers:
    """Number the cases so that those that share a link, directly or through others, have one number."""
    parents = list(range(len(links)))

    def root(case: int) -> int:
        while parents[case] != case:
            parents[case] = parents[parents[case]]
            case = parents[case]
        return case

    first: dict[object, int] = {}
    for case, own in enumerate(links):
        for link in own:
            parents[root(case)] = root(first.setdefault(link, case))
    return np.array([root(case) for case in range(len(links))], dtype=np.int64)


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's correction: p-values that hold for all tests of a family together, in the given order."""
    corrected = [1.0] * len(p_values)
    largest = 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=lambda one: p_values[one])):
        largest = max(largest, min(1.0, p_values[index] * (len(p_values) - place)))
        corrected[index] = largest
    return corrected


def _standardised(train: Floats, test: Floats) -> tuple[Floats, Floats]:
    mean, spread = train.mean(axis=0), train.std(axis=0)
    spread[spread < 1e-12] = np.inf
    return (train - mean) / spread, (test - mean) / spread


def _correlations(scores: Floats, facts: Floats) -> Floats:
    scores = scores - scores.mean(axis=0)
    facts = facts - facts.mean(axis=0)
    length = np.sqrt((scores**2).sum(axis=0) * (facts**2).sum(axis=0))
    found: Floats = (scores * facts).sum(axis=0) / np.maximum(length, 1e-12)
    return found
