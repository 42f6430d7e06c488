"""Runs inside the sandbox: values of Python in the form of `execution.values`, and back.

It meets objects whose methods lie, raise or never end, so it asks types, not objects.
"""

from __future__ import annotations

import array
import contextlib
import functools
import itertools
import json
import re
import sys
import types
import zlib
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from operator import is_
from pathlib import Path, PurePath
from typing import Any

MAX_ITEMS = 10_000
MAX_TEXT = 200_000
MAX_DEPTH = 40
MAX_FROM_ITERATOR = 1_000
MAX_DRAWN_TEXT = 8_000
"""Characters of what is drawn from an iterator that goes on; what was drawn until then is compared."""
SHORT = 1 << 60
"""Whole numbers below are written without a look at their length."""
SURROUNDING = 12
"""Characters of a value apart from its digits or letters."""
UNCHANGEABLE = (int, str, bool, float, type(None), bytes, Decimal, date, datetime, time, timedelta)
"""Types of values that no call can change."""
_UNCHANGEABLE = frozenset(UNCHANGEABLE)
_DEEPEST_COPY = 3
"""Lists in lists that are copied; a list may contain itself."""
_PLAIN_KEYS = (str, int, bool, type(None))
_SINGLE = (NotImplemented, Ellipsis)
"""Values of which there is one of their type."""
_MOST_CALLS_IN_CALLS = 2
"""A returned function that returns a function is called, too."""
INVENTED = "__invented__"
"""A mark of classes that a fragment only constructs: the names of their fields are a guess."""

_TEMPORAL: dict[type, str] = {date: "date", datetime: "datetime", time: "time"}
_FROM_TEXT: dict[str, Callable[[str], Any]] = {
    "decimal": Decimal,
    "char": str,
    "bytes": bytes.fromhex,
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "time": time.fromisoformat,
    "duration": lambda text: timedelta(microseconds=int(Decimal(text) * 1_000_000)),
    "path": Path,
}
_OPAQUE = (types.BuiltinFunctionType, types.ModuleType, type)
_FUNCTIONS = (types.FunctionType, types.MethodType)
_ITERATORS: tuple[Any, ...] = (
    types.GeneratorType,
    range,
    map,
    filter,
    zip,
    enumerate,
    reversed,
    type(iter([])),
    type(iter(())),
    type(iter("")),
    type(iter({})),
    type({}.keys()),
    type({}.values()),
    type({}.items()),
    *(one for one in vars(itertools).values() if isinstance(one, type) and hasattr(one, "__next__")),
)


_ANY_TWO: list[list[Any]] = [
    [{"int": "1"}, {"int": "2"}],
    [{"int": "5"}, {"int": "3"}],
    [{"int": "-1"}, {"int": "0"}],
    ["a", "b"],
    [{"list": [{"int": "3"}, {"int": "1"}]}, {"int": "1"}],
]
_CALLS: list[list[list[Any]]] = [
    [[], [], []],
    [
        *([{"int": number}] for number in ("0", "1", "-1", "2", "3", "10", "100")),
        [{"float": "0x1p-1"}],
        ["a"],
        ["b c"],
        [{"list": [{"int": "3"}, {"int": "1"}]}],
        [{"function": ["function", [{"int": "1"}, {"int": "4"}]]}],
    ],
    _ANY_TWO,
    [[*given, {"int": "2"}] for given in _ANY_TWO],
]
"""Arguments that returned functions are called with, by their number; the same in every language."""
RAISES = {"enum": ["outcome", "raises an exception"]}
"""What is written of a call of a returned function that does; which one it is, is not compared."""
_UNFIT = {"opaque": "arguments of another type"}


class _Plain:
    """An object with nothing but fields."""


_POINTER = tuple.__itemsize__
_FIELDS: dict[type, tuple[str, ...]] = {
    re.Pattern: ("pattern", "flags"),
    slice: ("start", "stop", "step"),
    functools.partial: ("func", "args", "keywords"),
}
"""Fields of classes of the library that keep theirs in C."""


