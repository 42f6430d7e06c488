"""Run a tool on the source files in a folder, and write the pairs that it reports in BigCloneEval's format."""

from __future__ import annotations

import dataclasses
import os
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import pyarrow as pa

from clonetruth.code import source_files
from clonetruth.errors import CloneTruthWarning, InputError
from clonetruth.formats.reports import REPORT_FORMATS, ReadingLog
from clonetruth.formats.writers import bigcloneeval_location, write_bigcloneeval
from clonetruth.options.declaration import verb
from clonetruth.options.tools import RunToolOptions
from clonetruth.progress import Progress
from clonetruth.store.atomic import new_file
from clonetruth.tools.process import ProcessLimits
from clonetruth.tools.registry import external_tool
from clonetruth.tools.reported_pairs import read_pairs
from clonetruth.tools.runner import run_on_files
from clonetruth.tools.tool import ExternalTool, ToolOptions


@dataclass(frozen=True)
class ToolReport:
    """The pairs that a tool reports on a source tree.

    Attributes:
        tool: the name of the tool.
        files: the number of files that the tool got.
        unread: the files that the tool did not get, since it does not support their languages.
        runs: the number of runs.
        seconds: the total duration of all runs.
        pairs: the reported pairs, with the columns of `formats.reports.REPORTED`.
        rows: the pairs as rows of BigCloneEval's format; pairs whose names the format cannot hold are left out.
        notes: what a reader of the pairs should know.
    """

    tool: str
    files: int
    unread: tuple[str, ...] = field(repr=False)
    runs: int
    seconds: float
    pairs: pa.Table = field(repr=False)
    rows: tuple[tuple[str, str], ...] = field(repr=False)
    notes: tuple[str, ...] = field(repr=False)


@verb(RunToolOptions)
def run_tool(options: RunToolOptions, *, progress: Progress | None = None) -> ToolReport:
    """Run an external clone detector on the source files in a folder.

    Args:
        progress: receives progress reports.

    Returns:
        The pairs that the tool reports, with file names relative to the folder. What a reader of the pairs should know,
        such as skipped files, is also issued as warnings.

    Raises:
        MissingExtraError: the tool is not installed.
        ToolError: the tool failed, exceeded its time or memory, or wrote no report.
        InputError: the folder has no source files, a report is unreadable, or an option is invalid.
        UnknownNameError: an unknown tool, report format or language.

    Example:
        >>> command = "command[bigcloneeval]:echo source,000000.py,2,10,source,000001.py,2,10"
        >>> report = clonetruth.run_tool(command, "src")
        >>> report.pairs.select(["left_path", "right_path"]).to_pylist()
        [{'left_path': 'invoices.py', 'right_path': 'orders.py'}]
    """
    if options.output is not None and not options.output.parent.is_dir():
        # Fail before the tool has run for an hour.
        raise InputError("The output folder does not exist.", where=options.output.parent, hint="Create it first.")
    tool, settings, files = _tool(options), _tool_options(options), _files(options)
    log = ReadingLog()
    with tempfile.TemporaryDirectory(prefix="clonetruth-") as folder:
        run = run_on_files(tool, files, settings, workdir=folder, progress=progress)
        pairs = read_pairs(run, log)
    rows = tuple(_rows(pairs, options.strip))
    if options.output is not None:
        with new_file(options.output) as file:
            write_bigcloneeval(file, rows)
    notes = [*run.notes, *log.notes]
    if log.skipped:
        notes.append(f"{log.skipped:,} rows of the tool's report are invalid and were skipped: {log.first[0][2]}.")
    if len(rows) < pairs.num_rows:
        left_out = pairs.num_rows - len(rows)
        notes.append(f"BigCloneEval's format cannot hold the file names of {left_out:,} pairs; they are left out.")
    for note in notes:
        warnings.warn(note, CloneTruthWarning, stacklevel=3)
    read = len(files) - len(run.unread)
    return ToolReport(tool.name, read, run.unread, len(run.parts), run.seconds, pairs, rows, tuple(notes))


def _tool(options: RunToolOptions) -> ExternalTool:
    tool = external_tool(options.tool)
    if options.report_format is None:
        return tool
    return dataclasses.replace(tool, report_format=REPORT_FORMATS[options.report_format].name)


def _tool_options(options: RunToolOptions) -> ToolOptions:
    memory = None if options.memory is None else int(options.memory * 2**20)
    return ToolOptions(
        threshold=options.threshold,
        min_tokens=options.min_tokens,
        min_lines=options.min_lines,
        by_folder=options.by_folder,
        max_files=options.max_files,
        limits=ProcessLimits(options.timeout, memory),
    )


def _files(options: RunToolOptions) -> dict[str, Path]:
    """The source files by their names relative to the source folder."""
    if not options.source.is_dir():
        raise InputError("There is no such folder.", where=options.source)
    files = {_name(path, options.source): path for path in source_files([options.source], options.language)}
    if not files:
        raise InputError("There is no source file in a supported language.", where=options.source)
    return files


def _name(path: Path, folder: Path) -> str:
    """The name of a file relative to a folder; bytes that are not UTF-8 are escaped."""
    return os.fsencode(path.relative_to(folder).as_posix()).decode("utf-8", errors="backslashreplace")


def _rows(pairs: pa.Table, strip: int) -> Iterator[tuple[str, str]]:
    """The pairs in BigCloneEval's format, without those that it cannot hold."""
    columns = ("path", "first_line", "last_line")
    left, right = ([pairs[f"{side}_{column}"].to_pylist() for column in columns] for side in ("left", "right"))
    for one, other in zip(_locations(*left, strip=strip), _locations(*right, strip=strip), strict=True):
        if one is not None and other is not None:
            yield one, other


def _locations(paths: list[str], first: list[int], last: list[int], *, strip: int) -> Iterator[str | None]:
    """Locations in BigCloneEval's format, with leading folders removed; None for one that it cannot hold."""
    for path, begin, end in zip(paths, first, last, strict=True):
        parts = PurePosixPath(path).parts
        yield bigcloneeval_location("/".join(parts[min(strip, len(parts) - 1) :]), begin, end)
