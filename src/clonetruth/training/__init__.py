"""Detectors that learn, and their training loop."""

from clonetruth.training.learner import LEARNERS, Epoch, Learner, ThresholdRule, TrainedDetector, TrainingOptions
from clonetruth.training.model_folder import load_detector

__all__ = [
    "LEARNERS",
    "Epoch",
    "Learner",
    "ThresholdRule",
    "TrainedDetector",
    "TrainingOptions",
    "load_detector",
]
