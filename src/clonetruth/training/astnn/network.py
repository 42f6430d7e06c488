"""The network of `astnn`: vectors of statements, a bidirectional GRU over them, the difference of two fragments."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.nn.utils.rnn import PackedSequence

from clonetruth.training.astnn import AstnnOptions
from clonetruth.training.astnn.statements import StatementSequences
from clonetruth.training.neural import ReadPart
from clonetruth.training.neural.network import LogisticOutput, VectorNetwork, segment_max
from clonetruth.training.neural.syntax_tree import SyntaxTree, numbers
from clonetruth.training.neural.word_vectors import word_vectors
from clonetruth.training.trainer import Integers


class StatementNetwork(LogisticOutput, VectorNetwork):
    """See the module."""

    def __init__(self, words: tuple[str, ...], own: AstnnOptions) -> None:
        super().__init__()
        self._numbers, self._own = numbers(words), own
        self.words = nn.Embedding(len(words) + 1, own.embedding)
        self.encoder = nn.Linear(own.embedding, own.encoder)
        self.recurrent = nn.GRU(own.encoder, own.hidden, batch_first=True, bidirectional=True)
        self.output = nn.Linear(2 * own.hidden, 1)

    def prepare(self, training: ReadPart) -> None:
        """See `PairNetwork.prepare`."""
        if self._own.pretrain:
            trees: Sequence[SyntaxTree | None] = training.readings
            sequences = [[self._numbers.get(one, 0) for one in tree.labels] for tree in trees if tree is not None]
            vectors = word_vectors(sequences, len(self._numbers) + 1, self._own.embedding)
            with torch.no_grad():
                found = self.tensor(vectors)
                self.words.weight.copy_(torch.where(found.any(dim=1, keepdim=True), found, self.words.weight))

    def encode(self, readings: Sequence[SyntaxTree | None]) -> StatementSequences:
        """See `PairNetwork.encode`."""
        return StatementSequences.of(readings, self._numbers, self._own.statements)

    def vectors(self, encoded: StatementSequences, rows: Integers) -> Tensor:
        """See `VectorNetwork.vectors`."""
        sequences = encoded.fragments.take(rows)
        distinct, sequences = sequences.renumbered()
        pools = encoded.statements.take(distinct)
        needed, pools = pools.renumbered()
        subtrees = encoded.subtrees.take(needed)
        # The encoder is linear and sums over the nodes of a subtree: one table of encoded words serves all nodes.
        table = self.encoder(self.words.weight)
        sums = functional.embedding_bag(
            self.tensor(subtrees.values), table, self.tensor(subtrees.starts[:-1]), mode="sum"
        )
        statements = segment_max(sums, pools.values, pools.lengths)
        order, active = sequences.by_step()
        # Packed at once: padding every sequence takes most of the time of a training.
        packed = PackedSequence(
            statements.index_select(0, self.tensor(sequences.values[order])), torch.from_numpy(active)
        )
        hidden = self.recurrent(packed)[0].data
        return segment_max(hidden, np.argsort(order), sequences.lengths)

    def compare(self, one: Tensor, other: Tensor) -> Tensor:
        """See `VectorNetwork.compare`."""
        found: Tensor = self.output((one - other).abs()).squeeze(1)
        return found
