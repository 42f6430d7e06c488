"""Tables in pandas pickles, read without pandas and without running any code.

A pickle is a program: it names functions, and the usual reader imports and calls them. Here, every name that pandas
and numpy use to store a table is replaced by an inert object that only keeps its arguments; any other name is an
error. The result is columns of plain values.
"""

from __future__ import annotations

import math
import pickle
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Self

import numpy as np

from clonetruth.budgets import budget
from clonetruth.errors import InputError
from clonetruth.formats.streams import open_stream
from clonetruth.formats.tables import Row

SUFFIXES = (".pkl", ".pickle")


class _Kept:
    """The stand-in for a name in the pickle: it keeps arguments and state, and does nothing.

    It defines `__setstate__`, so that a pickle cannot set arbitrary attributes.
    """

    __slots__ = ("arguments", "state")

    arguments: tuple[Any, ...]
    state: Any

    # Pickles make objects without calling __init__.
    def __new__(cls, *arguments: Any, **keywords: Any) -> Self:
        kept = super().__new__(cls)
        kept.arguments = arguments
        kept.state = None
        return kept

    def __setstate__(self, state: Any) -> None:
        self.state = state


class _Frame(_Kept):
    __slots__ = ()


class _Manager(_Kept):
    __slots__ = ()


class _Block(_Kept):
    __slots__ = ()


class _Placement(_Kept):
    __slots__ = ()


class _Index(_Kept):
    __slots__ = ()


class _Array(_Kept):
    __slots__ = ()


class _Buffer(_Kept):
    __slots__ = ()


class _Scalar(_Kept):
    __slots__ = ()


class _Type(_Kept):
    __slots__ = ()


class _Slice(_Kept):
    __slots__ = ()


class _Encoded(_Kept):
    __slots__ = ()


_PANDAS: dict[str, type[_Kept]] = {
    "DataFrame": _Frame,
    "BlockManager": _Manager,
    "_unpickle_block": _Block,
    "BlockPlacement": _Placement,
    "_new_Index": _Index,
    "Index": _Index,
    "RangeIndex": _Index,
    "Int64Index": _Index,
    "Float64Index": _Index,
    "UInt64Index": _Index,
}
_NUMPY: dict[str, type[_Kept]] = {
    "_reconstruct": _Array,
    "ndarray": _Array,
    "_frombuffer": _Buffer,
    "scalar": _Scalar,
    "dtype": _Type,
}


# The C implementation keeps memo entries in an array whose size a hostile pickle can choose; this one uses a dict.
class _Unpickler(pickle._Unpickler):
    def find_class(self, module_name: str, global_name: str, /) -> Any:
        package = module_name.partition(".")[0]
        known = {"pandas": _PANDAS, "numpy": _NUMPY}.get(package, {}).get(global_name)
        if (module_name, global_name) in (("builtins", "slice"), ("__builtin__", "slice")):
            known = _Slice
        elif (module_name, global_name) == ("_codecs", "encode"):
            known = _Encoded
        if known is None:
            raise pickle.UnpicklingError(
                f"it names '{module_name}.{global_name}', which a table of plain values does not need"
            )
        return known


def read_columns(path: Path) -> dict[str, list[Any]]:
    """Read the columns of a pickled table: a DataFrame, or a dict of equally long lists or arrays.

    Raises:
        InputError: the file is damaged, does not hold a table, or refers to code. Nothing in it is ever run.
    """
    with open_stream(path) as stream:
        try:
            columns = _columns(_Unpickler(_Checked(stream, path)).load())
        except InputError:
            raise
        except Exception as error:  # a damaged pickle can raise any exception
            raise InputError(
                f"Cannot read the pickle: {error or type(error).__name__}.",
                where=path,
                hint="Only tables of plain values are read; nothing in a pickle is run. Parquet is safer.",
            ) from error
    if len({len(values) for values in columns.values()}) > 1:
        raise InputError("The pickled columns have different lengths.", where=path)
    return columns


def read_pickle(path: Path) -> Iterator[Row]:
    """The rows of a pickled table, numbered from 1. See `read_columns`."""
    columns = read_columns(path)
    for number, values in enumerate(zip(*columns.values(), strict=True), start=1):
        yield Row(number, dict(zip(columns, values, strict=True)))


class _Checked:
    """A stream that allocates memory only for bytes that are there, whatever length the pickle announces."""

    def __init__(self, stream: IO[bytes], path: Path) -> None:
        self._stream, self._path = stream, path
        self._budget, self._total = budget(), 0

    def read(self, size: int) -> bytes:
        pieces, wanted = [], size
        while wanted > 0 and (piece := self._stream.read(min(wanted, 1024 * 1024))):
            self._count(piece)
            pieces.append(piece)
            wanted -= len(piece)
        return b"".join(pieces)

    def readline(self) -> bytes:
        line = self._stream.readline(self._budget.line)
        self._count(line)
        return line

    def _count(self, piece: bytes) -> None:
        # The values of a pickle are all in memory, unlike those of other tables.
        self._total += len(piece)
        if self._total > self._budget.member:
            raise self._budget.exceeded("member", "The pickle", self._path)


