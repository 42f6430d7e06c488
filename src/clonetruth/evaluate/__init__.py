"""Predictions meet verdicts: matching, metrics, corrections, comparisons."""

from clonetruth.evaluate.detector import evaluate_detector
from clonetruth.evaluate.labels.claim import Claim, check_claim
from clonetruth.evaluate.leaderboard import Leaderboard, rank_detectors
from clonetruth.evaluate.matrix.runner import MatrixStep, run_matrix
from clonetruth.evaluate.pairs.prediction import predict_pairs
from clonetruth.evaluate.pairs.training import train_detector
from clonetruth.evaluate.results import Evaluation, load_result
from clonetruth.evaluate.trueclones import benchmark_detector

__all__ = [
    "Claim",
    "Evaluation",
    "Leaderboard",
    "MatrixStep",
    "benchmark_detector",
    "check_claim",
    "evaluate_detector",
    "load_result",
    "predict_pairs",
    "rank_detectors",
    "run_matrix",
    "train_detector",
]
