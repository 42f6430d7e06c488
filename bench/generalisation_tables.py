"""The tables and the picture of docs/generalisation.md, of the cells that `bench.generalisation` has computed.

A table stands between `<!-- begin NAME -->` and `<!-- end NAME -->` in the page. Of a detector under a view, only the
divisions count for which all its levels of the table are there, so that levels can be compared. Detectors that are not
trained have tables of levels of their own (`-levels-2`, `-levels-3`), and those that are trained another one
(`-levels-trained`): these are computed on other occasions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from bench.generalisation import NO_PROJECTS, VIEWS, Grid
from clonetruth.errors import InputError
from clonetruth.evaluate.matrix.cell import CellWorkspace, FinishedCell
from clonetruth.evaluate.matrix.plan import is_learner
from clonetruth.evaluate.matrix.summary import summarise
from clonetruth.html.plots import Labels, Slope, SlopeStage, slope_chart
from clonetruth.store.matrix import MatrixCell, MatrixRow, MatrixSummary
from clonetruth.store.results import Measurement

BENCHMARKS = ("gcj", "poj", "clcdsa", "embedded")
"""The first part of the grids' names, in the order of the page."""
TABLE_LEVEL = 1
"""The level of Table I."""

PUBLISHED: Mapping[str, Mapping[str, Sequence[float]]] = {
    "ASTNN": {
        "random": (0.938, 0.913, 0.911, 0.902),
        "cross-project": (0.939, 0.908, 0.911, 0.904),
        "cross-functionality": (0.412, 0.401, 0.426, 0.491),
        "cross-all": (0.411, 0.393, 0.429, 0.403),
    },
    "TBCCD": {
        "random": (0.889, 0.832, 0.844, 0.800),
        "cross-project": (0.876, 0.813, 0.820, 0.782),
        "cross-functionality": (0.492, 0.522, 0.521, 0.497),
        "cross-all": (0.475, 0.496, 0.500, 0.473),
    },
    "FA-AST": {
        "random": (0.919, 0.842, 0.827, 0.847),
        "cross-project": (0.912, 0.840, 0.862, 0.838),
        "cross-functionality": (0.467, 0.517, 0.540, 0.515),
        "cross-all": (0.515, 0.505, 0.524, 0.530),
    },
    "GraphCodeBERT": {
        "random": (0.827, 0.684, 0.610, 0.323),
        "cross-project": (0.876, 0.712, 0.701, 0.487),
        "cross-functionality": (0.392, 0.285, 0.273, 0.247),
        "cross-all": (0.334, 0.262, 0.237, 0.245),
    },
    "UniXcoder": {
        "random": (0.844, 0.468, 0.484, 0.432),
        "cross-project": (0.867, 0.514, 0.339, 0.450),
        "cross-functionality": (0.402, 0.405, 0.432, 0.377),
        "cross-all": (0.499, 0.413, 0.471, 0.403),
    },
}
"""F1 of Li et al. (2023) on GoogleCodeJam2 at levels 0 to 3: Tables II and III. Table I has 0.876 for GraphCodeBERT
under the random view at level 1, where Table II has 0.684."""
_FINISHED: dict[Path, dict[MatrixCell, FinishedCell | None]] = {}
"""Cells that were read, by the folder of their matrix: several tables show them."""
_MLP = (0.449, 0.557, 0.401, 0.384)
"""Table I has one more model, at level 1, in the order of `VIEWS`."""


