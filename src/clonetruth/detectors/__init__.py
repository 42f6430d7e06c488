"""Detectors that score pairs of fragments, and finders that propose pairs."""

from clonetruth.detectors.clone_classes import CLASSES, clone_classes
from clonetruth.detectors.detector import Detector
from clonetruth.detectors.finder import FOUND, Finder, FindOptions
from clonetruth.detectors.registry import BASELINES, DETECTORS, FINDERS

__all__ = [
    "BASELINES",
    "CLASSES",
    "DETECTORS",
    "FINDERS",
    "FOUND",
    "Detector",
    "FindOptions",
    "Finder",
    "clone_classes",
]
