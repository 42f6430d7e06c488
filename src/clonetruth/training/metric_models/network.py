"""The networks of the metric models."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from clonetruth.training.metric_models.clonecognition import CloneCognitionOptions, FormCounts, agreement
from clonetruth.training.metric_models.filter_options import FilterOptions
from clonetruth.training.metric_models.measured import MeasuredFragment, passes
from clonetruth.training.neural import ReadPart
from clonetruth.training.neural.network import LogisticOutput, VectorNetwork
from clonetruth.training.trainer import Floats, Integers


class MetricNetwork(LogisticOutput, VectorNetwork):
    """Two equal towers over metrics, and layers that compare them. Pairs that a filter stops score 0."""

    def __init__(self, metrics: int, own: FilterOptions) -> None:
        super().__init__()
        self._own = own
        self.register_buffer("mean", torch.zeros(metrics))
        self.register_buffer("deviation", torch.ones(metrics))
        widths = [metrics, *[own.width] * own.layers]
        tower: list[nn.Module] = []
        for number, (inputs, outputs) in enumerate(pairwise(widths)):
            tower += [nn.Linear(inputs, outputs), nn.ReLU()]
            if number % 2:
                tower.append(nn.Dropout(own.dropout))
        self.tower = nn.Sequential(*tower)
        half = max(own.width // 2, 1)
        self.comparison = nn.Sequential(
            nn.Linear(2 * own.width, own.width), nn.ReLU(), nn.Linear(own.width, half), nn.ReLU(), nn.Linear(half, 1)
        )

    def prepare(self, training: ReadPart) -> None:
        """See `PairNetwork.prepare`: the scale of each metric."""
        values = self.encode([one for one in training.readings if one is not None])
        self.get_buffer("mean").copy_(values.mean(dim=0))
        spread = values.std(dim=0, correction=0)
        self.get_buffer("deviation").copy_(torch.where(spread > 0, spread, 1.0))

    def encode(self, readings: Sequence[MeasuredFragment | None]) -> Tensor:
        """See `PairNetwork.encode`. Counts grow with size, so their logarithms are compared."""
        width = len(self.get_buffer("mean"))
        rows = [(0.0,) * width if one is None else one.values for one in readings]
        return torch.log1p(self.tensor(np.array(rows, dtype=np.float32).reshape(-1, width)))

    def vectors(self, encoded: Tensor, rows: Integers) -> Tensor:
        """See `VectorNetwork.vectors`."""
        scaled = (encoded[self.tensor(rows)] - self.get_buffer("mean")) / self.get_buffer("deviation")
        found: Tensor = self.tower(scaled)
        return found

    def compare(self, one: Tensor, other: Tensor) -> Tensor:
        """See `VectorNetwork.compare`. The difference and the product do not depend on the order of the sides."""
        found: Tensor = self.comparison(torch.cat([(one - other).abs(), one * other], dim=1)).squeeze(1)
        return found

    def scores(
        self,
        readings: Sequence[Any],
        left: Integers,
        right: Integers,
        report: Callable[[int], None] = lambda done: None,
    ) -> Floats:
        """See `PairNetwork.scores`."""
        values = super().scores(readings, left, right, report)
        own = self._own
        sides = zip(left.tolist(), right.tolist(), strict=True)
        kept = [passes(readings[a], readings[b], own.size, own.actions) for a, b in sides]
        return np.where(np.array(kept, dtype=bool), values, 0.0)


class AgreementNetwork(LogisticOutput):
    """One hidden layer over the similarities of a pair in three normal forms."""

    def __init__(self, words: tuple[str, ...], own: CloneCognitionOptions) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(6, own.hidden), nn.ReLU(), nn.Linear(own.hidden, 1))

    def encode(self, readings: Sequence[FormCounts | None]) -> _Agreements:
        """See `PairNetwork.encode`."""
        return _Agreements(readings)

    def outputs(self, encoded: _Agreements, left: Integers, right: Integers) -> Tensor:
        """See `PairNetwork.outputs`."""
        found: Tensor = self.layers(self.tensor(encoded.of(left, right))).squeeze(1)
        return found


class _Agreements:
    """The similarities of pairs, computed once."""

    def __init__(self, readings: Sequence[FormCounts | None]) -> None:
        self._readings = readings
        self._known: dict[tuple[int, int], tuple[float, ...]] = {}

    def of(self, left: Integers, right: Integers) -> Any:
        keys = list(zip(np.minimum(left, right).tolist(), np.maximum(left, right).tolist(), strict=True))
        for key in keys:
            one, other = (self._readings[row] for row in key)
            if key not in self._known and one is not None and other is not None:
                self._known[key] = agreement(one, other)
        return np.array([self._known[key] for key in keys], dtype=np.float32).reshape(-1, 6)
