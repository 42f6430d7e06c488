"""Detectors score given pairs of fragments; finders search a corpus for clone pairs. One file per detector.

What a search for clones in source code does not need is loaded when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from clonetruth.detectors.clone_classes import CLONE_CLASSES, clone_classes, star_classes
from clonetruth.detectors.detector import BatchDetector, Detector
from clonetruth.detectors.finder import FOUND_PAIRS, Finder, FinderOptions
from clonetruth.detectors.registry import DETECTORS, FINDERS

if TYPE_CHECKING:
    from clonetruth.detectors.callables import as_detector
    from clonetruth.detectors.command import CommandDetector, is_command_folder, read_command_detector
    from clonetruth.detectors.families import FAMILIES, DetectorFamily, find_detector, is_detector_name
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

_LATER = {
    "as_detector": "callables",
    "CommandDetector": "command",
    "is_command_folder": "command",
    "read_command_detector": "command",
    "FAMILIES": "families",
    "DetectorFamily": "families",
    "find_detector": "families",
    "is_detector_name": "families",
    "SealedFragments": "sealed",
    "SealedScores": "sealed",
    "score_sealed": "sealed",
}
"""Names that are loaded when they are first used, with their modules."""


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
