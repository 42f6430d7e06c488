"""Runs detectors on the pairs of a benchmark: their scores, the curves of scores, and the baselines."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from clonetruth.detectors import (
    DETECTORS,
    Detector,
    find_detector,
    is_command_folder,
    is_detector_name,
    read_command_detector,
    score_sealed,
)
from clonetruth.detectors.encoders.model_files import is_encoder_folder
from clonetruth.detectors.semantic import fragment_hash
from clonetruth.errors import InputError
from clonetruth.evaluate.pairs.decisions import DecisionRule, decide, default_rule, undecided_rule, validated_rule
from clonetruth.evaluate.pairs.options import PairsOptions
from clonetruth.evaluate.pairs.pair_set import PairSubjects
from clonetruth.evaluate.pairs.strata import measured
from clonetruth.model import Manifest
from clonetruth.progress import Progress
from clonetruth.stats.calibration import are_probabilities, reliability
from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.ranking import Steps, precision_recall_curve, roc_curve
from clonetruth.stats.rates import Integers
from clonetruth.store import Benchmark
from clonetruth.store.results import Curve, MeasurementGroup
from clonetruth.training import is_model_folder, load_detector

# Curves: how scores rank pairs, and whether they are calibrated.


def curves(outcomes: Outcomes) -> tuple[Curve, ...]:
    """The ROC and precision-recall curves, and the reliability curve where scores may be probabilities.

    A curve that is not defined, because scores or one class are missing, is left out.
    """
    if outcomes.score is None:
        return ()
    steps = Steps.of(outcomes.score, outcomes.truth)
    candidates = [
        Curve("roc", "false positive rate", "recall", roc_curve(steps)),
        Curve("precision-recall", "recall", "precision", precision_recall_curve(steps)),
    ]
    if are_probabilities(outcomes.score):
        bins = reliability(outcomes.score, outcomes.truth)
        candidates.append(
            Curve(
                "reliability", "mean score", "share of clones", bins.points, "Bins of equal width, empty ones left out."
            )
        )
    return tuple(curve for curve in candidates if curve.points)


# Scores.

_FRAGMENTS_SQL = """
SELECT f.fragment AS fragment, f.language AS language, f.text AS text
FROM fragments f JOIN needed n ON f.fragment = n.fragment
ORDER BY f.fragment
"""
_PARALLEL_FROM = 2_000
"""Below this number of fragments, starting processes takes longer than scoring in this one."""


@dataclass(frozen=True)
class LargestFunctionality:
    """Scores the pairs of one functionality 1: shows how much of a metric a single functionality accounts for.

    It reads functionalities, which detectors never see, and so belongs to the evaluation.
    """

    name: str = "largest-functionality"
    description: str = "1 for pairs of the functionality with the most pairs, 0 for all others."
    default_threshold: float | None = 0.5

    def scores(self, subjects: PairSubjects) -> pa.DoubleArray:
        """Null for pairs without a functionality; ties go to the smallest key."""
        unknown = subjects.cluster < 0
        if unknown.all():
            return pa.nulls(len(subjects), pa.float64())
        values, counts = np.unique(subjects.cluster[~unknown], return_counts=True)
        largest = subjects.cluster == values[counts.argmax()]
        return pa.array(largest.astype(np.float64), mask=unknown)


LARGEST_FUNCTIONALITY = LargestFunctionality()

Scorer = Detector | LargestFunctionality
"""What an evaluation can take scores from."""


def is_scorer(name: str) -> bool:
    """Whether a scorer has this name."""
    return name == LARGEST_FUNCTIONALITY.name or is_detector_name(name)


def is_detector_folder(path: str | os.PathLike[str]) -> bool:
    """Whether a folder holds a trained detector, one that is a program, or an encoder."""
    return is_command_folder(path) or is_model_folder(path) or is_encoder_folder(path)


def scorer(name: str, settings: Mapping[str, str] | None = None) -> Scorer:
    """The scorer of a name, or of a folder that holds a detector.

    Args:
        name: the name, or the folder.
        settings: settings that a family of detectors may have (`families.find_detector`).

    Raises:
        UnknownNameError: there is none.
        InputError: the detector in the folder cannot be read, or there is none in it.
    """
    if name == LARGEST_FUNCTIONALITY.name:
        return LARGEST_FUNCTIONALITY
    if name in DETECTORS:
        return find_detector(name, settings)
    if not is_detector_folder(name):
        if Path(name).is_dir():
            raise InputError(
                "There is no detector in this folder.",
                where=name,
                hint="A program has a detector.toml, a trained detector a model.json, an encoder a tokenizer.json with "
                "a config.json or an ONNX file.",
            )
        return find_detector(name, settings)
    if is_command_folder(name):
        return read_command_detector(name)
    return load_detector(name) if is_model_folder(name) else find_detector(f"encoder:{name}", settings)


def read_fragments(benchmark: Benchmark, keys: Integers) -> pa.Table:
    """The fragments with these keys, with the columns of `detectors.detector.FRAGMENTS`."""
    return benchmark.sql(_FRAGMENTS_SQL, needed=pa.table({"fragment": np.unique(keys)}))


def score_pairs(
    benchmark: Benchmark,
    source: Scorer,
    subjects: PairSubjects,
    *,
    processes: int = 1,
    progress: Progress | None = None,
    warn: Callable[[str], object] | None = None,
) -> PairSubjects:
    """Score pairs. A detector sees their texts and languages only (`detectors.sealed`).

    Args:
        benchmark: the benchmark.
        source: what scores the pairs.
        subjects: the pairs.
        processes: number of worker processes.
        progress: called as the work proceeds.
        warn: called with what a reader of the scores should know.
    """
    if isinstance(source, LargestFunctionality):
        return subjects.scored(source.scores(subjects))
    fragments = read_fragments(benchmark, np.concatenate([subjects.left, subjects.right]))
    workers = processes if fragments.num_rows >= _PARALLEL_FROM else 1
    scores = score_sealed(source, fragments, subjects.left, subjects.right, processes=workers, progress=progress)
    if warn is not None:
        for remark in (scores.warning, *detector_remarks(source, fragments)):
            if remark is not None:
                warn(remark)
    return subjects.scored(scores.values)


def detector_remarks(detector: object, fragments: pa.Table) -> Sequence[str]:
    """What a detector says of how it read fragments (its method `remarks`, if it has one): how many it cut, …"""
    remarks = getattr(detector, "remarks", None)
    return () if remarks is None else tuple(remarks(fragments))


def seen_in_training(detector: object, benchmark: Benchmark, view: str | None, part: str | None) -> str | None:
    """What to warn of where pairs may be among those that a detector was trained on; None where they are not."""
    manifest: Manifest | None = getattr(detector, "manifest", None)
    if manifest is None:
        return None
    # The first benchmark of a training is `benchmark`, a second one `benchmark-2`; their views are named alike.
    inputs = (name for name, digest in manifest.inputs.items() if digest == benchmark.content_hash)
    own = [name.replace("benchmark", "view") for name in inputs if name.partition("-")[0] == "benchmark"]
    if not own or (part not in (None, "train") and any(manifest.configuration.get(one) == view for one in own)):
        return None
    return "The detector was trained on this benchmark: it may have seen these pairs and their labels."


def without_training_fragments(
    benchmark: Benchmark, source: Scorer, subjects: PairSubjects, warn: Callable[[str], object]
) -> PairSubjects:
    """Leave out the pairs with a fragment that a shipped model was trained on, and say how many.

    Args:
        benchmark: the benchmark.
        source: what scores the pairs; its `training_fragments`, if any, are hashes (`semantic.fragment_hash`).
        subjects: the pairs.
        warn: called with the overlap.

    Raises:
        InputError: the model was trained on a fragment of every pair.
    """
    seen: Collection[str] = getattr(source, "training_fragments", ())
    if not seen or not len(subjects):
        return subjects
    fragments = read_fragments(benchmark, np.concatenate([subjects.left, subjects.right]))
    columns = (fragments[name].to_pylist() for name in ("language", "text"))
    known = np.array([fragment_hash(*pair) in seen for pair in zip(*columns, strict=True)], bool)
    if not known.any():
        return subjects
    keys = fragments["fragment"].to_numpy()[known]
    touched = np.isin(subjects.left, keys) | np.isin(subjects.right, keys)
    if touched.all():
        raise InputError(
            f"The model of '{source.name}' was trained on a fragment of every pair.",
            where=benchmark.path,
            hint="Evaluate on other data; of MBXP, on the tasks with odd numbers.",
        )
    warn(
        f"The model of '{source.name}' was trained on {np.count_nonzero(known):,} of {len(known):,} fragments; the "
        f"{np.count_nonzero(touched):,} of {len(touched):,} pairs with one of them are left out."
    )
    return subjects.select(~touched)


def detector_rule(detector: Scorer) -> DecisionRule:
    """How a detector decides by itself: by its default threshold, if it has one."""
    threshold = detector.default_threshold
    return undecided_rule() if threshold is None else default_rule(threshold)


# Baselines.


@dataclass(frozen=True)
class Baselines:
    """Trivial detectors on the pairs of an evaluation: the same metrics, the threshold chosen in the same way.

    Attributes:
        benchmark: the benchmark.
        subjects: the pairs.
        validation: the pairs that thresholds are chosen on; without them, a detector's own default decides.
        metrics: what is measured.
        options: the options of the evaluation.
        progress: called as the work proceeds.
    """

    benchmark: Benchmark
    subjects: PairSubjects
    validation: PairSubjects | None
    metrics: Sequence[str]
    options: PairsOptions
    progress: Progress | None = None

    def group(self, name: str) -> MeasurementGroup:
        """Measure one detector."""
        detector = scorer(name)
        scored = self._scored(detector, self.subjects)
        if np.isnan(scored.score).all():
            return MeasurementGroup(name, (), note=f"{detector.description} It cannot score these pairs.")
        rule = None
        if self.validation is not None:
            rule = validated_rule(self._scored(detector, self.validation), self.options.threshold_metric)
        rule = rule or detector_rule(detector)
        decided = decide(scored, rule)
        notes = [detector.description, rule.sentence]
        if decided.missing:
            notes.append(f"It does not score {decided.missing:,} pairs; they are left out.")
        found = measured(decided.outcomes, self.metrics, self.options.confidence, self.options.seed)
        clones = int(np.count_nonzero(decided.outcomes.truth))
        return MeasurementGroup(name, found, len(decided.outcomes), clones, " ".join(notes))

    def _scored(self, detector: Scorer, subjects: PairSubjects) -> PairSubjects:
        return score_pairs(self.benchmark, detector, subjects, processes=self.options.processes, progress=self.progress)
