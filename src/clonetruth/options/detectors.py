"""`clonetruth detectors`."""

from __future__ import annotations

from dataclasses import dataclass

from clonetruth.options.shared import JsonOptions


@dataclass(frozen=True, kw_only=True)
class DetectorsOptions(JsonOptions, command="detectors", function="list_detectors"):
    """List all detectors: those that are ready, those that need training, and external tools.

    `clonetruth evaluate --detector NAME` runs a ready detector on given pairs; `clonetruth find --with NAME` uses one
    that finds clones, or a tool; `clonetruth train NAME` trains one; `clonetruth tools run NAME` runs a tool.
    """
