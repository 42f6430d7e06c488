"""A piece of code as a user names it: FILE, FILE:FIRST-LAST, or FILE::NAME."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from clonetruth.code.fragments import Function, extract
from clonetruth.code.inspection import read_code
from clonetruth.code.language import Language
from clonetruth.errors import InputError

_LINES = re.compile(r"(?s)(.+):(\d+)-(\d+)")
_FUNCTION = re.compile(r"(?s)(.+?)::([^:]+(?:::[^:]+)*)")
_FURTHER = re.compile(r"@\s*(?:typing\.)?overload\b|@\s*[\w.]+\.(?:setter|deleter)\b")
"""Decorators of Python's functions that are not the one that a name stands for: declarations of types, and what sets a
property."""
_LISTED = 8
"""Functions that an error names."""


@dataclass(frozen=True)
class CodePiece:
    """A piece of code in a file.

    Attributes:
        title: as the user named it.
        path: its file.
        language: its language's name.
        text: its own text.
        file_text: the text of the file.
        first_line: its first line in the file.
        function: the qualified name of the function that it is; None if it is a file or any other lines.
    """

    title: str
    path: Path
    language: str
    text: str
    file_text: str
    first_line: int = 1
    function: str | None = None


def read_piece(name: str | os.PathLike[str], language_name: str | None = None) -> CodePiece:
    """Read the piece of code that a name denotes.

    Args:
        name: `FILE`, `FILE:FIRST-LAST` by line numbers, `FILE::NAME`, `FILE::Class.NAME` or, as in C++,
            `FILE::Class::NAME`. A file whose own name has such a form comes first.
        language_name: its language (default: by the file name).

    Raises:
        InputError: the file cannot be read, its language is unknown, or it has no such lines or function, or several.
        UnknownNameError: the language is unknown.
    """
    title = os.fspath(name)
    if not Path(title).exists():
        if lines := _LINES.fullmatch(title):
            return _range(title, lines[1], int(lines[2]), int(lines[3]), language_name)
        if function := _FUNCTION.fullmatch(title):
            return _named(title, function[1], function[2].replace("::", "."), language_name)
    text, language = read_code(title, language_name)
    return CodePiece(title, Path(title), language.name, text, text)


def _range(title: str, file: str, first: int, last: int, language_name: str | None) -> CodePiece:
    text, language = read_code(file, language_name)
    lines = text.removesuffix("\n").split("\n")
    if not 1 <= first <= last <= len(lines):
        raise InputError(f"The file has the lines 1–{len(lines)}, not {first}–{last}.", where=file)
    part = "\n".join(lines[first - 1 : last])
    return CodePiece(title, Path(file), language.name, part, text, first, _only_function(text, language, first, last))


def _only_function(text: str, language: Language, first: int, last: int) -> str | None:
    """The function that some lines are, if they are one and no other has its name."""
    functions = extract(text, language).functions
    touched = [one for one in functions if one.first_line <= last and first <= one.last_line]
    if len(touched) != 1 or touched[0].first_line < first or touched[0].last_line > last:
        return None
    name = touched[0].qualified_name
    return name if [one.qualified_name for one in functions].count(name) == 1 else None


def _named(title: str, file: str, name: str, language_name: str | None) -> CodePiece:
    text, language = read_code(file, language_name)
    functions = extract(text, language).functions
    found = [one for one in functions if one.qualified_name == name]
    found = found or [one for one in functions if one.qualified_name.endswith(f".{name}")]
    if not found:
        known = ", ".join(dict.fromkeys(one.qualified_name for one in functions[:_LISTED])) or "none"
        more = " …" if len(functions) > _LISTED else ""
        raise InputError(f"There is no function '{name}'.", where=file, hint=f"Its functions: {known}{more}.")
    if len(found) > 1 and language.name == "python":
        lines = text.split("\n")
        own = [one for one in found if not _FURTHER.search("\n".join(_decorators(lines, one)))]
        found = own if len(own) == 1 else found
    if len(found) > 1:
        places = ", ".join(f"{one.qualified_name} (lines {_lines(one)})" for one in found[:_LISTED])
        raise InputError(
            f"{len(found)} functions are named '{name}': {places}.",
            where=file,
            hint=f"Name one by its class, or by its lines: {file}:{_lines(found[0])}",
        )
    (one,) = found
    # Whole lines, so that the indentation is that of the file.
    part = "\n".join(text.split("\n")[one.first_line - 1 : one.last_line])
    return CodePiece(title, Path(file), language.name, part, text, one.first_line, one.qualified_name)


def _decorators(lines: list[str], function: Function) -> list[str]:
    """The lines of a function's decorators, which are part of it or right above it."""
    above = function.first_line - 1
    while above > 0 and lines[above - 1].lstrip().startswith("@"):
        above -= 1
    whole = lines[above : function.last_line]
    end = next((at for at, one in enumerate(whole) if one.lstrip().startswith(("def ", "async def "))), 0)
    return whole[:end]


def _lines(function: Function) -> str:
    return f"{function.first_line}-{function.last_line}"
