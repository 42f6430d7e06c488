"""The two behaviours of BigCloneEval: the published program with its defects, and what it documents.

The defects are numbered as in docs/bigcloneeval.md. Where the published program aborts, asking for its behaviour
is an error that says so.
"""

from __future__ import annotations

from enum import StrEnum

from clonetruth.errors import InputError


class Behaviour(StrEnum):
    """Which program is meant."""

    REPAIRED = "repaired"
    AS_SHIPPED = "as-shipped"


def aborts(defect: str, what: str) -> InputError:
    """The error for what the published program cannot do."""
    return InputError(
        f"The published BigCloneEval aborts on {what} (defect {defect}), so there is no number to reproduce.",
        hint="Ask for --bigcloneeval repaired.",
    )
