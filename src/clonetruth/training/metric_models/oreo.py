"""`oreo`: 24 metrics, a size filter and an action filter, after Saini et al. (“Oreo: Detection of Clones in the
Twilight Zone”, ESEC/FSE 2018). `docs/paper-models.md` says what the paper leaves open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from clonetruth.code import Language
from clonetruth.code.metrics import OREO as METRICS
from clonetruth.detectors import DETECTORS
from clonetruth.detectors.sealed import ask_detector
from clonetruth.errors import InputError
from clonetruth.options.declaration import option
from clonetruth.training.learner import LABELLED_PAIRS
from clonetruth.training.metric_models.filter_options import FilterOptions
from clonetruth.training.metric_models.measured import MeasuredFragment, measure, no_words
from clonetruth.training.neural import NetworkLearner

if TYPE_CHECKING:
    from clonetruth.training.metric_models.network import MetricNetwork


@dataclass(frozen=True, kw_only=True)
class OreoOptions(FilterOptions):
    """The options of `oreo`."""

    teacher: str | None = option(
        None, help="A detector that labels the training pairs instead of the verdicts, for example tokens."
    )


def _extract(text: str, language: Language, *, own: OreoOptions) -> MeasuredFragment | None:
    return measure(text, language, METRICS)


def _relabel(fragments: pa.Table, train: pa.Table, own: OreoOptions) -> pa.Table:
    """Training pairs with the teacher's labels; those that it cannot score are left out."""
    if own.teacher is None:
        return train
    teacher = DETECTORS[own.teacher]
    if teacher.default_threshold is None:
        raise InputError(f"The detector '{own.teacher}' has no threshold, so it cannot be a teacher.", where="teacher")
    left, right = (train[side].to_numpy() for side in ("left", "right"))
    scores = ask_detector(teacher, fragments, left, right)
    labels = scores >= teacher.default_threshold
    known = np.isfinite(scores)
    if not labels[known].any() or labels[known].all():
        raise InputError(
            f"The detector '{own.teacher}' calls {'all' if labels[known].any() else 'none'} of the training pairs "
            "clones, so nothing can be learned from it.",
            where="teacher",
            hint="Choose another teacher, or more training pairs.",
        )
    columns = [train[name].to_numpy() for name in ("pair", "left", "right")]
    return pa.table([*(one[known] for one in columns), labels[known]], schema=LABELLED_PAIRS)


def _load_network() -> Callable[[tuple[str, ...], Any], MetricNetwork]:
    from clonetruth.training.metric_models.network import MetricNetwork

    return lambda words, own: MetricNetwork(len(METRICS), own)


OREO = NetworkLearner(
    "oreo",
    "A siamese network over 24 metrics of pairs with similar size and calls (Saini et al.'s Oreo), trained here.",
    options_type=OreoOptions,
    extract=_extract,
    words=no_words,
    load_network=_load_network,
    paper_threshold=0.5,
    relabel=_relabel,
)
