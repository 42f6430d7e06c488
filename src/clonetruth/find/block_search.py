"""The search for clones of blocks: statement sequences inside of functions, bodies of classes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from clonetruth.find.block_cover import BlockClass, BlockLimits, FunctionCover
from clonetruth.find.block_gaps import GapExtension
from clonetruth.find.block_runs import StatementList, equal_runs
from clonetruth.find.block_spans import LocatedStatements, Span, without_overlaps

_PAIRS = 30
"""Number of pairs of one run that are extended over gaps."""


def block_classes(located: LocatedStatements, limits: BlockLimits, cover: FunctionCover) -> Iterator[BlockClass]:
    """Iterate over classes of blocks that are not covered by functions; a class may be inside another one.

    Args:
        located: the statements of all files of a language.
        limits: which blocks are reported.
        cover: which blocks are in functions that are clones.
    """
    # A part of a block that is half as large as a block finds the others, over gaps.
    seed = max(limits.min_tokens // 2, 1)
    for name in ("exact", "renamed"):
        statements = located.form(name)
        gaps = GapExtension(located, statements, limits.threshold, limits.min_tokens) if name == "renamed" else None
        total = np.append(0, np.cumsum(located.tokens))
        for run in equal_runs(statements, seed if gaps else limits.min_tokens):
            spans = without_overlaps([Span(first, first + run.length) for first in run.starts.tolist()])
            if len(spans) < 2 or cover.covers(spans):
                continue
            # Closing brackets count, too, so that a block may be larger than its statements.
            if 2 * (total[spans[0].end] - total[spans[0].first]) >= limits.min_tokens:
                yield from _whole(located, statements, spans, limits, cover)
            if gaps is not None:
                yield from _gapped(located, statements, spans, gaps, limits, cover)


def _whole(
    located: LocatedStatements, statements: StatementList, spans: list[Span], limits: BlockLimits, cover: FunctionCover
) -> Iterator[BlockClass]:
    first = spans[0]
    depth = int(located.depth[first.first])
    after = max(located.depth_after(span.end) - int(located.depth[span.first]) for span in spans) + depth
    for piece in located.pieces(first, after):
        size = located.size(piece)
        if size < limits.min_tokens or _lines(located, piece) < limits.min_lines or not statements.varied(*piece):
            continue
        moved = tuple(
            Span(piece.first - first.first + span.first, piece.end - first.first + span.first) for span in spans
        )
        if not cover.covers(moved):
            yield BlockClass(moved, size)


def _gapped(
    located: LocatedStatements,
    statements: StatementList,
    spans: list[Span],
    gaps: GapExtension,
    limits: BlockLimits,
    cover: FunctionCover,
) -> Iterator[BlockClass]:
    for left, right in list(pairwise(spans))[:_PAIRS]:
        if cover.covers((left, right)):
            continue
        for pair in gaps.pairs(left.first, right.first, left.end - left.first):
            both = (pair.left, pair.right)
            if not all(statements.varied(*one) for one in both) or cover.covers(both):
                continue
            if min(_lines(located, one) for one in both) >= limits.min_lines:
                yield BlockClass(both, located.size(pair.left), pair.similarity)


def _lines(located: LocatedStatements, span: Span) -> int:
    rows = located.rows
    last = located.last_row(span) - 1
    return int(rows["last_line"][last]) - int(rows["first_line"][located.row_of[span.first]]) + 1
