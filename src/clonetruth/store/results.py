"""Results of evaluations, as JSON in a versioned schema (docs/results.md).

A result says what was measured on what, under which policy and setting, every number with its interval, and the
manifest. Packages that produce results and packages that show them share this module. An unknown number is null.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import pyarrow as pa

from clonetruth.errors import UnknownNameError
from clonetruth.model import Manifest
from clonetruth.parsing import parse_json
from clonetruth.store.display import brief, measurement_table
from clonetruth.store.records import RecordFormat, write_text

RESULT_SCHEMA = "clonetruth-result"
RESULT_VERSION = 1


class ResultKind(StrEnum):
    """What the detector reported."""

    LOCATIONS = "locations"
    PAIRS = "pairs"
    RETRIEVAL = "retrieval"


@dataclass(frozen=True)
class Measurement:
    """A number with its interval.

    Attributes:
        name: the metric, as docs/metrics.md defines it ("recall", "f1", "roc-auc").
        value: the number; None if it is undefined.
        low: lower end of the interval; None if there is no interval.
        high: upper end of the interval.
        successes: the numerator, if the number is a share.
        n: the number of pairs (or queries); the denominator, if the number is a share.
        method: how the interval was computed, in words.
        note: what a reader must know about the number: why there is no interval, what it leaves out.
        scope: what the interval holds for ("these 3 functionalities"); None if it holds for others like these too.
    """

    name: str
    value: float | None
    low: float | None = None
    high: float | None = None
    successes: float | None = None
    n: int | None = None
    method: str | None = None
    note: str | None = None
    scope: str | None = None


@dataclass(frozen=True)
class MeasurementGroup:
    """The measurements of one group of pairs in a stratum, or of one detector among others.

    Attributes:
        name: the group or detector.
        measurements: its numbers.
        pairs: number of pairs with a verdict in it.
        clones: number of them that are clones.
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
    groups: tuple[MeasurementGroup, ...]
    note: str | None = None


@dataclass(frozen=True)
class Curve:
    """A curve to plot: "roc", "precision-recall", "reliability"."""

    name: str
    x: str
    y: str
    points: tuple[tuple[float, float], ...]
    note: str | None = None


@dataclass(frozen=True)
class FragmentLocation:
    """A fragment of an example, with its text if the benchmark has it."""

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
        predicted: what the detector predicts.
        score: its score, if any.
        reason: why the pair is shown, or the policy's reason.
        clone_type: the pair's type, if known.
        functionality: the name of its functionality, if known.
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
    """The numbers, corrected for wrong labels.

    Attributes:
        name: the correction.
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
    """The exact identity of a benchmark. Hashes are None without a benchmark folder."""

    name: str
    version: str | None = None
    content_hash: str | None = None
    judgements_hash: str | None = None


@dataclass(frozen=True)
class PolicyUse:
    """The verdicts that counted.

    Attributes:
        name: the policy.
        criterion: what was asked; None if a file of answers does not say.
        counted: number of pairs with a verdict.
        unknown: number of pairs without one; they are left out of every metric.
        assumptions: what must be printed next to the numbers.
    """

    name: str
    criterion: str | None
    counted: int
    unknown: int
    assumptions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Result:
    """The result of evaluating one detector.

    `result["f1"]` is a measurement of the headline.

    Attributes:
        kind: whether the detector reported locations, scored or classified pairs, or ranked fragments for queries.
        detector: its name, as the user gave it.
        benchmark: what it was measured on.
        policy: the verdicts that counted.
        setting: everything else that must be equal for two results to be comparable: matcher, behaviour,
            filters, how the threshold was chosen. Values are JSON scalars.
        headline: the numbers to show first, with intervals.
        manifest: what produced them.
        view: the name of the split, if a view was used.
        part: the part of it that was measured ("test").
        baselines: trivial detectors on the same pairs, with the same metrics.
        strata: the metrics in groups of pairs.
        curves: curves to plot.
        corrections: the numbers, corrected for wrong labels.
        disagreements: the worst ones, with code.
        recall: for locations, the counts by behaviour in BigCloneEval's layout.
        notes: remarks on the headline.
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
    baselines: tuple[MeasurementGroup, ...] = ()
    strata: tuple[Stratum, ...] = ()
    curves: tuple[Curve, ...] = ()
    corrections: tuple[Correction, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    recall: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def measurement(self, name: str) -> Measurement | None:
        """A measurement of the headline by its name; None if there is no such measurement."""
        return next((one for one in self.headline if one.name == name), None)

    def __getitem__(self, metric: str) -> Measurement:
        """A measurement of the headline: `result["f1"]`, `result["roc_auc"]`.

        Raises:
            UnknownMetricError: the headline has no such metric.
        """
        measurement = self.measurement(metric) or self.measurement(metric.replace("_", "-"))
        if measurement is None:
            raise UnknownMetricError.suggest("metric", metric, [one.name for one in self.headline])
        return measurement

    def _ipython_key_completions_(self) -> list[str]:
        return [one.name for one in self.headline]

    def to_arrow(self) -> pa.Table:
        """The headline as a table with one row per metric: metric, value, low, high, n, method."""
        rows = [
            {
                "metric": one.name,
                "value": one.value,
                "low": one.low,
                "high": one.high,
                "n": one.n,
                "method": one.method,
            }
            for one in self.headline
        ]
        return pa.Table.from_pylist(rows, schema=_HEADLINE)

    def to_dict(self) -> dict[str, Any]:
        """The content of the JSON file that `write_result` writes."""
        content: dict[str, Any] = parse_json(result_text(self))
        return content

    def __repr__(self) -> str:
        return brief(f"Result of {self.detector} on {self._measured_on()}, policy {self.policy.name}", self.headline)

    def _repr_html_(self) -> str:
        from clonetruth.html import notebook

        facts = {
            "policy": self.policy.name,
            **({} if self.policy.criterion is None else {"criterion": self.policy.criterion}),
            "pairs": f"{self.policy.counted:,}",
            "unknown": f"{self.policy.unknown:,}",
        }
        return notebook.view(
            f"Result of {self.detector}",
            notebook.facts(facts),
            measurement_table(self.headline),
            *self.policy.assumptions,
            *self.warnings,
            subtitle=self._measured_on(),
        )

    def _measured_on(self) -> str:
        name = f"{self.benchmark.name} {self.benchmark.version}" if self.benchmark.version else self.benchmark.name
        view = ", ".join(one for one in (self.view, self.part) if one)
        return f"{name} ({view})" if view else name


class UnknownMetricError(UnknownNameError, KeyError):
    """A result has no metric of this name."""


_HEADLINE = pa.schema(
    [
        pa.field("metric", pa.string(), nullable=False),
        pa.field("value", pa.float64()),
        pa.field("low", pa.float64()),
        pa.field("high", pa.float64()),
        pa.field("n", pa.int64()),
        pa.field("method", pa.string()),
    ]
)


_FORMAT = RecordFormat(Result, RESULT_SCHEMA, RESULT_VERSION, "result", "`clonetruth evaluate … -o FILE`")


def result_text(result: Result) -> str:
    """A result as JSON text. Infinite numbers and NaN are refused."""
    return _FORMAT.text(result)


def write_result(result: Result, path: str | os.PathLike[str]) -> Path:
    """Write a result atomically.

    Raises:
        InputError: the file cannot be written.
    """
    return write_text(result_text(result), Path(path))


def read_result(path: str | os.PathLike[str]) -> Result:
    """Read a result written by `write_result`.

    Raises:
        InputError: the file is not a result, damaged, or of a newer schema.
    """
    return _FORMAT.read(Path(path))
