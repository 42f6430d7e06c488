"""Arguments of one call that have to do with each other: what is searched is in the list, an index is in range, a text
is part of another, a number is the sum of two others."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from random import Random

from clonetruth.execution.inputs.constants import Constants
from clonetruth.execution.inputs.library_values import near_value
from clonetruth.execution.inputs.neighbours import larger
from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.values import Value

_LARGEST = 1 << 1000
_RARELY = 0.6
"""How often a relation that fits is left out, so that others get their turn."""
_SHARED = 0.4
_PLAIN = ("int", "float", "str", "date", "datetime", "time")
_SAME = 0.15
"""How often two arguments of a call are the same, as in a transfer from an account to itself."""
_SMALL = 0.3
"""How often all numbers that calls before get are small, so that 0 and equal ones occur."""

_MORE_RARELY = 0.2
"""How much more often one is left out that fits two texts, which have to do with each other in other ways, too."""


class ArgumentRelations:
    """Changes arguments so that they have to do with each other."""

    def __init__(self, constants: Constants, random: Random) -> None:
        """Of code with these constants."""
        self.constants, self.random = constants, random

    def relate(self, types: Sequence[InputType], values: list[Value], apart: Collection[int] = ()) -> None:
        """Let an argument be an element, an index, the length or a part of another; two numbers the ends of a part.

        Args:
            types: of the arguments.
            values: the arguments, which are changed.
            apart: places of arguments that have nothing to do with the others.
        """
        places = [at for at, kind in enumerate(types) if at not in apart and not is_call(kind)]
        if len(places) < 2:
            return
        kinds, own = [types[at] for at in places], [values[at] for at in places]
        self.share(kinds, own)
        makers = [self.summed, self.placed, self.sized, self.bound, self.keyed, self.repeated]
        if edge_lists(kinds):
            makers.append(self.linked)
        self.random.shuffle(makers)
        for make in (self.adjacent, *makers):
            if make(kinds, own):
                break
        else:
            self.loosely(kinds, own)
        for at, value in zip(places, own, strict=True):
            values[at] = value

    def share(self, types: Sequence[InputType], values: Sequence[Value]) -> None:
        """Let objects sometimes have a value of another one in a field of its type: the end of one range is often the
        start of another."""
        objects = [at for at, one in enumerate(types) if one.kind in ("object", "record")]
        if len(objects) < 2 or self.random.random() > _SHARED:
            return
        first, second = (values[at] for at in self.random.sample(objects, 2))
        fields = [(one, other) for one in _fields(first) for other in _fields(second)]
        alike = [(one, other) for one, other in fields if _kind_of(one[1]) == _kind_of(other[1]) in _PLAIN]
        if alike:
            one, other = self.random.choice(alike)
            other[1] = one[1]

    def repeat(self, types: Sequence[InputType], values: list[Value]) -> None:
        """Let calls of methods often be about the same things: what was put into an object is what is asked for. Often,
        numbers are so small that a few calls reach them."""
        for at, kind in enumerate(types):
            if kind.kind == "int" and self.random.random() < _RARELY:
                values[at] = whole_number(self.random.randint(0, 3), kind)
        known = [one for kind, one in zip(types, values, strict=True) if not is_call(kind)]
        # What an object is made of is what its methods are asked for.
        known += [part for one in known for part in _parts(one)]
        is_small = self.random.random() < _SMALL
        for at, kind in enumerate(types):
            if not is_call(kind):
                continue
            given = values[at]
            calls = given["list"] if isinstance(given, dict) and "list" in given else [given]
            made = [self._about_known(one, known, is_small) for one in calls]
            values[at] = {"list": made} if isinstance(given, dict) and "list" in given else made[0]

    def _about_known(self, call: Value, known: list[Value], is_small: bool) -> Value:
        """A call of a method with arguments of which some occurred before, or whose numbers are small; its own are
        known from then on."""
        if not isinstance(call, dict) or "object" not in call:
            return call
        name, fields = call["object"]
        random = self.random
        made: list[Value] = []
        for _, one in fields:
            alike = [other for other in known if _kind_of(other) == _kind_of(one)]
            if made and _kind_of(made[-1]) == _kind_of(one) and random.random() < _SAME:
                made.append(made[-1])
            elif is_small and isinstance(one, dict) and "int" in one:
                made.append({"int": str(random.randint(0, 3))})
            else:
                made.append(random.choice(alike) if alike and random.random() < _RARELY else one)
        known += made
        return {"object": [name, [[field, value] for (field, _), value in zip(fields, made, strict=True)]]}

    def loosely(self, types: Sequence[InputType], values: list[Value]) -> None:
        """Let each argument be something of another one that was drawn for it, mostly."""
        random = self.random
        for at, kind in enumerate(types):
            other = random.randrange(len(types))
            if other == at or random.random() < 0.3:
                continue
            whole = values[other]
            elements = elements_of(whole)
            if kind.kind == "int" and isinstance(whole, dict) and "object" in whole and random.random() < _RARELY:
                values[at] = random.choice(_numbers_in(whole) or [values[at]])
            elif kind.kind == "int" and isinstance(whole, dict) and elements is not None:
                inside = [one for one in elements if isinstance(one, dict) and "int" in one]
                sizes = [len(elements), len(elements) - 1, len(elements) // 2, 0, 1]
                use_element = inside and types[other].kind != "str" and random.random() < 0.7
                values[at] = random.choice(inside) if use_element else whole_number(random.choice(sizes), kind)
            elif kind.kind == "int" and isinstance(whole, str):
                code = ord(random.choice(whole)) if whole else 0
                sizes = [len(whole), len(whole) - 1, len(whole) // 2, 1, code]
                values[at] = whole_number(random.choice(sizes), kind)
            elif elements and (
                (kind.kind in ("str", "char") and isinstance(elements[0], str)) or _holds(types[other], kind)
            ):
                values[at] = random.choice(elements)
            elif kind.kind == "str" and isinstance(whole, str) and whole:
                values[at] = self.derived(whole)
            elif kind == types[other]:
                values[at] = near_value(self.changed(whole), random)
            elif kind.kind == "float" and types[other].kind == "int" and isinstance(whole, dict):
                values[at] = {"float": float(min(max(int(whole["int"]), -_LARGEST), _LARGEST)).hex()}

    def adjacent(self, types: Sequence[InputType], values: list[Value]) -> bool:
        """Let a list of lists of whole numbers say for each node of a graph which nodes it leads to, and the other
        whole numbers be nodes of it."""
        random = self.random
        lists = [at for at, one in enumerate(types) if _is_list_of_lists(one)]
        numbers = [at for at, one in enumerate(types) if one.kind == "int"]
        if len(lists) != 1 or not numbers or random.random() < _RARELY:
            return False
        nodes = random.randint(1, 5)
        row = types[lists[0]].inner[0]
        degree = random.choice([1, 2, 2, 3])
        values[lists[0]] = {
            "list": [
                {"list": [whole_number(one, row.inner[0]) for one in random.sample(range(nodes), min(degree, nodes))]}
                for _ in range(nodes)
            ]
        }
        for at in numbers:
            values[at] = whole_number(random.randrange(nodes), types[at])
        return True

    def linked(self, types: Sequence[InputType], values: list[Value]) -> bool:
        """Let lists say where the edges of a graph begin and end, or be its edges, and a whole number how many nodes it
        has."""
        random = self.random
        nodes = random.randint(2, 6)
        numbers = [at for at, one in enumerate(types) if one.kind == "int"]
        lists = edge_lists(types)
        edges = random.randint(1, 2 * nodes)

        def end(kind: InputType) -> Value:
            return whole_number(random.randrange(nodes), kind)

        for at in lists:
            inner = types[at].inner[0]
            made: Iterator[Value] = (
                {"tuple": [end(one) for one in inner.inner]} if inner.inner else end(inner) for _ in range(edges)
            )
            values[at] = {"list": list(made)}
        first, *others = numbers
        values[first] = whole_number(nodes, types[first])
        for at in others:
            values[at] = end(types[at])
        return True

    def summed(self, types: Sequence[InputType], values: list[Value]) -> bool:
        """Let one of three whole numbers be the sum of the others, or one more or less; these are often equal."""
        random = self.random
        numbers = [at for at, one in enumerate(types) if one.kind == "int"]
        if len(numbers) < 3 or random.random() < _RARELY:
            return False
        first, second, whole = random.sample(numbers, 3)
        one, other = random.randint(1, 9), random.randint(1, 9)
        other = one if random.random() < 0.5 else other
        values[first], values[second] = whole_number(one, types[first]), whole_number(other, types[second])
        values[whole] = whole_number(one + other + random.choice([-1, 0, 1]), types[whole])
        return True

    def placed(self, types: Sequence[InputType], values: list[Value]) -> bool:
        """Let one argument be an element of a list, mostly the first or the last, and a whole number its place, or
        that of another one."""
        random = self.random
        lists = [at for at, one in enumerate(types) if one.kind == "list" and elements_of(values[at])]
        found = [
            (at, element, place)
            for at in lists
            for element, kind in enumerate(types)
            for place, index in enumerate(types)
            if kind.kind == types[at].inner[0].kind and index.kind == "int" and len({at, element, place}) == 3
        ]
        if not found or random.random() < _RARELY:
            return False
        at, element, place = random.choice(found)
        elements = elements_of(values[at]) or []
        where = random.choice([0, 0, len(elements) - 1, random.randrange(len(elements))])
        index = where if random.random() < 0.6 else random.randrange(len(elements))
        values[element], values[place] = elements[where], whole_number(index, types[place])
        return True

    def sized(self, types: Sequence[InputType], values: list[Value]) -> bool:
        """Let the whole numbers behind lists be their lengths, as code that was written for arrays takes them; the
        second of two lists is then often the first in another order, or with one other element."""
        random = self.random
        lists = [at for at, kind in enumerate(types) if kind.kind == "list"]
        numbers = [at for at, kind in enumerate(types) if kind.kind == "int" and lists and at > lists[0]]
        if not numbers or random.random() < _RARELY:
            return False
        for one, other in itertools.pairwise(lists):
            if types[one] == types[other] and random.random() < 0.5:
                values[other] = self.changed(values[one])
        lengths = [len(elements_of(values[at]) or ()) for at in lists]
        # Two lists with two lengths, one list with its length, or one number for all.
        for at, length in zip(numbers, lengths, strict=False):
            values[at] = whole_number(length, types[at])
        return True

    def keyed(self, types: Sequence[InputType], values: list[Value]) -> bool:
        """Let the elements of a list be keys of a map, some of them more than once, and other arguments one of its
        keys."""
        random = self.random
        maps = [at for at, value in enumerate(values) if isinstance(value, dict) and value.get("map")]
        if not maps or random.random() < _RARELY:
            return False
        found = False
        for at in maps:
            whole = values[at]
            keys = [key for key, _ in whole["map"]] if isinstance(whole, dict) else []
            for other, kind in enumerate(types):
                if other == at:
                    continue
                if kind.kind == "list" and kind.inner[0].kind == types[at].inner[0].kind:
                    own = (elements_of(values[other]) or [])[:1]
                    values[other] = {"list": random.choices([*keys, *own], k=random.randint(1, len(keys) + 2))}
                    found = True
                elif kind == types[at].inner[0]:
                    values[other], found = random.choice(keys), True
        return found

    def repeated(self, types: Sequence[InputType], values: list[Value]) -> bool:
        """Let a text be another one several times, so that what is found overlaps: `aa` in `aaab`, `aba` in `ababa`."""
        random = self.random
        texts = [at for at, one in enumerate(types) if one.kind == "str"]
        if len(texts) < 2 or random.random() < _RARELY + _MORE_RARELY:
            return False
        first, second = sorted(random.sample(texts, 2))
        piece = random.choice(("a", "ab", "1", *self.constants.strings[:2]))
        rest = piece[: random.randint(0, len(piece) - 1)]
        values[first] = random.choice(("", "b")) + piece * random.randint(2, 4) + rest + random.choice(("", "b"))
        values[second] = piece * random.randint(1, 2) + rest
        return True

    def bound(self, types: Sequence[InputType], values: list[Value]) -> bool:
        """Let two whole numbers next to each other be the ends of a list or text, or of a part of it: all, all but an
        element at one of its ends, or any."""
        random = self.random
        lengths = [len(one) for one in values if isinstance(one, str) and one]
        lengths = [len(found) for one in values if (found := elements_of(one))] or lengths
        pairs = [at for at in range(len(types) - 1) if types[at].kind == types[at + 1].kind == "int"]
        if not lengths or not pairs or random.random() < _RARELY:
            return False
        last, at, way = lengths[0] - 1, random.choice(pairs), random.random()
        ends = [0, last]
        if way < 0.2:
            ends = sorted((random.randint(0, last), random.randint(0, last)))
        elif way < 0.7:
            ends = [random.choice([0, 1, 1]), last + random.choice([-1, 0, 1, 1])]
        values[at], values[at + 1] = (whole_number(one, kind) for one, kind in zip(ends, types[at:], strict=False))
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
        """The same value, or a list with the same elements in another order, or fewer, or with one other element, or a
        map with the same keys in another order."""
        if isinstance(value, dict) and "map" in value and self.random.random() < 0.5:
            return {"map": value["map"][::-1]}
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


def _numbers_in(value: Value) -> list[Value]:
    """The whole numbers of an object and of those that it links to."""
    if not isinstance(value, dict) or "object" not in value:
        return []
    fields = [one for _, one in value["object"][1]]
    own: list[Value] = [one for one in fields if isinstance(one, dict) and "int" in one]
    return [*own, *(number for one in fields for number in _numbers_in(one))]


def _fields(value: Value) -> Sequence[list[Value]]:
    """The names and values of an object, which can be changed."""
    if not isinstance(value, dict):
        return ()
    found: Sequence[list[Value]] = value["object"][1] if "object" in value else value.get("map", ())
    return found


def _parts(value: Value) -> list[Value]:
    """The elements of a list, or the keys and values of a map."""
    if isinstance(value, dict) and "map" in value:
        return [one for pair in value["map"] for one in pair]
    return elements_of(value) or []


def _kind_of(value: Value) -> str:
    return next(iter(value)) if isinstance(value, dict) else type(value).__name__


def edge_lists(types: Sequence[InputType]) -> list[int]:
    """The lists that can be the edges of a graph of numbered nodes: one of pairs, or two of whole numbers, beside a
    whole number; none if there are no such."""
    lists = [at for at, one in enumerate(types) if one.kind == "list"]
    pairs = [at for at in lists if _is_pair(types[at].inner[0])]
    ends = [at for at in lists if types[at].inner[0].kind == "int"]
    if all(one.kind != "int" for one in types):
        return []
    return pairs if len(pairs) == 1 else ends if len(ends) == 2 else []


def _is_pair(kind: InputType) -> bool:
    return kind.kind == "tuple" and len(kind.inner) == 2 and all(one.kind == "int" for one in kind.inner)


def _is_list_of_lists(kind: InputType) -> bool:
    """Whether a type is a list of lists of whole numbers."""
    return kind.kind == "list" == kind.inner[0].kind and str(kind.inner[0].inner[0]).startswith("int")


def is_call(kind: InputType) -> bool:
    """Whether an argument stands for calls of methods, which come before the call or behind it."""
    inner = kind.inner[0] if kind.kind == "list" else kind
    return inner.kind == "union" and any(one.kind == "object" for one in inner.inner)


def _holds(whole: InputType, kind: InputType) -> bool:
    return kind.kind == "float" and [one.kind for one in whole.inner] == ["float"]


def elements_of(value: Value) -> list[Value] | None:
    """What is in a list, tuple or set; None for other values."""
    if isinstance(value, dict):
        for kind in ("list", "tuple", "set"):
            if kind in value:
                return list(value[kind])
    return None


def whole_number(value: int, kind: InputType) -> Value:
    """A whole number, within the limits of its type."""
    if not kind.signed:
        value = abs(value)
    if kind.bits:
        limit = 1 << (kind.bits - (1 if kind.signed else 0))
        value = min(max(value, -limit if kind.signed else 0), limit - 1)
    return {"int": str(value)}
