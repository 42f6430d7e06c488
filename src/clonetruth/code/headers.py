"""Headers of C and C++ have one extension, `.h`: the text of a header and the project around it decide.

1. Text that only C++ has (`class X`, `namespace`, `template <`, `std::`, `#include <vector>` …), outside comments,
   strings and `#ifdef __cplusplus`, makes a header C++. If there are only C sources around it, the grammar has to
   agree: fewer lines are broken as C++ than as C.
2. Otherwise the sources of the nearest folder with any, subfolders included: only C, or only C++.
3. If both are there: a header that reaches C++ text through its includes is C++; one that a C source reaches is C; one
   that only C++ sources reach is C++.
4. If nothing is known, the language as which fewer lines are broken; C if it is the same.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath

from clonetruth.budgets import read_bytes
from clonetruth.code.languages import language
from clonetruth.code.parse_guard import CostlyTextError
from clonetruth.code.parsing import parse
from clonetruth.code.source import decode
from clonetruth.errors import InputError

_C, _CPP = "c", "cpp"

_HINT = re.compile(
    rb"::|\b(?:class|namespace|template|public|private|protected|using|virtual|typename|explicit|mutable|noexcept"
    rb"|default|delete)\b|_cast\b|extern\s+\"C|#[ \t]*include[ \t]*<[\w/]+>"
)
"""A quick test: every text that only C++ has contains one of these."""
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/|(\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+')", re.DOTALL)
_STRING = re.compile(rb"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'|\[\[.*?\]\]", re.DOTALL)
"""Strings, and attributes, which C can qualify too: ``[[gnu::unused]]``."""
_ONLY_IN_DIRECTIVES = re.compile(rb"^[ \t]*(?:#[ \t]*include[ \t]*<[\w/]+>|extern\s+\"C\")", re.MULTILINE)
_ONLY_IN_CODE = re.compile(
    rb"\bclass\s+[A-Za-z_]|\bnamespace\b[\w:\s]*\{|\btemplate\s*<"
    rb"|^[ \t]*(?:public|private|protected)(?:[ \t]+\w+)?[ \t]*:(?!:)|[\w>]\s*::\s*[~\w]"
    rb"|\busing\s+(?:namespace\b|\w+\s*=)"
    rb"|\bvirtual\s+[\w~]|\btypename\s+\w|\b(?:static|dynamic|reinterpret|const)_cast\s*<|\bexplicit\s+\w+\s*\("
    rb"|\bmutable\s+\w|\)\s*(?:const\s*)?noexcept\b|=\s*(?:default|delete)\s*;",
    re.MULTILINE,
)
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b([^\n]*)")
_INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*[\"<]([^\">\n]+)[\">]", re.MULTILINE)
_INCLUDES_WITHIN = 1 << 16
"""Bytes of a file in which its includes are looked for."""


def file_languages(files: Sequence[tuple[Path, Sequence[str]]]) -> list[str]:
    """Return the language of each file of a project.

    Args:
        files: each file with the names of the languages that its extension may stand for, at least one.
    """
    if not any(len(names) > 1 and set(names) == {_C, _CPP} for _, names in files):
        return [names[0] for _, names in files]
    project = _Project(files)
    return [project.language(path) if set(names) == {_C, _CPP} else names[0] for path, names in files]


class _Project:
    """The C and C++ files of a project."""

    def __init__(self, files: Sequence[tuple[Path, Sequence[str]]]) -> None:
        self._headers = [path for path, names in files if len(names) > 1]
        self._sources = {path: names[0] for path, names in files if len(names) == 1 and names[0] in (_C, _CPP)}
        self._in_folder: dict[Path, set[str]] = defaultdict(set)
        for path, name in self._sources.items():
            for folder in path.parents:
                self._in_folder[folder].add(name)

    def language(self, header: Path) -> str:
        around = next((self._in_folder[folder] for folder in header.parents if folder in self._in_folder), set())
        if around == {_CPP}:
            return _CPP
        text = _text(header)
        if _is_only_cpp(text):
            return _CPP if around != {_C} else _by_grammar(text)
        if around == {_C}:
            return _C
        if around:
            if header in self._reaching_cpp:
                return _CPP
            if header in self._reached[_C]:
                return _C
            if header in self._reached[_CPP]:
                return _CPP
        return _by_grammar(text)

    @cached_property
    def _includes(self) -> dict[Path, list[Path]]:
        """The headers that each file includes, as far as they are in the project."""
        by_name: dict[str, list[Path]] = defaultdict(list)
        for header in self._headers:
            by_name[header.name].append(header)
        return {path: [*_included(path, by_name)] for path in (*self._headers, *self._sources)}

    @cached_property
    def _reached(self) -> dict[str, set[Path]]:
        """The headers that sources of each language include, directly or through others."""
        return {
            name: _closure((path for path, own in self._sources.items() if own == name), self._includes)
            for name in (_C, _CPP)
        }

    @cached_property
    def _reaching_cpp(self) -> set[Path]:
        """The headers that include text that only C++ has."""
        includers: dict[Path, list[Path]] = defaultdict(list)
        for path, headers in self._includes.items():
            for header in headers:
                includers[header].append(path)
        return _closure((header for header in self._headers if _is_only_cpp(_text(header))), includers)


def _closure(start: Iterable[Path], edges: dict[Path, list[Path]]) -> set[Path]:
    found: set[Path] = set()
    pending = list(start)
    while pending:
        path = pending.pop()
        if path not in found:
            found.add(path)
            pending += edges.get(path, ())
    return found


def _included(path: Path, by_name: dict[str, list[Path]]) -> Iterable[Path]:
    for name in _INCLUDE.findall(_text(path)[:_INCLUDES_WITHIN]):
        parts = [
            part for part in PurePosixPath(name.decode("utf-8", errors="replace")).parts if part not in ("..", ".")
        ]
        for header in by_name.get(parts[-1], ()) if parts else ():
            if list(header.parts[-len(parts) :]) == parts:
                yield header


def _text(path: Path) -> bytes:
    """The text of a file, empty if it cannot be read: that is reported when it is searched."""
    try:
        return read_bytes(path)
    except (OSError, InputError):
        return b""


def _is_only_cpp(text: bytes) -> bool:
    """Whether a header has text that only C++ has."""
    if not _HINT.search(text):
        return False
    code = b"\n".join(_for_both(_COMMENT.sub(lambda match: match[1] or b" ", text)))
    return bool(_ONLY_IN_DIRECTIVES.search(code) or _ONLY_IN_CODE.search(_STRING.sub(b'""', code)))


def _for_both(text: bytes) -> Iterable[bytes]:
    """The lines that a C compiler reads too: not those that depend on `__cplusplus`."""
    hidden: list[bool | None] = []  # for each open condition; None if it does not ask for C++
    for line in text.split(b"\n"):
        directive = _DIRECTIVE.match(line)
        if directive is None:
            if not any(hidden):
                yield line
        elif directive[1] == b"endif":
            if hidden:
                hidden.pop()
        elif directive[1] in (b"else", b"elif"):
            # The other branch of `#ifndef __cplusplus` is for C++.
            hidden[-1:] = [None if one is None else not one for one in hidden[-1:]]
        elif b"__cplusplus" not in directive[2]:
            hidden.append(None)
        else:
            hidden.append(directive[1] != b"ifndef" and not re.search(rb"!\s*defined", directive[2]))


def _by_grammar(text: bytes) -> str:
    decoded = decode(text).text
    try:
        as_c, as_cpp = (parse(decoded, language(name)).broken_share for name in (_C, _CPP))
    except CostlyTextError:
        return _C  # it is refused when it is searched
    return _CPP if as_cpp < as_c else _C
