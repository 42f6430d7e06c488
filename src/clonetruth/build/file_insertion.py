"""Inserting fragments into source files, where the language allows a function."""

from __future__ import annotations

import shutil
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random

import pyarrow as pa
from tree_sitter import Node

from clonetruth.budgets import read_bytes
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

_ATTEMPTS = 5
"""Positions in a file to try for a fragment."""

_LOCATIONS = pa.schema(
    [TABLES["fragments"].schema.field(name) for name in ("fragment", "project", "path", "first_line", "last_line")]
)

_SINGLE_BYTE = ("utf-8", "latin-1")
"""Encodings in which a line break is one byte."""


@dataclass(frozen=True)
class InsertedFunction:
    """A fragment in a file, with its first and last line."""

    fragment: int
    first_line: int
    last_line: int

    def contains(self, function: Function) -> bool:
        """Whether a function of the file is part of the fragment."""
        return self.first_line <= function.first_line and function.last_line <= self.last_line


@dataclass
class HostFile:
    """A source file, and the fragments inserted into it.

    Attributes:
        data: its current bytes.
        language: its language.
        inserted: the inserted fragments.
    """

    data: bytes
    language: Language
    inserted: list[InsertedFunction]
    _extraction: Extraction

    @classmethod
    def read(cls, path: Path, language: Language) -> HostFile | None:
        """Read a file; None if nothing can be inserted: unreadable, with syntax errors, or with mixed line ends."""
        try:
            data = read_bytes(path)
        except (OSError, InputError):
            return None
        source = decode(data)
        carriages = data.count(b"\r")
        mixed = carriages > 0 and not carriages == data.count(b"\r\n") == data.count(b"\n")
        if is_binary(data) or source.encoding not in _SINGLE_BYTE or mixed:
            return None
        extraction = extract(source.text, language)
        return None if extraction.problems else cls(data, language, [], extraction)

    def insert(self, fragment: int, text: str, rng: Random) -> bool:
        """Insert a fragment after a random function; returns whether that was possible.

        A position is valid if the whole file still parses, all its functions are unchanged, and the fragment is parsed
        as a function.
        """
        functions = self._extraction.functions
        for function in rng.sample(functions, min(_ATTEMPTS, len(functions))):
            lines = self._lines(text, function)
            if lines is None:
                continue
            at = function.last_line
            old = self.data.split(b"\n")
            data = b"\n".join([*old[:at], *lines, *old[at:]])
            inserted = InsertedFunction(fragment, at + 2, at + len(lines))
            extraction = extract(decode(data).text, self.language)
            if self._is_valid(extraction, inserted):
                moved = [_moved(other, len(lines)) if other.first_line > at else other for other in self.inserted]
                self.data, self.inserted, self._extraction = data, [*moved, inserted], extraction
                return True
        return False

    def _lines(self, text: str, function: Function) -> list[bytes] | None:
        """A fragment as lines to insert after a function, a blank one first; None if the function shares its lines."""
        source = self._extraction.parsed.source
        before = source[source.rfind(b"\n", 0, function.start) + 1 : function.start]
        line_end = source.find(b"\n", function.end)
        after = source[function.end : len(source) if line_end < 0 else line_end]
        carriage = b"\r" if b"\r" in self.data else b""
        if before.strip() or after.strip() not in (b"", b";") or (carriage and line_end < 0):
            return None
        if self.language.indent_blocks and not _aligned(text.strip("\n"), before, self.language):
            return None
        try:
            encoded = (before.decode() + text.strip("\n")).encode(decode(self.data).encoding)
        except UnicodeEncodeError:
            return None
        return [line + carriage for line in (b"", *encoded.split(b"\n"))]

    def _is_valid(self, changed: Extraction, inserted: InsertedFunction) -> bool:
        outside = [one.text for one in changed.functions if not inserted.contains(one)]
        return (
            not changed.problems
            and len(outside) < len(changed.functions)
            and outside == [one.text for one in self._extraction.functions]
        )


def _aligned(text: str, before: bytes, language: Language) -> bool:
    """Whether the lines of a text match the indentation of its first one; the parser accepts texts that do not."""
    lines = text.encode("utf-8", errors="replace").split(b"\n")

    def indentation(node: Node) -> bytes:
        return lines[node.start_point.row][: node.start_point.column]

    for top in parse(text, language, lone=True).tree.root_node.named_children:
        parts = [top, *(top.named_children if top.type == "decorated_definition" else ())]
        if any(part.start_point.row and indentation(part) != before for part in parts):
            return False
        body = parts[-1].child_by_field_name("body")
        # A body on the line of its header has more than blanks before it, and may start in any column.
        if body is not None and not (inner := indentation(body)).strip() and not _deeper(inner, before):
            return False
    return True


def _deeper(inner: bytes, outer: bytes) -> bool:
    return inner.startswith(outer) and inner != outer


def _moved(inserted: InsertedFunction, lines: int) -> InsertedFunction:
    return replace(inserted, first_line=inserted.first_line + lines, last_line=inserted.last_line + lines)


class InsertionSystem:
    """A folder of source code into which fragments are inserted.

    Args:
        root: the folder. It is not changed.

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

    def files_in(self, language_name: str) -> list[str]:
        """The names of the files in a language."""
        return [name for name, file_language in self.files.items() if file_language == language_name]

    def host(self, name: str) -> HostFile | None:
        """A file of the system; None if nothing can be inserted into it."""
        if name not in self._hosts:
            self._hosts[name] = HostFile.read(self._root / name, language(self.files[name]))
        return self._hosts[name]

    @property
    def changed(self) -> dict[str, HostFile]:
        """The files with inserted fragments."""
        return {name: host for name, host in self._hosts.items() if host is not None and host.inserted}

    @property
    def digest(self) -> str:
        """The hash of the source code."""
        return hash_json({name: hash_file(self._root / name) for name in self.files})

    def locations(self) -> pa.Table:
        """The locations of the fragments: `fragment`, `project`, `path`, `first_line`, `last_line`, by fragment."""
        rows = [
            {"path": name, "project": self.name, **asdict(inserted)}
            for name, host in self.changed.items()
            for inserted in host.inserted
        ]
        return pa.Table.from_pylist(sorted(rows, key=lambda row: row["fragment"]), schema=_LOCATIONS)

    def copy_to(self, folder: Path) -> None:
        """Copy the system, with the inserted fragments, into an empty folder.

        Raises:
            InputError: a file cannot be copied.
        """
        try:
            ignored = shutil.ignore_patterns(".git")
            shutil.copytree(self._root, folder, symlinks=True, ignore=ignored, dirs_exist_ok=True)
            for name, host in self.changed.items():
                path = folder / name
                if not path.parent.resolve().is_relative_to(folder.resolve()):
                    raise InputError("The file is behind a symbolic link that leads out of the system.", where=name)
                # A copied link would lead to the original, or anywhere.
                path.unlink()
                path.write_bytes(host.data)
        except OSError as error:
            raise InputError(f"The system cannot be copied: {error}", where=self._root) from error
