"""The network of `fa-ast`: messages along edges, attention to the other graph, a gated sum of nodes, cosine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from clonetruth.training.fa_ast import FaAstOptions
from clonetruth.training.fa_ast.graph import EDGES, FlowGraph
from clonetruth.training.neural.network import CosineOutput
from clonetruth.training.neural.syntax_tree import UNKNOWN, numbers
from clonetruth.training.trainer import Integers

_PAIRS = 4
"""Pairs that are computed at a time: what they need stays in the processor's cache."""


@dataclass(frozen=True, eq=False)
class _EncodedGraph:
    words: Integers
    edges: Integers


class MatchingNetwork(CosineOutput):
    """See the module."""

    centre: Tensor
    spread: Tensor

    def __init__(self, words: tuple[str, ...], own: FaAstOptions) -> None:
        super().__init__()
        self._numbers, self._own = numbers(words), own
        width = own.width
        self.words = nn.Embedding(len(words) + 1, width)
        # A linear layer over (start, end, kind) is the sum of one for each.
        self.start = nn.Linear(width, width)
        self.end = nn.Linear(width, width, bias=False)
        self.kinds = nn.Embedding(2 * len(EDGES), width)
        self.update = nn.GRUCell(2 * width if own.matching else width, width)
        self.gate = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.last = nn.Linear(width, width)
        # Means over nodes are nearly the same for all graphs. Without their mean, cosines differ from 1, where a cosine
        # has no gradient.
        self.register_buffer("centre", torch.zeros(width))
        self.register_buffer("spread", torch.ones(width))

    def encode(self, readings: Sequence[FlowGraph | None]) -> list[_EncodedGraph | None]:
        """See `PairNetwork.encode`."""
        return [None if one is None else self._encoded(one) for one in readings]

    def _encoded(self, graph: FlowGraph) -> _EncodedGraph:
        words = np.array([self._numbers.get(label, UNKNOWN) for label in graph.tree.labels], dtype=np.int64)
        edges = np.array(graph.edges, dtype=np.int64).reshape(-1, 3)
        back = np.stack([edges[:, 1], edges[:, 0], edges[:, 2] + len(EDGES)], axis=1)
        return _EncodedGraph(words, np.concatenate([edges, back]))

    def outputs(self, encoded: list[_EncodedGraph | None], left: Integers, right: Integers) -> Tensor:
        """See `PairNetwork.outputs`."""
        # The smaller row first: the sums of a pair do not depend on which side it was given on.
        sides = np.stack([np.minimum(left, right), np.maximum(left, right)])
        sizes = np.array([0 if one is None else len(one.words) for one in encoded])[sides].max(axis=0)
        # Pairs of similar size together: most need no padding then.
        order = np.argsort(sizes, kind="stable")
        parts = [sides[:, order[start : start + _PAIRS]] for start in range(0, len(order), _PAIRS)]
        chunks = [self._vectors([encoded[row] for row in part.ravel().tolist()]).chunk(2) for part in parts]
        back = self.tensor(np.argsort(order))
        one, other = (torch.cat(side).index_select(0, back) for side in zip(*chunks, strict=True))
        centred = functional.batch_norm(torch.cat([one, other]), self.centre, self.spread, training=self.training)
        one, other = centred.chunk(2)
        return self.compare(one, other)

    def _vectors(self, given: Sequence[_EncodedGraph | None]) -> Tensor:
        """The vectors of both graphs of some pairs: all first ones, then all second ones."""
        graphs = [one for one in given if one is not None]
        longest = max(len(one.words) for one in graphs)
        padded = np.zeros((len(graphs), longest), dtype=np.int64)
        there = np.zeros((len(graphs), longest), dtype=bool)
        edges = []
        for row, one in enumerate(graphs):
            padded[row, : len(one.words)] = one.words
            there[row, : len(one.words)] = True
            edges.append(one.edges + np.array([row * longest, row * longest, 0]))
        words, present = self.tensor(padded), self.tensor(there)
        start, end, kind = self.tensor(np.concatenate(edges)).unbind(dim=1)
        nodes: Tensor = self.words(words)
        # Decided here: asking the device would wait for it.
        absent = None if there.all() else ~present
        for _ in range(self._own.layers):
            nodes = self._round(nodes, absent, (start, end, kind))
        # Nodes that are not there have no part in the sum.
        gated = torch.sigmoid(self.gate(nodes)) * self.value(nodes) * present.unsqueeze(2)
        vectors: Tensor = self.last(gated.sum(dim=1) / present.sum(dim=1, keepdim=True))
        return vectors

    def _round(self, nodes: Tensor, absent: Tensor | None, edges: tuple[Tensor, Tensor, Tensor]) -> Tensor:
        start, end, kind = edges
        flat = nodes.flatten(0, 1)
        messages = torch.relu(
            self.start(flat).index_select(0, start) + self.end(flat).index_select(0, end) + self.kinds(kind)
        )
        received = messages.new_zeros(flat.shape).index_add(0, end, messages)
        if self._own.matching:
            received = torch.cat([received, self._difference(nodes, absent).flatten(0, 1)], dim=1)
        updated: Tensor = self.update(received, flat)
        return updated.view_as(nodes)

    def _difference(self, nodes: Tensor, absent: Tensor | None) -> Tensor:
        """What sets each node apart from the nodes of the other graph that it attends to."""
        one, other = nodes.chunk(2)
        to_other = torch.bmm(one, other.transpose(1, 2))
        to_one = to_other.transpose(1, 2)
        if absent is not None:
            not_here, not_there = absent.unsqueeze(1).chunk(2)
            to_other = to_other.masked_fill(not_there, -torch.inf)
            to_one = to_one.masked_fill(not_here, -torch.inf)
        attended = torch.bmm(to_other.softmax(dim=2), other), torch.bmm(to_one.softmax(dim=2), one)
        return torch.cat([one - attended[0], other - attended[1]])
