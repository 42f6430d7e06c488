"""Results: what an evaluation found, as JSON in a versioned schema (docs/results.md).

A result says what was measured on what, under which policy and setting, every number with its interval, and the
manifest. Rooms that make results and rooms that show them meet here. A number that is not known is null.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from clonetruth.model import Manifest
from clonetruth.store.records import RecordFormat, write_text

RESULT_SCHEMA = "clonetruth-result"
RESULT_VERSION = 1


class ResultKind(StrEnum):
    """What the detector gave."""

    LOCATIONS = "locations"
    PAIRS = "pairs"


@dataclass(frozen=True)
class Measurement:
    """A number, how sure it is, and what it is a share of.

    Attributes:
        name: the metric, as docs/metrics.md defines it ("recall", "f1", "roc-auc").
        value: the number; None where it is undefined.
        low: lower end of the interval; None where none can be given.
        high: upper end of the interval.
        successes: the numerator, where the number is a share.
        n: the pairs (or queries) that it is over; the denominator, where the number is a share.
        method: how the interval was made, in words.
        note: what a reader must know beside the number: why there is no interval, what it leaves out.
    """

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    successes: float | None = None
    n: int | None = None
    method: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class BaselineGroup:
    """One row of a table of measurements: a stratum's group, or a detector among others.

    Attributes:
        name: what the row is of.
        measurements: its numbers.
        pairs: the pairs with a verdict in it.
        clones: those of them that are clones.
        note: what a reader must know.
    """

    name: str
    measurements: tuple[Measurement, ...]
    pairs: int | None = None
    clones: int | None = None
    note: str | None = None


@dataclass(frozen=True)
class Stratum:
    """The same metrics for each group of pairs: by clone type, functionality, language pair …"""

    by: str
    groups: tuple[BaselineGroup, ...]
    note: str | None = None


@dataclass(frozen=True)
class Curve:
    """A curve to draw: "roc", "precision-recall", "reliability"."""

    name: str
    x: str
    y: str
    points: tuple[tuple[float, float], ...]
    note: str | None = None


@dataclass(frozen=True)
class FragmentLocation:
    """A fragment of an example, with its text where the benchmark has it."""

    id: str
    language: str | None = None
    path: str | None = None
    first_line: int | None = None
    last_line: int | None = None
    text: str | None = None


@dataclass(frozen=True)
class Disagreement:
    """A pair on which the detector and the verdict differ.

    Attributes:
        left: the first fragment.
        right: the second fragment.
        verdict: what the policy concludes.
        predicted: what the detector says.
        score: its score, where it has one.
        reason: why the pair is shown, or why the policy concludes so.
        clone_type: the pair's type, where known.
        functionality: the name of its functionality, where known.
    """

    left: FragmentLocation
    right: FragmentLocation
    verdict: str
    predicted: str
    score: float | None = None
    reason: str | None = None
    clone_type: str | None = None
    functionality: str | None = None


@dataclass(frozen=True)
class Correction:
    """What the numbers become when wrong labels are taken into account.

    Attributes:
        name: the way of correcting.
        assumption: what must hold for it, in a sentence.
        measurements: the corrected numbers.
        label_errors: the error rates of the labels that it used.
        note: what a reader must know.
    """

    name: str
    assumption: str
    measurements: tuple[Measurement, ...]
    label_errors: tuple[Measurement, ...] = ()
    note: str | None = None


@dataclass(frozen=True)
class BenchmarkIdentity:
    """Which benchmark, exactly. Hashes are None where there was no benchmark folder."""

    name: str
    version: str | None = None
    content_hash: str | None = None
    judgements_hash: str | None = None


@dataclass(frozen=True)
class PolicyUse:
    """Which verdicts counted.

    Attributes:
        name: the policy.
        criterion: what was asked; None where a file of answers says nothing of it.
        counted: pairs with a verdict that the numbers are over.
        unknown: pairs without one; they are left out of every metric.
        assumptions: what must be printed beside the numbers.
    """

    name: str
    criterion: str | None
    counted: int
    unknown: int
    assumptions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Result:
    """What one evaluation of one detector found.

    Attributes:
        kind: whether the detector reported locations, or scored or decided pairs.
        detector: its name, as the user gave it.
        benchmark: what it was measured on.
        policy: which verdicts counted.
        setting: everything else that must be equal for two results to be comparable: matcher, behaviour,
            filters, how the threshold was chosen. Values are JSON scalars.
        headline: the numbers to show first, with intervals.
        manifest: what produced them.
        view: the split's name, where a view was used.
        part: the part of it that was measured ("test").
        baselines: trivial detectors on the same pairs, with the same metrics.
        strata: the metrics in groups of pairs.
        curves: what to draw.
        corrections: the numbers, corrected for wrong labels.
        disagreements: the worst of them, with code.
        recall: for locations, the counts by behaviour in BigCloneEval's layout.
        notes: what stands beside the headline.
        warnings: what weakens the numbers: few clusters, missing predictions, skipped rows.
    """

    kind: ResultKind
    detector: str
    benchmark: BenchmarkIdentity
    policy: PolicyUse
    setting: Mapping[str, Any]
    headline: tuple[Measurement, ...]
    manifest: Manifest
    view: str | None = None
    part: str | None = None
    baselines: tuple[BaselineGroup, ...] = ()
    strata: tuple[Stratum, ...] = ()
    curves: tuple[Curve, ...] = ()
    corrections: tuple[Correction, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    recall: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def measurement(self, name: str) -> Measurement | None:
        """A number of the headline by its name."""
        return next((one for one in self.headline if one.name == name), None)


_FORMAT = RecordFormat(Result, RESULT_SCHEMA, RESULT_VERSION, "result", "`clonetruth evaluate … -o FILE`")


def result_text(result: Result) -> str:
    """A result as JSON text. Infinite numbers and NaN have no place in it."""
    return _FORMAT.text(result)


def write_result(result: Result, path: str | Path) -> Path:
    """Write a result; the file appears whole or not at all.

    Raises:
        InputError: the place cannot be written to.
    """
    return write_text(result_text(result), Path(path))


def read_result(path: str | Path) -> Result:
    """Read what `write_result` wrote.

    Raises:
        InputError: the file is no result, damaged, or of a later schema.
    """
    return _FORMAT.read(Path(path))
