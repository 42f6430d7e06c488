"""The reading order of a PDF file's pages: columns, running heads, footnotes and floats.

What interrupts the text of a paper, a running head, a page number, a footnote or a figure between two columns, is
recognised by where it stands and how large it is set, so that a sentence that goes on behind it stays whole.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

_COLUMN_SHARE = 0.25
_EDGE = 2
"""Lines at the top and at the bottom of a page that may be running heads or page numbers."""
_SMALLER = 0.6
"""Points by which footnotes are set smaller than the text."""
_SHORT = 0.6
"""The share of a usual line's length below which a line is not prose."""
_RAISED, _MARK = 0.85, 6
"""The size of marks, exponents and indices compared with that of the text, and their greatest length."""
_INDENT = 2.0
"""The sizes by which the lines of a float stand to the right of a column's edge at least."""
_GAP = 1.4
"""How much farther apart than usual two lines of different blocks are."""
_JUMPS = 0.1
"""The share of lines with parts of different columns from which a page is set in some other way."""
_SAME_BASE = 0.5
"""Points by which the base lines of one word differ at most."""
_NUMBERED, _WIDEST_NUMBER = 10, 16
"""How many lines must be numbered one after the other to be line numbers, and how far apart numbers of different length
may start."""
_LETTER = 0.4
"""The width of a narrow letter, as a share of the size."""
_CAPTION = re.compile(
    r"\W*(?:fig(?:ure|\.)|table|tab\.|listing|algorithm)\s*(?:\d+|[ivx]+)(?:[.:|—–]|\s*$)", re.IGNORECASE
)


@dataclass(frozen=True, order=True)
class TextRun:
    """A piece of text on a page.

    Attributes:
        x: where it starts, from the left.
        y: its base line, from the bottom.
        size: the size of its font in points.
        text: the text.
        number: its place in the file.
    """

    x: float
    y: float
    size: float
    text: str
    number: int


@dataclass(frozen=True)
class TextLine:
    """The runs of a line, from left to right."""

    runs: tuple[TextRun, ...]

    @property
    def y(self) -> float:
        """Its base line."""
        return self.runs[0].y

    @property
    def text(self) -> str:
        """The text. pypdf puts spaces between runs that follow each other; a number at the start marks a footnote."""
        text, last = "", -2
        for run in self.runs:
            is_joined = run.number == last + 1 and not re.fullmatch(r"\s*\d+", text)
            text += run.text if is_joined else f" {run.text}"
            last = run.number
        return text.strip()

    @property
    def size(self) -> float:
        """The size in which most of it is set."""
        sizes = Counter[float]()
        for run in self.runs:
            sizes[run.size] += len(run.text.strip())
        return max(sizes, key=lambda one: sizes[one])


@dataclass(frozen=True)
class PageLayout:
    """A page as it is set.

    Attributes:
        runs: its pieces of text.
        width: its width in points.
        plain: its text in the order of the file.
        turned: the text that is set in another direction than the most, such as a stamp at the margin.
    """

    runs: tuple[TextRun, ...]
    width: float
    plain: str
    turned: str = ""


@dataclass(frozen=True)
class OrderedPage:
    """A page in reading order.

    Attributes:
        body: the running text.
        asides: footnotes, captions and floats that stood between two parts of it.
    """

    body: str
    asides: str = ""


def page_layout(page: Any) -> PageLayout:
    """Where the text of a page of pypdf stands."""
    runs: dict[int, list[TextRun]] = {}
    last = TextRun(0.0, 0.0, 0.0, "", -1)

    def visit(text: str, ctm: Sequence[float], tm: Sequence[float], font: object, size: float) -> None:
        nonlocal last
        if text.strip():
            x = tm[4] * ctm[0] + tm[5] * ctm[2] + ctm[4]
            y = tm[4] * ctm[1] + tm[5] * ctm[3] + ctm[5]
            scale = math.sqrt(abs((tm[0] * tm[3] - tm[1] * tm[2]) * (ctm[0] * ctm[3] - ctm[1] * ctm[2])))
            turn = math.atan2(tm[0] * ctm[1] + tm[1] * ctm[3], tm[0] * ctm[0] + tm[1] * ctm[2])
            quarters = round(2 * turn / math.pi) % 4
            across, up = ((x, y), (y, width - x), (width - x, height - y), (height - y, x))[quarters]
            # A new line in the file is a new place; number 0 never follows anything.
            number = last.number + (2 if last.text.endswith("\n") else 1)
            last = TextRun(across, up, round(size * scale, 1), text, number)
            runs.setdefault(quarters, []).append(last)

    width, height = float(page.mediabox.width), float(page.mediabox.height)
    plain: str = page.extract_text(visitor_text=visit) or ""
    most = max(runs, key=lambda one: sum(len(run.text) for run in runs[one]), default=0)
    turned = "\n".join(run.text.strip() for one in runs if one != most for run in runs[one])
    return PageLayout(tuple(runs.get(most, ())), height if most % 2 else width, plain, turned)


