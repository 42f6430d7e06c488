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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

import clonetruth
from clonetruth.evaluate.matrix.cell import CellWorkspace
from clonetruth.evaluate.matrix.plan import MatrixPlan
from clonetruth.evaluate.matrix.runner import compute_matrix
from clonetruth.evaluate.matrix.summary import summarise
from clonetruth.html.plots import Labels, Slope, SlopeStage, slope_chart
from clonetruth.splits import Sampling
from clonetruth.store import open_benchmark
from clonetruth.store.matrix import MatrixSummary
from clonetruth.store.results import Measurement

VIEWS = ("random", "cross-project", "cross-functionality", "cross-all")
NO_PROJECTS = ("random", "cross-functionality")
"""The views of a benchmark whose fragments have no project."""
CLASSICAL = ("tokens", "identifier-overlap", "ngrams", "nearmiss", "winnowing", "ncd")
ALL_CLASSICAL = (*CLASSICAL, "exact", "renamed", "largegap", "metrics")
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

    def only(self, detectors: str | None) -> Grid:
        """The same with some of the detectors."""
        return self if detectors is None else replace(self, detectors=tuple(detectors.split(",")))

    def run(self, work: Path, name: str, processes: int) -> None:
        """Compute the cells that are missing."""
        compute_matrix(
            open_benchmark(work / self.benchmark),
            work / f"matrix-{name}",
            self.plan(),
            processes=processes,
            on_step=lambda step: print(
                f"{name}: {step.done}/{step.total} {step.cell}, {step.seconds:.0f} s", flush=True
            ),
        )


