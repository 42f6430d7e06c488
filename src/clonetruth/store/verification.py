"""Everything that is wrong with a benchmark folder: files, hashes, seals, vocabularies and references, all at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from clonetruth.errors import BenchmarkError, CloneTruthError
from clonetruth.model import CRITERIA
from clonetruth.parsing import parse_json
from clonetruth.store import derived
from clonetruth.store.croissant import FILE_NAME, read_header
from clonetruth.store.engine import Engine, TableLike
from clonetruth.store.folder import check_file, core_paths, read_judges
from clonetruth.store.hashing import hash_content, hash_parquet
from clonetruth.store.header import Header
from clonetruth.store.parquet import read_metadata
from clonetruth.store.resolve import NEGATIVE_LINES, permitted_answers
from clonetruth.store.schemas import CORE, DERIVED, IMMUTABLE, TABLES, VOCABULARIES
from clonetruth.store.seals import GROWING, broken_seals, read_seals
from clonetruth.user_cache import FileMarks

_MARKS = FileMarks("benchmark content 1")
_KEYS = {"fragments": "fragment", "functionalities": "functionality", "pairs": "pair"}

_REFERENCES = (
    ("memberships", "fragment", "fragments"),
    ("memberships", "functionality", "functionalities"),
    ("pairs", "left", "fragments"),
    ("pairs", "right", "fragments"),
    ("pairs", "functionality", "functionalities"),
    ("judgements", "pair", "pairs"),
    ("judgements", "fragment", "fragments"),
    ("judgements", "functionality", "functionalities"),
    ("judgements", "judge", "judges"),
)


def verify_folder(folder: Path, engine: Engine) -> None:
    """Read everything, compute every hash again, and compare every value with its vocabulary.

    Raises:
        BenchmarkError: lists all that is wrong.
    """
    _raise(folder, list(_problems(folder, engine)))


def check_content(folder: Path, header: Header, engine: Engine) -> None:
    """Check the keys, references and vocabularies of the core tables, unless they are known to be right.

    Raises:
        BenchmarkError: lists all that is wrong.
    """
    files = _content_files(folder)
    if not _MARKS.known(files):
        judges = read_judges(core_paths(folder, "judges"))
        tables: dict[str, TableLike] = {table: core_paths(folder, table) for table in CORE} | {"judges": judges}
        _raise(folder, [*_settings(folder, judges), *_core(folder, header, engine, tables)])
        _MARKS.remember(files)


def remember_content(folder: Path) -> None:
    """Remember that this process checked the rows of the core tables before it wrote them."""
    _MARKS.remember(_content_files(folder))


def _content_files(folder: Path) -> list[Path]:
    return [folder / FILE_NAME, *(path for table in CORE for path in core_paths(folder, table))]


def _raise(folder: Path, problems: Sequence[BenchmarkError]) -> None:
    if len(problems) == 1:
        raise problems[0]
    if problems:
        lines = "\n".join(f"- {problem.where}: {problem.what}" for problem in problems)
        hints = dict.fromkeys(problem.hint for problem in problems if problem.hint)
        raise BenchmarkError(
            f"{len(problems)} things are wrong with the benchmark:\n{lines}\n", where=folder, hint=" ".join(hints)
        )


def unsealed_parts(folder: Path) -> tuple[str, ...]:
    """The parts of judges and judgements that have no seal: of an earlier version, or of a process that was killed."""
    sealed = read_seals(folder, read_header(folder))
    paths = [path.relative_to(folder).as_posix() for name in GROWING for path in core_paths(folder, name)]
    return tuple(name for name in paths if name not in sealed)


def _problems(folder: Path, engine: Engine) -> Iterator[BenchmarkError]:
    try:
        header = read_header(folder)
    except BenchmarkError as error:
        yield error
        return
    readable: dict[str, TableLike] = {}
    judges = None
    for table in CORE:
        try:
            paths = core_paths(folder, table)
            rows = sum([check_file(path, table) for path in paths])
            judges = read_judges(paths) if table == "judges" else judges
            readable[table] = paths if table != "judges" or judges is None else judges
        except BenchmarkError as error:
            yield error
            continue
        if rows < header.counts[table] or (table in IMMUTABLE and rows != header.counts[table]):
            yield _problem(f"It has {rows} rows; the header records {header.counts[table]}.", paths[0])
    yield from _hashes(folder, header, readable)
    checks = [_core(folder, header, engine, readable), _later(folder, header, engine)]
    for check in checks if judges is None else [_settings(folder, judges), *checks]:
        try:
            yield from check
        except CloneTruthError as error:  # damage that only reading shows
            yield BenchmarkError(error.what, where=error.where or folder, hint=error.hint)


def _problem(what: str, where: object) -> BenchmarkError:
    return BenchmarkError(what, where=where, hint="Copy the benchmark folder again from its origin.")


def _hashes(folder: Path, header: Header, readable: dict[str, TableLike]) -> Iterator[BenchmarkError]:
    for table, recorded in header.table_hashes.items():
        path = folder / TABLES[table].files
        if table not in readable:
            continue
        try:
            if hash_parquet([path], TABLES[table].schema.names) != recorded:
                yield changed_table(table, path)
        except BenchmarkError as error:
            del readable[table]
            yield error
    if hash_content(header.card, header.table_hashes) != header.content_hash:
        yield changed_header(folder)
    try:
        sealed = read_seals(folder, header)
    except BenchmarkError as error:
        yield error
    else:
        for broken in broken_seals(folder, sealed):
            kind = Path(broken.where or "").parent.name
            if kind in readable or kind not in CORE:  # otherwise reported with the table
                yield broken


def changed_table(table: str, path: Path) -> BenchmarkError:
    """The error for an immutable table that was changed."""
    return BenchmarkError(
        f"The content of the table '{table}' is not what was recorded at creation.",
        where=path,
        hint="Core tables never change: copy the folder again, or build a derived benchmark.",
    )


def changed_header(folder: Path) -> BenchmarkError:
    """The error for a card or recorded hashes that were changed."""
    return BenchmarkError(
        "The card or the hashes were changed after creation.",
        where=folder / FILE_NAME,
        hint="Copy the folder again, or build a derived benchmark.",
    )


def _core(folder: Path, header: Header, engine: Engine, readable: Mapping[str, TableLike]) -> Iterator[BenchmarkError]:
    def rows(text: str, *tables: str) -> list[dict[str, Any]]:
        used = {name: readable[name] for name in tables if name in readable}
        found: list[dict[str, Any]] = engine.sql(text, used).to_pylist() if len(used) == len(set(tables)) else []
        return found

    if header.card.criterion not in CRITERIA:
        yield _problem(f"The card's criterion '{header.card.criterion}' is unknown.", folder / FILE_NAME)
    for table in CORE:
        where = folder / TABLES[table].files
        for column, values in _vocabularies(table):
            for row in rows(_outside(table, column, values), table):
                yield _problem(f"'{row['value']}' is not a valid {column} ({row['n']} rows).", where)
        required = [field.name for field in TABLES[table].schema if not field.nullable]
        counts = ", ".join(f"count(*) - count({_quoted(name)}) AS {_quoted(name)}" for name in required)
        for row in rows(f"SELECT {counts} FROM {table}", table):
            for column, missing in row.items():
                if missing:
                    yield _problem(f"The column '{column}' has {missing} missing values.", where)
    for row in rows(f"SELECT count(*) AS n FROM fragments WHERE {NEGATIVE_LINES}", "fragments"):
        if row["n"]:
            yield _problem(f"{row['n']} fragments have a negative line number.", folder / "fragments.parquet")
    for table, key in _KEYS.items():
        where = folder / TABLES[table].files
        for row in rows(
            f"SELECT count(*) AS n, count(DISTINCT {key}) AS keys, min({key}) AS low, max({key}) AS high FROM {table}",
            table,
        ):
            if row["n"] and (row["keys"], row["low"], row["high"]) != (row["n"], 0, row["n"] - 1):
                yield _problem(f"The keys of '{key}' are not 0 to {row['n'] - 1}, each once.", where)
        if table != "pairs":
            for row in rows(
                f"SELECT id, count(*) AS n FROM {table} GROUP BY id HAVING count(*) > 1 ORDER BY id LIMIT 1", table
            ):
                yield _problem(f"The id '{row['id']}' occurs {row['n']} times.", where)
    for table, column, target in _REFERENCES:
        key = _KEYS.get(target, "judge")
        text = (
            f"SELECT s.{column} AS value, count(*) AS n FROM {table} s LEFT JOIN {target} t ON s.{column} = t.{key} "
            f"WHERE s.{column} IS NOT NULL AND t.{key} IS NULL GROUP BY s.{column} ORDER BY s.{column} LIMIT 1"
        )
        for row in rows(text, table, target):
            yield _problem(f"The {column} '{row['value']}' is not among the {target}.", folder / TABLES[table].files)
    keys = "least(p.left, p.right) * 4294967296 + greatest(p.left, p.right)"
    for row in rows(f"SELECT count(*) AS n FROM pairs p WHERE p.pair_key <> {keys}", "pairs"):
        if row["n"]:
            yield _problem(f"The pair_key of {row['n']} rows is not that of their fragments.", folder / "pairs.parquet")
    if "judgements" in readable:
        yield from _answers(folder, engine, readable["judgements"])


# DuckDB skips row groups by their least and greatest values, and a NaN is neither.
_WRONG_ANSWERS = """
SELECT g.criterion AS criterion, g.value AS value, count(*) AS n,
    CASE
        WHEN p.value IS NULL THEN 'value'
        WHEN isnan(g.confidence) OR NOT (g.confidence >= 0 AND g.confidence <= 1) THEN 'confidence'
        ELSE 'subject'
    END AS problem
