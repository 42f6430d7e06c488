"""The languages: one file each, one line here."""

from __future__ import annotations

from pathlib import PurePath

from clonetruth.code.language import Language
from clonetruth.registry import Registry

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
    """The language of that name (or of a common other spelling of it)."""
    return LANGUAGES[name.lower()]


def language_of_path(path: str | PurePath) -> Language | None:
    """The language of a file by its ending; None where no language claims it."""
    suffix = PurePath(path).suffix
    lowered = suffix.lower()
    # '.H' and '.C' are C++ by old custom, which lowering would lose: the exact spelling is tried first.
    for wanted in (suffix, lowered):
        for name in LANGUAGES:
            if wanted in LANGUAGES[name].extensions:
                return LANGUAGES[name]
    return None
