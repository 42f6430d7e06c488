"""Trees as sequences of statement trees, with everything that repeats stored once.

A statement tree is a statement without the statements inside it, which follow it in the sequence. The encoder of ASTNN
is a sum over a subtree, so that equal subtrees have equal vectors: each distinct subtree is one row, made of the words
inside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clonetruth.training.neural.ragged import Ragged
from clonetruth.training.neural.syntax_tree import UNKNOWN, SyntaxTree


@dataclass(frozen=True, eq=False)
class StatementSequences:
    """Fragments as sequences of statements.

    Attributes:
        fragments: the statements of each fragment, in order.
        statements: the distinct subtrees of each distinct statement tree.
        subtrees: the words of each distinct subtree, with repetitions.
    """

    fragments: Ragged
    statements: Ragged
    subtrees: Ragged

    @classmethod
    def of(cls, trees: Sequence[SyntaxTree | None], numbers: dict[str, int], limit: int) -> StatementSequences:
        """From trees; a missing one has no statements. At most `limit` statements of each are taken."""
        table = _Subtrees(numbers)
        fragments = [[] if tree is None else table.statements_of(tree)[:limit] for tree in trees]
        return cls(Ragged.of(fragments), Ragged.of(list(table.statements)), Ragged.of(table.words))


class _Subtrees:
    """The distinct subtrees and statement trees so far."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self._numbers = numbers
        self._known: dict[tuple[int, ...], int] = {}
        self.words: list[list[int]] = []
        self.statements: dict[tuple[int, ...], int] = {}

    def statements_of(self, tree: SyntaxTree) -> list[int]:
        """The statement trees of a tree, in order."""
        children = tree.children()
        own: list[int] = [0] * len(tree)
        inside: list[set[int]] = [set() for _ in tree.labels]
        found: dict[int, int] = {}
        for node in reversed(range(len(tree))):
            parts = [child for child in children[node] if not tree.statements[child]]
            own[node] = self._number(tree.labels[node], [own[child] for child in parts])
            inside[node] = {own[node]}.union(*(inside[child] for child in parts))
            if tree.statements[node] or tree.parents[node] < 0:
                key = tuple(sorted(inside[node]))
                found[node] = self.statements.setdefault(key, len(self.statements))
        return [found[node] for node in sorted(found)]

    def _number(self, label: str, children: list[int]) -> int:
        word = self._numbers.get(label, UNKNOWN)
        key = (word, *children)
        if key not in self._known:
            self._known[key] = len(self.words)
            self.words.append([word, *(inner for child in children for inner in self.words[child])])
        return self._known[key]
