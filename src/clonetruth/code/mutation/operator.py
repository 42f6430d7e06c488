"""Editing operators, and how to mutate a fragment with them.

An operator is an edit together with the relation between the mutant and its original that the edit promises. Operators
are listed from the slightest edit to the largest: one function each, one line in `OPERATORS`. They are named as in the
literature where it has them. Roy and Cordy (Mutation 2009) derived theirs from a taxonomy of what developers do to
copied code; Svajlenko and Roy (TSE 2019) split them further.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from clonetruth.code.forms import FragmentForms
from clonetruth.code.language import Language
from clonetruth.code.mutation.edit_sites import Edits, EditSites
from clonetruth.registry import Registry

MAX_ATTEMPTS = 20
"""Edits to draw before giving up on a fragment."""


class Relation(StrEnum):
    """How two texts are related, by their normal forms."""

    LAYOUT = "layout"  # equal Type-1 forms: T1
    CONSISTENT = "consistent"  # equal under a one-to-one renaming: T2
    BLIND = "blind"  # equal in the blind form only: T2
    EDITED = "edited"  # not even that: T3

    @property
    def clone_type(self) -> str:
        """The clone type of pairs with this relation, as long as they are similar."""
        return {Relation.LAYOUT: "T1", Relation.EDITED: "T3"}.get(self, "T2")

    @classmethod
    def between(cls, left: FragmentForms, right: FragmentForms) -> Relation:
        """Return the closest relation of two texts."""
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
        relation: how its mutants are related to their originals; a mutant that is not so related is discarded.
        edits: draws edits at one edit site; returns none if the fragment has no site for them.
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
    """Turn a function that draws edits into an operator; its docstring becomes the description."""

    def make(edits: Callable[[EditSites, Random], Edits]) -> Operator:
        assert edits.__doc__ is not None, "an operator needs a docstring"
        return Operator(name, edits.__doc__, relation, edits)

    return make


OPERATORS: Registry[Operator] = Registry(
    "operator",
    {
        "mCW_A": "clonetruth.code.mutation.layout:add_blanks",
        "mCW_R": "clonetruth.code.mutation.layout:remove_blanks",
        "mCC_BT": "clonetruth.code.mutation.layout:add_comment_between",
        "mCC_EOL": "clonetruth.code.mutation.layout:add_comment_at_end",
        "mCC_R": "clonetruth.code.mutation.layout:remove_comment",
        "mCC_C": "clonetruth.code.mutation.layout:change_comment",
        "mCF_A": "clonetruth.code.mutation.layout:add_line_break",
        "mCF_R": "clonetruth.code.mutation.layout:remove_line_break",
        "mCF_B": "clonetruth.code.mutation.layout:move_brace",
        "mSRI": "clonetruth.code.mutation.renaming:rename_one",
        "mSRI_A": "clonetruth.code.mutation.renaming:rename_all",
        "mSRT": "clonetruth.code.mutation.renaming:rename_type",
        "mARI": "clonetruth.code.mutation.renaming:rename_once",
        "mRL_N": "clonetruth.code.mutation.renaming:change_number",
        "mRL_S": "clonetruth.code.mutation.renaming:change_string",
        "mSIL": "clonetruth.code.mutation.layout:add_argument",
        "mSDL": "clonetruth.code.mutation.layout:remove_argument",
        "mSML": "clonetruth.code.mutation.layout:replace_operator",
        "mRPE": "clonetruth.code.mutation.layout:replace_by_expression",
        "mIL": "clonetruth.code.mutation.statements:insert_statement",
        "mILs": "clonetruth.code.mutation.statements:insert_statements",
        "mDL": "clonetruth.code.mutation.statements:delete_statement",
        "mML": "clonetruth.code.mutation.statements:replace_statement",
        "mRDs": "clonetruth.code.mutation.statements:reorder_declarations",
        "mROs": "clonetruth.code.mutation.statements:reorder_statements",
        "mCR": "clonetruth.code.mutation.statements:replace_control",
    },
    group="clonetruth.operators",
    of=Operator,
)


@dataclass(frozen=True)
class Mutant:
    """A fragment after an edit.

    Attributes:
        text: the edited text. It parses.
        operator: the operator's name.
        clone_type: T1, T2 or T3, with the original.
        discarded: the number of edits drawn before and discarded, because they did not parse or were of another type.
    """

    text: str
    operator: str
    clone_type: str
    discarded: int = 0


def mutate(text: str, language: Language, operator: str, rng: Random) -> Mutant | None:
    """Mutate a fragment; return None if the operator finds no edit site, or the text does not parse.

    A mutant parses, and is related to its original as the operator promises (`Relation`). Whether it compiles or
    behaves the same is not checked. Equal arguments with equally seeded generators give equal mutants.

    >>> from clonetruth.code import language
    >>> mutant = mutate("int f(int a) { return a + 1; }", language("java"), "mRL_N", Random(1))
    >>> mutant.text
    'int f(int a) { return a + 9; }'

    Args:
        text: the fragment; a function may come without the class around it.
        language: its language.
        operator: the name of one of `OPERATORS`.
        rng: draws the edit site and the new names.
    """
    return mutate_at(EditSites.of(text, language), OPERATORS[operator], rng)


def mutate_at(sites: EditSites, operator: Operator, rng: Random) -> Mutant | None:
    """Mutate a fragment whose edit sites are known, as `mutate` does: sites can be shared by several operators."""
    if not sites.sound:
        return None
    for discarded in range(MAX_ATTEMPTS):
        edits = operator.edits(sites, rng)
        if edits:
            text = sites.edited(edits)
            mutated = EditSites.of(text, sites.language)
            if mutated.sound and _differs(sites, mutated, operator):
                return Mutant(text, operator.name, operator.clone_type, discarded)
    return None


def _differs(original: EditSites, mutated: EditSites, operator: Operator) -> bool:
    """Whether the texts differ, and as the operator promises."""
    if mutated.whole == original.whole:
        return False
    return Relation.between(original.forms, mutated.forms) is operator.relation
