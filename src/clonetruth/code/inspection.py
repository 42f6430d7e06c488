"""Inspection of source files: their functions, tokens, normal forms, abstractions and metrics."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from pathlib import Path

from clonetruth.code.abstraction import AbstractionReading, abstract
from clonetruth.code.files import ExtractedFile, extract_files, source_files
from clonetruth.code.forms import Form, normal_form
from clonetruth.code.fragments import ExtractOptions
from clonetruth.code.headers import file_languages
from clonetruth.code.language import Language
from clonetruth.code.languages import LANGUAGES, language, languages_of_path
from clonetruth.code.metrics import FragmentMetrics, fragment_metrics
from clonetruth.code.parallel import available_cores
from clonetruth.code.parsing import parse
from clonetruth.code.source import read_source
from clonetruth.code.tokens import Token, token_stream
from clonetruth.errors import CloneTruthWarning, InputError
from clonetruth.options.code import (
    AbstractOptions,
    FormOptions,
    FunctionsOptions,
    LanguagesOptions,
    MetricsOptions,
    TokensOptions,
)
from clonetruth.options.declaration import verb
from clonetruth.progress import Progress, no_progress

_FILES_PER_PROCESS = 50
"""Files that justify starting a worker process."""


@dataclass(frozen=True)
class LanguageSummary:
    """A language: its name, its title for people, and its file name extensions."""

    name: str
    title: str
    extensions: tuple[str, ...]


@dataclass(frozen=True)
class MeasuredFunction:
    """A function with its metrics.

    Attributes:
        path: its file.
        name: its qualified name.
        first_line: its first line, 1-based.
        metrics: its metrics.
    """

    path: Path
    name: str
    first_line: int
    metrics: FragmentMetrics


def read_code(file: str | os.PathLike[str], language_name: str | None = None) -> tuple[str, Language]:
    """Read a source file; return its text and its language, by default by its extension.

    Raises:
        InputError: the file cannot be read, or its extension is unknown.
        UnknownNameError: the language is unknown.
    """
    text = read_source(file).text
    names = [language_name] if language_name else [one.name for one in languages_of_path(file)]
    if not names:
        raise InputError(
            "The language cannot be derived from the file name.",
            where=Path(file),
            hint=f"Use --language ({', '.join(LANGUAGES)}).",
        )
    (name,) = file_languages([(Path(file), names)])
    return text, language(name)


@verb(LanguagesOptions)
def list_languages(options: LanguagesOptions) -> list[LanguageSummary]:
    """List the languages and their file name extensions.

    Example:
        >>> [one.extensions for one in clonetruth.list_languages() if one.name == "python"]
        [('.py', '.pyw', '.pyi')]
    """
    return [LanguageSummary(name, LANGUAGES[name].title, LANGUAGES[name].extensions) for name in LANGUAGES]


@verb(FunctionsOptions)
def extract_functions(options: FunctionsOptions, *, progress: Progress | None = None) -> list[ExtractedFile]:
    """Extract the functions of files and folders, with exact line ranges.

    Broken source yields what parses: `ExtractedFile.problems` lists the lines that do not, and `ExtractedFile.error`
    is the reason if a file could not be read.

    Args:
        progress: called as the work goes on.

    Raises:
        InputError: a path does not exist.
        UnknownNameError: the language is unknown.

    Example:
        >>> files = clonetruth.extract_functions("src")
        >>> [(f.name, f.first_line, f.last_line) for f in files[0].functions]
        [('total', 2, 10)]
    """
    report = progress or no_progress
    files = list(source_files(options.paths, [options.language] if options.language else []))
    extracted = extract_files(
        files,
        ExtractOptions(nested=options.nested, lambdas=options.lambdas),
        language_name=options.language,
        processes=min(options.processes or available_cores(), max(1, len(files) // _FILES_PER_PROCESS)),
    )
    results = []
    for file in extracted:
        results.append(file)
        report("Reading files", 1, len(files))
    return results


@verb(TokensOptions)
def tokenize_code(options: TokensOptions) -> list[Token]:
    """List the tokens of a file with their classes, without comments.

    Raises:
        InputError: the file cannot be read, or its extension is unknown.
        UnknownNameError: the language is unknown.

    Example:
        >>> [token.text for token in clonetruth.tokenize_code("src/orders.py")[:4]]
        ['def', 'total', '(', 'orderss']
    """
    text, file_language = read_code(options.file, options.language)
    return token_stream(parse(text, file_language, lone=True)).tokens()


@verb(FormOptions)
def normalise_code(options: FormOptions) -> str:
    """Return a file in a normal form: without layout, with consistently renamed names, or without names and values.

    For a text that is not in a file, see `normal_form`.

    Raises:
        InputError: the file cannot be read, or its extension is unknown.
        UnknownNameError: the language is unknown.

    Example:
        >>> print(clonetruth.normalise_code("src/orders.py", form="type-2-blind").splitlines()[0])
        def ID (ID, ID) :
    """
    text, file_language = read_code(options.file, options.language)
    return normal_form(text, file_language, Form(options.form))


@verb(AbstractOptions)
def abstract_code(options: AbstractOptions) -> str:
    """Return a file at one of the abstraction levels of Li, Gao and Zhang.

    Level 0 removes the package line and comments; 1 also renames variables and the file's own types; 2 also other
    types; 3 also functions. The last two are readings of the paper: `objects` and `functions` choose others. For a
    text that is not in a file, see `abstract`.

    Raises:
        InputError: the file cannot be read, or its extension is unknown.
        UnknownNameError: the language is unknown.

    Example:
        >>> print(clonetruth.abstract_code("src/orders.py", level=3).splitlines()[1])
        def fun0(var1, var2):
    """
    text, file_language = read_code(options.file, options.language)
    reading = AbstractionReading(options.objects, options.functions)
    return abstract(text, file_language, options.level, reading=reading)


@verb(MetricsOptions)
def measure_code(options: MetricsOptions, *, progress: Progress | None = None) -> list[MeasuredFunction]:
    """Measure every function in files and folders: size, complexity, and the 24 metrics of Oreo.

    A file that cannot be read is left out with a `CloneTruthWarning`.

    Args:
        progress: called as the work goes on.

    Raises:
        InputError: a path does not exist.
        UnknownNameError: the language is unknown.

    Example:
        >>> function, _ = clonetruth.measure_code("src")
        >>> function.name, function.metrics.complexity
        ('total', 5)
    """
    report = progress or no_progress
    measured: list[MeasuredFunction] = []
    files = list(source_files(options.paths, [options.language] if options.language else []))
    for file in extract_files(files, language_name=options.language):
        if file.error:
            warnings.warn(f"{file.path}: {file.error}", CloneTruthWarning, stacklevel=2)
        for function in file.functions:
            metrics = fragment_metrics(function.text, language(file.language))
            measured.append(MeasuredFunction(file.path, function.qualified_name, function.first_line, metrics))
        report("Measuring files", 1, len(files))
    return measured
