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
from clonetruth.formats.answers import read_labels
from clonetruth.formats.batches import BATCH_ROWS, as_numbers, as_text, read_batches, table_columns
from clonetruth.formats.streams import COMPRESSED, inner_suffix, read_lines
from clonetruth.formats.tables import TABLE_SUFFIXES

# The columns of files of predictions: which names they go by, and what their values say.

SIDES: Mapping[str, Sequence[str]] = {
    "left": ("left", "left_id", "id1", "id_1", "idx1", "idx_1", "id_left", "fragment1", "function_id_one"),
    "right": ("right", "right_id", "id2", "id_2", "idx2", "idx_2", "id_right", "fragment2", "function_id_two"),
}
_SCORES = ("score", "probability", "prob", "proba", "similarity", "sim")
_PREDICTIONS = ("prediction", "predictions", "predicted", "pred", "y_pred")
"""Columns that hold decisions in some files and scores in others: the values tell."""
_LABELS = ("predicted_label", "label", "is_clone", "clone")
_TRUE = ("1", "1.0", "true", "yes", "clone", "t")
_FALSE = ("0", "0.0", "-1", "false", "no", "not-clone", "non-clone", "f")

HINT = "Columns: left, right, and score or label (also id1, id2, probability, prediction …)."


def find_roles(names: Sequence[str], path: Path) -> dict[str, str]:
    """The columns by what they hold: left, right, and a score, a label, both, or either of them."""
    left, right = (_role(names, known) for known in SIDES.values())
    score, prediction = _role(names, _SCORES), _role(names, _PREDICTIONS)
    roles = {"left": left, "right": right, "score": score}
    roles["either" if prediction and not score else "label"] = prediction or _role(names, _LABELS)
    found = {role: name for role, name in roles.items() if name is not None}
    if left is None or right is None or len(found) < 3:
        lack = "the ids of a pair" if left is None or right is None else "a score or a label"
        there = ", ".join(name for name in names if name) or "none"
        raise InputError(f"The file has no column for {lack}; its columns: {there[:200]}.", where=path, hint=HINT)
    return found


def _role(names: Sequence[str], known: Iterable[str]) -> str | None:
    plain = {name.replace("-", "_").replace(" ", "_"): name for name in reversed(names)}
    return next((plain[name] for name in known if name in plain), None)


def is_row(cells: Sequence[str]) -> bool:
    """Whether the first line of a file is a row already: two ids and a value, and no name of a column."""
    if len(cells) != 3 or _role(cells, SIDES["left"]):
        return False
    value = pa.array(cells[2:], pa.string())
    return bool(as_scores(value)[0].is_valid or as_decisions(value)[0].is_valid)


def is_given(column: pa.Array) -> npt.NDArray[np.bool_]:
    """Where a column has a value at all."""
    text = pa.types.is_string(column.type)
    return flags(pc.not_equal(pc.utf8_trim_whitespace(column), "") if text else column.is_valid())


def as_scores(column: pa.Array) -> pa.Array:
    """The values as finite numbers; what is none is null."""
    numbers = as_numbers(column)
    return pc.if_else(pc.is_finite(numbers), numbers, pa.scalar(None, pa.float64()))


def as_decisions(column: pa.Array) -> pa.Array:
    """The values as clone or not; what says neither is null."""
    words = pc.utf8_lower(pc.utf8_trim_whitespace(as_text(column)))
    is_true = pc.is_in(words, pa.array(_TRUE))
    known = pc.or_(is_true, pc.is_in(words, pa.array(_FALSE)))
    return pc.if_else(known, is_true, pa.scalar(None, pa.bool_()))


def flags(array: pa.Array) -> npt.NDArray[np.bool_]:
    """Truth values for numpy; null is false."""
    found: npt.NDArray[np.bool_] = pc.fill_null(array, False).to_numpy(zero_copy_only=False)
    return found


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
        table: the usable rows, with the columns of `PREDICTIONS`; each unordered pair once, unless repeats were asked
            for.
        faults: the rows that were left out, by reason.
    """

    path: Path
    table: pa.Table
    faults: tuple[Fault, ...] = ()

    @property
    def title(self) -> str:
        """The file's name without its endings: what the detector is called, unless told."""
        return (self.path.with_suffix("") if self.path.suffix.lower() in COMPRESSED else self.path).stem

    @property
    def skipped(self) -> int:
        """Rows that were left out."""
        return sum(fault.rows for fault in self.faults)

    def warnings(self) -> tuple[str, ...]:
        """What was left out, a sentence for each reason."""
        return tuple(
            f"{self.path.name}: {fault.rows:,} rows were left out, the first on line {fault.line}: {fault.reason}."
            for fault in self.faults
        )


