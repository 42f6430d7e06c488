"""What a finder is: something that finds the clone pairs of a corpus of fragments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.progress import Progress

FOUND = pa.schema(
    [
        pa.field("left", pa.int64(), nullable=False),
        pa.field("right", pa.int64(), nullable=False),
        pa.field("score", pa.float64(), nullable=False),
    ]
)
"""The columns of found pairs; `left` and `right` are keys of fragments, the smaller one on the left."""


@dataclass(frozen=True)
class FindOptions:
    """Which fragments are compared, and which pairs are reported.

    Attributes:
        threshold: the least score of a reported pair, in (0, 1]; None: the finder's own.
        min_tokens: fragments with fewer tokens, comments not counted, are left out.
        min_lines: fragments with fewer lines, from the first that is not blank to the last, are left out.

    Raises:
        InputError: a value out of its range.
    """

    threshold: float | None = None
    min_tokens: int = 50
    min_lines: int = 1

    def __post_init__(self) -> None:
        if self.threshold is not None and not 0 < self.threshold <= 1:
            raise InputError(
                f"A threshold of {self.threshold:g} is not a similarity.",
                where="threshold",
                hint="Give a number above 0 and at most 1; a dissimilarity of 0.3 is a threshold of 0.7.",
            )
        for name, value in (("min_tokens", self.min_tokens), ("min_lines", self.min_lines)):
            if value < 0:
                raise InputError(f"A fragment cannot have {value} {name[4:]}.", where=name, hint="Give 0 or more.")


class Finder(Protocol):
    """Finds clone pairs: one object in a module, one line in the registry, the conformance suite."""

    @property
    def name(self) -> str:
        """How it is asked for."""
        ...

    @property
    def description(self) -> str:
        """What its score is, in a sentence."""
        ...

    @property
    def parameters(self) -> Mapping[str, tuple[str, ...]]:
        """What a user may set, with the values that it may have."""
        ...

    def with_parameters(self, **values: str) -> Finder:
        """The same finder with other parameters.

        Raises:
            InputError: there is no such parameter, or it cannot have that value.
        """
        ...

    def find(
        self,
        fragments: pa.Table,
        options: FindOptions = ...,
        *,
        processes: int = 1,
        progress: Progress | None = None,
    ) -> Iterator[pa.RecordBatch]:
        """All pairs of fragments with a score of the threshold or more; each pair once, in no promised order.

        The same pairs in every run. Only fragments in one language are compared, unless the finder says otherwise.

        Args:
            fragments: the columns of `detector.FRAGMENTS`.
            options: which fragments are compared, and which pairs are reported.
            processes: how many processes may share the work.
            progress: told what is being done.

        Returns:
            Batches with the columns of `FOUND`, made while they are read: they may be more than memory holds.

        Raises:
            InputError: the table of fragments cannot be used.
        """
        ...
