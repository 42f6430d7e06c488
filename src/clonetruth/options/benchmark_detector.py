"""`clonetruth benchmark`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import argument, option
from clonetruth.options.shared import EngineOptions, JsonOptions, ProcessOptions


@dataclass(frozen=True, kw_only=True)
class BenchmarkDetectorOptions(
    EngineOptions, ProcessOptions, JsonOptions, command="benchmark", function="benchmark_detector"
):
    """Measure a detector on TrueClones, where every label was executed, and print one card.

    The headline is the core set: each clone is matched with a non-clone of the same similarity, length and language, so
    that text similarity alone gives a ROC AUC of 0.5. The other tables show languages, pairs across languages,
    difficulties, the other strata, and the four views.
    """

    detector: str = argument(
        accepts="PathLike[str] | Detector | Callable[..., Any]",
        help="A detector: a name (see `clonetruth detectors`), or the folder of a trained detector or of a program.",
    )
    on: Path | None = option(
        None,
        accepts="Benchmark",
        help="A fresh draw, made by `clonetruth make run trueclones --seed N` (default: TrueClones as it ships).",
    )
    name: str | None = option(None, help="Name of the detector on the card (default: its own).")
    threshold: float | None = option(
        None, help="The lowest score that counts as a clone (default: the detector's own)."
    )
    seed: int = option(0, help="Random seed of the views.")
    device: str = option(
        "auto", choices=("auto", "cpu", "cuda", "mps"), help="For encoders: device to compute on (auto: a GPU if any)."
    )
    output: Path | None = option(
        None,
        names=("-o",),
        terminal=True,
        setting=False,
        help="Write the card to this file (JSON), for `clonetruth leaderboard`.",
    )
    badge: Path | None = option(None, terminal=True, setting=False, help="Write a badge to this file (SVG).")
