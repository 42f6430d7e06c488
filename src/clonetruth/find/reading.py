"""From the bytes of files to a table with the functions of each file, and their features."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TypeVar

import numpy as np
import pyarrow as pa

from clonetruth.code import Language, decode, language
from clonetruth.code.outline import OUTLINES
from clonetruth.code.overlap import Integers
from clonetruth.code.parallel import workers_fork
from clonetruth.code.parsing import source_bytes
from clonetruth.code.source import is_binary
from clonetruth.code.statements import statements_of
from clonetruth.detectors.classical import ClassicalDetector
from clonetruth.detectors.finder import FinderOptions
from clonetruth.find.features import ItemFeatures, feature_reader, features_of
from clonetruth.find.functions import FileFunctions, Functions, functions_of, lex_files
from clonetruth.find.ignore_comments import ignored_functions, mark_ignored
from clonetruth.find.search_result import SearchedFile, content_digest

T = TypeVar("T")

MAX_FILE_BYTES = 4 * 1024**2
"""Maximum size of a file: larger files are data, or generated."""
_BATCH = 4 * 1024**2
"""Bytes read at a time: enough to make good use of arrays, with little memory."""

_PER_PROCESS, _PER_FORK = 32 * 1024**2, 8 * 1024**2
"""Bytes that justify starting or forking a worker process, if they only need to be lexed."""
_PARSED = 16
"""How many times slower parsing a byte is than lexing it."""

UNREADABLE = "Cannot read the file"
"""How the reason begins if a file could not be opened or read, whatever it contains."""

FUNCTION_COLUMNS = {
    "name": pa.string(),
    "first_line": pa.int32(),
    "last_line": pa.int32(),
    "tokens": pa.int32(),
    "start": pa.int32(),
    "end": pa.int32(),
    "ignored": pa.bool_(),
}
"""The columns of lists with what is known about each function."""


@dataclass(frozen=True)
class ReadingPlan:
    """What to read from files. It is sent to worker processes.

    Attributes:
        options: which functions are large enough.
        detectors: the detectors to compute features for.
        statements: whether to read the statements of each file, too.
    """

    options: FinderOptions
    detectors: tuple[ClassicalDetector, ...]
    statements: bool = False

    @property
    def schema(self) -> pa.Schema:
        """The columns of what is read, one row per file.

        `content` is a digest of the contents; `why` is the reason if a file was skipped, then the rest is empty.
        `broken` is the share of lines that do not parse. `functions` counts functions of any size, `compared` those
        that are large enough; the lists are of these. `statements` has the bytes of an array of `STATEMENT`.
        """
        features = {f"trace_{number}": pa.large_binary() for number in range(len(self.detectors))}
        return pa.schema(
            [
                pa.field("file", pa.int32(), nullable=False),
                *self.summary,
                *(pa.field(name, pa.large_list(type_)) for name, type_ in features.items()),
                *([pa.field("statements", pa.large_binary())] if self.statements else []),
            ]
        )

    @property
    def summary(self) -> pa.Schema:
        """The columns of `schema` that do not depend on the detectors, except the number of the file."""
        return pa.schema(
            [
                pa.field("content", pa.binary(), nullable=False),
                pa.field("why", pa.string()),
                pa.field("lines", pa.int32(), nullable=False),
                pa.field("broken", pa.float64(), nullable=False),
                pa.field("functions", pa.int32(), nullable=False),
                pa.field("compared", pa.int32(), nullable=False),
                *(pa.field(name, pa.large_list(type_)) for name, type_ in FUNCTION_COLUMNS.items()),
            ]
        )


Numbered = tuple[int, SearchedFile]
"""A file with its position among all files."""


def batches(files: Sequence[Numbered], plan: ReadingPlan, processes: int) -> Iterator[list[Numbered]]:
    """Split files into batches of one language and a suitable size: smaller ones of what takes long, to share it."""
    parsing = _parsing(plan, files) if processes > 1 else {}
    pending: dict[str, tuple[int, list[Numbered]]] = {}
    for number, file in files:
        size, batch = pending.get(file.language, (0, []))
        batch.append((number, file))
        size += _size(file)
        if size >= _BATCH // (_PARSED if parsing.get(file.language) else 1):
            yield batch
            size, batch = 0, []
        pending[file.language] = size, batch
    yield from (batch for _, batch in pending.values() if batch)


def dealt(items: Iterable[T], processes: int) -> Iterator[T]:
    """Deal batches to processes so that each gets neighbours, which have words in common that it analyses once."""
    if processes <= 1:
        return iter(items)
    each = list(items)
    size = -(-len(each) // processes)
    hands = [each[start : start + size] for start in range(0, len(each), size)]
    return (one for round_ in zip_longest(*hands) for one in round_ if one is not None)


def read_batch(plan: ReadingPlan, files: list[Numbered]) -> pa.Table:
    """Read files of one language; the result has the columns of `ReadingPlan.schema`."""
    contents = [raw_bytes(file) for _, file in files]
    texts = [_source(content) for content in contents]
    digests = [
        b"" if isinstance(content, str) else content_digest(content, file.language)
        for content, (_, file) in zip(contents, files, strict=True)
    ]
    functions = functions_of(texts, language(files[0][1].language), plan.options)
    refused = functions.refused
    columns = [_columns(part, plan) for part in functions.parts]
    files_of = np.concatenate([part.file for part in functions.parts])
    order = pa.array(np.argsort(files_of, kind="stable"))
    compared = np.bincount(files_of, minlength=len(files))
    offsets = pa.array(np.append(0, np.cumsum(compared)), pa.int64())
    lists = [
        pa.LargeListArray.from_arrays(offsets, pa.concat_arrays(list(column)).take(order))
        for column in zip(*columns, strict=True)
    ]
    return pa.table(
        [
            pa.array([number for number, _ in files], pa.int32()),
            pa.array(digests, pa.binary()),
            pa.array(
                [content if isinstance(content, str) else refused.get(at) for at, content in enumerate(contents)],
                pa.string(),
            ),
            pa.array([0 if at in refused else _lines(text) for at, text in enumerate(texts)], pa.int32()),
            pa.array(functions.broken, pa.float64()),
            pa.array(functions.functions, pa.int32()),
            pa.array(compared, pa.int32()),
            *lists,
            *([_statements(texts, language(files[0][1].language), functions)] if plan.statements else []),
        ],
        schema=plan.schema,
    )


def _statements(texts: Sequence[bytes], code_language: Language, functions: FileFunctions) -> pa.Array:
    lexed_texts, lexed = functions.lexed or lex_files(texts, code_language)
    rows = statements_of(lexed, lexed_texts, code_language, None if lexed_texts is texts else texts)
    for text, one in zip(texts, rows, strict=True):
        mark_ignored(text, one)
    return pa.array([one.tobytes() for one in rows], pa.large_binary())


def _columns(part: Functions, plan: ReadingPlan) -> list[pa.Array]:
    columns: dict[str, Integers | Sequence[str] | Sequence[bool]] = {
        "name": part.name,
        "first_line": part.first_line,
        "last_line": part.last_line,
        "tokens": part.tokens,
        "start": part.start,
        "end": part.end,
        "ignored": ignored_functions(part),
    }
    return [
        *(pa.array(columns[name], type_) for name, type_ in FUNCTION_COLUMNS.items()),
        *features_of(plan.detectors, part),
    ]


def raw_bytes(file: SearchedFile) -> bytes | str:
    """Return the bytes of a file, or a text with the reason why it is not source text."""
    try:
        data = _first_bytes(file, MAX_FILE_BYTES + 1)
    except OSError as error:
        return f"{UNREADABLE}: {error.strerror or error}."
    if len(data) > MAX_FILE_BYTES:
        return f"The file is larger than {MAX_FILE_BYTES // 1024**2} MB."
    return "This is a binary file, not source text." if is_binary(data) else data


def _first_bytes(file: SearchedFile, count: int) -> bytes:
    """The first bytes of a file, read without Python's buffers, which cost more than a small file."""
    descriptor = os.open(file.path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        expected = min(count, (file.state.size if file.state else os.fstat(descriptor).st_size) + 1)
        data = os.read(descriptor, expected)
        if len(data) < expected:
            return data
        pieces = [data]  # the file has grown, or the system has no size for it
        while (missing := count - sum(map(len, pieces))) and (more := os.read(descriptor, min(missing, _BATCH))):
            pieces.append(more)
        return b"".join(pieces)
    finally:
        os.close(descriptor)


def _source(content: bytes | str) -> bytes:
    """The text of a file as `source_bytes` returns it; empty for a skipped file."""
    if isinstance(content, str):
        return b""
    # Decoding and encoding again would change nothing in most files.
    return source_bytes(content if content.isascii() and b"\r" not in content else decode(content).text)


def in_file_order(read: pa.Table) -> pa.Table:
    """Return what was read, in the order of the files and in one chunk."""
    file = read["file"].to_numpy()
    if (np.diff(file) < 0).any():
        read = read.take(pa.array(np.argsort(file)))
    return read.combine_chunks()


def flat(read: pa.Table, name: str) -> pa.Array:
    """Return the values of a column of lists, concatenated."""
    chunks = read[name].chunks
    return chunks[0].flatten() if chunks else pa.array([], read.schema.field(name).type.value_type)


def processes_worth(plan: ReadingPlan, files: Sequence[Numbered]) -> int:
    """Return the number of worker processes that reading files justifies."""
    parsing = _parsing(plan, files)
    work = sum(_size(file) * (_PARSED if parsing[file.language] else 1) for _, file in files)
    return 1 + work // (_PER_FORK if workers_fork() else _PER_PROCESS)


def _parsing(plan: ReadingPlan, files: Sequence[Numbered]) -> dict[str, bool]:
    """Which languages of files are parsed."""
    return {name: _parses(plan, name) for name in {file.language for _, file in files}}


def _parses(plan: ReadingPlan, name: str) -> bool:
    """Whether files in a language are parsed."""
    return name not in OUTLINES or any(
        isinstance(feature_reader(detector, language(name)), ItemFeatures) for detector in plan.detectors
    )


def _lines(text: bytes) -> int:
    return text.count(b"\n") + (not text.endswith(b"\n") and bool(text))


def _size(file: SearchedFile) -> int:
    if file.state is not None:
        return file.state.size
    try:
        return file.path.stat().st_size
    except OSError:
        return 0
