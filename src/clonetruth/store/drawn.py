"""A benchmark with drawn pairs: the folder stores none, and those that were drawn last as long as the object."""

from __future__ import annotations

import dataclasses
import shutil
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from clonetruth.arrow_files import write_parquet
from clonetruth.store.benchmark import Benchmark
from clonetruth.store.hashing import TableHasher
from clonetruth.store.schemas import TABLES

_OF_FRAGMENTS = ("splits",)
"""The kinds of derived tables that do not depend on the pairs."""


@dataclass(frozen=True)
class PairCounts:
    """Numbers of pairs of a part.

    Attributes:
        clones: number of drawn pairs within a functionality.
        others: number of drawn pairs across functionalities.
        possible_clones: number of pairs within a functionality that could be drawn.
        possible_others: number of pairs across functionalities that could be drawn.
    """

    clones: int
    others: int
    possible_clones: int
    possible_others: int

    @property
    def pairs(self) -> int:
        """Number of drawn pairs."""
        return self.clones + self.others

    @property
    def possible(self) -> int:
        """Number of pairs that could be drawn."""
        return self.possible_clones + self.possible_others


@dataclass(frozen=True)
class PairDraw:
    """Which pairs were drawn: with the benchmark's content and the split, enough to draw them again.

    Attributes:
        seed: random seed of the draw.
        parts: what was drawn of each part; "all" stands for the fragments without a split.
        clone_share: the requested share of clones; None for that of the part.
        balance: whether equally many pairs of each functionality were drawn.
        left_out: number of fragments that implement no functionality, or perhaps several, and are in no pair.
        digest: hash of the drawn pairs.
    """

    seed: int
    parts: Mapping[str, PairCounts]
    clone_share: float | None
    balance: bool
    left_out: int
    digest: str

    def record(self) -> dict[str, Any]:
        """The draw as JSON values, for manifests."""
        return dataclasses.asdict(self)

    def in_words(self, part: str | None) -> str:
        """The draw of a part in a sentence."""
        counts = self.parts[part or "all"]
        if counts.pairs == counts.possible:
            return f"The benchmark stores no pairs; all {counts.pairs:,} pairs of its fragments are used."
        kept = "" if self.clone_share is None else ", by the requested share of clones"
        balanced = ", balanced over functionalities" if self.balance else ""
        return (
            f"The benchmark stores no pairs: {counts.pairs:,} of {counts.possible:,} were drawn with seed {self.seed}, "
            f"{counts.clones:,} within a functionality and {counts.others:,} across{kept}{balanced} "
            f"(draw {self.digest[:12]})."
        )


class DrawnBenchmark(Benchmark):
    """A benchmark whose `pairs` were drawn. Its folder is not changed; what depends on the pairs is not kept.

    Args:
        parent: the benchmark, which stores no pairs.
        pairs: the drawn pairs, with the columns of `pairs`.
        draw: how they were drawn; its digest is set here.
    """

    def __init__(self, parent: Benchmark, pairs: pa.Table, draw: PairDraw) -> None:
        super().__init__(parent.path, parent.engine)
        self._scratch = Path(tempfile.mkdtemp(prefix="clonetruth-drawn-"))
        weakref.finalize(self, shutil.rmtree, self._scratch, ignore_errors=True)
        write_parquet(pairs.select(TABLES["pairs"].schema.names), self._scratch / "pairs.parquet")
        self._header = dataclasses.replace(self._header, counts={**self._header.counts, "pairs": pairs.num_rows})
        self.draw = dataclasses.replace(draw, digest=_digest(pairs))

    def parquet(self, name: str) -> list[Path]:
        """See `Benchmark.parquet`."""
        return [self._scratch / "pairs.parquet"] if name == "pairs" else super().parquet(name)

    def _derived_folder(self, kind: str) -> Path:
        return self.path if kind in _OF_FRAGMENTS else self._scratch


def _digest(pairs: pa.Table) -> str:
    hasher = TableHasher(["left", "right"])
    for batch in pairs.select(["left", "right"]).to_batches():
        hasher.update(batch)
    return hasher.hexdigest()
