"""`linear` against scikit-learn's logistic regression: ``python -m bench.bench_linear ARCHIVE``.

ARCHIVE is `googlejam4_src.zip` (see docs/sources.md). Both models get the same words and the same pairs, as sampled for
docs/matrix.md (20,000 training pairs, a quarter of them clones) and docs/learned-detectors.md (half clones), and both
thresholds are chosen on the validation part. scikit-learn runs as it comes (`LogisticRegression(max_iter=1000)`), and
with C chosen on the validation part.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from bench.bench_learning import POLICY, VIEWS, make_benchmark
from bench.measurement import machine, measure
from clonetruth.evaluate.pairs.detector_scores import read_fragments
from clonetruth.evaluate.pairs.pair_set import PairSet
from clonetruth.evaluate.pairs.training import TrainingSelection, train_on_benchmark
from clonetruth.splits import Sampling, SplitSpec, create_split
from clonetruth.store import Benchmark
from clonetruth.training import TrainingSpec, training_cautions
from clonetruth.training.trainer import best_threshold
from clonetruth.verdicts import judge_verdicts

SAMPLINGS = (Sampling(train_pairs=20_000, clone_share=0.25), Sampling(clone_share=0.5))
STRENGTHS = [10.0**power for power in range(-5, 4)]


def features(benchmark: Benchmark, detector: Any, pair_set: PairSet, part: str) -> tuple[Any, Any]:
    """The words of either side (counted) and of both sides, and the labels, of the pairs of a part."""
    from scipy.sparse import csr_matrix, hstack

    subjects = pair_set.subjects(part)
    keys = np.unique(np.concatenate([subjects.left, subjects.right]))
    bags = detector.vocabulary.bags(detector.reader.read(read_fragments(benchmark, keys)))
    words = csr_matrix((np.ones(len(bags.words)), bags.words, bags.starts), shape=(len(bags), bags.vocabulary_size))
    one, other = (words[np.searchsorted(keys, side)] for side in (subjects.left, subjects.right))
    return hstack([one + other, one.multiply(other)]).tocsr(), subjects.truth


def f1_at(scores: Any, truth: Any, threshold: float) -> float:
    predicted = scores >= threshold
    return float(2 * (predicted & truth).sum() / max(predicted.sum() + truth.sum(), 1))


def rivals(parts: dict[str, tuple[Any, Any]]) -> Iterator[tuple[str, float, Any, Any]]:
    """Each model with its CPU seconds, and its scores of the validation and the test part."""
    for name, strengths in (("scikit-learn, C = 1", [1.0]), ("scikit-learn, C by validation", STRENGTHS)):
        tried = []
        seconds = 0.0
        for strength in strengths:
            model = LogisticRegression(C=strength, max_iter=1000)
            fitted = measure(partial(model.fit, *parts["train"]))
            seconds += fitted.cpu
            valid, test = (model.predict_proba(parts[part][0])[:, 1] for part in ("valid", "test"))
            tried.append((best_threshold(valid, parts["valid"][1])[1], strength, valid, test))
        best = max(tried, key=lambda one: one[0])
        yield f"{name} ({best[1]:g})", seconds, best[2], best[3]


def main(archive: Path) -> None:
    print(f"{machine()}\n")
    print("| cell | model | CPU s | F1 valid | F1 test | ROC-AUC test |")
    print("| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory(prefix="bench-linear-") as folder:
        benchmark = make_benchmark(archive, Path(folder))
        verdicts = judge_verdicts(benchmark, POLICY, None)
        for number, sampling in enumerate(SAMPLINGS, start=1):
            for view, variant in VIEWS:
                spec = SplitSpec(view=view, seed=number, variant=variant, policy=POLICY, sampling=sampling)
                split = create_split(benchmark, spec).name
                selection = TrainingSelection(split, POLICY)
                trained = measure(partial(train_on_benchmark, benchmark, "linear", selection, TrainingSpec()))
                detector: Any = trained.result[0]
                pair_set = PairSet(benchmark, verdicts, split)
                parts = {part: features(benchmark, detector, pair_set, part) for part in ("train", "valid", "test")}
                own = []
                for part in ("valid", "test"):
                    x, _ = parts[part]
                    weights = np.concatenate([detector.weights["has"], detector.weights["shares"]])
                    own.append(1 / (1 + np.exp(-(x @ weights + detector.weights["bias"][0]))))
                best = int(np.argmax([epoch.f1 for epoch in detector.history])) + 1
                models = [(f"linear (epoch {best} of {len(detector.history)})", trained.cpu, *own), *rivals(parts)]
                for name, seconds, valid, test in models:
                    threshold, f1 = best_threshold(valid, parts["valid"][1])
                    tested = f1_at(test, parts["test"][1], threshold)
                    auc = roc_auc_score(parts["test"][1], test)
                    print(
                        f"| {split}, {sampling.clone_share:.0%} clones | {name} | {seconds:.0f} | {f1:.3f} "
                        f"| {tested:.3f} | {auc:.3f} |",
                        flush=True,
                    )
                for caution in training_cautions(detector):
                    print(caution)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
