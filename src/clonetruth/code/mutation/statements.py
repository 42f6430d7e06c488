"""Type-3 edits of whole statements: insertion, deletion, replacement, another order, another control structure."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random

import tree_sitter

from clonetruth.code.mutation.edit_sites import Edit, Edits, EditSites, draw, fresh_statement
from clonetruth.code.mutation.operator import Relation, operator
from clonetruth.code.names import Name, NamePart

_SEVERAL = (3, 6)
"""The minimum and maximum number of statements inserted in a row."""

_JUMPS = frozenset({"break", "continue", "goto", "raise", "return", "throw", "yield"})
_PRIVATE = (NamePart.VARIABLE, NamePart.FREE, NamePart.KEPT)


@operator("mIL", Relation.EDITED)
def insert_statement(sites: EditSites, rng: Random) -> Edits:
    """A statement is inserted."""
    return _inserted(sites, rng, 1)


@operator("mILs", Relation.EDITED)
def insert_statements(sites: EditSites, rng: Random) -> Edits:
    """Several statements are inserted in a row."""
    return _inserted(sites, rng, rng.randint(*_SEVERAL))


def _inserted(sites: EditSites, rng: Random, count: int) -> Edits:
    # On a separate line, the only position of a statement that every language allows.
    candidates = [
        (node.start_byte, indentation)
        for node in sites.statements
        if (indentation := sites.indentation(node.start_byte)) is not None
    ]
    return [
        Edit(position, position, b"".join(fresh_statement(sites, rng) + b"\n" + indentation for _ in range(count)))
        for position, indentation in draw(candidates, rng)
    ]


@operator("mDL", Relation.EDITED)
def delete_statement(sites: EditSites, rng: Random) -> Edits:
    """A statement is deleted."""
    # An indented block needs at least one statement.
    kept = 1 if sites.language.indent_blocks else 0
    spans = [(node.start_byte, node.end_byte) for node in sites.statements if _others(node) >= kept]
    return [Edit(*(sites.whole_lines(span) or span), b"") for span in draw(spans, rng)]


def _others(node: tree_sitter.Node) -> int:
    """The number of other statements in the same list."""
    assert node.parent is not None
    return sum(not other.is_extra for other in node.parent.named_children) - 1


@operator("mML", Relation.EDITED)
def replace_statement(sites: EditSites, rng: Random) -> Edits:
    """A statement is replaced by another."""
    return [Edit(node.start_byte, node.end_byte, fresh_statement(sites, rng)) for node in draw(sites.statements, rng)]


@operator("mRDs", Relation.EDITED)
def reorder_declarations(sites: EditSites, rng: Random) -> Edits:
    """Two declarations that follow each other and do not depend on each other are swapped."""
    return _swapped(sites, rng, lambda names: any(name.declared for name in names))


@operator("mROs", Relation.EDITED)
def reorder_statements(sites: EditSites, rng: Random) -> Edits:
    """Two other statements that follow each other and do not depend on each other are swapped."""
    return _swapped(sites, rng, lambda names: not any(name.declared for name in names))


def _swapped(sites: EditSites, rng: Random, wanted: Callable[[list[Name]], bool]) -> Edits:
    steady = [node for node in sites.statements if node.type.partition("_")[0] not in _JUMPS]
    named = [(node, _names(sites, node)) for node in steady]
    neighbours = [
        (first, second)
        for (first, left), (second, right) in pairwise(named)
        if _adjacent(first, second) and wanted(left) and wanted(right) and _independent(left, right)
    ]
    return [edit for first, second in draw(neighbours, rng) for edit in _exchange(sites, first, second)]


def _names(sites: EditSites, node: tree_sitter.Node) -> list[Name]:
    return [name for name in sites.names if node.start_byte <= name.start and name.end <= node.end_byte]


def _adjacent(first: tree_sitter.Node, second: tree_sitter.Node) -> bool:
    following = first.next_named_sibling
    while following is not None and following.is_extra:
        following = following.next_named_sibling
    return following == second


def _independent(left: list[Name], right: list[Name]) -> bool:
    """Whether two statements have no name in common and do not both call something: neither can affect the other."""
    needed = {name.text for name in left if name.part in _PRIVATE or name.declared}
    shared = needed & {name.text for name in right}
    return not shared and not (any(name.called for name in left) and any(name.called for name in right))


@operator("mCR", Relation.EDITED)
def replace_control(sites: EditSites, rng: Random) -> Edits:
    """A control structure becomes an equivalent one: branches swapped, or `while` written as `for`."""
    choices = [
        *(_swap_branches(sites, node) for node in sites.nodes("if_statement")),
        *(_while_as_for(sites, node) for node in sites.nodes("while_statement")),
    ]
    return [edit for edits in draw([edits for edits in choices if edits], rng) for edit in edits]


def _swap_branches(sites: EditSites, node: tree_sitter.Node) -> Edits:
    condition, consequence = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
    alternatives = node.children_by_field_name("alternative")
    if condition is None or consequence is None or len(alternatives) != 1:
        return []
    alternative = alternatives[0]
    if alternative.type == "else_clause":
        alternative = alternative.named_children[-1]
    if alternative.type in ("elif_clause", "if_statement"):
        return []
    text = sites.text((condition.start_byte, condition.end_byte))
    negated = b"not (%s)" if sites.language.indent_blocks else b"!(%s)"
    if condition.type == "parenthesized_expression" and not sites.language.indent_blocks:
        negated = b"(!%s)"
    return [
        Edit(condition.start_byte, condition.end_byte, negated % text),
        *_exchange(sites, consequence, alternative),
    ]


def _while_as_for(sites: EditSites, node: tree_sitter.Node) -> Edits:
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
    if condition is None or body is None or sites.language.indent_blocks:
        return []
    text = sites.text((condition.start_byte, condition.end_byte))
    if condition.type == "parenthesized_expression":
        text = text[1:-1]
    return [Edit(node.start_byte, body.start_byte, b"for (; %s; ) " % text)]


def _exchange(sites: EditSites, first: tree_sitter.Node, second: tree_sitter.Node) -> Edits:
    texts = [sites.text((node.start_byte, node.end_byte)) for node in (first, second)]
    return [
        Edit(first.start_byte, first.end_byte, texts[1]),
        Edit(second.start_byte, second.end_byte, texts[0]),
    ]
