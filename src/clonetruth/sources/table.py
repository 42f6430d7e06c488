"""Any table of pairs (CSV, TSV, JSON lines or Parquet), with a mapping of its columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from clonetruth.code import LANGUAGES, language
from clonetruth.errors import InputError
from clonetruth.formats.sniffing import head
from clonetruth.formats.streams import inner_suffix
from clonetruth.formats.tables import TABLE_SUFFIXES, Row, read_csv, read_rows
from clonetruth.model import Card, Dataset, Fragment, FragmentKind, Judge, JudgeKind
from clonetruth.sources.columns import (
    MEANING_OPTIONS,
    NAMES,
    check_options,
    choose_columns,
    choose_meaning,
)
from clonetruth.sources.json_rows import as_text
from clonetruth.sources.labelled_pairs import LabelledPairs, PairLocation
from clonetruth.sources.source import ImportLog, SourceCard

CARD = Card(
    name="table",
    version="1",
    description="A table of labelled pairs, imported by a mapping of its columns.",
    licence="none stated",
    citation="none stated",
    criterion="functionally-similar",
    languages=("any",),
    known_flaws=(
        "The table does not describe itself: use the options name, licence, citation and criterion at import.",
    ),
)
PAIRS, FRAGMENTS = "pairs.csv", "fragments.csv"
"""The two tables that `clonetruth export … csv` writes."""

_DELIMITERS = {".csv": ",", ".tsv": "\t", ".txt": "\t"}
_OWN = ("header", "delimiter", "texts", "text_id", "text", "text_language")
_TEXT_ID = ("text_id", "id", "idx", "function_id", "fragment")
_TEXT = ("text", "func", "code")
_DESCRIPTIONS = ("kind", "name", "project", "path", "first_line", "last_line")


class TableSource:
    """The registered source."""

    card = SourceCard(
        card=CARD,
        claimed_by=Judge("rule:table", JudgeKind.RULE, "The table's labels", "As the label column says."),
        label_means="As the option criterion says, which is required.",
        accepts=(
            "CSV, TSV, JSON lines and Parquet files of pairs, plain or compressed. Columns by name, or by number from "
            f"1 for files without a header: {', '.join(NAMES)}. Texts are in the rows, or in a second table "
            "(option texts=FILE, columns text_id and text). Further options: "
            f"{', '.join((*MEANING_OPTIONS, 'header', 'delimiter'))}"
        ),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`: only tables with the columns left, right and label."""
        for path in _pair_tables(paths):
            if inner_suffix(path) in _DELIMITERS:
                line = head(path, 2000).partition(b"\n")[0].decode("utf-8-sig", errors="replace")
                names = {name.strip().strip('"') for name in line.split(_DELIMITERS[inner_suffix(path)])}
                if {"left", "right", "label"} <= names:
                    return "a table with the columns left, right and label"
        return None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, (*NAMES, *MEANING_OPTIONS, *_OWN))
        tables = _pair_tables(paths)
        if not tables:
            raise InputError("No table was given.", hint=f"Accepted: {self.card.accepts}.")
        rows = _Rows(options)
        columns = choose_columns(options, _names(rows, tables), tables[0])
        meaning = choose_meaning(options, CARD)
        texts = _texts_table(tables, options)
        if columns.left_text is None and texts is None and options.get("texts") != "none":
            raise InputError(
                "The texts of the fragments are missing.",
                where=tables[0],
                hint="Name their columns (left_text, right_text) or a second table (texts=FILE); texts=none imports "
                "ids and labels only.",
            )
        if meaning.language is None and columns.left_language is None and texts is None:
            raise InputError("The language is unknown.", hint="Set it: --option language=java.")
        fragments: Iterator[Fragment] | None = None
        if texts is not None:
            fragments = _fragments(texts, options, meaning.language, log)
        elif columns.left_text is None:
            fragments = _without_texts(rows, tables, (str(columns.left), str(columns.right)), meaning.language or "")
        return LabelledPairs(
            lambda: (PairLocation(path, row) for path in tables for row in rows.read(path)),
            columns,
            meaning,
            log,
            fragments,
        ).dataset()