class StandIn:
    """A function that stands for one that is not there: the same arguments give the same of a few results.

    Attributes:
        results: what it may return.
        calls: what it was called with, if that matters.
    """

    __name__ = "stand_in"

    def __init__(self, results: list[Any], keeps_calls: bool) -> None:
        self.results = results
        self.calls: list[Any] | None = [] if keeps_calls else None
        self.known: dict[tuple[type, Any], Any] = {}

    def __call__(self, *given: Any, **more: Any) -> Any:
        if len(self.results) == 1 and self.calls is None:
            # Whatever it is called with.
            return from_form(self.results[0])
        key = (type(given[0]), given[0]) if len(given) == 1 and not more and type(given[0]) in _PLAIN_KEYS else None
        if key is not None and key in self.known:
            return from_form(self.known[key])
        form = [to_form(one) for one in (*given, *(more[name] for name in sorted(more)))]
        if self.calls is not None:
            if len(self.calls) >= MAX_FROM_ITERATOR:
                raise RecursionError("too many calls")
            self.calls.append({"tuple": form})
        if not self.results:
            return None
        # Equal numbers of other types give the same.
        text = json.dumps(_plain(form))
        result = self.results[zlib.crc32(text.encode()) % len(self.results)]
        if key is not None and self.calls is None and len(self.known) < MAX_ITEMS:
            # Code that calls itself often asks for the same again.
            self.known[key] = result
        return from_form(result)


def _plain(form: Any) -> Any:
    """A form in which equal values are equal: numbers by value, sequences by content, nothing of names of classes."""
    if isinstance(form, list):
        return [_plain(one) for one in form]
    if not isinstance(form, dict):
        return form
    ((kind, content),) = form.items()
    if kind == "float":
        number = float.fromhex(content)
        return {"number": str(int(number)) if number.is_integer() else content}
    if kind == "int":
        return {"number": content}
    if kind in ("list", "tuple", "iterator"):
        return {"list": _plain(content)}
    if kind in ("set", "map"):
        return {kind: sorted((_plain(one) for one in content), key=json.dumps)}
    if kind == "object":
        return {"object": [_plain(one) for one in content[1]]}
    return {kind: content}


class Budget:
    """How many values may still be written, and whether iterators may be drawn from, which uses them up, and functions
    called; how many calls of functions are around a value."""

    def __init__(self, draws: bool = True) -> None:
        self.left = MAX_ITEMS
        self.text = 0
        self.draws = draws
        self.called = 0


