"""Predictions for pairs meet verdicts: decisions, metrics in groups, baselines, and paired comparisons."""

from clonetruth.evaluate.pairs.answers import evaluate_answers
from clonetruth.evaluate.pairs.comparison import PairedComparison, compare_pairs
from clonetruth.evaluate.pairs.evaluation import Candidate, EvaluationRun, build_result, evaluate_pairs
from clonetruth.evaluate.pairs.options import Missing, PairsOptions
from clonetruth.evaluate.pairs.pair_set import PairSet, PairSubjects
from clonetruth.evaluate.pairs.prediction import predict_pairs
from clonetruth.evaluate.pairs.training import TrainingData, TrainingSelection, train_detector

__all__ = [
    "Candidate",
    "EvaluationRun",
    "Missing",
    "PairSet",
    "PairSubjects",
    "PairedComparison",
    "PairsOptions",
    "TrainingData",
    "TrainingSelection",
    "build_result",
    "compare_pairs",
    "evaluate_answers",
    "evaluate_pairs",
    "predict_pairs",
    "train_detector",
]
