"""NumPy's files `.npy` and `.npz`: the stated size is checked before memory is reserved, and nothing is unpickled."""

from __future__ import annotations

import math
import os
import struct
import tokenize
import zipfile
import zlib
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from clonetruth.budgets import budget
from clonetruth.errors import InputError
from clonetruth.formats.trees import check_zip

_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
_DAMAGED = (
    OSError,
    ValueError,
    EOFError,
    KeyError,
    TypeError,
    SyntaxError,
    OverflowError,
    RuntimeError,
    struct.error,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What NumPy and the standard library raise for damaged, encrypted or unknown content."""


def read_array(path: Path) -> npt.NDArray[Any]:
    """The array in an `.npy` file.

    Raises:
        InputError: the file is missing or damaged, holds Python objects, or exceeds the budget.
    """
    try:
        with path.open("rb") as file:
            return _read(file, os.fstat(file.fileno()).st_size, path)
    except FileNotFoundError as error:
        raise InputError("There is no such file.", where=path) from error
    except _DAMAGED as error:
        raise InputError(f"The file of an array is damaged: {error}", where=path) from error


def read_arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    """The arrays in an `.npz` file, by name.

    Raises:
        InputError: the file is missing or damaged, holds Python objects, or exceeds the budget.
    """
    try:
        check_zip(path)
        with zipfile.ZipFile(path) as archive:
            arrays = {}
            for info in archive.infolist():
                with archive.open(info) as file:
                    arrays[info.filename.removesuffix(".npy")] = _read(file, info.file_size, f"{path}: {info.filename}")
            return arrays
    except FileNotFoundError as error:
        raise InputError("There is no such file.", where=path) from error
    except _DAMAGED as error:
        raise InputError(f"The file of arrays is damaged: {error}", where=path) from error


def _read(file: IO[bytes], size: int, where: object) -> npt.NDArray[Any]:
    version = np.lib.format.read_magic(file)
    if version not in _HEADERS:
        raise ValueError(f"the version {version[0]}.{version[1]} of the format is unknown")
    shape, _, kind = _HEADERS[version](file)
    # A million rows without columns take no byte in the file, and memory here.
    rows = shape[: shape.index(0)] if 0 in shape else shape
    stated, limits = math.prod(rows) * max(kind.itemsize, 1), budget()
    if min(shape, default=0) < 0 or stated > size:
        raise ValueError(f"it states {stated:,} bytes, and the file has {size:,}")
    if size > limits.member:
        raise limits.exceeded("member", "The array", where)
    file.seek(0)
    array: npt.NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
    return array
