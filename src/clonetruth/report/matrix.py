"""The page of a matrix: how a detector's numbers change as the test data differ more from the training data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from clonetruth.html.blocks import Content, Figure, cautions, details, figures, lead, note
from clonetruth.html.numbers import decimal, is_known, percent, plural
from clonetruth.html.page import Page, Section
from clonetruth.html.plots import Labels, Slope, SlopeStage, slope_chart
from clonetruth.html.tables import Cell, Column, Table
from clonetruth.store.matrix import METRICS, MatrixRow, MatrixSummary, row_label
from clonetruth.store.results import Measurement

_TITLES = {"f1": "F1", "precision": "Precision", "recall": "Recall", "roc-auc": "ROC AUC"}
_RANDOM = "random"
_ALWAYS_YES = "always-yes"
_UNEVEN = 1.25
"""If the shares of clones of two views differ by more than this factor, their F1 is not directly comparable."""


def matrix_page(summary: MatrixSummary) -> Page:
    """The page of a matrix: the drop as a plot, the tables, the test data, and the failures."""
    sections = [_drop_section(summary), _table_section(summary), _test_section(summary)]
    if summary.failures:
        rows = [(str(one.cell), one.error) for one in summary.failures]
        table = Table((Column("cell"), Column("reason", "prose")), rows, "Cells without a result", filterable=True)
        sections.append(Section("What failed", ["Run the same command again to retry these cells.", table]))
    return Page(
        title=f"Does it generalise? {plural(len(summary.detectors), 'detector')} on {summary.benchmark.name}",
        subtitle=f"{', '.join(summary.detectors)} under {plural(len(summary.views), 'view')}, at "
        f"{plural(len(summary.levels), 'level')} of abstraction, with {plural(len(summary.seeds), 'seed')}",
        opening=_opening(summary),
        sections=sections,
        manifest=_manifest(summary),
    )


def _opening(summary: MatrixSummary) -> list[Content]:
    level = summary.levels[0]
    sentences = [sentence for one in summary.detectors if (sentence := _sentence(summary, one, level))]
    blocks: list[Content] = [
        lead(" ".join(sentences) or "There is nothing to compare: choose the random view and another one.")
    ]
    criterion = f" under the criterion {summary.criterion}" if summary.criterion else ""
    blocks.append(note(" ".join([f"Verdicts of the policy {summary.policy}{criterion}.", *summary.assumptions])))
    weak = list(_weaknesses(summary))
    return [*blocks, cautions("What weakens these numbers", weak)] if weak else blocks


def _sentence(summary: MatrixSummary, detector: str, level: int) -> str | None:
    """How F1 changes from the random view to the last view for which it is known."""
    base = summary.row(detector, _RANDOM, level)
    start = base.mean("f1") if base else None
    for view in reversed(summary.views):
        row = summary.row(detector, view, level)
        mean, drop = (row.mean("f1"), row.drop("f1")) if row else (None, None)
        if not start or not mean or not drop or not is_known(drop.value):
            continue
        chance = is_known(drop.low) and is_known(drop.high) and drop.low <= 0 <= drop.high
        way = "goes" if chance or not drop.value else "falls" if drop.value > 0 else "rises"
        return (
            f"{detector} {way} from F1 {decimal(start.value)} (random) to {decimal(mean.value)} ({view}) at level "
            f"{level}; random minus {view} is {_with_interval(drop)}{', which may be chance' if chance else ''}."
        )
    return None


def _weaknesses(summary: MatrixSummary) -> list[str]:
    found = []
    shares = {test.view: test.clone_share.value for test in summary.tests if test.clone_share.value}
    if shares and max(shares.values()) > _UNEVEN * min(shares.values()):
        listed = ", ".join(f"{view} {percent(share)}" for view, share in shares.items())
        found.append(
            f"The share of clones differs between the test parts ({listed}), and F1 and precision depend on it, "
            "whatever the detector. Compare with the line of always-yes, use ROC AUC, or sample pairs "
            "with --clone-share."
        )
    found += summary.cautions()
    found += [
        f"{test.view} was divided once: how much depends on the division is not known."
        for test in summary.tests
        if test.divisions == 1
    ]
    if summary.failures:
        found.append(f"{plural(len(summary.failures), 'cell')} failed; means are over those that did not.")
    return found


def _drop_section(summary: MatrixSummary) -> Section:
    shown: list[Content] = [
        "Each line is a detector; a whisker is the interval of the mean. The line of always-yes, which "
        "calls every pair a clone, shows what F1 is worth on each test part.",
        figures([_figure(summary, level, "f1") for level in summary.levels]),
        details(
            "The same for ROC AUC, which does not depend on the share of clones",
            figures([_figure(summary, level, "roc-auc") for level in summary.levels]),
        ),
    ]
    return Section("The drop", shown, anchor="drop")


def _figure(summary: MatrixSummary, level: int, metric: str) -> Figure:
    slopes = []
    for detector, source in summary.lines():
        rows = [summary.row(detector, view, level, source) for view in summary.views]
        slopes.append(Slope(row_label(detector, source), [_stage(row.mean(metric) if row else None) for row in rows]))
    if metric == "f1" and _ALWAYS_YES not in summary.detectors:
        trivial = {test.view: test.always_yes for test in summary.tests}
        slopes.append(Slope(_ALWAYS_YES, [_stage(trivial.get(view)) for view in summary.views]))
    title = f"{_TITLES[metric]} at level {level}"
    picture = slope_chart(summary.views, slopes, Labels(title, y=_TITLES[metric]), span=(0, 1))
    return Figure(picture, f"{title}, by view.")


def _stage(one: Measurement | None) -> SlopeStage:
    return SlopeStage(one.value, one.low, one.high) if one else SlopeStage(None)


def _table_section(summary: MatrixSummary) -> Section:
    first, *others = METRICS
    blocks: list[Content] = list(_tables(summary, first))
    blocks += [details(_TITLES[metric], *_tables(summary, metric)) for metric in others]
    return Section("The table", blocks, anchor="table")


def _tables(summary: MatrixSummary, metric: str) -> Iterator[Table]:
    title, others = _TITLES[metric], [view for view in summary.views if view != _RANDOM]
    yield _grid(
        summary,
        summary.views,
        f"{title}: mean over distinct divisions, with its interval by tested functionality",
        lambda row: row.mean(metric),
    )
    if len(others) < len(summary.views) and others:
        caption = f"Loss of {title} compared with the random view; negative is a gain"
        yield _grid(summary, others, caption, lambda row: row.drop(metric))
    if any(row.gains for row in summary.rows):
        caption = f"Gain of {title} over level 0, on the same test pairs"
        yield _grid(summary, summary.views, caption, lambda row: row.gain(metric))
    if any(row.transfer_losses for row in summary.rows):
        caption = f"Loss of {title} by training on other benchmarks, on the same test pairs"
        yield _grid(summary, summary.views, caption, lambda row: row.transfer_loss(metric))


def _grid(
    summary: MatrixSummary, views: Sequence[str], caption: str, number: Callable[[MatrixRow], Measurement | None]
) -> Table:
    """A row for each detector and level, a column for each view."""
    rows: list[list[Cell]] = []
    for detector, source in summary.lines():
        for level in summary.levels:
            found = [number(row) if (row := summary.row(detector, view, level, source)) else None for view in views]
            if any(found):
                rows.append([row_label(detector, source), level, *map(_with_interval, found)])
    return Table((Column("detector"), Column("level", "count"), *map(Column, views)), rows, caption)


def _with_interval(one: Measurement | None) -> str | None:
    if one is None or not is_known(one.value):
        return None
    known = is_known(one.low) and is_known(one.high)
    interval = f" [{decimal(one.low, 3)}, {decimal(one.high, 3)}]" if known else " (no interval)"
    return decimal(one.value, 3) + interval


def _test_section(summary: MatrixSummary) -> Section:
    columns = (
        Column("view"),
        Column("what a result shows", "prose"),
        Column("runs", "count"),
        Column("distinct divisions", "count"),
        Column("tested functionalities", "count"),
        Column("pairs", "count"),
        Column("clones", "percent"),
        Column("F1 of always-yes", "decimal", 3),
    )
    rows = [
        (
            test.view,
            test.question,
            test.runs or None,
            test.divisions or None,
            test.functionalities or None,
            None if test.pairs.value is None else round(test.pairs.value),
            test.clone_share.value,
            test.always_yes.value,
        )
        for test in summary.tests
    ]
    text = (
        "A run is a seed, or a fold of a seed. Runs that divide the fragments in the same way count once. Intervals "
        "are by tested functionality: a functionality that several divisions test is one observation. They do not show "
        "how much depends on which functionalities are in train, since the training parts overlap."
    )
    return Section("Test data", [Table(columns, rows, "Test parts, means over distinct divisions"), note(text)])


def _manifest(summary: MatrixSummary) -> dict[str, str]:
    manifest = summary.manifest
    facts = {name.replace("_", " "): str(value) for name, value in summary.setting.items() if value is not None}
    facts |= {f"input {name}": value for name, value in manifest.inputs.items()}
    facts |= {"configuration": manifest.configuration_digest, **manifest.versions}
    return {**facts, "time": manifest.time}
