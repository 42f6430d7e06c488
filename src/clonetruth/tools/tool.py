"""The declaration of an external tool: its program, its commands and its report; and the options of a run."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from clonetruth.detectors.finder import FinderOptions
from clonetruth.detectors.spec import check_parameters
from clonetruth.errors import InputError, MissingExtraError
from clonetruth.tools.process import ProcessLimits

Arguments = tuple[str, ...]
"""The arguments of a command, with placeholders in braces; see `docs/external-tools.md`."""


@dataclass(frozen=True)
class ExternalTool:
    """A tool that finds clones in a folder, as a declaration.

    Attributes:
        name: the registry name.
        description: what it finds, in one sentence.
        homepage: where to find it.
        licence: its licence.
        programs: the possible names of its program on the PATH; the first that exists is used.
        install: how to install it, in one sentence.
        steps: the commands, in order.
        report_format: the name of the report's format; None detects it.
        report: glob patterns of the report files in the work folder; `{report}` is the file `report`. If no step
            mentions `{report}`, the output of the last step is written to that file.
        folder: the folder in which the commands run.
        inputs: the text files that it needs in its work folder, by name; with placeholders.
        languages: the languages that it reads, with its own names for them; it then runs once per language. None lets
            the tool detect languages itself.
        exit_codes: the exit codes that mean success.
        partial_codes: the exit codes that mean success apart from unreadable files, which a note reports.
        default_threshold: the lowest similarity of a clone; None if it has no threshold.
        default_min_lines: the minimum number of lines in a clone if the user sets none; for tools that do not count
            tokens.
        full_score: the score of equal locations in its report.
        lists_all_pairs: the report contains all pairs with their scores, so that the threshold is applied afterwards.
        parameters: what a user may set: each value, the first being the default, with the arguments that it adds to
            the command at `{arguments}`.
        settings: the chosen values.
        shell: the single step is a line for the shell.
    """

    name: str
    description: str
    homepage: str
    licence: str
    programs: tuple[str, ...]
    install: str
    steps: tuple[Arguments, ...]
    report_format: str | None
    report: tuple[str, ...] = ("report",)
    folder: str = "{work}"
    inputs: Mapping[str, str] = field(default_factory=dict)
    languages: Mapping[str, str] | None = None
    exit_codes: frozenset[int] = frozenset({0})
    partial_codes: frozenset[int] = frozenset()
    default_threshold: float | None = None
    default_min_lines: int = 1
    full_score: float = 1.0
    lists_all_pairs: bool = False
    parameters: Mapping[str, Mapping[str, Arguments]] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    shell: bool = False

    @property
    def variable(self) -> str:
        """The environment variable that may hold the path of the program."""
        return f"CLONETRUTH_{self.name.upper()}"

    def with_parameters(self, **values: str) -> Self:
        """Return a copy with other parameters.

        Raises:
            InputError: an unknown parameter, or a value that it does not permit.
        """
        check_parameters(f"the tool '{self.name}'", self.parameters, values)
        return replace(self, settings={**self.settings, **values})

    def arguments(self) -> Arguments:
        """The arguments that the parameters add to the command."""
        chosen = (values[self.settings.get(name, next(iter(values)))] for name, values in self.parameters.items())
        return tuple(word for words in chosen for word in words)

    def program(self) -> Path | None:
        """The path of the program; None if it is not installed.

        Raises:
            InputError: the tool's environment variable does not name an executable.
        """
        if value := os.environ.get(self.variable):
            path = Path(value).absolute()
            if path.is_file() and (path.suffix == ".jar" or os.access(path, os.X_OK)):
                return path
            raise InputError(
                f"{self.variable} is not the path of a program.",
                where=value,
                hint="Set it to an executable or a .jar file.",
            )
        found = next(filter(None, map(shutil.which, self.programs)), None)
        return Path(found).absolute() if found else None

    def require_program(self) -> Path:
        """The path of the program.

        Raises:
            MissingExtraError: it is not installed; the message says how to install it.
            InputError: the tool's environment variable does not name an executable.
        """
        if (found := self.program()) is not None:
            return found
        raise MissingExtraError(
            f"{self.name} is not installed: {' or '.join(self.programs)} is not on the PATH.",
            hint=f"{self.install} Or set {self.variable} to its path. See {self.homepage}",
        )


@dataclass(frozen=True)
class ToolOptions(FinderOptions):
    """Which clones to report, and how to run a tool on files. A run notes the options that its tool does not support.

    Attributes:
        by_folder: run the tool once per top-level folder, and compare nothing across folders.
        max_files: the maximum number of files per run. More files are divided into blocks of half that number, and
            every two blocks run together, so that no pair of files is missed.
        limits: the time and memory limits of one run.

    Raises:
        InputError: a value is out of range.
    """

    by_folder: bool = False
    max_files: int | None = None
    limits: ProcessLimits = field(default_factory=ProcessLimits)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_files is not None and self.max_files < 2:
            raise InputError(
                f"With {self.max_files} files per run, no two files are compared.",
                where="max_files",
                hint="Use 2 or more.",
            )