def order_pages(pages: Sequence[PageLayout]) -> list[OrderedPage]:
    """The pages of a paper in reading order, without running heads and page numbers."""
    runs = [_without_line_numbers(page.runs) for page in pages]
    lines = _without_heads([_lines(one) for one in runs])
    sizes = Counter[float]()
    for run in (run for page in lines for line in page for run in line.runs):
        sizes[run.size] += len(run.text.strip())
    usual = max(sizes, key=lambda one: sizes[one], default=0.0)
    pages_and_lines = list(zip(pages, lines, strict=True))
    # The last page may have too few lines in its right column to show that there is one.
    middles = Counter(_second_column(kept, page.width) for page, kept in pages_and_lines)
    usual_middle = max(middles, key=lambda one: middles[one], default=0.0)
    found = []
    for page, kept in pages_and_lines:
        columns = _columns(kept, _second_column(kept, page.width, usual_middle))
        if any(sum(map(_has_jump, one)) > _JUMPS * len(one) for one in columns):
            # Three columns, or a large table: the order of the file is the best that is known.
            heads = {line.text for line in _lines(page.runs)} - {line.text for line in kept}
            found.append(OrderedPage("\n".join(one for one in page.plain.splitlines() if one.strip() not in heads)))
        else:
            bodies, asides = _asides([_Column(one, usual) for one in columns])
            found.append(OrderedPage(_text(bodies), "\n".join(filter(None, (_text(asides), page.turned)))))
    return found


def _has_jump(line: TextLine) -> bool:
    """Whether parts of a line do not follow each other in the file."""
    return any(other.number > one.number + 2 for one, other in itertools.pairwise(line.runs))


def _text(lines: Sequence[TextLine]) -> str:
    return "\n".join(line.text for line in lines)


def _without_line_numbers(runs: Sequence[TextRun]) -> list[TextRun]:
    """The runs without the line numbers of a manuscript: numbers below each other that count up."""
    chains: list[list[TextRun]] = []
    for run in sorted((run for run in runs if re.fullmatch(r"\s*\d{1,5}\s*", run.text)), key=lambda one: -one.y):
        for chain in chains:
            step = int(run.text) - int(chain[-1].text)
            is_next = step == int(chain[1].text) - int(chain[0].text) if len(chain) > 1 else 0 < step <= _NUMBERED
            if is_next and abs(run.x - chain[-1].x) < _WIDEST_NUMBER and run.y < chain[-1].y:
                chain.append(run)
                break
        else:
            chains.append([run])
    numbers = {run.number for chain in chains if len(chain) >= _NUMBERED for run in chain}
    return [run for run in runs if run.number not in numbers]


def _lines(runs: Sequence[TextRun]) -> list[TextLine]:
    """The runs by line, from top to bottom and from left to right."""
    usual = median(run.size for run in runs) if runs else 0.0
    long = {run.number: run.y for run in runs if run.size >= _RAISED * usual or len(run.text.strip()) > _MARK}
    # What stands beside longer text on its base line belongs to it, as the parts of words in small capitals do.
    beside_long = ((run, (long.get(run.number + step, math.inf) for step in (-1, 0, 1))) for run in runs)
    marks = [run for run, bases in beside_long if all(abs(run.y - base) > _SAME_BASE for base in bases)]
    lines = _by_height([run for run in runs if run not in marks])
    alone = []
    by_number = {run.number: run for run in runs}
    for mark in marks:
        # A mark, an exponent or an index stands behind its word, a little above or below the base line.
        beside = [
            (abs(mark.x - run.x - _LETTER * run.size * len(run.text)), place, run)
            for place, line in enumerate(lines)
            for run in line
            if -0.4 < (mark.y - run.y) / run.size < 0.6 and mark.size < run.size and run.x < mark.x
            if not _begins(mark, run, by_number.get(mark.number + 1))
        ]
        _, place, before = min(beside, default=(0.0, -1, mark))
        if place < 0:
            alone.append(mark)
        elif not _is_footnote_mark(mark, before):
            lines[place].append(mark)
    lines += _by_height(alone)
    lines.sort(key=lambda line: (-line[0].y, line[0].x))
    return [TextLine(tuple(sorted(line, key=lambda one: one.x))) for line in lines]


