"""The finder protocol: find the clone pairs in a corpus of fragments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.progress import Progress

FOUND_PAIRS = pa.schema(
    [
        pa.field("left", pa.int64(), nullable=False),
        pa.field("right", pa.int64(), nullable=False),
        pa.field("score", pa.float64(), nullable=False),
    ]
)
"""The columns of found pairs; `left` and `right` are fragment keys, the smaller key on the left."""


@dataclass(frozen=True)
class FinderOptions:
    """Which fragments are compared, and which pairs are reported.

    Attributes:
        threshold: the lowest score of a reported pair, in (0, 1]; None uses the finder's default.
        min_tokens: fragments with fewer tokens are skipped; comments do not count.
        min_lines: fragments with fewer lines are skipped, counted from the first to the last non-blank line.

    Raises:
        InputError: a value is out of range.
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
    """Finds clone pairs. To add one: an object in a module, a line in the registry, the conformance suite."""

    @property
    def name(self) -> str:
        """The registry name."""
        ...

    @property
    def description(self) -> str:
        """The meaning of its score, in one sentence."""
        ...

    @property
    def parameters(self) -> Mapping[str, tuple[str, ...]]:
        """The parameters that a user may set, with their permitted values."""
        ...

    def with_parameters(self, **values: str) -> Finder:
        """Return a copy with other parameters.

        Raises:
            InputError: an unknown parameter, or a value that it does not permit.
        """
        ...

    def find(
        self,
        fragments: pa.Table,
        options: FinderOptions = ...,
        *,
        processes: int = 1,
        progress: Progress | None = None,
    ) -> Iterator[pa.RecordBatch]:
        """Find all pairs whose score reaches the threshold: each pair once, in no particular order.

        Every run finds the same pairs. Only fragments in the same language are compared, unless the finder supports
        comparison across languages.

        Args:
            fragments: the columns of `detector.FRAGMENTS`.
            options: which fragments are compared, and which pairs are reported.
            processes: the number of worker processes.
            progress: receives progress reports.

        Returns:
            Batches with the columns of `FOUND_PAIRS`, produced lazily: the pairs need not fit into memory.

        Raises:
            InputError: the table of fragments is unusable.
        """
        ...
