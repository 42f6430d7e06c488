"""What an external tool is: a program of others, how it is called, and what it leaves."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from clonetruth.detectors.spec import check_parameters
from clonetruth.errors import InputError, MissingExtraError

Arguments = tuple[str, ...]
"""The words of a command. Placeholders in braces are filled in; see `docs/external-tools.md`."""


@dataclass(frozen=True)
class ExternalTool:
    """A tool that looks for clones in a folder: a declaration, one file each.

    Attributes:
        name: how it is asked for.
        description: what it finds, in a sentence.
        homepage: where it comes from.
        licence: under which licence.
        programs: what it may be called on the search path; the first that is there is taken.
        install: how to get it, in a sentence.
        steps: the commands, one after another.
        report_format: who reads the report, by the name of a report format; None: it is recognised.
        report: which files are the report, as patterns below the work folder; `{report}` is the file `report`. What the
            last step prints becomes that file where no step names it.
        folder: where the commands run.
        inputs: text files that it needs in its work folder, by name; with placeholders.
        languages: which languages it reads, with its own names of them, one at a time; None: it sees for itself.
        exit_codes: those that mean success.
        partial_codes: those that mean success but for files that it could not read, which is told.
        default_threshold: the similarity from which it calls a pair a clone; None where it has no such notion.
        default_min_lines: the least lines of a clone where the user says nothing: for tools that count no tokens.
        full_score: the score of equal places in its report.
        lists_all_pairs: the report has all pairs with their scores, so that the threshold is applied here.
        parameters: what a user may set: the values, the first being the default, with the words that they add to
            the command at `{arguments}`.
        settings: the values that were set.
        shell: the step is a line for the shell.
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
        """The environment variable that may name the program, where it is not on the search path."""
        return f"CLONETRUTH_{self.name.upper()}"

    def with_parameters(self, **values: str) -> Self:
        """The same tool with other parameters.

        Raises:
            InputError: there is no such parameter, or it cannot have that value.
        """
        check_parameters(f"the tool '{self.name}'", self.parameters, values)
        return replace(self, settings={**self.settings, **values})

    def arguments(self) -> Arguments:
        """The words that the parameters add to the command."""
        chosen = (values[self.settings.get(name, next(iter(values)))] for name, values in self.parameters.items())
        return tuple(word for words in chosen for word in words)

    def program(self) -> Path | None:
        """Where the program is; None where it is not installed.

        Raises:
            InputError: the tool's environment variable names nothing that can be run.
        """
        if named := os.environ.get(self.variable):
            path = Path(named).absolute()
            if path.is_file() and (path.suffix == ".jar" or os.access(path, os.X_OK)):
                return path
            raise InputError(f"{self.variable} names no program.", where=named, hint="Give a program, or a .jar file.")
        found = next(filter(None, map(shutil.which, self.programs)), None)
        return Path(found).absolute() if found else None

    def needed_program(self) -> Path:
        """Where the program is.

        Raises:
            MissingExtraError: it is not installed; the message says how to get it.
            InputError: the tool's environment variable names nothing that can be run.
        """
        if (found := self.program()) is not None:
            return found
        raise MissingExtraError(
            f"{self.name} is not installed: there is no program {' or '.join(self.programs)} on the search path.",
            hint=f"{self.install} Or name it in {self.variable}. See {self.homepage}",
        )
