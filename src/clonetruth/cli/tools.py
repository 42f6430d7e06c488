"""`clonetruth run-tool`: clone detectors of others."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import click

from clonetruth.cli.output import json_option, progress_bar, show_json, show_table, show_warning
from clonetruth.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa

    from clonetruth.tools import ExternalTool, ToolOptions

_path = click.Path(path_type=Path)


@dataclasses.dataclass(frozen=True)
class ToolCall:
    """The options of `run-tool`, as it was called."""

    tool: str
    source: Path
    output: Path
    min_tokens: int
    min_lines: int
    threshold: float | None
    languages: tuple[str, ...]
    report_format: str | None
    by_folder: bool
    max_files: int | None
    timeout: float | None
    memory: float | None
    strip: int
    as_json: bool

    def asked_tool(self) -> ExternalTool:
        """The tool, with the format of its report where the user names it."""
        from clonetruth.formats.reports import REPORT_FORMATS
        from clonetruth.tools import external_tool

        tool = external_tool(self.tool)
        if self.report_format is None:
            return tool
        return dataclasses.replace(tool, report_format=REPORT_FORMATS[self.report_format].name)

    def options(self) -> ToolOptions:
        """What the library is asked for."""
        from clonetruth.tools import ProcessLimits, ToolOptions

        memory = None if self.memory is None else int(self.memory * 2**20)
        return ToolOptions(
            threshold=self.threshold,
            min_tokens=self.min_tokens,
            min_lines=self.min_lines,
            by_folder=self.by_folder,
            max_files=self.max_files,
            limits=ProcessLimits(self.timeout, memory),
        )

    def files(self) -> dict[str, Path]:
        """The source files by their names below the source folder."""
        from clonetruth.code import source_files

        if not self.source.is_dir():
            raise InputError("There is no such folder.", where=self.source)
        found = {self._name(path): path for path in source_files([self.source], self.languages)}
        if not found:
            raise InputError("There is no source file in a known language.", where=self.source)
        return found

    def _name(self, path: Path) -> str:
        """The name of a file below the source folder; bytes of it that are not UTF-8 are shown as such."""
        return os.fsencode(path.relative_to(self.source).as_posix()).decode("utf-8", errors="backslashreplace")


@click.command("run-tool")
@click.argument("tool")
@click.argument("source", type=_path)
@click.option("-o", "--output", type=_path, required=True, help="The report to write, in BigCloneEval's format.")
@click.option("--min-tokens", type=click.IntRange(min=0), default=50, show_default=True, help="Of a clone.")
@click.option("--min-lines", type=click.IntRange(min=0), default=1, show_default=True, help="Of a clone.")
@click.option("--threshold", type=float, help="The least similarity of a clone, 0 to 1; the tool's own unless told.")
@click.option("--language", "languages", multiple=True, help="Only files in this language; may be given again.")
@click.option("--report-format", help="The format of the tool's report, where it is not known or recognised.")
@click.option("--by-folder", is_flag=True, help="Run it for each folder in SOURCE apart, as BigCloneEval does.")
@click.option("--max-files", type=int, help="The most files of one run; every two blocks of half as many run together.")
@click.option("--timeout", type=float, metavar="SECONDS", help="The most time of one run.")
@click.option("--memory", type=float, metavar="MB", help="The most resident memory of one run.")
@click.option("--strip", type=click.IntRange(min=0), default=0, help="Leave so many leading folders off the names.")
@json_option
def run_tool(**options: Any) -> None:
    """Run a clone detector of others on the source files in a folder, and write the pairs that it finds.

    TOOL is one of those that `clonetruth detectors` lists, perhaps with parameters (jscpd:renaming=blind), or a
    command: "command[FORMAT]:mytool {source} > {report}". `clonetruth evaluate REPORT` takes the report.
    """
    import tempfile

    from clonetruth.formats.reports import ReadingLog
    from clonetruth.tools import run_pairs
    from clonetruth.tools import run_tool as run

    call = ToolCall(**options)
    if not call.output.parent.is_dir():
        # Told before the tool has run for an hour.
        raise InputError("The folder to write into does not exist.", where=call.output.parent, hint="Create it first.")
    tool, asked, files = call.asked_tool(), call.options(), call.files()
    log = ReadingLog()
    with tempfile.TemporaryDirectory(prefix="clonetruth-") as folder, progress_bar() as progress:
        done = run(tool, files, asked, workdir=Path(folder), progress=progress)
        pairs = run_pairs(done, log)
    unnamed = _write(call.output, pairs, call.strip)
    for note in (*done.notes, *log.notes):
        show_warning(note)
    if log.skipped:
        show_warning(f"{log.skipped:,} rows of the report have no sense, and were left out; {log.first[0][2]}.")
    if unnamed:
        show_warning(f"{unnamed:,} pairs were left out: BigCloneEval's format cannot hold the name of a file.")
    summary = {
        "tool": tool.name,
        "files": len(files) - len(done.unread),
        "unread files": len(done.unread),
        "runs": len(done.parts),
        "seconds": round(done.seconds, 3),
        "pairs": pairs.num_rows - unnamed,
        "report": str(call.output),
    }
    if call.as_json:
        show_json({key.replace(" ", "_"): value for key, value in summary.items()})
    else:
        show_table(f"Run of {tool.name}", ("", ""), list(summary.items())[1:])


def _write(output: Path, pairs: pa.Table, strip: int) -> int:
    """Write a report; the number of pairs that the format cannot hold."""
    from clonetruth.formats.writers import write_bigcloneeval
    from clonetruth.store.atomic import new_file

    columns = ("path", "first_line", "last_line")
    left, right = ([pairs[f"{side}_{column}"].to_pylist() for column in columns] for side in ("left", "right"))
    rows = [
        (one, other)
        for one, other in zip(_places(*left, strip=strip), _places(*right, strip=strip), strict=True)
        if one is not None and other is not None
    ]
    with new_file(output) as file:
        write_bigcloneeval(file, rows)
    return int(pairs.num_rows) - len(rows)


def _places(paths: list[str], first: list[int], last: list[int], *, strip: int) -> Iterator[str | None]:
    """Places as BigCloneEval writes them, some leading folders left off; None for one that it cannot."""
    from clonetruth.formats.writers import bigcloneeval_place

    for path, begin, end in zip(paths, first, last, strict=True):
        parts = PurePosixPath(path).parts
        yield bigcloneeval_place("/".join(parts[min(strip, len(parts) - 1) :]), begin, end)
