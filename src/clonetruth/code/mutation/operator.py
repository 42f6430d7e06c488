"""What an editing operator is: an edit, and how what it makes relates to what it was made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from clonetruth.code.forms import FragmentForms
from clonetruth.code.language import Language
from clonetruth.code.mutation.edit_sites import Edits, EditSites
from clonetruth.code.mutation.registry import OPERATORS

# Mutating: an operator's edit, drawn anew until the mutant is what the operator promises.

TRIES = 20
"""Edits that are drawn before a fragment is given up."""


@dataclass(frozen=True)
class Mutant:
    """A fragment after an edit.

    Attributes:
        text: the edited text. It parses.
        operator: the operator's name.
        clone_type: T1, T2 or T3, with the original.
        discarded: the edits that were drawn before and left, since they did not parse or were of another type.
    """

    text: str
    operator: str
    clone_type: str
    discarded: int = 0


def mutate(text: str, language: Language, operator: str, rng: Random) -> Mutant | None:
    """A mutant of a fragment; None where the operator finds no place for its edit, or the text does not parse.

    A mutant parses, and relates to its original as the operator says (`Relation`). Whether it compiles or does the
    same is not asked. Equal arguments with equally seeded generators give equal mutants.

    >>> from clonetruth.code import language
    >>> mutant = mutate("int f(int a) { return a + 1; }", language("java"), "mRL_N", Random(1))
    >>> mutant.text
    'int f(int a) { return a + 9; }'

    Args:
        text: the fragment; a function may stand without the class around it.
        language: its language.
        operator: the name of one of `OPERATORS`.
        rng: draws the place and the new words.
    """
    return mutant_of(EditSites.of(text, language), OPERATORS[operator], rng)


def mutant_of(specimen: EditSites, operator: Operator, rng: Random) -> Mutant | None:
    """The same, of a specimen that serves several operators."""
    if not specimen.sound:
        return None
    for discarded in range(TRIES):
        edits = operator.edits(specimen, rng)
        if edits:
            text = specimen.edited(edits)
            mutated = EditSites.of(text, specimen.language)
            if mutated.sound and _differs(specimen, mutated, operator):
                return Mutant(text, operator.name, operator.clone_type, discarded)
    return None


def _differs(original: EditSites, mutated: EditSites, operator: Operator) -> bool:
    """Whether the texts differ, and as the operator says."""
    if mutated.whole == original.whole:
        return False
    return Relation.between(original.forms, mutated.forms) is operator.relation


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
