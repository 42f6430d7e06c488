"""What parts of `semantic` gain on unseen functionalities: `python -m bench.semantic_choices FOLDER [--divisions 5]`.

FOLDER is a benchmark with functionalities, of which none may be tested elsewhere: choices are made here. Each division
trains on some functionalities and is tested on others. Prints average precision, the highest F1 that a threshold
reaches, and F1 with the threshold of the training, for

- `few`: few functionalities, without a learned vector: the share of the cohort that counts, the prior of
  weights, and the examples that ship;
- `many`: most functionalities, with a learned vector of several sizes; also MAP@R.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from pathlib import Path

import numpy as np

from bench.semantic_prototype import draw, f1
from bench.train_semantic import SOLUTIONS_SQL
from clonetruth.code.canonical import ViewCounts, read_views
from clonetruth.detectors.semantic import SemanticFragments, ViewModel, projection, shipped_model
from clonetruth.store import open_benchmark
from clonetruth.training import held_out
from clonetruth.training.held_out import HeldOutExamples, LabelledCounts, learned_background, training_background
from clonetruth.training.trainer import best_threshold
from clonetruth.training.view_weights import ViewWeights

PAIRS, EPOCHS = 12_000, 14
SHARES, SIZES = (1.0, 0.3), (900, 1_600)


class Part:
    """Fragments of some functionalities, at most a number of each, and labelled pairs of them."""

    def __init__(self, counts: ViewCounts, names: list[str], problem: np.ndarray, rows: np.ndarray, seed: int) -> None:
        self.problem = problem[rows]
        self.names = [names[row] for row in rows.tolist()]
        self.counts = counts.take(rows)
        self.left, self.right, self.truth = draw(self.problem, PAIRS, seed)

    def labelled(self) -> LabelledCounts:
        """As a training needs it."""
        return LabelledCounts(self.counts, self.names, self.left, self.right, self.truth)


def fitted(examples: HeldOutExamples, *, prior: bool) -> tuple[ViewModel, float]:
    """The model of the epoch with the highest F1 on held-out functionalities, and its threshold."""
    weights = shipped_model().fitted.weights if prior else None
    model = ViewWeights(examples.similarities, examples.truth, examples.fold, weights)
    best, final = -1.0, np.zeros(0)
    for _ in range(EPOCHS):
        model.run_epoch(iter(()))
        scores = ViewWeights.out_of_fold(model.weights(), examples.similarities, examples.fold)
        found = best_threshold(scores, examples.truth)[1]
        if found > best:
            best, final = found, model.weights()["final"]
    return ViewModel(final[:-1], float(final[-1])), best / 2


def tested(part: Part, own: SemanticFragments, model: ViewModel, threshold: float) -> list[float]:
    """Average precision, highest F1, F1 with the threshold."""
    scores = model.probabilities(*own.similarities(part.left, part.right))
    found = part.truth[np.argsort(-scores, kind="stable")]
    precision = (np.cumsum(found) / np.arange(1, len(found) + 1))[found].mean()
    return [float(precision), best_threshold(scores, part.truth)[1], f1(scores, part.truth, threshold)]


def map_at_r(own: SemanticFragments, model: ViewModel, problem: np.ndarray) -> float:
    """MAP@R of all fragments among each other."""
    values = []
    for row in range(len(own)):
        scores = model.log_odds(own.against_all(np.array([row]), model.used)[0][0])
        scores[row] = -np.inf
        others = int((problem == problem[row]).sum()) - 1
        hit = problem[np.argsort(-scores, kind="stable")[:others]] == problem[row]
        values.append((hit * np.cumsum(hit) / np.arange(1, others + 1)).sum() / others)
    return float(np.mean(values))


def few(train: Part, test: Part, seed: int, found: dict[str, list[list[float]]]) -> None:
    """Shares of the cohort, the prior of the weights, and the examples that ship."""
    data, usual = train.labelled(), held_out.NEAREST
    for share in SHARES:
        held_out.NEAREST = share
        examples = HeldOutExamples.of(data, seed, learns=False)
        background = training_background(data, np.arange(len(data.counts)), data.functionality(), seed)
        own = SemanticFragments.of(test.counts, test.names, background)
        for prior in (False, True):
            key = f"nearest {share:g} of the cohort, {'prior' if prior else 'no prior'}"
            found[key].append(tested(test, own, *fitted(examples, prior=prior)))
        more = examples.with_shipped(data, seed)
        found[f"{key}, examples that ship"].append(tested(test, own, *fitted(more, prior=True)))
    held_out.NEAREST = usual


def many(train: Part, test: Part, seed: int, found: dict[str, list[list[float]]]) -> None:
    """Sizes of the learned vector."""
    data, usual = train.labelled(), projection.SIZE
    for size in SIZES:
        projection.SIZE = size
        examples = HeldOutExamples.of(data, seed)
        functionality = data.functionality()
        background = training_background(data, np.arange(len(data.counts)), functionality, seed)
        if examples.weights is not None:
            background = learned_background(background, data.counts, functionality, examples.weights, seed)
        own = SemanticFragments.of(test.counts, test.names, background)
        model, threshold = fitted(examples, prior=True)
        key = f"vector of {size}{'' if examples.weights is not None else ' (not kept)'}"
        found[key].append([*tested(test, own, model, threshold), map_at_r(own, model, test.problem)])
    projection.SIZE = usual


def main() -> None:
    """Compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--what", choices=("few", "many"), default="few")
    parser.add_argument("--train", type=int, default=6, help="Functionalities to train on.")
    parser.add_argument("--test", type=int, default=4, help="Functionalities to test.")
    parser.add_argument("--each", type=int, default=40, help="Fragments of each, at most.")
    parser.add_argument("--divisions", type=int, default=5)
    given = parser.parse_args()
    rows = open_benchmark(given.folder).sql(SOLUTIONS_SQL).to_pylist()
    names = [row["language"] for row in rows]
    problem = np.unique([row["task"] for row in rows], return_inverse=True)[1]
    counts = ViewCounts.joined(list(read_views([row["text"] for row in rows], names)))
    found: dict[str, list[list[float]]] = defaultdict(list)
    for seed in range(given.divisions):
        random = np.random.default_rng([seed, 79])
        order = random.permutation(int(problem.max()) + 1)
        parts = []
        for chosen in (order[: given.train], order[given.train : given.train + given.test]):
            each = [random.permutation(np.flatnonzero(problem == one))[: given.each] for one in chosen]
            parts.append(Part(counts, names, problem, np.sort(np.concatenate(each)), seed))
        (few if given.what == "few" else many)(parts[0], parts[1], seed, found)
    for key, values in found.items():
        shown = dict(zip(("AP", "highest F1", "F1", "MAP@R"), np.mean(values, axis=0).tolist(), strict=False))
        print(f"{key}: {', '.join(f'{name} {value:.3f}' for name, value in shown.items())} ({len(values)} divisions)")


if __name__ == "__main__":
    main()
