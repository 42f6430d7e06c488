"""Edits within lines and between them.

Type-1: comments, white space, line breaks, the position of opening braces. Type-3: arguments and operators.
"""

from __future__ import annotations

import re
from random import Random

import tree_sitter

from clonetruth.code.mutation.edit_sites import Edit, Edits, EditSites, block_comment, draw, fresh_word, line_comment
from clonetruth.code.mutation.operator import Relation, operator

# Type-3 edits within a line: arguments and operators.

_ARGUMENT_LISTS = ("argument_list", "arguments")
_PARAMETER_LISTS = ("formal_parameters", "parameter_list", "parameters")
_SIMPLE = ("identifier", "decimal_integer_literal", "integer_literal", "integer", "number", "number_literal")
_BINARY = frozenset({"binary_expression", "binary_operator", "boolean_operator", "comparison_operator"})
_ALIKE = tuple(
    frozenset(operators.split())
    for operators in ("+ - * / %", "< <= > >=", "== !=", "=== !==", "&& ||", "and or", "& | ^", "<< >>")
)
"""Groups of operators that can replace one another."""


@operator("mSIL", Relation.EDITED)
def add_argument(sites: EditSites, rng: Random) -> Edits:
    """A call has one more argument, a variable or a number."""
    new = rng.choice([*sites.variables, str(rng.randint(0, 9))]).encode()
    candidates = [(node.start_byte + 1, _items(node)) for node in draw(sites.nodes(*_ARGUMENT_LISTS), rng)]
    return [
        Edit(items[-1].end_byte, items[-1].end_byte, b", " + new) if items else Edit(start, start, new)
        for start, items in candidates
    ]


@operator("mSDL", Relation.EDITED)
def remove_argument(sites: EditSites, rng: Random) -> Edits:
    """A call has one argument fewer, or a function one parameter fewer."""
    items = [
        (items, at)
        for items in map(_items, sites.nodes(*_ARGUMENT_LISTS, *_PARAMETER_LISTS))
        for at in range(len(items))
    ]
    return [
        # Its comma is removed too: the one before it or, for the first item, the one after it.
        Edit(some[at - 1].end_byte, some[at].end_byte, b"")
        if at
        else Edit(some[0].start_byte, some[1].start_byte if len(some) > 1 else some[0].end_byte, b"")
        for some, at in draw(items, rng)
    ]


@operator("mRPE", Relation.EDITED)
def replace_by_expression(sites: EditSites, rng: Random) -> Edits:
    """An argument that is a name or a number becomes an expression with it."""
    candidates = [
        node
        for arguments in sites.nodes(*_ARGUMENT_LISTS)
        for item in _items(arguments)
        for node in (item.named_children[0] if item.type == "argument" and item.named_children else item,)
        if node.type in _SIMPLE
    ]
    return [
        Edit(node.end_byte, node.end_byte, f" {rng.choice('+-*')} {rng.randint(1, 9)}".encode())
        for node in draw(candidates, rng)
    ]


@operator("mSML", Relation.EDITED)
def replace_operator(sites: EditSites, rng: Random) -> Edits:
    """A binary operator becomes another of its kind."""
    candidates = [
        (node, sorted(alike - {node.type}))
        for node in sites.nodes(*(operator for alike in _ALIKE for operator in alike))
        for alike in _ALIKE
        if node.type in alike and node.parent is not None and node.parent.type in _BINARY
    ]
    return [Edit(node.start_byte, node.end_byte, rng.choice(others).encode()) for node, others in draw(candidates, rng)]


def _items(some: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The entries of a list of arguments or parameters."""
    return [node for node in some.named_children if not node.is_extra]


# Type-1 edits.

_BLANKS = re.compile(rb"[ \t]+")
_WORD = re.compile(rb"[A-Za-z]{2,}")


@operator("mCW_A", Relation.LAYOUT)
def add_blanks(sites: EditSites, rng: Random) -> Edits:
    """Blanks are added after a token."""
    return [Edit(gap.start, gap.start, b" " * rng.randint(1, 4)) for gap in draw(sites.gaps, rng)]


@operator("mCW_R", Relation.LAYOUT)
def remove_blanks(sites: EditSites, rng: Random) -> Edits:
    """Blanks between two tokens, or in front of a line, are removed."""
    runs = [
        (gap.start + match.start(), gap.start + match.end())
        for gap in sites.gaps
        if not gap.text.strip()
        for match in _BLANKS.finditer(gap.text)
    ]
    return [Edit(*run, b"") for run in draw(runs, rng)]


@operator("mCF_A", Relation.LAYOUT)
def add_line_break(sites: EditSites, rng: Random) -> Edits:
    """A line is broken after a token, or a blank line is added."""
    gaps = [gap for gap in sites.gaps if gap.breakable or gap.ends_line]
    return [
        Edit(gap.start, gap.start, b"\n" + (b"" if b"\n" in gap.text else sites.line_indentation(gap.start)))
        for gap in draw(gaps, rng)
    ]


@operator("mCF_R", Relation.LAYOUT)
def remove_line_break(sites: EditSites, rng: Random) -> Edits:
    """A line is joined with the next one, or blank lines are removed."""
    gaps = [gap for gap in sites.gaps if not gap.text.strip() and gap.text.count(b"\n") >= (1 if gap.breakable else 2)]
    return [Edit(gap.start, gap.end, _fewer_breaks(gap.text)) for gap in draw(gaps, rng)]


def _fewer_breaks(gap: bytes) -> bytes:
    breaks, _, indentation = gap.rpartition(b"\n")
    return b"\n" + indentation if b"\n" in breaks else b" "


@operator("mCF_B", Relation.LAYOUT)
def move_brace(sites: EditSites, rng: Random) -> Edits:
    """An opening brace goes to the next line, or back from there."""
    braces = [gap for gap in sites.gaps if gap.following == "{" and not gap.text.strip()]
    return [
        Edit(gap.start, gap.end, b" " if b"\n" in gap.text else b"\n" + sites.line_indentation(gap.start))
        for gap in draw([] if sites.language.indent_blocks else braces, rng)
    ]


@operator("mCC_BT", Relation.LAYOUT)
def add_comment_between(sites: EditSites, rng: Random) -> Edits:
    """A comment is added between two tokens."""
    comment = block_comment(sites.language, rng)
    return [Edit(gap.start, gap.start, b" " + comment) for gap in draw(sites.gaps, rng)] if comment else []


@operator("mCC_EOL", Relation.LAYOUT)
def add_comment_at_end(sites: EditSites, rng: Random) -> Edits:
    """A comment is added at the end of a line."""
    ends = [gap.start for gap in sites.gaps if gap.ends_line]
    return [Edit(position, position, b"  " + line_comment(sites.language, rng)) for position in draw(ends, rng)]


@operator("mCC_R", Relation.LAYOUT)
def remove_comment(sites: EditSites, rng: Random) -> Edits:
    """A comment is removed, with its line if nothing else is on it."""
    return [
        Edit(*span, b" ") if (lines := sites.whole_lines(span)) is None else Edit(*lines, b"")
        for span in draw(sites.comments, rng)
    ]


@operator("mCC_C", Relation.LAYOUT)
def change_comment(sites: EditSites, rng: Random) -> Edits:
    """A word of a comment becomes another."""
    words = [
        (start + match.start(), start + match.end())
        for start, end in sites.comments
        for match in _WORD.finditer(sites.text((start, end)))
    ]
    return [Edit(*span, fresh_word(rng, sites.text(span).decode()).encode()) for span in draw(words, rng)]
