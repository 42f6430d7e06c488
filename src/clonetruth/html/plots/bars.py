"""Bars: counts by category, and how values are distributed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clonetruth.html.numbers import is_known
from clonetruth.html.plots.canvas import (
    WIDTH,
    Canvas,
    Labels,
    Scale,
    Svg,
    draw_axes,
    draw_legend,
    left_out,
    left_room,
    legend_height,
    no_data,
    number,
    series_class,
    shorten,
    span_of,
    text_width,
    tick_label,
)

_BAR = 15.0
_GAP = 13.0


@dataclass(frozen=True)
class Series:
    """A named list of values; None and NaN are unknown."""

    name: str
    values: Sequence[float | None]

    @property
    def known(self) -> list[float]:
        """The values that can be drawn."""
        return [value for value in self.values if is_known(value)]


def bar_chart(categories: Sequence[str], series: Sequence[Series], labels: Labels, *, stacked: bool = False) -> Svg:
    """Horizontal bars by category, so that long names stay readable.

    Args:
        categories: the names, from top to bottom.
        series: one value per category, not negative; several series are grouped, or stacked.
        labels: the words; `labels.x` is the axis of the values.
        stacked: put the bars of a category end to end.
    """
    for one in series:
        if len(one.values) != len(categories):
            raise ValueError(f"series {one.name!r} has {len(one.values)} values for {len(categories)} categories")
    if not categories or not any(one.known for one in series):
        return no_data(labels)
    names = [one.name for one in series] if len(series) > 1 else []
    top = legend_height(names)
    left = min(max(text_width(name) for name in categories) + 12, WIDTH * 0.4)
    group = _BAR * (1 if stacked else len(series))
    bottom = top + len(categories) * (group + _GAP) + _GAP / 2
    if stacked:
        rows = zip(*(one.values for one in series), strict=True)
        sums = [sum(value for value in row if is_known(value)) for row in rows]
    else:
        sums = [value for one in series for value in one.known]
    right = 14 + max(text_width(tick_label(value)) for value in sums)
    x = Scale(0, span_of(sums, from_zero=True)[1], left, WIDTH - right)
    canvas = Canvas(bottom + (46 if labels.x else 26))
    draw_legend(canvas, names, "bar")
    for tick in x.ticks(4):
        canvas.line(x(tick), top, x(tick), bottom, "grid")
        canvas.text(x(tick), bottom + 18, tick_label(tick), "tick middle")
    for row, category in enumerate(categories):
        y = top + row * (group + _GAP) + _GAP / 2
        canvas.text(left - 9, y + group / 2 + 4.5, shorten(category, left - 12), "end")
        _draw_group(canvas, x, y, category, [(one.name, one.values[row]) for one in series], stacked)
    canvas.line(left, top, left, bottom, "axis")
    canvas.text((x.start + x.end) / 2, bottom + 39, labels.x, "label middle")
    missing = sum(len(one.values) - len(one.known) for one in series)
    return canvas.svg(labels.title, labels.description, _bars_in_words(categories, series), left_out(missing))


def _draw_group(
    canvas: Canvas, x: Scale, y: float, category: str, bars: Sequence[tuple[str, float | None]], stacked: bool
) -> None:
    total = 0.0
    for index, (name, value) in enumerate(bars):
        start = total if stacked else 0.0
        top = y if stacked else y + index * _BAR
        if not is_known(value):
            if not stacked:
                canvas.text(x(0) + 5, top + _BAR - 3.5, "unknown", "tick")
            continue
        hint = f"{category}, {name}: {tick_label(value)}"
        size = (x(start + value) - x(start), _BAR - 1)
        canvas.rect((x(start), top), size, f"bar s{series_class(index)}", hint)
        if not stacked:
            canvas.text(x(value) + 5, top + _BAR - 3.5, tick_label(value), "tick")
        total += value
    if stacked:
        canvas.text(x(total) + 5, y + _BAR - 3.5, tick_label(total), "tick")


def _bars_in_words(categories: Sequence[str], series: Sequence[Series]) -> str:
    return " ".join(
        f"{one.name}: "
        + ", ".join(
            f"{category} {tick_label(value)}"
            for category, value in zip(categories, one.values, strict=True)
            if is_known(value)
        )
        + "."
        for one in series
    )


def histogram(
    series: Sequence[Series], labels: Labels, *, bins: int = 20, span: tuple[float, float] | None = None
) -> Svg:
    """How the values of each series are distributed over equal bins.

    Args:
        series: the values themselves, not counts.
        labels: the words; `labels.y` defaults to "count".
        bins: how many bins.
        span: the first and last edge; the range of the values where it is not given. Values outside are
            left out and counted in the description.
    """
    known = [value for one in series for value in one.known]
    low, high = span or span_of(known)
    inside = [[value for value in one.known if low <= value <= high] for one in series]
    if not any(inside):
        return no_data(labels)
    counts = [_binned(values, low, high, bins) for values in inside]
    names = [one.name for one in series] if len(series) > 1 else []
    top = legend_height(names) + 8
    y = Scale(0, max(max(column) for column in counts), top + 210, top)
    x = Scale(low, high, left_room(y), WIDTH - 14)
    canvas = Canvas(y.start + 50)
    draw_legend(canvas, names, "area")
    draw_axes(canvas, x, y, Labels(labels.title, labels.x, labels.y or "count"))
    for index, column in enumerate(counts):
        steps = "".join(
            f"V{number(y(height))}H{number(x(low + (high - low) * (k + 1) / bins))}" for k, height in enumerate(column)
        )
        canvas.path(f"M{number(x(low))} {number(y(0))}{steps}V{number(y(0))}z", f"area s{series_class(index)}")
    sizes = ", ".join(f"{one.name} {len(values):,}" for one, values in zip(series, inside, strict=True))
    missing = sum(len(one.values) for one in series) - len(known)
    outside = len(known) - sum(map(len, inside))
    beyond = f"{outside:,} outside the span are left out." if outside else ""
    return canvas.svg(labels.title, labels.description, f"Values drawn: {sizes}.", left_out(missing), beyond)


def _binned(values: Sequence[float], low: float, high: float, bins: int) -> list[int]:
    counts = [0] * bins
    for value in values:
        counts[min(int((value - low) / (high - low) * bins), bins - 1)] += 1
    return counts
