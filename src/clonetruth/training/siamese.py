"""The training of `mlp`, in PyTorch: three layers, shared by both sides, with a target cosine of 1 or -1."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from torch.nn import functional

from clonetruth.training.bag_detector import TrainingSet
from clonetruth.training.learner import TrainingSpec
from clonetruth.training.mlp import layers
from clonetruth.training.neural.network import deterministic
from clonetruth.training.trainer import Integers, Weights


class SiameseNetwork:
    """The network of `mlp`; see `trainer.Trainable`."""

    def __init__(self, training: TrainingSet, options: TrainingSpec) -> None:
        self._training = training
        self._threads = options.threads
        self._parameters = {
            name: torch.from_numpy(array).requires_grad_()
            for name, array in initial_weights(training.bags.vocabulary_size, options.seed).items()
        }
        self._optimiser = torch.optim.Adam(self._parameters.values(), lr=options.learning_rate, fused=True)

    def run_epoch(self, batches: Iterator[Integers]) -> float:
        """See `Trainable.run_epoch`."""
        total = 0.0
        with deterministic(self._threads):
            for rows in batches:
                self._optimiser.zero_grad()
                loss = self._loss(rows)
                torch.autograd.backward(loss)
                self._optimiser.step()
                total += loss.item() * len(rows)
        return total / len(self._training.truth)

    def weights(self) -> Weights:
        """See `Trainable.weights`."""
        return {name: parameter.detach().numpy().copy() for name, parameter in self._parameters.items()}

    def state(self) -> Weights:
        """See `Trainable.state`."""
        optimiser_state = {
            f"{name}/{key}": value.detach().numpy().copy()
            for name, parameter in self._parameters.items()
            for key, value in self._optimiser.state[parameter].items()
        }
        return {**self.weights(), **optimiser_state}

    def restore(self, state: Weights) -> None:
        """See `Trainable.restore`."""
        for name, parameter in self._parameters.items():
            with torch.no_grad():
                parameter.copy_(torch.from_numpy(state[name]))
            self._optimiser.state[parameter] = {
                key.removeprefix(f"{name}/"): torch.from_numpy(array)
                for key, array in state.items()
                if key.startswith(f"{name}/")
            }

    def _loss(self, rows: Integers) -> torch.Tensor:
        training, parameters = self._training, self._parameters
        # A fragment that occurs in several pairs of the batch passes through the network once.
        sides = np.concatenate([training.left[rows], training.right[rows]])
        fragments, positions = np.unique(sides, return_inverse=True)
        bags = training.bags.take(fragments)
        words, starts = torch.from_numpy(bags.words), torch.from_numpy(bags.starts[:-1].astype(np.int32))
        hidden = torch.sigmoid(functional.embedding_bag(words, parameters["w1"], starts, mode="sum") + parameters["b1"])
        hidden = torch.sigmoid(hidden @ parameters["w2"] + parameters["b2"])
        vectors = functional.normalize(hidden @ parameters["w3"] + parameters["b3"])
        one, other = torch.from_numpy(positions).tensor_split(2)
        cosines = (vectors[one] * vectors[other]).sum(dim=1)
        targets = torch.from_numpy(np.where(training.truth[rows], np.float32(1), np.float32(-1)))
        return functional.mse_loss(cosines, targets)


def initial_weights(words: int, seed: int) -> Weights:
    """Initial weights: uniform between ± 1 / √(inputs), like PyTorch's linear layers.

    They come from numpy's generator, which guarantees the same numbers in every release.
    """
    random = np.random.default_rng([seed, 0])
    shapes = layers(words)
    bounds = {name: shapes[name.replace("b", "w")][0] ** -0.5 for name in shapes}
    return {
        name: random.uniform(-bounds[name], bounds[name], shape).astype(np.float32) for name, shape in shapes.items()
    }
