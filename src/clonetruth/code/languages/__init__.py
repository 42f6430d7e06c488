"""The languages: one file each, one line here."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import PurePath

from clonetruth.code.language import Language
from clonetruth.errors import MissingExtraError
from clonetruth.registry import Registry

__all__ = [
    "LANGUAGES",
    "language",
    "language_of_path",
    "languages_of_path",
    "missing_extra",
    "names_of_suffix",
    "registered_languages",
]


class _Languages(Registry[Language]):
    """The languages that can be read here: those of an extra count only if their grammar is installed."""

    def __getitem__(self, name: str) -> Language:
        found = super().__getitem__(name)
        if not found.installed:
            raise MissingExtraError.extra(f"Reading {found.title}", found.extra or "")
        return found

    def __iter__(self) -> Iterator[str]:
        return (name for name in super().__iter__() if super(_Languages, self).__getitem__(name).installed)

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) and super().__getitem__(str(name)).installed

    def registered(self) -> Iterator[Language]:
        """All languages, installed or not."""
        return (super(_Languages, self).__getitem__(name) for name in super().__iter__())


LANGUAGES = _Languages(
    "language",
    {
        "java": "clonetruth.code.languages.java:JAVA",
        "c": "clonetruth.code.languages.c:C",
        "cpp": "clonetruth.code.languages.cpp:CPP",
        "csharp": "clonetruth.code.languages.csharp:CSHARP",
        "python": "clonetruth.code.languages.python:PYTHON",
        "javascript": "clonetruth.code.languages.javascript:JAVASCRIPT",
        "typescript": "clonetruth.code.languages.typescript:TYPESCRIPT",
        "tsx": "clonetruth.code.languages.typescript:TSX",
        "go": "clonetruth.code.languages.go:GO",
        "rust": "clonetruth.code.languages.rust:RUST",
        "php": "clonetruth.code.languages.php:PHP",
        "ruby": "clonetruth.code.languages.ruby:RUBY",
        "bash": "clonetruth.code.languages.bash:BASH",
        "lua": "clonetruth.code.languages.lua:LUA",
        "kotlin": "clonetruth.code.languages.kotlin:KOTLIN",
        "scala": "clonetruth.code.languages.scala:SCALA",
        "swift": "clonetruth.code.languages.swift:SWIFT",
        "dart": "clonetruth.code.languages.dart:DART",
        "objc": "clonetruth.code.languages.objc:OBJC",
        "sql": "clonetruth.code.languages.sql:SQL",
        "vue": "clonetruth.code.languages.components:VUE",
        "svelte": "clonetruth.code.languages.components:SVELTE",
    },
    group="clonetruth.languages",
    of=Language,
    aliases={
        "c++": "cpp",
        "cxx": "cpp",
        "c#": "csharp",
        "cs": "csharp",
        "py": "python",
        "js": "javascript",
        "ts": "typescript",
        "golang": "go",
        "rs": "rust",
        "kt": "kotlin",
        "rb": "ruby",
        "sh": "bash",
        "shell": "bash",
        "objective-c": "objc",
    },
)


def language(name: str) -> Language:
    """Return the language with a name, or with a common alias (``c++``, ``py``).

    Raises:
        UnknownNameError: no language has this name.
        MissingExtraError: its grammar is not installed.
    """
    return LANGUAGES[name.lower()]


def language_of_path(path: str | os.PathLike[str]) -> Language | None:
    """Return the language of a file by its extension; None if the extension is unknown.

    Of several, it is the first: C for `.h`. `headers.file_languages` decides by the project around a file.
    """
    return next(iter(languages_of_path(path)), None)


def languages_of_path(path: str | os.PathLike[str], *, missing: bool = False) -> tuple[Language, ...]:
    """Return the languages that the extension of a file may stand for.

    Args:
        path: the file.
        missing: also those whose grammar is not installed.
    """
    suffix = PurePath(path).suffix
    by_suffix = _by_suffix()
    # '.H' and '.C' are C++ by convention, so the exact spelling is tried before lower case.
    found = by_suffix.get(suffix) or by_suffix.get(suffix.lower(), ())
    return found if missing else tuple(one for one in found if one.installed)


def registered_languages() -> tuple[Language, ...]:
    """Return all languages, also those whose grammar is not installed."""
    return tuple(LANGUAGES.registered())


@cache
def names_of_suffix(suffix: str) -> tuple[str, ...]:
    """Return the names of the languages that an extension may stand for, also of those that are not installed."""
    return tuple(one.name for one in languages_of_path(f"name{suffix}", missing=True))


@cache
def missing_extra(languages: tuple[str, ...]) -> str | None:
    """Return the extra without which files in any of these languages cannot be read; None if they can."""
    if not languages or any(name in LANGUAGES for name in languages):
        return None
    return next(one.extra for one in registered_languages() if one.name in languages)


@cache
def _by_suffix() -> dict[str, tuple[Language, ...]]:
    found: dict[str, tuple[Language, ...]] = {}
    for one in LANGUAGES.registered():
        for extension in one.extensions:
            found[extension] = (*found.get(extension, ()), one)
    return found
