"""Run an external tool on source files: on copies, in a separate folder, in one or more parts."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from pathlib import Path, PurePath

from clonetruth.code import language_of_path
from clonetruth.errors import InputError, ToolError
from clonetruth.progress import Progress
from clonetruth.tools.command_template import Values, fill_command, fill_text, takes_threshold, used_placeholders
from clonetruth.tools.process import output_tail, run_process
from clonetruth.tools.tool import ExternalTool, ToolOptions

_SOURCE, _REPORT, _ERRORS = "source", "report", "stderr.txt"
_COPY = re.compile(r"\b[0-9]{6,}\.\w+")
"""The name of a copied file."""


@dataclass(frozen=True)
class PartRun:
    """One run of a tool, on one part of the files.

    Attributes:
        report: the report files; empty if the tool printed nothing, and so found nothing.
        names: the original names of the files, by the names that the tool saw.
        seconds: the duration of the run.
        commands: the commands that ran.
        unreadable: the tool's messages on files that it could not read; empty if it read all files.
    """

    report: tuple[Path, ...]
    names: Mapping[str, str]
    seconds: float
    commands: tuple[tuple[str, ...], ...]
    unreadable: str = ""


@dataclass(frozen=True)
class ToolRun:
    """The runs of a tool on all parts. The reports are in the work folder, and can be read while it exists.

    Attributes:
        tool: the tool.
        threshold: the minimum similarity that was requested, or the tool's default.
        parts: the runs, one per part of the files.
        unread: the files that the tool did not get, since it does not support their languages.
        notes: what a reader of the results should know.
    """

    tool: ExternalTool
    threshold: float | None
    parts: tuple[PartRun, ...]
    unread: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def seconds(self) -> float:
        """The total duration of all runs."""
        return sum(part.seconds for part in self.parts)


def run_on_files(
    tool: ExternalTool,
    files: Mapping[str, str | os.PathLike[str]],
    options: ToolOptions | None = None,
    *,
    workdir: str | os.PathLike[str],
    progress: Progress | None = None,
) -> ToolRun:
    """Run a tool on files.

    The tool sees copies with numbers as names (`000017.java`) in a flat folder: exactly these files, whatever their
    original names, and it cannot harm the originals.

    Args:
        tool: the tool.
        files: the paths of the files, by the names to use in the result; names must be encodable in UTF-8.
        options: which clones to report, and how to run the tool.
        workdir: an empty folder to work in.
        progress: receives progress reports.

    Raises:
        MissingExtraError: the tool is not installed.
        ToolError: the tool failed, exceeded its time or memory, or wrote no report. Its output is then discarded.
        InputError: a file is unreadable, or the work folder is not empty.
    """
    options = options or ToolOptions()
    workdir = Path(workdir)
    program = tool.require_program() if tool.programs else None
    if any(workdir.iterdir()):
        raise InputError("The work folder is not empty.", where=workdir)
    division = divide(list(files), tool, options)
    runs = []
    for number, part in enumerate(division.parts):
        folder = workdir / f"{number:05}"
        folder.mkdir()
        runs.append(_PartRunner(tool, options, program, folder).run(part, files))
        if progress is not None:
            progress(f"Running {tool.name}", 1, len(division.parts))
    threshold = tool.default_threshold if options.threshold is None else options.threshold
    notes = [*_ignored_options(tool, options), *_unreadable_files(tool, runs)]
    if division.unread:
        notes.append(f"Files in languages that {tool.name} does not support: {len(division.unread):,}.")
    return ToolRun(tool, threshold, tuple(runs), division.unread, tuple(notes))


def _unreadable_files(tool: ExternalTool, runs: Sequence[PartRun]) -> Iterator[str]:
    """A note if the tool itself skipped files."""
    messages = [run.unreadable for run in runs if run.unreadable]
    if messages:
        where = "" if len(runs) == 1 else f" in {len(messages)} of {len(runs)} runs"
        yield f"{tool.name} could not read all files{where}; its output:\n{messages[0]}"


def _ignored_options(tool: ExternalTool, options: ToolOptions) -> list[str]:
    """Notes on the options that the tool does not support."""
    used = used_placeholders(tool)
    ignored = {
        "a threshold": options.threshold is not None and not takes_threshold(tool),
        "a minimum number of tokens": "min_tokens" not in used,
        "a minimum number of lines": options.min_lines > 1 and "min_lines" not in used,
    }
    return [f"{tool.name} does not support {option}: it ran without." for option, is_set in ignored.items() if is_set]


# How files are divided into parts: all together, by folder, or in blocks.


@dataclass(frozen=True)
class InputPart:
    """The files of one run.

    Attributes:
        names: the names of the files, sorted.
        language: the tool's name for their language, if the tool needs it.
    """

    names: tuple[str, ...]
    language: str = ""


@dataclass(frozen=True)
class InputDivision:
    """The files of all runs.

    Attributes:
        parts: the files of each run.
        unread: the files in languages that the tool does not support.
    """

    parts: tuple[InputPart, ...]
    unread: tuple[str, ...] = ()


def divide(names: Sequence[str], tool: ExternalTool, options: ToolOptions) -> InputDivision:
    """Divide files into runs such that all files that should be compared meet in a run."""
    needs_language = tool.languages is not None or "language" in used_placeholders(tool)
    by_language: dict[str | None, list[str]] = {}
    for name in sorted(names):
        by_language.setdefault(_language(name, tool) if needs_language else "", []).append(name)
    unread = by_language.pop(None, [])
    parts = [
        InputPart(block, language or "")
        for language, known in by_language.items()
        for folder in (_folders(known) if options.by_folder else [tuple(known)])
        for block in blocks(folder, options.max_files)
    ]
    return InputDivision(tuple(parts), tuple(unread))


def blocks(names: Sequence[str], max_files: int | None) -> Iterator[tuple[str, ...]]:
    """Groups of at most `max_files` names, such that every two names are together in some group."""
    if max_files is None or len(names) <= max_files:
        yield tuple(names)
        return
    half = max_files // 2
    for one, other in combinations(range(0, len(names), half), 2):
        yield (*names[one : one + half], *names[other : other + half])


def _language(name: str, tool: ExternalTool) -> str | None:
    """The tool's name for the language of a file; None if it does not support the language."""
    found = language_of_path(name)
    if found is None:
        return None
    return found.name if tool.languages is None else tool.languages.get(found.name)