def _columns(value: Any) -> dict[str, list[Any]]:
    if isinstance(value, _Frame):
        return _frame_columns(value)
    if isinstance(value, dict):
        return {str(name): _values(column) for name, column in value.items()}
    raise ValueError("it is not a table")


def _frame_columns(frame: _Frame) -> dict[str, list[Any]]:
    state = frame.state
    manager = state.get("_mgr", state.get("_data")) if isinstance(state, dict) else state
    if not isinstance(manager, _Manager):
        raise ValueError("the table has no content")
    axes, blocks = _blocks(manager)
    names = [str(name) for name in _values(axes[0])]
    columns: dict[str, list[Any]] = {}
    for values, placement in blocks:
        rows = _matrix(values)
        for position, row in zip(_positions(placement, names), rows, strict=True):
            columns[names[position]] = row
    if len(columns) != len(names):
        raise ValueError("columns of the table are missing")
    return {name: columns[name] for name in names}


def _blocks(manager: _Manager) -> tuple[Sequence[Any], list[tuple[Any, Any]]]:
    """The axes and the blocks, in the layouts of old and new pandas versions."""
    if manager.arguments:
        blocks, axes = manager.arguments[:2]
        return axes, [block.arguments[:2] for block in blocks]
    state = manager.state
    for part in state:
        if isinstance(part, dict) and "0.14.1" in part:
            stored = part["0.14.1"]
            return stored["axes"], [(block["values"], block["mgr_locs"]) for block in stored["blocks"]]
    axes, values, items = state[:3]
    return axes, list(zip(values, items, strict=True))


def _positions(placement: Any, names: list[str]) -> list[int]:
    if isinstance(placement, _Placement):
        placement = placement.arguments[0]
    if isinstance(placement, _Slice):
        return list(range(*slice(*placement.arguments).indices(len(names))))
    return [names.index(str(one)) if isinstance(one, str) else int(one) for one in _values(placement)]


def _values(value: Any) -> list[Any]:
    """A column of plain values."""
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, _Index):
        stored = value.arguments[-1] if value.arguments else {}
        if isinstance(stored, dict) and "start" in stored:
            return list(range(stored["start"], stored["stop"], stored["step"]))
        return _values(stored["data"] if isinstance(stored, dict) else stored)
    rows = _matrix(value)
    if len(rows) != 1:
        raise ValueError("a column has several dimensions")
    return rows[0]


def _matrix(value: Any) -> list[list[Any]]:
    """An array of one or two dimensions as rows."""
    if isinstance(value, _Buffer):
        data, kind, shape, order = value.arguments
        fortran = order == "F"
    elif isinstance(value, _Array) and isinstance(value.state, tuple):
        _, shape, kind, fortran, data = value.state
    else:
        raise ValueError("an array has an unsupported type")
    if len(shape) not in (1, 2):
        raise ValueError("an array has more than two dimensions")
    flat: Any = [_plain(one) for one in data] if isinstance(data, list) else _numbers(data, kind)
    count = math.prod(shape)
    if len(flat) != count:
        raise ValueError("an array does not have its stated length")
    if len(shape) == 1:
        return [flat]
    height, width = shape
    if fortran:
        return [flat[row::height] for row in range(height)]
    return [flat[row * width : (row + 1) * width] for row in range(height)]


def _numbers(data: Any, kind: Any) -> list[Any]:
    if isinstance(data, _Encoded):  # old protocols store bytes as Latin-1 text
        data = data.arguments[0].encode("latin-1")
    return list(np.frombuffer(bytes(data), dtype=_dtype(kind)).tolist())


def _dtype(kind: Any) -> np.dtype[Any]:
    """A type of numbers or short texts; types that could hold objects are refused."""
    name = str(kind.arguments[0]) if isinstance(kind, _Type) else ""
    order = kind.state[1] if isinstance(kind.state, tuple) and kind.state[1] in ("<", ">") else ""
    if name[:1] not in tuple("biufSU") or not (name[1:].isdecimal() or name == "bool"):
        raise ValueError(f"values of type '{name}' are not supported")
    return np.dtype(order + name)


def _plain(value: Any) -> Any:
    if isinstance(value, _Scalar):
        kind, data = value.arguments
        return _numbers(data, kind)[0]
    if isinstance(value, _Encoded):
        return value.arguments[0].encode("latin-1")
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return value
    raise ValueError("a value is not plain")
