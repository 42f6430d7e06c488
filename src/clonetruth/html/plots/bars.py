"""Bars, dots, histograms, and a map of shared amounts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
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
    left_margin,
    legend_height,
    no_data,
    number,
    omitted_values,
    series_class,
    shorten,
    shorten_start,
    span_of,
    text_width,
    tick_label,
)

_ROW = 21.0
_LARGEST, _SMALLEST = 9.0, 2.2


@dataclass(frozen=True)
class Dot:
    """A named value with an optional interval and the size that it stands for; None is unknown."""

    label: str
    value: float | None
    size: float | None = None
    low: float | None = None
    high: float | None = None


def dot_chart(
    dots: Sequence[Dot], labels: Labels, *, span: tuple[float, float] | None = None, unit: str = "pairs"
) -> Svg:
    """One short row per value, so that dozens fit on a screen: name, interval, and a dot whose area is its size.

    Args:
        dots: from top to bottom.
        labels: the texts; `labels.x` is the label of the axis.
        span: the ends of the axis (default: the range of the values).
        unit: what the sizes count.
    """
    ends = [end for dot in dots for end in (dot.value, dot.low, dot.high) if is_known(end)]
    if not any(is_known(dot.value) for dot in dots):
        return no_data(labels)
    left = min(max(text_width(dot.label) for dot in dots) + 20, WIDTH * 0.48)
    low, high = span or span_of(ends)
    x = Scale(low, high, left, WIDTH - 18)
    bottom = _ROW * len(dots) + 6
    most = max((dot.size for dot in dots if is_known(dot.size)), default=None)
    canvas = Canvas(bottom + (46 if labels.x else 26))
    for tick in x.ticks(4):
        canvas.line(x(tick), 0, x(tick), bottom, "grid")
        canvas.text(x(tick), bottom + 18, tick_label(tick), "tick middle")
    for row, dot in enumerate(dots):
        y = _ROW * (row + 0.5) + 3
        canvas.text(left - 12, y + 4.5, shorten(dot.label, left - 12), "end")
        _draw_dot(canvas, x, y, dot, _radius(dot.size, most), unit)
    canvas.line(left, 0, left, bottom, "axis")
    canvas.text((x.start + x.end) / 2, bottom + 39, labels.x, "label middle")
    in_words = ", ".join(f"{dot.label} {tick_label(round(dot.value, 3))}" for dot in dots if is_known(dot.value))
    area = f"The area of a dot stands for its {unit}." if most else ""
    missing = sum(not is_known(dot.value) for dot in dots)
    return canvas.svg(labels.title, labels.description, area, f"{in_words}.", omitted_values(missing))


def _radius(size: float | None, most: float | None) -> float:
    if not is_known(size) or not most:
        return 4.0
    return max(_SMALLEST, _LARGEST * math.sqrt(max(size, 0.0) / most))


def _draw_dot(canvas: Canvas, x: Scale, y: float, dot: Dot, radius: float, unit: str) -> None:
    if not is_known(dot.value):
        canvas.text(x.start + 6, y + 4.5, "unknown", "tick on-grid")
        return
    if is_known(dot.low) and is_known(dot.high):
        canvas.line(x(max(dot.low, x.low)), y, x(min(dot.high, x.high)), y, "whisker s1")
    if x.low <= dot.value <= x.high:
        stands_for = f", {tick_label(dot.size)} {unit}" if is_known(dot.size) else ""
        canvas.mark(x(dot.value), y, radius, 1, f"{dot.label}: {tick_label(round(dot.value, 3))}{stands_for}")


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
        series: one non-negative value per category; several series are grouped or stacked.
        labels: the texts; `labels.x` is the label of the value axis.
        stacked: stack the bars of a category.
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
    return canvas.svg(labels.title, labels.description, _bars_in_words(categories, series), omitted_values(missing))


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
    """The distribution of the values of each series over equal bins.

    Args:
        series: the values themselves, not counts.
        labels: the texts; `labels.y` defaults to "count".
        bins: number of bins.
        span: the first and last edge (default: the range of the values). Values outside are left out and counted in the
            description.
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
    x = Scale(low, high, left_margin(y), WIDTH - 14)
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
    return canvas.svg(labels.title, labels.description, f"Values drawn: {sizes}.", omitted_values(missing), beyond)


def _binned(values: Sequence[float], low: float, high: float, bins: int) -> list[int]:
    counts = [0] * bins
    for value in values:
        counts[min(int((value - low) / (high - low) * bins), bins - 1)] += 1
    return counts


_LARGEST_CELL = 34.0
_DESCRIBED = 5
"""Number of the largest amounts that the description names."""


def share_map(names: Sequence[str], amounts: Mapping[tuple[int, int], float], labels: Labels) -> Svg:
    """How much each two things share: a square per pair, sized by the amount; the diagonal is a thing with itself.

    Args:
        names: the things, for example paths.
        amounts: the amount that two things share, by their positions in `names`, the smaller position first.
        labels: the texts of the plot; `labels.x` is the unit of the amounts.
    """
    known = {places: amount for places, amount in amounts.items() if amount > 0}
    if not known:
        return no_data(labels)
    left = 200.0
    cell = min(_LARGEST_CELL, (WIDTH - left) / len(names))
    canvas = Canvas(len(names) * cell + 26)
    most = max(known.values())
    for row, name in enumerate(names):
        middle = row * cell + cell / 2
        canvas.text(left - 8, middle + 4.5, f"{shorten_start(name, left - 40)} {row + 1}", "tick end")
        canvas.text(left + middle, len(names) * cell + 18, str(row + 1), "tick middle")
        canvas.line(left, middle, left + middle, middle, "grid")
        canvas.line(left + middle, middle, left + middle, len(names) * cell, "grid")
    for (first, second), amount in sorted(known.items()):
        side = max(2.0, (cell - 2) * math.sqrt(amount / most))
        x, y = left + first * cell + (cell - side) / 2, second * cell + (cell - side) / 2
        canvas.rect((x, y), (side, side), "s1", _in_words(names, first, second, amount, labels.x))
    largest = sorted(known.items(), key=lambda item: (-item[1], item[0]))[:_DESCRIBED]
    described = "; ".join(_in_words(names, *places, amount, labels.x) for places, amount in largest)
    return canvas.svg(labels.title, labels.description, f"The largest: {described}.")


def _in_words(names: Sequence[str], first: int, second: int, amount: float, unit: str) -> str:
    where = f"within {names[first]}" if first == second else f"{names[first]} and {names[second]}"
    return f"{where}: {amount:,.0f} {unit}".rstrip()
