"""The protocol of a source: a dataset that can be imported, with a card that describes it."""

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
    """The content of `clonetruth sources NAME`.

    Args:
        card: the card of the benchmark folder: name, licence, citation, criterion, known flaws.
        claimed_by: the judge to whom the dataset's own labels are attributed.
        label_means: the meaning of a label in this dataset, in one or two sentences.
        accepts: a description of the files that can be imported.
        published: published sizes, by name.
        references: sources for flaws and sizes.
        warning: what a user must know about rights before downloading or sharing the dataset.
    """

    card: Card
    claimed_by: Judge
    label_means: str
    accepts: str
    published: Mapping[str, int] = field(default_factory=dict)
    references: tuple[str, ...] = ()
    warning: str | None = None

    @property
    def name(self) -> str:
        """The name of the source."""
        return self.card.name


@dataclass(frozen=True)
class Skipped:
    """An unusable row, and the reason."""

    where: str
    reason: str


class ImportLog:
    """Counts what was read, and records unusable rows.

    Args:
        strict: raise an error at the first unusable row.
        texts_optional: the user knows that there are no texts.
    """

    EXAMPLES = 1000
    """The number of rows recorded with their location for each reason; further rows are only counted."""

    def __init__(self, *, strict: bool = False, texts_optional: bool = False) -> None:
        self.strict = strict
        self.texts_optional = texts_optional
        self.rows_read: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.skipped: list[Skipped] = []
        self.left_out: dict[Path, str] = {}

    def read(self, what: str, count: int = 1) -> None:
        """Count rows (or files) that were read, by kind ("pairs", "fragments", a file name)."""
        self.rows_read[what] += count

    def skip(self, path: object, line: int | None, reason: str) -> None:
        """Record an unusable row.

        Args:
            path: the file.
            line: the line or row number from 1, if there is one.
            reason: the reason, without the row's own values, so that equal cases are counted together.

        Raises:
            InputError: the import is strict.
        """
        where = f"{path}:{line}" if line is not None else str(path)
        if self.strict:
            raise InputError(
                f"{reason[:1].upper()}{reason[1:]}.",
                where=where,
                hint="Without `strict`, such rows are skipped and counted.",
            )
        self.reasons[reason] += 1
        if self.reasons[reason] <= self.EXAMPLES:
            self.skipped.append(Skipped(where, reason))

    def nothing_usable(self, what: str, hint: str) -> InputError:
        """The error of an import in which every row was skipped: why, most frequent reason first, and where first."""
        first = {one.reason: one.where for one in reversed(self.skipped)}
        reasons = [
            f"{reason} ({number:,}, the first in {first[reason]})" for reason, number in self.reasons.most_common(3)
        ]
        return InputError(what, hint=f"Skipped: {'; '.join(reasons)}." if reasons else hint)

    def leave_out(self, path: Path, reason: str) -> None:
        """State why a whole file is not used. Files that are neither read nor left out are listed too."""
        self.left_out[path] = reason


class Source(Protocol):
    """A dataset that can be imported: a module with `SOURCE = ...` and one line in the registry."""

    @property
    def card(self) -> SourceCard:
        """The description of the dataset."""
        ...

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """A short description of the dataset's files at the paths; None if there are none.

        Must be cheap: only names and first lines are read.
        """
        ...

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """The dataset's rows, streamed.

        Args:
            paths: files and folders, as given by the user.
            options: the source's own options, by name (for instance, the columns of a table).
            log: counts the rows that are read, and records unusable ones.

        Raises:
            InputError: the files do not belong to this source, or contain no usable row.
        """
        ...
