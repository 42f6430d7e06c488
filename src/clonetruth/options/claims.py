"""`clonetruth claim` and `clonetruth leaderboard`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import WORD, argument, option
from clonetruth.options.shared import SPREADSHEET_SAFE, JsonOptions

LEADERBOARD_FORMATS = ("table", "markdown", "csv")


@dataclass(frozen=True, kw_only=True)
class ClaimOptions(JsonOptions, command="claim", function="check_claim"):
    """Check a number in a paper.

    Shows how good the labels of that set are, what leaks in it, what the number becomes when wrong labels are taken
    into account, and what to ask the authors.
    """

    on: str = option(
        positional=True,
        metavar="SET",
        accepts="PathLike[str] | Benchmark",
        help="Name of a source (see `clonetruth sources`), or a benchmark folder.",
    )
    precision: float | None = option(None, help="The precision in the paper, between 0 and 1.")
    recall: float | None = option(None, help="The recall in the paper.")
    f1: float | None = option(None, help="The F1 in the paper; checked if all three are given.")
    pairs: int | None = option(
        None, minimum=1, help="Number of pairs that the numbers were measured on, for intervals that include it."
    )
    clones: int | None = option(None, minimum=1, help="Number of those pairs that are labelled clones.")
    criterion: str | None = option(
        None,
        project=WORD,
        help="What the judges of the labels were asked (default: the only criterion that fits the labels).",
    )


@dataclass(frozen=True, kw_only=True)
class LeaderboardOptions(JsonOptions, command="leaderboard", function="rank_detectors"):
    """Show results side by side.

    RESULT is a file that `clonetruth evaluate` wrote, a folder of such files, or a text report of BigCloneEval, plain
    or compressed; NAME=FILE gives the detector another name. Results of different revisions, policies or settings get
    separate columns.
    """

    results: tuple[str, ...] = argument(
        metavar="RESULT",
        accepts="PathLike[str] | Result | Evaluation",
        help="The results, or files or folders of results.",
    )
    metric: tuple[str, ...] = option((), help="Show only this metric; may be repeated.")
    column: str | None = option(
        None, metavar="METRIC", help="Show one column of this metric; fails if the results do not share it."
    )
    format: str = option("table", terminal=True, choices=LEADERBOARD_FORMATS, help="Output format.")
    spreadsheet_safe: bool = option(False, terminal=True, help=SPREADSHEET_SAFE)
    site: Path | None = option(
        None,
        terminal=True,
        setting=False,
        help="Write a static site of the results of `clonetruth benchmark` to this new folder instead.",
    )
    recompute: bool = option(
        False, terminal=True, help="For --site: compute the results of detectors that are registered here again."
    )
