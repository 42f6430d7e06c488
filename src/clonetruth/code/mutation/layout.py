"""Type-1 edits: comments, white space, line breaks, the place of opening braces."""

from __future__ import annotations

import re
from random import Random

import tree_sitter

from clonetruth.code.mutation.edit_sites import Edit, Edits, EditSites, block_comment, drawn, fresh_word, line_comment
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


_BLANKS = re.compile(rb"[ \t]+")
_WORD = re.compile(rb"[A-Za-z]{2,}")


@operator("mCW_A", Relation.LAYOUT)
def add_blanks(specimen: EditSites, rng: Random) -> Edits:
    """Blanks are added behind a token."""
    return [Edit(gap.start, gap.start, b" " * rng.randint(1, 4)) for gap in drawn(specimen.gaps, rng)]


@operator("mCW_R", Relation.LAYOUT)
def remove_blanks(specimen: EditSites, rng: Random) -> Edits:
    """Blanks between two tokens, or in front of a line, go."""
    runs = [
        (gap.start + match.start(), gap.start + match.end())
        for gap in specimen.gaps
        if not gap.text.strip()
        for match in _BLANKS.finditer(gap.text)
    ]
    return [Edit(*run, b"") for run in drawn(runs, rng)]


@operator("mCF_A", Relation.LAYOUT)
def add_line_break(specimen: EditSites, rng: Random) -> Edits:
    """A line is broken behind a token, or a blank line is added."""
    gaps = [gap for gap in specimen.gaps if gap.breakable or gap.ends_line]
    return [
        Edit(gap.start, gap.start, b"\n" + (b"" if b"\n" in gap.text else specimen.line_indentation(gap.start)))
        for gap in drawn(gaps, rng)
    ]


@operator("mCF_R", Relation.LAYOUT)
def remove_line_break(specimen: EditSites, rng: Random) -> Edits:
    """A line is joined with the next one, or blank lines go."""
    gaps = [
        gap for gap in specimen.gaps if not gap.text.strip() and gap.text.count(b"\n") >= (1 if gap.breakable else 2)
    ]
    return [Edit(gap.start, gap.end, _fewer_breaks(gap.text)) for gap in drawn(gaps, rng)]


def _fewer_breaks(gap: bytes) -> bytes:
    breaks, _, indentation = gap.rpartition(b"\n")
    return b"\n" + indentation if b"\n" in breaks else b" "


@operator("mCF_B", Relation.LAYOUT)
def move_brace(specimen: EditSites, rng: Random) -> Edits:
    """An opening brace goes to the next line, or back from there."""
    braces = [gap for gap in specimen.gaps if gap.following == "{" and not gap.text.strip()]
    return [
        Edit(gap.start, gap.end, b" " if b"\n" in gap.text else b"\n" + specimen.line_indentation(gap.start))
        for gap in drawn([] if specimen.language.indent_blocks else braces, rng)
    ]


@operator("mCC_BT", Relation.LAYOUT)
def add_comment_between(specimen: EditSites, rng: Random) -> Edits:
    """A comment is added between two tokens."""
    comment = block_comment(specimen.language, rng)
    return [Edit(gap.start, gap.start, b" " + comment) for gap in drawn(specimen.gaps, rng)] if comment else []


@operator("mCC_EOL", Relation.LAYOUT)
def add_comment_at_end(specimen: EditSites, rng: Random) -> Edits:
    """A comment is added at the end of a line."""
    ends = [gap.start for gap in specimen.gaps if gap.ends_line]
    return [Edit(place, place, b"  " + line_comment(specimen.language, rng)) for place in drawn(ends, rng)]


@operator("mCC_R", Relation.LAYOUT)
def remove_comment(specimen: EditSites, rng: Random) -> Edits:
    """A comment goes, with its line if it has one for itself."""
    return [
        Edit(*span, b" ") if (lines := specimen.whole_lines(span)) is None else Edit(*lines, b"")
        for span in drawn(specimen.comments, rng)
    ]


@operator("mCC_C", Relation.LAYOUT)
def change_comment(specimen: EditSites, rng: Random) -> Edits:
    """A word of a comment becomes another."""
    words = [
        (start + match.start(), start + match.end())
        for start, end in specimen.comments
        for match in _WORD.finditer(specimen.text((start, end)))
    ]
    return [Edit(*span, fresh_word(rng, specimen.text(span).decode()).encode()) for span in drawn(words, rng)]
