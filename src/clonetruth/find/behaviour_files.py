"""The functions of searched files, as they are run: in their file, with the files around it that it may import."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath

from clonetruth.code import decode, language
from clonetruth.code.parsing import source_bytes
from clonetruth.code.source import read_data
from clonetruth.detectors.finder import FinderOptions
from clonetruth.errors import InputError
from clonetruth.execution import BehaviourComparison, Code, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.output_digests import OutputFingerprint, output_fingerprint
from clonetruth.execution.project_files import PROJECT_FILE, import_root, read_all, surroundings, within_limits
from clonetruth.find.behaviour_findings import FunctionPlace
from clonetruth.find.functions import functions_of
from clonetruth.find.search_result import SearchedFile
from clonetruth.options.find import FindOptions

_UNREAD = "the file cannot be read"
_FAILED = "the harness failed"
_DECLARED = "is only declared"
_OVERLOAD = re.compile(r"^[ \t]*@(?:\w+\.)*overload\b.*\n(?:[ \t]*@.*\n)*", re.MULTILINE)
"""The decorators of a declaration that precedes a Python function, without its last line: the one with its name."""
_DECLARATIONS = ".pyi"


@dataclass(frozen=True)
class RunnableFiles:
    """What worker processes know: the files, how to run them, and generated files that they may import."""

    files: tuple[SearchedFile, ...]
    options: FindOptions
    generated: tuple[SearchedFile, ...] = ()

    @cached_property
    def by_name(self) -> Mapping[str, SearchedFile]:
        return {one.name: one for one in self.files}

    def functions(self, file: SearchedFile, text: str, *, all_sizes: bool = False) -> Iterator[FunctionPlace]:
        """The functions of a file that are large enough."""
        options = self.options
        limits = FinderOptions(None, 1, 1) if all_sizes else FinderOptions(None, options.min_tokens, options.min_lines)
        for part in functions_of([source_bytes(text)], language(file.language), limits).parts:
            for name, first, last in zip(part.name, part.first_line.tolist(), part.last_line.tolist(), strict=True):
                yield FunctionPlace(file.name, first, last, name, file.language)

    def around(self, file: SearchedFile, text: str) -> tuple[str, dict[str, bytes]]:
        """The name of a file as others import it, and the searched files that it may import."""
        top = import_root(file.path.absolute(), file.language, text)
        own = file.path.absolute().relative_to(top).as_posix()
        found = surroundings(own, self._below(top, file.language), file.language, text)
        return found.relative(own), within_limits(self._read(top, found.names))

    def _below(self, top: Path, language_name: str) -> list[str]:
        """The searched files of a language in a folder, as others import them."""
        key = top, language_name
        if key not in self._names:
            every = (*self.files, *self.generated)
            paths = (one.path.absolute() for one in every if one.language == language_name)
            names = [PurePosixPath(one.relative_to(top)) for one in paths if one.is_relative_to(top)]
            self._names[key] = [str(one) for one in names if not any(part.startswith(".") for part in one.parts)]
            if (top / PROJECT_FILE).is_file():
                self._names[key].append(PROJECT_FILE)
        return self._names[key]

    def _read(self, top: Path, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Files, each of which is read once for all that are around it."""
        for name in names:
            if (top, name) not in self._contents:
                self._contents[top, name] = next((content for _, content in read_all(top, [name])), None)
            content = self._contents[top, name]
            if content is not None:
                yield name, content

    @cached_property
    def _names(self) -> dict[tuple[Path, str], list[str]]:
        return {}

    @cached_property
    def _contents(self) -> dict[tuple[Path, str], bytes | None]:
        return {}


@dataclass(frozen=True)
class _FileToRun:
    """A file with functions: its text, how often it has each name, the lines of declarations, and what is around it."""

    text: str
    names: Counter[str]
    declared: frozenset[int]
    path: str
    around: dict[str, bytes]


def declared_lines(text: str) -> frozenset[int]:
    """The lines of Python functions that are only declared, as overloads of another, with those of their decorators."""
    found = set[int]()
    for one in _OVERLOAD.finditer(text):
        first = text.count("\n", 0, one.start()) + 1
        found.update(range(first, first + one.group().count("\n") + 1))
    return frozenset(found)


@dataclass
class FunctionRunner:
    """Runs functions in one sandbox after the other; a worker process has one for each batch."""

    project: RunnableFiles
    harnesses: Harnesses
    _files: dict[str, _FileToRun] = field(default_factory=dict)

    def code(self, function: FunctionPlace) -> Code | None:
        """A function in its file, or alone if its file has several of its name; None if it is only declared.

        Raises:
            InputError: the file can no longer be read.
        """
        if function.path not in self._files:
            self._files[function.path] = self._file(self.project.by_name[function.path])
        file = self._files[function.path]
        if function.first_line in file.declared or function.path.endswith(_DECLARATIONS):
            return None
        if file.names[function.name] > 1:
            lines = file.text.split("\n")[function.first_line - 1 : function.last_line]
            return Code("\n".join(lines), function.language)
        return Code(file.text, function.language, function.name, file.path, file.around)

    def _file(self, file: SearchedFile) -> _FileToRun:
        text = decode(read_data(file.path)).text
        declared = declared_lines(text) if file.language == "python" else frozenset()
        functions = self.project.functions(file, text, all_sizes=True)
        names = Counter(one.name for one in functions if one.first_line not in declared)
        return _FileToRun(text, names, declared, *self.project.around(file, text))

    def fingerprint(self, function: FunctionPlace) -> OutputFingerprint | str:
        """What a function gives for the inputs that all functions share, or why that is not known."""
        try:
            code = self.code(function)
            return _DECLARED if code is None else output_fingerprint(code, self.harnesses)
        except InputError:
            return _UNREAD
        except (ValueError, LookupError, OSError):  # of strange code that a harness did not expect
            self.harnesses.close()
            return _FAILED

    def compare(self, left: FunctionPlace, right: FunctionPlace) -> BehaviourComparison | str:
        """What two functions do with the same inputs, or why that is not known."""
        options = self.project.options
        budget = SearchBudget(runs=options.run_inputs, seconds=options.run_seconds)
        try:
            codes = self.code(left), self.code(right)
            if codes[0] is None or codes[1] is None:
                return _DECLARED
            return compare_behaviour(codes[0], codes[1], self.harnesses, budget=budget)
        except InputError:
            return _UNREAD
        except (ValueError, LookupError, OSError):
            self.harnesses.close()
            return _FAILED
