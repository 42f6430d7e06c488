"""Who predicts: detectors that score pairs of fragments, one file for each kind, and learners that make detectors."""

from clonetruth.detectors.detector import Detector, Progress
from clonetruth.detectors.learning import (
    LEARNERS,
    Epoch,
    Learner,
    ThresholdRule,
    TrainedDetector,
    TrainingOptions,
)
from clonetruth.detectors.model_folder import load_detector
from clonetruth.detectors.registry import BASELINES, DETECTORS

__all__ = [
    "BASELINES",
    "DETECTORS",
    "LEARNERS",
    "Detector",
    "Epoch",
    "Learner",
    "Progress",
    "ThresholdRule",
    "TrainedDetector",
    "TrainingOptions",
    "load_detector",
]