class _Rows:
    """Reads the rows of a table according to the options."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        numbers = [str(options[name]) for name in NAMES if name in options]
        header = str(options.get("header", "")).lower()
        if header not in ("", "yes", "no"):
            raise InputError("The option header must be 'yes' or 'no'.")
        by_number = bool(numbers) and all(number.isdigit() and len(number) < 5 for number in numbers)
        self._header: tuple[str, ...] | None = None
        if header == "no" or (by_number and not header):
            if not by_number:
                raise InputError("The columns of a table without a header must be numbers, from 1.")
            self._header = tuple(str(number) for number in range(1, max(map(int, numbers)) + 1))
        self._delimiter = {"tab": "\t", "\\t": "\t"}.get(str(options.get("delimiter")), options.get("delimiter"))
        if self._delimiter is not None and len(str(self._delimiter)) != 1:
            raise InputError("The option delimiter must be one character, or 'tab'.")

    def read(self, path: Path) -> Iterator[Row]:
        suffix = inner_suffix(path)
        if suffix in _DELIMITERS or self._delimiter:
            return read_csv(path, delimiter=self._delimiter or _DELIMITERS[suffix], header=self._header)
        return read_rows(path)


def _pair_tables(paths: Sequence[Path]) -> list[Path]:
    """The tables of pairs: files as given; in a folder, the table that an export wrote."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += [path / PAIRS] if (path / PAIRS).is_file() else []
        elif path.name != FRAGMENTS:
            found.append(path)
    return found


def _texts_table(tables: Sequence[Path], options: Mapping[str, Any]) -> Path | None:
    given = options.get("texts")
    if given is None:
        exported = tables[0].with_name(FRAGMENTS)
        return exported if tables[0].name == PAIRS and exported.is_file() else None
    if given == "none":
        return None
    path = Path(str(given))
    if not path.is_file():
        raise InputError("There is no such table of texts.", where=path)
    return path


def _names(rows: _Rows, tables: Sequence[Path]) -> list[str]:
    """The columns of the first table."""
    for row in rows.read(tables[0]):
        return list(row.values)
    raise InputError("The table has no rows.", where=tables[0], hint=f"Known: {', '.join(TABLE_SUFFIXES)}.")


def _without_texts(
    rows: _Rows, tables: Sequence[Path], sides: tuple[str, str], language_name: str
) -> Iterator[Fragment]:
    """The fragments of a table with ids only, without texts."""
    known: set[str] = set()
    for row in chain.from_iterable(map(rows.read, tables)):
        for side in sides:
            name = as_text(row.values.get(side))
            if name and name.strip() not in known:
                known.add(name.strip())
                yield Fragment(name.strip(), language_name, "")


def _fragments(path: Path, options: Mapping[str, Any], language_name: str | None, log: ImportLog) -> Iterator[Fragment]:
    """The fragments of a table of texts."""
    known: set[str] = set()
    names: tuple[str, str] | None = None
    for row in _Rows({}).read(path):
        log.read("texts")
        names = names or (_column(path, row, options, "text_id", _TEXT_ID), _column(path, row, options, "text", _TEXT))
        name, text = (as_text(row.values.get(column)) for column in names)
        spelling = language_name or str(row.values.get(str(options.get("text_language", "language")), ""))
        if not name or not name.strip() or text is None:
            log.skip(path, row.line, "the row has no id or no text")
        elif name.strip() in known:
            log.skip(path, row.line, "the id occurs twice")
        elif spelling.lower() not in LANGUAGES:
            log.skip(path, row.line, "the language is unknown")
        else:
            known.add(name.strip())
            yield Fragment(name.strip(), language(spelling).name, text, **_description(row))


def _column(path: Path, row: Row, options: Mapping[str, Any], option: str, usual: Sequence[str]) -> str:
    given = options.get(option)
    name = given if given is not None else next((name for name in usual if name in row.values), None)
    if name is None or name not in row.values:
        raise InputError(
            f"The table of texts has no column for {option}.",
            where=path,
            hint=f"Set it: --option {option}=COLUMN. Columns: {', '.join(map(str, row.values))}.",
        )
    return str(name)


def _description(row: Row) -> dict[str, Any]:
    """The further columns of an exported fragment; invalid values are left out."""
    description: dict[str, Any] = {}
    for name in _DESCRIPTIONS:
        value = as_text(row.values.get(name))
        if name in ("first_line", "last_line"):
            if value and value.isdigit() and len(value) < 10:
                description[name] = int(value)
        elif value and (name != "kind" or value in tuple(FragmentKind)):
            description[name] = FragmentKind(value) if name == "kind" else value
    return description


SOURCE = TableSource()
