"""Detectors score given pairs of fragments; finders search a corpus for clone pairs. One file per detector."""

from clonetruth.detectors.callables import as_detector
from clonetruth.detectors.clone_classes import CLONE_CLASSES, clone_classes, star_classes
from clonetruth.detectors.command import CommandDetector, is_command_folder, read_command_detector
from clonetruth.detectors.detector import BatchDetector, Detector
from clonetruth.detectors.families import FAMILIES, DetectorFamily, find_detector, is_detector_name
from clonetruth.detectors.finder import FOUND_PAIRS, Finder, FinderOptions
from clonetruth.detectors.registry import DETECTORS, FINDERS
from clonetruth.detectors.sealed import SealedFragments, SealedScores, score_sealed

__all__ = [
    "CLONE_CLASSES",
    "DETECTORS",
    "FAMILIES",
    "FINDERS",
    "FOUND_PAIRS",
    "BatchDetector",
    "CommandDetector",
    "Detector",
    "DetectorFamily",
    "Finder",
    "FinderOptions",
    "SealedFragments",
    "SealedScores",
    "as_detector",
    "clone_classes",
    "find_detector",
    "is_command_folder",
    "is_detector_name",
    "read_command_detector",
    "score_sealed",
    "star_classes",
]
