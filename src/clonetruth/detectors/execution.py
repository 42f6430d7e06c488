"""The detector `execution`: runs each fragment once on generic inputs, and scores agreement on rare outputs.

An output is rare if the fragment itself gives it for few of its inputs: a function that returns 0 for everything agrees
with nobody on anything rare. An input counts where both fragments give an output: generic inputs know nothing of what a
function is made for, and that one fragment refuses a list of texts while its clone returns something says nothing. The
score of a pair depends on its two fragments only; a fusion that knows a corpus can
weigh the digests of `execution_fingerprints` by their frequency there.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from clonetruth.detectors.detector import score_array, side_rows
from clonetruth.execution.fingerprints import behaviour_fingerprints
from clonetruth.execution.output_digests import OutputFingerprint
from clonetruth.progress import Progress

_JOINT = 3
"""Inputs that must give an output on both sides."""


@dataclass(frozen=True)
class ExecutionAgreement:
    """Agreement on rare outputs of generic inputs, in any languages that have a harness."""

    name: str = "execution"
    description: str = (
        "Weight of the inputs that give both fragments the same output ÷ weight of those that give both one, rare "
        "outputs first."
    )
    default_threshold: float | None = 0.9

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        """See `Detector.score`. Null where a fragment does not run, the two take different numbers of arguments, or
        fewer than three inputs give an output on both sides: nothing is known then.

        Raises:
            MissingExtraError: the sandbox is not complete.
        """
        left, right = side_rows(fragments, pairs)
        prints = execution_fingerprints(fragments, processes=processes, progress=progress)
        weights = [_weights(one) for one in prints]
        known: dict[tuple[int, int], float | None] = {}
        scores = np.zeros(len(left))
        is_known = np.zeros(len(left), dtype=bool)
        for row, (one, other) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
            key = (min(one, other), max(one, other))
            if key not in known:
                known[key] = _agreement(prints[key[0]], weights[key[0]], prints[key[1]], weights[key[1]])
            value = known[key]
            if value is not None:
                scores[row], is_known[row] = value, True
        return score_array(scores, is_known)


def execution_fingerprints(
    fragments: pa.Table, *, processes: int = 1, progress: Progress | None = None
) -> list[OutputFingerprint]:
    """What each fragment gives for generic inputs, as digests; for fusion with other features.

    Args:
        fragments: the columns of `FRAGMENTS`.
        processes: the number of worker processes, each with its own sandbox.
        progress: receives progress reports.

    Raises:
        MissingExtraError: the sandbox is not complete.
    """
    rows = list(zip(fragments["language"].to_pylist(), fragments["text"].to_pylist(), strict=True))
    return behaviour_fingerprints(rows, processes=processes, progress=progress)


def _weights(found: OutputFingerprint) -> dict[str, float]:
    """How rare each output of a fragment is among its own: 0 if all inputs give it."""
    counts = Counter(one for one in found.outputs if one is not None)
    return {one: math.log(found.normal / count) for one, count in counts.items()}


def _agreement(
    one: OutputFingerprint, weights: dict[str, float], other: OutputFingerprint, other_weights: dict[str, float]
) -> float | None:
    if one.inputs != other.inputs or not one.inputs:
        return None
    joint, agreeing, total = 0, 0.0, 0.0
    for a, b in zip(one.outputs, other.outputs, strict=True):
        if a is not None and b is not None:
            weight = weights[a] + other_weights[b]
            joint += 1
            agreeing += weight if a == b else 0.0
            total += weight
    return agreeing / total if joint >= _JOINT and total else None


EXECUTION = ExecutionAgreement()
