"""Slope charts: how values change over a few named stages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clonetruth.html.numbers import decimal, is_known
from clonetruth.html.plots.canvas import (
    WIDTH,
    Canvas,
    Labels,
    Scale,
    Svg,
    draw_legend,
    legend_height,
    no_data,
    number,
    omitted_values,
    series_class,
    shorten,
    span_of,
    text_width,
    tick_label,
)

_LEFT, _RIGHT, _HEIGHT = 58.0, 14.0, 230.0
_APART = 9.0
"""Distance between the marks of two lines at a stage, so that their intervals do not hide each other."""


@dataclass(frozen=True)
class SlopeStage:
    """A value with its interval; None is unknown."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Slope:
    """A line: its name, and its value at each stage."""

    name: str
    stages: Sequence[SlopeStage]


def slope_chart(
    stages: Sequence[str], slopes: Sequence[Slope], labels: Labels, *, span: tuple[float, float] | None = None
) -> Svg:
    """One line per slope over named stages, with the interval of each value as a whisker.

    A line is broken where a value is unknown.

    Args:
        stages: the names of the stages, from left to right.
        slopes: the lines, with a value for each stage.
        labels: the texts; `labels.y` is the label of the axis.
        span: the ends of the axis (default: the range of the values).
    """
    values = [end for one in slopes for at in one.stages for end in (at.value, at.low, at.high) if is_known(end)]
    if not values:
        return no_data(labels)
    names = [one.name for one in slopes]
    top = legend_height(names) + 8
    low, high = span or span_of(values)
    y = Scale(low, high, top + _HEIGHT, top)
    width = (WIDTH - _LEFT - _RIGHT) / len(stages)
    canvas = Canvas(y.start + 46)
    draw_legend(canvas, names, "curve")
    for tick in y.ticks():
        canvas.line(_LEFT, y(tick), WIDTH - _RIGHT, y(tick), "grid")
        canvas.text(_LEFT - 7, y(tick) + 4.5, tick_label(tick), "tick end")
    canvas.text(14, (y.start + y.end) / 2, labels.y, "label middle", turned=True)
    canvas.path(f"M{number(_LEFT)} {number(y.end)}V{number(y.start)}H{number(WIDTH - _RIGHT)}", "axis")
    for at, stage in enumerate(stages):
        for line, words in enumerate(_wrapped(stage, width)):
            canvas.text(_LEFT + (at + 0.5) * width, y.start + 19 + 19 * line, words, "tick middle")
    for index, one in enumerate(slopes):
        aside = (index - (len(slopes) - 1) / 2) * _APART
        _draw_slope(canvas, one, y, [_LEFT + (at + 0.5) * width + aside for at in range(len(stages))], index)
    unknown = sum(not is_known(at.value) for one in slopes for at in one.stages)
    return canvas.svg(labels.title, labels.description, _in_words(stages, slopes), omitted_values(unknown))


def _wrapped(stage: str, width: float) -> list[str]:
    """The name of a stage, wrapped at its hyphen if it is too long for one line."""
    head, hyphen, tail = stage.rpartition("-")
    if text_width(stage) <= width or not hyphen:
        return [shorten(stage, width)]
    # The neighbours are rarely as long, so a line may be a little wider than its share.
    return [shorten(words, width * 1.2) for words in (head + hyphen, tail)]


def _draw_slope(canvas: Canvas, slope: Slope, y: Scale, places: Sequence[float], index: int) -> None:
    series = series_class(index)
    before: tuple[float, float] | None = None
    for x, at in zip(places, slope.stages, strict=True):
        if not is_known(at.value):
            before = None
            continue
        here = x, y(min(max(at.value, y.low), y.high))
        if before is not None:
            canvas.line(*before, *here, f"curve s{series}")
        if is_known(at.low) and is_known(at.high):
            canvas.line(x, y(max(at.low, y.low)), x, y(min(at.high, y.high)), f"whisker s{series}")
        canvas.mark(*here, 4, series, f"{slope.name}: {decimal(at.value)}")
        before = here


def _in_words(stages: Sequence[str], slopes: Sequence[Slope]) -> str:
    return " ".join(
        f"{one.name}: "
        + ", ".join(f"{stage} {decimal(at.value)}" for stage, at in zip(stages, one.stages, strict=True))
        + "."
        for one in slopes
    )
