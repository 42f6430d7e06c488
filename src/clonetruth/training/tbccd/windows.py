"""Trees as sets of windows: a node with its children, which is all that one convolution sees.

The largest value over all nodes of a tree is the largest over its distinct windows, so each distinct window is
convolved once for a batch, however often it occurs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clonetruth.training.neural.ragged import Ragged
from clonetruth.training.neural.syntax_tree import SyntaxTree
from clonetruth.training.trainer import Integers

CHARACTERS = 96
"""The printable characters of ASCII, and one for all others."""


@dataclass(frozen=True, eq=False)
class TreeWindows:
    """Fragments as sets of windows.

    Attributes:
        fragments: the distinct windows of each fragment.
        nodes: the label of each window's node.
        children: the labels of its children.
        labels: the labels, as texts.
        leaves: whether a label is that of a leaf.
    """

    fragments: Ragged
    nodes: Integers
    children: Ragged
    labels: tuple[str, ...]
    leaves: npt.NDArray[np.bool_]

    @classmethod
    def of(cls, trees: Sequence[SyntaxTree | None]) -> TreeWindows:
        """From trees; a missing one has no windows."""
        labels: dict[tuple[str, bool], int] = {}
        windows: dict[tuple[int, ...], int] = {}
        fragments: list[list[int]] = []
        for tree in trees:
            own: set[int] = set()
            if tree is not None:
                number = [labels.setdefault(one, len(labels)) for one in zip(tree.labels, tree.leaves, strict=True)]
                for node, children in enumerate(tree.children()):
                    key = (number[node], *(number[child] for child in children))
                    own.add(windows.setdefault(key, len(windows)))
            fragments.append(sorted(own))
        return cls(
            Ragged.of(fragments),
            np.array([key[0] for key in windows], dtype=np.int64),
            Ragged.of([key[1:] for key in windows]),
            tuple(label for label, _ in labels),
            np.array([leaf for _, leaf in labels], dtype=bool),
        )


def character_vectors(words: Sequence[str]) -> npt.NDArray[np.float32]:
    """Words as sums of their characters, an early character counting more: in a word of n characters, n of n parts for
    the first, n - 1 for the second, 1 for the last.

    >>> one = character_vectors(["ab"])[0]
    >>> float(one[ord("a") - 32]), float(one[ord("b") - 32])
    (1.0, 0.5)
    """
    found = np.zeros((len(words), CHARACTERS), dtype=np.float32)
    for row, word in enumerate(words):
        for place, character in enumerate(word):
            code = ord(character) - 32
            found[row, code if 0 <= code < CHARACTERS - 1 else CHARACTERS - 1] += (len(word) - place) / len(word)
    return found


def child_shares(lengths: Integers) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """How much each child belongs to the left and to the right weights, as in a continuous binary tree.

    >>> [side.tolist() for side in child_shares(np.array([1, 3]))]
    [[0.5, 1.0, 0.5, 0.0], [0.5, 0.0, 0.5, 1.0]]
    """
    starts = np.repeat(lengths.cumsum() - lengths, lengths)
    place, size = np.arange(len(starts)) - starts, np.repeat(lengths, lengths)
    right = np.where(size > 1, place / np.maximum(size - 1, 1), 0.5).astype(np.float32)
    return 1 - right, right
