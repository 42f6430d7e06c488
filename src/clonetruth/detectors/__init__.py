"""Who predicts: detectors that score pairs of fragments, finders of pairs, and learners that make detectors."""

from clonetruth.detectors.classes import CLASSES, clone_classes
from clonetruth.detectors.detector import Detector, Progress
from clonetruth.detectors.finder import FOUND, Finder, FindOptions
from clonetruth.detectors.learning import (
    LEARNERS,
    Epoch,
    Learner,
    ThresholdRule,
    TrainedDetector,
    TrainingOptions,
)
from clonetruth.detectors.model_folder import load_detector
from clonetruth.detectors.registry import BASELINES, DETECTORS, FINDERS

__all__ = [
    "BASELINES",
    "CLASSES",
    "DETECTORS",
    "FINDERS",
    "FOUND",
    "LEARNERS",
    "Detector",
    "Epoch",
    "FindOptions",
    "Finder",
    "Learner",
    "Progress",
    "ThresholdRule",
    "TrainedDetector",
    "TrainingOptions",
    "clone_classes",
    "load_detector",
]
