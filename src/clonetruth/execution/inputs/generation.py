"""Values for types: boundary values, constants of the code and their neighbours, and random values of many shapes.

Arguments of one call are related on purpose: the number that is searched is often in the list, the second text is
often a part or a permutation of the first, an index is often in range.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isqrt
from random import Random

from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.values import Value

_INTEGERS = (0, 1, 2, -1, 3, 5, 10, 7, 4, -5, 12, 100, 8, 6, 9, 13, 16, 17, 25, 121, 1000, -7, 153, 2024, 11, 99, 37)
_FLOATS = (0.0, 1.0, -1.0, 0.5, 2.5, 3.7, -2.25, 10.0, 100.125, 1e-3, 9.99, 1e6)
_TEXTS = (
    "", "a", "abc", "aba", "hello", "Hello World", "ab", "aa", "racecar", "12", "a1b2", "-42", "3.5", "  two  words ",
    "A man, a plan", "()", "([{}])", "(()", "1+2*3", "XIV", "0101", "aabbcc", "Zz", "x,y,z", "the quick brown fox",
    "listen", "silent", "\n", "é", "2024-02-29", "a.b.c", "user@example.com", "192.168.0.1", "A", "10", "abcabc",
)  # fmt: skip
_CHARACTERS = "aAzZ09 b.x-Bé"
_KEYS = ("a", "b", "c", "x", "key", "name", "id", "value")
_SPOKEN: Sequence[tuple[str, Sequence[str]]] = (
    (r"date|month|year|day|strptime",
     ("2024-02-29", "2023-12-31", "1999-01-01", "29/02/2024", "12/31/1999", "2023-2-30")),
    (r"time|hour|minute|second|clock|duration|3600",
     ("12:30:45", "00:00", "23:59:59", "1:05 PM", "12:00AM", "1h30m", "90s", "45m")),
    (r"e-?mail|@", ("user@example.com", "a.b@c.org", "no-at.com", "@x.y", "a@b", "x@y@z.com")),
    (r"url|http|domain", ("http://example.com/a?b=1", "https://www.x.org", "ftp://h/p", "example.com")),
    (r"\bip\b|ipv4|address|octet", ("192.168.0.1", "256.1.1.1", "1.2.3", "0.0.0.0", "255.255.255.255", "01.2.3.4")),
    (r"bracket|paren|balanc|[\"'][(\[{][\"']", ("()", "([{}])", "(()", "([)]", "{[]}()", ")(", "((a+b)*c)", "[", "")),
    (r"json|dict|parse", ('{"a": 1}', "[1, 2]", "{}", '{"a": {"b": [1]}}', "null")),
    (r"roman|[\"']M?CM[\"']|[\"']XL[\"']", ("XIV", "MCMXCIV", "IX", "III", "LVIII", "XL", "MMXXIV", "CD")),
    (r"binary|0b|\bbin\b|bits?\b", ("1010", "0", "1", "0b101", "1111", "10000000", "0011")),
    (r"hex|0x|colou?r|rgb", ("ff", "0x1A", "#ffcc00", "DEADBEEF", "7f", "#FFF")),
    (r"csv|comma|[\"'],[\"']", ("a,b,c", "1,2,3", ",", "x, y ,z", "a,,b")),
    (r"luhn|card|checksum|isbn|% 10\b", ("79927398713", "18", "0", "59", "4539148803436467", "91", "1234567", "80")),
    (r"phone|digit", ("555-1234", "(123) 456-7890", "1234567890", "12a34", "007")),
    (r"version|[\"']\.[\"']", ("1.2.3", "1.10", "1.0.0", "2", "0.1.01")),
    (r"path|folder|[\"']/[\"']", ("/a/b/c", "a/../b", "/", "//x//", "./x", "/home/user/file.txt")),
    (r"xml|html|tag", ("<a>b</a>", "<br/>", "<a><b></a></b>", "a < b", "&amp;")),
    (r"\bint\(|float\(|isdigit|isnumeric|parseInt|number|atoi|stoi",
     ("12", "-7", "3.5", "0", "1e3", "+5", "0042", " 8 ")),
    (r"expr|calc|token|operator|[\"'][+*][\"']",
     ("1+2*3", "3 4 +", "2 * (3 + 4)", "10 / 2", "7", "1 - 2 - 3", "+ 1 2")),
    (r"palindrom", ("racecar", "abba", "Abba", "A man a plan", "noon!", "abca")),
    (r"anagram|permut", ("listen", "silent", "aab", "aba", "abc", "cab")),
    (r"vowel|consonant|aeiou", ("education", "rhythm", "AEIOU", "Why", "sky")),
    (r"word|sentence|split|capital|title",
     ("the quick brown fox", "Hello, World! Hello", "one  two", " a b ", "it's a test")),
    (r"caesar|cipher|shift|encode|decode|rot", ("xyz", "Hello, World!", "AbZ", "attack at dawn")),
    (r"camel|snake|underscore", ("helloWorld", "HelloWorldTest", "snake_case_name", "_x", "HTTPServer", "a_B")),
    (r"rle|run.?length|compress|groupby", ("aaabbc", "a", "aabbaa", "3a2b1c", "wwwwaaadexxxxxx")),
)  # fmt: skip
"""Texts of a kind, and what in the code mentions it."""
_LONGEST = 10
_SMALL = 40
_FEW = 4
_GRAPH = "GraphNode"
"""The class of objects that may link to themselves."""

_NUMBER = re.compile(r"(?<![\w.])(\d+\.\d+|\d+)(?![\w.])")
_QUOTED = re.compile(r"\"((?:[^\"\\\n]|\\.){0,60})\"|'((?:[^'\\\n]|\\.){0,60})'")
_KEY = re.compile(r"\[\s*[\"'](\w+)[\"']\s*\]|\.(?:get|pop|setdefault|has_key)\(\s*[\"'](\w+)[\"']")
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
        written = [found for source in self.sources for found in _NUMBER.findall(source)]
        near = [int(one) + by for one in dict.fromkeys(written) if one.isdigit() and len(one) < 20 for by in (0, -1, 1)]
        return tuple(dict.fromkeys(one for one in near if one not in _INTEGERS))[:60]

    @cached_property
    def floats(self) -> tuple[float, ...]:
        """The numbers with a fraction, at most 20."""
        written = [found for source in self.sources for found in _NUMBER.findall(source)]
        return tuple(dict.fromkeys(float(one) for one in written if "." in one))[:20]

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Texts that are used as keys, at most 8."""
        found = [a or b for source in self.sources for a, b in _KEY.findall(source)]
        return tuple(dict.fromkeys(found))[:8]

    @cached_property
    def spoken(self) -> tuple[str, ...]:
        """Texts of the kinds that the code mentions, in turn, at most 40."""
        source = "\n".join(self.sources)
        kinds = [texts for pattern, texts in _SPOKEN if re.search(pattern, source, re.IGNORECASE)]
        mixed = itertools.chain.from_iterable(itertools.zip_longest(*kinds))
        return tuple(dict.fromkeys(one for one in mixed if one is not None))[:40]

    @cached_property
    def strings(self) -> tuple[str, ...]:
        """The texts, at most 40."""
        found = [a or b for source in self.sources for a, b in _QUOTED.findall(source)]
        plain = (re.sub(r"\\.", lambda one: _ESCAPES.get(one[0], one[0][1:]), text) for text in found)
        return tuple(dict.fromkeys(one for one in plain if one))[:40]


