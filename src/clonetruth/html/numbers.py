"""Numbers as text. Unknown is a dash, never zero."""

from __future__ import annotations

import math
from typing import TypeGuard

UNKNOWN = "–"
_NARROW_SPACE = "\u202f"


def is_known(value: float | None) -> TypeGuard[float]:
    """Whether a value is a finite number."""
    return value is not None and math.isfinite(value)


def count(value: int | None) -> str:
    """A count with thousands separated: 12,345."""
    return UNKNOWN if value is None else f"{value:,}"


def decimal(value: float | None, digits: int = 2) -> str:
    """A number with a fixed number of decimals and a true minus sign."""
    if not is_known(value):
        return UNKNOWN
    text = f"{value:,.{digits}f}"
    return text.replace("-", "−") if float(text.replace(",", "")) else text.removeprefix("-")


def percent(value: float | None, digits: int = 0) -> str:
    """A share as a percentage: 0.123 is 12 %."""
    if not is_known(value):
        return UNKNOWN
    return f"{decimal(value * 100, digits)}{_NARROW_SPACE}%"


def percent_interval(low: float | None, high: float | None, digits: int = 0) -> str:
    """An interval of shares: 10–17 %."""
    if not is_known(low) or not is_known(high):
        return UNKNOWN
    return f"{decimal(low * 100, digits)}–{percent(high, digits)}"


def plural(number: int, one: str, many: str | None = None) -> str:
    """A count with its noun: 1 pair, 2 pairs."""
    return f"{count(number)} {one if number == 1 else many or one + 's'}"
