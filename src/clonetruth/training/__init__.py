"""Learners: detectors that are trained on labelled pairs, and the loop that trains them.

Importing the package does not import PyTorch, which only neural models need.
"""

from clonetruth.training.learner import (
    LABELLED_PAIRS,
    LEARNERS,
    Epoch,
    Learner,
    ThresholdRule,
    TrainedDetector,
    TrainingSpec,
    options_type,
    parameter_count,
    train_with_functionalities,
    training_cautions,
)
from clonetruth.training.learner_options import LearnerOptions
from clonetruth.training.listing import ListedDetector, list_detectors
from clonetruth.training.model_folder import is_model_folder, load_detector
from clonetruth.training.scoring_level import at_level

__all__ = [
    "LABELLED_PAIRS",
    "LEARNERS",
    "Epoch",
    "Learner",
    "LearnerOptions",
    "ListedDetector",
    "ThresholdRule",
    "TrainedDetector",
    "TrainingSpec",
    "at_level",
    "is_model_folder",
    "list_detectors",
    "load_detector",
    "options_type",
    "parameter_count",
    "train_with_functionalities",
    "training_cautions",
]
