"""What a source is: a dataset that can come in, with a card that says what to believe of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from clonetruth.errors import InputError
from clonetruth.model import Card, Dataset, Judge


@dataclass(frozen=True)
class SourceCard:
    """What `clonetruth sources NAME` shows.

    Args:
        card: what goes into the benchmark folder: name, licence, citation, criterion, known flaws.
        claimed_by: the judge in whose name the dataset's own labels are written.
        label_means: what a label means in this dataset, in one or two sentences.
        accepts: the files that can be imported, in words.
        published: sizes as published, by name.
        references: where flaws and sizes are described.
        warning: what a user must know of rights before downloading or sharing it.
    """

    card: Card
    claimed_by: Judge
    label_means: str
    accepts: str
    published: Mapping[str, int] = field(default_factory=dict)
    references: tuple[str, ...] = ()
    warning: str | None = None


@dataclass(frozen=True)
class Skipped:
    """A row that could not be used."""

    where: str
    reason: str


class ImportLog:
    """Counts what was read, and keeps every row that could not be used.

    Args:
        strict: make the first such row an error.
    """

    EXAMPLES = 1000
    """Rows kept with their place, for each reason; beyond that they are only counted."""

    def __init__(self, *, strict: bool = False) -> None:
        self.strict = strict
        self.rows_read: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.skipped: list[Skipped] = []

    def read(self, what: str, count: int = 1) -> None:
        """Count rows (or files) that were read, under what they are ("pairs", "fragments", a file name)."""
        self.rows_read[what] += count

    def skip(self, path: object, line: int | None, reason: str) -> None:
        """Record a row that could not be used.

        Args:
            path: its file.
            line: its line or row number from 1, if it has one.
            reason: why, without the row's own values, so that equal cases are counted together.

        Raises:
            InputError: in a strict import.
        """
        where = f"{path}:{line}" if line is not None else str(path)
        if self.strict:
            raise InputError(f"{reason[:1].upper()}{reason[1:]}.", where=where, hint="Without --strict it is skipped.")
        self.reasons[reason] += 1
        if self.reasons[reason] <= self.EXAMPLES:
            self.skipped.append(Skipped(where, reason))


class Source(Protocol):
    """A dataset that can be imported: one module with `SOURCE = ...`, one line in the registry."""

    @property
    def card(self) -> SourceCard:
        """What to believe of it."""
        ...

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """What of it was seen at the paths, in words; None where nothing was. Cheap: names and first lines."""
        ...

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """The dataset's rows, streamed.

        Args:
            paths: files and folders, as the user gave them.
            options: further options of the import, by name (columns of a table, for instance).
            log: told of every row read and every row that could not be used.

        Raises:
            InputError: the files are not of this source, or nothing in them can be used.
        """
        ...
