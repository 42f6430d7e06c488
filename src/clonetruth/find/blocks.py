"""Clones in a SourcererCC block file."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pyarrow as pa

from clonetruth.code import Bags
from clonetruth.detectors.finder import FOUND_PAIRS
from clonetruth.detectors.pair_batches import found_pairs
from clonetruth.detectors.token_overlap import TOKENS, OverlapComparison
from clonetruth.errors import InputError
from clonetruth.progress import Progress, no_progress

BLOCK_PAIRS = pa.schema(
    [
        pa.field("left", pa.string(), nullable=False),
        pa.field("right", pa.string(), nullable=False),
        pa.field("score", pa.float64(), nullable=False),
    ]
)
"""The columns of pairs of blocks: their numbers in the file, the earlier block on the left."""


def block_pairs(
    path: str | os.PathLike[str], threshold: float | None = None, *, progress: Progress | None = None
) -> pa.Table:
    """Return the pairs that the finder `tokens` finds among all blocks of a file, with the tokens of the file.

    Args:
        path: the file.
        threshold: the minimum score, in (0, 1] (default: the finder's own).
        progress: called as the work goes on.

    Returns:
        The columns of `BLOCK_PAIRS`, in the order of the file.

    Raises:
        InputError: the file cannot be read, or two of its blocks have the same number.
    """
    from clonetruth.formats.sourcerer_blocks import read_blocks

    path = Path(path)
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
    batches = found_pairs(np.arange(len(names)), np.array(which, dtype=np.int64), matches)
    pairs = pa.Table.from_batches(batches, FOUND_PAIRS).sort_by([("left", "ascending"), ("right", "ascending")])
    numbers = pa.array(list(names), pa.string())
    return pa.table([numbers.take(pairs["left"]), numbers.take(pairs["right"]), pairs["score"]], schema=BLOCK_PAIRS)
