"""The columns of predictions: their accepted names, and what their values mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.formats.batches import as_numbers, as_text

SIDES: Mapping[str, Sequence[str]] = {
    "left": ("left", "left_id", "id1", "id_1", "idx1", "idx_1", "id_left", "fragment1", "function_id_one"),
    "right": ("right", "right_id", "id2", "id_2", "idx2", "idx_2", "id_right", "fragment2", "function_id_two"),
}
_SCORES = ("score", "probability", "prob", "proba", "similarity", "sim")
_PREDICTIONS = ("prediction", "predictions", "predicted", "pred", "y_pred")
"""Columns that hold decisions in some files and scores in others; the values decide."""
_LABELS = ("predicted_label", "label", "is_clone", "clone")
_TRUE = ("1", "1.0", "true", "yes", "clone", "t")
_FALSE = ("0", "0.0", "-1", "false", "no", "not-clone", "non-clone", "f")

_SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "vertical bars", ",": "commas"}

HINT = "Columns: left, right, and score or label (also id1, id2, probability, prediction …)."


def find_roles(names: Sequence[str], where: object) -> dict[str, str]:
    """The columns by role: left, right, and a score, a label, both, or "either" for a column that may be one of them.

    Args:
        names: the names of the columns, in lower case.
        where: the table, for messages.

    Raises:
        InputError: the ids, or both the score and the label, are missing.
    """
    left, right = (_role(names, known) for known in SIDES.values())
    score, prediction = _role(names, _SCORES), _role(names, _PREDICTIONS)
    roles = {"left": left, "right": right, "score": score}
    roles["either" if prediction and not score else "label"] = prediction or _role(names, _LABELS)
    found = {role: name for role, name in roles.items() if name is not None}
    if left is None or right is None or len(found) < 3:
        lack = "the ids of a pair" if left is None or right is None else "a score or a label"
        there = ", ".join(name for name in names if name) or "none"
        if len(names) == 1 and (separator := next((one for one in _SEPARATORS if one in names[0]), None)):
            raise InputError(
                f"The columns are separated by {_SEPARATORS[separator]}.",
                where=where,
                hint="A .csv file has commas between its columns, and a .tsv file tabs.",
            )
        raise InputError(f"The table has no column for {lack}; its columns: {there[:200]}.", where=where, hint=HINT)
    return found


def _role(names: Sequence[str], known: Iterable[str]) -> str | None:
    plain = {name.replace("-", "_").replace(" ", "_"): name for name in reversed(names)}
    return next((plain[name] for name in known if name in plain), None)


def is_row(cells: Sequence[str]) -> bool:
    """Whether the first line of a file is already a row (two ids and a value) and not a header."""
    if len(cells) != 3 or _role(cells, SIDES["left"]):
        return False
    value = pa.array(cells[2:], pa.string())
    return bool(as_scores(value)[0].is_valid or as_decisions(value)[0].is_valid)


def is_given(column: pa.Array) -> npt.NDArray[np.bool_]:
    """Where a column has a value."""
    text = pa.types.is_string(column.type)
    return flags(pc.not_equal(pc.utf8_trim_whitespace(column), "") if text else column.is_valid())


def as_scores(column: pa.Array) -> pa.Array:
    """The values as finite numbers; null for anything else."""
    numbers = as_numbers(column)
    return pc.if_else(pc.is_finite(numbers), numbers, pa.scalar(None, pa.float64()))


def as_decisions(column: pa.Array) -> pa.Array:
    """The values as clone (true) or not (false); null for anything else."""
    words = pc.utf8_lower(pc.utf8_trim_whitespace(as_text(column)))
    is_true = pc.is_in(words, pa.array(_TRUE))
    known = pc.or_(is_true, pc.is_in(words, pa.array(_FALSE)))
    return pc.if_else(known, is_true, pa.scalar(None, pa.bool_()))


def flags(array: pa.Array) -> npt.NDArray[np.bool_]:
    """Boolean values as a numpy array; null becomes false."""
    values: npt.NDArray[np.bool_] = pc.fill_null(array, False).to_numpy(zero_copy_only=False)
    return values
