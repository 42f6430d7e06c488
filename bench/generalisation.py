"""The tables of docs/generalisation.md: detectors × views × levels on four benchmarks.

    python -m bench.generalisation prepare DATA WORK     import the benchmarks (DATA has gcj/, poj104/, clcdsa/)
    python -m bench.generalisation run WORK [GRID…]      compute grids; the same command resumes an interrupted run
    python -m bench.generalisation tables WORK           print the tables
    python -m bench.generalisation write WORK PAGE       write them into the page, between its markers
    python -m bench.generalisation picture WORK FILE     draw the drop as an SVG file

`--full` takes the whole grid, for a larger machine: all detectors and learners, five divisions, more pairs and epochs.
Its results go to other folders than those of the small grid. `--processes N` computes cells in parallel.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import clonetruth
from clonetruth.evaluate.matrix.plan import MatrixPlan, read_levels
from clonetruth.evaluate.matrix.runner import compute_matrix
from clonetruth.splits import Sampling
from clonetruth.store import open_benchmark

VIEWS = ("random", "cross-project", "cross-functionality", "cross-all")
NO_PROJECTS = ("random", "cross-functionality")
"""The views of a benchmark whose fragments have no project."""
CLASSICAL = (
    "tokens",
    "identifier-overlap",
    "ngrams",
    "nearmiss",
    "winnowing",
    "ncd",
    "exact",
    "renamed",
    "largegap",
    "metrics",
)
NEURAL = ("mlp", "astnn", "tbccd", "fa-ast")
CHEAP_NEURAL = ("mlp", "astnn", "tbccd", "fa-ast:epochs=1")
"""An epoch of `fa-ast` takes as long as a whole training of the others."""
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
        further_seeds: for views under which some seeds give the same division, number of seeds that give enough.
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
    further_seeds: Mapping[str, int] = field(default_factory=dict)

    def plan(self) -> MatrixPlan:
        """The cells."""
        return MatrixPlan(
            detectors=tuple(self.detectors),
            views=tuple(self.views),
            levels=tuple(self.levels),
            seeds=self.seeds,
            policy=self.policy,
            sampling=Sampling(*self.pairs, self.share),
            epochs=self.epochs,
        )

    def only(self, detectors: str | None, views: str | None, levels: str | None, divisions: int | None) -> Grid:
        """The same with some of the detectors, views, levels and divisions."""
        return replace(
            self,
            detectors=self.detectors if detectors is None else tuple(detectors.split(",")),
            views=self.views if views is None else tuple(views.split(",")),
            levels=self.levels if levels is None else read_levels(levels),
            seeds=self.seeds if divisions is None else min(divisions, self.seeds),
            further_seeds=self.further_seeds if divisions is None else {},
        )

    def parts(self) -> list[Grid]:
        """The grid with its own number of seeds, and one for each view that needs more."""
        more = {view: seeds for view, seeds in self.further_seeds.items() if view in self.views}
        further = [replace(self, views=(view,), seeds=seeds) for view, seeds in more.items()]
        return [replace(one, further_seeds={}) for one in (self, *further)]

    def run(self, work: Path, name: str, processes: int) -> None:
        """Compute the cells that are missing."""
        for part in self.parts():
            compute_matrix(
                open_benchmark(work / self.benchmark),
                work / f"matrix-{name}",
                part.plan(),
                processes=processes,
                on_step=lambda step: print(
                    f"{name}: {step.done}/{step.total} {step.cell}, {step.seconds:.0f} s", flush=True
                ),
            )


_NEURAL_PAIRS, _FEW_PAIRS = (2_000, 500, 1_500), (2_000, 300, 600)
# `semantic` needs about three clone pairs for each fragment; it is tested on the pairs of the classical detectors.
_GCJ_PAIRS, _MORE_PAIRS = (20_000, 4_000, 600), (24_000, 8_000, 600)
_LEVELS = (0, 1, 2, 3)
_SEVEN = {"cross-functionality": 7}
"""Four of the eight problems of Google Code Jam have nearly all programs: seven seeds give five distinct divisions, and
four give three."""
SMALL = {
    "gcj-classical": Grid("gcj", CLASSICAL, VIEWS, _LEVELS, 5, _FEW_PAIRS, further_seeds=_SEVEN),
    "gcj-semantic": Grid("gcj", ("semantic",), VIEWS, _LEVELS, 5, _GCJ_PAIRS, further_seeds=_SEVEN),
    "gcj-neural": Grid(
        "gcj", CHEAP_NEURAL, NO_PROJECTS, _LEVELS, 3, _NEURAL_PAIRS, epochs=3, further_seeds={"cross-functionality": 4}
    ),
    "poj-classical": Grid("poj-30", CLASSICAL, NO_PROJECTS, _LEVELS, 5, _FEW_PAIRS),
    "poj-semantic": Grid("poj-30", ("semantic",), NO_PROJECTS, _LEVELS, 5, _MORE_PAIRS),
    "poj-neural": Grid("poj-30", CHEAP_NEURAL, NO_PROJECTS, (1,), 3, _NEURAL_PAIRS, epochs=3),
    "clcdsa-classical": Grid("clcdsa", CLASSICAL, NO_PROJECTS, _LEVELS, 5, _FEW_PAIRS),
    "clcdsa-semantic": Grid("clcdsa", ("semantic",), NO_PROJECTS, _LEVELS, 5, _MORE_PAIRS),
    "embedded": Grid("embedded", (*CLASSICAL, "semantic"), NO_PROJECTS, _LEVELS, 5, _FEW_PAIRS, None, policy="default"),
}
"""What fits into a few hours of one core."""

_EVERYTHING = (*CLASSICAL, *ALL_LEARNERS)
_LARGE = (400_000, 50_000, 250_000)
FULL = {
    "full-gcj": Grid("gcj", _EVERYTHING, VIEWS, (0, 1, 2, 3), 5, _LARGE, further_seeds=_SEVEN),
    "full-poj": Grid("poj", _EVERYTHING, NO_PROJECTS, (0, 1, 2, 3), 5, _LARGE),
    "full-clcdsa": Grid("clcdsa", _EVERYTHING, NO_PROJECTS, (0, 1, 2, 3), 5, _LARGE),
    "full-embedded": Grid("embedded", _EVERYTHING, NO_PROJECTS, (0, 1, 2, 3), 5, _LARGE, None, policy="default"),
}
"""The number of pairs of Li et al. (2023), or as many as a benchmark has."""


def prepare(data: Path, work: Path) -> None:
    """Import the benchmarks."""
    gcj = [data / "gcj" / name for name in ("data.jsonl.gz", "googlejam4_src.zip", "valid.txt.gz")]
    clonetruth.import_dataset("gcj", gcj, output=work / "gcj")
    clonetruth.import_dataset("codexglue-poj104", [data / "poj104" / "poj104.jsonl.xz"], output=work / "poj-all")
    clonetruth.import_dataset("clcdsa", [data / "clcdsa" / "clcdsa_subset.jsonl.xz"], output=work / "clcdsa-all")
    clonetruth.import_dataset("embedded", output=work / "embedded")

    leave_out = "leave-out"
    for name, cap in (("poj", 100), ("poj-30", 30)):
        clonetruth.build_contest(
            work / "poj-all", at_least=100, cap=cap, overlapping_problems=leave_out, pairs=False, output=work / name
        )
    clonetruth.build_contest(
        work / "clcdsa-all", at_least=6, overlapping_problems=leave_out, pairs=False, output=work / "clcdsa"
    )


def main() -> None:
    """Prepare, compute or print."""
    from bench.generalisation_tables import page_with_tables, picture, tables

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb in ("prepare", "run", "tables", "write", "picture"):
        one = verbs.add_parser(verb)
        if verb == "prepare":
            one.add_argument("data", type=Path)
        one.add_argument("work", type=Path)
        if verb in ("picture", "write"):
            one.add_argument("file", type=Path)
        if verb == "run":
            one.add_argument("grids", nargs="*")
            one.add_argument("--processes", type=int, default=1)
            one.add_argument("--detectors", help="Only these of the grid, separated by commas.")
            one.add_argument("--views", help="Only these of the grid, separated by commas.")
            one.add_argument("--levels", help="Only these of the grid, such as 1 or 0,2-3.")
            one.add_argument("--divisions", type=int, help="Only this number of seeds.")
        if verb == "write":
            one.add_argument("--tables", help="Only these, separated by commas; the others of the page stay.")
            one.add_argument("--keep", action="store_true", help="Rows of which there are no cells stay.")
        if verb in ("run", "tables", "write"):
            one.add_argument("--full", action="store_true")
    given = parser.parse_args()
    if given.verb == "prepare":
        given.work.mkdir(parents=True, exist_ok=True)
        prepare(given.data, given.work)
        return
    if given.verb == "picture":
        given.file.write_text(picture(SMALL, given.work), encoding="utf-8")
        return
    grids = FULL if given.full else SMALL
    if given.verb == "run":
        for name in given.grids or grids:
            chosen = grids[name].only(given.detectors, given.views, given.levels, given.divisions)
            chosen.run(given.work, name, given.processes)
    elif given.verb == "tables":
        for name, lines in tables(grids, given.work).items():
            print(f"\n{name}\n\n{lines}")
    else:
        only = None if given.tables is None else given.tables.split(",")
        before = given.file.read_text(encoding="utf-8")
        page = page_with_tables(before, tables(grids, given.work), only, keep=given.keep)
        given.file.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
