"""Values for types: boundary values, constants of the code and their neighbours, and random values of many shapes.

Arguments of one call are related on purpose: the number that is searched is often in the list, the second text is
often a part or a permutation of the first, an index is often in range.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isqrt
from random import Random

from clonetruth.execution.inputs.constants import NOT_CACHED, Constants
from clonetruth.execution.inputs.library_values import LIBRARY_KINDS, random_value, telling_value
from clonetruth.execution.inputs.objects import asks_for_relation, related_arguments
from clonetruth.execution.inputs.quick_random import QuickRandom
from clonetruth.execution.inputs.relations import ArgumentRelations, is_call, whole_number
from clonetruth.execution.inputs.separated_texts import pieced_text
from clonetruth.execution.inputs.sized_texts import sized_text
from clonetruth.execution.inputs.telling_values import (
    CHARACTERS,
    DECIMALS,
    FILE_NAMES,
    FLOATS,
    INTEGER_LISTS,
    INTEGERS,
    KEYS,
    TEXTS,
    UNUSUAL_FLOATS,
)
from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.values import COMPARING, LEFT_OUT, Value, value_key

_KEPT = 8
"""Pieces of code whose telling values are remembered."""
_LONGEST = 10
_SORTED_AT_ONCE, _MANY = 0.15, (17, 40)
"""How many lists are so long that sorting may change the order of equal elements, and their lengths."""
_EXTREMES = 4
_NAMED = 6
_ORDINARY = (3, 10)
"""Numbers that are not a power of two, so that a remainder of a number at a limit is not 0."""
_SQUARED = 2
_DEEPEST, _NESTED = 3, 0.6
"""How deep maps are in maps where code asks for them, and how many of the values are."""
_PIECED, _SIZED = 0.25, 0.3
_AGAIN = 0.5
"""How often a method is called again at once."""
_SMALL = 40
_BELOW = 0.06
"""How many lists have no number above zero."""
_FEW = 4
_APART = (11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53)
"""Values of constants: no sums of each other, nor usual values of arguments."""
_ALIKE = 0.15
"""How many of the objects that link to others have few different numbers."""
_GRAPH = "GraphNode"
"""The class of objects that may link to themselves."""


def generate(
    types: Sequence[InputType],
    constants: Constants,
    seed: int,
    *,
    only_small: bool = False,
    names: Mapping[int, str] | None = None,
) -> Iterator[tuple[Value, ...]]:
    """Arguments without end, the most telling first: boundary values, then random ones.

    Args:
        types: of the parameters.
        constants: of the code.
        seed: the same seed gives the same arguments.
        only_small: no numbers above 40, for code that takes too long with larger ones.
        names: arguments that have nothing to do with the others, by their place. In capital letters, they are constants
            of the file around the code: mostly, no two of them are equal.
    """
    maker = _Maker(constants, QuickRandom(f"{seed} {' '.join(map(str, types))}"), only_small)
    maker.names = names or {}
    maker.shares = asks_for_relation(types)
    seen: set[bytes] = set()
    number = idle = 0
    while idle < 200:
        values = maker.arguments(types, number)
        number += 1
        key = value_key(values)
        if key in seen:
            idle += 1
            continue
        idle = 0
        seen.add(key)
        yield values


@dataclass(frozen=True)
class _Telling:
    """Values that the code mentions, and those that tell much of any code.

    Attributes:
        whole: whole numbers.
        mixed: the same, those of the code among the others.
        floats: numbers with a fraction, and the whole numbers of the code.
        drawn_floats: only the former.
        texts: texts.
        letters: characters of the code's texts.
    """

    whole: Sequence[int]
    mixed: Sequence[int]
    floats: Sequence[float]
    drawn_floats: Sequence[float]
    texts: Sequence[str]
    letters: Sequence[str]


@lru_cache(_KEPT)
def _telling(constants: Constants, only_small: bool) -> _Telling:
    """Those of a piece of code, whose arguments are often tried with many types."""
    whole = [*INTEGERS, *constants.integers]
    if only_small:
        whole = [one for one in whole if -1 <= one <= _SMALL]
    in_turn = itertools.chain.from_iterable(itertools.zip_longest(constants.matching, constants.spoken))
    unusual = UNUSUAL_FLOATS if constants.asks_for_infinity else ()
    likely = [*(one for one in in_turn if one is not None), *constants.strings]
    # What the code mentions comes first, and in turn with texts of other kinds.
    mixed = itertools.chain.from_iterable(itertools.zip_longest(TEXTS[:8], likely[:16]))
    texts = list(dict.fromkeys([*(one for one in mixed if one is not None), *likely, *TEXTS]))
    return _Telling(
        whole=whole,
        mixed=[*INTEGERS[:12], *constants.integers, *INTEGERS[12:]],
        floats=[*FLOATS[:3], *unusual, *FLOATS[3:], *constants.floats, *map(float, constants.integers)],
        drawn_floats=[*FLOATS, *unusual, *constants.floats],
        texts=[one for one in texts if len(one) <= _FEW] if only_small else texts,
        letters=sorted({one for text in constants.strings for one in text}) or list("abc"),
    )


class _Maker:
    def __init__(self, constants: Constants, random: Random, only_small: bool = False) -> None:
        self.constants, self.random, self.only_small = constants, random, only_small
        self.relations = ArgumentRelations(constants, random)
        self.names: Mapping[int, str] = {}
        self.shares = True
        self.telling = _telling(constants, only_small)

    def arguments(self, types: Sequence[InputType], number: int) -> tuple[Value, ...]:
        """One call: boundary values in turn for the first calls, then mixtures; of types that ask for it, arguments
        that share objects."""
        shared = related_arguments(types, self, self.random) if self.shares and number % 4 else None
        if shared is not None:
            return shared
        if number < 2 * len(TEXTS):
            values = [self.boundary(one, number if at == 0 else number * (2 * at + 1)) for at, one in enumerate(types)]
        else:
            values = [self.value(one) for one in types]
            rest = number - 2 * len(TEXTS)
            is_free = rest % 2 == 0 and not self.only_small
            if is_free and (self.combine(types, values, rest // 2) or self.squares(types, values, rest // 2)):
                return self.named(types, values, number)
        if len(values) > 1 and number % 2:
            self.relations.relate(types, values, self.names)
        if any(map(is_call, types)):
            self.relations.repeat(types, values)
        return self.named(types, values, number)

    def named(self, types: Sequence[InputType], values: list[Value], number: int) -> tuple[Value, ...]:
        """Give constants values that tell them apart, in three of four calls."""
        if number % 4 != 3:
            for turn, (at, name) in enumerate(self.names.items()):
                if not name.isupper():
                    continue
                if types[at].kind == "int":
                    values[at] = whole_number(_APART[turn % len(_APART)], types[at])
                elif types[at].kind == "str":
                    values[at] = name
        return tuple(values)

    def combine(self, types: Sequence[InputType], values: list[Value], number: int) -> bool:
        """Let one whole number be at a limit of its type and the others constants of the code, or ordinary numbers if
        it has none; False behind the end."""
        places = [at for at, kind in enumerate(types) if kind.kind == "int" and kind.bits and kind.signed]
        places = [at for at in places if at not in self.names]
        named = self.constants.written[:_NAMED] or _ORDINARY
        if len(places) < 2 or number >= _EXTREMES * len(named) * len(places):
            return False
        number, extreme = divmod(number, _EXTREMES)
        turn, which = divmod(number, len(named))
        for at in places:
            value = _limits(types[at].bits)[extreme] if at == places[turn] else named[which]
            values[at] = whole_number(value, types[at])
        return True

    def squares(self, types: Sequence[InputType], values: list[Value], number: int) -> bool:
        """Let every other floating-point number be a constant of the code and the next one its square, as equations
        ask for that can be solved by hand; False behind the end."""
        places = [at for at, kind in enumerate(types) if kind.kind == "float"]
        named = [one for one in dict.fromkeys(self.constants.floats) if one][:_NAMED]
        firsts = places[: _SQUARED * 2 : 2]
        if len(places) < 2 or number >= len(named) ** len(firsts):
            return False
        for at, place in enumerate(firsts):
            number, which = divmod(number, len(named))
            values[place] = {"float": named[which].hex()}
            if 2 * at + 1 < len(places):
                values[places[2 * at + 1]] = {"float": (named[which] ** 2).hex()}
        return True

    def boundary(self, kind: InputType, number: int) -> Value:
        """The value number n of a type's list of telling values; a random one behind its end."""
        if kind.optional and number % 8 == 7:
            return None
        if kind.kind == "int":
            limits = _limits(kind.bits, kind.signed) if kind.bits and not self.only_small else []
            values = self.telling.whole if self.only_small else self.telling.mixed
            at = number % (len(values) + len(limits))
            return whole_number(values[at] if at < len(values) else limits[at - len(values)], kind)
        if kind.kind == "float":
            return {"float": self.telling.floats[number % len(self.telling.floats)].hex()}
        if kind.kind == "str":
            return self.telling.texts[number % len(self.telling.texts)]
        if kind.kind == "bool":
            return number % 2 == 0
        if kind.kind == "decimal":
            return {"decimal": DECIMALS[number % len(DECIMALS)]}
        if kind.kind == "union":
            turn, which = divmod(number, len(kind.inner))
            return self.boundary(kind.inner[which], turn)
        if kind.kind in LIBRARY_KINDS:
            return telling_value(kind, number)
        if kind.kind in ("list", "iterator") and number < 3:
            return {kind.kind: [self.boundary(kind.inner[0], one) for one in range(number)]}
        if kind.kind in ("list", "iterator") and kind.inner[0].kind == "int" and not self.only_small:
            # In turn with random ones, since all of them are short.
            turn, is_random = divmod(number - 3, 2)
            lists = _short_lists(kind.inner[0])
            if not is_random and turn < len(lists):
                return {kind.kind: [whole_number(one, kind.inner[0]) for one in lists[turn]]}
        if kind.kind == "map":
            # Code that asks for a key mostly needs it.
            return self._map(kind, 0, named=number % 4 != 3)
        return self.value(kind)

    def value(self, kind: InputType, depth: int = 0) -> Value:
        """A random value."""
        random = self.random
        if kind.optional and random.random() < (0.1 if depth == 0 else 0.4 if kind.kind in ("ref", "object") else 0.15):
            return None
        if kind.kind in LIBRARY_KINDS:
            return random_value(kind, random)
        make = getattr(self, f"_{kind.kind}", None)
        if make is None:
            raise ValueError(f"no values of the type {kind}")
        made: Value = make(kind, depth)
        return made

    def _int(self, kind: InputType, depth: int) -> Value:
        random, way = self.random, self.random.random()
        if depth and way < 0.15 and self.constants.written:
            return whole_number(random.choice(self.constants.written), kind)
        if way < 0.25:
            return whole_number(random.choice(self.telling.whole), kind)
        if self.only_small:
            return whole_number(random.randint(0 if way < 0.9 else -3, 12 if way < 0.7 else _SMALL), kind)
        if way < 0.65 or depth:
            return whole_number(random.randint(-4 if way < 0.4 else 0, 12), kind)
        if way < 0.8 and self.constants.limits:
            return whole_number(self._scaled(), kind)
        if way < 0.9:
            return whole_number(random.randint(-100, 300), kind)
        bits = min(kind.bits or 34, 34) - 1
        return whole_number(random.randint(-(1 << bits), (1 << bits) - 1), kind)

    def _scaled(self) -> int:
        """A number of the size of those that the code compares with: between two limits of a table of taxes."""
        return self.random.randint(0, 2 * self.random.choice(self.constants.limits))

    def _float(self, kind: InputType, depth: int) -> Value:
        way = self.random.random()
        if way > 0.85 and self.constants.limits and not self.only_small:
            return {"float": (self._scaled() / 100).hex() if way < 0.9 else round(self._scaled() + way, 2).hex()}
        if way < 0.3:
            return {"float": self.random.choice(self.telling.drawn_floats).hex()}
        if way < 0.6:
            return {"float": float(self.random.randint(-10, 20)).hex()}
        return {"float": round(self.random.uniform(-100, 200), self.random.randint(0, 3)).hex()}

    def _decimal(self, kind: InputType, depth: int) -> Value:
        if self.random.random() < 0.3:
            return {"decimal": self.random.choice(DECIMALS)}
        digits = self.random.choice((0, 1, 2, 2, 3))
        return {"decimal": f"{self.random.randint(-10_000, 10_000) / 10**digits:.{digits}f}"}

    def _bool(self, kind: InputType, depth: int) -> Value:
        return self.random.random() < 0.5

    def _none(self, kind: InputType, depth: int) -> Value:
        return None

    def _char(self, kind: InputType, depth: int) -> Value:
        letters = self.telling.letters if self.random.random() < 0.4 else CHARACTERS
        one = self.random.choice(letters)
        if letters is not CHARACTERS and one.isascii() and self.random.random() < 0.5:
            # Between letters of the code, or next to one: those of a range, and those that just miss it.
            ends = sorted((ord(one), ord(self.random.choice([other for other in letters if other.isascii()]))))
            one = chr(self.random.randint(max(ends[0] - 1, ord(" ")), max(ends[1] + 1, ord(" "))))
        return {"char": one}

    def _str(self, kind: InputType, depth: int) -> Value:
        random, way = self.random, self.random.random()
        if self.constants.names_files and random.random() < 0.5:
            return random.choice(FILE_NAMES)
        if self.constants.sizes and random.random() < _SIZED:
            return sized_text(random, self.constants.sizes)
        if self.constants.pieces and not self.only_small and random.random() < _PIECED:
            return pieced_text(random, self.constants.pieces, self.constants.lines)
        if way < 0.45:
            return random.choice(self.telling.texts)
        alphabet = random.choice(["ab", "abc", "abcdefghijklmnopqrstuvwxyz", "0123456789", "aA bB.1", "()[]{}", "01"])
        letters = self.telling.letters if way < 0.6 else list(alphabet)
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
        if depth == 0 and is_call(kind):
            return {"list": self.calls(inner)}
        if depth == 0 and self.constants.sorts_otherwise and random.random() < _SORTED_AT_ONCE:
            length = random.randint(*_MANY)
        length = min(length, _FEW) if self.only_small else length
        if inner.kind == "list" and depth == 0 and self.constants.asks_for_list and random.random() < 0.4:
            return {"list": [self.nested(inner.inner[0]) for _ in range(length)]}
        if inner.kind == "list" and random.random() < 0.7:
            return {"list": self.matrix(inner, max(length, 1))}
        values = [self.value(inner, depth + 1) for _ in range(length)]
        if inner.kind == "int" and depth == 0 and inner.signed and random.random() < _BELOW:
            values = [whole_number(-abs(int(one["int"])), inner) if isinstance(one, dict) else one for one in values]
        if length > 2 and random.random() < 0.15:
            # Few different elements, so that counts, runs and ties occur.
            least = NOT_CACHED if self.constants.compares_boxes and random.random() < 0.5 else 0
            kinds: list[Value] = (
                [whole_number(least, inner), whole_number(least + 1, inner)] if inner.kind == "int" else values[:2]
            )
            values = random.choices(values[:2] if random.random() < 0.5 else kinds, k=length)
        if inner.kind in ("object", "record") and length > 1 and random.random() < 0.5:
            self.share_fields(values)
        way = random.random()
        if length > 1 and way < 0.25:
            values[random.randrange(length)] = values[random.randrange(length)]
        elif way < 0.5 and inner.kind in ("int", "float", "str", "char"):
            values.sort(key=sort_key, reverse=way < 0.32)
        return {"list": values}

    def calls(self, methods: InputType) -> list[Value]:
        """Calls of methods: what happened before matters, and so does that nothing did. The same method often comes
        several times in a row, as a heap is filled before it is emptied."""
        random = self.random
        length = random.choice([0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 7])
        made: list[Value] = []
        method = methods
        for _ in range(min(length, _FEW) if self.only_small else length):
            method = method if made and random.random() < _AGAIN else random.choice(methods.inner)
            made.append(self.value(method, 1))
        return made

    def share_fields(self, values: Sequence[Value]) -> None:
        """Let objects often have plain fields of the first one, so that some belong together."""
        first = {str(name): one for name, one in _fields_of(values[0])}
        for one in values[1:]:
            for field in _fields_of(one):
                if _is_plain(first.get(str(field[0]))) and self.random.random() < 0.5:
                    field[1] = first[str(field[0])]

    def nested(self, leaf: InputType, depth: int = 0) -> Value:
        """An element of a list that may be a list itself."""
        if depth >= _DEEPEST or self.random.random() < 0.5:
            return self.value(leaf, 2)
        kind = "tuple" if self.constants.asks_for_tuple and self.random.random() < 0.5 else "list"
        return {kind: [self.nested(leaf, depth + 1) for _ in range(self.random.randint(0, 3))]}

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

    def _union(self, kind: InputType, depth: int) -> Value:
        return self.value(self.random.choice(kind.inner), depth)

    def _record(self, kind: InputType, depth: int) -> Value:
        values = [(name, self.value(inner, max(depth, 1))) for name, inner in kind.fields]
        return {"map": [[name, one] for name, one in values if one != LEFT_OUT]}

    def _set(self, kind: InputType, depth: int) -> Value:
        values = [self.value(kind.inner[0], depth + 1) for _ in range(self.random.randint(0, 5))]
        return {"set": list({value_key(one): one for one in values}.values())}

    def _map(self, kind: InputType, depth: int, named: bool = False) -> Value:
        key, inner = kind.inner
        is_text = key.kind == "str"
        keys: list[Value] = [
            self.random.choice([*KEYS, *self.constants.keys]) if is_text else self.value(key, depth + 1)
            for _ in range(self.random.randint(0, 4))
        ]
        if is_text and (self.random.random() < 0.8 or named):
            keys += self.constants.keys
        nests = self.constants.nests and depth < _DEEPEST and inner.kind in ("int", "any")
        if nests and depth:
            keys = list(self.random.sample(KEYS[:3], self.random.randint(0, 3)))
        made: list[list[Value]] = []
        for one in {value_key(one): one for one in keys}.values():
            is_map = nests and self.random.random() < _NESTED
            made.append([one, self._map(kind, depth + 1) if is_map else self.value(inner, depth + 1)])
        return {"map": made}

    def _default(self, kind: InputType, depth: int) -> Value:
        return LEFT_OUT

    def _function(self, kind: InputType, depth: int) -> Value:
        role = kind.inner[-1].name
        if role in COMPARING:
            return {"function": [role, [] if role == "equality" else [self.random.random() < 0.5]]}
        if kind.inner[0].kind == "none":
            return {"function": [kind.kind, []]}
        count = self.random.choice([1, 2, 2, 3])
        results = [self.value(kind.inner[0], max(depth, 1)) for _ in range(count)]
        return {"function": [kind.kind, list({value_key(one): one for one in results}.values())]}

    _procedure = _function

    def _any(self, kind: InputType, depth: int) -> Value:
        if self.constants.strings and self.random.random() < 0.3:
            return self.random.choice(self.constants.strings)
        kinds = ("int", "int", "str", "float", "float", "bool", "none")
        return self.value(InputType(self.random.choice(kinds)), depth)

    def _object(self, kind: InputType, depth: int) -> Value:
        links = [name for name, inner in kind.fields if inner.kind == "ref" or _is_many(inner)]
        size = self.random.choice([1, 2, 3, 4, 5, 7])
        made = self.linked(kind, links, size)
        if links and size > 1 and self.random.random() < _ALIKE:
            # Few different numbers, so that equal ones follow each other.
            _with_few_numbers(made, self.random)
        return made

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
                    linked = {inner.kind: self.several(kind, links, shares[name])}
                fields.append([name, linked])
            else:
                # Lists in an object without links are as varied as those that are arguments.
                fields.append([name, self.value(inner, 0 if inner.inner and not links else 1)])
        return {"object": [kind.name, [one for one in fields if one[1] != LEFT_OUT]]}


