"""The tables of BigCloneBench's database, exported to CSV or Parquet: tags of functions, and pairs.

The pairs are read twice, in batches: first to find the usable rows and the functionalities of each function, then to
give the pairs. Between the passes, one small integer is kept for each row.

The public H2 file has no table of tags. Users of the full database export one with the columns `function_id`,
`functionality_id`, `judge` (or `judge_id`) and `tag` (true, false, undecided).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.code.clonetypes import CUT_RULES
from clonetruth.code.similarity import PairMeasures
from clonetruth.errors import InputError
from clonetruth.formats.batches import Batch, IdIndex, as_numbers, as_text, read_batches
from clonetruth.formats.tables import read_rows
from clonetruth.model import Judge, JudgeKind, MemberValue, PairValue, Role
from clonetruth.sources.source import ImportLog

# Tags: the judgements of BigCloneBench's judges on single functions.

_JUDGE = ("judge", "judge_id", "judgeid", "tagger")
_TAG = ("tag", "is_true", "istrue", "vote", "label", "value")
_VALUES = {
    # "True positives may exceed the specification": the tag states that the function contains the functionality,
    # not that this is its purpose.
    **dict.fromkeys(("true", "t", "1", "yes", "true_positive", "tp"), MemberValue.MINOR),
    **dict.fromkeys(("false", "f", "0", "no", "false_positive", "fp"), MemberValue.WRONG),
    **dict.fromkeys(("undecided", "unknown", "u", "?"), MemberValue.UNDECIDED),
}
_REASONS = {
    MemberValue.MINOR: "tagged true: it contains the functionality, as its purpose or among other things",
    MemberValue.WRONG: "tagged false",
    MemberValue.UNDECIDED: "tagged undecided",
}


class Tags:
    """The tags as judgements of people under `implements-functionality`.

    Args:
        path: the table, if there is one.
        functions: the known functions.
        functionalities: the known functionalities.
        log: counts rows, and records unusable ones.
    """

    def __init__(
        self, path: Path | None, functions: Sequence[str], functionalities: Sequence[str], log: ImportLog
    ) -> None:
        self._rows: dict[str, list[object]] = {
            name: [] for name in ("judge", "fragment", "functionality", "value", "reason", "source_row")
        }
        if path is not None:
            self._read(path, set(functions), set(functionalities), log)

    def judges(self) -> Iterator[Judge]:
        """The people who tagged functions."""
        for identity in sorted(set(map(str, self._rows["judge"]))):
            number = identity.rpartition("-")[2]
            yield Judge(identity, JudgeKind.PERSON, f"BigCloneBench's judge {number}")

    def judgements(self) -> Iterator[pa.RecordBatch]:
        """Their tags."""
        if self._rows["judge"]:
            count = len(self._rows["judge"])
            criterion = pa.repeat("implements-functionality", count)
            yield pa.RecordBatch.from_pydict({**self._rows, "criterion": criterion})

    def _read(self, path: Path, functions: set[str], functionalities: set[str], log: ImportLog) -> None:
        for row in read_rows(path):
            values = {name.lower(): str(value).strip() for name, value in row.values.items() if value is not None}
            log.read("tagged")
            judge = next((values[name] for name in _JUDGE if values.get(name)), None)
            tag = next((values[name] for name in _TAG if values.get(name)), None)
            if row.line <= 2 and (judge is None or tag is None):
                raise InputError(
                    "The table 'tagged' needs the columns function_id, functionality_id, judge and tag.",
                    where=path,
                    hint=f"Its columns: {', '.join(row.values)}.",
                )
            value = _VALUES.get((tag or "").lower())
            if values.get("function_id") not in functions or values.get("functionality_id") not in functionalities:
                log.skip(path, row.line, "the tag names an unknown function or functionality")
            elif judge is None or value is None:
                log.skip(path, row.line, "the tag has no judge or is neither true, false nor undecided")
            else:
                cells = (
                    f"person:bigclonebench-{judge}",
                    values["function_id"],
                    values["functionality_id"],
                    str(value),
                    _REASONS[value],
                    row.line,
                )
                for name, cell in zip(self._rows, cells, strict=True):
                    self._rows[name].append(cell)


# Pairs.

_IDS = ("function_id_one", "function_id_two", "functionality_id")
_EVIDENCE = ("type", "min_judges", "min_confidence", "internal")
_UNUSABLE = -1

_CLAIMS = {
    "syntactic_type": "syntactic_type",
    "min_size": "min_lines",
    "max_size": "max_lines",
    "min_pretty_size": "min_pretty_lines",
    "max_pretty_size": "max_pretty_lines",
    "min_tokens": "min_tokens",
    "max_tokens": "max_tokens",
    "min_judges": "min_judges",
    "min_confidence": "min_confidence",
}
"""Columns of the database, and the columns of `claims` that store them."""

Codes = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class PairTable:
    """A table of pairs, and the label of its rows."""

    path: Path
    value: PairValue


class Pairs:
    """The pairs of `clones` and `false_positives`, over known functions and functionalities.

    Args:
        tables: the tables, in the order of the output.
        functions: the ids of the functions.
        exemplars: which functions were written as examples of a functionality.
        functionalities: the ids of the functionalities.
    """

    def __init__(
        self, tables: Sequence[PairTable], functions: Sequence[str], exemplars: Flags, functionalities: Sequence[str]
    ) -> None:
        self._tables = tables
        self._functions = IdIndex(functions)
        self._functionalities = IdIndex(functionalities)
        self._exemplars = exemplars
        self._codes: list[list[Codes]] = [[] for _ in tables]
        self._evidence: dict[str, int] = {}

    def memberships(self, log: ImportLog) -> Iterator[pa.RecordBatch]:
        """Read the tables for the first time: the functionalities of each function, and its role.

        A function of a true pair is tagged true; one that occurs only in false pairs is tagged false.
        """
        shape = (len(self._functionalities.known), len(self._functions.known))
        seen = {value: np.zeros(shape, dtype=bool) for value in (PairValue.CLONE, PairValue.NOT_CLONE)}
        for number, table in enumerate(self._tables):
            for batch in self._batches(table, log, _IDS, _EVIDENCE):
                left, right, functionality, usable = self._resolve(batch)
                for index in (left, right):
                    seen[table.value][functionality[usable], index[usable]] = True
                self._report(table, batch, (left, right, functionality), usable, log)
                codes = self._evidence_codes(batch)
                codes[~usable] = _UNUSABLE
                self._codes[number].append(codes)
                log.read(table.path.name.partition(".")[0], batch.rows.num_rows)
        true, false = seen[PairValue.CLONE], seen[PairValue.NOT_CLONE]
        exemplar = (true | false) & self._exemplars
        for role, flags in (
            (Role.EXEMPLAR, exemplar),
            (Role.TAGGED_TRUE, true & ~exemplar),
            (Role.TAGGED_FALSE, false & ~true & ~exemplar),
        ):
            functionalities, functions = np.nonzero(flags)
            yield pa.RecordBatch.from_pydict(
                {
                    "fragment": self._functions.ids_at(functions),
                    "functionality": self._functionalities.ids_at(functionalities),
                    "role": pa.repeat(str(role), len(functions)),
                }
            )

    def pairs(self) -> Iterator[pa.RecordBatch]:
        """Read the tables again, after `memberships`: the usable rows in order."""
        discarded = ImportLog()
        measures = ("syntactic_type", "similarity_line", "similarity_token")
        for table, codes in zip(self._tables, self._codes, strict=True):
            for batch, known in zip(self._batches(table, discarded, _IDS, measures), codes, strict=True):
                rows = replace(batch, rows=batch.rows.filter(pa.array(known != _UNUSABLE)))
                left, right, functionality, _ = self._resolve(rows)
                syntactic, line, token = (as_numbers(rows.column(name)) for name in measures)
                columns = {
                    "left": self._functions.ids_at(left),
                    "right": self._functions.ids_at(right),
                    "functionality": self._functionalities.ids_at(functionality),
                    "claimed_similarity_line": line,
                    "claimed_similarity_token": token,
                }
                if table.value is PairValue.CLONE:
                    types = _types(syntactic, line, token)
                    columns["claimed_type"] = types
                    columns["claimed_cut_rule"] = pc.if_else(types.is_valid(), "min", pa.scalar(None, pa.string()))
                yield pa.RecordBatch.from_pydict(columns)

    def claims(self) -> Iterator[pa.RecordBatch]:
        """Read the tables once more: the published values of each pair for BigCloneEval's filters."""
        discarded = ImportLog()
        for table, codes in zip(self._tables, self._codes, strict=True):
            for batch, known in zip(self._batches(table, discarded, _IDS, (*_CLAIMS, "internal")), codes, strict=True):
                rows = replace(batch, rows=batch.rows.filter(pa.array(known != _UNUSABLE)))
                columns = {ours: _whole(rows.column(theirs)) for theirs, ours in _CLAIMS.items()}
                columns["clone"] = pa.repeat(table.value is PairValue.CLONE, rows.rows.num_rows)
                columns["internal"] = _flags(rows.column("internal"))
                yield pa.RecordBatch.from_pydict(columns)

    def judgements(self, judge: str, criterion: str) -> Iterator[pa.RecordBatch]:
        """The rule's claim on every pair, from the results of the first pass."""
        evidence = pa.array(list(self._evidence), pa.string())
        pair = 0
        for table, codes in zip(self._tables, self._codes, strict=True):
            row = 0
            for known in codes:
                (usable,) = np.nonzero(known != _UNUSABLE)
                count = len(usable)
                yield pa.RecordBatch.from_pydict(
                    {
                        "judge": pa.repeat(judge, count),
                        "criterion": pa.repeat(criterion, count),
                        "value": pa.repeat(str(table.value), count),
                        "pair": pa.array(np.arange(pair, pair + count)),
                        "evidence": evidence.take(pa.array(known[usable])),
                        "source_row": pa.array(usable + row + 1),
                    }
                )
                pair += count
                row += len(known)

    def _batches(
        self, table: PairTable, log: ImportLog, columns: Sequence[str], optional: Sequence[str]
    ) -> Iterator[Batch]:
        def skip(line: int, why: str) -> None:
            log.skip(table.path, line, why)

        return read_batches(table.path, columns, optional=optional, on_bad_row=skip)

    def _resolve(self, batch: Batch) -> tuple[Codes, Codes, Codes, Flags]:
        """The positions of the two functions and of the functionality (-1 if unknown), and which rows are usable."""
        left, right = (self._functions.positions(batch.column(name)) for name in _IDS[:2])
        functionality = self._functionalities.positions(batch.column(_IDS[2]))
        return left, right, functionality, (left >= 0) & (right >= 0) & (functionality >= 0)

    def _report(
        self, table: PairTable, batch: Batch, found: tuple[Codes, Codes, Codes], usable: Flags, log: ImportLog
    ) -> None:
        for row in np.nonzero(~usable)[0].tolist():
            if not any(batch.column(name)[row].is_valid for name in _IDS):
                continue  # an empty line
            what = "functionality" if found[0][row] >= 0 and found[1][row] >= 0 else "function"
            log.skip(table.path, batch.line(row), f"the pair names an unknown {what}")

    def _evidence_codes(self, batch: Batch) -> Codes:
        """A number for each distinct combination of the columns that show how a pair got its label."""
        combined = np.zeros(batch.rows.num_rows, dtype=np.int64)
        values = []
        for name in _EVIDENCE:
            column = as_text(batch.column(name)).dictionary_encode(null_encoding="encode")
            values.append(column.dictionary.to_pylist())
            combined = combined * len(values[-1]) + column.indices.to_numpy()
        distinct, positions = np.unique(combined, return_inverse=True)
        numbers = []
        for number in distinct.tolist():
            evidence = {}
            for name, texts in zip(reversed(_EVIDENCE), reversed(values), strict=True):
                number, index = divmod(number, len(texts))
                if texts[index] is not None:
                    evidence[name] = texts[index].strip().lower()
            text = json.dumps(evidence, sort_keys=True)
            numbers.append(self._evidence.setdefault(text, len(self._evidence)))
        codes: Codes = np.array(numbers, dtype=np.int32)[positions]
        return codes


