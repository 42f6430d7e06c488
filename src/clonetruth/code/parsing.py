"""Parsing: a text and its tree, even if the text is only a method."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import tree_sitter

from clonetruth.code.language import OPAQUE_MARK, SPLIT_MARK, TYPE_MARK, Language
from clonetruth.code.parse_guard import check_cost

_CLEAN = bytes.maketrans(TYPE_MARK + OPAQUE_MARK + SPLIT_MARK, b"   ")
_PROBLEMS = "(ERROR) @problem (MISSING) @problem"


Captures = dict[str, list[tree_sitter.Node]]
"""Nodes by capture name, in no particular order."""

Span = tuple[int, int]
"""Start and end in the parsed source."""


MAX_DEPTH = 60_000
"""How deep a query searches a tree: from 65,536 levels on (a sum of as many terms), a query takes hours."""


@dataclass(frozen=True)
class Problem:
    """Lines that do not parse. Lines are 1-based."""

    first_line: int
    last_line: int
    what: str


@dataclass(frozen=True, eq=False)
class Parsed:
    """A text with its tree.

    Args:
        language: its language.
        source: the parsed UTF-8 bytes: the text, perhaps with a wrapper around it.
        tree: the tree of `source`.
        start: where the text begins in `source`.
        end: where it ends.
    """

    language: Language
    source: bytes
    tree: tree_sitter.Tree
    start: int
    end: int

    def captures(self, query: str, *, depth: int = MAX_DEPTH) -> Captures:
        """Return the captures of a query inside the text, by capture name.

        Args:
            query: the query.
            depth: how deep to search the tree; the time of a query with child patterns is quadratic in it.
        """
        captures = _captures(self.language, self.tree, query, depth)
        if self.start == 0 and self.end == len(self.source):
            return captures
        return {
            name: [node for node in nodes if self.start <= node.start_byte and node.end_byte <= self.end]
            for name, nodes in captures.items()
        }

    def matches(self, query: str) -> list[Captures]:
        """Return the matches of a query inside the text, each with its captures by name."""
        cursor = tree_sitter.QueryCursor(self.language.query(query))
        cursor.set_max_start_depth(MAX_DEPTH)
        return [
            captures
            for _, captures in cursor.matches(self.tree.root_node)
            if all(
                self.start <= node.start_byte and node.end_byte <= self.end
                for nodes in captures.values()
                for node in nodes
            )
        ]

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """The lines that do not parse; empty for a sound text."""
        if not self.tree.root_node.has_error:
            return ()
        return tuple(
            Problem(
                node.start_point.row + 1,
                node.end_point.row + 1,
                f"missing {node.type!r}" if node.is_missing else "unexpected text",
            )
            for node in _problem_nodes(self.language, self.tree)
        )

    @cached_property
    def broken_share(self) -> float:
        """The share of its lines, blank ones aside, with something that does not parse.

        Bytes would say less: a parser that has lost its way still finds expressions in any text.
        """
        lines: set[int] = set()
        pending = [self.tree.root_node]
        while pending:
            node = pending.pop()
            if not node.has_error:
                continue
            if node.is_missing or (node.is_error and not node.children):
                lines.update(range(node.start_point.row, node.end_point.row + 1))
            elif node.is_error:
                # What has children was recognised in the middle of the broken text.
                tokens = (child for child in node.children if not child.child_count)
                lines.update(*(range(token.start_point.row, token.end_point.row + 1) for token in tokens))
            pending += node.children
        filled = sum(bool(line.strip()) for line in self.source.split(b"\n"))
        return min(1.0, len(lines) / filled) if filled else 0.0


def parse(text: str | bytes, language: Language, *, lone: bool = False) -> Parsed:
    """Parse a text.

    Args:
        text: the source text (`bytes` are UTF-8).
        language: its language.
        lone: whether the text may be a function without the class or file around it, as benchmarks store them. It
            is then parsed inside each of the language's wrappers, and as it is, until one parse succeeds; if none
            does, the parse with the least broken text is returned.

    Raises:
        CostlyTextError: the text is made to exhaust the memory of the parser.
    """
    data = source_bytes(text)
    if language.script is not None:
        data = language.script(data)
    contexts = [*language.wrappers, (b"", b"")] if lone else [(b"", b"")]
    best: Parsed | None = None
    least = 0
    for before, after in contexts:
        if not after.strip():
            check_cost(data, language)
        # The newline keeps a comment on the last line from swallowing the wrapper's end.
        source = b"".join((before, data, b"\n", after)) if before or after else data
        tree = language.parser.parse(source)
        parsed = Parsed(language, source, tree, len(before), len(before) + len(data))
        if not tree.root_node.has_error:
            return parsed
        broken = _broken_bytes(language, tree)
        if best is None or broken < least:
            best, least = parsed, broken
    assert best is not None
    return best


def source_bytes(text: str | bytes) -> bytes:
    """Return the bytes to parse: UTF-8, without the control characters that the lexer uses as marks.

    These are never part of a program; blanks replace them, so that no position changes.
    """
    data = text.encode("utf-8", errors="replace") if isinstance(text, str) else _valid(text)
    return data.translate(_CLEAN) if any(mark in data for mark in (TYPE_MARK, OPAQUE_MARK, SPLIT_MARK)) else data


def _valid(data: bytes) -> bytes:
    """Return the bytes as valid UTF-8, since queries cannot read anything else."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("utf-8", errors="replace").encode()
    return data


def _problem_nodes(language: Language, tree: tree_sitter.Tree) -> list[tree_sitter.Node]:
    return _captures(language, tree, _PROBLEMS, MAX_DEPTH).get("problem", [])


def _captures(language: Language, tree: tree_sitter.Tree, query: str, depth: int) -> Captures:
    cursor = tree_sitter.QueryCursor(language.query(query))
    cursor.set_max_start_depth(depth)
    return cursor.captures(tree.root_node)


def _broken_bytes(language: Language, tree: tree_sitter.Tree) -> int:
    return sum(node.end_byte - node.start_byte + 1 for node in _problem_nodes(language, tree))
