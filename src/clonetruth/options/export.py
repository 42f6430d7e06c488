"""`clonetruth export`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import WORD, argument, option
from clonetruth.options.shared import JsonOptions, SpreadsheetOptions


@dataclass(frozen=True, kw_only=True)
class ExportOptions(SpreadsheetOptions, JsonOptions, command="export", function="export_benchmark"):
    """Export a benchmark's pairs to a common format: codexglue, bigcloneeval, huggingface, csv or gptclonebench.

    Labels are the verdicts of a policy. Pairs without a verdict are left out and counted, never written as 0. The
    folder clonetruth/ in the export holds the benchmark itself: `clonetruth import auto` reads it back as it was.
    """

    benchmark: Path = argument(accepts="Benchmark", help="The benchmark folder.")
    format: str = argument(help="The format: codexglue, bigcloneeval, huggingface, csv or gptclonebench.")
    output: Path = option(names=("-o",), setting=False, help="The new folder.")
    policy: str = option("default", project=WORD, help="The policy whose verdicts are the labels.")
    criterion: str | None = option(
        None, project=WORD, help="The criterion of the verdicts (default: the benchmark's own)."
    )
    split: str | None = option(
        None,
        project=WORD,
        help="A split of the benchmark that provides the parts (default: the parts that the source claims).",
    )
    part: str | None = option(None, project=WORD, help="The part of pairs that have none: train, valid or test.")
    sidecar: bool = option(
        True,
        help="Add the benchmark itself: card, criterion, judges, judgements, evidence.",
    )
