"""Points and curves: the plane of two similarities, and lines over common axes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeGuard

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
    span_of,
)

_MAX_SINGLE_POINTS = 2_000
_BINS = 40
_RADIUS = 3.6


@dataclass(frozen=True)
class Point:
    """A point of the plane; None and NaN are unknown. `hint` is its tooltip."""

    x: float | None
    y: float | None
    hint: str = ""


@dataclass(frozen=True)
class Cloud:
    """A class of points."""

    name: str
    points: Sequence[Point]


@dataclass(frozen=True)
class Region:
    """The part of the plane where both coordinates are at least `lower`."""

    lower: float
    label: str


@dataclass(frozen=True)
class PlottedCurve:
    """A named line through points (x, y) in the given order; an unknown value interrupts it."""

    name: str
    points: Sequence[tuple[float, float | None]]


def scatter_plane(
    clouds: Sequence[Cloud], labels: Labels, *, threshold: float | None = None, regions: Sequence[Region] = ()
) -> Svg:
    """Classes of points in the unit square, with different marks and colours.

    More than 2,000 points are counted on a grid; the area of a mark then stands for the count of its cell.

    Args:
        clouds: the classes; the first is drawn as dots, the second as diamonds, and so on.
        labels: the texts.
        threshold: the x of a vertical line.
        regions: nested regions, for example of clone types, drawn with their labels.
    """
    drawn = [[(p.x, p.y, p.hint) for p in cloud.points if _in_unit(p.x) and _in_unit(p.y)] for cloud in clouds]
    if not any(drawn):
        return no_data(labels)
    names = [f"{cloud.name} ({len(points):,})" for cloud, points in zip(clouds, drawn, strict=True)]
    top = legend_height(names) + 10
    side = WIDTH - 58 - 16
    x = Scale(0, 1, 58, 58 + side)
    y = Scale(0, 1, top + side, top)
    canvas = Canvas(y.start + 50)
    draw_legend(canvas, names, "mark")
    draw_axes(canvas, x, y, labels)
    for region in regions:
        corner = f"M{number(x(region.lower))} {number(y.end)}V{number(y(region.lower))}H{number(x.end)}"
        if region.lower > 0:
            canvas.path(corner, "cut")
    total = sum(map(len, drawn))
    binned = total > _MAX_SINGLE_POINTS
    for index, points in enumerate(drawn):
        if binned:
            _draw_cells(canvas, x, y, points, series_class(index))
        else:
            for a, b, hint in points:
                canvas.mark(x(a), y(b), _RADIUS, series_class(index), hint)
    for region in regions:
        canvas.text(x.end - 5, y(region.lower) - 5, region.label, "region end")
    if threshold is not None:
        canvas.line(x(threshold), y.start, x(threshold), y.end, "threshold")
    missing = sum(len(cloud.points) for cloud in clouds) - total
    return canvas.svg(
        labels.title,
        labels.description,
        f"Points drawn: {', '.join(names)}.",
        f"Points are counted on a grid of {_BINS} by {_BINS}; area stands for count." if binned else "",
        f"The dashed line is the threshold {threshold:.2f}." if threshold is not None else "",
        omitted_values(missing),
    )


def _in_unit(value: float | None) -> TypeGuard[float]:
    return is_known(value) and 0 <= value <= 1


def _draw_cells(canvas: Canvas, x: Scale, y: Scale, points: Sequence[tuple[float, float, str]], series: int) -> None:
    cells = Counter((min(int(a * _BINS), _BINS - 1), min(int(b * _BINS), _BINS - 1)) for a, b, _ in points)
    if not cells:
        return
    most = max(cells.values())
    widest = (x.end - x.start) / _BINS * 0.62
    for (i, j), count in sorted(cells.items()):
        radius = max(1.2, widest * math.sqrt(count / most))
        canvas.mark(x((i + 0.5) / _BINS), y((j + 0.5) / _BINS), radius, series, f"{count:,}")


def line_chart(
    curves: Sequence[PlottedCurve],
    labels: Labels,
    *,
    x_span: tuple[float, float] | None = None,
    y_span: tuple[float, float] | None = None,
) -> Svg:
    """Curves over common axes, distinguished by colour and dashes; a single point is drawn as a mark."""
    known = [[(a, b) for a, b in curve.points if is_known(a) and is_known(b)] for curve in curves]
    if not any(known):
        return no_data(labels)
    names = [curve.name for curve in curves]
    top = legend_height(names) + 10
    x_low, x_high = x_span or span_of(a for points in known for a, _ in points)
    y_low, y_high = y_span or span_of(b for points in known for _, b in points)
    y = Scale(y_low, y_high, top + 250, top)
    x = Scale(x_low, x_high, left_margin(y), WIDTH - 16)
    canvas = Canvas(y.start + 50)
    draw_legend(canvas, names, "curve")
    draw_axes(canvas, x, y, labels)
    for index, curve in enumerate(curves):
        for run in _runs(curve.points):
            if len(run) == 1:
                canvas.mark(x(run[0][0]), y(run[0][1]), _RADIUS, series_class(index))
            else:
                d = "L".join(f"{number(x(a))} {number(y(b))}" for a, b in run)
                canvas.path(f"M{d}", f"curve s{series_class(index)}")
    missing = sum(len(curve.points) for curve in curves) - sum(map(len, known))
    sizes = ", ".join(f"{name} ({len(points):,} points)" for name, points in zip(names, known, strict=True))
    return canvas.svg(labels.title, labels.description, f"Curves: {sizes}.", omitted_values(missing))


def _runs(points: Sequence[tuple[float, float | None]]) -> list[list[tuple[float, float]]]:
    runs: list[list[tuple[float, float]]] = [[]]
    for a, b in points:
        if is_known(a) and is_known(b):
            runs[-1].append((a, b))
        elif runs[-1]:
            runs.append([])
    return [run for run in runs if run]
