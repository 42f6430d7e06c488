"""Clones in a file of SourcererCC's blocks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from clonetruth.code import Bags
from clonetruth.detectors.finder import FOUND
from clonetruth.detectors.pair_batches import found_pairs
from clonetruth.detectors.token_overlap import TOKENS, OverlapComparison
from clonetruth.errors import InputError
from clonetruth.formats.sourcerer_blocks import read_blocks
from clonetruth.progress import Progress, no_progress

BLOCK_PAIRS = pa.schema(
    [
        pa.field("left", pa.string(), nullable=False),
        pa.field("right", pa.string(), nullable=False),
        pa.field("score", pa.float64(), nullable=False),
    ]
)
"""The columns of pairs of blocks: their numbers as the file has them, the one that comes first on the left."""


def block_pairs(path: Path, threshold: float | None = None, *, progress: Progress | None = None) -> pa.Table:
    """The pairs that the finder `tokens` finds among all blocks of a file; its tokens were cut by whoever wrote it.

    Args:
        path: the file.
        threshold: the least score, in (0, 1]; the finder's own unless told.
        progress: told what is being done.

    Returns:
        The columns of `BLOCK_PAIRS`, in the order of the file.

    Raises:
        InputError: the file cannot be read, or two of its blocks have one number.
    """
    names: dict[str, int] = {}
    which: list[int] = []
    bags: dict[tuple[tuple[bytes, int], ...], int] = {}
    for block in read_blocks(path):
        if block.block in names:
            raise InputError(f"Two blocks have the number {block.block}.", where=path)
        names[block.block] = len(names)
        which.append(bags.setdefault(tuple(sorted(block.counts.items())), len(bags)))
    comparison = OverlapComparison(Bags.of([(token, k) for token, count in bag for k in range(count)] for bag in bags))
    report = progress or no_progress
    matches = comparison.matches(TOKENS.default_threshold if threshold is None else threshold, report)
    found = found_pairs(np.arange(len(names)), np.array(which, dtype=np.int64), matches)
    pairs = pa.Table.from_batches(found, FOUND).sort_by([("left", "ascending"), ("right", "ascending")])
    numbers = pa.array(list(names), pa.string())
    return pa.table([numbers.take(pairs["left"]), numbers.take(pairs["right"]), pairs["score"]], schema=BLOCK_PAIRS)
