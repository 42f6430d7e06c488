"""The texts of BigCloneBench's functions by id, from any of the files in which they are published.

Most derived datasets are lists of ids. Their texts come from another path: TBCCD's `functions.txt` (or
`functions.zip`), a table with a column of ids and one of code, ASTNN's `bcb_funcs_all.tsv`, CodeXGLUE's
`data.jsonl`, or a tree of files named by id. A function without a text is imported with an empty one and counted: its
pairs and labels can still be audited.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from clonetruth.code.source import decode
from clonetruth.errors import InputError
from clonetruth.formats.batches import table_columns
from clonetruth.formats.sniffing import head
from clonetruth.formats.streams import inner_suffix, open_stream
from clonetruth.formats.tables import read_csv, read_rows
from clonetruth.formats.trees import is_tree, read_tree
from clonetruth.model import Fragment
from clonetruth.sources.json_rows import first_object, json_rows
from clonetruth.sources.source import ImportLog

MARK = b"FUNCTION_ID:"
WITHOUT_TEXT = "fragments without text"
"""The log's name for fragments without a text."""

_CODE_COLUMNS = ("code", "text", "func")
_ID_COLUMNS = ("function_id", "idx", "id")
_WRAPPER = re.compile(r"\A\s*public class BigbenchClone\s*\{[ \t]*\n?(.*)\}\s*\Z", re.DOTALL)
_FIRST = 1024 * 1024
_FILE_OF_ID = re.compile(r"\d+\.(txt|java)")


def is_function_list(path: Path) -> bool:
    """Whether a path is TBCCD's `functions.txt`, plain, compressed or zipped, by its first bytes."""
    try:
        if path.suffix.lower() == ".zip":
            return any(member.name.name == "functions.txt" for member in read_tree(path))
        return inner_suffix(path) == ".txt" and head(path, len(MARK)) == MARK
    except InputError:
        return False


def is_text_source(path: Path) -> bool:
    """Whether a path holds texts of functions."""
    if is_function_list(path):
        return True
    if inner_suffix(path) in (".jsonl", ".ndjson"):
        return first_object(head(path, _FIRST)).keys() >= {"idx", "func"}
    if inner_suffix(path) == ".tsv":
        return re.match(rb"\d+\t", head(path)) is not None
    if inner_suffix(path) in (".parquet", ".csv"):
        try:
            columns = set(table_columns(path))
        except InputError:
            return False
        return bool(columns & set(_CODE_COLUMNS)) and bool(columns & set(_ID_COLUMNS))
    if not is_tree(path):
        return False
    try:
        return any(
            _FILE_OF_ID.fullmatch(member.name.name) for member, _ in zip(read_tree(path), range(50), strict=False)
        )
    except InputError:
        return False


def read_functions(path: Path, log: ImportLog) -> Iterator[tuple[str, str]]:
    """The ids and texts of the functions at a path. Rows without an id or a text are skipped.

    Raises:
        InputError: the file cannot be read.
    """
    if is_function_list(path):
        yield from _function_list(path, log)
    elif inner_suffix(path) in (".jsonl", ".ndjson"):
        for row in json_rows(path, log, text=("idx", "func")):
            yield row.values["idx"].strip(), row.values["func"]
    elif inner_suffix(path) == ".tsv":
        for row in read_csv(path, delimiter="\t", header=("function_id", "code")):
            yield from _checked(path, row.line, row.values.get("function_id"), row.values.get("code"), log)
    elif inner_suffix(path) in (".parquet", ".csv"):
        rows = read_csv(path) if inner_suffix(path) == ".csv" else read_rows(path)
        for row in rows:
            found = {name.lower(): value for name, value in row.values.items()}
            identity = next((found[name] for name in _ID_COLUMNS if name in found), None)
            text = next((found[name] for name in _CODE_COLUMNS if name in found), None)
            yield from _checked(path, row.line, identity, text, log)
    else:
        for member in read_tree(path):
            if _FILE_OF_ID.fullmatch(member.name.name):
                yield member.name.stem, decode(member.read()).text


class FunctionTexts:
    """The texts of functions by id.

    Args:
        paths: files with texts; if two hold the same id, the first counts.
        log: counts texts, and records unusable rows.
    """

    def __init__(self, paths: Iterable[Path], log: ImportLog) -> None:
        self._texts: dict[str, str] = {}
        for path in paths:
            count = 0
            for identity, text in read_functions(path, log):
                count += 1
                self._texts.setdefault(identity, unwrapped(text))
            log.read("function texts", count)

    def get(self, identity: str) -> str:
        """The text of a function; empty if there is none."""
        return self._texts.get(identity, "")

    def fragments(self, ids: Iterable[str], log: ImportLog) -> Iterator[Fragment]:
        """The Java functions with these ids. Functions without a text are counted."""
        for identity in ids:
            text = self.get(identity)
            if not text:
                log.read(WITHOUT_TEXT)
            yield Fragment(id=identity, language="java", text=text)


def unwrapped(text: str) -> str:
    """A function without the class `BigbenchClone` that wraps it in some datasets."""
    found = _WRAPPER.match(text) if "BigbenchClone" in text[:100] else None
    return found[1].rstrip() + "\n" if found else text


def _checked(path: Path, line: int, identity: object, text: object, log: ImportLog) -> Iterator[tuple[str, str]]:
    if isinstance(identity, bool) or not isinstance(identity, int | str) or not str(identity).strip():
        log.skip(path, line, "the function has no id")
    elif not isinstance(text, str):
        log.skip(path, line, "the function has no text")
    else:
        yield str(identity).strip(), text


def _function_list(path: Path, log: ImportLog) -> Iterator[tuple[str, str]]:
    """The blocks of a list: `FUNCTION_ID:<tab><id>`, then the lines of the function."""
    if path.suffix.lower() == ".zip":
        for member in read_tree(path):
            if member.name == PurePosixPath("functions.txt") or member.name.name == "functions.txt":
                yield from _blocks(path, io.BytesIO(member.read()), log)
        return
    with open_stream(path) as stream:
        yield from _blocks(path, stream, log)


def _blocks(path: Path, lines: Iterable[bytes], log: ImportLog) -> Iterator[tuple[str, str]]:
    identity: str | None = None
    block: list[bytes] = []
    for number, line in enumerate(lines, start=1):
        if not line.startswith(MARK):
            block.append(line)
            continue
        if identity is not None:
            yield identity, decode(b"".join(block)).text
        block = []
        identity = line[len(MARK) :].strip().decode("utf-8", errors="replace")
        if not identity.isdecimal():
            log.skip(path, number, "the function's id is not a number")
            identity = None
    if identity is not None:
        yield identity, decode(b"".join(block)).text
