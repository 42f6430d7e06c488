"""Who predicts: detectors that score pairs of fragments, one file for each kind."""

from clonetruth.detectors.detector import Detector, Progress
from clonetruth.detectors.registry import BASELINES, DETECTORS

__all__ = ["BASELINES", "DETECTORS", "Detector", "Progress"]
