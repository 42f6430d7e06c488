"""Reads the syntax tree of a fragment as flat lists, in one walk with a cursor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from zlib import crc32

from clonetruth.code.canonical.labels import ATOMIC, INTERPOLATED, SKIPPED
from clonetruth.code.language import Language
from clonetruth.code.parsing import Parsed, parse

MAX_NESTING = 150
"""Nodes below this depth count as children of the node at this depth: a sum of thousands of terms is as deep."""

_DESCEND, _LEAF, _SKIP, _STRING = range(4)


@dataclass(frozen=True, eq=False)
class RawTree:
    """The nodes of a tree in preorder. Comments, imports and modifiers are not among them.

    Attributes:
        source: the parsed bytes.
        kinds: the number of each node's kind in its grammar.
        parents: the position of each node's parent, -1 for the first.
        depths: the depth of each node.
        starts: where each node begins in the source.
        ends: where it ends.
        leaves: the positions of the leaves.
        tokens: the text of each leaf, as a number in `TokenNumbers`.
        shift: how many bytes before the fragment a wrapper has in the source.
    """

    source: bytes
    kinds: list[int]
    parents: list[int]
    depths: list[int]
    starts: list[int]
    ends: list[int]
    leaves: list[int]
    tokens: list[int]
    shift: int


class TokenNumbers(dict[bytes, int]):
    """A number for each distinct token text; the texts by number are `texts`."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[bytes] = []

    def __missing__(self, text: bytes) -> int:
        number = len(self.texts)
        self.texts.append(text)
        self[text] = number
        return number


def token_hash(text: bytes) -> int:
    """A 32-bit hash of a token, the same in every process."""
    return crc32(text)


EMPTY_TREE = RawTree(b"", [], [], [], [], [], [], [], 0)
"""The tree of a text in an unknown language."""


def read_tree(text: str, language: Language, numbers: TokenNumbers) -> RawTree:
    """Walk the tree of a text; one that does not parse has whatever the parser recognised in it.

    Args:
        text: a function, or a file.
        language: its language.
        numbers: the numbers of tokens, to which new ones are added.
    """
    parsed = _parsed(text, language)
    actions = _actions(language)
    source, first, last = parsed.source, parsed.start, parsed.end
    kinds: list[int] = []
    parents: list[int] = []
    depths: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    leaves: list[int] = []
    tokens: list[int] = []
    stack = [-1]
    count = 0
    cursor = parsed.tree.walk()
    down, right, up = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
    while True:
        node = cursor.node
        assert node is not None
        kind, start, end = node.kind_id, node.start_byte, node.end_byte
        action = actions[kind] if kind < len(actions) else _DESCEND
        if action == _STRING:
            opening = source[start : start + 2].lower()
            action = _DESCEND if opening[:1] not in (b"'", b'"') and b"f" in opening else _LEAF
        descended = False
        if action != _SKIP and first <= end and start <= last:
            depth = len(stack) - 1
            inside = stack[-1] if depth < MAX_NESTING else stack[MAX_NESTING]
            kinds.append(kind)
            parents.append(inside)
            depths.append(min(depth, MAX_NESTING))
            starts.append(start)
            ends.append(end)
            if action == _DESCEND and down():
                stack.append(count)
                descended = True
            elif start < end:
                leaves.append(count)
                tokens.append(numbers[source[start:end]])
            count += 1
        if descended:
            continue
        while not right():
            if not up():
                return RawTree(source, kinds, parents, depths, starts, ends, leaves, tokens, first)
            stack.pop()


def _parsed(text: str, language: Language) -> Parsed:
    bare = parse(text, language)
    return parse(text, language, lone=True) if bare.tree.root_node.has_error and language.wrappers else bare


@cache
def _actions(language: Language) -> list[int]:
    """What the walk does with each kind of node of a grammar."""
    by_name: Mapping[str, int] = {
        **dict.fromkeys(ATOMIC, _LEAF),
        **dict.fromkeys(INTERPOLATED, _STRING),
        **dict.fromkeys(SKIPPED, _SKIP),
    }
    grammar = language.tree_sitter
    return [by_name.get(grammar.node_kind_for_id(kind) or "", _DESCEND) for kind in range(grammar.node_kind_count)]
