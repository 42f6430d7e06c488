"""Who predicts: detectors that score pairs of fragments, finders of pairs, and learners that make detectors."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from clonetruth.detectors.classes import CLASSES, clone_classes
from clonetruth.detectors.detector import Detector, Progress
from clonetruth.detectors.finder import FOUND, Finder, FindOptions
from clonetruth.detectors.registry import BASELINES, DETECTORS, FINDERS

if TYPE_CHECKING:
    from clonetruth.detectors.learning import (
        LEARNERS,
        Epoch,
        Learner,
        ThresholdRule,
        TrainedDetector,
        TrainingOptions,
    )
    from clonetruth.detectors.model_folder import load_detector

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

_LATE = {
    **dict.fromkeys(
        ("LEARNERS", "Epoch", "Learner", "ThresholdRule", "TrainedDetector", "TrainingOptions"),
        "clonetruth.detectors.learning",
    ),
    "load_detector": "clonetruth.detectors.model_folder",
}
"""What is loaded when it is first used: whoever only looks for clones needs no learning and no store."""


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module 'clonetruth.detectors' has no attribute '{name}'")
    return getattr(import_module(_LATE[name]), name)
