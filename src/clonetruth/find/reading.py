"""Reading files: from their bytes to a table with the functions of each, and their traces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
import pyarrow as pa

from clonetruth.code import decode, language
from clonetruth.code.outline import OUTLINES
from clonetruth.code.overlap import Integers
from clonetruth.code.parsing import source_bytes
from clonetruth.code.source import is_binary
from clonetruth.detectors.classical import ClassicalDetector
from clonetruth.detectors.finder import FindOptions
from clonetruth.find.features import ItemFeatures, tracer, traces_of
from clonetruth.find.functions import Functions, functions_of
from clonetruth.find.search_result import SearchedFile

LARGEST = 4 * 1024**2
"""Bytes of the largest file that is read: what is larger is data, or was written by a program."""
_BATCH = 4 * 1024**2
"""Bytes read at a time: enough to make the most of arrays, and little memory."""

_PER_PROCESS = 32 * 1024**2
"""Bytes that it pays to start a process for, if they only need to be lexed."""
_PARSED = 16
"""How many times as much work a byte is that is parsed."""

PLACES = {
    "name": pa.string(),
    "first_line": pa.int32(),
    "last_line": pa.int32(),
    "tokens": pa.int32(),
    "start": pa.int32(),
    "end": pa.int32(),
}
"""What is known of each function; a column of lists."""


@dataclass(frozen=True)
class ReadingPlan:
    """What is read of files. Travels to other processes.

    Attributes:
        options: which functions are large enough.
        detectors: those that get traces.
    """

    options: FindOptions
    detectors: tuple[ClassicalDetector, ...]

    @property
    def schema(self) -> pa.Schema:
        """The columns of what is read, a row for each file.

        `content` is a digest of the contents; `why` says why a file was skipped, then the rest is empty. `functions`
        counts those of any size, `compared` those that are large enough, which the lists are of.
        """
        traces = {f"trace_{number}": pa.large_binary() for number in range(len(self.detectors))}
        return pa.schema(
            [
                pa.field("file", pa.int32(), nullable=False),
                pa.field("content", pa.binary(), nullable=False),
                pa.field("why", pa.string()),
                pa.field("lines", pa.int32(), nullable=False),
                pa.field("functions", pa.int32(), nullable=False),
                pa.field("compared", pa.int32(), nullable=False),
                *(pa.field(name, pa.large_list(type_)) for name, type_ in {**PLACES, **traces}.items()),
            ]
        )


Numbered = tuple[int, SearchedFile]
"""A file with its place among all."""


def batches(files: Sequence[Numbered]) -> Iterator[list[Numbered]]:
    """Files of one language and a size that suits, all of them."""
    waiting: dict[str, tuple[int, list[Numbered]]] = {}
    for number, file in files:
        size, batch = waiting.get(file.language, (0, []))
        batch.append((number, file))
        size += _size(file)
        if size >= _BATCH:
            yield batch
            size, batch = 0, []
        waiting[file.language] = size, batch
    yield from (batch for _, batch in waiting.values() if batch)


def read_batch(plan: ReadingPlan, files: list[Numbered]) -> pa.Table:
    """What is read of files of one language, with the columns of `ReadingPlan.schema`."""
    contents = [raw_bytes(file) for _, file in files]
    texts = [b"" if isinstance(content, str) else source_bytes(decode(content).text) for content in contents]
    digests = [
        b"" if isinstance(content, str) else content_digest(content, file.language)
        for content, (_, file) in zip(contents, files, strict=True)
    ]
    found = functions_of(texts, language(files[0][1].language), plan.options)
    columns = [_columns(part, plan) for part in found.parts]
    files_of = np.concatenate([part.file for part in found.parts])
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
            pa.array([content if isinstance(content, str) else None for content in contents], pa.string()),
            pa.array([_lines(text) for text in texts], pa.int32()),
            pa.array(found.functions, pa.int32()),
            pa.array(compared, pa.int32()),
            *lists,
        ],
        schema=plan.schema,
    )


def _columns(part: Functions, plan: ReadingPlan) -> list[pa.Array]:
    places: dict[str, Integers | Sequence[str]] = {
        "name": part.name,
        "first_line": part.first_line,
        "last_line": part.last_line,
        "tokens": part.tokens,
        "start": part.start,
        "end": part.end,
    }
    return [
        *(pa.array(places[name], type_) for name, type_ in PLACES.items()),
        *traces_of(plan.detectors, part),
    ]


def raw_bytes(file: SearchedFile) -> bytes | str:
    """The bytes of a file, or why there are none that could be source text."""
    try:
        data = file.path.read_bytes()
    except OSError as error:
        return f"Cannot read the file: {error.strerror or error}."
    if len(data) > LARGEST:
        return f"The file is larger than {LARGEST // 1024**2} MB."
    return "This is a binary file, not source text." if is_binary(data) else data


def content_digest(data: bytes, language_name: str) -> bytes:
    """What is equal for files of one language with equal bytes."""
    return blake2b(data, digest_size=16, salt=blake2b(language_name.encode(), digest_size=16).digest()).digest()


def in_order(read: pa.Table) -> pa.Table:
    """What was read, in the order of the files and in one piece."""
    file = read["file"].to_numpy()
    if (np.diff(file) < 0).any():
        read = read.take(pa.array(np.argsort(file)))
    return read.combine_chunks()


def flat(read: pa.Table, name: str) -> pa.Array:
    """The values of a column of lists, end to end."""
    chunks = read[name].chunks
    return chunks[0].flatten() if chunks else pa.array([], read.schema.field(name).type.value_type)


def processes_worth(plan: ReadingPlan, files: Sequence[Numbered]) -> int:
    """How many processes it pays to start for reading files."""
    parsing = {name: _parses(plan, name) for name in {file.language for _, file in files}}
    return 1 + sum(_size(file) * (_PARSED if parsing[file.language] else 1) for _, file in files) // _PER_PROCESS


def _parses(plan: ReadingPlan, name: str) -> bool:
    """Whether files in a language are parsed."""
    return name not in OUTLINES or any(
        isinstance(tracer(detector, language(name)), ItemFeatures) for detector in plan.detectors
    )


def _lines(text: bytes) -> int:
    return text.count(b"\n") + (not text.endswith(b"\n") and bool(text))


def _size(file: SearchedFile) -> int:
    try:
        return file.path.stat().st_size
    except OSError:
        return 0
