"""Budgets: how much a file of a stranger may make a reader do. One object, the same for all readers.

The environment variable `CLONETRUTH_BUDGET` raises or lowers them: `CLONETRUTH_BUDGET="line=256MB, files=9000000"`.
"""

from __future__ import annotations

import dataclasses
import io
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from clonetruth.errors import InputError

VARIABLE = "CLONETRUTH_BUDGET"
_UNITS = {"": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_AMOUNT = re.compile(r"(\d{1,15})\s*([KMGT]B|)", re.IGNORECASE)
_BYTES = {"unit": "bytes"}
_ANY_EXPANSION = 256 * 10**6
"""Up to this number of bytes, any expansion is accepted."""


@dataclass(frozen=True)
class ReadingBudget:
    """How much a reader accepts.

    Attributes:
        line: length of a line or a field of a text file, in bytes.
        document: size of a file that is read whole (JSON, TOML, text, source code), in bytes.
        member: size of a member of an archive, a pickle, a workbook, an array or a journal, in bytes.
        unpacked: size of a database, or of a compressed file or archive when unpacked, in bytes.
        expansion: how many times larger than packed it may become, beyond a few hundred megabytes.
        files: number of files in an archive.
        rows: number of rows of a Parquet or Arrow file, or of a table of a database.
        class_pairs: number of pairs of one clone class in a report.
        found_pairs: number of pairs that a search lists for each finder; no clone is lost, but large classes may be
            shown in parts.
    """

    line: int = field(default=64 * 10**6, metadata=_BYTES)
    document: int = field(default=256 * 10**6, metadata=_BYTES)
    member: int = field(default=2 * 10**9, metadata=_BYTES)
    unpacked: int = field(default=64 * 10**9, metadata=_BYTES)
    expansion: int = field(default=100, metadata={"unit": "times"})
    files: int = field(default=5_000_000, metadata={"unit": "files"})
    rows: int = field(default=4_000_000_000, metadata={"unit": "rows"})
    class_pairs: int = field(default=100_000_000, metadata={"unit": "pairs"})
    found_pairs: int = field(default=1_000_000, metadata={"unit": "pairs"})

    def exceeded(self, name: str, what: str, where: object) -> InputError:
        """The error for a file that exceeds one of the budgets.

        Args:
            name: the budget.
            what: what is too large ("The line").
            where: the file, and the place in it.
        """
        (found,) = (one for one in dataclasses.fields(self) if one.name == name)
        limit = getattr(self, name)
        return InputError(
            f"{what} exceeds the budget '{name}' of {limit:,} {found.metadata['unit']}.",
            where=where,
            hint=f"If you trust the file, set {VARIABLE}={name}={limit * 10}.",
        )

    def check_unpacked(self, size: int, packed: int, where: object) -> None:
        """Refuse what is too large when unpacked, or much larger than it was packed.

        Raises:
            InputError: a budget is exceeded.
        """
        if size > self.unpacked:
            raise self.exceeded("unpacked", "What was unpacked", where)
        if size > max(_ANY_EXPANSION, self.expansion * packed):
            raise self.exceeded("expansion", "What was unpacked, compared with the file,", where)


def budget() -> ReadingBudget:
    """The budgets of this process.

    Raises:
        InputError: the environment variable cannot be understood.
    """
    return _parsed(os.environ.get(VARIABLE, ""))


def read_bytes(path: Path, name: str = "document") -> bytes:
    """The bytes of a file that is read whole. Errors of the disk pass through.

    Args:
        path: the file.
        name: its budget.

    Raises:
        InputError: the budget is exceeded.
    """
    limits = budget()
    limit: int = getattr(limits, name)
    with path.open("rb") as file:
        # A buffer as large as the budget costs more than reading a small file.
        size = min(os.fstat(file.fileno()).st_size, limit)
        data = file.read(size + 1)
        if len(data) > size:
            data += file.read(limit - size)
    if len(data) > limit:
        raise limits.exceeded(name, "The file", path)
    return data


def read_text(path: Path, encoding: str = "utf-8") -> str:
    """The text of a file that is read whole, with line ends as in Python's text files.

    Raises:
        InputError: the budget for documents is exceeded.
        UnicodeDecodeError: it has another encoding.
    """
    return io.StringIO(read_bytes(path).decode(encoding), newline=None).read()


def _parsed(text: str) -> ReadingBudget:
    names = [one.name for one in dataclasses.fields(ReadingBudget)]
    values = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, amount = (piece.strip() for piece in part.partition("="))
        found = _AMOUNT.fullmatch(amount)
        if name not in names or found is None or not int(found[1]):
            raise InputError(
                f"'{part}' is not a budget.", where=VARIABLE, hint=f"Write name=amount; names: {', '.join(names)}."
            )
        values[name] = int(found[1]) * _UNITS[found[2].upper()]
    return ReadingBudget(**values)