FROM judgements g
LEFT JOIN permitted p ON g.criterion = p.criterion AND g.value = p.value
WHERE p.value IS NULL
    OR (p.subject = 'pair' AND (g.pair IS NULL OR g.fragment IS NOT NULL OR g.functionality IS NOT NULL))
    OR (p.subject = 'fragment' AND (g.pair IS NOT NULL OR g.fragment IS NULL OR g.functionality IS NULL))
    OR isnan(g.confidence) OR NOT (g.confidence >= 0 AND g.confidence <= 1)
GROUP BY 1, 2, 4
ORDER BY 1, 2, 4
"""


def _answers(folder: Path, engine: Engine, judgements: TableLike) -> Iterator[BenchmarkError]:
    messages = {
        "value": "The criterion '{criterion}' does not permit the answer '{value}' ({n} rows).",
        "confidence": "The confidence of {n} answers under '{criterion}' is not between 0 and 1.",
        "subject": "{n} answers under '{criterion}' are not on what it asks about.",
    }
    for row in engine.sql(_WRONG_ANSWERS, {"judgements": judgements, "permitted": permitted_answers()}).to_pylist():
        if row["criterion"] in CRITERIA:  # an unknown criterion is reported by its vocabulary
            yield _problem(messages[row["problem"]].format(**row), folder / "judgements")


def _settings(folder: Path, judges: pa.Table) -> Iterator[BenchmarkError]:
    for row in judges.to_pylist():
        try:
            valid = isinstance(parse_json(row["settings"]), dict)
        except ValueError:
            valid = False
        if not valid:
            yield _problem(f"The settings of the judge '{row['judge']}' are not a JSON object.", folder / "judges")


def check_derived(path: Path, kind: str, header: Header, engine: Engine) -> None:
    """Check the columns, keys and vocabularies of a table that was added later, unless they are known to be right.

    Raises:
        BenchmarkError: lists all that is wrong.
    """
    marks = _derived_marks(header)
    check_file(path, kind)
    if not marks.known([path]):
        _raise(path, list(_derived_content(path, kind, header, engine)))
        marks.remember([path])


def remember_derived(path: Path, header: Header) -> None:
    """Remember that this process checked the rows of a table before it wrote them."""
    _derived_marks(header).remember([path])


def _derived_marks(header: Header) -> FileMarks:
    # Which keys exist depends on the benchmark.
    return FileMarks(f"derived content 1 {sorted(header.counts.items())}")


def _later(folder: Path, header: Header, engine: Engine) -> Iterator[BenchmarkError]:
    """The tables that were added later."""
    for kind in DERIVED:
        for name in derived.names(folder, kind):
            path = folder / kind / f"{name}.parquet"
            try:
                check_file(path, kind)
                belongs = read_metadata(path).get("content_hash", header.content_hash)
            except BenchmarkError as error:
                yield error
                continue
            if belongs != header.content_hash:
                yield _problem(f"It was made of another benchmark ({belongs[:12]}…).", path)
            yield from _derived_content(path, kind, header, engine)


def _derived_content(path: Path, kind: str, header: Header, engine: Engine) -> Iterator[BenchmarkError]:
    def rows(text: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = engine.sql(text, {"stored": path}).to_pylist()
        return found

    columns = TABLES[kind].schema.names
    for column, values in _vocabularies(kind):
        for row in rows(_outside("stored", column, values)):
            yield _problem(f"'{row['value']}' is not a valid {column} ({row['n']} rows).", path)
    for table, column in _KEYS.items():
        if column in columns:
            outside = f"{column} < 0 OR {column} >= {header.counts[table]}"
            if count := rows(f"SELECT count(*) AS n FROM stored WHERE {outside}")[0]["n"]:
                yield _problem(f"{count} rows name a {column} that does not exist.", path)
    if key := derived.UNIQUE_KEYS.get(kind):
        repeated = f"SELECT {key} AS value FROM stored GROUP BY {key} HAVING count(*) > 1 ORDER BY {key} LIMIT 1"
        for row in rows(repeated):
            yield _problem(f"The {key} {row['value']} occurs twice.", path)


def _vocabularies(table: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield from ((column, values) for (name, column), values in VOCABULARIES.items() if name == table)


def _quoted(name: str) -> str:
    return f'"{name}"'


def _outside(table: str, column: str, values: tuple[str, ...]) -> str:
    known = ", ".join(f"'{value}'" for value in values)
    return (
        f"SELECT {column} AS value, count(*) AS n FROM {table} "
        f"WHERE {column} IS NOT NULL AND {column} NOT IN ({known}) GROUP BY {column} ORDER BY {column}"
    )
