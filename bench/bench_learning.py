"""Training on Google Code Jam, one view and one level: ``python -m bench.bench_learning ARCHIVE [LEVEL]``.

ARCHIVE is `googlejam4_src.zip` (see docs/sources.md); all problems with at least 18 programs are used. Trains every
learner on the random view and on Li et al.'s variant of the cross-functionality view, where half of the pairs in each
part are clones. Prints CPU seconds, wall-clock seconds, and F1 on the test part at the threshold chosen on the
validation part.
"""

from __future__ import annotations

import sys
import tempfile
from functools import partial
from pathlib import Path

from bench.measurement import machine, measure, peak_memory
from clonetruth.build.contest import ContestParameters, derive_contest
from clonetruth.detectors import Detector
from clonetruth.evaluate.pairs.evaluation import evaluate_pairs
from clonetruth.evaluate.pairs.options import PairsOptions
from clonetruth.evaluate.pairs.training import TrainingSelection, train_on_benchmark
from clonetruth.sources import import_dataset
from clonetruth.splits import Sampling, SplitSpec, create_split
from clonetruth.store import Benchmark
from clonetruth.training import LEARNERS, TrainingSpec

POLICY = "members"
VIEWS = (("random", None), ("cross-functionality", "li2023"))


def make_benchmark(archive: Path, folder: Path) -> Benchmark:
    """Import the contest and build its pairs."""
    imported = import_dataset("gcj", [archive], output=folder / "gcj")
    derive_contest(Benchmark.open(imported.path), folder / "paired", ContestParameters(solutions=18))
    return Benchmark.open(folder / "paired")


def test_f1(benchmark: Benchmark, detector: Detector, view: str) -> float | None:
    """F1 on the test part at the detector's own threshold."""
    options = PairsOptions(policy=POLICY, view=view, part="test", threshold=detector.default_threshold, baselines=())
    result = evaluate_pairs(benchmark, detector, options)
    return next(one.value for one in result.headline if one.name == "f1")


def main(archive: Path, level: int) -> None:
    print(f"{machine()}; level {level}\n")
    print("| learner | view | pairs | epochs | CPU s | s | F1 valid | F1 test |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory(prefix="bench-learning-") as folder:
        benchmark = make_benchmark(archive, Path(folder))
        for view, variant in VIEWS:
            spec = SplitSpec(view=view, seed=1, variant=variant, policy=POLICY, sampling=Sampling(clone_share=0.5))
            name = create_split(benchmark, spec).name
            for learner in LEARNERS:
                selection, options = TrainingSelection(name, POLICY), TrainingSpec(level=level)
                trained = measure(partial(train_on_benchmark, benchmark, learner, selection, options))
                detector, manifest = trained.result
                best = max(epoch.f1 for epoch in detector.history)
                f1 = test_f1(benchmark, detector, name)
                print(
                    f"| {learner} | {view} | {manifest.configuration['train_pairs']:,} | {len(detector.history)} "
                    f"| {trained.cpu:.0f} | {trained.wall:.0f} | {best:.3f} | {f1:.3f} |",
                    flush=True,
                )
    print(f"\nPeak memory {peak_memory():.1f} GB.")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
