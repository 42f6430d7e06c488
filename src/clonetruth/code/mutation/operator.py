"""What an editing operator is: an edit, and how what it makes relates to what it was made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from clonetruth.code.forms import FragmentForms
from clonetruth.code.mutation.edit_sites import Edits, EditSites


class Relation(StrEnum):
    """How two texts relate, by their normal forms."""

    LAYOUT = "layout"  # equal Type-1 forms: T1
    CONSISTENT = "consistent"  # equal under a one-to-one renaming: T2
    BLIND = "blind"  # equal in the blind form only: T2
    EDITED = "edited"  # not even that: T3

    @property
    def clone_type(self) -> str:
        """The clone type that pairs so related are of, as long as they are similar."""
        return {Relation.LAYOUT: "T1", Relation.EDITED: "T3"}.get(self, "T2")

    @classmethod
    def between(cls, left: FragmentForms, right: FragmentForms) -> Relation:
        """The closest relation of two texts."""
        if left.type1 == right.type1:
            return cls.LAYOUT
        if left.consistent == right.consistent:
            return cls.CONSISTENT
        return cls.BLIND if (left.tokens, left.lines) == (right.tokens, right.lines) else cls.EDITED


@dataclass(frozen=True)
class Operator:
    """A way to edit a fragment.

    Attributes:
        name: its name.
        description: what it does, in a sentence.
        relation: how its mutants relate to their originals; a mutant that does not is none.
        edits: edits at a place that is drawn; none where the fragment has no such place.
    """

    name: str
    description: str
    relation: Relation
    edits: Callable[[EditSites, Random], Edits]

    @property
    def clone_type(self) -> str:
        """The clone type of its mutants with their originals: T1, T2 or T3."""
        return self.relation.clone_type


def operator(name: str, relation: Relation) -> Callable[[Callable[[EditSites, Random], Edits]], Operator]:
    """Make an operator of a function that draws edits; its docstring is the description."""

    def make(edits: Callable[[EditSites, Random], Edits]) -> Operator:
        assert edits.__doc__ is not None, "an operator says what it does"
        return Operator(name, edits.__doc__, relation, edits)

    return make
