"""Predictions for pairs: what a detector says of two fragments, as a score, a decision or both.

Read from CSV, TSV, JSON lines and Parquet files (plain or compressed) with columns for the two ids and for a score
or a label, and from CodeXGLUE's prediction lists. A pair is unordered, and has one prediction: rows that repeat it
are left out, and where they contradict each other it has none.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.formats.batches import BATCH_ROWS, as_numbers, as_text, read_batches, table_columns
from clonetruth.formats.codexglue import read_labels
from clonetruth.formats.streams import inner_suffix, read_lines
from clonetruth.formats.tables import TABLE_SUFFIXES

PREDICTIONS = pa.schema(
    [
        pa.field("left", pa.string(), nullable=False),
        pa.field("right", pa.string(), nullable=False),
        pa.field("score", pa.float64()),
        pa.field("label", pa.bool_()),
        pa.field("line", pa.int64(), nullable=False),
    ]
)
"""A prediction: the ids of two fragments, a score (larger is more alike), a decision, and the line it stands on."""

_SIDES: Mapping[str, Sequence[str]] = {
    "left": ("left", "left_id", "id1", "id_1", "idx1", "idx_1", "id_left", "fragment1", "function_id_one"),
    "right": ("right", "right_id", "id2", "id_2", "idx2", "idx_2", "id_right", "fragment2", "function_id_two"),
}
_SCORES = ("score", "probability", "prob", "proba", "similarity", "sim")
_PREDICTIONS = ("prediction", "predictions", "predicted", "pred", "y_pred")
"""Columns that hold decisions in some files and scores in others: the values tell."""
_LABELS = ("predicted_label", "label", "is_clone", "clone")
_TRUE = ("1", "1.0", "true", "yes", "clone", "t")
_FALSE = ("0", "0.0", "-1", "false", "no", "not-clone", "non-clone", "f")

_HINT = "Columns: left, right, and score or label (also id1, id2, probability, prediction …)."


@dataclass(frozen=True)
class Fault:
    """Why rows were left out, how many, and the first line of them."""

    reason: str
    rows: int
    line: int


@dataclass(frozen=True)
class Predictions:
    """What a file of predictions holds.

    Attributes:
        path: the file.
        table: the usable rows, with the columns of `PREDICTIONS`; each unordered pair once.
        faults: the rows that were left out, by reason.
    """

    path: Path
    table: pa.Table
    faults: tuple[Fault, ...] = ()

    @property
    def skipped(self) -> int:
        """Rows that were left out."""
        return sum(fault.rows for fault in self.faults)


def read_predictions(path: str | Path, *, strict: bool = False) -> Predictions:
    """Read predictions, the format known by the file's ending; any other text is read as CodeXGLUE's list.

    Where a file has a column of predictions and one of labels, the labels are taken as its own truth, and not used.

    Args:
        path: the file.
        strict: refuse the file at its first bad row, instead of leaving the row out.

    Raises:
        InputError: the file cannot be read, has no columns for a pair and a prediction, or no usable row; in a
            strict reading also for a bad row.
    """
    file = Path(path)
    faults = _Faults(file, strict)
    table = pa.Table.from_batches(list(_usable(_rows(file, faults), faults)), schema=_READ)
    table = _once(_settled(table, faults), faults)
    if not table.num_rows:
        told = faults.summary()
        why = f" {told[0].rows:,} rows were left out: {told[0].reason} (line {told[0].line})." if told else ""
        raise InputError(f"The file has no usable prediction.{why}", where=file, hint=_HINT)
    return Predictions(file, table, faults.summary())


@dataclass
class _Faults:
    """Counts the rows that are left out."""

    path: Path
    strict: bool
    found: dict[str, Fault] = field(default_factory=dict)

    def add(self, reason: str, lines: npt.NDArray[np.int64]) -> None:
        if not len(lines):
            return
        first = int(lines.min())
        if self.strict:
            raise InputError(
                f"A prediction cannot be used: {reason}.",
                where=f"{self.path}:{first}",
                hint="Without --strict it is left out and counted.",
            )
        known = self.found.get(reason, Fault(reason, 0, first))
        self.found[reason] = Fault(reason, known.rows + len(lines), min(known.line, first))

    def tell(self, line: int, why: str) -> None:
        self.add(why, np.array([line], dtype=np.int64))

    def summary(self) -> tuple[Fault, ...]:
        return tuple(sorted(self.found.values(), key=lambda fault: (-fault.rows, fault.line)))


_READ = pa.schema([*PREDICTIONS, pa.field("either", pa.bool_(), nullable=False)])
"""Rows as they are read; `either` where score and label are two readings of one value."""

_Columns = tuple[Mapping[str, pa.Array], npt.NDArray[np.int64]]
"""The columns by what they hold (left, right, and score, label or either), and the lines."""


def _rows(path: Path, faults: _Faults) -> Iterator[_Columns]:
    suffix = inner_suffix(path)
    if suffix in (".jsonl", ".ndjson"):
        return _json_rows(path, faults)
    if suffix in TABLE_SUFFIXES:
        return _table_rows(path, faults)
    return _listed_rows(path, faults)


def _table_rows(path: Path, faults: _Faults) -> Iterator[_Columns]:
    names = table_columns(path)
    header = None
    if inner_suffix(path) != ".parquet" and not _role(names, _SIDES["left"]) and _is_row(names):
        header = names = ["left", "right", "prediction"]
    roles = _roles(names, path)
    for batch in read_batches(path, list(roles.values()), header=header, tell=faults.tell):
        yield {role: batch.column(name) for role, name in roles.items()}, batch.lines()


def _json_rows(path: Path, faults: _Faults) -> Iterator[_Columns]:
    roles: dict[str, str] = {}
    objects = _json_objects(path, faults)
    while chunk := list(islice(objects, BATCH_ROWS)):
        if not roles:
            spelling = {name.strip().lower(): name for name in chunk[0][1]}
            roles = {role: spelling[name] for role, name in _roles(list(spelling), path).items()}
        columns = {
            role: pa.array([_word(row.get(name)) for _, row in chunk], pa.string()) for role, name in roles.items()
        }
        yield columns, np.array([line for line, _ in chunk], dtype=np.int64)


def _json_objects(path: Path, faults: _Faults) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in read_lines(path):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            yield number, value
        else:
            faults.tell(number, "the line is no JSON object")


def _word(value: object) -> str | None:
    return None if value is None else value if isinstance(value, str) else json.dumps(value)


def _listed_rows(path: Path, faults: _Faults) -> Iterator[_Columns]:
    rows = read_labels(path, faults.tell)
    while chunk := list(islice(rows, BATCH_ROWS)):
        left, right, labels, lines = zip(*chunk, strict=True)
        columns = {
            "left": pa.array(left, pa.string()),
            "right": pa.array(right, pa.string()),
            "label": pa.array(labels, pa.bool_()),
        }
        yield columns, np.array(lines, dtype=np.int64)


def _is_row(cells: Sequence[str]) -> bool:
    """Whether the first line of a file is a row already: two ids, and a value."""
    values = pa.array(cells[2:3], pa.string())
    return len(cells) == 3 and (_finite(values).is_valid()[0].as_py() or _decisions(values).is_valid()[0].as_py())


def _roles(names: Sequence[str], path: Path) -> dict[str, str]:
    """The columns by what they hold: left, right, and a score, a label, both, or either of them."""
    left, right = (_role(names, known) for known in _SIDES.values())
    score, prediction = _role(names, _SCORES), _role(names, _PREDICTIONS)
    roles = {"left": left, "right": right, "score": score}
    roles["either" if prediction and not score else "label"] = prediction or _role(names, _LABELS)
    found = {role: name for role, name in roles.items() if name is not None}
    if left is None or right is None or len(found) < 3:
        lack = "the ids of a pair" if left is None or right is None else "a score or a label"
        there = ", ".join(name for name in names if name) or "none"
        raise InputError(f"The file has no column for {lack}; its columns: {there[:200]}.", where=path, hint=_HINT)
    return found


def _role(names: Sequence[str], known: Iterable[str]) -> str | None:
    plain = {name.replace("-", "_").replace(" ", "_"): name for name in reversed(names)}
    return next((plain[name] for name in known if name in plain), None)


def _usable(rows: Iterator[_Columns], faults: _Faults) -> Iterator[pa.RecordBatch]:
    """The rows with two ids and something said of them; the others are told, but for empty lines."""
    for columns, lines in rows:
        ids = [pc.utf8_trim_whitespace(as_text(columns[side])) for side in _SIDES]
        named = [_given(side) for side in ids]
        said = {role: column for role, column in columns.items() if role not in _SIDES}
        given = np.logical_or.reduce([_given(column) for column in said.values()])
        scores = said.get("score", said.get("either"))
        labels = said.get("label", said.get("either"))
        score = pa.nulls(len(lines), pa.float64()) if scores is None else _finite(scores)
        label = pa.nulls(len(lines), pa.bool_()) if labels is None else _decisions(labels)
        readable = {role: _flags(values.is_valid()) for role, values in (("score", score), ("label", label))}
        readable["either"] = readable["score"] | readable["label"]
        good = given | named[0] | named[1]
        checks = [("a fragment has no id", ~(named[0] & named[1]))]
        checks += [(_UNREADABLE[role], _given(column) & ~readable[role]) for role, column in said.items()]
        checks.append(("the row has neither a score nor a label", ~given))
        for reason, wrong in checks:
            faults.add(reason, lines[good & wrong])
            good &= ~wrong
        either = pa.array(np.full(len(lines), "either" in said))
        batch = pa.RecordBatch.from_arrays([*ids, score, label, pa.array(lines), either], schema=_READ)
        yield batch.filter(pa.array(good))


_UNREADABLE = {
    "score": "the score is no finite number",
    "label": "the label is neither 1 nor 0",
    "either": "the prediction is no finite number",
}


def _flags(array: pa.Array) -> npt.NDArray[np.bool_]:
    flags: npt.NDArray[np.bool_] = pc.fill_null(array, False).to_numpy(zero_copy_only=False)
    return flags


def _given(column: pa.Array) -> npt.NDArray[np.bool_]:
    if pa.types.is_string(column.type):
        return _flags(pc.not_equal(pc.utf8_trim_whitespace(column), ""))
    return _flags(column.is_valid())


def _finite(column: pa.Array) -> pa.Array:
    numbers = as_numbers(column)
    return pc.if_else(pc.is_finite(numbers), numbers, pa.scalar(None, pa.float64()))


def _decisions(column: pa.Array) -> pa.Array:
    if pa.types.is_boolean(column.type):
        return column
    words = pc.utf8_lower(pc.utf8_trim_whitespace(as_text(column)))
    is_true = pc.is_in(words, pa.array(_TRUE))
    known = pc.or_(is_true, pc.is_in(words, pa.array(_FALSE)))
    return pc.if_else(known, is_true, pa.scalar(None, pa.bool_()))


def _settled(table: pa.Table, faults: _Faults) -> pa.Table:
    """Decide whether predictions are labels or scores: one number beside 0 and 1 makes all of them scores."""
    rest = table.drop_columns(["either"])
    if not pc.any(table["either"]).as_py():
        return rest
    place = rest.schema.get_field_index
    if rest["label"].null_count:
        number = rest["score"].is_valid()
        faults.add(_UNREADABLE["either"], rest["line"].filter(pc.invert(number)).to_numpy())
        rest = rest.filter(number)
        return rest.set_column(place("label"), PREDICTIONS.field("label"), pa.nulls(rest.num_rows, pa.bool_()))
    return rest.set_column(place("score"), PREDICTIONS.field("score"), pa.nulls(rest.num_rows, pa.float64()))


def _once(table: pa.Table, faults: _Faults) -> pa.Table:
    """Each unordered pair once, and none that rows contradict each other on."""
    ids = pa.chunked_array([*table["left"].chunks, *table["right"].chunks], pa.string()).dictionary_encode()
    codes = np.concatenate(
        [np.zeros(0, np.int64), *(chunk.indices.to_numpy().astype(np.int64) for chunk in ids.chunks)]
    )
    left, right = codes[: table.num_rows], codes[table.num_rows :]
    keys = np.minimum(left, right) << 32 | np.maximum(left, right)
    _, first, group = np.unique(keys, return_index=True, return_inverse=True)
    if len(first) == table.num_rows:
        return table
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
