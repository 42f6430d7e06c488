"""What a view is: a way to divide fragments, with the question that it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from clonetruth.truth.views.division import Division
from clonetruth.truth.views.material import Material

LEAKAGE = ("CT502", "CT503", "CT504")
"""The rules of the audit that no split may break. CT501 follows: a pair is where both its fragments are."""


@dataclass(frozen=True)
class View:
    """A way to divide fragments into train, valid and test.

    Attributes:
        name: how it is asked for.
        question: what a result under it tells.
        keeps_together: what is never on two sides.
        needs: what the benchmark must have.
        divide: the part of each fragment, chains of near duplicates not yet looked at.
        rules: the codes of audit rules beyond `LEAKAGE` that must find nothing.
        variants: the names of its variants, with what they do otherwise.
        only_test: everything that is not left out is test.
    """

    name: str
    question: str
    keeps_together: str
    needs: str
    divide: Callable[[Material], Division]
    rules: tuple[str, ...] = ()
    variants: tuple[tuple[str, str], ...] = ()
    only_test: bool = False
