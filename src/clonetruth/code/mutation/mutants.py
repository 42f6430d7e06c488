"""Mutating: an operator's edit, drawn anew until the mutant is what the operator promises."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from clonetruth.code.language import Language
from clonetruth.code.mutation.edit_sites import EditSites
from clonetruth.code.mutation.operator import Operator, Relation
from clonetruth.code.mutation.registry import OPERATORS

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
