"""Is a quote in the paper? Letter by letter, apart from what typesetting changes.

Hyphenation, line breaks, ligatures, the shapes of quotation marks and dashes, citation marks and upper case do not
count. Everything else does: a changed number, a missing "not" or another word makes a quote altered.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from rapidfuzz import fuzz

from clonetruth.literature.documents import PaperText

_CITATIONS = re.compile(r"\[[\d,;\s–-]+\]")
_GAP = re.compile(r"\[?\(?(?:…|\.\s?\.\s?\.)\)?\]?")
_KEPT = re.compile(r"(?<=\d)\.(?=\d)|[^\W_]|[%<>=≤≥≠+±¬∧∨]", re.UNICODE)
_SHORTEST = 20
"""Letters and digits below which a quote is found by chance."""
_SIMILAR = 75.0
_WIDEST_GAP = 4_000
"""Characters between two parts of a quote with an ellipsis."""


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
        parts = [letters for part in _GAP.split(_CITATIONS.sub(" ", quote)) if (letters := _letters(part)[0])]
        if not parts:
            return QuoteCheck(quote, QuoteState.NONE, given_page=page)
        if sum(map(len, parts)) < _SHORTEST or min(map(len, parts)) < _SHORTEST // 2:
            return QuoteCheck(quote, QuoteState.TOO_SHORT, given_page=page)
        span = self._find(parts)
        if span is not None:
            return QuoteCheck(quote, QuoteState.FOUND, self._pages(*span), page, similarity=1.0)
        return self._nearest(quote, "".join(parts), page)

    @cached_property
    def _text(self) -> tuple[str, list[int], list[int]]:
        """The letters of all pages, where each page starts in them, and each letter's place in its page."""
        letters, starts, places = "", [], list[int]()
        for page in self._paper.pages:
            starts.append(len(letters))
            found, where = _letters(page)
            letters += found
            places += where
        return letters, starts, places

    def _find(self, parts: list[str]) -> tuple[int, int] | None:
        """Where the parts of a quote stand, in order and not far apart."""
        first = self._whole(parts[0], 0)
        while first is not None:
            end = first + len(parts[0])
            for part in parts[1:]:
                following = self._whole(part, end, end + _WIDEST_GAP + len(part))
                if following is None:
                    break
                end = following + len(part)
            else:
                return first, end
            first = self._whole(parts[0], first + 1)
        return None

    def _whole(self, part: str, start: int, stop: int | None = None) -> int | None:
        """Where a part of a quote starts, if it neither begins nor ends inside a word or number: 2 is not in 27."""
        text, _, places = self._text
        at = text.find(part, start, stop)
        while at >= 0:
            end = at + len(part)
            inside = at > 0 and places[at - 1] == places[at] - 1
            if not inside and not (end < len(text) and places[end] == places[end - 1] + 1):
                return at
            at = text.find(part, at + 1, stop)
        return None

    def _nearest(self, quote: str, letters: str, page: int | None) -> QuoteCheck:
        text = self._text[0]
        found = fuzz.partial_ratio_alignment(letters, text, score_cutoff=_SIMILAR) if len(text) > len(letters) else None
        if found is None or found.dest_end <= found.dest_start:
            return QuoteCheck(quote, QuoteState.UNFOUND, given_page=page)
        pages = self._pages(found.dest_start, found.dest_end)
        passage = self._passage(found.dest_start, found.dest_end)
        return QuoteCheck(quote, QuoteState.ALTERED, pages, page, passage, round(found.score / 100, 3))

    def _pages(self, start: int, end: int) -> tuple[int, int]:
        starts = self._text[1]
        return bisect_right(starts, start), bisect_right(starts, end - 1)

    def _passage(self, start: int, end: int) -> str:
        """The original text of a span of letters."""
        first, last = self._pages(start, end)
        places = self._text[2]
        if first != last:
            end = self._text[1][first]
        page = self._paper.pages[first - 1]
        return re.sub(r"\s+", " ", page[places[start] : places[end - 1] + 1])

    def context(self, check: QuoteCheck, around: int = 400) -> str:
        """The passage of a found or altered quote with the text around it, for people who confirm it."""
        if check.pages is None:
            return ""
        parts = [part for part in _GAP.split(_CITATIONS.sub(" ", check.quote)) if _letters(part)[0]]
        first, last = check.pages
        span = self._find([_letters(part)[0] for part in parts])
        pages = [f"[page {number}]\n{self._paper.pages[number - 1].strip()}" for number in range(first, last + 1)]
        if span is None or first != last:
            return "\n\n".join(pages)
        places = self._text[2]
        page = self._paper.pages[first - 1]
        start, end = max(0, places[span[0]] - around), places[span[1] - 1] + around
        return f"[page {first}]\n{page[start:end].strip()}"


def _letters(text: str) -> tuple[str, list[int]]:
    """What counts of a text: letters, digits, decimal points and signs, folded; and the place of each in the text."""
    found: list[str] = []
    places: list[int] = []
    skipped = {place for match in _CITATIONS.finditer(text) for place in range(*match.span())}
    for place, character in enumerate(text):
        if place in skipped:
            continue
        for one in unicodedata.normalize("NFKC", character).casefold():
            if one == "." and not _between_digits(text, place):
                continue
            if one == "." or _KEPT.match(one):
                found.append(one)
                places.append(place)
    return "".join(found), places


def _between_digits(text: str, place: int) -> bool:
    return 0 < place < len(text) - 1 and text[place - 1].isdigit() and text[place + 1].isdigit()
