"""A trained detector on code of another abstraction level than it was trained on."""

from __future__ import annotations

import dataclasses
from typing import Any

from clonetruth.detectors.abstracted import AbstractedDetector
from clonetruth.detectors.detector import Detector
from clonetruth.training.calibration import CalibratedDetector
from clonetruth.training.learner import TrainingSpec
from clonetruth.training.level_reader import LevelReader


def at_level(detector: Detector, level: int) -> Detector:
    """A detector that is shown code of an abstraction level, whatever level it was trained on.

    Functions are numbered across the scored fragments, as for detectors that are not trained.
    """
    options = getattr(detector, "options", None)
    if isinstance(options, TrainingSpec) and options.level == level:
        return detector
    return AbstractedDetector(_plain(detector), level)


def _plain(detector: Detector) -> Detector:
    """The same detector, which does not abstract what it is shown."""
    if isinstance(detector, CalibratedDetector):
        inner: Any = _plain(detector.inner)
        return dataclasses.replace(detector, inner=inner)
    if not dataclasses.is_dataclass(detector) or isinstance(detector, type):
        return detector
    reader, options = getattr(detector, "reader", None), getattr(detector, "options", None)
    if isinstance(reader, LevelReader):
        return dataclasses.replace(detector, reader=dataclasses.replace(reader, level=0))
    if isinstance(options, TrainingSpec):
        return dataclasses.replace(detector, options=dataclasses.replace(options, level=0))
    return detector
