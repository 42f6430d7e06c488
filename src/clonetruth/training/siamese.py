"""The training of `mlp`, in PyTorch: three layers, the same for both sides, whose cosine is to be 1 or -1."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import torch
from torch.nn import functional

from clonetruth.training.bag_detector import TrainingSet
from clonetruth.training.learner import TrainingOptions
from clonetruth.training.mlp import layers
from clonetruth.training.trainer import Integers, Weights


class Siamese:
    """See `schooling.Pupil`."""

    def __init__(self, lesson: TrainingSet, options: TrainingOptions) -> None:
        self._lesson = lesson
        self._threads = options.threads
        self._parameters = {
            name: torch.from_numpy(array).requires_grad_()
            for name, array in first_weights(lesson.bags.kinds, options.seed).items()
        }
        self._optimiser = torch.optim.Adam(self._parameters.values(), lr=options.rate, fused=True)

    def study(self, batches: Iterator[Integers]) -> float:
        """See `Pupil.study`."""
        total = 0.0
        with _deterministic(self._threads):
            for rows in batches:
                self._optimiser.zero_grad()
                loss = self._loss(rows)
                torch.autograd.backward(loss)
                self._optimiser.step()
                total += loss.item() * len(rows)
        return total / len(self._lesson.truth)

    def weights(self) -> Weights:
        """See `Pupil.weights`."""
        return {name: parameter.detach().numpy().copy() for name, parameter in self._parameters.items()}

    def state(self) -> Weights:
        """See `Pupil.state`."""
        remembered = {
            f"{name}/{key}": value.detach().numpy().copy()
            for name, parameter in self._parameters.items()
            for key, value in self._optimiser.state[parameter].items()
        }
        return {**self.weights(), **remembered}

    def restore(self, state: Weights) -> None:
        """See `Pupil.restore`."""
        for name, parameter in self._parameters.items():
            with torch.no_grad():
                parameter.copy_(torch.from_numpy(state[name]))
            self._optimiser.state[parameter] = {
                key.removeprefix(f"{name}/"): torch.from_numpy(array)
                for key, array in state.items()
                if key.startswith(f"{name}/")
            }

    def _loss(self, rows: Integers) -> torch.Tensor:
        lesson, own = self._lesson, self._parameters
        # A fragment that is in several pairs of the batch goes through the network once.
        fragments, places = np.unique(np.concatenate([lesson.left[rows], lesson.right[rows]]), return_inverse=True)
        bags = lesson.bags.take(fragments)
        words, starts = torch.from_numpy(bags.words), torch.from_numpy(bags.starts[:-1].astype(np.int32))
        hidden = torch.sigmoid(functional.embedding_bag(words, own["w1"], starts, mode="sum") + own["b1"])
        hidden = torch.sigmoid(hidden @ own["w2"] + own["b2"])
        vectors = functional.normalize(hidden @ own["w3"] + own["b3"])
        one, other = torch.from_numpy(places).tensor_split(2)
        cosines = (vectors[one] * vectors[other]).sum(dim=1)
        wanted = torch.from_numpy(np.where(lesson.truth[rows], np.float32(1), np.float32(-1)))
        return functional.mse_loss(cosines, wanted)


def first_weights(words: int, seed: int) -> Weights:
    """Weights to begin with: even between ± 1 / √(inputs), as PyTorch draws them for a layer; from numpy's generator,
    which promises the same numbers in every release."""
    random = np.random.default_rng([seed, 0])
    shapes = layers(words)
    bounds = {name: shapes[name.replace("b", "w")][0] ** -0.5 for name in shapes}
    return {
        name: random.uniform(-bounds[name], bounds[name], shape).astype(np.float32) for name, shape in shapes.items()
    }


@contextmanager
def _deterministic(threads: int) -> Iterator[None]:
    """The same numbers in every run: a fixed number of threads, and only operations that keep to an order."""
    before, strictly = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch.set_num_threads(before)
        torch.use_deterministic_algorithms(strictly)
