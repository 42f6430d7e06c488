"""Dots: many named values on one axis, the area of each dot by how much it stands for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from clonetruth.html.numbers import is_known
from clonetruth.html.plots.canvas import (
    WIDTH,
    Canvas,
    Labels,
    Scale,
    Svg,
    left_out,
    no_data,
    shorten,
    span_of,
    text_width,
    tick_label,
)

_ROW = 21.0
_LARGEST, _SMALLEST = 9.0, 2.2


@dataclass(frozen=True)
class Dot:
    """A named value, its interval where there is one, and how much it stands for; None is unknown."""

    label: str
    value: float | None
    size: float | None = None
    low: float | None = None
    high: float | None = None


def dot_chart(
    dots: Sequence[Dot], labels: Labels, *, span: tuple[float, float] | None = None, unit: str = "pairs"
) -> Svg:
    """One short row per value, so that dozens fit on a screen: its name, its interval, and a dot on the axis.

    Args:
        dots: from top to bottom.
        labels: the words; `labels.x` is the axis.
        span: the ends of the axis; the range of the values where it is not given.
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
    return canvas.svg(labels.title, labels.description, area, f"{in_words}.", left_out(missing))


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