def _whole(column: pa.Array) -> pa.Array:
    """The values as integers; null if they are not integers, or too large for a size."""
    if pa.types.is_integer(column.type):
        column = column.cast(pa.int64())
    else:
        numbers = as_numbers(column)
        column = pc.if_else(pc.equal(numbers, pc.trunc(numbers)), numbers, pa.scalar(None, pa.float64()))
    fits = pc.less(pc.abs(column), 2**31)
    return pc.if_else(fits, column, pa.scalar(None, column.type)).cast(pa.int32())


def _flags(column: pa.Array) -> pa.Array:
    """The values as booleans, in any spelling of an export."""
    if pa.types.is_boolean(column.type):
        return column
    text = pc.utf8_lower(pc.utf8_trim_whitespace(as_text(column)))
    spellings = pa.array(["false", "f", "0", "true", "t", "1"])
    return pa.array([False] * 3 + [True] * 3).take(pc.index_in(text, value_set=spellings))


def _types(syntactic: pa.Array, line: pa.Array, token: pa.Array) -> pa.Array:
    """The clone types by BigCloneEval's default rule (the smaller of both similarities); null if unknown."""
    syntactic = pc.fill_null(syntactic, 0)
    known = pc.or_(pc.is_in(syntactic, pa.array([1.0, 2.0])), pc.and_(line.is_valid(), token.is_valid()))
    measures = PairMeasures(
        pc.fill_null(line, 0).to_numpy(zero_copy_only=False),
        pc.fill_null(token, 0).to_numpy(zero_copy_only=False),
        syntactic.to_numpy(zero_copy_only=False),
    )
    names = pa.array(CUT_RULES["min"].types(measures), pa.string())
    return pc.if_else(
        pc.and_(known, pc.is_in(syntactic, pa.array([1.0, 2.0, 3.0]))), names, pa.scalar(None, pa.string())
    )
