"""Networks over pairs of fragments in PyTorch: the base classes, and their training."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils import deterministic as deterministic_module

from clonetruth.errors import InputError
from clonetruth.training.learner import TrainingSpec
from clonetruth.training.neural.learner import ReadPart
from clonetruth.training.trainer import Floats, Integers, Weights

_MEMORY: Any = deterministic_module
"""Holds a setting that PyTorch's types leave out."""
_PAIRS = 20_000
"""Pairs per step of scoring: bounds memory."""
_FRAGMENTS = 64
"""Fragments per step of scoring."""


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Draw from a separate generator, and leave that of the process as it was."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        yield


@contextmanager
def deterministic(threads: int, device: str = "cpu") -> Iterator[None]:
    """Make results reproducible: a fixed number of threads, and deterministic algorithms where a device has them."""
    threads_before, deterministic_before = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    fill_before = _MEMORY.fill_uninitialized_memory
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(True, warn_only=device != "cpu")
    # PyTorch would write NaN into all memory that it allocates, half the time of some trainings. Nothing here reads
    # memory that was not written.
    _MEMORY.fill_uninitialized_memory = False
    try:
        yield
    finally:
        torch.set_num_threads(threads_before)
        torch.use_deterministic_algorithms(deterministic_before)
        _MEMORY.fill_uninitialized_memory = fill_before


def reduced_precision(device: str) -> AbstractContextManager[Any]:
    """Compute in bfloat16 where numbers permit it, on a graphics card that has it; weights stay in full precision."""
    if device == "cuda" and torch.cuda.is_bf16_supported():
        return torch.autocast("cuda", dtype=torch.bfloat16)
    return nullcontext()


class PairNetwork(nn.Module):
    """A network that compares two fragments.

    Attributes:
        threads: the number of threads that compute.
    """

    threads: int = 1

    @abstractmethod
    def encode(self, readings: Sequence[Any]) -> Any:
        """What was read from fragments, as the network takes it. A reading may be None, and is then never asked for."""

    @abstractmethod
    def outputs(self, encoded: Any, left: Integers, right: Integers) -> Tensor:
        """The raw output for each pair (by rows), with gradients."""

    @abstractmethod
    def loss(self, outputs: Tensor, truth: Tensor) -> Tensor:
        """The mean loss; `truth` is 1 for clones and 0 for others."""

    @abstractmethod
    def as_scores(self, outputs: Tensor) -> Tensor:
        """The scores of raw outputs."""

    @property
    def device(self) -> torch.device:
        """Where the weights are."""
        return next(self.parameters()).device

    def tensor(self, array: npt.NDArray[Any]) -> Tensor:
        """An array, where the weights are."""
        return torch.from_numpy(array).to(self.device)

    def prepare(self, training: ReadPart) -> None:
        """Set what depends on the training part, before the first epoch (scales, pretrained vectors)."""

    def scores(
        self,
        readings: Sequence[Any],
        left: Integers,
        right: Integers,
        report: Callable[[int], None] = lambda done: None,
    ) -> Floats:
        """The score of each pair."""
        self.eval()
        values = np.zeros(len(left))
        with torch.no_grad(), deterministic(self.threads, self.device.type):
            for rows, outputs in self._evaluated(readings, left, right):
                values[rows] = self.as_scores(outputs).cpu().double().numpy()
                report(len(rows))
        return values

    def _evaluated(self, readings: Sequence[Any], left: Integers, right: Integers) -> Iterator[tuple[Integers, Tensor]]:
        """The outputs of batches of pairs, without gradients."""
        encoded = self.encode(readings)
        for start in range(0, len(left), _FRAGMENTS):
            rows = np.arange(start, min(start + _FRAGMENTS, len(left)))
            yield rows, self.outputs(encoded, left[rows], right[rows])

    def arrays(self) -> dict[str, Any]:
        """A copy of the weights."""
        return {name: value.detach().cpu().numpy().copy() for name, value in self.state_dict().items()}

    def load_arrays(self, weights: Weights) -> None:
        """Take weights that `arrays` returned."""
        self.load_state_dict({name: torch.from_numpy(np.array(array)) for name, array in weights.items()})


class VectorNetwork(PairNetwork):
    """A network that makes a vector of each fragment, and compares the vectors."""

    @abstractmethod
    def vectors(self, encoded: Any, rows: Integers) -> Tensor:
        """The vectors of some fragments."""

    @abstractmethod
    def compare(self, one: Tensor, other: Tensor) -> Tensor:
        """The raw outputs for the vectors of both sides; the sides can be exchanged."""

    def outputs(self, encoded: Any, left: Integers, right: Integers) -> Tensor:
        """See `PairNetwork.outputs`. A fragment of several pairs passes through the network once."""
        rows, positions = np.unique(np.concatenate([left, right]), return_inverse=True)
        found = self.vectors(encoded, rows)
        one, other = self.tensor(positions).tensor_split(2)
        return self.compare(found.index_select(0, one), found.index_select(0, other))

    def _evaluated(self, readings: Sequence[Any], left: Integers, right: Integers) -> Iterator[tuple[Integers, Tensor]]:
        used, positions = np.unique(np.concatenate([left, right]), return_inverse=True)
        if not len(used):
            return
        encoded = self.encode([readings[row] for row in used.tolist()])
        batches = [np.arange(len(used))[start : start + _FRAGMENTS] for start in range(0, len(used), _FRAGMENTS)]
        found = torch.cat([self.vectors(encoded, batch) for batch in batches])
        one, other = self.tensor(positions).tensor_split(2)
        for start in range(0, len(left), _PAIRS):
            rows = np.arange(start, min(start + _PAIRS, len(left)))
            yield rows, self.compare(found[one[rows]], found[other[rows]])


