"""The page of a trend: duplication over git history as lines, and the table behind them."""

from __future__ import annotations

from collections.abc import Iterator

from clonetruth.find.clone_class import CLONE_TYPES
from clonetruth.find.trend import CloneTrend, TrendPoint
from clonetruth.html.blocks import Callout, Content, Figure, callouts, cautions, lead
from clonetruth.html.numbers import count, plural
from clonetruth.html.page import Page, Section
from clonetruth.html.plots import Labels, PlottedCurve, line_chart
from clonetruth.html.tables import Cell, Column, Table
from clonetruth.safe_text import visible

_TYPES = {"T1": "T1, only layout", "T2": "T2, names and values", "T3": "T3, edited"}

_UNITS = ((86_400, "days"), (3_600, "hours"), (60, "minutes"), (1, "seconds"))
"""The units of time of the plots."""


def trend_page(trend: CloneTrend) -> Page:
    """The page of a trend."""
    return Page(
        title="Duplication over time",
        subtitle=f"{plural(len(trend.points), 'commit')} of {count(trend.history)}, folder {visible(trend.folder)}",
        opening=list(_opening(trend)),
        sections=[
            Section("Duplicated lines", [_percent_figure(trend)], anchor="lines"),
            Section("Clone classes", [_classes_figure(trend)], anchor="classes"),
            Section("All commits", [_table(trend)], anchor="commits"),
        ],
        manifest={name: _option_text(value) for name, value in trend.options.items()},
    )


def _opening(trend: CloneTrend) -> Iterator[Content]:
    known = [point for point in trend.points if point.numbers is not None and point.numbers.percent is not None]
    if len(known) > 1:
        first, last = known[0], known[-1]
        assert first.numbers is not None
        assert last.numbers is not None
        yield lead(
            f"{_percent(last)} of the lines are duplicated on {last.date}; they were {_percent(first)} on {first.date}."
        )
        yield callouts(
            [
                Callout(_percent(last), "duplicated lines", f"{count(last.numbers.duplicated_lines)} lines"),
                Callout(count(last.numbers.classes), "clone classes", f"{count(first.numbers.classes)} before"),
                Callout(count(last.numbers.lines), "lines of code", f"{count(first.numbers.lines)} before"),
            ]
        )
    problems = [f"{point.commit[:10]}: {visible(point.problem)}" for point in trend.points if point.problem]
    if problems or trend.notes:
        yield cautions("What is missing", [*problems, *map(visible, trend.notes)])


def _percent(point: TrendPoint) -> str:
    percent = point.numbers.percent if point.numbers else None
    return "–" if percent is None else f"{percent:.1f} %"


def _percent_figure(trend: CloneTrend) -> Figure:
    values = [(time, point.numbers.percent if point.numbers else None) for time, point in _times(trend)]
    top = max((value for _, value in values if value is not None), default=0.0)
    labels = Labels("Duplicated lines in percent, by time", x=_axis(trend), y="duplicated lines in %")
    return Figure(
        line_chart(
            [PlottedCurve("duplicated lines", values)], labels, x_span=_span(trend), y_span=(0, max(top * 1.1, 1.0))
        ),
        "The share of lines in a clone other than the first of its class. A gap is a commit without source "
        "files, or one that could not be read.",
    )


def _classes_figure(trend: CloneTrend) -> Figure:
    curves = [
        PlottedCurve(
            _TYPES[kind],
            [
                (time, float(point.numbers.classes_by_type[kind]) if point.numbers else None)
                for time, point in _times(trend)
            ],
        )
        for kind in CLONE_TYPES
    ]
    top = max((value for curve in curves for _, value in curve.points if value is not None), default=0.0)
    labels = Labels("Clone classes by the type of their strongest pair, by time", x=_axis(trend), y="classes")
    return Figure(
        line_chart(curves, labels, x_span=_span(trend), y_span=(0, max(top * 1.1, 1.0))),
        "Classes by the type of their strongest pair.",
    )


def _times(trend: CloneTrend) -> Iterator[tuple[float, TrendPoint]]:
    """Each commit with its time, counted from the first one in the unit of the plots."""
    first, (seconds, _) = _first(trend), _unit(trend)
    for point in sorted(trend.points, key=lambda one: one.seconds):
        yield (point.seconds - first) / seconds, point


def _first(trend: CloneTrend) -> int:
    return min((point.seconds for point in trend.points), default=0)


def _unit(trend: CloneTrend) -> tuple[int, str]:
    """The seconds and the name of the largest unit of which there are at least two between the commits."""
    between = max((point.seconds for point in trend.points), default=0) - _first(trend)
    return next(((seconds, name) for seconds, name in _UNITS if between >= 2 * seconds), _UNITS[-1])


def _span(trend: CloneTrend) -> tuple[float, float]:
    """The same times on both plots, whatever is known of the first commits."""
    return 0.0, max((time for time, _ in _times(trend)), default=0.0) or 1.0


def _axis(trend: CloneTrend) -> str:
    return f"{_unit(trend)[1]} since the first commit, {min((point.date for point in trend.points), default='')}"


def _table(trend: CloneTrend) -> Table:
    columns = (
        Column("date"),
        Column("commit", "code"),
        *((Column("tag", "code"),) if any(point.tag for point in trend.points) else ()),
        Column("files", "count"),
        Column("lines", "count"),
        Column("duplicated", "count"),
        Column("percent", "decimal", 1),
        *(Column(kind, "count") for kind in CLONE_TYPES),
        Column("classes", "count"),
    )
    rows: list[tuple[Cell, ...]] = []
    for point in reversed(trend.points):
        numbers = point.numbers
        rows.append(
            (
                point.date,
                point.commit[:10],
                *((visible(point.tag or ""),) if any(one.tag for one in trend.points) else ()),
                numbers.files if numbers else None,
                numbers.lines if numbers else None,
                numbers.duplicated_lines if numbers else None,
                numbers.percent if numbers else None,
                *(numbers.classes_by_type[kind] if numbers else None for kind in CLONE_TYPES),
                numbers.classes if numbers else None,
            )
        )
    return Table(columns, rows, "The newest commit first", sortable=False)


def _option_text(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
