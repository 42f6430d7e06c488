"""The tables of docs/generalisation.md: detectors × views × levels on four benchmarks.

    python -m bench.generalisation prepare DATA WORK     import the benchmarks (DATA has gcj/, poj104/, clcdsa/)
    python -m bench.generalisation run WORK [GRID…]      compute grids; the same command resumes an interrupted run
    python -m bench.generalisation tables WORK           print the tables that the page has
    python -m bench.generalisation picture WORK FILE     draw the drop as an SVG file

`--full` takes the whole grid, for a larger machine: all detectors and learners, five divisions, more pairs and epochs.
Its results go to other folders than those of the small grid. `--processes N` computes cells in parallel.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import clonetruth
from clonetruth.store.matrix import MatrixSummary

VIEWS = ("random", "cross-project", "cross-functionality", "cross-all")
NO_PROJECTS = ("random", "cross-functionality")
"""The views of a benchmark whose fragments have no project."""
CLASSICAL = ("tokens", "nearmiss", "ncd", "identifier-overlap", "ngrams")
ALL_CLASSICAL = (
    *CLASSICAL,
    "exact",
    "renamed",
    "largegap",
    "winnowing",
    "metrics",
    "token-similarity",
    "line-similarity",
)
NEURAL = ("mlp", "astnn", "tbccd", "fa-ast")
ALL_LEARNERS = (*NEURAL, "linear", "identifiers", "oreo", "clcdsa", "semantic")


@dataclass(frozen=True)
class Grid:
    """One matrix.

    Attributes:
        benchmark: the folder of the benchmark in the working folder.
        detectors: detectors and learners.
        views: the views.
        levels: the levels of abstraction.
        seeds: number of divisions that are asked for.
        pairs: the most pairs of train, valid and test.
        share: the share of clones among the drawn pairs; None takes the pairs of the benchmark as they are.
        epochs: the most epochs of a training.
        policy: how judgements become verdicts.
    """

    benchmark: str
    detectors: Sequence[str]
    views: Sequence[str]
    levels: Sequence[int]
    seeds: int
    pairs: tuple[int, int, int]
    share: float | None = 0.25
    epochs: int = 20
    policy: str = "members"

    def run(self, work: Path, name: str, processes: int) -> MatrixSummary:
        """Compute the cells that are missing."""
        train, valid, test = self.pairs
        return clonetruth.run_matrix(
            on=work / self.benchmark,
            detectors=list(self.detectors),
            views=list(self.views),
            levels=list(self.levels),
            seeds=self.seeds,
            policy=self.policy,
            train_pairs=train,
            valid_pairs=valid,
            test_pairs=test,
            clone_share=self.share,
            epochs=self.epochs,
            processes=processes,
            output=work / f"matrix-{name}",
            on_step=lambda step: print(
                f"{name}: {step.done}/{step.total} {step.cell}, {step.seconds:.0f} s", flush=True
            ),
        )


SMALL = {
    "gcj-neural": Grid("gcj", NEURAL, NO_PROJECTS, (1,), 3, (2_000, 500, 1_500), epochs=3),
    "gcj-classical": Grid("gcj", CLASSICAL, VIEWS, (0, 1, 2, 3), 5, (2_000, 400, 800)),
    "embedded": Grid("embedded", CLASSICAL, NO_PROJECTS, (0, 1, 2, 3), 5, (2_000, 400, 800), None, policy="default"),
    "poj-neural": Grid("poj", NEURAL, NO_PROJECTS, (1,), 3, (2_000, 500, 1_500), epochs=3),
    "clcdsa-classical": Grid("clcdsa", CLASSICAL, NO_PROJECTS, (0, 1, 2, 3), 5, (2_000, 400, 800)),
    "poj-classical": Grid("poj", CLASSICAL, NO_PROJECTS, (0, 1, 2, 3), 5, (2_000, 400, 800)),
}
"""What fits into an hour of one core."""

_EVERYTHING = (*ALL_CLASSICAL, *ALL_LEARNERS)
_LARGE = (400_000, 50_000, 250_000)
FULL = {
    "full-gcj": Grid("gcj", _EVERYTHING, VIEWS, (0, 1, 2, 3), 5, _LARGE),
    "full-poj": Grid("poj", _EVERYTHING, NO_PROJECTS, (0, 1, 2, 3), 5, _LARGE),
    "full-clcdsa": Grid("clcdsa", _EVERYTHING, NO_PROJECTS, (0, 1, 2, 3), 5, _LARGE),
    "full-embedded": Grid("embedded", _EVERYTHING, NO_PROJECTS, (0, 1, 2, 3), 5, _LARGE, None, policy="default"),
}
"""The number of pairs of Li et al. (2023), as far as a benchmark has so many."""


def prepare(data: Path, work: Path) -> None:
    """Import the benchmarks."""
    gcj = [data / "gcj" / name for name in ("data.jsonl.gz", "googlejam4_src.zip", "valid.txt.gz")]
    clonetruth.import_dataset("gcj", gcj, output=work / "gcj")
    clonetruth.import_dataset("codexglue-poj104", [data / "poj104" / "poj104.jsonl.xz"], output=work / "poj-all")
    clonetruth.import_dataset("clcdsa", [data / "clcdsa" / "clcdsa_subset.jsonl.xz"], output=work / "clcdsa-all")
    clonetruth.import_dataset("embedded", output=work / "embedded")

    leave_out = "leave-out"
    clonetruth.build_contest(
        work / "poj-all", at_least=100, cap=100, overlapping_problems=leave_out, pairs=False, output=work / "poj"
    )
    clonetruth.build_contest(
        work / "clcdsa-all", at_least=6, overlapping_problems=leave_out, pairs=False, output=work / "clcdsa"
    )


def main() -> None:
    """Prepare, compute or print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    one = verbs.add_parser("prepare")
    one.add_argument("data", type=Path)
    one.add_argument("work", type=Path)
    one = verbs.add_parser("run")
    one.add_argument("work", type=Path)
    one.add_argument("grids", nargs="*")
    one.add_argument("--full", action="store_true")
    one.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    if given.verb == "prepare":
        prepare(given.data, given.work)
    elif given.verb == "run":
        grids = FULL if given.full else SMALL
        for name in given.grids or grids:
            grids[name].run(given.work, name, given.processes)


if __name__ == "__main__":
    main()
