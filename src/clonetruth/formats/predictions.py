"""Predictions for pairs: a detector's score or decision, or both, for two fragments.

`read_predictions` reads CSV, TSV, JSON lines and Parquet files (plain or compressed) with columns for the two ids and
for a score or a label, and CodeXGLUE's prediction lists. `predictions_in_memory` accepts tables and dicts. A pair is
unordered and has one prediction: rows that repeat it are left out; if they contradict each other, the pair has none.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.formats.batches import BATCH_ROWS, as_text, read_batches, table_columns
from clonetruth.formats.codexglue import read_labels
from clonetruth.formats.prediction_columns import (
    HINT,
    SIDES,
    as_decisions,
    as_scores,
    find_roles,
    flags,
    is_given,
    is_row,
)
from clonetruth.formats.streams import COMPRESSED, inner_suffix, read_lines
from clonetruth.formats.tables import TABLE_SUFFIXES
from clonetruth.parsing import parse_json

PREDICTIONS = pa.schema(
    [
        pa.field("left", pa.string(), nullable=False),
        pa.field("right", pa.string(), nullable=False),
        pa.field("score", pa.float64()),
        pa.field("label", pa.bool_()),
        pa.field("line", pa.int64(), nullable=False),
    ]
)
"""A prediction: the ids of two fragments, a score (larger means more alike), a decision, and its line or row."""


@dataclass(frozen=True)
class Fault:
    """Rows that were left out for one reason: how many, and the line of the first."""

    reason: str
    rows: int
    line: int


@dataclass(frozen=True)
class PredictionOrigin:
    """Where predictions come from.

    Attributes:
        name: the file's name, or the name given to predictions in memory.
        path: the file; None for predictions in memory.
    """

    name: str
    path: Path | None = None

    def place(self, line: int) -> str:
        """A row as part of a sentence: "on line 3" of a file, "in row 3" in memory."""
        return f"in row {line}" if self.path is None else f"on line {line}"

    def where(self, line: int | None = None) -> str:
        """The origin, or one of its rows, as errors name it."""
        if line is None:
            return str(self.path or self.name)
        return f"{self.name}, row {line}" if self.path is None else f"{self.path}:{line}"


@dataclass(frozen=True)
class Predictions:
    """Predictions, checked.

    Attributes:
        origin: the file, or the name of predictions in memory.
        table: the usable rows, with the columns of `PREDICTIONS`; each unordered pair once, unless repeats were kept.
        faults: the rows that were left out, by reason.
    """

    origin: PredictionOrigin
    table: pa.Table
    faults: tuple[Fault, ...] = ()

    @property
    def title(self) -> str:
        """The default name of the detector: the file's name without its endings, or the name given in memory."""
        path = self.origin.path
        if path is None:
            return self.origin.name
        return (path.with_suffix("") if path.suffix.lower() in COMPRESSED else path).stem

    @property
    def skipped(self) -> int:
        """The number of rows that were left out."""
        return sum(fault.rows for fault in self.faults)

    def digest(self) -> str:
        """The SHA-256 that manifests record: of the file's bytes, or of the usable rows in memory."""
        if self.origin.path is not None:
            with self.origin.path.open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        content = hashlib.sha256()
        for side in SIDES:
            content.update("\0".join(self.table[side].to_pylist()).encode("utf-8") + b"\0\0")
        content.update(pc.fill_null(self.table["score"], np.nan).to_numpy().astype("<f8").tobytes())
        content.update(pc.fill_null(self.table["label"].cast(pa.int8()), -1).to_numpy().tobytes())
        return content.hexdigest()

    def warnings(self) -> tuple[str, ...]:
        """One sentence for each reason for which rows were left out."""
        return tuple(
            f"{self.origin.name}: {fault.rows:,} rows were left out, the first {self.origin.place(fault.line)}: "
            f"{fault.reason}."
            for fault in self.faults
        )


def read_predictions(path: str | os.PathLike[str], *, strict: bool = False, repeats: bool = False) -> Predictions:
    """Read a file of predictions. Its ending determines the format; other texts are read as CodeXGLUE's list.

    If a file has both a column of predictions and one of labels, the labels are the file's own truth and are not used.

    Args:
        path: the file.
        strict: raise an error at the first bad row. By default, bad rows are left out and counted.
        repeats: keep rows that repeat a pair, even if they contradict each other (for lists of answers).

    Raises:
        InputError: the file cannot be read, has no columns for a pair and a prediction, or has no usable row; with
            `strict`, also for a bad row.
    """
    file = Path(path)
    faults = FaultLog(PredictionOrigin(file.name, file), strict)
    return build_predictions(_rows(file, faults), faults, repeats=repeats)


