"""The way from first weights to the best ones: epochs, validation, early stopping, and a record to continue from."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from clonetruth.errors import InputError
from clonetruth.progress import Progress, no_progress
from clonetruth.store.atomic import new_file
from clonetruth.training.learner import Epoch, TrainingOptions

Booleans = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Weights = Mapping[str, npt.NDArray[Any]]
"""Arrays by name."""

RECORD = "training.npz"
"""The file that a training is recorded in."""
_EPOCHS, _LESSON, _STATE, _BEST = "epochs", "lesson", "state/", "best/"
_NO_INFLUENCE = {"epochs", "patience", "threshold"}
"""Options without influence on what an epoch does: a training may be continued with others."""


class Trainable(Protocol):
    """What is trained: weights, and a way to move them."""

    def study(self, batches: Iterator[Integers]) -> float:
        """Move the weights once for each batch (rows of the training pairs); the mean loss over all pairs."""
        ...

    def weights(self) -> Weights:
        """A copy of the weights."""
        ...

    def state(self) -> Weights:
        """All that is needed to go on: the weights, and what the optimiser remembers."""
        ...

    def restore(self, state: Weights) -> None:
        """Go on from a state."""
        ...


@dataclass(frozen=True)
class TrainingRun:
    """What a training came to: the weights of the best epoch, and all epochs."""

    weights: Weights
    history: tuple[Epoch, ...]

    @property
    def best(self) -> Epoch:
        """The epoch that the weights are of: the first of those with the highest F1."""
        return self.history[_best(self.history)]


@dataclass(frozen=True)
class Trainer:
    """Trains a pupil.

    Attributes:
        pairs: how many training pairs there are.
        exam: the scores of the validation pairs with given weights.
        truth: whether the validation pairs are clones.
        lesson: what is learned, as a digest: a record of another lesson is not continued.
        options: how.
    """

    pairs: int
    exam: Callable[[Weights], Floats]
    truth: Booleans
    lesson: str
    options: TrainingOptions

    def teach(self, pupil: Trainable, progress: Progress | None = None) -> TrainingRun:
        """Train until the end, from the start or from where an earlier run came to.

        Raises:
            InputError: the folder holds the record of another training or a damaged one, or cannot be written to.
        """
        report = progress or no_progress
        schooled = self._continued(pupil) or TrainingRun(pupil.weights(), ())
        history, total = schooled.history, self.options.epochs * self.pairs
        report("Training", len(history) * self.pairs, total)
        while len(history) < self.options.epochs and not has_fallen(history, self.options.patience):
            loss = pupil.study(self._batches(len(history), lambda done: report("Training", done, total)))
            weights = pupil.weights()
            threshold, f1 = best_threshold(self.exam(weights), self.truth)
            history = (*history, Epoch(loss, f1, threshold))
            is_best = _best(history) == len(history) - 1
            schooled = TrainingRun(weights if is_best else schooled.weights, history)
            self._record(pupil, schooled)
        return schooled

    def _batches(self, epoch: int, report: Callable[[int], None]) -> Iterator[Integers]:
        # The order depends on the number of the epoch and on nothing before it, so that any epoch can be repeated.
        # Number 0 is the first weights'.
        order = np.random.default_rng([self.options.seed, epoch + 1]).permutation(self.pairs)
        size = self.options.batch_of(self.pairs)
        for start in range(0, self.pairs, size):
            batch = order[start : start + size]
            yield batch
            report(len(batch))

    def _record(self, pupil: Trainable, schooled: TrainingRun) -> None:
        if self.options.folder is None:
            return
        arrays: dict[str, Any] = {
            _LESSON: np.array(self.lesson),
            _EPOCHS: np.array(json.dumps([dataclasses.asdict(epoch) for epoch in schooled.history])),
            **{_STATE + name: array for name, array in pupil.state().items()},
            **{_BEST + name: array for name, array in schooled.weights.items()},
        }
        path = self.options.folder / RECORD
        try:
            with new_file(path) as temporary, temporary.open("wb") as file:
                np.savez(file, allow_pickle=False, **arrays)
        except OSError as error:
            raise InputError(
                f"The training cannot be recorded: {error}",
                where=path,
                hint="Make room or choose another folder; what was recorded before is still there to continue from.",
            ) from error

    def _continued(self, pupil: Trainable) -> TrainingRun | None:
        if self.options.folder is None or not (path := self.options.folder / RECORD).exists():
            return None
        arrays = read_arrays(path)
        if str(arrays.get(_LESSON)) != self.lesson:
            raise InputError(
                "The folder holds the record of another training: of other pairs, code or options.",
                where=path,
                hint="Choose another folder, or remove the record.",
            )
        pupil.restore(_within(arrays, _STATE))
        return TrainingRun(_within(arrays, _BEST), tuple(Epoch(**epoch) for epoch in json.loads(str(arrays[_EPOCHS]))))


def lesson_digest(name: str, options: TrainingOptions, *arrays: npt.NDArray[Any]) -> str:
    """What is learned, as a digest: by whom, the options that have an influence, and the data."""
    influential = {key: value for key, value in options.settings().items() if key not in _NO_INFLUENCE}
    digest = hashlib.sha256(json.dumps([name, influential], sort_keys=True).encode())
    for array in arrays:
        digest.update(f"{array.dtype} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.hexdigest()


def has_fallen(history: Sequence[Epoch], times: int) -> bool:
    """Whether each of the last so many epochs had a lower F1 than the one before it."""
    last = [epoch.f1 for epoch in history[-times - 1 :]]
    return len(last) > times and all(after < before for before, after in pairwise(last))


def best_threshold(scores: Floats, truth: Booleans) -> tuple[float, float]:
    """The threshold with the highest F1 (the lowest of equally good ones), in the middle of two scores, and that F1.

    Args:
        scores: larger is more alike; NaN for pairs that cannot be scored, which are never reported. Some can.
        truth: whether the pairs are clones; some are.
    """
    known = ~np.isnan(scores)
    values, place = np.unique(scores[known], return_inverse=True)
    clones = np.bincount(place, truth[known], len(values))[::-1].cumsum()
    reported = np.bincount(place, minlength=len(values))[::-1].cumsum()
    f1 = (2 * clones / (reported + np.count_nonzero(truth)))[::-1]
    best = int(np.argmax(f1))
    below = values[best - 1] if best else values[best]
    middle = below / 2 + values[best] / 2
    return float(middle if middle > below else values[best]), float(f1[best])


def read_arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    """The arrays of a file.

    Raises:
        InputError: the file cannot be read.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except (OSError, ValueError, EOFError, KeyError, BadZipFile) as error:
        raise InputError(f"The file is damaged: {error}", where=path, hint="Remove it, and train again.") from error


def _best(history: Sequence[Epoch]) -> int:
    return max(range(len(history)), key=lambda number: history[number].f1)


def _within(arrays: Weights, prefix: str) -> Weights:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
