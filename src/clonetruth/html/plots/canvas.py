"""The tools of every plot: an SVG canvas, a linear scale, axes and a legend.

Colours and font sizes are classes of `plot.css`, so that a plot follows the colour scheme of its page. The same calls
give the same bytes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

WIDTH = 480.0
"""Width of every plot in its own units: small, to keep its text readable on a phone."""

SERIES_COLOURS = 6
_CHARACTER = 8.7  # width of a character in the large font of narrow screens, in a wide system font
_LEGEND_LINE = 20.0


class Svg(Markup):
    """A plot: an `svg` element with role `img`, a title and a description."""

    __slots__ = ()


@dataclass(frozen=True)
class Labels:
    """The texts of a plot.

    Attributes:
        title: what the plot shows; read by screen readers and shown as a tooltip, not drawn.
        x: the label of the horizontal axis.
        y: the label of the vertical axis.
        description: what a reader who cannot see the plot should know; counts and omissions are added.
    """

    title: str
    x: str = ""
    y: str = ""
    description: str = ""


@dataclass(frozen=True)
class Scale:
    """A linear scale from `low`..`high` to `start`..`end` on the canvas."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """The position of a value on the canvas."""
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self, about: int = 5) -> list[float]:
        """Round values within the scale, at most about `about + 1` of them."""
        step = _round_step((self.high - self.low) / about)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [round(k * step, 10) for k in range(first, last + 1)]


def _round_step(rough: float) -> float:
    power: float = 10.0 ** math.floor(math.log10(rough))
    return next(power * nice for nice in (1, 2, 2.5, 5, 10) if rough <= power * nice * (1 + 1e-9))


def span_of(values: Iterable[float], *, from_zero: bool = False) -> tuple[float, float]:
    """A span that holds all values, even if there is only one; 0 to 1 if there are none."""
    known = list(values)
    if not known:
        return 0.0, 1.0
    low, high = min(known), max(known)
    if from_zero:
        low, high = min(low, 0.0), max(high, 0.0)
    if low == high:
        half = abs(low) / 2 or 0.5
        return (low, high + 2 * half) if from_zero else (low - half, high + half)
    return low, high


def number(value: float) -> str:
    """A coordinate: at most two decimals, no trailing zeros, no negative zero."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def tick_label(value: float) -> str:
    """A tick as text: 0.5, 12, 10,000."""
    text = f"{value:,.10f}".rstrip("0").rstrip(".")
    return text.replace("-", "−")


def text_width(text: str) -> float:
    """The approximate width of a text."""
    return len(text) * _CHARACTER


def shorten(text: str, width: float) -> str:
    """A text cut to a width, with an ellipsis at its end."""
    most = max(1, int(width / _CHARACTER))
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def shorten_start(text: str, width: float) -> str:
    """A text cut to a width, with an ellipsis at its start: the end of a path says most."""
    most = max(1, int(width / _CHARACTER))
    return text if len(text) <= most else "…" + text[len(text) - most + 1 :]


class Canvas:
    """Collects the elements of a plot."""

    def __init__(self, height: float, width: float = WIDTH) -> None:
        self.width = width
        self.height = height
        self._parts: list[Markup] = []

    def text(self, x: float, y: float, text: str, css: str = "", *, turned: bool = False) -> None:
        """Text with its baseline at (x, y); `turned` reads upwards."""
        turn = f' transform="rotate(-90 {number(x)} {number(y)})"' if turned else ""
        self._add(f'<text x="{number(x)}" y="{number(y)}"{turn} class="{css}">{escape(text)}</text>')

    def line(self, x1: float, y1: float, x2: float, y2: float, css: str) -> None:
        """A straight line."""
        self.path(f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}", css)

    def path(self, d: str, css: str) -> None:
        """A path."""
        self._add(f'<path d="{d}" class="{css}"/>')

    def rect(self, corner: tuple[float, float], size: tuple[float, float], css: str, hint: str = "") -> None:
        """A rectangle from its upper left corner; `hint` is shown while the pointer is on it."""
        (x, y), (width, height) = corner, size
        place = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
        self._add(f'<rect {place} class="{css}"{_close("rect", hint)}')

    def mark(self, x: float, y: float, radius: float, series: int, hint: str = "") -> None:
        """The mark of a series: a dot for odd series, a diamond for even ones, not distinguished by colour alone."""
        if series % 2:
            place = f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(radius)}"'
            self._add(f'{place} class="dot s{series}"{_close("circle", hint)}')
        else:
            r = number(radius * 1.25)
            d = f"M{number(x)} {number(y)}m0-{r}l{r} {r}l-{r} {r}l-{r}-{r}z"
            self._add(f'<path d="{d}" class="diamond s{series}"{_close("path", hint)}')

    def solid(self, x: float, y: float, series: int) -> None:
        """The mark of an estimate: a square for odd series, a diamond for even ones."""
        if series % 2:
            self.rect((x - 4.5, y - 4.5), (9, 9), f"s{series}")
        else:
            self.path(f"M{number(x)} {number(y)}m0-6l6 6l-6 6l-6-6z", f"s{series}")

    def svg(self, title: str, *description: str) -> Svg:
        """The finished plot."""
        full_description = " ".join(part for part in description if part)
        return Svg(
            f'<svg class="plot" role="img" viewBox="0 0 {number(self.width)} {number(self.height)}" '
            f'width="{number(self.width)}" height="{number(self.height)}">'
            f"<title>{escape(title)}</title><desc>{escape(full_description)}</desc>"
            f"{''.join(self._parts)}</svg>"
        )

    def _add(self, element: str) -> None:
        self._parts.append(Markup(element))


