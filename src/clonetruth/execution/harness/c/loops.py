"""Which numbers say how long an array of C is, as its loops show: a loop that counts up to `n` and has `a[i]` inside
goes through `a`, and one with `m[i * columns + j]` through a table that is written as one array."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_HEAD = re.compile(r"\b(?:for|while)\s*\(")
_BRACKETS = {"(": ")", "[": "]", "{": "}"}


def bounding_numbers(name: str, body: str, numbers: Sequence[str]) -> list[str]:
    """The numbers that end a loop which goes through an array.

    Example:
        >>> text = "for (int i = 0; i < n; i++) p[i] = i; for (int i = 0; i < k; i++) p[a[i]] = p[b[i]];"
        >>> bounding_numbers("a", text, ["n", "k"]), bounding_numbers("p", text, ["n", "k"])
        (['k'], ['n'])
    """
    found = []
    for head, inside in _loops(body):
        indexes = list(_indexes(name, inside))
        for number in numbers:
            counters = re.findall(rf"\b(\w+)\s*<=?\s*{number}\b(?!\s*[*/])|\b(\w+)\s*=\s*{number}\s*-\s*1\b", head)
            if any(re.search(rf"\b{a or b}\b", index) for a, b in counters for index in indexes):
                found.append(number)
    return list(dict.fromkeys(found))


def table_sizes(name: str, body: str, numbers: Sequence[str]) -> tuple[str, str] | None:
    """The numbers of rows and of columns of a table that is written as one array; None if it is not shown to be one.

    Example:
        >>> table_sizes("m", "for (y = 0; y < h; y++) for (x = 0; x < w; x++) sum += m[y * w + x];", ["w", "h"])
        ('h', 'w')
    """
    products = [
        (one, other)
        for head, inside in _loops(body)
        for one in numbers
        for other in numbers
        for counter in re.findall(rf"\b(\w+)\s*<\s*{one}\s*\*\s*{other}\b", head)
        if any(index.strip() == counter for index in _indexes(name, inside))
    ]
    if products:
        return products[0]
    for index in _indexes(name, body):
        for columns in numbers:
            by = re.search(rf"(?:(\w+)|\))\s*\*\s*{columns}\b|\b{columns}\s*\*\s*(?:(\w+)|\()", index)
            if by is None:
                continue
            counter = by[1] or by[2]
            ends = [one for head, _ in _loops(body) for one in numbers if _ends(counter, one, head)] if counter else []
            others = [one for one in numbers if one != columns and re.search(rf"<=?\s*{one}\b|\*\s*{one}\b", body)]
            rows = ends[:1] or (others if len(others) == 1 else [])
            return (rows[0], columns) if rows else None
    return None


def _ends(counter: str, number: str, head: str) -> bool:
    return re.search(rf"\b{counter}\s*<=?\s*{number}\b(?!\s*[*/])", head) is not None


def _loops(body: str) -> Iterator[tuple[str, str]]:
    """The head of each loop, and the loop with its head."""
    for found in _HEAD.finditer(body):
        end = _closing(body, found.end() - 1)
        yield body[found.end() : end], body[found.start() : _statement_end(body, end + 1)]


def _indexes(name: str, text: str) -> Iterator[str]:
    """What an array is indexed with, without what is inside of further brackets."""
    for found in re.finditer(rf"\b{re.escape(name)}\s*\[", text):
        index = text[found.end() : _closing(text, found.end() - 1)]
        while (inner := re.sub(r"\[[^\[\]]*\]", "", index)) != index:
            index = inner
        yield index


def _closing(text: str, at: int) -> int:
    """The place of the bracket that closes the one at a place; the end of the text if there is none."""
    opening, closing, depth = text[at], _BRACKETS[text[at]], 0
    for place in range(at, len(text)):
        depth += (text[place] == opening) - (text[place] == closing)
        if depth == 0:
            return place
    return len(text)


def _statement_end(text: str, at: int) -> int:
    """Behind the statement that begins at a place."""
    rest = text[at:]
    at += len(rest) - len(rest.lstrip())
    if text[at : at + 1] == "{":
        return _closing(text, at) + 1
    head = re.match(r"(?:for|while|if)\s*\(", text[at:])
    if head is not None:
        return _statement_end(text, _closing(text, at + head.end() - 1) + 1)
    end = text.find(";", at)
    return len(text) if end < 0 else end + 1
