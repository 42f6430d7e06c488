"""The alignment of two texts: which lines are the same, changed, or only on one side.

`align` is independent of HTML, so that the terminal and the page show the same difference.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz import process
from rapidfuzz.distance import Indel, LCSseq

RowKind = Literal["same", "changed", "only-left", "only-right"]
Span = tuple[int, int]

# Two lines are shown as one changed line when at least half of their characters agree.
_CHANGED_FROM = 0.5
# The exact longest common subsequence takes lines × lines bits: 50 MB for 20,000 × 20,000.
_EXACT_CELLS = 400_000_000
# Larger gaps are cut into proportional slices, to keep pairing linear in the length of the texts.
_SLICE_LINES = 64
# Longer lines (minified code, embedded data) are compared as a whole.
_INTRA_LINE_CHARACTERS = 2_000

_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")


@dataclass(frozen=True)
class AlignedRow:
    """One row of an aligned difference.

    Attributes:
        kind: `same`, `changed`, `only-left` or `only-right`.
        left: the left line without its line end; None in an `only-right` row.
        right: the right line; None in an `only-left` row.
        left_number: 1-based line number of the left line.
        right_number: 1-based line number of the right line.
        left_marks: in a `changed` row, the half-open character spans that the right line does not have.
        right_marks: the same for the right line.
    """

    kind: RowKind
    left: str | None
    right: str | None
    left_number: int | None
    right_number: int | None
    left_marks: tuple[Span, ...] = ()
    right_marks: tuple[Span, ...] = ()


def split_lines(text: str) -> list[str]:
    r"""The lines of a text without their line ends. Only `\n`, `\r\n` and `\r` end a line."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if lines[-1] == "":
        lines.pop()
    return lines


def align(left_lines: Sequence[str], right_lines: Sequence[str]) -> list[AlignedRow]:
    """Align two lists of lines.

    Equal lines are matched by a longest common subsequence. Between them, similar lines become `changed` rows, and
    the others get a row each. The left lines of the rows, in order, are `left_lines`, and the right ones are
    `right_lines`. Swapping the arguments swaps the sides of the same alignment.
    """
    # A longest common subsequence is not unique; a fixed order makes the choice independent of the side.
    if list(left_lines) > list(right_lines):
        matches = [(i, j) for j, i in _matches(right_lines, left_lines)]
    else:
        matches = _matches(left_lines, right_lines)
    rows: list[AlignedRow] = []
    i, j = 0, 0
    for at_left, at_right in matches:
        rows.extend(_one_sided(left_lines, right_lines, (i, at_left), (j, at_right)))
        rows.append(_matched(left_lines[at_left], right_lines[at_right], at_left + 1, at_right + 1))
        i, j = at_left + 1, at_right + 1
    rows.extend(_one_sided(left_lines, right_lines, (i, len(left_lines)), (j, len(right_lines))))
    return rows


def columns(rows: Sequence[AlignedRow]) -> Iterator[tuple[AlignedRow | None, AlignedRow | None]]:
    """The rows for two columns: runs of lines that are only on one side share rows of the screen.

    Yields:
        The row of the left column and the row of the right column; they are the same for `same` and `changed`.
    """
    only_left: list[AlignedRow] = []
    only_right: list[AlignedRow] = []
    for row in rows:
        if row.kind == "only-left":
            only_left.append(row)
        elif row.kind == "only-right":
            only_right.append(row)
        else:
            yield from _zip_longest(only_left, only_right)
            only_left, only_right = [], []
            yield row, row
    yield from _zip_longest(only_left, only_right)


def _zip_longest(
    left: list[AlignedRow], right: list[AlignedRow]
) -> Iterator[tuple[AlignedRow | None, AlignedRow | None]]:
    for i in range(max(len(left), len(right))):
        yield (left[i] if i < len(left) else None), (right[i] if i < len(right) else None)


def _intern(*sequences: Sequence[str]) -> list[list[int]]:
    """The sequences with each distinct string as a number, since rapidfuzz would only compare hashes."""
    numbers: dict[str, int] = {}
    return [[numbers.setdefault(item, len(numbers)) for item in sequence] for sequence in sequences]


