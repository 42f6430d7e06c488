"""`clonetruth audit`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.options.declaration import WORD, argument, option
from clonetruth.options.shared import EngineOptions, HtmlOptions, JsonOptions, ProcessOptions

SEVERITIES = ("error", "warning", "info")
PURPOSES = ("semantic-learning", "syntactic-recall", "precision")
PARTS = ("train", "valid", "test")


@dataclass(frozen=True, kw_only=True)
class AuditOptions(
    EngineOptions, ProcessOptions, HtmlOptions, JsonOptions, command="audit", function="audit_benchmark"
):
    """Find what is wrong with a benchmark before you trust its numbers.

    BENCHMARK is a benchmark folder. Pair files need no folder: --train a.txt --test b.txt. Nothing is changed, and
    nothing is written unless you ask for it with -o or --html.
    """

    benchmark: Path | None = argument(None, metavar="BENCHMARK", accepts="Benchmark", help="The benchmark folder.")
    train: Path | None = option(
        None, setting=False, help="Audit pair files instead of a benchmark: left id, right id, 0 or 1."
    )
    valid: Path | None = option(None, setting=False, help="The pair file of the validation part.")
    test: Path | None = option(None, setting=False, help="The pair file of the test part.")
    texts: tuple[Path, ...] = option(
        (), setting=False, help="A file with the texts of the ids in the pair files (data.jsonl, functions.zip)."
    )
    language: str | None = option(None, setting=False, help="Language of these texts (default: detected).")
    against: tuple[Path, ...] = option(
        (),
        accepts="Benchmark",
        help="Compare claims and judgements on the same fragments with those of another benchmark.",
    )
    reference: Path | None = option(
        None, accepts="Benchmark", help="A benchmark of real code to compare the fragments with."
    )
    corpus: tuple[Path, ...] = option(
        (), help="Code that a model was pretrained on: a folder, or a file of hashes (docs/encoders.md)."
    )
    select: tuple[str, ...] = option(
        (), commas=True, metavar="CODES", project=WORD, help="Run only rules with these code prefixes."
    )
    ignore: tuple[str, ...] = option(
        (), commas=True, metavar="CODES", project=WORD, help="Skip rules with these code prefixes."
    )
    thresholds: Mapping[str, float] | None = option(
        None, names=("--threshold",), project=WORD, help="Change a threshold of a rule, for example size-factor=5."
    )
    for_: str | None = option(
        None, terminal=True, choices=PURPOSES, help="Assess whether the benchmark is fit for a purpose."
    )
    fail_on: str | None = option(
        None, terminal=True, choices=SEVERITIES, help="Exit with 1 if there is a finding of at least this severity."
    )
    explain: str | None = option(
        None, terminal=True, setting=False, metavar="CODE", help="Explain a rule, and do nothing else."
    )
    fix_plan: bool = option(
        False, terminal=True, setting=False, help="Print a plan of fixes as JSON, for `clonetruth build apply`."
    )
    output: Path | None = option(
        None, names=("-o",), terminal=True, setting=False, help="Write audit.json to this folder."
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        changed = {name: _number(name, one) for name, one in (self.thresholds or {}).items()}
        object.__setattr__(self, "thresholds", changed or None)

    @property
    def pair_files(self) -> dict[str, Path]:
        """The pair files by part."""
        return {part: path for part in PARTS if (path := getattr(self, part)) is not None}


def _number(name: str, value: object) -> float:
    try:
        number = float(str(value))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"The threshold '{name}' is not a number: {value!r}.", where="thresholds")
    return number
