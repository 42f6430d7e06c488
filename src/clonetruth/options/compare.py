"""`clonetruth compare`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import WORD, argument, option
from clonetruth.options.execution import SandboxOptions
from clonetruth.options.shared import HtmlOptions, JsonOptions


@dataclass(frozen=True, kw_only=True)
class CompareOptions(SandboxOptions, HtmlOptions, JsonOptions, command="compare", function="compare_fragments"):
    """Compare two fragments side by side: similarity, clone type, aligned difference, normal forms.

    A and B are files, parts of files (FILE:FIRST-LAST by line numbers), functions (FILE::NAME), or with --in
    fragments of a benchmark.
    """

    left: str = argument(metavar="A", accepts="PathLike[str] | Fragment", help="The left fragment.")
    right: str = argument(metavar="B", accepts="PathLike[str] | Fragment", help="The right fragment.")
    language: str | None = option(
        None, metavar="NAME", project=WORD, help="Language of both fragments (default: by file extension)."
    )
    in_: Path | None = option(
        None, metavar="BENCHMARK", accepts="Benchmark", help="Take A and B as ids of fragments of this benchmark."
    )
    rule: str = option("min", metavar="NAME", project=WORD, help="The cut rule for the clone type.")
    run: bool = option(
        False, project=False, help="Also run both in a sandbox with the same inputs, as `clonetruth run` does."
    )
    brief: bool = option(False, terminal=True, help="Leave out the normal forms.")
