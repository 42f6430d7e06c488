"""Cluster bootstrap: functionalities are drawn with replacement, each with all of its pairs.

A replicate needs only per-cluster sums: four counts for decision metrics, and for score metrics a histogram of clones
and non-clones over at most 16,384 score bins. If there are more distinct scores than bins, scores in the same bin count
as equal in the replicates; the largest error that this can cause is computed from the data and reported. Percentile
intervals are expanded for few clusters, and not given below forty effective ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from clonetruth.stats.clusters import effective_clusters
from clonetruth.stats.intervals import REPLICATES, Interval, percentile_interval
from clonetruth.stats.ranking import Steps, ranked
from clonetruth.stats.rates import RATES, Floats, Integers

MANY_CLUSTERS = 40
"""With fewer effective clusters, percentile intervals of rates near 0 or 1 cover too little (docs/metrics.md)."""
BINS = 16_384
_CELLS = 8_000_000
"""Maximum numbers in one block of work: 64 MB."""

Metric = Callable[[Floats], Floats]


@dataclass(frozen=True)
class BootstrapIntervals:
    """Percentile intervals.

    Attributes:
        intervals: by the name of the metric; None if it is undefined, on the data or in many replicates, and for fewer
            than `MANY_CLUSTERS` effective clusters.
        clusters: number of clusters drawn from.
        replicates: number of draws.
        confidence: confidence level of the intervals.
        error: by the name of the metric, the largest error that binning the scores can cause; 0 without binning.
    """

    intervals: Mapping[str, Interval | None]
    clusters: int
    replicates: int
    confidence: float
    error: Mapping[str, float]


def draws(clusters: int, replicates: int, seed: int) -> Integers:
    """How often each cluster is drawn in each replicate: a replicates × clusters matrix."""
    return np.random.default_rng(seed).multinomial(clusters, np.full(clusters, 1 / clusters), replicates)


def cluster_bootstrap(
    counts: npt.ArrayLike,
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
    confidence: float = 0.95,
    metrics: Mapping[str, Metric] | None = None,
) -> BootstrapIntervals:
    """Percentile intervals of decision metrics.

    Args:
        counts: (tp, fp, fn, tn), one row per cluster.
        replicates: number of draws.
        seed: random seed; equal seeds give equal intervals.
        confidence: confidence level of the intervals.
        metrics: functions of counts whose last axis is (tp, fp, fn, tn) (default: all `RATES`).
    """
    table = np.asarray(counts, np.float64)
    if table.ndim != 2 or table.shape[1] != 4:
        raise ValueError(f"counts of shape {table.shape} instead of clusters × 4")
    chosen = metrics or {name: rate.value for name, rate in RATES.items()}
    effective = effective_clusters(table.sum(axis=1))
    if effective < MANY_CLUSTERS:
        return BootstrapIntervals(dict.fromkeys(chosen), len(table), 0, confidence, dict.fromkeys(chosen, 0.0))
    drawn = draws(len(table), replicates, seed) @ table
    intervals = {name: percentile_interval(metric(drawn), confidence, effective) for name, metric in chosen.items()}
    return BootstrapIntervals(intervals, len(table), replicates, confidence, dict.fromkeys(chosen, 0.0))


def cluster_bootstrap_ranking(
    scores: npt.ArrayLike,
    labels: npt.ArrayLike,
    clusters: Integers,
    *,
    replicates: int = REPLICATES,
    seed: int = 0,
    confidence: float = 0.95,
) -> BootstrapIntervals:
    """Percentile intervals of ROC-AUC and average precision.

    Args:
        scores: a score for each pair.
        labels: whether each pair is a clone.
        clusters: the cluster of each pair, as numbers from 0.
        replicates: number of draws.
        seed: random seed.
        confidence: confidence level of the intervals.
    """
    truth = np.asarray(labels, np.bool_)
    count = int(clusters.max(initial=-1)) + 1
    names = ("roc-auc", "average-precision")
    effective = effective_clusters(np.bincount(clusters, minlength=count))
    if effective < MANY_CLUSTERS:
        return BootstrapIntervals(dict.fromkeys(names), count, 0, confidence, dict.fromkeys(names, 0.0))
    steps, step = ranked(scores, truth)
    merged = _bins(steps, max(256, min(BINS, _CELLS // count)))
    bins = int(merged[-1]) + 1
    place = (clusters * 2 + ~truth) * bins + merged[step]
    histograms = np.bincount(place, minlength=2 * count * bins).reshape(count, 2 * bins).astype(np.float64)
    drawn = draws(count, replicates, seed).astype(np.float64)
    height = max(1, _CELLS // (4 * bins))
    blocks = [_ranking(drawn[at : at + height] @ histograms) for at in range(0, replicates, height)]
    found = np.concatenate(blocks, axis=1)
    intervals = {name: percentile_interval(found[row], confidence, effective) for row, name in enumerate(names)}
    bounds = _binning_error(histograms.sum(axis=0)) if bins < len(steps.scores) else (0.0, 0.0)
    errors = dict(zip(names, bounds, strict=True))
    return BootstrapIntervals(intervals, count, replicates, confidence, errors)


def _bins(steps: Steps, most: int) -> Integers:
    """The bin of each step: the step itself if there are few, otherwise bins of about equal mass.

    Half of the bins divide the clones and half all pairs, so that rare clones are separated as well.
    """
    count = len(steps.scores)
    if count <= most:
        return np.arange(count)
    pairs = steps.true_positives + steps.false_positives
    by_pairs = (pairs * (most // 2) / pairs[-1]).astype(np.int64)
    by_clones = (steps.true_positives * (most // 2) / max(steps.clones, 1)).astype(np.int64)
    fresh = np.zeros(count, np.int64)
    fresh[1:] = (np.diff(by_pairs) > 0) | (np.diff(by_clones) > 0)
    return np.cumsum(fresh)


def _ranking(histograms: Floats) -> Floats:
    """ROC-AUC and average precision (two rows) of histograms, one per row: bins of clones, then of the others."""
    positives, negatives = np.split(histograms, 2, axis=1)
    true, false = np.cumsum(positives, axis=1), np.cumsum(negatives, axis=1)
    clones, others = true[:, -1], false[:, -1]
    with np.errstate(invalid="ignore", divide="ignore"):  # a draw without clones is undefined: NaN
        ordered = np.einsum("ij,ij->i", positives, others[:, None] - false + negatives / 2)
        precision = true / np.maximum(true + false, 1)
        return np.stack([ordered / (clones * others), np.einsum("ij,ij->i", positives, precision) / clones])


def _binning_error(histogram: Floats) -> tuple[float, float]:
    """The largest error that binning can cause, whatever the order within the bins."""
    positives, negatives = np.split(histogram, 2)
    true, false = np.cumsum(positives), np.cumsum(negatives)
    mixed = positives * negatives
    clones, others = max(true[-1], 1.0), max(false[-1], 1.0)
    merged = true / np.maximum(true + false, 1)
    # All clones of a bin first, or all of its non-clones first; the merged precision lies between.
    best = true / np.maximum(true + false - negatives, 1)
    worst = (true - positives) / np.maximum(true - positives + false, 1)
    apart = np.where(mixed > 0, np.maximum(best - merged, merged - worst), 0.0)
    return float(mixed.sum() / (2 * clones * others)), float(positives @ apart / clones)
