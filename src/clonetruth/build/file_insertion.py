"""Files that take in fragments of others, at places where the language allows a function."""

from __future__ import annotations

import shutil
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random

import pyarrow as pa
from tree_sitter import Node

from clonetruth.code import (
    Extraction,
    Function,
    Language,
    decode,
    extract,
    language,
    language_of_path,
    parse,
    source_files,
)
from clonetruth.code.source import is_binary
from clonetruth.errors import InputError
from clonetruth.store.hashing import hash_file, hash_json
from clonetruth.store.schemas import TABLES

_PLACES = 5
"""Places of a file that are tried for a fragment."""

_PLACES_TABLE = pa.schema(
    [TABLES["fragments"].schema.field(name) for name in ("fragment", "project", "path", "first_line", "last_line")]
)

_SINGLE_BYTE = ("utf-8", "latin-1")
"""Encodings in which a line break is one byte."""


@dataclass(frozen=True)
class InsertedFunction:
    """A fragment in a file, at these lines, both included."""

    fragment: int
    first_line: int
    last_line: int

    def holds(self, function: Function) -> bool:
        """Whether a function of the file lies in it."""
        return self.first_line <= function.first_line and function.last_line <= self.last_line


@dataclass
class HostFile:
    """A source file, and the fragments that it has taken in.

    Attributes:
        data: its bytes as they are now.
        language: its language.
        guests: the fragments in it.
    """

    data: bytes
    language: Language
    guests: list[InsertedFunction]
    _extraction: Extraction

    @classmethod
    def read(cls, path: Path, spoken: Language) -> HostFile | None:
        """A file as a host; None where it can be none: unreadable, broken, or with lines that are not plain ones."""
        try:
            data = path.read_bytes()
        except OSError:
            return None
        source = decode(data)
        carriages = data.count(b"\r")
        mixed = carriages > 0 and not carriages == data.count(b"\r\n") == data.count(b"\n")
        if is_binary(data) or source.encoding not in _SINGLE_BYTE or mixed:
            return None
        extraction = extract(source.text, spoken)
        return None if extraction.problems else cls(data, spoken, [], extraction)

    def take_in(self, fragment: int, text: str, rng: Random) -> bool:
        """Put a fragment behind a function that is drawn; whether there was a place.

        A place is right if the whole file still parses, all functions are what they were, and the fragment is one.
        """
        functions = self._extraction.functions
        for function in rng.sample(functions, min(_PLACES, len(functions))):
            lines = self._lines(text, function)
            if lines is None:
                continue
            at = function.last_line
            old = self.data.split(b"\n")
            data = b"\n".join([*old[:at], *lines, *old[at:]])
            guest = InsertedFunction(fragment, at + 2, at + len(lines))
            extraction = extract(decode(data).text, self.language)
            if self._sound(extraction, guest):
                moved = [_moved(other, len(lines)) if other.first_line > at else other for other in self.guests]
                self.data, self.guests, self._extraction = data, [*moved, guest], extraction
                return True
        return False

    def _lines(self, text: str, function: Function) -> list[bytes] | None:
        """A fragment as lines behind a function, a blank one first; None where the function shares its lines."""
        source = self._extraction.parsed.source
        before = source[source.rfind(b"\n", 0, function.start) + 1 : function.start]
        line_end = source.find(b"\n", function.end)
        behind = source[function.end : len(source) if line_end < 0 else line_end]
        carriage = b"\r" if b"\r" in self.data else b""
        if before.strip() or behind.strip() not in (b"", b";") or (carriage and line_end < 0):
            return None
        if self.language.indent_blocks and not _aligned(text.strip("\n"), before, self.language):
            return None
        try:
            shown = (before.decode() + text.strip("\n")).encode(decode(self.data).encoding)
        except UnicodeEncodeError:
            return None
        return [line + carriage for line in (b"", *shown.split(b"\n"))]

    def _sound(self, changed: Extraction, guest: InsertedFunction) -> bool:
        outside = [one.text for one in changed.functions if not guest.holds(one)]
        return (
            not changed.problems
            and len(outside) < len(changed.functions)
            and outside == [one.text for one in self._extraction.functions]
        )


def _aligned(text: str, before: bytes, spoken: Language) -> bool:
    """Whether the lines of a text go with an indentation of its first one; the grammar forgives that they do not."""
    lines = text.encode("utf-8", errors="replace").split(b"\n")

    def indentation(node: Node) -> bytes:
        return lines[node.start_point.row][: node.start_point.column]

    for top in parse(text, spoken, lone=True).tree.root_node.named_children:
        parts = [top, *(top.named_children if top.type == "decorated_definition" else ())]
        if any(part.start_point.row and indentation(part) != before for part in parts):
            return False
        body = parts[-1].child_by_field_name("body")
        # A body on the line of its head has more than blanks before it, and may stand anywhere.
        if body is not None and not (inner := indentation(body)).strip() and not _deeper(inner, before):
            return False
    return True


def _deeper(inner: bytes, outer: bytes) -> bool:
    return inner.startswith(outer) and inner != outer


def _moved(guest: InsertedFunction, lines: int) -> InsertedFunction:
    return replace(guest, first_line=guest.first_line + lines, last_line=guest.last_line + lines)


class InsertionSystem:
    """A folder of source code as a place for fragments.

    Args:
        root: the folder. Nothing in it is changed.

    Attributes:
        name: its name.
        files: its source files by name, relative with forward slashes, with their languages.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._hosts: dict[str, HostFile | None] = {}
        self.name = root.resolve().name
        self.files = {
            path.relative_to(root).as_posix(): found.name
            for path in source_files([root])
            if (found := language_of_path(path)) is not None
        }

    def files_in(self, spoken: str) -> list[str]:
        """The names of the files in a language."""
        return [name for name, found in self.files.items() if found == spoken]

    def host(self, name: str) -> HostFile | None:
        """A file as a host, if it can be one."""
        if name not in self._hosts:
            self._hosts[name] = HostFile.read(self._root / name, language(self.files[name]))
        return self._hosts[name]

    @property
    def changed(self) -> dict[str, HostFile]:
        """The files that took something in."""
        return {name: host for name, host in self._hosts.items() if host is not None and host.guests}

    @property
    def digest(self) -> str:
        """What identifies the source code."""
        return hash_json({name: hash_file(self._root / name) for name in self.files})

    def places(self) -> pa.Table:
        """Where fragments stand: `fragment`, `project`, `path`, `first_line`, `last_line`, by fragment."""
        rows = [
            {"path": name, "project": self.name, **asdict(guest)}
            for name, host in self.changed.items()
            for guest in host.guests
        ]
        return pa.Table.from_pylist(sorted(rows, key=lambda row: row["fragment"]), schema=_PLACES_TABLE)

    def copy_to(self, folder: Path) -> None:
        """Copy all of it, with what was taken in, into an empty folder.

        Raises:
            InputError: a file cannot be copied.
        """
        try:
            ignored = shutil.ignore_patterns(".git")
            shutil.copytree(self._root, folder, symlinks=True, ignore=ignored, dirs_exist_ok=True)
            for name, host in self.changed.items():
                (folder / name).write_bytes(host.data)
        except OSError as error:
            raise InputError(f"The system cannot be copied: {error}", where=self._root) from error
