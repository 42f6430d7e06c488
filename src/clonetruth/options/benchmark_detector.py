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
    that a ROC AUC of 0.5 is what text alone reaches. Below it: languages, pairs across languages, difficulties, the
    other strata, and the four views.
    """

    detector: str = argument(
        accepts="PathLike[str] | Detector | Callable[..., Any]",
        help="A detector: a name (see `clonetruth detectors`), or a folder with one, trained or a program.",
    )
    on: Path | None = option(
        None,
        accepts="Benchmark",
        help="A draw of `clonetruth make run trueclones --seed N` (default: TrueClones as it ships).",
    )
    name: str | None = option(None, help="Name of the detector on the card (default: its own).")
    threshold: float | None = option(
        None, help="The score from which a pair counts as a clone (default: the detector's own)."
    )
    seed: int = option(0, help="Random seed of the views.")
    device: str = option(
        "auto", choices=("auto", "cpu", "cuda", "mps"), help="For encoders: where they compute (default: a GPU if any)."
    )
    output: Path | None = option(
        None,
        names=("-o",),
        terminal=True,
        setting=False,
        help="Write the card to this file (JSON), for `clonetruth leaderboard`.",
    )
    badge: Path | None = option(None, terminal=True, setting=False, help="Write a badge to this file (SVG).")
