"""Is a quote in the paper? Letter by letter, apart from what typesetting changes.

Hyphenation, line breaks, ligatures, accents, the shapes of quotation marks and dashes, left-out citation marks and
upper case do not count. Everything else does: a changed number, a missing "not" or another word makes a quote altered.
An ellipsis may leave out a part of a sentence that has no "not" in it, or whole sentences: a quote that joins the
beginning of one sentence with the end of another is altered, and so is one that starts right behind a "not".
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from rapidfuzz import fuzz

from clonetruth.literature.documents import PaperText

_CITATIONS = re.compile(r"\[[\d,;\s–-]+\]")
_GAP = re.compile(r"\[?\(?(?:…|\.\s?\.\s?\.)\)?\]?")
_KEPT = re.compile(r"[^\W_]|[%<>=≤≥≠+±¬∧∨]", re.UNICODE)
_SIGN = re.compile(
    r"(?:^|(?<=[\s(\[=<>≤≥≈~,:^]))(?:\u2212\s*|[-\u2010\u2011\u2013])(?=\.?\d)"
    r"|\u207b|(?<=\d[eE])[-\u2010-\u2013\u2212](?=\d)"
)
"""A minus, also that of an exponent: 2e-5, 10⁻⁵."""
_BETWEEN = re.compile(r"(?<=\d)\s*([-\u2010-\u2015\u2212]{1,3})\s*(?=\d)")
"""A dash that keeps two numbers apart: 5-10 is not 510, and 10-5 may have been 10⁻⁵."""
_NEGATION = re.compile(
    r"\b(?:not|no|never|neither|nor|none|nobody|nothing|without|cannot|hardly|rarely|fail(?:s|ed)?|unlikely)\b|n[’']t\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?][\"”’)\]]*\s+(?=[\"“(\[]?[A-Z0-9])|\n\s*\n(?=\W*[A-Z0-9])")
_NO_END = re.compile(r"\b(?:al|cf|e\.g|i\.e|etc|Fig|Figs|Tab|Sec|Sect|Eq|No|vs|resp|approx|[A-Z])\.$")
_WORDS_BEFORE = re.compile(r"[^.!?;:,]*\Z")
_SHORTEST = 20
"""Letters and digits below which a quote is found by chance."""
_SIMILAR = 75.0
_WIDEST_GAP = 4_000
"""Characters between two parts of a quote with an ellipsis."""
_BEFORE = 2
"""Words before a quote among which a "not" changes its meaning."""
_BARRIER = "\x00"
"""Stands between the text and the asides: no quote has it."""


class QuoteState(StrEnum):
    """Whether a quote is in the paper. Only `FOUND` counts as evidence."""

    FOUND = "found"
    ALTERED = "altered"
    UNFOUND = "unfound"
    TOO_SHORT = "too short"
    NONE = "no quote"


@dataclass(frozen=True)
class QuoteCheck:
    """What became of a quote.

    Attributes:
        quote: the quote as given.
        state: whether it is in the paper.
        pages: the first and the last page of the passage; None if there is none.
        given_page: the page that was given with the quote; None if there was none.
        passage: the most similar passage of the paper, for an altered quote.
        similarity: how similar that passage is, from 0 to 1.
    """

    quote: str
    state: QuoteState
    pages: tuple[int, int] | None = None
    given_page: int | None = None
    passage: str = ""
    similarity: float | None = None

    @property
    def wrong_page(self) -> bool:
        """Whether the quote stands on another page than the given one."""
        return (
            self.pages is not None
            and self.given_page is not None
            and not (self.pages[0] <= self.given_page <= self.pages[1])
        )


class QuoteChecker:
    """Looks up quotes in a paper."""

    def __init__(self, paper: PaperText) -> None:
        self._paper = paper

    def check(self, quote: str, page: int | None = None) -> QuoteCheck:
        """Look up a quote.

        Args:
            quote: the quote; an ellipsis stands for left-out text.
            page: the page that was given with it.
        """
        parts = _parts(quote)
        if not parts:
            return QuoteCheck(quote, QuoteState.NONE, given_page=page)
        if sum(map(len, parts)) < _SHORTEST or min(map(len, parts)) < _SHORTEST // 2:
            return QuoteCheck(quote, QuoteState.TOO_SHORT, given_page=page)
        spans = self._find(parts)
        if spans is not None:
            return QuoteCheck(quote, QuoteState.FOUND, self._pages(spans[0][0], spans[-1][1]), page, similarity=1.0)
        if (spans := self._find(parts, keeps_meaning=False)) is not None:
            whole = self._sentence_start(spans[0][0]), spans[-1][1]
            return QuoteCheck(quote, QuoteState.ALTERED, self._pages(*whole), page, self._passage(*whole), 1.0)
        return self._nearest(quote, "".join(part.letters for part in parts), page)

    @cached_property
    def _text(self) -> _Letters:
        """The letters of all pages, and behind them those of all asides, which a quote cannot cross."""
        return _letters(self._running)

    @cached_property
    def _running(self) -> str:
        parts = ("\n".join(texts).replace(_BARRIER, " ") for texts in (self._paper.pages, self._paper.asides))
        return f"\n{_BARRIER}\n".join(parts)

    @cached_property
    def _starts(self) -> tuple[list[int], list[int]]:
        """Where each page starts in the letters, and its number: pages, then asides."""
        starts, numbers, at = [], [], 0
        for texts in (self._paper.pages, self._paper.asides):
            for number, text in enumerate(texts, 1):
                starts.append(bisect_left(self._text.places, at))
                numbers.append(number)
                at += len(text) + 1
            at += 2  # the barrier, and the line behind it
        return starts, numbers

    def _find(self, parts: Sequence[_Letters], *, keeps_meaning: bool = True) -> list[tuple[int, int]] | None:
        """Where the parts of a quote stand, in order and not far apart; by default, without a changed meaning."""
        for at in self._wholes(parts[0], 0, None):
            if keeps_meaning and self._drops_negation(at):
                continue
            for spans in self._continued(parts[1:], (at, at + len(parts[0]))):
                gaps = itertools.pairwise(spans)
                if not keeps_meaning or all(self._may_leave_out(one[1], other[0]) for one, other in gaps):
                    return spans
        return None

    def _continued(self, parts: Sequence[_Letters], last: tuple[int, int]) -> Iterator[list[tuple[int, int]]]:
        """Where the other parts of a quote may stand behind one of them."""
        if not parts:
            yield [last]
            return
        for at in self._wholes(parts[0], last[1], last[1] + _WIDEST_GAP + len(parts[0])):
            for rest in self._continued(parts[1:], (at, at + len(parts[0]))):
                yield [last, *rest]

    def _wholes(self, part: _Letters, start: int, stop: int | None) -> Iterator[int]:
        """Where a part of a quote starts: not inside a word or number (2 is not in 27), with the same citations."""
        text = self._text
        at = text.letters.find(part.letters, start, stop)
        while at >= 0:
            end = at + len(part)
            inside = at > 0 and text.places[at - 1] == text.places[at] - 1
            inside |= end < len(text) and text.places[end] == text.places[end - 1] + 1
            cited = all(text.citations.get(at + place, marks) == marks for place, marks in part.citations.items())
            if not inside and cited:
                yield at
            at = text.letters.find(part.letters, at + 1, stop)

    def _drops_negation(self, at: int) -> bool:
        """Whether a quote starts right behind a "not" of its own sentence."""
        place = self._text.places[at]
        before = _WORDS_BEFORE.search(self._running[max(0, place - 80) : place])
        return before is not None and any(_NEGATION.search(one) for one in before[0].split()[-_BEFORE:])

    def _sentence_start(self, at: int) -> int:
        """Where the words begin that a quote starts behind."""
        place = self._text.places[at]
        before = _WORDS_BEFORE.search(self._running[max(0, place - 80) : place])
        return bisect_left(self._text.places, place - len(before[0])) if before else at

    def _may_leave_out(self, end: int, start: int) -> bool:
        """Whether an ellipsis may stand for a passage: a part of one sentence without a "not", or whole sentences."""
        places = self._text.places
        left_out = self._running[places[end - 1] + 1 : places[start] + 1]  # with the first letter behind it
        ends = [one for one in _SENTENCE_END.finditer(left_out) if not _NO_END.search(left_out[: one.start() + 1])]
        if not ends:
            return _NEGATION.search(left_out[:-1]) is None
        return not _KEPT.search(left_out[: ends[0].start()]) and not _KEPT.search(left_out[ends[-1].end() : -1])

    def _nearest(self, quote: str, letters: str, page: int | None) -> QuoteCheck:
        text = self._text.letters
        found = fuzz.partial_ratio_alignment(letters, text, score_cutoff=_SIMILAR) if len(text) > len(letters) else None
        if found is None or found.dest_end <= found.dest_start:
            return QuoteCheck(quote, QuoteState.UNFOUND, given_page=page)
        pages = self._pages(found.dest_start, found.dest_end)
        passage = self._passage(found.dest_start, found.dest_end)
        return QuoteCheck(quote, QuoteState.ALTERED, pages, page, passage, round(found.score / 100, 3))

    def _pages(self, start: int, end: int) -> tuple[int, int]:
        starts, numbers = self._starts
        first, last = (numbers[bisect_right(starts, at) - 1] for at in (start, end - 1))
        return (first, last) if first <= last else (last, first)

    def _passage(self, start: int, end: int) -> str:
        """The original text of a span of letters."""
        places = self._text.places
        return re.sub(r"[\s\x00]+", " ", self._running[places[start] : places[end - 1] + 1])

    def context(self, check: QuoteCheck, around: int = 400) -> str:
        """The passage of a found or altered quote with the text around it, for people who confirm it."""
        if check.pages is None:
            return ""
        first, last = check.pages
        whole = self._paper.whole_pages()
        spans = self._find(_parts(check.quote))
        if spans is None or first != last:
            return "\n\n".join(f"[page {number}]\n{whole[number - 1].strip()}" for number in range(first, last + 1))
        places = self._text.places
        start, end = max(0, places[spans[0][0]] - around), places[spans[-1][1] - 1] + around
        return f"[page {first}]\n{self._running[start:end].replace(_BARRIER, ' ').strip()}"


def _parts(quote: str) -> list[_Letters]:
    """What counts of the parts of a quote between ellipses."""
    return [letters for part in _GAP.split(quote.replace(_BARRIER, " ")) if len(letters := _letters(part))]


@dataclass(frozen=True)
class _Letters:
    """What counts of a text.

    Attributes:
        letters: letters, digits, decimal points and signs, folded.
        places: the place of each in the text.
        citations: the numbers of citation marks, by the letter that follows.
    """

    letters: str
    places: list[int]
    citations: dict[int, str]

    def __len__(self) -> int:
        return len(self.letters)


def _letters(text: str) -> _Letters:
    """What counts of a text."""
    found: list[str] = []
    places: list[int] = []
    citations: dict[int, str] = {}
    marks = {match.start(): match for match in _CITATIONS.finditer(text)}
    signs = {match.start() for match in _SIGN.finditer(text)} | {match.start(1) for match in _BETWEEN.finditer(text)}
    place, end = 0, len(text)
    while place < end:
        if place in marks:
            citations[len(found)] = "".join(re.findall(r"\d+|[^\d\s]", _dashed(marks[place][0])))
            place = marks[place].end()
            continue
        character = text[place]
        if place in signs:
            folded = "-"
        elif character == _BARRIER or (character in "./" and _between_digits(text, place)):
            folded = character
        else:
            folded = _folded(character)
        found.extend(folded)
        places.extend([place] * len(folded))
        place += 1
    return _Letters("".join(found), places, citations)


def _folded(character: str) -> str:
    """What counts of a character. Accents do not: TeX sets many of them beside their letters ("Kr¨uger")."""
    apart = unicodedata.normalize("NFKD", character)
    if not apart[0].isascii():
        apart = unicodedata.normalize("NFKC", character)
    return "".join(filter(_KEPT.match, apart.casefold())).replace("ı", "i")


def _dashed(text: str) -> str:
    return re.sub(r"[\u2010-\u2015]", "-", text)


def _between_digits(text: str, place: int) -> bool:
    return 0 < place < len(text) - 1 and text[place - 1].isdigit() and text[place + 1].isdigit()
