"""What a view is: a way to divide fragments, with the question that it answers; and the registry of views."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from clonetruth.errors import InputError
from clonetruth.registry import Registry
from clonetruth.splits.division import Division
from clonetruth.splits.split_data import SplitData

LEAKAGE = ("CT502", "CT503", "CT504")
"""The audit rules that no split may break. CT501 follows from them: a pair is in the part of both its fragments."""


@dataclass(frozen=True)
class Variant:
    """A variant of a view.

    Attributes:
        name: the name that `--variant` takes.
        does: how it differs from the view.
        held_out_together: whether valid and test may share what the view keeps together.
    """

    name: str
    does: str
    held_out_together: bool = False


@dataclass(frozen=True)
class View:
    """A way to divide fragments into train, valid and test.

    Attributes:
        name: the name that `--view` takes.
        question: the question that a result under it answers.
        keeps_together: what is never in two parts.
        needs: what the benchmark must have.
        divide: assigns a part to each fragment; chains of near duplicates are joined afterwards.
        rules: the codes of audit rules, in addition to `LEAKAGE`, that must find nothing.
        variants: its variants.
        only_test: whether everything that is not left out is test.
        official: whether the parts were published: there is no seed, and near duplicates stay where they are.
    """

    name: str
    question: str
    keeps_together: str
    needs: str
    divide: Callable[[SplitData], Division]
    rules: tuple[str, ...] = ()
    variants: tuple[Variant, ...] = ()
    only_test: bool = False
    official: bool = False

    def variant(self, name: str | None) -> Variant | None:
        """Look up a variant by its name; None stands for the view itself.

        Raises:
            InputError: the view has no such variant.
        """
        if name is None:
            return None
        for variant in self.variants:
            if variant.name == name:
                return variant
        known = ", ".join(variant.name for variant in self.variants) or "none"
        raise InputError(f"The view '{self.name}' has no variant '{name}'.", hint=f"Known variants: {known}.")


VIEWS: Registry[View] = Registry(
    "view",
    {
        "random": "clonetruth.splits.views:RANDOM",
        "cross-project": "clonetruth.splits.views:CROSS_PROJECT",
        "cross-functionality": "clonetruth.splits.views:CROSS_FUNCTIONALITY",
        "cross-all": "clonetruth.splits.views:CROSS_ALL",
        "unseen-fragments": "clonetruth.splits.unseen:UNSEEN_FRAGMENTS",
        "unseen-functionalities": "clonetruth.splits.unseen:UNSEEN_FUNCTIONALITIES",
        "cross-language": "clonetruth.splits.views:CROSS_LANGUAGE",
        "cross-generator": "clonetruth.splits.views:CROSS_GENERATOR",
        "codexglue": "clonetruth.splits.official:CODEXGLUE",
    },
    group="clonetruth.views",
    of=View,
)
