"""`clonetruth tools run`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import WORD, argument, option
from clonetruth.options.shared import JsonOptions


@dataclass(frozen=True, kw_only=True)
class RunToolOptions(JsonOptions, command="tools run", function="run_tool"):
    """Run an external clone detector on the source files in a folder.

    TOOL is a tool from `clonetruth detectors`, optionally with parameters (jscpd:renaming=blind), or a command:
    "command[FORMAT]:mytool {source} > {report}". The report is in BigCloneEval's format, which `clonetruth evaluate`
    reads.
    """

    tool: str = argument(help="The tool: a name, optionally with parameters, or a command.")
    source: Path = argument(help="The folder of the source files.")
    output: Path | None = option(
        None, names=("-o",), setting=False, help="Write the report to this file, in BigCloneEval's format."
    )
    min_tokens: int = option(50, minimum=0, help="Minimum number of tokens in a clone.")
    min_lines: int = option(1, minimum=0, help="Minimum number of lines in a clone.")
    threshold: float | None = option(None, help="Minimum similarity of a clone, 0 to 1 (default: the tool's own).")
    language: tuple[str, ...] = option((), project=WORD, help="Only files in this language.")
    report_format: str | None = option(
        None, project=WORD, help="Format of the tool's report (default: known or detected)."
    )
    by_folder: bool = option(False, help="Run the tool once per folder in SOURCE, as BigCloneEval does.")
    max_files: int | None = option(
        None, help="Maximum number of files per run; blocks of half as many are run in all pairs."
    )
    timeout: float | None = option(None, metavar="SECONDS", help="Time limit of one run.")
    memory: float | None = option(None, metavar="MB", help="Limit on the resident memory of one run.")
    strip: int = option(0, minimum=0, help="Number of leading folders to remove from file names in the report.")