def build_predictions(rows: Iterable[RoleColumns], faults: FaultLog, *, repeats: bool = False) -> Predictions:
    """Check rows and collect them; see `read_predictions` for the rules.

    Args:
        rows: batches of columns by role, each with the line numbers of its rows.
        faults: counts the rows that are left out, and knows where the rows come from.
        repeats: keep rows that repeat a pair.

    Raises:
        InputError: the columns have unusable types, or there is no usable row.
    """
    where = faults.origin.where()
    try:
        table = pa.Table.from_batches(list(_usable(rows, faults)), schema=_READ)
    except pa.ArrowException as error:
        raise InputError(f"The columns cannot be read as predictions: {error}", where=where, hint=HINT) from error
    table = _settled(table, faults)
    if not repeats:
        table = _once(table, faults)
    if not table.num_rows:
        why = "".join(
            f" {fault.rows:,} rows were left out: {fault.reason} ({faults.origin.place(fault.line)})."
            for fault in faults.summary()[:1]
        )
        raise InputError(f"There is no usable prediction.{why}", where=where, hint=HINT)
    return Predictions(faults.origin, table, faults.summary())


@dataclass
class FaultLog:
    """Counts the rows that are left out, by reason; raises at the first if `strict`."""

    origin: PredictionOrigin
    strict: bool = False
    found: dict[str, Fault] = field(default_factory=dict)

    def add(self, reason: str, lines: npt.NDArray[np.int64]) -> None:
        """Count the rows on some lines."""
        if not len(lines):
            return
        first = int(lines.min())
        if self.strict:
            raise InputError(
                f"A prediction cannot be used: {reason}.",
                where=self.origin.where(first),
                hint="Without `strict`, such rows are left out and counted.",
            )
        known = self.found.get(reason, Fault(reason, 0, first))
        self.found[reason] = Fault(reason, known.rows + len(lines), min(known.line, first))

    def add_row(self, line: int, why: str) -> None:
        """Count one row."""
        self.add(why, np.array([line], dtype=np.int64))

    def summary(self) -> tuple[Fault, ...]:
        """The faults, the most frequent first."""
        return tuple(sorted(self.found.values(), key=lambda fault: (-fault.rows, fault.line)))


_READ = pa.schema([*PREDICTIONS, pa.field("either", pa.bool_(), nullable=False)])
"""Rows as read; `either` marks rows whose score and label are two readings of one value."""

RoleColumns = tuple[Mapping[str, pa.Array], npt.NDArray[np.int64]]
"""The columns by role (left, right, and score, label or either), and the line numbers."""


def _rows(path: Path, faults: FaultLog) -> Iterator[RoleColumns]:
    suffix = inner_suffix(path)
    if suffix in (".jsonl", ".ndjson"):
        return _json_rows(path, faults)
    if suffix in TABLE_SUFFIXES:
        return _table_rows(path, faults)
    return _listed_rows(path, faults)


def _table_rows(path: Path, faults: FaultLog) -> Iterator[RoleColumns]:
    names = table_columns(path)
    header = _HEADER if inner_suffix(path) != ".parquet" and is_row(names) else ()
    roles = find_roles(header or names, path)
    for batch in read_batches(path, list(roles.values()), header=header, on_bad_row=faults.add_row):
        yield {role: batch.column(name) for role, name in roles.items()}, batch.lines()


def _json_rows(path: Path, faults: FaultLog) -> Iterator[RoleColumns]:
    roles: dict[str, str] = {}
    objects = _json_objects(path, faults)
    while chunk := list(islice(objects, BATCH_ROWS)):
        if not roles:
            spelling = {name.strip().lower(): name for name in chunk[0][1]}
            roles = {role: spelling[name] for role, name in find_roles(list(spelling), path).items()}
        columns = {
            role: pa.array([_cell(row.get(name)) for _, row in chunk], pa.string()) for role, name in roles.items()
        }
        yield columns, np.array([line for line, _ in chunk], dtype=np.int64)


def _json_objects(path: Path, faults: FaultLog) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in read_lines(path):
        if not line.strip():
            continue
        try:
            value = parse_json(line)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            yield number, value
        else:
            faults.add_row(number, "the line is not a JSON object")


def _cell(value: object) -> str | None:
    return None if value is None else value if isinstance(value, str) else json.dumps(value)


def _listed_rows(path: Path, faults: FaultLog) -> Iterator[RoleColumns]:
    """CodeXGLUE's list.

    Raises:
        InputError: no line is a pair with a label.
    """
    nothing = True
    for columns in _listed(path, faults):
        nothing = False
        yield columns
    if nothing:
        raise InputError(
            "No line has two ids and the label 0 or 1 with tabs or spaces between them, as in CodeXGLUE's list.",
            where=path,
            hint="Scores need a file whose name ends in .csv, .tsv, .jsonl (an object on each line) or .parquet.",
        )