def to_form(value: Any, budget: Budget | None = None, above: tuple[Any, ...] = ()) -> Any:
    """The form of a value."""
    kind = type(value)
    budget = budget or Budget()
    budget.left -= 1
    budget.text += SURROUNDING
    if value is None or kind is bool:
        return value
    if kind is str:
        budget.text += len(value)
        return _text(value)
    if kind is int:
        if -SHORT < value < SHORT:
            return {"int": str(value)}
        budget.text += value.bit_length() // 4
        return {"int": _digits(value)} if value.bit_length() < 30_000 else {"cut": "int"}
    if kind is float:
        return {"float": value.hex()}
    if kind is Decimal:
        return {"decimal": str(value)} if abs(value.adjusted()) < 10_000 else {"cut": "decimal"}
    if kind in _TEMPORAL:
        return {_TEMPORAL[kind]: value.isoformat()} if kind is date or _is_known_zone(value.tzinfo) else _opaque(kind)
    if kind is timedelta:
        return {"duration": str(Decimal(value // timedelta(microseconds=1)) / 1_000_000)}
    if kind is Fraction:
        return {"float": float(value).hex()}
    if kind is complex:
        return {"tuple": [{"float": value.real.hex()}, {"float": value.imag.hex()}]}
    if kind in (bytes, bytearray):
        return {"bytes": bytes(value[: MAX_TEXT // 2]).hex()} if len(value) <= MAX_TEXT // 2 else {"cut": "bytes"}
    if kind is StandIn:
        return {"opaque": "function"} if value.calls is None else {"list": list(value.calls)}
    if any(one is value for one in above):
        return {"cycle": len(above) - next(at for at, one in enumerate(above) if one is value)}
    if budget.left < 0 or len(above) >= MAX_DEPTH:
        return {"cut": _name(kind)}
    inner = (*above, value)
    if kind in (list, deque):
        return {"list": _drawn(list(value), budget, inner, MAX_ITEMS)}
    if kind is tuple:
        return {"tuple": _drawn(list(value), budget, inner, MAX_ITEMS)}
    if kind in (set, frozenset):
        return {"set": _drawn(list(value), budget, inner, MAX_ITEMS)}
    if kind is types.MappingProxyType:
        return to_form(dict(value), budget, above)
    if kind is array.array:
        return {"list": _drawn(value.tolist()[: MAX_ITEMS + 1], budget, inner, MAX_ITEMS)}
    if kind in (dict, defaultdict, OrderedDict, Counter):
        if len(dict.keys(value)) > budget.left:
            return {"cut": "dict"}
        entries = list(dict.items(value))
        return {"map": [[to_form(key, budget, inner), to_form(one, budget, inner)] for key, one in entries]}
    if issubclass(kind, _ITERATORS):
        return {"iterator": _drawn(value, budget, inner, MAX_FROM_ITERATOR, MAX_DRAWN_TEXT) if budget.draws else []}
    if kind in _FUNCTIONS:
        return _called(value, budget, inner)
    if any(one is value for one in _SINGLE):
        return {"enum": [_name(kind), repr(value)]}
    if issubclass(kind, _OPAQUE):
        return _opaque(kind)
    return _object(value, kind, budget, inner)


def _called(function: Any, budget: Budget, inner: tuple[Any, ...]) -> Any:
    """What a returned function does, called with a few arguments: another function that does the same is equal."""
    code = getattr(function, "__code__", None)
    if not budget.draws or budget.called >= _MOST_CALLS_IN_CALLS or not isinstance(code, types.CodeType):
        return _opaque(types.FunctionType)
    most = code.co_argcount - (type(function) is types.MethodType)
    least = most - len(function.__defaults__ or ())
    # Without optional arguments first: a further option does not change what was compared until then.
    counts = [least] if most == least else [least, most]
    if code.co_flags & 4:
        counts = [max(least, 1), max(least, 1) + 1]
    budget.called += 1
    calls: list[list[Any]] = []
    for given in itertools.chain.from_iterable(_CALLS[count] for count in counts if count < len(_CALLS)):
        try:
            outcome = to_form(function(*[from_form(one) for one in given]), budget, inner)
        except (MemoryError, NameError, ImportError):
            raise
        except (TypeError, AttributeError):
            outcome = _UNFIT
        except Exception:
            outcome = RAISES
        calls.append([given, outcome])
    budget.called -= 1
    # Of one that takes none of these arguments, nothing is known.
    return (
        _opaque(types.FunctionType) if all(outcome in (RAISES, _UNFIT) for _, outcome in calls) else {"called": calls}
    )


def argument_form(value: Any) -> Any:
    """The form of an argument; how far a function drew from an iterator is its own affair."""
    return to_form(value, Budget(draws=False))


class Snapshot:
    """What a value was, to see whether it is still the same.

    Of most arguments, lists of values that cannot change, the elements say so, which costs less than their forms.
    """

    def __init__(self, value: Any) -> None:
        self.copy = _copied(value, 0)
        self.form = None if self.copy is not None else argument_form(value)

    def is_still(self, value: Any) -> bool:
        """Whether the value has the same form as before."""
        if self.copy is None:
            return bool(argument_form(value) == self.form)
        return _is_copy(self.copy, value) or bool(argument_form(value) == argument_form(self.copy))


def _copied(value: Any, depth: int) -> Any:
    """A copy of lists in lists, and of mappings, of values that cannot change; None if there is anything else."""
    if type(value) is list and depth < _DEEPEST_COPY:
        if _UNCHANGEABLE.issuperset(map(type, value)):
            return value[:]
        copies = [one if type(one) in _UNCHANGEABLE else _copied(one, depth + 1) for one in value]
        is_whole = all(copy is not None or one is None for copy, one in zip(copies, value, strict=True))
        return copies if is_whole else None
    if type(value) is dict and _UNCHANGEABLE.issuperset(map(type, value)):
        return value.copy() if _UNCHANGEABLE.issuperset(map(type, value.values())) else None
    return None


def _is_copy(copy: Any, value: Any) -> bool:
    """Whether two values have the same elements, which are the very same objects, in the same order."""
    if copy is value:
        return True
    if type(copy) is not type(value) or type(copy) not in (list, dict) or len(copy) != len(value):
        return False
    if type(copy) is dict:
        return all(map(is_, copy, value)) and all(map(is_, copy.values(), value.values()))
    return all(map(is_, copy, value)) or all(map(_is_copy, copy, value))


def _name(kind: type) -> str:
    return str(type.__getattribute__(kind, "__name__"))[:100]


def _opaque(kind: type) -> Any:
    return {"opaque": _name(kind)}


def _is_known_zone(zone: Any) -> bool:
    """Whether asking a time zone for its offset runs no code of the fragment."""
    zones = sys.modules.get("zoneinfo")
    return zone is None or type(zone) is timezone or (zones is not None and type(zone) is zones.ZoneInfo)


def _text(value: str) -> Any:
    if len(value) > MAX_TEXT:
        return {"cut": "str"}
    # Half a pair of surrogates cannot be sent.
    return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()


def _digits(value: int) -> str:
    """Decimal digits of any length: Python limits `str`."""
    if value.bit_length() < 13_000:
        return str(value)
    return str(Decimal(value).to_integral_value().__format__("f"))


def _drawn(
    values: Iterable[Any], budget: Budget, inner: tuple[Any, ...], limit: int, most: int | None = None
) -> list[Any]:
    """The forms of values, as many as may be, and with at most that many characters, if that is said; a mark at the end
    if there are more."""
    if type(values) is list and len(values) <= min(limit, budget.left) and _are_small(values):
        budget.left -= len(values)
        budget.text += SURROUNDING * len(values)
        return [{"int": str(one)} for one in values]
    found: list[Any] = []
    end = None if most is None else budget.text + most
    for number, one in enumerate(values):
        if number >= limit or budget.left < 0 or (end is not None and budget.text > end):
            found.append({"cut": "values"})
            break
        if type(one) is int and -SHORT < one < SHORT:
            budget.left -= 1
            budget.text += SURROUNDING
            found.append({"int": str(one)})
        else:
            found.append(to_form(one, budget, inner))
    return found


def _are_small(values: list[Any]) -> bool:
    """Whether values are small whole numbers, as most lists have them; asks nothing of any other object."""
    return not [1 for one in values if type(one) is not int] and not [1 for one in values if not -SHORT < one < SHORT]


def _object(value: Any, kind: type, budget: Budget, inner: tuple[Any, ...]) -> Any:
    """An object of a class of the fragment, by its fields; a container by what is in it."""
    name = _name(kind)
    if issubclass(kind, PurePath):
        return {"path": _text(PurePath.__str__(value))}
    if issubclass(kind, Enum) and not issubclass(kind, (int, str)):
        return {"enum": [name, str(object.__getattribute__(value, "__dict__").get("_name_"))]}
    for base in (list, tuple, set, frozenset, dict, str, int, float):
        if issubclass(kind, base):
            return to_form(base(value), budget, inner)
    if all(any(name in vars(one) for one in kind.__mro__) for name in ("__iter__", "__next__")):
        return {"iterator": _drawn(value, budget, inner, MAX_FROM_ITERATOR, MAX_DRAWN_TEXT) if budget.draws else []}
    fields: dict[Any, Any] = {}
    if kind in _FIELDS:
        fields.update({field: getattr(value, field) for field in _FIELDS[kind]})
    elif issubclass(kind, BaseException):
        fields["args"] = vars(BaseException)["args"].__get__(value)
    elif _has_hidden_state(kind):
        return _opaque(kind)
    slots = [slot for base in reversed(kind.__mro__) for slot in _slots(base)]
    for slot in slots:
        with contextlib.suppress(AttributeError):
            fields[slot] = object.__getattribute__(value, slot)
    try:
        fields.update(object.__getattribute__(value, "__dict__"))
    except AttributeError:
        if not fields and not slots:
            return _opaque(kind)
    entries = [
        [str(key), to_form(one, budget, inner)] for key, one in sorted(fields.items(), key=lambda one: str(one[0]))
    ]
    return {"object": ["?" + name if INVENTED in type.__getattribute__(kind, "__dict__") else name, entries]}


def _slots(kind: type) -> list[str]:
    """The fields that a class of Python declares as `__slots__`."""
    slots = type.__getattribute__(kind, "__dict__").get("__slots__", ())
    names = [slots] if isinstance(slots, str) else slots if isinstance(slots, (tuple, list, dict)) else ()
    return [
        f"_{kind.__name__.lstrip('_')}{one}" if one[:2] == "__" != one[-2:] else one
        for one in names
        if type(one) is str and one not in ("__dict__", "__weakref__")
    ]


def _has_hidden_state(kind: type) -> bool:
    """Whether objects keep something in C, out of sight, as those of many classes of the library do."""
    declared = sum(len(_slots(base)) for base in kind.__mro__)
    return kind.__basicsize__ > _Plain.__basicsize__ + declared * _POINTER


def from_form(
    form: Any,
    classes: Mapping[str, Any] | None = None,
    above: tuple[Any, ...] = (),
    named: dict[str, Any] | None = None,
) -> Any:
    """A value from its form. Objects are made of the classes of the fragment, by name, where there is one.

    Args:
        form: the form.
        classes: of the fragment.
        above: what contains the value.
        named: objects of the call that occur again, by name; those that are met for the first time are added.
    """
    named = {} if named is None else named
    if not isinstance(form, dict):
        return form
    ((kind, content),) = form.items()
    if kind == "int":
        return int(content) if len(content) < 4000 else int(Decimal(content))
    if kind == "float":
        return float.fromhex(content)
    if kind in _FROM_TEXT:
        return _FROM_TEXT[kind](content)
    if kind == "enum":
        return _member(content, classes or {})
    if kind == "list":
        made: list[Any] = []
        made += _all_from_forms(content, classes, (*above, made), named)
        return made
    if kind in ("tuple", "set", "iterator"):
        values = _all_from_forms(content, classes, (*above, None), named)
        make: dict[str, Callable[[list[Any]], Any]] = {"tuple": tuple, "set": set, "iterator": iter}
        return make[kind](values)
    if kind == "map":
        inner = (*above, None)
        return {from_form(key, classes, inner, named): from_form(one, classes, inner, named) for key, one in content}
    if kind == "function":
        return StandIn(content[1], content[0] == "procedure")
    if kind == "object":
        return _made(content, classes or {}, above, named)
    if kind == "named" and isinstance(content[1], dict) and "object" in content[1]:
        return _made(content[1]["object"], classes or {}, above, named, content[0])
    if kind == "same" and content in named:
        return named[content]
    if kind == "cycle" and content <= len(above):
        return above[-content]
    raise ValueError("no value of Python: " + kind)


def _all_from_forms(
    forms: list[Any], classes: Mapping[str, Any] | None, above: tuple[Any, ...], named: dict[str, Any]
) -> list[Any]:
    # Texts stand for themselves, and most of the rest are small numbers.
    return [
        one
        if type(one) is str
        else int(one["int"])
        if type(one) is dict and "int" in one and len(one["int"]) < 4000
        else from_form(one, classes, above, named)
        for one in forms
    ]


def _member(content: list[str], classes: Mapping[str, Any]) -> Any:
    """The member of an enumeration of the fragment, or of a class that names values."""
    made = classes.get(content[0])
    members = vars(made) if isinstance(made, type) else {}
    if isinstance(made, type) and issubclass(made, Enum):
        members = made.__members__
    if content[1] not in members:
        raise TypeError("no enumeration " + content[0])
    return members[content[1]]


def _is_built_from(made: type, fields: set[str]) -> bool:
    """Whether the constructor of a class takes exactly these fields, or all of them but some that have defaults."""
    names = getattr(made, "_fields", None)
    if issubclass(made, tuple) and names is not None:
        return set(names) == fields
    constructor = vars(made).get("__init__")
    if type(constructor) is not types.FunctionType:
        return False
    code = constructor.__code__
    names = code.co_varnames[1 : code.co_argcount]
    by_name = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    optional = {*names[len(names) - len(constructor.__defaults__ or ()) :], *(constructor.__kwdefaults__ or ())}
    every = {*names, *by_name}
    return bool(fields) and not code.co_posonlyargcount and every - optional <= fields <= every


def _links_back(name: str, fields: list[Any]) -> bool:
    """Whether fields hold objects of the same class, or what is written elsewhere: the object must be there before."""
    text = repr(fields)
    return any(one in text for one in (f"{{'object': ['{name}'", "{'cycle'", "{'same'"))


def _made(
    content: list[Any], classes: Mapping[str, Any], above: tuple[Any, ...], named: dict[str, Any], known_as: str = ""
) -> Any:
    name, fields = content
    made = classes.get(name)
    if not isinstance(made, type):
        made = type(name if name.isidentifier() else "Object", (), {})
    if not known_as and _is_built_from(made, {key for key, _ in fields}) and not _links_back(name, fields):
        return made(**{key: from_form(one, classes, (*above, None), named) for key, one in fields})
    value: Any = object.__new__(made)
    if known_as:
        # Before its fields are filled: they may link back to it.
        named[known_as] = value
    for key, one in fields:
        object.__setattr__(value, key, from_form(one, classes, (*above, value), named))
    return value