def _matches(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    """The pairs of equal or similar lines, in order."""
    matches: list[tuple[int, int]] = []
    i, j = 0, 0
    for at_first, at_second in _equal_lines(first, second):
        matches.extend(_pair_gap(first, second, (i, at_first), (j, at_second)))
        matches.append((at_first, at_second))
        i, j = at_first + 1, at_second + 1
    matches.extend(_pair_gap(first, second, (i, len(first)), (j, len(second))))
    return matches


def _equal_lines(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    a, b = _intern(first, second)
    if len(a) * len(b) <= _EXACT_CELLS:
        return [
            (code.src_start + k, code.dest_start + k)
            for code in LCSseq.opcodes(a, b)
            if code.tag == "equal"
            for k in range(code.src_end - code.src_start)
        ]
    blocks = difflib.SequenceMatcher(None, a, b).get_matching_blocks()
    return [(block.a + k, block.b + k) for block in blocks for k in range(block.size)]


def _pair_gap(first: Sequence[str], second: Sequence[str], a: Span, b: Span) -> list[tuple[int, int]]:
    """The pairs of similar lines in a gap without equal lines."""
    height, width = a[1] - a[0], b[1] - b[0]
    if not height or not width:
        return []
    slices = -(-max(height, width) // _SLICE_LINES)
    pairs: list[tuple[int, int]] = []
    for k in range(slices):
        from_a, to_a = a[0] + height * k // slices, a[0] + height * (k + 1) // slices
        from_b, to_b = b[0] + width * k // slices, b[0] + width * (k + 1) // slices
        similar = _pair_slice(first[from_a:to_a], second[from_b:to_b])
        pairs.extend((from_a + i, from_b + j) for i, j in similar)
    return pairs


def _pair_slice(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    """The order-preserving pairing of similar lines with the greatest total similarity."""
    if not first or not second:
        return []
    short = [line[:_INTRA_LINE_CHARACTERS].strip() for line in first]
    other = [line[:_INTRA_LINE_CHARACTERS].strip() for line in second]
    similarity = process.cdist(short, other, scorer=Indel.normalized_similarity, score_cutoff=_CHANGED_FROM).tolist()
    height, width = len(first), len(second)
    best = [[0.0] * (width + 1) for _ in range(height + 1)]
    for i in range(height - 1, -1, -1):
        row, below, scores = best[i], best[i + 1], similarity[i]
        for j in range(width - 1, -1, -1):
            paired = below[j + 1] + scores[j] if scores[j] else 0.0
            row[j] = max(paired, below[j], row[j + 1])
    pairs: list[tuple[int, int]] = []
    i, j = 0, 0
    while i < height and j < width:
        if similarity[i][j] and best[i][j] == best[i + 1][j + 1] + similarity[i][j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _one_sided(left: Sequence[str], right: Sequence[str], a: Span, b: Span) -> Iterator[AlignedRow]:
    yield from (AlignedRow("only-left", left[k], None, k + 1, None) for k in range(*a))
    yield from (AlignedRow("only-right", None, right[k], None, k + 1) for k in range(*b))


def _matched(left: str, right: str, left_number: int, right_number: int) -> AlignedRow:
    if left == right:
        return AlignedRow("same", left, right, left_number, right_number)
    return AlignedRow("changed", left, right, left_number, right_number, *_intra_line(left, right))


def _intra_line(left: str, right: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The character spans of the tokens that only one of two lines has."""
    if max(len(left), len(right)) > _INTRA_LINE_CHARACTERS:
        return ((0, len(left)),), ((0, len(right)),)
    if left > right:
        right_marks, left_marks = _intra_line(right, left)
        return left_marks, right_marks
    left_tokens, right_tokens = _TOKEN.findall(left), _TOKEN.findall(right)
    a, b = _intern(left_tokens, right_tokens)
    only_left: set[int] = set()
    only_right: set[int] = set()
    for code in LCSseq.opcodes(a, b):
        if code.tag != "equal":
            only_left.update(range(code.src_start, code.src_end))
            only_right.update(range(code.dest_start, code.dest_end))
    return _spans(left_tokens, only_left), _spans(right_tokens, only_right)


def _spans(tokens: Sequence[str], chosen: set[int]) -> tuple[Span, ...]:
    spans: list[Span] = []
    at = 0
    for index, token in enumerate(tokens):
        end = at + len(token)
        if index in chosen:
            if spans and spans[-1][1] == at:
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((at, end))
        at = end
    return tuple(spans)