@dataclass(frozen=True)
class GridSummary:
    """What is there of a grid.

    Attributes:
        grid: the grid, perhaps with one of its levels only.
        summary: the summary of the complete divisions.
        days: when its cells were computed.
    """

    grid: Grid
    summary: MatrixSummary
    days: Sequence[str]

    @classmethod
    def of(cls, grid: Grid, work: Path, name: str) -> GridSummary | None:
        """Read the cells of a grid, without computing any; None where no division is complete."""
        plan = replace(grid, seeds=max([grid.seeds, *grid.further_seeds.values()])).plan()
        workspace = CellWorkspace(work / grid.benchmark, work / f"matrix-{name}", plan)
        cells = dict.fromkeys(cell for part in grid.parts() for cell in part.plan().cells())
        known = _FINISHED.setdefault(workspace.folder, {})
        known |= {cell: workspace.finished(cell) for cell in cells if cell not in known}
        found = {cell: one for cell in cells if (one := known[cell]) is not None}
        partly = {(cell.detector, cell.view, cell.run) for cell in cells if cell not in found}
        complete = {cell: one for cell, one in found.items() if (cell.detector, cell.view, cell.run) not in partly}
        summary = summarise(plan, complete, [])
        days = sorted({one.result.manifest.time[:10] for one in complete.values()})
        return None if summary is None else cls(grid, summary, days)

    def rows(self, detector: str, level: int) -> list[MatrixRow]:
        """A detector under all views; empty where no division is complete."""
        rows = [self.summary.row(detector, view, level) for view in self.grid.views]
        return [row for row in rows if row is not None and row.seeds]

    @property
    def detectors(self) -> list[str]:
        """The detectors with at least one complete division."""
        return [one for one in self.grid.detectors if self.rows(one, self.grid.levels[-1])]

    def setting(self) -> str:
        """To what it was cut, and when it was computed."""
        grid = self.grid
        train, valid, test = grid.pairs
        rows = [row for one in self.detectors for row in self.rows(one, grid.levels[-1])]
        trained = f"{train:,} training, " if any(row.cost for row in rows) else ""
        epochs = f", at most {grid.epochs} epochs" if grid.epochs < Grid.epochs else ""
        share = "as many clones as there are" if grid.share is None else f"{grid.share:.0%} clones"
        days = " to ".join(dict.fromkeys((self.days[0], self.days[-1])))
        return f"at most {trained}{valid:,} validation and {test:,} test pairs, {share}{epochs}; {days}."


def summaries(
    grids: Mapping[str, Grid], work: Path, benchmark: str, level: int, *, neural: bool = False
) -> list[GridSummary]:
    """What is there of a benchmark's grids at one level.

    Grids of neural models have fewer views and other test pairs, so that they are not in a table with others.
    """
    found = []
    for name, grid in grids.items():
        parts = name.split("-")
        if benchmark not in parts or ("neural" in parts) != neural:
            continue
        one = GridSummary.of(replace(grid, levels=(level,)), work, name)
        found += [one] if one is not None else []
    return found


def level_summaries(
    grids: Mapping[str, Grid], work: Path, benchmark: str, *, trained: bool
) -> Iterator[tuple[str, GridSummary]]:
    """Each detector of a benchmark's grids that is trained, or is not, with the levels of which there are cells.

    A detector without level 0, or with nothing else, is left out: there is no gain.
    """
    for name, grid in grids.items():
        if benchmark not in name.split("-"):
            continue
        for detector in grid.detectors:
            if is_learner(detector) != trained:
                continue
            own = replace(grid, detectors=(detector,))
            there = [level for level in own.levels if GridSummary.of(replace(own, levels=(level,)), work, name)]
            if len(there) < 2 or there[0] != 0:
                continue
            one = GridSummary.of(replace(own, levels=tuple(there)), work, name)
            if one is not None and one.detectors:
                yield detector, one


def view_table(found: Sequence[GridSummary], published: bool) -> Iterator[str]:
    """A level as Table I has it: F1 under each view, what is lost, and what a training costs."""
    views = found[0].grid.views
    others = [view for view in views if view != "random"]
    lost = [f"lost, {view}" for view in others]
    columns = ["detector", *views, *lost, f"ROC AUC, {', '.join(views)}", "divisions", "CPU s", "parameters"]
    yield from _head(columns)
    for one in found:
        for detector in one.detectors:
            rows = {row.view: row for row in one.rows(detector, one.grid.levels[0])}
            own = [rows.get(view) for view in views]
            cells = [shown(row.mean("f1") if row else None) for row in own]
            cells += [shown(rows[view].drop("f1") if view in rows else None) for view in others]
            cells.append(", ".join(shown(row.mean("roc-auc") if row else None, interval=False) for row in own))
            cells.append(", ".join(str(len(set(row.divisions))) if row else "0" for row in own))
            # A resumed training says only what it took since.
            cost = max((row.cost for row in rows.values() if row.cost), key=lambda one: one["cpu_seconds"], default={})
            cells += [f"{cost['cpu_seconds']:.0f}" if cost else "–"]
            cells += [f"{cost['parameters']:,}" if cost.get("parameters") else "–"]
            yield f"| `{detector}` | {' | '.join(cells)} |"
    tests = {test.view: test.always_yes for one in reversed(found) for test in one.summary.tests}
    yes = [shown(tests.get(view)) for view in views]
    chance = ", ".join(["0.50"] * len(views))
    yield f"| always yes | {' | '.join([*yes, *['–'] * len(others), chance, '–', '–', '–'])} |"
    for name, values in _table_one() if published else ():
        falls = [f"{values[0] - one:.3f}" for one in values[1:]]
        texts = [*(f"{one:.3f}" for one in values), *falls, "–", "–", "–", "–"]
        yield f"| {name}, published | {' | '.join(texts)} |"
    yield ""
    yield from _settings([(detector, one) for one in found for detector in one.detectors])


