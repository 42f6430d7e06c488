"""JSON and TOML that a stranger may have written: whatever is wrong with it is a ValueError.

The parsers of the standard library raise a RecursionError for deep nesting, and what they still accept can exceed the
stack of whatever walks through the value later.
"""

from __future__ import annotations

import json
import math
import tomllib
from numbers import Real
from typing import Any

MOST_LEVELS = 100
"""Values nested deeper are refused; no format here needs a tenth of it."""


def parse_json(text: str | bytes, *, deep: bool = False) -> Any:
    """The value of a JSON text.

    Args:
        text: the text.
        deep: whether any depth is accepted that the parser can read, because the caller checks it.

    Raises:
        ValueError: it is not JSON, or nested deeper than `MOST_LEVELS`.
    """
    try:
        value = json.loads(text)
    except RecursionError:
        raise _too_deep() from None
    if deep:
        return value
    brackets = text.count("[") + text.count("{") if isinstance(text, str) else text.count(b"[") + text.count(b"{")
    return value if brackets <= MOST_LEVELS else _shallow(value)


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text.

    Raises:
        ValueError: it is not TOML, or nested deeper than `MOST_LEVELS`.
    """
    try:
        table: dict[str, Any] = _shallow(tomllib.loads(text))
    except RecursionError:
        raise _too_deep() from None
    return table


def finite_number(value: object) -> float | None:
    """A number as a float; None for everything else: texts, truth values, infinities, and whole numbers that no float
    holds (JSON, TOML and Python have them)."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def require_finite(value: object) -> float:
    """A parsed value that must be a finite number.

    Raises:
        ValueError: it is something else, or a whole number that no float holds.
    """
    number = finite_number(value)
    if number is None:
        raise ValueError(f"{str(value)[:40]!r} is not a finite number")
    return number


def _shallow(value: Any) -> Any:
    level = [value]
    for _ in range(MOST_LEVELS + 1):
        inside = (one.values() if isinstance(one, dict) else one for one in level if isinstance(one, dict | list))
        level = [item for items in inside for item in items]
        if not level:
            return value
    raise _too_deep()


def _too_deep() -> ValueError:
    return ValueError(f"it is nested more than {MOST_LEVELS} levels deep")