def read_predictions(path: str | Path, *, strict: bool = False, repeats: bool = False) -> Predictions:
    """Read predictions, the format known by the file's ending; any other text is read as CodeXGLUE's list.

    Where a file has a column of predictions and one of labels, the labels are taken as its own truth, and not used.

    Args:
        path: the file.
        strict: refuse the file at its first bad row, instead of leaving the row out.
        repeats: keep rows that repeat a pair, also where they contradict each other: for lists of answers.

    Raises:
        InputError: the file cannot be read, has no columns for a pair and a prediction, or no usable row; in a
            strict reading also for a bad row.
    """
    file = Path(path)
    faults = _Faults(file, strict)
    try:
        table = pa.Table.from_batches(list(_usable(_rows(file, faults), faults)), schema=_READ)
    except pa.ArrowException as error:
        raise InputError(f"The columns cannot be read as predictions: {error}", where=file, hint=HINT) from error
    table = _settled(table, faults)
    if not repeats:
        table = _once(table, faults)
    if not table.num_rows:
        told = faults.summary()
        why = f" {told[0].rows:,} rows were left out: {told[0].reason} (line {told[0].line})." if told else ""
        raise InputError(f"The file has no usable prediction.{why}", where=file, hint=HINT)
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
    header = _HEADER if inner_suffix(path) != ".parquet" and is_row(names) else ()
    roles = find_roles(header or names, path)
    for batch in read_batches(path, list(roles.values()), header=header, tell=faults.tell):
        yield {role: batch.column(name) for role, name in roles.items()}, batch.lines()


def _json_rows(path: Path, faults: _Faults) -> Iterator[_Columns]:
    roles: dict[str, str] = {}
    objects = _json_objects(path, faults)
    while chunk := list(islice(objects, BATCH_ROWS)):
        if not roles:
            spelling = {name.strip().lower(): name for name in chunk[0][1]}
            roles = {role: spelling[name] for role, name in find_roles(list(spelling), path).items()}
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


def _usable(rows: Iterator[_Columns], faults: _Faults) -> Iterator[pa.RecordBatch]:
    """The rows with two ids and something said of them; the others are told, but for empty lines."""
    for columns, lines in rows:
        ids = [pc.utf8_trim_whitespace(as_text(columns[side])) for side in SIDES]
        named = [is_given(side) for side in ids]
        said = {role: column for role, column in columns.items() if role not in SIDES}
        answered = np.logical_or.reduce([is_given(column) for column in said.values()])
        scores = said.get("score", said.get("either"))
        labels = said.get("label", said.get("either"))
        score = pa.nulls(len(lines), pa.float64()) if scores is None else as_scores(scores)
        label = pa.nulls(len(lines), pa.bool_()) if labels is None else as_decisions(labels)
        readable = {"score": flags(score.is_valid()), "label": flags(label.is_valid())}
        readable["either"] = readable["score"] | readable["label"]
        checks = [("a fragment has no id", ~(named[0] & named[1]))]
        checks += [(_UNREADABLE[role], is_given(column) & ~readable[role]) for role, column in said.items()]
        checks.append(("the row has neither a score nor a label", ~answered))
        good = answered | named[0] | named[1]
        for reason, wrong in checks:
            faults.add(reason, lines[good & wrong])
            good &= ~wrong
        either = pa.array(np.full(len(lines), "either" in said))
        batch = pa.RecordBatch.from_arrays([*ids, score, label, pa.array(lines), either], schema=_READ)
        yield batch.filter(pa.array(good))


_HEADER = ("left", "right", "prediction")
"""The columns of a file that does not name them."""

_UNREADABLE = {
    "score": "the score is no finite number",
    "label": "the label is neither 1 nor 0",
    "either": "the prediction is no finite number",
}


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
