"""The syntax tree of a fragment as the models of the papers take it: labels, parents, statements.

An inner node is labelled with its type in parentheses, a leaf with its text. Comments and punctuation are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from clonetruth.code import Language, parse
from clonetruth.code.language import TokenKind
from clonetruth.code.tokens import token_stream

UNKNOWN = 0
"""The number of a word that is not known; the first known word is 1."""
_LONGEST = 100
"""Characters of a leaf's label: a string of a thousand characters is no better known by its end."""


@dataclass(frozen=True, eq=False)
class SyntaxTree:
    """A tree, in preorder.

    Attributes:
        labels: the label of each node.
        parents: the position of its parent, -1 for the first.
        statements: whether it is a statement or a function, as ASTNN splits trees.
        leaves: whether it is a leaf.
        fields: the field of the grammar that it fills in its parent; empty for none.
        cut: the number of nodes that were left out because there were too many.
    """

    labels: tuple[str, ...]
    parents: tuple[int, ...]
    statements: tuple[bool, ...]
    leaves: tuple[bool, ...]
    fields: tuple[str, ...]
    cut: int = 0

    def __len__(self) -> int:
        return len(self.labels)

    def children(self) -> list[list[int]]:
        """The children of each node, in order."""
        found: list[list[int]] = [[] for _ in self.labels]
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                found[parent].append(node)
        return found

    def first_levels(self, nodes: int) -> SyntaxTree:
        """At most this number of nodes, those nearest to the root: the whole fragment, with less detail."""
        if len(self) <= nodes:
            return self
        depths = [0] * len(self)
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                depths[node] = depths[parent] + 1
        kept = sorted(sorted(range(len(self)), key=lambda node: (depths[node], node))[:nodes])
        place = {node: at for at, node in enumerate(kept)}
        return SyntaxTree(
            tuple(self.labels[node] for node in kept),
            tuple(place.get(self.parents[node], -1) for node in kept),
            tuple(self.statements[node] for node in kept),
            tuple(self.leaves[node] for node in kept),
            tuple(self.fields[node] for node in kept),
            len(self) - nodes,
        )


def syntax_tree(text: str, language: Language, nodes: int) -> SyntaxTree | None:
    """Read the tree of a text; None for a text without a token.

    Args:
        text: a function, or a file. One that does not parse has whatever the parser recognised.
        language: its language.
        nodes: the maximum number of nodes, those nearest to the root.
    """
    parsed = parse(text, language, lone=True)
    stream = token_stream(parsed)
    if all(kind == TokenKind.PUNCTUATION for kind in stream.kinds):
        return None
    punctuation = {text for text, kind in zip(stream.texts, stream.kinds, strict=True) if kind == TokenKind.PUNCTUATION}
    starts = {
        node.id
        for query, name in ((language.metrics, "statement"), (language.structure, "function"))
        for node in parsed.captures(query).get(name, ())
    }
    labels: list[str] = []
    parents: list[int] = []
    statements: list[bool] = []
    leaves: list[bool] = []
    fields: list[str] = []
    stack, source, first, last = [-1], parsed.source, parsed.start, parsed.end
    cursor = parsed.tree.walk()
    while True:
        node = cursor.node
        assert node is not None
        descended = False
        inside = first <= node.end_byte and node.start_byte <= last and "comment" not in node.type
        text_of = source[node.start_byte : node.end_byte]
        if inside and node.child_count:
            number = -1
            if node.is_named and first <= node.start_byte and node.end_byte <= last:
                number = len(labels)
                labels.append(f"({node.type})")
                parents.append(stack[-1])
                statements.append(node.id in starts)
                leaves.append(False)
                fields.append(cursor.field_name or "")
            descended = cursor.goto_first_child()
            if descended:
                stack.append(number if number >= 0 else stack[-1])
        elif inside and text_of and text_of not in punctuation and first <= node.start_byte and node.end_byte <= last:
            labels.append(text_of[:_LONGEST].decode("utf-8", errors="replace"))
            parents.append(stack[-1])
            statements.append(False)
            leaves.append(True)
            fields.append(cursor.field_name or "")
        if descended:
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                found = SyntaxTree(tuple(labels), tuple(parents), tuple(statements), tuple(leaves), tuple(fields))
                return found.first_levels(nodes) if labels else None
            stack.pop()


def frequent_words(trees: Iterable[SyntaxTree], limit: int) -> tuple[str, ...]:
    """The most frequent labels, the most frequent first; ties in alphabetical order."""
    counts = Counter(label for tree in trees for label in tree.labels)
    return tuple(word for word, _ in sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:limit])


def numbers(words: Sequence[str]) -> dict[str, int]:
    """The number of each known word, from 1 on."""
    return {word: number for number, word in enumerate(words, start=1)}
