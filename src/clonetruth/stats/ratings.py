"""Ratings: who gave which answer on which subject, with gaps where somebody did not answer."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

MISSING = -1


@dataclass(frozen=True, eq=False)
class Ratings:
    """The answers of judges on subjects.

    Attributes:
        judges: their names, one for each column.
        categories: the possible answers, in their order where they have one.
        answers: a row for each subject and a column for each judge, with the number of the category or `MISSING`.
    """

    judges: tuple[str, ...]
    categories: tuple[str, ...]
    answers: npt.NDArray[np.int64]

    @classmethod
    def of(
        cls,
        votes: Iterable[tuple[Hashable, str, str]],
        categories: Sequence[str],
        judges: Sequence[str] | None = None,
    ) -> Ratings:
        """Ratings from (subject, judge, answer).

        Answers that are none of the categories are gaps. Of two answers of a judge on one subject the later counts.

        Args:
            votes: the answers.
            categories: the possible answers, in their order where they have one.
            judges: the judges and their order; unless told, all who answered, by name.
        """
        numbers = {category: number for number, category in enumerate(categories)}
        given = {(subject, judge): numbers.get(value, MISSING) for subject, judge, value in votes}
        names = tuple(sorted({judge for _, judge in given}) if judges is None else judges)
        columns = {judge: number for number, judge in enumerate(names)}
        rows: dict[Hashable, int] = {}
        for subject, judge in given:
            if judge in columns:
                rows.setdefault(subject, len(rows))
        answers = np.full((len(rows), len(names)), MISSING, np.int64)
        for (subject, judge), number in given.items():
            if judge in columns:
                answers[rows[subject], columns[judge]] = number
        return cls(names, tuple(categories), answers)

    @classmethod
    def of_table(cls, table: npt.ArrayLike, categories: Sequence[str] = ("clone", "not-clone")) -> Ratings:
        """Ratings of two judges from their table of counts: rows are the first judge's answers.

        Raises:
            ValueError: the table is not square with a row for each category, or a count is no whole number.
        """
        counts = np.asarray(table)
        size = len(categories)
        if counts.shape != (size, size) or (counts < 0).any() or (counts != counts.astype(np.int64)).any():
            raise ValueError(f"{counts.tolist()} is no table of counts of {size} × {size}")
        first, second = np.divmod(np.repeat(np.arange(size * size), counts.astype(np.int64).ravel()), size)
        return cls(("first", "second"), tuple(categories), np.stack([first, second], axis=1))

    def between(self, first: int, second: int) -> Ratings:
        """The answers of two judges alone."""
        columns = [first, second]
        return Ratings(
            (self.judges[first], self.judges[second]), self.categories, np.ascontiguousarray(self.answers[:, columns])
        )

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """How many judges gave each answer: subjects × categories."""
        numbers = np.arange(len(self.categories))
        found: npt.NDArray[np.int64] = (self.answers[:, :, None] == numbers).sum(axis=1)
        return found

    @property
    def table(self) -> npt.NDArray[np.int64]:
        """Of two judges, the counts of subjects that both answered: rows are the first judge's answers."""
        size = len(self.categories)
        both = self.answers[(self.answers != MISSING).all(axis=1)]
        return np.bincount(both[:, 0] * size + both[:, 1], minlength=size * size).reshape(size, size)
