"""Type-3 edits within a line: arguments and operators."""

from __future__ import annotations

from random import Random

import tree_sitter

from clonetruth.code.mutation.edit_sites import Edit, Edits, EditSites, drawn
from clonetruth.code.mutation.operator import Relation, operator

_ARGUMENT_LISTS = ("argument_list", "arguments")
_PARAMETER_LISTS = ("formal_parameters", "parameter_list", "parameters")
_SIMPLE = ("identifier", "decimal_integer_literal", "integer_literal", "integer", "number", "number_literal")
_BINARY = frozenset({"binary_expression", "binary_operator", "boolean_operator", "comparison_operator"})
_ALIKE = tuple(
    frozenset(operators.split())
    for operators in ("+ - * / %", "< <= > >=", "== !=", "=== !==", "&& ||", "and or", "& | ^", "<< >>")
)
"""Operators that may stand for one another."""


@operator("mSIL", Relation.EDITED)
def add_argument(specimen: EditSites, rng: Random) -> Edits:
    """A call has one more argument, a variable or a number."""
    new = rng.choice([*specimen.variables, str(rng.randint(0, 9))]).encode()
    places = [(node.start_byte + 1, _items(node)) for node in drawn(specimen.nodes(*_ARGUMENT_LISTS), rng)]
    return [
        Edit(items[-1].end_byte, items[-1].end_byte, b", " + new) if items else Edit(start, start, new)
        for start, items in places
    ]


@operator("mSDL", Relation.EDITED)
def remove_argument(specimen: EditSites, rng: Random) -> Edits:
    """A call has one argument less, or a function one parameter less."""
    items = [
        (items, at)
        for items in map(_items, specimen.nodes(*_ARGUMENT_LISTS, *_PARAMETER_LISTS))
        for at in range(len(items))
    ]
    return [
        # The comma goes with it: the one before, or for the first the one behind.
        Edit(some[at - 1].end_byte, some[at].end_byte, b"")
        if at
        else Edit(some[0].start_byte, some[1].start_byte if len(some) > 1 else some[0].end_byte, b"")
        for some, at in drawn(items, rng)
    ]


@operator("mRPE", Relation.EDITED)
def replace_by_expression(specimen: EditSites, rng: Random) -> Edits:
    """An argument that is a name or a number becomes an expression with it."""
    places = [
        node
        for arguments in specimen.nodes(*_ARGUMENT_LISTS)
        for item in _items(arguments)
        for node in (item.named_children[0] if item.type == "argument" and item.named_children else item,)
        if node.type in _SIMPLE
    ]
    return [
        Edit(node.end_byte, node.end_byte, f" {rng.choice('+-*')} {rng.randint(1, 9)}".encode())
        for node in drawn(places, rng)
    ]


@operator("mSML", Relation.EDITED)
def replace_operator(specimen: EditSites, rng: Random) -> Edits:
    """A binary operator becomes another of its kind."""
    places = [
        (node, sorted(alike - {node.type}))
        for node in specimen.nodes(*(operator for alike in _ALIKE for operator in alike))
        for alike in _ALIKE
        if node.type in alike and node.parent is not None and node.parent.type in _BINARY
    ]
    return [Edit(node.start_byte, node.end_byte, rng.choice(others).encode()) for node, others in drawn(places, rng)]


def _items(some: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The entries of a list of arguments or parameters."""
    return [node for node in some.named_children if not node.is_extra]
