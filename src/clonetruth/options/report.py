"""`clonetruth report` and `clonetruth demo`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import Options, argument, option
from clonetruth.options.shared import JsonOptions


@dataclass(frozen=True, kw_only=True)
class ReportOptions(Options, command="report", function="write_report"):
    """Write results as a page to read.

    RESULT is a file that `clonetruth evaluate` wrote, or a text report of BigCloneEval, plain or compressed; NAME=FILE
    gives the detector another name. Several results are compared first; results of different revisions, policies or
    settings are kept apart.
    """

    results: tuple[str, ...] = argument(
        metavar="RESULT",
        accepts="PathLike[str] | Result | Evaluation | AuditReport | CloneReport | FragmentComparison | MatrixSummary "
        "| Split",
        help="The results, or files of results; in Python also what another verb returned.",
    )
    output: Path = option(names=("-o",), positional=True, setting=False, help="Write the page to this file (HTML).")


@dataclass(frozen=True, kw_only=True)
class DemoOptions(JsonOptions, command="demo", function="run_demo"):
    """See on one page that similar text and the same behaviour are two different things.

    Opens the benchmark that comes with clonetruth, classifies its pairs, evaluates two simple detectors on them, trains
    one under four views, finds the clones of its sources, and writes a page for each. It ends in the cards that
    `clonetruth benchmark` prints for the two detectors, on a part of TrueClones; they are written to `cards`.
    """

    output: Path = option(
        Path("clonetruth-demo"),
        names=("-o",),
        positional=True,
        setting=False,
        help="Write the benchmark and the pages to this folder.",
    )
    threshold: float = option(0.7, minimum=0, maximum=1, help="Token similarity from which a pair is called a clone.")