def _limits(bits: int, signed: bool = True) -> list[int]:
    """The largest and smallest numbers, and numbers whose double, triple or square overflows."""
    if not signed:
        return [(1 << bits) - 1, 1 << (bits - 1), (1 << (bits - 1)) - 1, 1 << (bits // 2)]
    room = 1 << (bits - 1)
    return [room - 1, -room, room // 2, isqrt(room) + 1, 1 - room, room // 3 + 1, -room // 2 - 1]


def _short_lists(kind: InputType) -> Sequence[Sequence[int]]:
    """Short lists of whole numbers, also of some whose sum or difference is not one of their type."""
    if not kind.bits:
        return INTEGER_LISTS
    most, least = _limits(kind.bits, kind.signed)[:2]
    return *INTEGER_LISTS[:4], (1, most, -2), (most, most, 2), (least, least), *INTEGER_LISTS[4:]


def _with_few_numbers(made: Value, random: Random) -> None:
    """Give an object, and those that it links to, numbers from 1 to 2."""
    for field in _fields_of(made):
        if isinstance(field[1], dict):
            if "int" in field[1]:
                field[1] = {"int": str(random.randint(1, 2))}
            _with_few_numbers(field[1], random)


def _fields_of(value: Value) -> Sequence[list[Value]]:
    """The names and values of an object, or of a map."""
    if not isinstance(value, dict):
        return ()
    found: Sequence[list[Value]] = value["object"][1] if "object" in value else value.get("map", ())
    return found


def _is_plain(value: Value) -> bool:
    """Whether a value is a text or a number."""
    return isinstance(value, str) or (isinstance(value, dict) and not {"int", "float"}.isdisjoint(value))


def _is_many(kind: InputType) -> bool:
    """Whether a field holds a list or set of objects of the same kind."""
    return kind.kind in ("list", "set") and kind.inner[0].kind == "ref"


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