def level_table(named: Sequence[tuple[str, GridSummary]], views: Sequence[str], published: bool) -> Iterator[str]:
    """Views and levels against detectors, as Tables II and III have it, and the largest gain over level 0."""
    models = list(PUBLISHED) if published else []
    columns = ["view", "level", *(f"`{detector}`" for detector, _ in named), *(f"{one}, published" for one in models)]
    yield from _head(columns)
    levels = sorted({level for _, one in named for level in one.grid.levels})
    for view in views:
        for level in levels:
            rows = [one.summary.row(detector, view, level) for detector, one in named]
            ours = [shown(row.mean("f1") if row else None, interval=False) for row in rows]
            theirs = [f"{PUBLISHED[one][view][level]:.3f}" for one in models]
            yield f"| {view} | {level} | {' | '.join([*ours, *theirs])} |"
        gains = [
            max(
                (
                    gain
                    for level in one.grid.levels[1:]
                    if (row := one.summary.row(detector, view, level))
                    and (gain := row.gain("f1"))
                    and gain.value is not None
                ),
                key=lambda gain: gain.value or 0.0,
                default=None,
            )
            for detector, one in named
        ]
        best = [f"{max(PUBLISHED[one][view][1:]) - PUBLISHED[one][view][0]:.3f}" for one in models]
        yield f"| {view} | largest gain | {' | '.join([*(shown(gain) for gain in gains), *best])} |"
    yield ""
    counts: dict[tuple[int, ...], list[str]] = {}
    for detector, one in named:
        own = [[one.summary.row(detector, view, level) for level in one.grid.levels] for view in views]
        least = [min(len(set(row.divisions)) if row else 0 for row in rows) for rows in own]
        counts.setdefault(tuple(count for count in least if count), []).append(f"`{detector}`")
    for count, names in sorted(counts.items()):
        # Views without cells are not mentioned: the table has a dash there.
        said = [count[0]] if len(set(count)) == 1 else count
        which = ", in the order of the views" if len(said) > 1 else ""
        yield f"{', '.join(map(str, said))} division{'' if said == [1] else 's'}{which}: {', '.join(names)}."
    yield from _settings(named)


def _settings(named: Sequence[tuple[str, GridSummary]]) -> Iterator[str]:
    """To what each detector's cells were cut, those with equal limits together."""
    settings: dict[str, list[str]] = {}
    for detector, one in named:
        settings.setdefault(one.setting(), []).append(f"`{detector}`")
    yield from (f"{', '.join(names)}: {setting}" for setting, names in settings.items())


def tables(grids: Mapping[str, Grid], work: Path) -> dict[str, str]:
    """All tables of which there are cells, by name."""
    made = {}
    for benchmark in BENCHMARKS:
        published = benchmark == "gcj"
        if one_level := summaries(grids, work, benchmark, TABLE_LEVEL):
            made[f"{benchmark}-views"] = "\n".join(view_table(one_level, published))
        if neural := summaries(grids, work, benchmark, TABLE_LEVEL, neural=True):
            made[f"{benchmark}-neural"] = "\n".join(view_table(neural, False))
        if plain := list(level_summaries(grids, work, benchmark, trained=False)):
            views = plain[0][1].grid.views
            halves = (views[:2], views[2:]) if len(views) > 2 else (views,)
            for number, half in enumerate(halves, 2):
                made[f"{benchmark}-levels-{number}"] = "\n".join(level_table(plain, half, published))
        if trained := list(level_summaries(grids, work, benchmark, trained=True)):
            views = [view for view in VIEWS if any(view in one.grid.views for _, one in trained)]
            made[f"{benchmark}-levels-trained"] = "\n".join(level_table(trained, views, False))
    return made


