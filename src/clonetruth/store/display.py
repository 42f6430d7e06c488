"""Measurements as text and as notebook tables, shared by the `__repr__` and `_repr_html_` of results."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markupsafe import Markup

    from clonetruth.store.results import Measurement

_WIDTH = 110
_MOST = 6


def plural(number: int, noun: str) -> str:
    """A count with its noun: `1 pair`, `2,000 pairs`. Without `clonetruth.html`, which takes a moment to load."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def measurement_text(measurement: Measurement, digits: int = 3) -> str:
    """The number with its interval: `0.873 [0.840, 0.902]`; `undefined` without a value."""
    if measurement.value is None:
        return "undefined"
    return f"{measurement.value:.{digits}f}{_interval_text(measurement, digits)}"


def share_text(measurement: Measurement, digits: int = 1) -> str:
    """A share with its interval as percentages: `13.2 % [10.1, 17.0]`; `unknown` without a value."""
    if measurement.value is None:
        return "unknown"
    interval = ""
    if measurement.low is not None and measurement.high is not None:
        interval = f" [{measurement.low:.{digits}%}, {measurement.high:.{digits}%}]".replace("%", "")
    return f"{measurement.value * 100:.{digits}f} %{interval}"


def _interval_text(measurement: Measurement, digits: int) -> str:
    if measurement.low is None or measurement.high is None:
        return ""
    return f" [{measurement.low:.{digits}f}, {measurement.high:.{digits}f}]"


def brief(head: str, measurements: Sequence[Measurement]) -> str:
    """The first few measurements under a head, in angle brackets and wrapped: the text of a `__repr__`."""
    shown = [f"{one.name} {measurement_text(one)}".replace(" ", "\0") for one in measurements[:_MOST]]
    if len(measurements) > _MOST:
        shown.append(f"… and {len(measurements) - _MOST} more")
    text = f"<{head}: {', '.join(shown) or 'no measurements'}>"
    # A number is not torn from its name and its interval.
    return textwrap.fill(text, _WIDTH, subsequent_indent="  ", break_on_hyphens=False).replace("\0", " ")


def measurement_table(measurements: Iterable[Measurement], caption: str = "", *, percent: bool = False) -> Markup:
    """A notebook table with one row per measurement: value, interval, number of pairs."""
    from clonetruth.html import Column, notebook, numbers

    digits = 1 if percent else 3
    columns = [
        Column("metric"),
        Column("value", "percent" if percent else "decimal", digits),
        Column("interval"),
        Column("n", "count"),
    ]
    show = numbers.percent if percent else numbers.decimal
    rows = [
        (
            one.name,
            one.value,
            "" if one.low is None or one.high is None else f"{show(one.low, digits)} to {show(one.high, digits)}",
            one.n,
        )
        for one in measurements
    ]
    return notebook.table(columns, rows, caption)
