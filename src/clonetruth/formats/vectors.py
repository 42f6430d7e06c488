"""Embeddings: one vector for each fragment, from a file or in memory.

A Parquet file (or an Arrow table, a pandas or Polars frame) has the columns `id` and `vector`, a list of numbers. An
`.npz` file has the arrays `ids` and `vectors`. An `.npy` file has the vectors as rows; the ids are in a text file next
to it, one on each line: `model.npy` and `model.ids.txt`.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.arrow_files import open_parquet, read_parquet
from clonetruth.budgets import read_text
from clonetruth.errors import InputError
from clonetruth.formats.arrays import read_array, read_arrays

_COLUMNS = ("id", "vector")
_HINT = "Accepted: .parquet with the columns id and vector, .npz with ids and vectors, .npy with NAME.ids.txt."


@dataclass(frozen=True, eq=False)
class Vectors:
    """Embeddings of fragments.

    Attributes:
        ids: the ids of the fragments; no id twice.
        values: a row for each id; finite numbers.
        name: what messages and results call them.
    """

    ids: tuple[str, ...]
    values: npt.NDArray[np.float64]
    name: str

    @property
    def title(self) -> str:
        """The default name of the detector: the file's name without its ending."""
        return self.name.partition(".")[0] or self.name

    def digest(self) -> str:
        """The SHA-256 that manifests record, of ids and numbers."""
        content = hashlib.sha256("\0".join(self.ids).encode("utf-8") + b"\0\0")
        content.update(self.values.astype("<f8").tobytes())
        return content.hexdigest()


def are_vectors(source: object) -> bool:
    """Whether a candidate looks like embeddings and not like predictions for pairs."""
    if isinstance(source, Path):
        if source.suffix.lower() in (".npy", ".npz"):
            return True
        if source.suffix.lower() != ".parquet" or not source.is_file():
            return False
        try:
            return set(_COLUMNS) <= set(open_parquet(source).schema_arrow.names)
        except InputError:
            return False
    if isinstance(source, pa.Table | pa.RecordBatch) or hasattr(source, "__arrow_c_stream__"):
        return set(_COLUMNS) <= set(pa.table(source).column_names)
    return False


def load_vectors(source: Any, *, name: str = "vectors") -> Vectors:
    """Embeddings from a file, an Arrow table or a data frame.

    Args:
        source: a path, a pyarrow Table, or any object with `__arrow_c_stream__`.
        name: what messages call embeddings in memory.

    Raises:
        InputError: the source cannot be read, an id is missing or occurs twice, vectors differ in length, or a number
            is not finite.
    """
    if isinstance(source, Vectors):
        return source
    where: object = source if isinstance(source, Path) else name
    try:
        ids, values = _read(source) if isinstance(source, Path) else _from_table(pa.table(source))
    except InputError:
        raise
    except (OSError, ValueError, KeyError, pa.ArrowException) as error:
        raise InputError(f"The vectors cannot be read: {error}", where=where, hint=_HINT) from error
    return _checked(ids, values, source.name if isinstance(source, Path) else name, where)


def _read(path: Path) -> tuple[Sequence[Any], npt.NDArray[Any]]:
    ending = path.suffix.lower()
    if ending == ".parquet":
        return _from_table(read_parquet(path, _COLUMNS))
    if ending == ".npz":
        arrays = read_arrays(path)
        return np.atleast_1d(arrays["ids"]).tolist(), arrays["vectors"]
    if ending == ".npy":
        beside = path.with_suffix(".ids.txt")
        if not beside.is_file():
            raise InputError("The file of the ids is missing.", where=beside, hint="One id on each line, in the order.")
        return read_text(beside).splitlines(), read_array(path)
    raise InputError(f"'{ending or path.name}' is not a format of vectors.", where=path, hint=_HINT)


def _from_table(table: pa.Table) -> tuple[Sequence[Any], npt.NDArray[Any]]:
    column = table["vector"].combine_chunks()
    widths = pc.list_value_length(column).unique().to_pylist() or [0]
    if len(widths) > 1 or widths[0] is None:
        raise ValueError("the vectors differ in length, or one is missing")
    width = widths[0]
    flat = column.flatten().to_numpy(zero_copy_only=False)
    return table["id"].to_pylist(), np.asarray(flat, np.float64).reshape(table.num_rows, width)


def _checked(ids: Sequence[Any], values: npt.NDArray[Any], name: str, where: object) -> Vectors:
    if values.ndim != 2 or values.dtype.kind not in "fiu":
        raise InputError("The vectors are not rows of numbers.", where=where, hint=_HINT)
    if len(ids) != len(values):
        raise InputError(f"There are {len(ids):,} ids and {len(values):,} vectors.", where=where)
    if not len(ids) or not values.shape[1]:
        raise InputError("There are no vectors.", where=where)
    texts = tuple("" if one is None else str(one) for one in ids)
    if "" in texts:
        raise InputError("An id is missing.", where=f"{where}, row {texts.index('') + 1}")
    repeated = next((one for one, count in Counter(texts).items() if count > 1), None)
    if repeated is not None:
        raise InputError(f"The id '{repeated}' occurs twice.", where=where)
    matrix = values.astype(np.float64)
    bad = ~np.isfinite(matrix).all(axis=1)
    if bad.any():
        row = int(np.argmax(bad))
        raise InputError(f"A number of the vector of '{texts[row]}' is not finite.", where=f"{where}, row {row + 1}")
    return Vectors(texts, matrix, name)
