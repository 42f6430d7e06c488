"""FEMPD: pairs of Java methods that pass each other's tests, judged for equivalence by three people."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clonetruth.budgets import budget
from clonetruth.errors import InputError
from clonetruth.formats.reads import report_read
from clonetruth.formats.sniffing import head
from clonetruth.formats.streams import inner_suffix
from clonetruth.formats.tables import TABLE_SUFFIXES, read_rows
from clonetruth.model import Card, Dataset, Fragment, Judge, JudgeKind, Judgement, Pair, PairValue
from clonetruth.sources.columns import check_options
from clonetruth.sources.layout import Layout, plain_name, recognise_files, require_files
from clonetruth.sources.source import ImportLog, SourceCard

_CRITERION = "equivalent-behaviour"
_SQLITE = b"SQLite format 3\0"
_TABLE = re.compile(r"^(methods|pairs|verifiedpairs)\.[a-z]+$")
_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "methods": ("id", "name", "rtext", "path", "start", "end", "repo"),
    "pairs": ("id", "leftMethodID", "rightMethodID"),
    "verifiedpairs": ("pairid", "reviewera", "reviewerb", "reviewerc", "consensus", "reason"),
}
_VALUES = {"1": PairValue.CLONE, "0": PairValue.NOT_CLONE}

_REVIEWERS = {
    f"reviewer{letter}": Judge(
        id=f"person:fempd-{letter}", kind=JudgeKind.PERSON, name=f"Reviewer {letter.upper()} of FEMPD"
    )
    for letter in "abc"
}

_CONSENSUS = Judge(
    id="person:fempd-consensus",
    kind=JudgeKind.PERSON,
    name="The three reviewers of FEMPD, agreed",
    description="Their common answer; where they differed, the result of their discussion.",
)


@dataclass(frozen=True)
class _Verified:
    """A judged pair: its two methods and its row."""

    left: str
    right: str
    line: int
    values: Mapping[str, Any]


def _is_database(path: Path) -> bool:
    return inner_suffix(path) in (".db", ".sqlite", ".sqlite3") and head(path, 16) == _SQLITE


def _is_table(path: Path) -> bool:
    return bool(_TABLE.match(plain_name(path))) and inner_suffix(path) in TABLE_SUFFIXES


_LAYOUT = Layout(table=lambda path: _is_database(path) or _is_table(path))


class Fempd:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="fempd",
            version="2024",
            description=(
                "Pairs of Java methods with the same signature that pass the tests generated for each other, each "
                "judged by three people for functional equivalence."
            ),
            licence="none stated",
            citation=(
                "Y. Higo, S. Matsumoto, S. Kusumoto, K. Yasuda. Constructing Dataset of Functionally Equivalent Java "
                "Methods Using Automated Test Generation Techniques. MSR 2022. Y. Higo. Dataset of Functionally "
                "Equivalent Java Methods and Its Application to Evaluating Clone Detection Tools. IEICE E107.D, 2024."
            ),
            criterion=_CRITERION,
            languages=("java",),
            url="https://github.com/YoshikiHigo/FEMPDataset",
            known_flaws=(
                "All candidates pass each other's tests: the non-clones include no pairs with obvious differences.",
                "The database also contains candidates that nobody judged; the import leaves them out.",
            ),
        ),
        claimed_by=_CONSENSUS,
        label_means="1: functionally equivalent; 0: not, though each method passes the other's generated tests.",
        accepts=(
            "the SQLite file ijadataset.db with the tables methods, pairs and verifiedpairs, or these tables as CSV, "
            "TSV, JSON lines or Parquet with the same columns, also compressed"
        ),
        published={"equivalent pairs": 1342, "non-equivalent pairs": 852},
        references=("The repository's read-me (the tables and their columns).",),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        found = recognise_files(paths, _LAYOUT)
        if found is None:
            return None
        try:
            missing = _Tables(found.tables).missing()
        except InputError:
            return None
        return None if missing else "the tables methods, pairs and verifiedpairs"

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        found = require_files(paths, _LAYOUT, self.card, log)
        tables = _Tables(found.tables)
        if missing := tables.missing():
            raise InputError(
                f"The table '{missing[0]}' is missing, or lacks a column.",
                where=found.tables[0],
                hint=f"Accepted: {self.card.accepts}.",
            )
        verified = _verified(tables, log)
        return Dataset(
            card=self.card.card,
            fragments=_methods(tables, verified, log),
            pairs=(Pair(one.left, one.right) for one in verified),
            judges=(*_REVIEWERS.values(), _CONSENSUS),
            judgements=_judgements(verified),
        )


SOURCE = Fempd()


class _Tables:
    """The three tables, from a database or from files. Only the required columns are read, in the order of rows."""

    def __init__(self, files: Sequence[Path]) -> None:
        self._files = {plain_name(path).partition(".")[0]: path for path in files if _is_table(path)}
        self._database = next((path for path in files if _is_database(path)), None)

    def missing(self) -> list[str]:
        """Tables that are missing or lack a column."""
        return [table for table in _COLUMNS if not set(_COLUMNS[table]) <= set(self._columns(table))]

    def place(self, table: str) -> Path:
        """The file of a table."""
        return self._files.get(table) or self._database or Path(table)

    def rows(self, table: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """The rows of a table with their numbers."""
        if table in self._files:
            for row in read_rows(self._files[table]):
                yield row.line, row.values
        else:
            columns = ", ".join(f'"{name}"' for name in _COLUMNS[table])
            limits = budget()
            for number, values in enumerate(self._query(f'SELECT {columns} FROM "{table}" ORDER BY rowid'), start=1):
                if number > limits.rows:
                    raise limits.exceeded("rows", f"The table '{table}'", self._database)
                yield number, dict(zip(_COLUMNS[table], values, strict=True))

    def _columns(self, table: str) -> list[str]:
        if table in self._files:
            # An empty table has no rows, so that its columns are unknown here.
            return next(([*row.values] for row in read_rows(self._files[table])), [])
        # Only what is stored: the query of a view, or the code of a virtual table, would be the stranger's.
        stored = f"SELECT 1 FROM sqlite_master WHERE type = 'table' AND rootpage AND lower(name) = '{table}'"
        if not list(self._query(stored)):
            return []
        return [str(column[1]) for column in self._query(f'PRAGMA table_info("{table}")')]

    def _query(self, sql: str) -> Iterator[tuple[Any, ...]]:
        if self._database is None:
            return
        limits = budget()
        try:
            if self._database.stat().st_size > limits.unpacked:
                raise limits.exceeded("unpacked", "The database", self._database)
            # Read-only and without locks, which a read-only folder does not allow.
            address = f"{self._database.resolve().as_uri()}?mode=ro&immutable=1"
            report_read(self._database)
            with closing(sqlite3.connect(address, uri=True)) as connection:
                connection.text_factory = lambda data: data.decode("utf-8", errors="replace")
                connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, min(limits.line, 2**31 - 1))
                yield from connection.execute(sql)
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_TOOBIG:
                raise limits.exceeded("line", "A value of the database", self._database) from error
            raise InputError(f"Cannot read the database: {error}", where=self._database) from error


def _verified(tables: _Tables, log: ImportLog) -> list[_Verified]:
    place = tables.place("verifiedpairs")
    votes = [(line, row, _text(row.get("pairid"))) for line, row in tables.rows("verifiedpairs")]
    wanted = {pair for _, _, pair in votes}
    methods: dict[str | None, tuple[str | None, str | None]] = {}
    for line, row in tables.rows("pairs"):
        if (pair := _text(row.get("id"))) in wanted:
            sides = (_text(row.get("leftMethodID")), _text(row.get("rightMethodID")))
            if methods.setdefault(pair, sides) != sides:
                log.skip(tables.place("pairs"), line, "the pair's id has other methods than before")
        else:
            log.read("pairs that nobody judged")
    verified = []
    for line, row, pair in votes:
        left, right = methods.get(pair, (None, None))
        if left is None or right is None:
            log.skip(place, line, "the row names an unknown pair")
        elif not any(_text(row.get(name)) in _VALUES for name in (*_REVIEWERS, "consensus")):
            log.skip(place, line, "the row holds no judgement")
        else:
            verified.append(_Verified(left, right, line, row))
    return verified


def _methods(tables: _Tables, verified: list[_Verified], log: ImportLog) -> Iterator[Fragment]:
    """The methods of judged pairs. Afterwards, pairs without both texts are removed from `verified`."""
    wanted = {method for one in verified for method in (one.left, one.right)}
    seen_ids: set[str] = set()
    for line, row in tables.rows("methods"):
        method, text = _text(row.get("id")), _text(row.get("rtext"))
        if method not in wanted or method is None:
            continue
        if text is None or method in seen_ids:
            log.skip(tables.place("methods"), line, "the method has no text, or its id occurs twice")
            continue
        seen_ids.add(method)
        log.read("methods")
        first, last = _number(row.get("start")), _number(row.get("end"))
        repository, path = _text(row.get("repo")), _text(row.get("path"))
        yield Fragment(
            method,
            "java",
            text,
            name=_text(row.get("name")),
            project=repository,
            path=path,
            first_line=first,
            last_line=last,
        )
    complete = [one for one in verified if {one.left, one.right} <= seen_ids]
    for one in verified:
        if not {one.left, one.right} <= seen_ids:
            log.skip(tables.place("verifiedpairs"), one.line, "the row names an unknown method")
    verified[:] = complete
    if not verified:
        raise InputError("No judged pair with both of its methods was found.", where=tables.place("verifiedpairs"))
    log.read("pairs", len(verified))


def _judgements(verified: Sequence[_Verified]) -> Iterator[Judgement]:
    for row, one in enumerate(verified):
        for column, judge in (*_REVIEWERS.items(), ("consensus", _CONSENSUS)):
            value = _VALUES.get(_text(one.values.get(column)) or "")
            if value is not None:
                reason = _text(one.values.get("reason")) if judge is _CONSENSUS else None
                yield Judgement(judge.id, _CRITERION, value, pair=row, reason=reason or None, source_row=one.line)


def _text(value: Any) -> str | None:
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace")
    return None if value is None else str(value)


def _number(value: Any) -> int | None:
    text = _text(value)
    return int(text) if text and text.isdecimal() and len(text) < 10 else None
