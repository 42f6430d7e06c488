"""The network of `tbccd`: convolution over windows of a tree, the largest value of each feature, cosine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from clonetruth.training.neural.network import CosineOutput, VectorNetwork, segment_max
from clonetruth.training.neural.syntax_tree import UNKNOWN, SyntaxTree, numbers
from clonetruth.training.tbccd import TbccdOptions
from clonetruth.training.tbccd.windows import CHARACTERS, TreeWindows, character_vectors, child_shares
from clonetruth.training.trainer import Integers


@dataclass(frozen=True, eq=False)
class _EncodedTrees:
    windows: TreeWindows
    words: Tensor
    characters: Tensor


class ConvolutionNetwork(CosineOutput, VectorNetwork):
    """See the module."""

    def __init__(self, words: tuple[str, ...], own: TbccdOptions) -> None:
        super().__init__()
        self._numbers, self._own = numbers(words), own
        self.words = nn.Embedding(len(words) + 1, own.embedding)
        self.characters = nn.Linear(CHARACTERS, own.embedding, bias=False)
        self.top = nn.Linear(own.embedding, own.convolution)
        self.left = nn.Linear(own.embedding, own.convolution, bias=False)
        self.right = nn.Linear(own.embedding, own.convolution, bias=False)
        self.hidden = nn.Linear(own.convolution, own.hidden)

    def encode(self, readings: Sequence[SyntaxTree | None]) -> _EncodedTrees:
        """See `PairNetwork.encode`."""
        windows = TreeWindows.of(readings)
        words = np.array([self._numbers.get(label, UNKNOWN) for label in windows.labels], dtype=np.int64)
        return _EncodedTrees(windows, self.tensor(words), self.tensor(character_vectors(windows.labels)))

    def vectors(self, encoded: _EncodedTrees, rows: Integers) -> Tensor:
        """See `VectorNetwork.vectors`."""
        needed, pools = encoded.windows.fragments.take(rows).renumbered()
        children = encoded.windows.children.take(needed)
        table = self._labels(encoded)
        left, right = (self.tensor(one) for one in child_shares(children.lengths))
        values, starts = self.tensor(children.values), self.tensor(children.starts[:-1])
        sums = [
            functional.embedding_bag(values, table, starts, mode="sum", per_sample_weights=share)
            for share in (left, right)
        ]
        nodes = table[self.tensor(encoded.windows.nodes[needed])]
        found = torch.tanh(self.top(nodes) + self.left(sums[0]) + self.right(sums[1]))
        vectors: Tensor = self.hidden(segment_max(found, pools.values, pools.lengths))
        return vectors

    def _labels(self, encoded: _EncodedTrees) -> Tensor:
        """The vector of each label: a learned one, and with pace for leaves that of its characters."""
        learned: Tensor = self.words(encoded.words)
        if not self._own.pace:
            return learned
        leaves = self.tensor(encoded.windows.leaves).unsqueeze(1)
        return torch.where(leaves, self.characters(encoded.characters), learned)
