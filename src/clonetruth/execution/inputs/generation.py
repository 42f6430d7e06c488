"""Values for types: boundary values, constants of the code and their neighbours, and random values of many shapes.

Arguments of one call are related on purpose: the number that is searched is often in the list, the second text is
often a part or a permutation of the first, an index is often in range.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from math import isqrt
from random import Random

from clonetruth.execution.inputs.constants import Constants
from clonetruth.execution.inputs.neighbours import larger
from clonetruth.execution.inputs.objects import asks_for_relation, related_arguments
from clonetruth.execution.inputs.quick_random import QuickRandom
from clonetruth.execution.inputs.telling_values import CHARACTERS, FILE_NAMES, FLOATS, INTEGERS, KEYS, TEXTS
from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.values import Value

_LONGEST = 10
_EXTREMES = 4
_NAMED = 6
_SQUARED = 2
_SMALL = 40
_FEW = 4
_GRAPH = "GraphNode"
"""The class of objects that may link to themselves."""


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
    maker = _Maker(constants, QuickRandom(f"{seed} {' '.join(map(str, types))}"), only_small)
    maker.shares = asks_for_relation(types)
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
        self.shares = True
        self.whole = [*INTEGERS, *constants.integers]
        if only_small:
            self.whole = [one for one in self.whole if -1 <= one <= _SMALL]
        likely = [*constants.spoken, *constants.strings]
        # What the code mentions comes first, and in turn with texts of other kinds.
        mixed = itertools.chain.from_iterable(itertools.zip_longest(TEXTS[:8], likely[:16]))
        self.texts = list(dict.fromkeys([*(one for one in mixed if one is not None), *likely, *TEXTS]))
        if only_small:
            self.texts = [one for one in self.texts if len(one) <= _FEW]
        self.letters = sorted({one for text in constants.strings for one in text}) or list("abc")

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
                return tuple(values)
        if len(values) > 1 and number % 2:
            self.relate(types, values)
        return tuple(values)

    def combine(self, types: Sequence[InputType], values: list[Value], number: int) -> bool:
        """Let one whole number be at a limit of its type and the others constants of the code; False behind the end."""
        places = [at for at, kind in enumerate(types) if kind.kind == "int" and kind.bits and kind.signed]
        named = self.constants.written[:_NAMED]
        if len(places) < 2 or number >= _EXTREMES * len(named) * len(places):
            return False
        number, extreme = divmod(number, _EXTREMES)
        turn, which = divmod(number, len(named))
        for at in places:
            value = _limits(types[at].bits)[extreme] if at == places[turn] else named[which]
            values[at] = _integer(value, types[at])
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

    def relate(self, types: Sequence[InputType], values: list[Value]) -> None:
        """Let an argument be an element, an index, the length or a part of another; two numbers the ends of a part."""
        random = self.random
        if self.adjacent(types, values) or self.sized(types, values) or self.bound(types, values):
            return
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

    def adjacent(self, types: Sequence[InputType], values: list[Value]) -> bool:
        """Let a list of lists of whole numbers say for each node of a graph which nodes it leads to, and the other
        whole numbers be nodes of it."""
        random = self.random
        lists = [at for at, one in enumerate(types) if str(one).startswith("list[list[int")]
        numbers = [at for at, one in enumerate(types) if one.kind == "int"]
        if len(lists) != 1 or not numbers or random.random() < 0.6:
            return False
        nodes = random.randint(1, 5)
        row = types[lists[0]].inner[0]
        degree = random.choice([1, 2, 2, 3])
        values[lists[0]] = {
            "list": [
                {"list": [_integer(one, row.inner[0]) for one in random.sample(range(nodes), min(degree, nodes))]}
                for _ in range(nodes)
            ]
        }
        for at in numbers:
            values[at] = _integer(random.randrange(nodes), types[at])
        return True

    def sized(self, types: Sequence[InputType], values: list[Value]) -> bool:
        """Let the whole numbers behind lists be their lengths, as code that was written for arrays takes them; the
        second of two lists is then often the first in another order, or with one other element."""
        random = self.random
        lists = [at for at, kind in enumerate(types) if kind.kind == "list"]
        numbers = [at for at, kind in enumerate(types) if kind.kind == "int" and lists and at > lists[0]]
        if not numbers or random.random() < 0.6:
            return False
        for one, other in itertools.pairwise(lists):
            if types[one] == types[other] and random.random() < 0.5:
                values[other] = self.changed(values[one])
        lengths = [len(_elements(values[at]) or ()) for at in lists]
        # Two lists with two lengths, one list with its length, or one number for all.
        for at, length in zip(numbers, lengths, strict=False):
            values[at] = _integer(length, types[at])
        return True

    def bound(self, types: Sequence[InputType], values: list[Value]) -> bool:
        """Let two whole numbers next to each other be the first and last index of a list, or of a part of it."""
        random = self.random
        lists = [len(found) for one in values if isinstance(one, dict) and (found := _elements(one))]
        pairs = [at for at in range(len(types) - 1) if types[at].kind == types[at + 1].kind == "int"]
        if not lists or not pairs or random.random() < 0.6:
            return False
        last, at = lists[0] - 1, random.choice(pairs)
        ends = sorted((random.randint(0, last), random.randint(0, last))) if random.random() < 0.4 else [0, last]
        values[at], values[at + 1] = (_integer(one, kind) for one, kind in zip(ends, types[at:], strict=False))
        return True

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
        """The same value, or a list with the same elements in another order, or fewer, or with one other element."""
        if isinstance(value, dict) and "list" in value and self.random.random() < 0.6:
            elements = list(value["list"])
            if elements and self.random.random() < 0.3:
                other = next(larger(self.random.choice(elements), self.constants), None)
                elements[self.random.randrange(len(elements))] = other
                return {"list": elements}
            self.random.shuffle(elements)
            return {
                "list": elements[: self.random.randint(0, len(elements))] if self.random.random() < 0.4 else elements
            }
        return value

    def boundary(self, kind: InputType, number: int) -> Value:
        """The value number n of a type's list of telling values; a random one behind its end."""
        if kind.kind == "int":
            limits = _limits(kind.bits) if kind.bits and kind.signed else []
            values = [*INTEGERS[:12], *self.constants.integers, *INTEGERS[12:], *limits]
            if self.only_small:
                values = self.whole
            return _integer(values[number % len(values)], kind)
        if kind.kind == "float":
            values_f = [*FLOATS, *self.constants.floats, *map(float, self.constants.integers)]
            return {"float": values_f[number % len(values_f)].hex()}
        if kind.kind == "str":
            return self.texts[number % len(self.texts)]
        if kind.kind == "bool":
            return number % 2 == 0
        if kind.kind in ("list", "iterator") and number < 3:
            return {kind.kind: [self.boundary(kind.inner[0], one) for one in range(number)]}
        if kind.optional and number % 8 == 7:
            return None
        if kind.kind == "map":
            # Code that asks for a key mostly needs it.
            return self._map(kind, 0, named=number % 4 != 3)
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
        if depth and way < 0.15 and self.constants.written:
            return _integer(random.choice(self.constants.written), kind)
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
            return {"float": self.random.choice([*FLOATS, *self.constants.floats]).hex()}
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
        letters = self.letters if self.random.random() < 0.4 else list(CHARACTERS)
        return {"char": self.random.choice(letters)}

    def _str(self, kind: InputType, depth: int) -> Value:
        random, way = self.random, self.random.random()
        if self.constants.names_files and random.random() < 0.5:
            return random.choice(FILE_NAMES)
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
        if length > 2 and random.random() < 0.15:
            # Few different elements, so that counts, runs and ties occur.
            kinds: list[Value] = [_integer(0, inner), _integer(1, inner)] if inner.kind == "int" else values[:2]
            values = random.choices(values[:2] if random.random() < 0.5 else kinds, k=length)
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

    def _map(self, kind: InputType, depth: int, named: bool = False) -> Value:
        key, inner = kind.inner
        is_text = key.kind == "str"
        keys: list[Value] = [
            self.random.choice([*KEYS, *self.constants.keys]) if is_text else self.value(key, depth + 1)
            for _ in range(self.random.randint(0, 4))
        ]
        if is_text and (self.random.random() < 0.8 or named):
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
                    linked = {inner.kind: self.several(kind, links, shares[name])}
                fields.append([name, linked])
            else:
                # Lists in an object without links are as varied as those that are arguments.
                fields.append([name, self.value(inner, 0 if inner.inner and not links else 1)])
        return {"object": [kind.name, fields]}


def _limits(bits: int) -> list[int]:
    """The largest and smallest numbers, and numbers whose double, triple or square overflows."""
    room = 1 << (bits - 1)
    return [room - 1, -room, room // 2, isqrt(room) + 1, 1 - room, room // 3 + 1, -room // 2 - 1]


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
