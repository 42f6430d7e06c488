"""Edits of a source text by the positions of its syntax tree."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import tree_sitter


@dataclass
class TextEdits:
    """Replacements that are applied together.

    Attributes:
        source: the text.
    """

    source: bytes
    _edits: list[tuple[tuple[int, int, int], int, bytes]] = field(default_factory=list)

    def replace(self, start: int, end: int, text: bytes) -> None:
        """Put a text in place of a range; an empty range is an insertion."""
        self._edits.append(((start, 1 if start == end else 2, len(self._edits)), end, text))

    def surround(self, node: tree_sitter.Node, before: bytes, after: bytes) -> None:
        """Put texts around a node. Surround outer nodes first."""
        self.replace(node.start_byte, node.start_byte, before)
        self._edits.append(((node.end_byte, 0, -len(self._edits)), node.end_byte, after))

    def remove(self, node: tree_sitter.Node) -> None:
        """Remove a node."""
        self.replace(node.start_byte, node.end_byte, b"")

    def result(self) -> bytes:
        """The edited text. Of two replacements that overlap, the one that starts first counts."""
        pieces: list[bytes] = []
        position = 0
        for (start, *_), end, text in sorted(self._edits):
            if start < position:
                continue
            pieces += (self.source[position:start], text)
            position = end
        return b"".join((*pieces, self.source[position:]))


def walk(node: tree_sitter.Node, enter: Callable[[tree_sitter.Node], bool] | None = None) -> Iterator[tree_sitter.Node]:
    """A node and everything below it, in the order of the text.

    Args:
        node: where to start.
        enter: whether to go below a node (default: always).
    """
    pending = [node]
    while pending:
        one = pending.pop()
        yield one
        if enter is None or one is node or enter(one):
            pending += reversed(one.children)


def text_of(node: tree_sitter.Node | None) -> str:
    """The text of a node; empty if there is none."""
    return (node.text or b"").decode("utf-8", "replace") if node is not None else ""
