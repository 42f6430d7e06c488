"""Numbers, texts and keys that are written in code."""

from __future__ import annotations

import itertools
import json
import re
from dataclasses import dataclass
from functools import cached_property
from math import isfinite

from clonetruth.execution.inputs.matching_texts import matching_texts
from clonetruth.execution.inputs.quick_random import QuickRandom
from clonetruth.execution.inputs.separated_texts import pieced_text, separated_texts
from clonetruth.execution.inputs.sized_texts import asked_sizes, sized_text
from clonetruth.execution.inputs.telling_values import FILES, INTEGERS, SPOKEN

_NUMBER = re.compile(
    r"(?<![\w.])(0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)"
    r"(?:[uU]?[lL]{0,2}|[nfFdDmM])(?![\w.])"
)
"""A number as languages write it: `10_000`, `0xff`, `1e9`, `100L`, `10n`."""
_DIVISOR = re.compile(r"[/%]=?\s*(\d{2,5})\b(?![.\w])")
_QUOTED = re.compile(r"\"((?:[^\"\\\n]|\\.){0,60})\"|'((?:[^'\\\n]|\\.){0,60})'")
_KEY = re.compile(r"\[\s*[\"'](\w+)[\"']\s*\]|\.(?:get|pop|setdefault|has_key)\(\s*[\"'](\w+)[\"']")
_ASKS_FOR_MAP = re.compile(r"isinstance\([^()]*(?:\([^()]*\)[^()]*)?\b(?:dict|Mapping|MutableMapping)\b")
_ASKS_FOR_LIST = re.compile(
    r"isinstance\([^()]*(?:\([^()]*\)[^()]*)?\b(?:list|tuple|Iterable|Sequence)\b|\bis_?list\s*\(|Array\.isArray\("
    r"|\btype\(\w+\)\s*(?:==|is|in)\s*\(?\s*(?:list|tuple)\b|instanceof\s+Array\b",
    re.IGNORECASE,
)
_ASKS_FOR_INFINITY = re.compile(
    r"\bis_?(?:nan|inf|finite|(?:positive|negative)?infin\w+)\b|\b(\w+) != \1\b", re.IGNORECASE
)
_BOXED = re.compile(
    r"\.\s*(?:get\w*|peek\w*|pop|next|poll)\s*\([^()]*\)\s*[!=]=\s*\w+\s*\.\s*\w+\s*\(|\bInteger\s+\w+\s*[,;=):]"
)
"""Objects of Java that hold a number, which `==` may compare."""
_STABLE_SORT = re.compile(r"\bstable_sort\b|\bsort\s*\.\s*(?:SliceStable|Stable)\b|\.\s*(?:OrderBy|ThenBy)\w*\s*\(")
_OTHER_SORT = re.compile(r"(?<![\w.])sort\s*\(|\bsort\s*\.\s*(?:Slice|Sort)\s*\(|\.\s*Sort\s*\(")
"""Of C++, Go and C#: elements that compare alike keep their order, or may lose it where there are more than a dozen."""
NOT_CACHED = 1000
"""A number of which Java makes a new object each time."""
_ESCAPED = re.compile(r"\\([^\w\s\"'\\])")
_LINES = re.compile(r"splitlines|read_?lines?\b|\blines\b|\\n[\"'/]", re.IGNORECASE)
_BRACKETS = (("[", "]"), ("(", ")"), ("{", "}"), ("<", ">"), ("{{", "}}"))
_PIECE, _MOST_PIECES, _PIECED = 3, 24, 16
_USUAL, _HUGE, _LARGEST = 300, 10**12, 10**19
_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\\\": "\\", '\\"': '"', "\\'": "'", "\\r": "\r", "\\0": "\0"}


