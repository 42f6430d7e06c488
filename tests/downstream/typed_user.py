"""A small project that uses clonetruth, checked by `mypy --strict` against the installed wheel (.ci/check-package)."""

from __future__ import annotations

from pathlib import Path

import clonetruth


def same_length(left: str, right: str) -> float:
    """A detector: texts of the same length are clones."""
    return 1.0 if len(left) == len(right) else 0.0


def main(folder: Path) -> None:
    """Import, audit, evaluate, find, study: what the notebooks do, with types."""
    clonetruth.import_dataset("embedded", output=folder / "benchmark")
    benchmark = clonetruth.Benchmark.open(folder / "benchmark")
    counts: dict[str, int] = {str(verdict): n for verdict, n in clonetruth.judge_verdicts(benchmark).counts.items()}
    codes: list[str] = [finding.code for finding in clonetruth.audit_benchmark(benchmark).findings]
    result = clonetruth.evaluate_detector(same_length, on=benchmark, threshold=1.0)
    value: float | None = result.result["f1"].value
    classes: int = clonetruth.find_clones(Path(__file__).parent, min_tokens=30).classes_found
    study = clonetruth.sample_study(benchmark, output=folder / "study", n=20)
    print(counts, codes, value, classes, study)


if __name__ == "__main__":
    main(Path())
