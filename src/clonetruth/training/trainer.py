"""The training loop: epochs, validation, early stopping, and a record to resume from."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from clonetruth.errors import InputError
from clonetruth.formats.arrays import read_arrays
from clonetruth.parsing import parse_json
from clonetruth.progress import Progress, no_progress
from clonetruth.store.atomic import new_file
from clonetruth.training.learner import Epoch, TrainingSpec

Booleans = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Weights = Mapping[str, npt.NDArray[Any]]
"""Arrays by name."""

RECORD = "training.npz"
"""The file in which a training is recorded."""
_EPOCHS, _DIGEST, _STATE, _BEST = "epochs", "lesson", "state/", "best/"
"""The names, or prefixes of names, of the arrays in the record."""
_NO_INFLUENCE = {"epochs", "patience", "threshold", "preset", "calibrate", "prior", "calibration_folds"}
"""Options that do not affect an epoch: a training may be resumed with other values."""


class Trainable(Protocol):
    """A model that can be trained."""

    def run_epoch(self, batches: Iterator[Integers]) -> float:
        """Update the weights once per batch (rows of the training pairs); return the mean loss over all pairs."""
        ...

    def weights(self) -> Weights:
        """A copy of the weights."""
        ...

    def state(self) -> Weights:
        """All that is needed to resume: the weights and the state of the optimiser."""
        ...

    def restore(self, state: Weights) -> None:
        """Resume from a state."""
        ...


@dataclass(frozen=True)
class TrainingRun:
    """The result of a training: the weights of the best epoch, and the history of all epochs."""

    weights: Weights
    history: tuple[Epoch, ...]

    @property
    def best(self) -> Epoch:
        """The epoch of the weights: the first one with the highest F1."""
        return self.history[_best(self.history)]


@dataclass(frozen=True)
class Trainer:
    """Trains a model.

    Attributes:
        pairs: the number of training pairs.
        validation_scores: scores the validation pairs with given weights.
        validation_truth: whether each validation pair is a clone.
        digest: identifies data and options; the record of a training with another digest is not resumed.
        options: the training options.
        stops_early: whether training ends when F1 keeps falling; otherwise all epochs are run.
    """

    pairs: int
    validation_scores: Callable[[Weights], Floats]
    validation_truth: Booleans
    digest: str
    options: TrainingSpec
    stops_early: bool = True

    def fit(self, model: Trainable, progress: Progress | None = None) -> TrainingRun:
        """Train to the end, from the start or from the last recorded epoch.

        Raises:
            InputError: the folder holds a damaged record or that of another training, or is not writable.
        """
        report = progress or no_progress
        run = self._resume(model) or TrainingRun(model.weights(), ())
        history, total = run.history, self.options.epochs * self.pairs
        report("Training", len(history) * self.pairs, total)
        while len(history) < self.options.epochs and not (
            self.stops_early and f1_has_fallen(history, self.options.patience)
        ):
            loss = model.run_epoch(self._batches(len(history), lambda done: report("Training", done, total)))
            if not math.isfinite(loss):
                raise InputError(
                    f"The training diverged: the loss of epoch {len(history) + 1} is {loss}.",
                    where="training",
                    hint="Lower --rate. The epochs before are recorded.",
                )
            weights = model.weights()
            # The last step of an epoch may be the one that diverges, after its loss was computed.
            if not all(np.isfinite(array).all() for array in weights.values()):
                raise InputError(
                    f"The training diverged: the weights of epoch {len(history) + 1} are not finite numbers.",
                    where="training",
                    hint="Lower --rate. The epochs before are recorded.",
                )
            scores = self.validation_scores(weights)
            threshold, f1 = best_threshold(scores, self.validation_truth)
            history = (*history, Epoch(loss, f1, threshold, len(np.unique(scores[~np.isnan(scores)]))))
            is_best = _best(history) == len(history) - 1
            run = TrainingRun(weights if is_best else run.weights, history)
            self._record(model, run)
        return run

    def _batches(self, epoch: int, report: Callable[[int], None]) -> Iterator[Integers]:
        # The order depends only on the seed and the number of the epoch, so that any epoch can be repeated. Number 0 is
        # taken by the initial weights.
        order = np.random.default_rng([self.options.seed, epoch + 1]).permutation(self.pairs)
        size = self.options.batch_size(self.pairs)
        for start in range(0, self.pairs, size):
            batch = order[start : start + size]
            yield batch
            report(len(batch))

    def _record(self, model: Trainable, run: TrainingRun) -> None:
        if self.options.folder is None:
            return
        arrays: dict[str, Any] = {
            _DIGEST: np.array(self.digest),
            _EPOCHS: np.array(json.dumps([dataclasses.asdict(epoch) for epoch in run.history])),
            **{_STATE + name: array for name, array in model.state().items()},
            **{_BEST + name: array for name, array in run.weights.items()},
        }
        path = self.options.folder / RECORD
        try:
            with new_file(path) as temporary, temporary.open("wb") as file:
                np.savez(file, allow_pickle=False, **arrays)
        except OSError as error:
            raise InputError(
                f"The training cannot be recorded: {error}",
                where=path,
                hint="Free disk space or choose another folder; you can resume from the last recorded epoch.",
            ) from error

    def _resume(self, model: Trainable) -> TrainingRun | None:
        if self.options.folder is None or not (path := self.options.folder / RECORD).exists():
            return None
        arrays = read_arrays(path)
        if str(arrays.get(_DIGEST)) != self.digest:
            raise InputError(
                "The folder holds the record of another training, with other pairs, code or options.",
                where=path,
                hint="Choose another folder, or delete the record.",
            )
        model.restore(_within(arrays, _STATE))
        return TrainingRun(_within(arrays, _BEST), tuple(Epoch(**epoch) for epoch in parse_json(str(arrays[_EPOCHS]))))


def training_digest(name: str, options: TrainingSpec, *arrays: npt.NDArray[Any]) -> str:
    """A digest of what determines a training: the learner, the options that affect an epoch, and the data."""
    influential = {key: value for key, value in options.settings().items() if key not in _NO_INFLUENCE}
    digest = hashlib.sha256(json.dumps([name, influential], sort_keys=True).encode())
    for array in arrays:
        digest.update(f"{array.dtype} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def f1_has_fallen(history: Sequence[Epoch], times: int) -> bool:
    """Whether F1 fell in each of the last `times` epochs."""
    last = [epoch.f1 for epoch in history[-times - 1 :]]
    return len(last) > times and all(after < before for before, after in pairwise(last))


def best_threshold(scores: Floats, truth: Booleans) -> tuple[float, float]:
    """The threshold with the highest F1, and that F1.

    The threshold lies halfway between two scores; ties go to the lowest threshold.

    Args:
        scores: larger means more similar; NaN for pairs without a score, which never count as clones. At least one is
            not NaN.
        truth: whether each pair is a clone; at least one is.
    """
    known = ~np.isnan(scores)
    values, position = np.unique(scores[known], return_inverse=True)
    clones = np.bincount(position, truth[known], len(values))[::-1].cumsum()
    reported = np.bincount(position, minlength=len(values))[::-1].cumsum()
    f1 = (2 * clones / (reported + np.count_nonzero(truth)))[::-1]
    best = int(np.argmax(f1))
    below = values[best - 1] if best else values[best]
    middle = below / 2 + values[best] / 2
    return float(middle if middle > below else values[best]), float(f1[best])


def _best(history: Sequence[Epoch]) -> int:
    return max(range(len(history)), key=lambda number: history[number].f1)


def _within(arrays: Weights, prefix: str) -> Weights:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