def page_with_tables(
    page: str, made: Mapping[str, str], only: Sequence[str] | None = None, *, keep: bool = False
) -> str:
    """A page with the tables between its markers.

    Args:
        page: the page.
        made: the tables by name.
        only: the tables to write; others stay as they are (default: all).
        keep: rows of detectors of which there are no cells stay as they are.

    Raises:
        InputError: the page has no place for a table, one for a table that was not computed, or a detector of which
            there are no cells.
    """
    places = re.findall(r"<!-- begin (\S+) -->", page)
    if only is not None:
        made, places = {name: made[name] for name in only if name in made}, list(only)
    if sorted(places) != sorted(made):
        odd = ", ".join(sorted(set(places) ^ set(made)))
        raise InputError(f"The page's markers and the tables differ: {odd}.", hint="Compute them, or edit the markers.")
    for name, lines in made.items():
        begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
        if page.count(end) != 1:
            raise InputError(f"The page has no single '{end}' after '{begin}'.")
        before = page[page.index(begin) + len(begin) : page.index(end)]
        new = with_kept_rows(before, lines) if keep else lines
        if lost := sorted(_named(before) - _named(new)):
            raise InputError(
                f"The table '{name}' would lose {', '.join(lost)}: there are no cells of them.",
                hint="Compute them, name other tables with --tables, or keep the page's rows with --keep.",
            )
        page = page[: page.index(begin) + len(begin)] + f"\n{new}\n" + page[page.index(end) :]
    return page


def with_kept_rows(before: str, lines: str) -> str:
    """A table with the rows that an earlier one has of further detectors, and what that says of them.

    The detectors keep the order of the earlier table. A table that has detectors as columns is given back as it is.
    """
    old, new = before.strip().splitlines(), lines.splitlines()
    if not old or old[0] != new[0] or _NAME.search(new[0]):
        return lines
    kept = {name: line for line in old if (name := _row_of(line))}
    rows = kept | {name: line for line in new if (name := _row_of(line))}
    stay = kept.keys() - _named(lines)
    first = next(at for at, line in enumerate(new) if _row_of(line))
    rest = [line for line in new[first:] if not _row_of(line)]
    said = []
    for line in old:
        names, _, setting = line.partition(": at most ")
        if setting and (own := [f"`{name}`" for name in _NAME.findall(names) if name in stay]):
            said.append(f"{', '.join(own)}: at most {setting}")
    return "\n".join([*new[:first], *rows.values(), *rest, *said])


_NAME = re.compile("`([^`]+)`")


def _row_of(line: str) -> str | None:
    """The detector whose row this is."""
    found = re.match(r"\| `([^`]+)` \|", line)
    return found[1] if found else None


def _named(lines: str) -> set[str]:
    """The detectors of a table, which are its rows or its columns."""
    return {name for line in lines.splitlines() if line.startswith("|") for name in _NAME.findall(line)}


def picture(grids: Mapping[str, Grid], work: Path) -> str:
    """The drop of neural models on Google Code Jam, ours beside the published ones, as an SVG file."""
    slopes = []
    for one in summaries(grids, work, "gcj", TABLE_LEVEL, neural=True):
        for detector in one.detectors:
            rows = {row.view: row.mean("f1") for row in one.rows(detector, TABLE_LEVEL)}
            means = [rows.get(view) for view in NO_PROJECTS]
            stages = [SlopeStage(mean.value, mean.low, mean.high) if mean else SlopeStage(None) for mean in means]
            slopes.append(Slope(detector, stages))
    slopes += [
        Slope(f"{name}, published", [SlopeStage(PUBLISHED[name][view][TABLE_LEVEL]) for view in NO_PROJECTS])
        for name in ("ASTNN", "TBCCD")
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


def shown(one: Measurement | None, digits: int = 2, *, interval: bool = True) -> str:
    """A number with its interval."""
    if one is None or one.value is None:
        return "–"
    if not interval or one.low is None or one.high is None:
        return f"{one.value:.{digits}f}"
    return f"{one.value:.{digits}f} [{one.low:.{digits}f}, {one.high:.{digits}f}]"


def _head(columns: Sequence[str]) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |"
    yield f"|{' --- |' * len(columns)}"


def _table_one() -> Iterator[tuple[str, Sequence[float]]]:
    """Table I: level 1, where GraphCodeBERT has another value than in Table II."""
    for name, views in PUBLISHED.items():
        values = [views[view][TABLE_LEVEL] for view in VIEWS]
        yield name, [0.876, *values[1:]] if name == "GraphCodeBERT" else values
    yield "MLP", _MLP