def _listed(path: Path, faults: FaultLog) -> Iterator[RoleColumns]:
    rows = read_labels(path, faults.add_row)
    while chunk := list(islice(rows, BATCH_ROWS)):
        left, right, labels, lines = zip(*chunk, strict=True)
        columns = {
            "left": pa.array(left, pa.string()),
            "right": pa.array(right, pa.string()),
            "label": pa.array(labels, pa.bool_()),
        }
        yield columns, np.array(lines, dtype=np.int64)


def _usable(rows: Iterable[RoleColumns], faults: FaultLog) -> Iterator[pa.RecordBatch]:
    """The rows with two ids and a score or a label. Others are counted as faults, except empty lines."""
    for columns, lines in rows:
        ids = [pc.utf8_trim_whitespace(as_text(columns[side])) for side in SIDES]
        named = [is_given(side) for side in ids]
        values = {role: column for role, column in columns.items() if role not in SIDES}
        answered = np.logical_or.reduce([is_given(column) for column in values.values()])
        scores = values.get("score", values.get("either"))
        labels = values.get("label", values.get("either"))
        score = pa.nulls(len(lines), pa.float64()) if scores is None else as_scores(scores)
        label = pa.nulls(len(lines), pa.bool_()) if labels is None else as_decisions(labels)
        readable = {"score": flags(score.is_valid()), "label": flags(label.is_valid())}
        readable["either"] = readable["score"] | readable["label"]
        checks = [("a fragment has no id", ~(named[0] & named[1]))]
        checks += [(_UNREADABLE[role], is_given(column) & ~readable[role]) for role, column in values.items()]
        checks.append(("the row has neither a score nor a label", ~answered))
        good = answered | named[0] | named[1]
        for reason, wrong in checks:
            faults.add(reason, lines[good & wrong])
            good &= ~wrong
        either = pa.array(np.full(len(lines), "either" in values))
        batch = pa.RecordBatch.from_arrays([*ids, score, label, pa.array(lines), either], schema=_READ)
        yield batch.filter(pa.array(good))


_HEADER = ("left", "right", "prediction")
"""The columns of a file without a header."""

_UNREADABLE = {
    "score": "the score is not a finite number",
    "label": "the label is neither 1 nor 0",
    "either": "the prediction is not a finite number",
}


def _settled(table: pa.Table, faults: FaultLog) -> pa.Table:
    """Decide whether predictions are labels or scores: one number other than 0 and 1 makes all of them scores."""
    rest = table.drop_columns(["either"])
    if not pc.any(table["either"]).as_py():
        return rest
    index = rest.schema.get_field_index
    if rest["label"].null_count:
        number = rest["score"].is_valid()
        faults.add(_UNREADABLE["either"], rest["line"].filter(pc.invert(number)).to_numpy())
        rest = rest.filter(number)
        return rest.set_column(index("label"), PREDICTIONS.field("label"), pa.nulls(rest.num_rows, pa.bool_()))
    return rest.set_column(index("score"), PREDICTIONS.field("score"), pa.nulls(rest.num_rows, pa.float64()))


def _once(table: pa.Table, faults: FaultLog) -> pa.Table:
    """Each unordered pair once, without the pairs whose rows contradict each other."""
    ids = pa.chunked_array([*table["left"].chunks, *table["right"].chunks], pa.string()).dictionary_encode()
    codes = np.concatenate(
        [np.zeros(0, np.int64), *(chunk.indices.to_numpy().astype(np.int64) for chunk in ids.chunks)]
    )
    left, right = codes[: table.num_rows], codes[table.num_rows :]
    keys = np.minimum(left, right) << 32 | np.maximum(left, right)
    ordered = np.sort(keys)
    if not (ordered[1:] == ordered[:-1]).any():
        return table
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    score = pc.fill_null(table["score"], np.nan).to_numpy()
    label = pc.fill_null(table["label"].cast(pa.int8()), -1).to_numpy()
    original = first[group]
    same = (label == label[original]) & ((score == score[original]) | (np.isnan(score) & np.isnan(score[original])))
    contradicted = np.bincount(group, ~same, len(first))[group] > 0
    again = np.arange(table.num_rows) != original
    lines = table["line"].to_numpy()
    faults.add("rows for this pair contradict each other", lines[contradicted])
    faults.add("the pair was predicted before, with the same answer", lines[again & ~contradicted])
    return table.filter(pa.array(~again & ~contradicted))
