"""Running an external tool over source files: on copies, in a folder of its own, part by part."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from clonetruth.code import language_of_path
from clonetruth.errors import InputError, ToolError
from clonetruth.progress import Progress
from clonetruth.tools.command_template import Values, fill_command, fill_text, takes_threshold, used_placeholders
from clonetruth.tools.input_parts import InputPart, divide
from clonetruth.tools.process import ToolOptions, last_words, run_process
from clonetruth.tools.tool import ExternalTool

_SOURCE, _REPORT, _ERRORS = "source", "report", "stderr.txt"
_COPY = re.compile(r"\b[0-9]{6,}\.\w+")
"""How a copy of a file is named."""


@dataclass(frozen=True)
class PartRun:
    """One run.

    Attributes:
        report: the files of its report; none where it printed nothing, and so found nothing.
        names: our names of the files, by the names that the tool saw.
        seconds: how long it took.
        commands: what was run.
        complaint: what it said of files that it could not read; empty where it could.
    """

    report: tuple[Path, ...]
    names: Mapping[str, str]
    seconds: float
    commands: tuple[tuple[str, ...], ...]
    complaint: str = ""


@dataclass(frozen=True)
class ToolRun:
    """What a tool did. The reports stand in the work folder, and can be read as long as that is there.

    Attributes:
        tool: the tool.
        threshold: the least similarity that was asked for, or the tool's own.
        parts: its runs, one for each part of the files.
        unread: files that it was not given, since it cannot read their language.
        notes: what a reader of the numbers should know.
    """

    tool: ExternalTool
    threshold: float | None
    parts: tuple[PartRun, ...]
    unread: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def seconds(self) -> float:
        """How long the tool took in all."""
        return sum(part.seconds for part in self.parts)


def run_tool(
    tool: ExternalTool,
    files: Mapping[str, Path],
    options: ToolOptions | None = None,
    *,
    workdir: Path,
    progress: Progress | None = None,
) -> ToolRun:
    """Run a tool over files.

    The tool sees copies with numbers for names (`000017.java`) in a flat folder: exactly these files, whatever their
    names are, and it cannot harm the originals.

    Args:
        tool: the tool.
        files: where the files are, by the names that they are to have in the result, which UTF-8 can hold.
        options: which clones are reported, and how the tool is run.
        workdir: an empty folder to work in.
        progress: told what is being done.

    Raises:
        MissingExtraError: the tool is not installed.
        ToolError: it failed, went over its time or memory, or left no report. Then nothing that it wrote counts.
        InputError: a file cannot be read, or the work folder is not empty.
    """
    options = options or ToolOptions()
    program = tool.needed_program() if tool.programs else None
    if any(workdir.iterdir()):
        raise InputError("The work folder is not empty.", where=workdir)
    division = divide(list(files), tool, options)
    runs = []
    for number, part in enumerate(division.parts):
        folder = workdir / f"{number:05}"
        folder.mkdir()
        runs.append(_Stage(tool, options, program, folder).run(part, files))
        if progress is not None:
            progress(f"Running {tool.name}", 1, len(division.parts))
    threshold = tool.default_threshold if options.threshold is None else options.threshold
    notes = [*_unheard(tool, options), *_complaints(tool, runs)]
    if division.unread:
        notes.append(f"{tool.name} was not given {len(division.unread):,} files: it does not read their languages.")
    return ToolRun(tool, threshold, tuple(runs), division.unread, tuple(notes))


def _complaints(tool: ExternalTool, runs: Sequence[PartRun]) -> Iterator[str]:
    """That files were left out by the tool itself."""
    said = [run.complaint for run in runs if run.complaint]
    if said:
        runs_of = "its run" if len(runs) == 1 else f"{len(said)} of {len(runs)} runs"
        yield f"{tool.name} could not read all files in {runs_of}; it said:\n{said[0]}"


def _unheard(tool: ExternalTool, options: ToolOptions) -> list[str]:
    """Which of the user's wishes the tool cannot hear."""
    used = used_placeholders(tool)
    asked = {
        "threshold": options.threshold is not None and not takes_threshold(tool),
        "minimum of tokens": "min_tokens" not in used,
        "minimum of lines": options.min_lines > 1 and "min_lines" not in used,
    }
    return [f"{tool.name} takes no {wish}: it was run without." for wish, deaf in asked.items() if deaf]


@dataclass(frozen=True)
class _Stage:
    """A folder in which a tool runs once."""

    tool: ExternalTool
    options: ToolOptions
    program: Path | None
    folder: Path

    def run(self, part: InputPart, files: Mapping[str, Path]) -> PartRun:
        names = self._lay_out(part, files)
        values = self._values(part, sorted(names))
        for name, text in self.tool.inputs.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(fill_text(text, values), encoding="utf-8")
        commands = [fill_command(step, values, shell=self.tool.shell) for step in self.tool.steps]
        begin = time.monotonic()
        place = Path(fill_text(self.tool.folder, values))
        complaints = [self._step(number, command, place, names) for number, command in enumerate(commands)]
        seconds = time.monotonic() - begin
        # Parts may be many, and their copies together much larger than the source.
        shutil.rmtree(self.folder / _SOURCE)
        said = "\n".join(filter(None, complaints))
        return PartRun(self._report(), names, seconds, tuple(map(tuple, commands)), said)

    def _lay_out(self, part: InputPart, files: Mapping[str, Path]) -> dict[str, str]:
        """Copy the files; our names by theirs."""
        (self.folder / _SOURCE).mkdir()
        names = {}
        for number, name in enumerate(part.names):
            copy = f"{number:06}{_ending(name, part)}"
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

    def _step(self, number: int, command: list[str], folder: Path, names: Mapping[str, str]) -> str:
        """Run a command; what it complained of."""
        last = number == len(self.tool.steps) - 1
        output = self.folder / (_REPORT if last and self._printed else f"stdout-{number}.txt")
        errors = self.folder / _ERRORS
        code = run_process(command, folder, output, errors, self.options.limits)
        if code in self.tool.exit_codes:
            return ""
        said = _COPY.sub(lambda copy: names.get(copy[0], copy[0]), last_words(errors, output))
        if code in self.tool.partial_codes:
            return said
        ended = f"ended with code {code}" if code >= 0 else f"was ended by signal {-code}"
        what = f"{self.tool.name} {ended}, so that nothing it wrote counts."
        raise ToolError(what, where=command[0], hint=f"It said:\n{said}")

    @property
    def _printed(self) -> bool:
        return "report" not in used_placeholders(self.tool) and self.tool.report == (_REPORT,)

    def _report(self) -> tuple[Path, ...]:
        found = tuple(sorted(path for pattern in self.tool.report for path in self.folder.glob(pattern)))
        if not found:
            raise ToolError(
                f"{self.tool.name} left no report: there is no file {' or '.join(self.tool.report)}.",
                where=self.folder,
                hint=f"It said:\n{last_words(self.folder / _ERRORS)}",
            )
        return () if self._printed and not found[0].stat().st_size else found


def _ending(name: str, part: InputPart) -> str:
    """How a copy ends. A tool that is told the language may know its usual ending only (`.c`, but not `.h`)."""
    found = language_of_path(name) if part.language else None
    return found.extensions[0] if found else PurePath(name).suffix
