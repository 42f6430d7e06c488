"""What is known of each distinct token text, as arrays by its number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from clonetruth.code.canonical.labels import KNOWN_FUNCTIONS, OPERATORS, PUNCTUATION, READS, SWAPPED, UPDATES, WRITES
from clonetruth.code.canonical.trees import token_hash

Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]

_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\x00-\x7f]+")
_TEXT_PART = re.compile(r"[A-Za-z]+|%[0-9.]*l*[a-z]|[0-9]+|[^\sA-Za-z0-9]")
_NUMBER = re.compile(rb"(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+)")
_MAX_PARTS = 40
"""Parts of one token that count: a string may be a whole file."""
_SMALL = 60
"""Whole numbers below it have their own label."""


@dataclass(frozen=True, eq=False)
class LexemeTable:
    """What is known of token texts; `rows` has a line for each, in the order of its attributes."""

    hash: Integers
    operator: Integers
    known_function: Integers
    small_number: Integers
    value: Integers
    truth: Integers
    minus: Integers
    part_start: Integers
    part_count: Integers
    parts: Integers
    is_word: Booleans
    is_number: Booleans
    is_quoted: Booleans
    is_update: Booleans
    is_swapped: Booleans
    is_read: Booleans
    is_write: Booleans
    is_log: Booleans
    is_stream: Booleans
    is_punctuation: Booleans

    @classmethod
    def of(cls, texts: Sequence[bytes]) -> LexemeTable:
        """Describe texts; those of earlier batches are remembered."""
        if len(_REMEMBERED) > _MAX_REMEMBERED:
            _REMEMBERED.clear()
        known = [_REMEMBERED[text] for text in texts]
        *columns, parts_of = zip(*known, strict=True) if known else [()] * _COLUMNS
        integers = [np.array(column, np.int64) for column in columns[:7]]
        counts = np.array([len(parts) for parts in parts_of], np.int64)
        parts = np.array([part for parts in parts_of for part in parts], np.int64)
        flags = [np.array(column, bool) for column in columns[7:]]
        described: list[Any] = [*integers, np.cumsum(counts) - counts, counts, parts, *flags]
        return cls(*described)


_Lexeme = tuple[Any, ...]
_COLUMNS = 18
_MAX_REMEMBERED = 300_000


class _Descriptions(dict[bytes, _Lexeme]):
    def __missing__(self, text: bytes) -> _Lexeme:
        described = _describe(text)
        if len(text) <= 60:
            self[text] = described
        return described


def _describe(text: bytes) -> _Lexeme:
    word = text.decode("utf-8", errors="replace")
    is_word = word[:1].isalpha() or word[:1] in ("_", "$")
    # The grammar of C has -1 as one token.
    minus = len(text) > 1 and text[:1] == b"-"
    number = _NUMBER.match(text, int(minus))
    is_number = number is not None
    quoted = text[:1] in (b"'", b'"', b"`") or text[-1:] in (b"'", b'"')
    value, small = _value(number.group()) if number is not None else (0, 0)
    parts = _parts(word, quoted)
    return (
        token_hash(text),
        OPERATORS.get(word, -1),
        KNOWN_FUNCTIONS.get(word, 0),
        small,
        value,
        {"true": 1, "True": 1, "false": 2, "False": 2, "endl": 3}.get(word, 0),
        int(minus and is_number),
        is_word,
        is_number,
        quoted,
        word in UPDATES,
        word in SWAPPED,
        word in READS,
        word in WRITES,
        word == "log",
        word in ("cin", "cout", "cerr"),
        word in PUNCTUATION,
        parts,
    )


_REMEMBERED = _Descriptions()


def _value(digits: bytes) -> tuple[int, int]:
    """A hash of a number's value, so that 1e3, 1000 and 1_000L are one; and a small whole number plus 1."""
    text = digits.replace(b"_", b"")
    try:
        number = float(int(text, 0) if text[:1] == b"0" and text[1:2] in b"xXbB" and len(text) > 2 else float(text))
    except (ValueError, OverflowError):
        return token_hash(text), 0
    whole = number == int(number) if abs(number) < 1e15 else False
    small = int(number) + 1 if whole and 0 <= number < _SMALL else 0
    return token_hash(repr(number).encode()), small


def _parts(word: str, quoted: bool) -> Sequence[int]:
    found = (_TEXT_PART if quoted else _PART).findall(word[:2000])
    return [token_hash(part.lower().encode()) for part in found[:_MAX_PARTS]]
