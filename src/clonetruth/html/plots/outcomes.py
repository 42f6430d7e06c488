"""Results: a 2×2 confusion matrix, and estimates with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clonetruth.html.numbers import decimal, is_known, percent
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


@dataclass(frozen=True)
class ConfusionWords:
    """The names of the rows (truth) and columns (prediction) of a confusion matrix."""

    positive: str = "clone"
    negative: str = "not a clone"
    called_positive: str = "called clone"
    called_negative: str = "called not clone"


def confusion_matrix(counts: tuple[int, int, int, int], labels: Labels, words: ConfusionWords | None = None) -> Svg:
    """A confusion matrix: counts, each also as a share of its row (the true class).

    Args:
        counts: (true positives, false positives, false negatives, true negatives).
        labels: the texts of the plot; `labels.x` and `labels.y` are not used.
        words: the names of the rows and columns.
    """
    names = words or ConfusionWords()
    tp, fp, fn, tn = counts
    if not any(counts):
        return no_data(labels)
    left, top, height = 128.0, 30.0, 96.0
    width = (WIDTH - left) / 2
    canvas = Canvas(top + 2 * height)
    canvas.text(left + width / 2, 18, shorten(names.called_positive, width), "heading middle")
    canvas.text(left + width * 1.5, 18, shorten(names.called_negative, width), "heading middle")
    rows = ((names.positive, tp, fn, True), (names.negative, fp, tn, False))
    for row, (name, first, second, is_positive) in enumerate(rows):
        y = top + row * height
        canvas.text(left - 12, y + height / 2 - 3, shorten(name, left - 12), "heading end")
        canvas.text(left - 12, y + height / 2 + 16, f"{first + second:,}", "tick end")
        for column, value in enumerate((first, second)):
            is_right = is_positive == (column == 0)
            x = left + column * width
            canvas.rect((x, y), (width, height), "cell right" if is_right else "cell wrong")
            canvas.text(x + width / 2, y + 44, f"{value:,}", "big middle")
            share = value / (first + second) if first + second else None
            canvas.text(x + width / 2, y + 66, percent(share), "tick middle")
            canvas.text(x + width / 2, y + 84, "right" if is_right else "wrong", "tick middle")
    in_words = " ".join(
        f"Of {first + second:,} {name}, {first:,} {names.called_positive} and {second:,} {names.called_negative}."
        for name, first, second, _ in rows
    )
    return canvas.svg(labels.title, labels.description, in_words)


@dataclass(frozen=True)
class PlottedEstimate:
    """A value with its interval; None is unknown.

    Attributes:
        label: its name.
        value: the number; None if only bounds are known.
        low: lower end of the interval, or lower bound.
        high: upper end of the interval, or upper bound.
        series: the 0-based index of its colour and mark.
        before: an earlier value, from which an arrow leads to `value`.
    """

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    series: int = 0
    before: float | None = None


def interval_plot(
    estimates: Sequence[PlottedEstimate],
    labels: Labels,
    *,
    span: tuple[float, float] | None = None,
    digits: int = 2,
    legend: Sequence[str] = (),
) -> Svg:
    """One row per estimate: its name and numbers, and below them a mark on its interval.

    Args:
        estimates: from top to bottom.
        labels: the texts; `labels.x` is the label of the axis.
        span: the ends of the axis (default: the range of the values).
        digits: number of decimals of the printed numbers.
        legend: the names of the series, if there are several.
    """
    ends = [end for one in estimates for end in (one.value, one.low, one.high, one.before) if is_known(end)]
    if not ends:
        return no_data(labels)
    row, margin = 48.0, 16.0
    low, high = span or span_of(ends)
    x = Scale(low, high, margin, WIDTH - margin)
    top = legend_height(legend)
    bottom = top + row * len(estimates) + 6
    canvas = Canvas(bottom + (46 if labels.x else 26))
    draw_legend(canvas, legend, "solid")
    for tick in x.ticks():
        canvas.line(x(tick), top, x(tick), bottom, "grid")
        canvas.text(x(tick), bottom + 18, tick_label(tick), "tick middle")
    texts = [_estimate_in_words(one, digits) for one in estimates]
    for index, (one, text) in enumerate(zip(estimates, texts, strict=True)):
        y = top + row * index
        canvas.text(x.start, y + 18, shorten(one.label, WIDTH - 40 - text_width(text)), "on-grid")
        canvas.text(x.end, y + 18, text, "on-grid end")
        _draw_estimate(canvas, x, y + 35, one)
    canvas.line(x.start, bottom, x.end, bottom, "axis")
    canvas.text((x.start + x.end) / 2, bottom + 39, labels.x, "label middle")
    in_words = "; ".join(f"{one.label} {text}" for one, text in zip(estimates, texts, strict=True))
    return canvas.svg(labels.title, labels.description, f"{in_words}.", omitted_values(texts.count("unknown")))


def _draw_estimate(canvas: Canvas, x: Scale, y: float, one: PlottedEstimate) -> None:
    series = series_class(one.series)
    if is_known(one.low) and is_known(one.high):
        low, high = max(one.low, x.low), min(one.high, x.high)
        if is_known(one.value):
            canvas.line(x(low), y, x(high), y, f"whisker s{series}")
        else:
            canvas.rect((x(low), y - 5), (x(high) - x(low), 10), f"area s{series}")
    if is_known(one.before) and x.low <= one.before <= x.high:
        canvas.mark(x(one.before), y, 5, series)
        if is_known(one.value) and x.low <= one.value <= x.high:
            _draw_arrow(canvas, x(one.before), x(one.value), y)
    if is_known(one.value) and x.low <= one.value <= x.high:
        canvas.solid(x(one.value), y, series)


def _draw_arrow(canvas: Canvas, start: float, end: float, y: float) -> None:
    """Draw an arrow between two marks without touching them, unless they are too close."""
    way = 1 if end > start else -1
    first, last = start + 8 * way, end - 8 * way
    if (last - first) * way > 6:
        canvas.line(first, y, last, y, "arrow")
        canvas.path(f"M{number(last - 5 * way)} {number(y - 4)}l{5 * way} 4l{-5 * way} 4", "arrow")


def _estimate_in_words(one: PlottedEstimate, digits: int) -> str:
    low, high = decimal(one.low, digits), decimal(one.high, digits)
    has_ends = is_known(one.low) and is_known(one.high)
    if not is_known(one.value):
        return f"between {low} and {high}" if has_ends else "unknown"
    was = f"{decimal(one.before, digits)} → " if is_known(one.before) else ""
    return f"{was}{decimal(one.value, digits)}" + (f" [{low}, {high}]" if has_ends else "")
