"""CodeNet's metadata: what is known of problems, and of the submissions to each."""

from __future__ import annotations

import csv
import io
import json
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

from clonetruth.code.source import decode
from clonetruth.errors import InputError
from clonetruth.formats.trees import read_tree
from clonetruth.model import Functionality
from clonetruth.sources.source import ImportLog

_MEMBER = re.compile(
    r"(?:^|/)(?:metadata/(?P<table>p\d{5}|problem_list)\.csv|problem_descriptions/(?P<described>p\d{5})\.html)$"
)
_PROBLEMS_AT_HAND = 16


@dataclass(frozen=True)
class Entry:
    """What the metadata says of a submission."""

    user: str | None
    status: str
    evidence: str | None


class Metadata:
    """The tables of a CodeNet tree, read problem by problem.

    Args:
        tree: the folder or archive.
        log: told of rows that cannot be used.
    """

    def __init__(self, tree: Path, log: ImportLog) -> None:
        self._tree = tree
        self._log = log
        self._tables: dict[str, Callable[[], bytes]] = {}
        self._descriptions: dict[str, Callable[[], bytes]] = {}
        self._counted: set[str] = set()
        self._entries = lru_cache(maxsize=_PROBLEMS_AT_HAND)(self._read_entries)
        for name, read in _folder(tree) if tree.is_dir() else _archive(tree):
            match = _MEMBER.search(name)
            if match and match["table"]:
                self._tables[match["table"]] = read
            elif match:
                self._descriptions[match["described"]] = read

    def entry(self, problem: str, submission: str) -> Entry | None:
        """What is known of a submission; None where its problem has no table, or the table no row."""
        return self._entries(problem).get(submission)

    def problems(self) -> dict[str, Functionality]:
        """The problems by id, with their descriptions as published, in HTML."""
        found = {problem: Functionality(problem, problem, self._description(problem)) for problem in self._descriptions}
        for line, row in self._rows("problem_list"):
            problem = row.get("id", "")
            if not problem:
                self._log.skip(self._place("problem_list"), line, "the row has no problem id")
                continue
            found[problem] = Functionality(problem, row.get("name") or problem, self._description(problem))
        return found

    def _description(self, problem: str) -> str | None:
        read = self._descriptions.get(problem)
        return decode(read()).text if read else None

    def _read_entries(self, problem: str) -> dict[str, Entry]:
        entries = {}
        first_time = problem not in self._counted
        self._counted.add(problem)
        for line, row in self._rows(problem):
            submission, status = row.get("submission_id"), row.get("status")
            if not submission or status is None:
                if first_time:
                    self._log.skip(self._place(problem), line, "the row has no submission id or no status")
                continue
            accuracy = row.get("accuracy")
            evidence = json.dumps({"tests passed": accuracy}) if accuracy else None
            entries[submission] = Entry(row.get("user_id") or None, status.strip(), evidence)
        if first_time:
            self._log.read("submissions in the metadata", len(entries))
        return entries

    def _rows(self, table: str) -> Iterator[tuple[int, dict[str, str]]]:
        read = self._tables.get(table)
        if read is None:
            return
        reader = csv.reader(io.StringIO(decode(read()).text, newline=""))
        try:
            header = [name.strip() for name in next(reader, [])]
            for values in reader:
                if values:
                    yield reader.line_num, dict(zip(header, values, strict=False))
        except csv.Error as error:
            raise InputError(f"This is no CSV: {error}", where=self._place(table)) from error

    def _place(self, table: str) -> Path:
        return self._tree / "metadata" / f"{table}.csv"


def _folder(tree: Path) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """The files of the metadata folders at the tree's root or one level below, without a walk through the data."""
    for root in (tree, *sorted(child for child in tree.iterdir() if child.is_dir())):
        for kind in ("metadata", "problem_descriptions"):
            folder = root / kind
            for file in sorted(folder.iterdir()) if folder.is_dir() else ():
                if file.is_file():
                    yield str(PurePosixPath(kind, file.name)), file.read_bytes


def _archive(tree: Path) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """The same from an archive, whose members can only be read in passing: they are kept packed."""
    for member in read_tree(tree):
        if _MEMBER.search(str(member.name)):
            yield str(member.name), _unpack(zlib.compress(member.read(), 1))


def _unpack(packed: bytes) -> Callable[[], bytes]:
    return lambda: zlib.decompress(packed)