class LogisticOutput(PairNetwork):
    """A network whose output is the log-odds of a clone."""

    def loss(self, outputs: Tensor, truth: Tensor) -> Tensor:
        """See `PairNetwork.loss`."""
        return functional.binary_cross_entropy_with_logits(outputs, truth)

    def as_scores(self, outputs: Tensor) -> Tensor:
        """See `PairNetwork.as_scores`."""
        return torch.sigmoid(outputs)


class CosineOutput(PairNetwork):
    """A network whose output is a cosine, 1 for clones and -1 for others."""

    def loss(self, outputs: Tensor, truth: Tensor) -> Tensor:
        """See `PairNetwork.loss`."""
        return functional.mse_loss(outputs, 2 * truth - 1)

    def as_scores(self, outputs: Tensor) -> Tensor:
        """See `PairNetwork.as_scores`."""
        return outputs.clamp(-1, 1)

    def compare(self, one: Tensor, other: Tensor) -> Tensor:
        """The cosine of two vectors."""
        return (functional.normalize(one) * functional.normalize(other)).sum(dim=1)


class NetworkTraining:
    """The training of a network; see `trainer.Trainable`."""

    def __init__(self, network: PairNetwork, training: ReadPart, options: TrainingSpec) -> None:
        self._network, self._training, self._options = network, training, options
        # Some devices lack double precision and deterministic sums: what is computed there may differ in last digits.
        network.to(options.device)
        with seeded(options.seed), deterministic(options.threads, options.device):
            network.prepare(training)
            self._encoded = network.encode(training.readings)
        parameters = [one for one in network.parameters() if one.requires_grad]
        self._optimiser = torch.optim.Adam(parameters, lr=options.learning_rate)
        self._names = [name for name, one in network.named_parameters() if one.requires_grad]
        self._steps = 0

    def run_epoch(self, batches: Iterator[Integers]) -> float:
        """See `Trainable.run_epoch`.

        Raises:
            InputError: the loss is not a finite number.
        """
        network, training, total = self._network, self._training, 0.0
        network.train()
        device = self._options.device
        with deterministic(self._options.threads, device):
            for rows in batches:
                self._steps += 1
                # A generator for each step, so that a resumed training drops out the same values.
                with seeded(self._options.seed * 1_000_003 + self._steps):
                    self._optimiser.zero_grad()
                    with reduced_precision(device):
                        outputs = network.outputs(self._encoded, training.left[rows], training.right[rows])
                    loss = network.loss(outputs.float(), network.tensor(training.truth[rows].astype(np.float32)))
                    torch.autograd.backward(loss)
                    nn.utils.clip_grad_norm_(network.parameters(), 5.0)
                    self._optimiser.step()
                value = loss.item()
                if not np.isfinite(value):
                    raise diverged(self._steps, value)
                total += value * len(rows)
        return total / len(training.truth)

    def weights(self) -> Weights:
        """See `Trainable.weights`."""
        return self._network.arrays()

    def state(self) -> Weights:
        """See `Trainable.state`."""
        kept: dict[str, Any] = {f"weights/{name}": array for name, array in self.weights().items()}
        for number, one in self._optimiser.state_dict()["state"].items():
            kept |= {f"optimiser/{self._names[number]}/{key}": value.cpu().numpy().copy() for key, value in one.items()}
        return {**kept, "steps": np.array(self._steps)}

    def restore(self, state: Weights) -> None:
        """See `Trainable.restore`."""
        weights = {name.removeprefix("weights/"): a for name, a in state.items() if name.startswith("weights/")}
        self._network.load_arrays(weights)
        found = {
            number: {
                name.rpartition("/")[2]: torch.from_numpy(np.array(array))
                for name, array in state.items()
                if name.rpartition("/")[0] == f"optimiser/{own}"
            }
            for number, own in enumerate(self._names)
        }
        own_state = self._optimiser.state_dict()
        self._optimiser.load_state_dict({**own_state, "state": found})
        self._steps = int(state["steps"])


def segment_max(rows: Tensor, positions: Integers, lengths: Integers) -> Tensor:
    """The largest value in each column, over the rows of each list of positions; no list is empty."""
    gathered = rows.index_select(0, torch.from_numpy(positions).to(rows.device))
    starts = torch.from_numpy(np.concatenate([[0], lengths.cumsum()])).to(rows.device)
    # Segments are reduced in full precision, the only one that all devices have.
    found: Tensor = torch.segment_reduce(gathered.float(), "max", offsets=starts)
    return found


def diverged(step: int, loss: float) -> InputError:
    """The error of a training whose loss is not a finite number."""
    return InputError(
        f"The training diverged: the loss of step {step:,} is {loss}.",
        where="training",
        hint="Lower --rate, or start with another --seed. The epochs before are recorded; nothing else was written.",
    )
