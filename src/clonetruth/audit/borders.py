"""Borders between the parts of a split, in words and in SQL."""

from __future__ import annotations

from clonetruth.audit.context import AuditContext
from clonetruth.audit.finding import Severity

Border = tuple[str, str, str]
"""A division, its earlier part and its later part."""


def where(border: Border) -> str:
    """The two parts in words, with the name of a view."""
    division, earlier, later = border
    return f"{later} and {earlier}" + ("" if division == "claimed" else f" of {division}")


def side(border: Border, part: str) -> str:
    """The condition for one of its parts on `divisions`."""
    return f"division = '{border[0]}' AND part = '{part}'"


def fragments_of(border: Border, part: str) -> str:
    """The SELECT of the fragments of one of its parts."""
    condition = side(border, part)
    return (
        f"SELECT left_fragment AS fragment FROM divisions WHERE {condition} "
        f"UNION SELECT right_fragment AS fragment FROM divisions WHERE {condition}"
    )


def severity_of(context: AuditContext, border: Border) -> Severity | None:
    """What leaks into valid spoils the choice of a model; its result only where there is no test part."""
    division, earlier, later = border
    return (
        Severity.WARNING if (earlier, later) == ("train", "valid") and "test" in context.divisions[division] else None
    )