@dataclass(frozen=True)
class Constants:
    """Numbers and texts that are written in the code.

    Attributes:
        sources: the pieces of code.
    """

    sources: tuple[str, ...]

    @cached_property
    def integers(self) -> tuple[int, ...]:
        """The whole numbers and their neighbours, at most 60."""
        near = [one + by for one in dict.fromkeys(self._whole) for by in (0, -1, 1)]
        # What divides again and again, such as 1024 or 60, has its next step at the square.
        steps = dict.fromkeys(int(one) for source in self.sources for one in _DIVISOR.findall(source))
        near += [one * one + by for one in steps for by in (-1, 0)]
        if self.compares_boxes:
            near.insert(0, NOT_CACHED)
        return tuple(dict.fromkeys(one for one in near if one not in INTEGERS))[:60]

    @cached_property
    def written(self) -> tuple[int, ...]:
        """The whole numbers as they are written, the largest first, at most 30."""
        return tuple(sorted(set(self._whole), reverse=True))[:30]

    @cached_property
    def limits(self) -> tuple[int, ...]:
        """Whole numbers that are larger than those that are usually tried."""
        return tuple(one for one in self.written if _USUAL < one < _HUGE)

    @cached_property
    def floats(self) -> tuple[float, ...]:
        """The numbers with a fraction, at most 20."""
        return tuple(dict.fromkeys(one for one in self._numbers if isinstance(one, float) and isfinite(one)))[:20]

    @cached_property
    def _numbers(self) -> tuple[int | float, ...]:
        """The numbers in the order in which they are written."""
        return tuple(_number(one) for source in self.sources for one in _NUMBER.findall(source))

    @property
    def _whole(self) -> list[int]:
        return [one for one in self._numbers if isinstance(one, int) and one < _LARGEST]

    @cached_property
    def compares_boxes(self) -> bool:
        """Whether the code may compare objects that hold numbers, and not the numbers."""
        return any(_BOXED.search(source) for source in self.sources)

    @cached_property
    def sorts_otherwise(self) -> bool:
        """Whether one side sorts so that equal elements keep their order, and the other may not."""
        ways = [(bool(_STABLE_SORT.search(one)), bool(_OTHER_SORT.search(one))) for one in self.sources]
        return (True, False) in ways and (False, True) in ways

    @cached_property
    def asks_for_infinity(self) -> bool:
        """Whether the code asks if a number is infinite, or none at all."""
        return any(_ASKS_FOR_INFINITY.search(source) for source in self.sources)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Texts that are used as keys, at most 8."""
        found = [a or b for source in self.sources for a, b in _KEY.findall(source)]
        return tuple(dict.fromkeys(found))[:8]

    @cached_property
    def spoken(self) -> tuple[str, ...]:
        """Texts of the kinds that the code mentions, in turn, at most 40."""
        source = "\n".join(self.sources)
        kinds = [texts for pattern, texts in SPOKEN if re.search(pattern, source, re.IGNORECASE)]
        mixed = itertools.chain.from_iterable(itertools.zip_longest(*kinds))
        return tuple(dict.fromkeys(one for one in mixed if one is not None))[:40]

    @cached_property
    def matching(self) -> tuple[str, ...]:
        """Texts that the code reads: with its regular expressions, as JSON with its keys, with separators that it
        mentions, or of a length that it asks for; in turn, at most 60."""
        keyed: list[str] = []
        if self.keys and any("json" in source.lower() for source in self.sources):
            for number in range(2 * len(self.keys)):
                used = [one for at, one in enumerate(self.keys) if number == 0 or at != number - 1]
                keyed.append(json.dumps({one: (number + at, str(at))[at % 2] for at, one in enumerate(used)}))
        random = QuickRandom("\0".join(self.pieces))
        pieced = [pieced_text(random, self.pieces, self.lines) for _ in range(_PIECED if self.pieces else 0)]
        sized = [sized_text(random, self.sizes) for _ in range(_PIECED if self.sizes else 0)]
        ways = (matching_texts(self.sources), keyed, separated_texts(self.strings, self.integers), pieced, sized)
        mixed = itertools.chain.from_iterable(itertools.zip_longest(*ways))
        return tuple(dict.fromkeys(one for one in mixed if one is not None))[:60]

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Lengths with which the code compares that of a value."""
        return asked_sizes(self.sources)

    @cached_property
    def nests(self) -> bool:
        """Whether the code asks if a value of a dictionary is one, too."""
        return any(_ASKS_FOR_MAP.search(source) for source in self.sources)

    @cached_property
    def asks_for_list(self) -> bool:
        """Whether the code asks if a value is a list."""
        return any(_ASKS_FOR_LIST.search(source) for source in self.sources)

    @cached_property
    def asks_for_tuple(self) -> bool:
        """Whether the code asks if a value is a list, and knows tuples."""
        return self.asks_for_list and any(re.search(r"\btuple\b", source) for source in self.sources)

    @cached_property
    def names_files(self) -> bool:
        """Whether the code opens files, or looks at folders."""
        return any(re.search(FILES, source) for source in self.sources)

    @cached_property
    def strings(self) -> tuple[str, ...]:
        """The texts, at most 40."""
        found = [a or b for source in self.sources for a, b in _QUOTED.findall(source)]
        plain = (re.sub(r"\\.", lambda one: _ESCAPES.get(one[0], one[0][1:]), text) for text in found)
        # A character of zero ends texts of C, and is in none.
        return tuple(dict.fromkeys(one for one in plain if one and "\0" not in one))[:40]

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        """Short texts and signs that the code looks for, and words in its brackets, at most 24."""
        signs = (sign for source in self.sources for sign in _ESCAPED.findall(source))
        found = dict.fromkeys([*(one for one in self.strings if len(one) <= _PIECE), *signs])
        around = [f"{one}a{other}" for one, other in _BRACKETS if {one, other} <= found.keys()]
        return tuple([*around, *found][:_MOST_PIECES])

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Lines of a text that the code may read line by line; empty if it does not."""
        if not any(_LINES.search(source) for source in self.sources):
            return ()
        return (*(one for one in self.pieces if one[1:-1] == "a"), *self.spoken, "")


def _number(written: str) -> int | float:
    written = written.replace("_", "")
    if written[:2].lower() in ("0x", "0b", "0o"):
        return int(written[2:], {"x": 16, "b": 2, "o": 8}[written[1].lower()])
    if written.isdigit():
        return int(written)
    number = float(written)
    # `1e9` is mostly a whole number.
    return int(number) if "." not in written and number.is_integer() else number