_NEURAL_PAIRS, _FEW_PAIRS = (2_000, 500, 1_500), (2_000, 300, 600)
SMALL = {
    "gcj-neural": Grid("gcj", NEURAL, NO_PROJECTS, (1,), 3, _NEURAL_PAIRS, epochs=3),
    "embedded": Grid("embedded", CLASSICAL, NO_PROJECTS, (0, 1, 2, 3), 5, _FEW_PAIRS, None, policy="default"),
    "gcj-classical": Grid("gcj", CLASSICAL, VIEWS, (0, 1, 2, 3), 5, _FEW_PAIRS),
    "poj-classical": Grid("poj", CLASSICAL, NO_PROJECTS, (0, 1, 2, 3), 5, _FEW_PAIRS),
    "clcdsa-classical": Grid("clcdsa", CLASSICAL, NO_PROJECTS, (0, 1, 2, 3), 5, _FEW_PAIRS),
    "poj-neural": Grid("poj", NEURAL, NO_PROJECTS, (1,), 3, _NEURAL_PAIRS, epochs=3),
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
"""The number of pairs of Li et al. (2023), or as many as a benchmark has."""


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


LI = {
    "mlp": (0.449, 0.557, 0.401, 0.384),
    "astnn": (0.913, 0.908, 0.401, 0.393),
    "tbccd": (0.832, 0.813, 0.522, 0.496),
    "fa-ast": (0.842, 0.840, 0.517, 0.505),
    "graphcodebert": (0.876, 0.712, 0.285, 0.262),
    "unixcoder": (0.468, 0.514, 0.405, 0.413),
}
"""F1 of Li et al. (2023), Table I: GoogleCodeJam2, level 1, in the order of `VIEWS`. Their Table II has 0.684 for
GraphCodeBERT under the random view at the same level, where Table I has 0.876."""


def summary_of(grid: Grid, work: Path, name: str) -> MatrixSummary | None:
    """The summary of the cells that are there, without computing any; None where there are none.

    Of a detector, only the divisions count for which all views and levels are there, so that columns can be compared.
    """
    plan = grid.plan()
    workspace = CellWorkspace(work / grid.benchmark, work / f"matrix-{name}", plan)
    cells = plan.cells()
    found = {cell: one for cell in cells if (one := workspace.finished(cell)) is not None}
    partly = {(cell.detector, cell.run) for cell in cells if cell not in found}
    return summarise(plan, {cell: one for cell, one in found.items() if (cell.detector, cell.run) not in partly}, [])


def table(summary: MatrixSummary, level: int) -> Iterator[str]:
    """A level of a matrix as Li et al. lay it out: F1 under each view, the drop, what a training cost."""
    others = [view for view in summary.views if view != "random"]
    columns = ["detector", *summary.views, *(f"lost, {view}" for view in others), "divisions", "CPU s", "parameters"]
    yield f"| {' | '.join(columns)} |"
    yield f"|{' --- |' * len(columns)}"
    for detector in summary.detectors:
        rows = [summary.row(detector, view, level) for view in summary.views]
        if not any(row and row.seeds for row in rows):
            continue
        cells = [shown(row.mean("f1") if row else None) for row in rows]
        cells += [shown(row.drop("f1") if row else None) for row in rows if row is None or row.view != "random"]
        divisions = "/".join(str(len(set(row.divisions))) if row else "0" for row in rows)
        cost = next((row.cost for row in rows if row and row.cost), {})
        seconds = f"{cost['cpu_seconds']:.0f}" if cost else "–"
        parameters = f"{cost['parameters']:,}" if cost.get("parameters") else "–"
        yield f"| `{detector}` | {' | '.join([*cells, divisions, seconds, parameters])} |"
    trivial = [next((test.always_yes for test in summary.tests if test.view == view), None) for view in summary.views]
    yield f"| always yes | {' | '.join([*map(shown, trivial), *['–'] * (len(others) + 3)])} |"


def gains(summary: MatrixSummary) -> Iterator[str]:
    """F1 at each level and what it gains over level 0, on the same pairs."""
    levels = " | ".join(f"level {level}" for level in summary.levels)
    yield f"| detector | view | {levels} | largest gain over level 0 |"
    yield f"| --- | --- |{' --- |' * (len(summary.levels) + 1)}"
    for detector in summary.detectors:
        for view in summary.views:
            rows = [row for level in summary.levels if (row := summary.row(detector, view, level)) and row.seeds]
            if len(rows) < len(summary.levels):
                continue
            means = [shown(row.mean("f1"), digits=3, interval=False) for row in rows]
            found = [one for row in rows if (one := row.gain("f1")) and one.value is not None]
            best = max(found, key=lambda one: one.value or 0.0, default=None)
            yield f"| `{detector}` | {view} | {' | '.join(means)} | {shown(best)} |"


def shown(one: Measurement | None, digits: int = 2, *, interval: bool = True) -> str:
    """A number with its interval."""
    if one is None or one.value is None:
        return "–"
    if not interval or one.low is None or one.high is None:
        return f"{one.value:.{digits}f}"
    return f"{one.value:.{digits}f} [{one.low:.{digits}f}, {one.high:.{digits}f}]"


def published() -> Iterator[str]:
    """Table I of Li et al."""
    yield f"| model | {' | '.join(VIEWS)} | lost, cross-functionality | lost, cross-all |"
    yield f"|{' --- |' * 7}"
    for name, values in LI.items():
        lost = (values[0] - values[2], values[0] - values[3])
        yield f"| `{name}` | {' | '.join(f'{one:.3f}' for one in (*values, *lost))} |"


def picture(work: Path) -> str:
    """The drop of the trained models on Google Code Jam, ours beside the published ones, as an SVG file."""
    summary = summary_of(SMALL["gcj-neural"], work, "gcj-neural")
    slopes = []
    for detector in NEURAL if summary else ():
        rows = [summary.row(detector, view, 1) if summary else None for view in NO_PROJECTS]
        means = [row.mean("f1") if row else None for row in rows]
        slopes.append(Slope(detector, [SlopeStage(m.value, m.low, m.high) if m else SlopeStage(None) for m in means]))
    slopes += [
        Slope(f"{name}, published", [SlopeStage(LI[name][0]), SlopeStage(LI[name][2])]) for name in ("astnn", "tbccd")
    ]
    title = "F1 on Google Code Jam, level 1"
    drawn = str(slope_chart(NO_PROJECTS, slopes, Labels(title, y="F1"), span=(0, 1)))
    folder = resources.files("clonetruth.html") / "templates"
    colours, plot = ((folder / name).read_text(encoding="utf-8") for name in ("colours.css", "plot.css"))
    # An image does not know the scheme of the page around it: light colours, on their own ground.
    light = colours[colours.index(":root") : colours.index("}") + 1].replace("color-scheme: light dark;", "")
    style = f"{light}\n{plot}\nsvg.plot {{ background: #fdfdfb; }}"
    head, rest = drawn.split(">", 1)
    return f'{head} xmlns="http://www.w3.org/2000/svg"><style>{style}</style>{rest}\n'


def main() -> None:
    """Prepare, compute or print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb in ("prepare", "run", "tables", "picture"):
        one = verbs.add_parser(verb)
        if verb == "prepare":
            one.add_argument("data", type=Path)
        one.add_argument("work", type=Path)
        if verb == "picture":
            one.add_argument("file", type=Path)
        if verb in ("run", "tables"):
            one.add_argument("grids", nargs="*")
            one.add_argument("--full", action="store_true")
        if verb == "run":
            one.add_argument("--processes", type=int, default=1)
            one.add_argument("--detectors", help="Only these of the grid, separated by commas.")
    given = parser.parse_args()
    if given.verb == "prepare":
        given.work.mkdir(parents=True, exist_ok=True)
        prepare(given.data, given.work)
    elif given.verb == "picture":
        given.file.write_text(picture(given.work), encoding="utf-8")
    else:
        grids = FULL if given.full else SMALL
        for name in given.grids or grids:
            if given.verb == "run":
                grids[name].only(given.detectors).run(given.work, name, given.processes)
            elif summary := summary_of(grids[name], given.work, name):
                print(f"\n{name}\n", *table(summary, 1), sep="\n")
                if len(summary.levels) > 1:
                    print("", *gains(summary), sep="\n")
        if given.verb == "tables":
            print("\nPublished (Li et al., Table I, GoogleCodeJam2)\n", *published(), sep="\n")


if __name__ == "__main__":
    main()