def generate(
    types: Sequence[InputType], constants: Constants, seed: int, *, only_small: bool = False
) -> Iterator[tuple[Value, ...]]:
    """Arguments without end, the most telling first: boundary values, then random ones.

    Args:
        types: of the parameters.
        constants: of the code.
        seed: the same seed gives the same arguments.
        only_small: no numbers above 40, for code that takes too long with larger ones.
    """
    maker = _Maker(constants, Random(f"{seed} {' '.join(map(str, types))}"), only_small)
    seen: set[str] = set()
    number = idle = 0
    while idle < 200:
        values = maker.arguments(types, number)
        number += 1
        key = repr(values)
        if key in seen:
            idle += 1
            continue
        idle = 0
        seen.add(key)
        yield values


class _Maker:
    def __init__(self, constants: Constants, random: Random, only_small: bool = False) -> None:
        self.constants, self.random, self.only_small = constants, random, only_small
        self.whole = [*_INTEGERS, *constants.integers]
        if only_small:
            self.whole = [one for one in self.whole if -1 <= one <= _SMALL]
        likely = [*constants.spoken, *constants.strings]
        # What the code mentions comes first, and in turn with texts of other kinds.
        mixed = itertools.chain.from_iterable(itertools.zip_longest(_TEXTS[:8], likely[:16]))
        self.texts = list(dict.fromkeys([*(one for one in mixed if one is not None), *likely, *_TEXTS]))
        if only_small:
            self.texts = [one for one in self.texts if len(one) <= _FEW]
        self.letters = sorted({one for text in constants.strings for one in text}) or list("abc")

    def arguments(self, types: Sequence[InputType], number: int) -> tuple[Value, ...]:
        """One call: boundary values in turn for the first calls, then mixtures."""
        if number < 2 * len(_TEXTS):
            values = [self.boundary(one, number if at == 0 else number * (2 * at + 1)) for at, one in enumerate(types)]
        else:
            values = [self.value(one) for one in types]
        if len(values) > 1 and number % 2:
            self.relate(types, values)
        return tuple(values)

    def relate(self, types: Sequence[InputType], values: list[Value]) -> None:
        """Let an argument be an element, an index, the length or a part of another."""
        random = self.random
        for at, kind in enumerate(types):
            other = random.randrange(len(types))
            if other == at or random.random() < 0.3:
                continue
            whole = values[other]
            elements = _elements(whole)
            if kind.kind == "int" and isinstance(whole, dict) and elements is not None:
                inside = [one for one in elements if isinstance(one, dict) and "int" in one]
                sizes = [len(elements), len(elements) - 1, len(elements) // 2, 0, 1]
                use_element = inside and types[other].kind != "str" and random.random() < 0.7
                values[at] = random.choice(inside) if use_element else _integer(random.choice(sizes), kind)
            elif kind.kind == "int" and isinstance(whole, str):
                values[at] = _integer(random.choice([len(whole), len(whole) - 1, len(whole) // 2, 1]), kind)
            elif kind.kind in ("str", "char") and elements and isinstance(elements[0], str):
                values[at] = random.choice(elements)
            elif kind.kind == "str" and isinstance(whole, str) and whole:
                values[at] = self.derived(whole)
            elif kind == types[other]:
                values[at] = self.changed(whole)

    def derived(self, text: str) -> str:
        """A text that has to do with another one."""
        random = self.random
        start = random.randrange(len(text))
        end = random.randint(start, len(text))
        shuffled = list(text)
        random.shuffle(shuffled)
        return random.choice(
            [text, text[start:end], text[:end], "".join(shuffled), text[::-1], text[0], text.swapcase()]
        )

    def changed(self, value: Value) -> Value:
        """The same value, or a list with the same elements in another order, or one fewer."""
        if isinstance(value, dict) and "list" in value and self.random.random() < 0.6:
            elements = list(value["list"])
            self.random.shuffle(elements)
            return {
                "list": elements[: self.random.randint(0, len(elements))] if self.random.random() < 0.4 else elements
            }
        return value

    def boundary(self, kind: InputType, number: int) -> Value:
        """The value number n of a type's list of telling values; a random one behind its end."""
        if kind.kind == "int":
            limits = _limits(kind.bits) if kind.bits and kind.signed else []
            values = [*_INTEGERS[:12], *self.constants.integers, *_INTEGERS[12:], *limits]
            if self.only_small:
                values = self.whole
            return _integer(values[number % len(values)], kind)
        if kind.kind == "float":
            values_f = [*_FLOATS, *self.constants.floats, *map(float, self.constants.integers)]
            return {"float": values_f[number % len(values_f)].hex()}
        if kind.kind == "str":
            return self.texts[number % len(self.texts)]
        if kind.kind == "bool":
            return number % 2 == 0
        if kind.kind in ("list", "iterator") and number < 3:
            return {kind.kind: [self.boundary(kind.inner[0], one) for one in range(number)]}
        if kind.optional and number % 8 == 7:
            return None
        return self.value(kind)

    def value(self, kind: InputType, depth: int = 0) -> Value:
        """A random value."""
        random = self.random
        if kind.optional and random.random() < (0.1 if depth == 0 else 0.4):
            return None
        make = getattr(self, f"_{kind.kind}", None)
        if make is None:
            raise ValueError(f"no values of the type {kind}")
        made: Value = make(kind, depth)
        return made

    def _int(self, kind: InputType, depth: int) -> Value:
        random, way = self.random, self.random.random()
        if way < 0.25:
            return _integer(random.choice(self.whole), kind)
        if self.only_small:
            return _integer(random.randint(0 if way < 0.9 else -3, 12 if way < 0.7 else _SMALL), kind)
        if way < 0.65 or depth:
            return _integer(random.randint(-4 if way < 0.4 else 0, 12), kind)
        if way < 0.9:
            return _integer(random.randint(-100, 300), kind)
        bits = min(kind.bits or 34, 34) - 1
        return _integer(random.randint(-(1 << bits), (1 << bits) - 1), kind)

    def _float(self, kind: InputType, depth: int) -> Value:
        way = self.random.random()
        if way < 0.3:
            return {"float": self.random.choice([*_FLOATS, *self.constants.floats]).hex()}
        if way < 0.6:
            return {"float": float(self.random.randint(-10, 20)).hex()}
        return {"float": round(self.random.uniform(-100, 200), self.random.randint(0, 3)).hex()}

    def _decimal(self, kind: InputType, depth: int) -> Value:
        return {"decimal": str(self.random.randint(-10_000, 10_000) / 100)}

    def _bool(self, kind: InputType, depth: int) -> Value:
        return self.random.random() < 0.5

    def _none(self, kind: InputType, depth: int) -> Value:
        return None

    def _char(self, kind: InputType, depth: int) -> Value:
        letters = self.letters if self.random.random() < 0.4 else list(_CHARACTERS)
        return {"char": self.random.choice(letters)}

    def _str(self, kind: InputType, depth: int) -> Value:
        random, way = self.random, self.random.random()
        if way < 0.45:
            return random.choice(self.texts)
        alphabet = random.choice(["ab", "abc", "abcdefghijklmnopqrstuvwxyz", "0123456789", "aA bB.1", "()[]{}", "01"])
        letters = self.letters if way < 0.6 else list(alphabet)
        if self.only_small:
            return "".join(random.choices(letters, k=random.randint(0, _FEW)))
        words = ["".join(random.choices(letters, k=random.randint(0, 6))) for _ in range(1 if way < 0.85 else 3)]
        return " ".join(words)

    def _bytes(self, kind: InputType, depth: int) -> Value:
        return {"bytes": self.random.randbytes(self.random.randint(0, 6)).hex()}

    def _list(self, kind: InputType, depth: int) -> Value:
        (inner,) = kind.inner
        random = self.random
        length = random.choice([0, 1, 2, 3, 3, 4, 5, 6, _LONGEST]) if depth == 0 else random.choice([0, 1, 2, 3])
        length = min(length, _FEW) if self.only_small else length
        if inner.kind == "list" and random.random() < 0.7:
            return {"list": self.matrix(inner, max(length, 1))}
        values = [self.value(inner, depth + 1) for _ in range(length)]
        way = random.random()
        if length > 1 and way < 0.25:
            values[random.randrange(length)] = values[random.randrange(length)]
        elif way < 0.5 and inner.kind in ("int", "float", "str", "char"):
            values.sort(key=sort_key, reverse=way < 0.32)
        return {"list": values}

    def matrix(self, row: InputType, rows: int) -> list[Value]:
        """Lists of the same length; often as many as they are long."""
        columns = rows if self.random.random() < 0.5 else self.random.randint(1, 4)
        rows = min(rows, 5)
        columns = min(columns, 5)
        return [{"list": [self.value(row.inner[0], 2) for _ in range(columns)]} for _ in range(rows)]

    def _iterator(self, kind: InputType, depth: int) -> Value:
        made = self._list(kind, depth)
        assert isinstance(made, dict)
        return {"iterator": made["list"]}

    def _tuple(self, kind: InputType, depth: int) -> Value:
        return {"tuple": [self.value(one, depth + 1) for one in kind.inner]}

    def _set(self, kind: InputType, depth: int) -> Value:
        values = [self.value(kind.inner[0], depth + 1) for _ in range(self.random.randint(0, 5))]
        return {"set": list({repr(one): one for one in values}.values())}

    def _map(self, kind: InputType, depth: int) -> Value:
        key, inner = kind.inner
        is_text = key.kind == "str"
        keys: list[Value] = [
            self.random.choice([*_KEYS, *self.constants.keys]) if is_text else self.value(key, depth + 1)
            for _ in range(self.random.randint(0, 4))
        ]
        if is_text and self.random.random() < 0.8:
            keys += self.constants.keys
        return {"map": [[one, self.value(inner, depth + 1)] for one in {repr(one): one for one in keys}.values()]}

    def _default(self, kind: InputType, depth: int) -> Value:
        return {"opaque": "default"}

    def _function(self, kind: InputType, depth: int) -> Value:
        count = self.random.choice([1, 2, 2, 3])
        results = [self.value(kind.inner[0], max(depth, 1)) for _ in range(count)]
        return {"function": [kind.kind, list({repr(one): one for one in results}.values())]}

    _procedure = _function

    def _any(self, kind: InputType, depth: int) -> Value:
        if self.constants.strings and self.random.random() < 0.3:
            return self.random.choice(self.constants.strings)
        kinds = ("int", "int", "str", "float", "float", "bool", "none")
        return self.value(InputType(self.random.choice(kinds)), depth)

    def _object(self, kind: InputType, depth: int) -> Value:
        links = [name for name, inner in kind.fields if inner.kind == "ref" or _is_many(inner)]
        size = self.random.choice([1, 2, 3, 4, 5, 7])
        return self.linked(kind, links, size)

    def several(self, kind: InputType, links: Sequence[str], size: int) -> list[Value]:
        """Objects of a kind, `size` of them together with those that they link to."""
        found: list[Value] = []
        while size > 0:
            share = self.random.randint(1, size)
            found.append(self.linked(kind, links, share))
            size -= share
        if kind.name == _GRAPH and self.random.random() < 0.25:
            found.append({"cycle": 2})
        return found

    def linked(self, kind: InputType, links: Sequence[str], size: int) -> Value:
        """An object and those that it links to, `size` of them together: a list with one link, a tree with two."""
        rest = size - 1
        shares: dict[str, int] = {}
        for at, link in enumerate(links):
            is_last = at == len(links) - 1
            # The link back of a list in two directions stays empty.
            backwards = link in ("prev", "previous", "parent", "random")
            shares[link] = 0 if backwards else rest if is_last else self.random.randint(0, rest)
            rest -= shares[link]
        fields: list[list[object]] = []
        for name, inner in kind.fields:
            if name in shares:
                linked: Value = self.linked(kind, links, shares[name]) if shares[name] else None
                if _is_many(inner):
                    linked = {"list": self.several(kind, links, shares[name])}
                fields.append([name, linked])
            else:
                # Lists in an object without links are as varied as those that are arguments.
                fields.append([name, self.value(inner, 0 if inner.inner and not links else 1)])
        return {"object": [kind.name, fields]}


def _limits(bits: int) -> list[int]:
    """The largest and smallest numbers, and those whose double, triple or square overflows."""
    room = 1 << (bits - 1)
    return [room - 1, -room, room // 2, 1 - room, isqrt(room) + 1, room // 3 + 1, -room // 2 - 1]


def _is_many(kind: InputType) -> bool:
    """Whether a field holds a list of objects of the same kind."""
    return kind.kind == "list" and kind.inner[0].kind == "ref"


def sort_key(value: Value) -> tuple[float, str]:
    """Orders numbers by size and texts by letters."""
    if isinstance(value, dict):
        ((kind, content),) = value.items()
        if kind == "int":
            return (float(min(max(int(content), -(10**300)), 10**300)), "")
        if kind == "float":
            return (float.fromhex(content), "")
        return (0.0, str(content))
    return (float(value), "") if isinstance(value, bool) else (0.0, str(value))


def _elements(value: Value) -> list[Value] | None:
    if isinstance(value, dict):
        for kind in ("list", "tuple", "set"):
            if kind in value:
                return list(value[kind])
    return None


def _integer(value: int, kind: InputType) -> Value:
    """A whole number, within the limits of its type."""
    if not kind.signed:
        value = abs(value)
    if kind.bits:
        limit = 1 << (kind.bits - (1 if kind.signed else 0))
        value = min(max(value, -limit if kind.signed else 0), limit - 1)
    return {"int": str(value)}
