"""The detectors by name."""

from __future__ import annotations

from clonetruth.detectors.detector import Detector
from clonetruth.registry import Registry

DETECTORS: Registry[Detector] = Registry(
    "detector",
    {
        "always-yes": "clonetruth.detectors.trivial:ALWAYS_YES",
        "largest-functionality": "clonetruth.detectors.trivial:LARGEST_FUNCTIONALITY",
        "length": "clonetruth.detectors.trivial:LENGTH",
        "identifier-overlap": "clonetruth.detectors.identifier_overlap:IDENTIFIER_OVERLAP",
        "line-similarity": "clonetruth.detectors.textual:LINE_SIMILARITY",
        "token-similarity": "clonetruth.detectors.textual:TOKEN_SIMILARITY",
    },
    group="clonetruth.detectors",
)

BASELINES = ("always-yes", "largest-functionality", "identifier-overlap", "length")
"""Detectors that know nothing of meaning: whoever is not better than these has shown nothing."""
