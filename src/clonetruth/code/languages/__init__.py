"""The languages: one file each, one line here."""

from __future__ import annotations

import os
from pathlib import PurePath

from clonetruth.code.language import Language
from clonetruth.registry import Registry

__all__ = ["LANGUAGES", "language", "language_of_path", "languages_of_path"]

LANGUAGES: Registry[Language] = Registry(
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
    },
)


def language(name: str) -> Language:
    """Return the language with a name, or with a common alias (``c++``, ``py``).

    Raises:
        UnknownNameError: no language has this name.
    """
    return LANGUAGES[name.lower()]


def language_of_path(path: str | os.PathLike[str]) -> Language | None:
    """Return the language of a file by its extension; None if the extension is unknown.

    Of several, it is the first: C for `.h`. `headers.file_languages` decides by the project around a file.
    """
    return next(iter(languages_of_path(path)), None)


def languages_of_path(path: str | os.PathLike[str]) -> tuple[Language, ...]:
    """Return the languages that the extension of a file may stand for."""
    suffix = PurePath(path).suffix
    # '.H' and '.C' are C++ by convention, so the exact spelling is tried before lower case.
    for wanted in (suffix, suffix.lower()):
        if found := tuple(LANGUAGES[name] for name in LANGUAGES if wanted in LANGUAGES[name].extensions):
            return found
    return ()
