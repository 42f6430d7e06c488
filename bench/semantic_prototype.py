"""The prototype's method, measured with thresholds from training problems: `python -m bench.semantic_prototype FOLDER`.

The prototype averaged two scores of a pair: the mean of its similarities in 24 views, compared with unrelated code, and
gradient boosting with monotone constraints on the same numbers. FOLDER is a benchmark with functionalities, such as
Code Jam. Its problems are divided into four folds; in each, the others give the background, the model and the
threshold, on problems that were held out of them. Needs `lightgbm`, which the project does not depend on.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import numpy as np

from bench.train_semantic import SOLUTIONS_SQL
from clonetruth.code.canonical import VIEWS, ViewCounts, read_views
from clonetruth.detectors.semantic import SemanticFragments
from clonetruth.store import open_benchmark
from clonetruth.training import held_out
from clonetruth.training.held_out import HeldOutExamples, LabelledCounts, training_background
from clonetruth.training.trainer import best_threshold

FOLDS, TRAIN, TEST, CLONE_SHARE = 4, 20_000, 8_000, 0.25
TREES = {"num_leaves": 15, "learning_rate": 0.05, "min_data_in_leaf": 50, "num_threads": 1, "verbosity": -1, "seed": 1}
ROUNDS = 150


def main(folder: Path) -> None:
    """Measure every fold."""
    held_out.NEAREST = 1.0  # the prototype compared with the whole cohort
    rows = open_benchmark(folder).sql(SOLUTIONS_SQL).to_pylist()
    names = [row["language"] for row in rows]
    problem = np.unique([row["task"] for row in rows], return_inverse=True)[1]
    counts = ViewCounts.joined(list(read_views([row["text"] for row in rows], names)))
    folds = np.random.default_rng(1).permutation(int(problem.max()) + 1) % FOLDS
    found = []
    for number in range(FOLDS):
        tested = folds[problem] == number
        train, test = np.flatnonzero(~tested), np.flatnonzero(tested)
        left, right, truth = draw(problem[train], TRAIN, number)
        data = LabelledCounts(counts.take(train), [names[row] for row in train.tolist()], left, right, truth)
        examples = HeldOutExamples.of(data, number, learns=False, lifts=False)
        background = training_background(data, np.arange(len(train)), None, number)
        own = SemanticFragments.of(counts.take(test), [names[row] for row in test.tolist()], background)
        a, b, clone = draw(problem[test], TEST, number)
        found.append(fold_f1(examples, own.similarities(a, b)[0].astype(np.float64), clone))
        print(f"fold {number + 1}: mean of views {found[-1][0]:.3f}, with boosting {found[-1][1]:.3f}")
    mean = np.mean(found, axis=0)
    print(f"F1, mean of {FOLDS} folds: mean of views {mean[0]:.3f}, with boosting {mean[1]:.3f}")


def draw(problem: np.ndarray, most: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Distinct pairs with the stated share of clones."""
    random = np.random.default_rng([seed, 3])
    pairs = np.unique(np.sort(random.integers(0, len(problem), (most * 20, 2)), axis=1), axis=0)
    pairs = random.permutation(pairs[pairs[:, 0] < pairs[:, 1]])
    same = problem[pairs[:, 0]] == problem[pairs[:, 1]]
    clones = np.flatnonzero(same)[: round(most * CLONE_SHARE)]
    others = np.flatnonzero(~same)[: round(len(clones) * (1 - CLONE_SHARE) / CLONE_SHARE)]
    chosen = pairs[np.concatenate([clones, others])]
    return chosen[:, 0], chosen[:, 1], np.arange(len(chosen)) < len(clones)


def fold_f1(examples: HeldOutExamples, tested: np.ndarray, truth: np.ndarray) -> tuple[float, float]:
    """F1 of the mean of the views, and of its average with boosting, each at a threshold from held-out problems."""
    inner = np.full(len(examples.truth), np.nan)
    for fold in range(int(examples.fold.max()) + 1):
        fitted, asked = (examples.fold != fold).all(axis=1), (examples.fold == fold).any(axis=1)
        if fitted.any() and 0 < examples.truth[fitted].sum() < fitted.sum():
            inner[asked] = boosted(examples.similarities[fitted], examples.truth[fitted], examples.similarities[asked])
    known = ~np.isnan(inner)
    outer = boosted(examples.similarities, examples.truth, tested)
    plain, plain_tested = examples.similarities.mean(axis=1), tested.mean(axis=1)
    both, both_tested = plain[known] + inner[known], plain_tested + outer
    return (
        f1(plain_tested, truth, best_threshold(plain, examples.truth)[0]),
        f1(both_tested, truth, best_threshold(both, examples.truth[known])[0]),
    )


def boosted(x: np.ndarray, truth: np.ndarray, asked: np.ndarray) -> np.ndarray:
    """The log-odds of a monotone model."""
    lightgbm = import_module("lightgbm")
    options = {**TREES, "objective": "binary", "monotone_constraints": [1] * len(VIEWS)}
    model = lightgbm.train(options, lightgbm.Dataset(x, truth.astype(float)), ROUNDS)
    return np.asarray(model.predict(asked, raw_score=True))


def f1(scores: np.ndarray, truth: np.ndarray, threshold: float) -> float:
    """F1 of what reaches a threshold."""
    reported = scores >= threshold
    return float(2 * (reported & truth).sum() / max(reported.sum() + truth.sum(), 1))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
