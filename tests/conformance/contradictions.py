"""Contradicting rows: every row of a source's files, repeated with another label."""

from __future__ import annotations

import copy
import functools
import gzip
import json
import lzma
import operator
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from clonetruth.sources import SOURCES
from clonetruth.sources.source import ImportLog
from clonetruth.store.incoming import batches
from clonetruth.store.schemas import CORE
from tests.sources.fixtures import OPTIONS

_PAIRS = (
    ("1", "0"),
    ("1", "-1"),
    ("2", "0"),
    ("tp", "fp"),
    ("T", "F"),
    ("TRUE", "FALSE"),
    ("true", "false"),
    ("yes", "no"),
    ("clone", "notclone"),
    ("YES-SIMILAR", "NO-NOT-SIMILAR"),
    ("Accepted", "Wrong Answer"),
)
OPPOSITES = {
    word: [right if word == left else left for left, right in _PAIRS if word in (left, right)]
    for word in dict.fromkeys(word for pair in _PAIRS for word in pair)
}
_WORD = re.compile("|".join(rf"(?<![\w.#-]){re.escape(word)}(?![\w.#-])" for word in OPPOSITES))
_ROWS = (".csv", ".jsonl", ".tsv", ".txt", ".log")
_PACKED: dict[str, tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]] = {
    ".gz": (gzip.decompress, gzip.compress),
    ".xz": (lzma.decompress, lzma.compress),
}
_MOST = 60
"""Variants of one file."""


def contradicting(file: Path) -> Iterator[bytes]:
    """A file with one row added: a copy of one of its rows with one label turned into its opposite."""
    unpack, pack = _PACKED.get(file.suffix, (bytes, bytes))
    name = file.with_suffix("") if file.suffix in _PACKED else file
    if name.suffix == ".json":
        rows = _elements(unpack(file.read_bytes()))
    elif name.suffix in _ROWS:
        rows = _lines(unpack(file.read_bytes()))
    else:
        return
    for data in islice(rows, _MOST):
        yield pack(data)


def _lines(data: bytes) -> Iterator[bytes]:
    start = data if data.endswith(b"\n") else data + b"\n"
    for line in dict.fromkeys(data.decode().splitlines(keepends=True)):
        for match in _WORD.finditer(line):
            for other in OPPOSITES[match[0]]:
                yield start + (line[: match.start()] + other + line[match.end() :]).encode()


def _elements(data: bytes) -> Iterator[bytes]:
    document = json.loads(data)
    lists = [document] if isinstance(document, list) else [one for one in document.values() if isinstance(one, list)]
    for rows in lists:
        for row in list(rows):
            for path, value in _leaves(row):
                for other in OPPOSITES.get(str(value), ()):
                    changed = copy.deepcopy(row)
                    functools.reduce(operator.getitem, path[:-1], changed)[path[-1]] = type(value)(other)
                    rows.append(changed)
                    yield json.dumps(document).encode()
                    rows.pop()


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict | list):
        for key, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _leaves(one, (*path, key))
    elif path and isinstance(value, str | int) and not isinstance(value, bool):
        yield path, value


Answers = dict[tuple[str, ...], set[str]]


def answers(name: str, paths: Sequence[Path]) -> tuple[Answers, dict[str, int], ImportLog]:
    """What each judge answers on each subject, the number of rows of each table, and what was not used."""
    log = ImportLog()
    dataset = SOURCES[name].read(paths, OPTIONS.get(name, {}), log)
    tables = {
        table: [row for batch in batches(table, getattr(dataset, table)) for row in batch.to_pylist()] for table in CORE
    }
    found: Answers = {}
    for row in tables["judgements"]:
        if row["pair"] is None:
            subject = (row["fragment"], row["functionality"])
        else:
            pair = tables["pairs"][row["pair"]]
            subject = (*sorted((pair["left"], pair["right"])), str(pair["functionality"]))
        found.setdefault((row["judge"], row["criterion"], *subject), set()).add(row["value"])
    return found, {table: len(rows) for table, rows in tables.items()}, log