def _by_height(runs: Sequence[TextRun]) -> list[list[TextRun]]:
    lines: list[list[TextRun]] = []
    for run in sorted(runs, key=lambda one: (-one.y, one.x)):
        if lines and abs(lines[-1][0].y - run.y) < 2:
            lines[-1].append(run)
        else:
            lines.append([run])
    return lines


def _begins(mark: TextRun, before: TextRun, after: TextRun | None) -> bool:
    """Whether a number begins a footnote beside another column: what follows it in the file does, what precedes not."""
    is_first = after is not None and 0 < after.x - mark.x < 2 * after.size and abs(after.y - mark.y) < after.size
    return is_first and not 0 < mark.number - before.number <= 2


def _is_footnote_mark(mark: TextRun, before: TextRun) -> bool:
    """Whether a raised number stands behind a word, as marks do; an exponent stands behind a number or a letter."""
    if not re.fullmatch(r"[\s\d,∗*†‡§]+", mark.text) or mark.y <= before.y:
        return False
    return re.search(r"(?:[^\W\d_]{3}|[.,;:)”\"])$", before.text.rstrip()) is not None


def _without_heads(pages: Sequence[Sequence[TextLine]]) -> list[list[TextLine]]:
    """The pages without page numbers, and without lines at their edges that other pages have at the same height.

    This comes before columns are separated: a page number in the middle would end the left column.
    """
    edges = [_edge_lines(page) for page in pages]
    places = Counter(_place(line) for page in edges for line in page)
    heads = [
        [line for line in edge if is_page_number(line.text) or (head_key(line.text) and places[_place(line)] > 1)]
        for edge in edges
    ]
    heights = Counter(_place(line)[1] for page in heads for line in page)
    return [
        [line for line in page if not (line in head or (line in edge and heights[_place(line)[1]] > 1))]
        for page, edge, head in zip(pages, edges, heads, strict=True)
    ]


def _edge_lines(page: Sequence[TextLine]) -> list[TextLine]:
    """The lines at the top and at the bottom of a page that are set apart from its text."""
    gaps = [one.y - other.y for one, other in itertools.pairwise(page)]
    if len(page) <= 2 * _EDGE:
        return []
    wide = [at for at, gap in enumerate(gaps) if gap > _GAP * median(gaps)]
    top = max((at + 1 for at in wide if at < _EDGE), default=0)
    bottom = min((at + 1 for at in wide if at >= len(gaps) - _EDGE), default=len(page))
    return [*page[:top], *page[bottom:]]


def _place(line: TextLine) -> tuple[str, int]:
    return head_key(line.text), round(line.y / 4)


def head_key(line: str) -> str:
    """What running heads of different pages have in common: everything but numbers."""
    return re.sub(r"[\W\d_]+", " ", line).strip().lower()


def is_page_number(line: str) -> bool:
    """Whether a line is nothing but a page number."""
    return re.fullmatch(r"\W*(?:page\s*)?\d{1,4}\W*", line.strip(), re.IGNORECASE) is not None


def _second_column(lines: Sequence[TextLine], width: float, usual: float = 0.0) -> float:
    """Where the second of two columns begins, by default where it does on other pages; 0 if there is one column."""
    # All lines of a column start at the same point; runs that happen to start near the middle do not.
    near = [{round(run.x / 2) for run in line.runs if 0.45 < run.x / width < 0.65} for line in lines]
    starts = Counter(at for line in near for at in line)
    edges = {at: count + max(starts[at - 1], starts[at + 1]) for at, count in starts.items()}
    edge = max(edges, key=lambda one: edges[one], default=0)
    middle = 2 * edge - 0.02 * width
    if not edge or edges[edge] < _COLUMN_SHARE * len(lines):
        middle = usual
    return 0.0 if sum(_crosses(one, middle) for one in lines) > len(lines) / 2 else middle


