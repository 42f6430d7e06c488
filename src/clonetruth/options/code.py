"""`clonetruth code …`: inspect source text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import WORD, Options, argument, option
from clonetruth.options.shared import JsonOptions, ProcessOptions

FORMS = ("type-1", "type-2-consistent", "type-2-blind")


@dataclass(frozen=True, kw_only=True)
class _LanguageOptions(Options):
    """The language of source text."""

    language: str | None = option(
        None, metavar="NAME", project=WORD, help="Language of the files (default: by file extension)."
    )


@dataclass(frozen=True, kw_only=True)
class LanguagesOptions(JsonOptions, command="code languages", function="list_languages"):
    """List the languages and their file name extensions."""


@dataclass(frozen=True, kw_only=True)
class FunctionsOptions(
    _LanguageOptions, ProcessOptions, JsonOptions, command="code functions", function="extract_functions"
):
    """Extract the functions of files and folders, with exact line ranges.

    Broken source yields what parses; lines that do not parse are reported.
    """

    paths: tuple[Path, ...] = argument(metavar="PATH", help="Files and folders.")
    nested: bool = option(False, help="Include functions inside functions.")
    lambdas: bool = option(False, help="Include anonymous functions.")
    text: bool = option(False, terminal=True, help="With --json: include the text of each function.")


@dataclass(frozen=True, kw_only=True)
class TokensOptions(_LanguageOptions, JsonOptions, command="code tokens", function="tokenize_code"):
    """List the tokens of a file with their classes, without comments."""

    file: Path = argument(metavar="FILE", help="A source file.")


@dataclass(frozen=True, kw_only=True)
class FormOptions(_LanguageOptions, JsonOptions, command="code form", function="normalise_code"):
    """Print a file in a normal form: without layout, with consistently renamed names, or without names and values."""

    file: Path = argument(metavar="FILE", help="A source file.")
    form: str = option("type-1", choices=FORMS, help="The normal form.")


ABSTRACTED_OBJECTS = ("types", "all")
ABSTRACTED_FUNCTIONS = ("declared", "called")


@dataclass(frozen=True, kw_only=True)
class AbstractOptions(_LanguageOptions, JsonOptions, command="code abstract", function="abstract_code"):
    """Print a file at one of the abstraction levels of Li, Gao and Zhang.

    Level 0 removes the package line and comments; 1 also renames variables and the file's own types; 2 also other
    types; 3 also functions. The last two are readings of the paper; --objects and --functions choose others.
    """

    file: Path = argument(metavar="FILE", help="A source file.")
    level: int = option(1, minimum=0, maximum=3, help="The abstraction level.")
    objects: str = option(
        "types", choices=ABSTRACTED_OBJECTS, help="What level 2 renames: undeclared types, or all undeclared names."
    )
    functions: str = option(
        "declared", choices=ABSTRACTED_FUNCTIONS, help="What level 3 renames: functions also if only declared, or not."
    )


@dataclass(frozen=True, kw_only=True)
class MetricsOptions(_LanguageOptions, JsonOptions, command="code metrics", function="measure_code"):
    """Measure every function in files and folders: size, complexity, and the 24 metrics of Oreo."""

    paths: tuple[Path, ...] = argument(metavar="PATH", help="Files and folders.")
