"""What a view is: a way to divide fragments, with the question that it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from clonetruth.errors import InputError
from clonetruth.registry import Registry
from clonetruth.splits.division import Division
from clonetruth.splits.split_data import SplitData

# The views: one file each, one line here.

_ROOM = "clonetruth.splits"

VIEWS: Registry[View] = Registry(
    "view",
    {
        "random": f"{_ROOM}.random_fragments:RANDOM",
        "cross-project": f"{_ROOM}.cross_project:CROSS_PROJECT",
        "cross-functionality": f"{_ROOM}.cross_functionality:CROSS_FUNCTIONALITY",
        "cross-all": f"{_ROOM}.cross_all:CROSS_ALL",
        "unseen-fragments": f"{_ROOM}.unseen:UNSEEN_FRAGMENTS",
        "unseen-functionalities": f"{_ROOM}.unseen:UNSEEN_FUNCTIONALITIES",
        "cross-language": f"{_ROOM}.cross_language:CROSS_LANGUAGE",
        "cross-generator": f"{_ROOM}.cross_generator:CROSS_GENERATOR",
    },
    group="clonetruth.views",
)


LEAKAGE = ("CT502", "CT503", "CT504")
"""The rules of the audit that no split may break. CT501 follows: a pair is where both its fragments are."""


@dataclass(frozen=True)
class Variant:
    """Another way to make a view.

    Attributes:
        name: how it is asked for.
        does: what it does otherwise.
        held_out_together: valid and test may share what the view keeps together.
    """

    name: str
    does: str
    held_out_together: bool = False


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
        variants: its variants.
        only_test: everything that is not left out is test.
    """

    name: str
    question: str
    keeps_together: str
    needs: str
    divide: Callable[[SplitData], Division]
    rules: tuple[str, ...] = ()
    variants: tuple[Variant, ...] = ()
    only_test: bool = False

    def variant(self, name: str | None) -> Variant | None:
        """The variant of a name; None for none.

        Raises:
            InputError: the view has no such variant.
        """
        if name is None:
            return None
        for variant in self.variants:
            if variant.name == name:
                return variant
        known = ", ".join(variant.name for variant in self.variants) or "none"
        raise InputError(f"The view '{self.name}' has no variant '{name}'.", hint=f"It has: {known}.")