def _folders(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The files of each top-level folder; files outside of any folder form a group."""
    ordered = sorted(names, key=_top_folder)
    return (tuple(group) for _, group in groupby(ordered, key=_top_folder))


def _top_folder(name: str) -> str:
    return name.rpartition("/")[0].partition("/")[0]


# How one part is run.


@dataclass(frozen=True)
class _PartRunner:
    """Runs a tool once, in a folder."""

    tool: ExternalTool
    options: ToolOptions
    program: Path | None
    folder: Path

    def run(self, part: InputPart, files: Mapping[str, str | os.PathLike[str]]) -> PartRun:
        names = self._copy_files(part, files)
        values = self._values(part, sorted(names))
        for name, text in self.tool.inputs.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(fill_text(text, values), encoding="utf-8")
        commands = [fill_command(step, values, shell=self.tool.shell) for step in self.tool.steps]
        begin = time.monotonic()
        folder = Path(fill_text(self.tool.folder, values))
        messages = [self._run_step(number, command, folder, names) for number, command in enumerate(commands)]
        seconds = time.monotonic() - begin
        # There may be many parts, and their copies together are much larger than the source.
        shutil.rmtree(self.folder / _SOURCE)
        unreadable = "\n".join(filter(None, messages))
        return PartRun(self._report(), names, seconds, tuple(map(tuple, commands)), unreadable)

    def _copy_files(self, part: InputPart, files: Mapping[str, str | os.PathLike[str]]) -> dict[str, str]:
        """Copy the files; return their original names by the names of the copies."""
        (self.folder / _SOURCE).mkdir()
        names = {}
        for number, name in enumerate(part.names):
            copy = f"{number:06}{_extension(name, part)}"
            try:
                shutil.copyfile(files[name], self.folder / _SOURCE / copy)
            except OSError as error:
                raise InputError(f"Cannot read the file: {error.strerror}.", where=files[name]) from error
            names[copy] = name
        return names

    def _values(self, part: InputPart, copies: list[str]) -> Values:
        source = self.folder / _SOURCE
        threshold = self.options.threshold or self.tool.default_threshold
        values: dict[str, str | list[str]] = {
            "arguments": list(self.tool.arguments()),
            "files": [str(source / copy) for copy in copies],
            "source": str(source),
            "report": str(self.folder / _REPORT),
            "work": str(self.folder),
            "language": part.language,
            "min_tokens": str(self.options.min_tokens),
            "min_lines": str(self.options.min_lines if self.options.min_lines > 1 else self.tool.default_min_lines),
        }
        if threshold is not None:
            values |= {
                "threshold": f"{threshold:g}",
                "dissimilarity": f"{1 - threshold:.4g}",
                "percent": f"{100 * threshold:.4g}",
            }
        if self.program is not None:
            jar = self.program.suffix == ".jar"
            values["program"] = ["java", "-jar", str(self.program)] if jar else [str(self.program)]
            values["home"] = str(self.program.resolve().parent)
        return values

    def _run_step(self, number: int, command: list[str], folder: Path, names: Mapping[str, str]) -> str:
        """Run a command; return its messages on files that it could not read."""
        last = number == len(self.tool.steps) - 1
        output = self.folder / (_REPORT if last and self._prints_report else f"stdout-{number}.txt")
        errors = self.folder / _ERRORS
        code = run_process(command, folder, output, errors, self.options.limits)
        if code in self.tool.exit_codes:
            return ""
        messages = _COPY.sub(lambda copy: names.get(copy[0], copy[0]), output_tail(errors, output))
        if code in self.tool.partial_codes:
            return messages
        ending = f"failed with exit code {code}" if code >= 0 else f"was killed by signal {-code}"
        raise ToolError(
            f"{self.tool.name} {ending}; its output is discarded.", where=command[0], hint=f"Its output:\n{messages}"
        )

    @property
    def _prints_report(self) -> bool:
        return "report" not in used_placeholders(self.tool) and self.tool.report == (_REPORT,)

    def _report(self) -> tuple[Path, ...]:
        paths = tuple(sorted(path for pattern in self.tool.report for path in self.folder.glob(pattern)))
        if not paths:
            raise ToolError(
                f"{self.tool.name} wrote no report: there is no file {' or '.join(self.tool.report)}.",
                where=self.folder,
                hint=f"Its output:\n{output_tail(self.folder / _ERRORS)}",
            )
        return () if self._prints_report and not paths[0].stat().st_size else paths


def _extension(name: str, part: InputPart) -> str:
    """The extension of a copy. A tool that takes the language may only know its main extension (`.c`, not `.h`)."""
    found = language_of_path(name) if part.language else None
    return found.extensions[0] if found else PurePath(name).suffix