def _columns(lines: Sequence[TextLine], middle: float) -> list[list[TextLine]]:
    """The lines of each column: one or two."""
    columns: list[list[TextLine]] = [[], []]
    for line in lines:
        for number, column in enumerate(columns):
            part = tuple(run for run in line.runs if (run.x >= middle) is bool(number))
            if part:
                column.append(TextLine(part))
    return [one for one in columns if one] if middle else [list(lines)]


def _crosses(line: TextLine, middle: float) -> bool:
    """Whether a line goes on over the space between two columns, by the usual width of letters."""
    left = [run for run in line.runs if run.x < middle]
    length = sum(len(run.text) for run in left)
    return bool(left) and left[0].x + _LETTER * line.size * length > 1.1 * middle


class _Column:
    """The blocks of a column, and which of them interrupt the running text."""

    def __init__(self, lines: Sequence[TextLine], usual: float) -> None:
        gaps = [one.y - other.y for one, other in itertools.pairwise(lines)]
        leading = median(gaps) if gaps else 0.0
        length = median(len(line.text) for line in lines) if lines else 0.0
        self.blocks: list[list[TextLine]] = []
        for at, line in enumerate(lines):
            is_small = line.size < usual - _SMALLER
            is_new = at == 0 or gaps[at - 1] > _GAP * leading or _CAPTION.match(line.text)
            if is_new or is_small is not (lines[at - 1].size < usual - _SMALLER):
                self.blocks.append([])
            self.blocks[-1].append(line)
        self._small = [block[0].size < usual - _SMALLER for block in self.blocks]
        self._caption = [_CAPTION.match(block[0].text) is not None for block in self.blocks]
        left = median(line.runs[0].x for line in lines) if lines else 0.0
        # What begins with a small letter at the left edge is the end of a paragraph, and no float.
        self._short = [
            all(len(line.text) < _SHORT * length for line in block)
            and not (block[0].text[:1].islower() and block[0].runs[0].x < left + _INDENT * block[0].size)
            for block in self.blocks
        ]

    def at_top(self, least: float = math.inf) -> int:
        """The number of blocks at the top that are footnotes or floats; above `least`, short lines are enough."""
        return self._at_edge(range(len(self.blocks)), lambda block: block[-1].y >= least)

    def at_bottom(self, most: float = -math.inf) -> int:
        """The same at the bottom."""
        return self._at_edge(range(len(self.blocks) - 1, -1, -1), lambda block: block[0].y <= most)

    def _at_edge(self, places: range, is_beside: Any) -> int:
        taken = 0
        for count, place in enumerate(places, 1):
            # Short lines next to a caption are a table or a figure.
            is_float = self._short[place] and (
                is_beside(self.blocks[place]) or self._caption[places[max(0, count - 2)]]
            )
            if self._small[place] or self._caption[place] or is_float:
                taken = count
            elif not self._short[place]:
                break
        # A column without running text is one of references, or a page of figures: it stays as it is.
        return 0 if taken == len(self.blocks) else taken


def _asides(columns: Sequence[_Column]) -> tuple[list[TextLine], list[TextLine]]:
    """The running text of the columns, and what stands at their edges without being part of it."""
    tops, bottoms = [one.at_top() for one in columns], [one.at_bottom() for one in columns]
    above = min((one.blocks[top - 1][-1].y for one, top in zip(columns, tops, strict=True) if top), default=math.inf)
    below = max(
        (one.blocks[-bottom][0].y for one, bottom in zip(columns, bottoms, strict=True) if bottom), default=-math.inf
    )
    bodies: list[TextLine] = []
    asides: list[TextLine] = []
    for column in columns:
        # A float that is as wide as the page has its caption in one column only.
        top, bottom = column.at_top(above), column.at_bottom(below)
        end = max(top, len(column.blocks) - bottom)
        asides += [line for block in (*column.blocks[:top], *column.blocks[end:]) for line in block]
        bodies += [line for block in column.blocks[top:end] for line in block]
    return bodies, asides
