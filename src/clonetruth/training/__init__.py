"""Learners: detectors that are trained on labelled pairs, and the loop that trains them.

Importing the package does not import PyTorch, which only the training of `mlp` needs.
"""

from clonetruth.training.learner import (
    LABELLED_PAIRS,
    LEARNERS,
    Epoch,
    Learner,
    ThresholdRule,
    TrainedDetector,
    TrainingSpec,
    unfinished,
)
from clonetruth.training.listing import ListedDetector, list_detectors
from clonetruth.training.model_folder import is_model_folder, load_detector

__all__ = [
    "LABELLED_PAIRS",
    "LEARNERS",
    "Epoch",
    "Learner",
    "ListedDetector",
    "ThresholdRule",
    "TrainedDetector",
    "TrainingSpec",
    "is_model_folder",
    "list_detectors",
    "load_detector",
    "unfinished",
]
