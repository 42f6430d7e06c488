"""Trees as sequences of statement trees, with everything that repeats stored once.

A statement tree is a statement without the statements inside it, which follow it in the sequence. The encoder of ASTNN
is a sum over a subtree, so that equal subtrees have equal vectors: each distinct subtree is one row, made of the words
inside it. With the word `END` among the known ones, a statement of that word follows the last statement inside another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clonetruth.training.neural.ragged import Ragged
from clonetruth.training.neural.syntax_tree import UNKNOWN, SyntaxTree

END = "(end)"
"""The statement that says that those inside another one end; no grammar has a node of this type."""


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
        if END not in self._numbers:
            return [found[node] for node in sorted(found)]
        return self._with_ends(tree, found)

    def _with_ends(self, tree: SyntaxTree, found: dict[int, int]) -> list[int]:
        """The statement trees in order, with an end behind the last one inside another."""
        number = self._number(END, [])
        end = self.statements.setdefault((number,), len(self.statements))
        waiting: list[tuple[int, int]] = []
        sequence: list[int] = []
        depths = [0] * len(tree)
        for node, parent in enumerate(tree.parents):
            depths[node] = depths[parent] + 1 if parent >= 0 else 0
            # Whatever is not deeper than a statement is behind it.
            while waiting and depths[node] <= waiting[-1][0]:
                _, start = waiting.pop()
                sequence += [end] if len(sequence) > start else []
            if node in found:
                sequence.append(found[node])
                waiting.append((depths[node], len(sequence)))
        for _, start in reversed(waiting):
            sequence += [end] if len(sequence) > start else []
        return sequence

    def _number(self, label: str, children: list[int]) -> int:
        word = self._numbers.get(label, UNKNOWN)
        key = (word, *children)
        if key not in self._known:
            self._known[key] = len(self.words)
            self.words.append([word, *(inner for child in children for inner in self.words[child])])
        return self._known[key]
