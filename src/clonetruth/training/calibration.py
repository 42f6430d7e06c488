"""Trained detectors whose scores are probabilities, calibrated on functionalities that a model has not seen.

The scores that a model gives to functionalities of its own training are too good, and so would be what is learned from
them. So the functionalities of the training part are divided into folds; the pairs within each fold are scored by a
model that was trained on the others; and a curve from scores to probabilities is fitted to all of these scores
(`stats.score_calibration`). The detector itself is trained on all pairs. This works for every learner, since only its
scores are used.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.budgets import read_text
from clonetruth.detectors.detector import side_rows
from clonetruth.detectors.sealed import score_sealed
from clonetruth.errors import InputError
from clonetruth.model import Manifest
from clonetruth.parsing import parse_json
from clonetruth.progress import Progress
from clonetruth.stats.calibration import reliability
from clonetruth.stats.rates import Bools, Floats, Integers
from clonetruth.stats.score_calibration import Method, ScoreCalibration, fit_calibration, threshold_at_prior
from clonetruth.store.atomic import new_folder
from clonetruth.training.learner import Epoch, Learner, TrainedDetector, TrainingSpec, train_with_functionalities

CALIBRATION = "calibration.json"
_FORMAT = 1
_WHOLE = "whole"
_COUNTS = ("folds", "functionalities", "pairs", "clones")
_LEAST_PAIRS = 20
"""Clones, and others, that a curve is fitted to, at least."""


@dataclass(frozen=True)
class CalibrationRecord:
    """How a detector was calibrated.

    Attributes:
        curve: from scores to probabilities.
        threshold: the lowest probability of a clone: the best F1 at the prior on the held-out pairs.
        folds: number of models that were trained for it.
        functionalities: number of functionalities that were held out.
        pairs: number of scored pairs within held-out functionalities.
        clones: how many of them are clones.
        brier: mean squared difference of probability and truth at the prior, on these pairs.
        calibration_error: expected calibration error at the prior, on these pairs.
    """

    curve: ScoreCalibration
    threshold: float
    folds: int
    functionalities: int
    pairs: int
    clones: int
    brier: float
    calibration_error: float

    def in_words(self) -> str:
        """On what the threshold was chosen, for which share of clones."""
        return (
            f"the best F1 for {self.curve.prior:.3g} clones among all pairs (prior), on {self.pairs:,} pairs of "
            f"{self.functionalities:,} held-out functionalities of the train part, scores calibrated by "
            f"{self.curve.method}"
        )


@dataclass(frozen=True, eq=False)
class CalibratedDetector:
    """A trained detector whose scores are probabilities at a stated share of clones.

    Attributes:
        inner: the detector.
        record: how its scores become probabilities.
        decides_itself: its threshold belongs to its probabilities; the valid part cannot choose another one for the
            prior.
    """

    inner: TrainedDetector
    record: CalibrationRecord
    decides_itself: bool = field(default=True, init=False)

    @property
    def name(self) -> str:
        """See `Detector`."""
        return self.inner.name

    @property
    def description(self) -> str:
        """See `Detector`."""
        return self.inner.description

    @property
    def default_threshold(self) -> float:
        """See `Detector`."""
        return self.record.threshold

    @property
    def threshold_origin(self) -> str:
        """On what the threshold was chosen."""
        return self.record.in_words()

    @property
    def history(self) -> Sequence[Epoch]:
        """See `TrainedDetector.history`."""
        return self.inner.history

    @property
    def options(self) -> TrainingSpec:
        """See `TrainedDetector.options`."""
        return self.inner.options

    @property
    def manifest(self) -> Manifest | None:
        """See `TrainedDetector.manifest`."""
        return self.inner.manifest

    @property
    def weights(self) -> Mapping[str, Any] | None:
        """The weights of the detector, if it tells them."""
        found: Mapping[str, Any] | None = getattr(self.inner, "weights", None)
        return found

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        """See `Detector.score`: a probability where the detector has a score."""
        found = self.inner.score(fragments, pairs, processes=processes, progress=progress)
        values = self.record.curve.probabilities(_numbers(found))
        return pa.array(values, pa.float64(), mask=np.isnan(values))

    def remarks(self, fragments: pa.Table) -> tuple[str, ...]:
        """What the detector says of how it read fragments."""
        own = getattr(self.inner, "remarks", None)
        return () if own is None else tuple(own(fragments))

    def with_manifest(self, manifest: Manifest) -> CalibratedDetector:
        """See `TrainedDetector.with_manifest`."""
        return replace(self, inner=self.inner.with_manifest(manifest))

    def save(self, folder: str | os.PathLike[str], manifest: Manifest | None = None) -> None:
        """See `TrainedDetector.save`. The folder appears with its calibration, or not at all."""
        facts = {"format": _FORMAT, **asdict(self.record), "threshold_from": self.record.in_words()}
        with new_folder(Path(folder)) as new:
            self.inner.save(new / _WHOLE, manifest)
            for path in sorted((new / _WHOLE).iterdir()):
                path.rename(new / path.name)
            (new / _WHOLE).rmdir()
            (new / CALIBRATION).write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


def with_calibration(detector: TrainedDetector, folder: Path) -> TrainedDetector:
    """A detector that was loaded from a folder, with the calibration that the folder has, if any.

    Raises:
        InputError: the calibration is damaged, or of a newer version.
    """
    path = folder / CALIBRATION
    if not path.exists():
        return detector
    try:
        facts = parse_json(read_text(path))
        newer = facts["format"] > _FORMAT
        record = None if newer else _record(facts)
    except (InputError, KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        hint = "Train the detector again."
        raise InputError(f"The calibration is damaged: {error}", where=path, hint=hint) from error
    if record is None:
        raise InputError(
            f"The calibration has format {facts['format']}; this version reads formats up to {_FORMAT}.",
            where=path,
            hint="Install a newer clonetruth.",
        )
    return CalibratedDetector(detector, record)


def _record(facts: Mapping[str, Any]) -> CalibrationRecord:
    curve = facts["curve"]
    points = (tuple(float(one) for one in curve[name]) for name in ("scores", "log_ratios"))
    folds, functionalities, pairs, clones = (int(facts[name]) for name in _COUNTS)
    threshold, brier, distance = (float(facts[name]) for name in ("threshold", "brier", "calibration_error"))
    if not 0 <= threshold <= 1:
        raise ValueError(f"the threshold {threshold} is not a probability")
    chosen = ScoreCalibration(curve["method"], curve["prior"], *points)
    return CalibrationRecord(chosen, threshold, folds, functionalities, pairs, clones, brier, distance)


@dataclass(frozen=True, eq=False)
class CalibrationData:
    """Labelled pairs, and the functionality of each fragment.

    Attributes:
        fragments: the fragments.
        train: the training pairs.
        valid: the validation pairs.
        groups: the functionality of each fragment, by row; a separate number for a fragment of which none is known.
    """

    fragments: pa.Table
    train: pa.Table
    valid: pa.Table
    groups: Integers

    def folds(self, number: int, seed: int) -> list[Bools]:
        """Which fragments each fold holds out: functionalities are dealt so that clone pairs are spread evenly."""
        left, _ = side_rows(self.fragments, self.train)
        clones = np.bincount(self.groups[left], self.train["clone"].to_numpy(), int(self.groups.max()) + 1)
        shuffled = np.random.default_rng([seed, 29]).permutation(len(clones))
        order = shuffled[np.argsort(-clones[shuffled], kind="stable")]
        load, fold = np.zeros((number, 2)), np.zeros(len(clones), np.int64)
        for group in order.tolist():
            at = int(np.lexsort([load[:, 1], load[:, 0]])[0])
            fold[group] = at
            load[at] += clones[group], 1
        return [fold[self.groups] == at for at in range(number)]

    def outside(self, pairs: pa.Table, held: Bools) -> pa.Table:
        """The pairs without a fragment of what is held out."""
        left, right = side_rows(self.fragments, pairs)
        return pairs.filter(pa.array(~held[left] & ~held[right]))

    def inside(self, held: Bools) -> pa.Table:
        """The training pairs within what is held out."""
        left, right = side_rows(self.fragments, self.train)
        return self.train.filter(pa.array(held[left] & held[right]))


def functionality_groups(fragments: int, left: Integers, right: Integers, same: Bools) -> Integers:
    """Number the functionalities of fragments: those that pairs with `same` connect, directly or through others."""
    above = list(range(fragments))

    def top(one: int) -> int:
        while above[one] != one:
            above[one] = one = above[above[one]]
        return one

    for a, b in zip(left[same].tolist(), right[same].tolist(), strict=True):
        above[top(a)] = top(b)
    return np.unique([top(one) for one in range(fragments)], return_inverse=True)[1].astype(np.int64)


def calibrated(
    learner: Learner,
    trained: TrainedDetector,
    data: CalibrationData,
    options: TrainingSpec,
    progress: Progress | None = None,
) -> CalibratedDetector:
    """Calibrate a detector by its scores on functionalities that were held out of models trained alike.

    Args:
        learner: its learner.
        trained: the detector, trained on all pairs.
        data: the pairs that it was trained on.
        options: how it was trained; `calibrate`, `prior` and `calibration_folds` say how to calibrate.
        progress: receives progress reports.

    Raises:
        InputError: there are too few functionalities, or too few pairs within them.
    """
    scores, truth, used = list[Floats](), list[Bools](), list[int]()
    for number, held in enumerate(data.folds(options.calibration_folds, options.seed)):
        train, inside = data.outside(data.train, held), data.inside(held)
        valid = data.outside(data.valid, held)
        # A valid part of other functionalities stays whole; else it may lack clones without those held out.
        valid = valid if _has_both(valid) else train
        if not _has_both(train) or not inside.num_rows:
            continue
        folder = None if options.folder is None else options.folder / f"calibration-{number}"
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        own = replace(options, folder=folder)
        model = train_with_functionalities(learner, data.fragments, (train, valid), own, data.groups, progress)
        sides = (inside[side].to_numpy() for side in ("left", "right"))
        scores.append(_numbers(score_sealed(model, data.fragments, *sides, processes=options.processes).values))
        truth.append(inside["clone"].to_numpy())
        used.append(len(np.unique(data.groups[np.concatenate(side_rows(data.fragments, inside))])))
    found, clone = np.concatenate([np.zeros(0), *scores]), np.concatenate([np.zeros(0, bool), *truth])
    known = ~np.isnan(found)
    counts = int(np.count_nonzero(clone & known)), int(np.count_nonzero(~clone & known))
    if min(counts) < _LEAST_PAIRS:
        raise InputError(
            f"Too few pairs within held-out functionalities to calibrate: {counts[0]:,} clones and {counts[1]:,} "
            f"others, {_LEAST_PAIRS} of each are needed.",
            where="calibrate",
            hint="Give training pairs of more functionalities, or a smaller --calibration-folds.",
        )
    prior = float(data.train["clone"].to_numpy().mean()) if options.prior is None else options.prior
    curve = fit_calibration(_method(options), found, clone, prior)
    probabilities = curve.probabilities(found)
    chosen = threshold_at_prior(probabilities, clone, prior)
    weights = np.where(clone, prior / counts[0], (1 - prior) / counts[1])[known]
    shown, right = probabilities[known], clone[known]
    record = CalibrationRecord(
        curve,
        chosen.value,
        len(scores),
        sum(used),
        len(shown),
        counts[0],
        float(weights @ (shown - right) ** 2),
        reliability(shown, right, weights).ece or 0.0,
    )
    return CalibratedDetector(trained, record)


def _method(options: TrainingSpec) -> Method:
    return "isotonic" if options.calibrate == "isotonic" else "platt"


def _has_both(pairs: pa.Table) -> bool:
    return bool(0 < (pc.sum(pairs["clone"]).as_py() or 0) < pairs.num_rows)


def _numbers(scores: pa.DoubleArray) -> npt.NDArray[np.float64]:
    found: npt.NDArray[np.float64] = pc.fill_null(scores, np.nan).to_numpy(zero_copy_only=False)
    return found
