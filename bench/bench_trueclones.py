"""All detectors on TrueClones in one table: ``python -m bench.bench_trueclones [--on FOLDER …] [--detector NAME …]``.

Detectors that need no training, no download and no server are measured by default. With two or more --on (draws of
``clonetruth make run trueclones --seed N``), the rank correlation of the ROC AUCs is printed, and every two detectors
whose intervals do not overlap on both but are ordered differently.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Sequence
from pathlib import Path

from scipy.stats import kendalltau

import clonetruth
from bench.measurement import machine
from clonetruth.store.results import Measurement, MeasurementGroup, Result

DETECTORS = (
    "length", "identifier-overlap", "line-similarity", "token-similarity", "exact", "renamed", "tokens", "nearmiss",
    "largegap", "winnowing", "metrics", "ncd", "ngrams", "semantic",
)  # fmt: skip
SHOWN = (
    ("difficulty", "hard"),
    ("stratum", "cross-language"),
    ("stratum", "near-copy"),
    ("stratum", "cross-functionality"),
)


def text(one: Measurement | None) -> str:
    """A number with its interval."""
    if one is None or one.value is None:
        return "–"
    shown = f"{one.value:.3f}"
    return shown if one.low is None or one.high is None else f"{shown} [{one.low:.2f}, {one.high:.2f}]"


def group(result: Result, by: str, name: str) -> MeasurementGroup | None:
    """A group of a card."""
    return next((one for of in result.strata if of.by == by for one in of.groups if one.name == name), None)


def row(result: Result) -> str:
    """A line of the table."""
    cells = [text(result.measurement(name)) for name in ("roc-auc", "matched-accuracy", "f1")]
    for by, name in SHOWN:
        found = group(result, by, name)
        by_name = {one.name: one for one in found.measurements} if found else {}
        cells.append(text(by_name.get("roc-auc") or by_name.get("specificity")))
    return f"| `{result.detector}` | {' | '.join(cells)} |"


def compare(first: Sequence[Result], second: Sequence[Result]) -> None:
    """Print whether two draws order detectors alike."""
    ones, others = ([result["roc-auc"] for result in results] for results in (first, second))
    tau = kendalltau([one.value for one in ones], [one.value for one in others])
    print(f"\nKendall's tau-b of the ROC AUCs: {tau.statistic:.3f} (p = {tau.pvalue:.3f}, {len(first)} detectors)")
    apart = alike = 0
    for a, b in itertools.combinations(range(len(first)), 2):
        pairs = ((ones[a], ones[b]), (others[a], others[b]))
        if all(_apart(one, other) for one, other in pairs):
            apart += 1
            alike += len({(one.value or 0) < (other.value or 0) for one, other in pairs}) == 1
    print(f"{apart} pairs of detectors have intervals that do not overlap on either; {alike} are ordered alike.")


def _apart(one: Measurement, other: Measurement) -> bool:
    known = None not in (one.low, one.high, other.low, other.high)
    return known and ((one.low or 0) > (other.high or 0) or (other.low or 0) > (one.high or 0))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--on", type=Path, action="append", default=[])
    parser.add_argument("--detector", action="append", default=[])
    arguments = parser.parse_args()
    print(f"({machine()})")
    found: list[list[Result]] = []
    for on in arguments.on or [None]:
        results = [clonetruth.benchmark_detector(one, on=on) for one in arguments.detector or DETECTORS]
        identity = results[0].benchmark
        hashed = (identity.content_hash or "")[:12]
        print(f"\n{identity.name} {identity.version}, {hashed}, {results[0].policy.counted} core pairs\n")
        print("| detector | ROC AUC | matched | F1 | hard | across languages | near copies¹ | other functionalities¹ |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- |")
        for result in results:
            print(row(result))
        found.append(results)
    for first, second in itertools.combinations(found, 2):
        compare(first, second)


if __name__ == "__main__":
    main()