def _close(tag: str, hint: str) -> str:
    return f"><title>{escape(hint)}</title></{tag}>" if hint else "/>"


def series_class(index: int) -> int:
    """The number of the colour of the series at a 0-based index; colours repeat after six."""
    return index % SERIES_COLOURS + 1


def left_margin(y: Scale) -> float:
    """The left margin of a plot, for the ticks and the label of its vertical axis."""
    return max(58.0, 27 + max(text_width(tick_label(tick)) for tick in y.ticks()))


def draw_axes(canvas: Canvas, x: Scale, y: Scale, labels: Labels) -> None:
    """Draw a grid with ticks, the labels of the axes, and their base lines."""
    for tick in x.ticks():
        canvas.line(x(tick), y.start, x(tick), y.end, "grid")
        canvas.text(x(tick), y.start + 18, tick_label(tick), "tick middle")
    for tick in y.ticks():
        canvas.line(x.start, y(tick), x.end, y(tick), "grid")
        canvas.text(x.start - 7, y(tick) + 4.5, tick_label(tick), "tick end")
    canvas.path(f"M{number(x.start)} {number(y.end)}V{number(y.start)}H{number(x.end)}", "axis")
    canvas.text((x.start + x.end) / 2, y.start + 39, labels.x, "label middle")
    canvas.text(14, (y.start + y.end) / 2, labels.y, "label middle", turned=True)


def legend_lines(names: Sequence[str]) -> list[list[tuple[float, int, str]]]:
    """The layout of a legend: lines of (x, index, name), wrapped to the width of the canvas."""
    lines: list[list[tuple[float, int, str]]] = [[]]
    x = 0.0
    for index, name in enumerate(names):
        shown = shorten(name, WIDTH - 40)
        width = 40 + text_width(shown)
        if lines[-1] and x + width > WIDTH:
            lines.append([])
            x = 0.0
        lines[-1].append((x, index, shown))
        x += width
    return lines


def legend_height(names: Sequence[str]) -> float:
    """The height of a legend above the plot."""
    return len(legend_lines(names)) * _LEGEND_LINE + 6 if names else 0.0


def draw_legend(canvas: Canvas, names: Sequence[str], kind: str) -> None:
    """Draw a legend at the top; `kind` is `bar`, `area`, `mark`, `solid` or `curve`."""
    for row, line in enumerate(legend_lines(names)):
        y = row * _LEGEND_LINE + 14
        for x, index, name in line:
            series = series_class(index)
            if kind == "mark":
                canvas.mark(x + 8, y - 4.5, 5, series)
            elif kind == "solid":
                canvas.solid(x + 8, y - 4.5, series)
            elif kind == "curve":
                canvas.line(x, y - 4.5, x + 18, y - 4.5, f"curve s{series}")
            else:
                canvas.rect((x + 1, y - 10), (13, 11), f"{kind} s{series}")
            canvas.text(x + 23, y, name)


def no_data(labels: Labels) -> Svg:
    """A plot that says that there is no data."""
    canvas = Canvas(120)
    canvas.rect((0.5, 0.5), (WIDTH - 1, 119), "frame")
    canvas.text(WIDTH / 2, 65, "no data", "label middle")
    return canvas.svg(labels.title, labels.description, "There is no data to show.")


def omitted_values(missing: int) -> str:
    """The sentence about values that could not be drawn."""
    if not missing:
        return ""
    return f"{missing:,} {'value is' if missing == 1 else 'values are'} unknown and left out."
