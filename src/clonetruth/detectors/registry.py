"""The registries of detectors and finders."""

from __future__ import annotations

from clonetruth.detectors.detector import Detector
from clonetruth.detectors.finder import Finder
from clonetruth.registry import Registry

_CLASSICAL = {
    "exact": "clonetruth.detectors.equal_forms:EXACT",
    "renamed": "clonetruth.detectors.equal_forms:RENAMED",
    "tokens": "clonetruth.detectors.token_overlap:TOKENS",
    "nearmiss": "clonetruth.detectors.nearmiss:NEARMISS",
    "largegap": "clonetruth.detectors.largegap:LARGEGAP",
    "winnowing": "clonetruth.detectors.winnowing:WINNOWING",
    "metrics": "clonetruth.detectors.metrics:METRICS",
    "ncd": "clonetruth.detectors.compression:NCD",
}
"""Detectors that are also finders."""

DETECTORS: Registry[Detector] = Registry(
    "detector",
    {
        "always-yes": "clonetruth.detectors.trivial:ALWAYS_YES",
        "length": "clonetruth.detectors.trivial:LENGTH",
        "identifier-overlap": "clonetruth.detectors.identifier_overlap:IDENTIFIER_OVERLAP",
        "line-similarity": "clonetruth.detectors.textual:LINE_SIMILARITY",
        "token-similarity": "clonetruth.detectors.textual:TOKEN_SIMILARITY",
        "execution": "clonetruth.detectors.execution:EXECUTION",
        **_CLASSICAL,
        "ngrams": "clonetruth.detectors.ngrams:NGRAMS",
        "semantic": "clonetruth.detectors.semantic:SEMANTIC",
    },
    group="clonetruth.detectors",
    of=Detector,
)

FINDERS: Registry[Finder] = Registry(
    "finder",
    {**_CLASSICAL, "semantic": "clonetruth.detectors.semantic:SEMANTIC"},
    group="clonetruth.finders",
    of=Finder,
)
