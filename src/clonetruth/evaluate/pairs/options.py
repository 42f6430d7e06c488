"""The options of an evaluation of pairs; results record them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from clonetruth.errors import InputError
from clonetruth.parsing import finite_number
from clonetruth.splits import Sampling
from clonetruth.stats.rates import RATES

BASELINES = ("always-yes", "largest-functionality", "identifier-overlap", "length")
"""Scorers that know nothing of meaning: a detector that does not beat these has shown nothing."""


class Missing(StrEnum):
    """What happens to a pair with a verdict but without a prediction."""

    EXCLUDE = "exclude"
    NOT_CLONE = "not-clone"
    REFUSE = "refuse"


@dataclass(frozen=True)
class PairsOptions:
    """The options of an evaluation of pairs.

    Raises:
        InputError: a number is outside its range, or there is no such metric.

    Attributes:
        policy: how judgements become verdicts; a name in `verdicts.POLICIES`.
        criterion: what the judges were asked (default: the policy's criterion, or else the card's).
        part: the part that is measured, "test" for example (default: all pairs).
        view: the split that the part belongs to (default: the parts that the source claims).
        missing: what happens to pairs without a prediction.
        threshold: the score from which a pair counts as a clone. By default it is chosen on the validation part of the
            same view, where a part is measured and scores are given.
        threshold_metric: the metric that a threshold is chosen for.
        confidence: confidence level of the intervals.
        seed: random seed of the intervals.
        baselines: the names of the detectors that are measured for comparison (`detector_scores.scorer`).
        processes: number of worker processes.
        sampling: for a benchmark that stores no pairs and without a view, which pairs are drawn (`test_pairs` of them).
        all_pairs: the same, but all pairs.
    """

    policy: str = "default"
    criterion: str | None = None
    part: str | None = None
    view: str | None = None
    missing: Missing = Missing.EXCLUDE
    threshold: float | None = None
    threshold_metric: str = "f1"
    confidence: float = 0.95
    seed: int = 0
    baselines: tuple[str, ...] = BASELINES
    processes: int = 1
    sampling: Sampling = field(default_factory=Sampling)
    all_pairs: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.confidence < 1:
            raise InputError(f"A confidence of {self.confidence:g} is not between 0 and 1.")
        if self.threshold is not None and finite_number(self.threshold) is None:
            raise InputError("The threshold is not a finite number.")
        if self.threshold_metric not in RATES:
            raise InputError(
                f"A threshold cannot be chosen for '{self.threshold_metric}'.", hint=f"Known: {', '.join(RATES)}."
            )
