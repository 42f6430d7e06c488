"""Numbers in, numbers out: rates, rankings, intervals, agreement coefficients, sample sizes, survey estimates."""

from clonetruth.stats.agreement import COEFFICIENT_NAMES, Agreement, AgreementInterval, Ratings, measure_agreement
from clonetruth.stats.bootstrap import BootstrapIntervals, cluster_bootstrap, cluster_bootstrap_ranking
from clonetruth.stats.calibration import Reliability, brier, reliability
from clonetruth.stats.clusters import Clusters, Spread, clustered, effective_clusters
from clonetruth.stats.confusion import Confusion
from clonetruth.stats.dawid_skene import DawidSkeneResult, dawid_skene
from clonetruth.stats.dyadic import Dyads
from clonetruth.stats.intervals import (
    Interval,
    clopper_pearson,
    percentile_interval,
    student_quantile,
    wilson,
)
from clonetruth.stats.label_noise import (
    CorrectedNumber,
    CorrectionMethod,
    LabelGroup,
    NoisyLabels,
    correct_labels,
)
from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.ranking import Steps, average_precision, precision_at_recall, roc_auc
from clonetruth.stats.rates import RATES, Rate
from clonetruth.stats.retrieval import Retrieval, map_at_r, map_at_r_of_pairs
from clonetruth.stats.sample_size import Allocation, StratumPlan, plan_sample, sample_size
from clonetruth.stats.survey import Design, SampledShare, estimate_share, estimate_stratified
from clonetruth.stats.thresholds import ChosenThreshold, choose_threshold

__all__ = [
    "COEFFICIENT_NAMES",
    "RATES",
    "Agreement",
    "AgreementInterval",
    "Allocation",
    "BootstrapIntervals",
    "ChosenThreshold",
    "Clusters",
    "Confusion",
    "CorrectedNumber",
    "CorrectionMethod",
    "DawidSkeneResult",
    "Design",
    "Dyads",
    "Interval",
    "LabelGroup",
    "NoisyLabels",
    "Outcomes",
    "Rate",
    "Ratings",
    "Reliability",
    "Retrieval",
    "SampledShare",
    "Spread",
    "Steps",
    "StratumPlan",
    "average_precision",
    "brier",
    "choose_threshold",
    "clopper_pearson",
    "cluster_bootstrap",
    "cluster_bootstrap_ranking",
    "clustered",
    "correct_labels",
    "dawid_skene",
    "effective_clusters",
    "estimate_share",
    "estimate_stratified",
    "map_at_r",
    "map_at_r_of_pairs",
    "measure_agreement",
    "percentile_interval",
    "plan_sample",
    "precision_at_recall",
    "reliability",
    "roc_auc",
    "sample_size",
    "student_quantile",
    "wilson",
]
