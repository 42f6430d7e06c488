"""Types that a program declares: dates and times, paths, enumerations, choices, and classes of the file."""

from __future__ import annotations

import ast
import datetime as dt
import enum
import itertools
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.execution import BehaviourVerdict, Code, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.harness.inside.python_declared import DeclaredClasses
from clonetruth.execution.harness.inside.python_values import from_form, to_form
from clonetruth.execution.inputs.constants import Constants
from clonetruth.execution.inputs.generation import generate
from clonetruth.execution.inputs.library_values import LIBRARY_KINDS, all_values, is_chosen, random_value, telling_value
from clonetruth.execution.inputs.shrinking import smaller
from clonetruth.execution.inputs.types import InputType, parse_type
from clonetruth.execution.notation import write_value
from clonetruth.execution.results import BehaviourComparison
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.values import check_value, equal_values
from tests.execution.sandboxed import needs_sandbox

WRITTEN = {kind: kind for kind in LIBRARY_KINDS} | {"enum": "Colour<RED, GREEN>", "choice": 'choice["r", 3, true]'}


@pytest.mark.parametrize("kind", LIBRARY_KINDS)
def test_values_of_every_kind_are_values_and_shrink_to_values(kind: str) -> None:
    parsed = parse_type(WRITTEN[kind])
    assert (parsed.kind, str(parsed)) == (kind, WRITTEN[kind])
    made = [telling_value(parsed, number) for number in range(20)]
    made += [random_value(parsed, Random(number)) for number in range(50)]
    assert len({repr(one) for one in made}) >= min(5, len(all_values(parsed)) or 5)
    for one in made:
        assert check_value(one) == one
        assert all(check_value(less) == less for less in smaller(one))
        assert write_value(one, "python")
        assert write_value(one, "java")
    drawn = itertools.islice(generate([parse_type(f"list[{WRITTEN[kind]}]?")], Constants(("",)), 0), 40)
    assert all(check_value(one) == one for (one,) in drawn)


@pytest.mark.parametrize("text", ["Colour<>", "Colour<RED", "choice[]", "choice[1.5]", 'choice["a]', "choice[none]"])
def test_what_is_not_a_type_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_type(text)


def test_a_choice_has_its_values_and_no_others() -> None:
    kind = parse_type('choice["r", "w", 3]?')
    assert all_values(kind) == ["r", "w", {"int": "3"}, None]
    assert is_chosen(kind, None)
    assert not is_chosen(kind, "x")
    assert is_chosen(InputType("str"), "x")
    order = parse_type('Order{id: int, lines: list[tuple[int, choice["a", "b"]]]}')
    assert is_chosen(order, {"object": ["Order", [["lines", {"list": [{"tuple": [{"int": "1"}, "b"]}]}]]]})
    assert not is_chosen(order, {"object": ["Order", [["lines", {"list": [{"tuple": [{"int": "1"}, "x"]}]}]]]})
    assert all_values(InputType("str")) == []


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


class Level(enum.IntEnum):
    LOW = 7


class Point(NamedTuple):
    x: int
    y: int


@dataclass(frozen=True)
class Price:
    cents: int
    currency: str = "EUR"

    def __post_init__(self) -> None:
        object.__setattr__(self, "shown", f"{self.cents} {self.currency}")


class Meter:
    def __init__(self, start: int, step: int = 1) -> None:
        self._value = start * step


@given(
    st.one_of(
        st.dates(),
        st.datetimes(),
        st.datetimes(timezones=st.just(dt.timezone(dt.timedelta(hours=-5)))),
        st.times(),
        st.timedeltas(),
        st.sampled_from(Colour),
        st.sampled_from([Path("a/b"), Path("/"), Path(".hidden")]),
    )
)
def test_python_values_come_back(value: Any) -> None:
    form = to_form(value)
    assert check_value(form) == form
    assert from_form(form, {"Colour": Colour}) == value
    assert equal_values(form, to_form(value))


def test_moments_are_equal_by_time_and_members_by_name() -> None:
    assert equal_values({"datetime": "2024-01-01T12:00:00+02:00"}, {"datetime": "2024-01-01T10:00+00:00"})
    assert not equal_values({"datetime": "2024-01-01T12:00:00"}, {"datetime": "2024-01-01T12:00:00+00:00"})
    assert not equal_values({"date": "2024-01-01"}, {"datetime": "2024-01-01T00:00:00"})
    assert equal_values({"duration": "1.50"}, {"duration": "1.5"})
    assert equal_values({"enum": ["Colour", "RED"]}, {"enum": ["Color", "RED"]})
    assert equal_values({"enum": ["Colour", "RED"]}, "RED"), "Java writes the name"
    assert not equal_values({"path": "a"}, "a")
    assert to_form(Level.LOW) == {"int": "7"}


@pytest.mark.parametrize(
    "form", [{"date": "2024-02-30"}, {"datetime": "soon"}, {"time": 7}, {"duration": "long"}, {"enum": ["Colour"]}]
)
def test_forged_values_are_refused(form: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        check_value(form)


def test_a_time_zone_of_the_fragment_is_not_asked() -> None:
    def raising(zone: dt.tzinfo, when: dt.datetime | None) -> Any:
        raise AssertionError("code of the fragment ran")

    zone = type("Zone", (dt.tzinfo,), dict.fromkeys(("utcoffset", "dst", "tzname"), raising))()
    assert to_form(dt.datetime(2024, 1, 1, tzinfo=zone)) == {"opaque": "datetime"}


def test_objects_are_made_by_their_constructor_where_it_takes_the_fields() -> None:
    names = {"Point": Point, "Price": Price, "Meter": Meter}

    def made(name: str, **fields: int) -> Any:
        return from_form({"object": [name, [[key, {"int": str(one)}] for key, one in fields.items()]]}, names)

    assert made("Point", x=1, y=2) == (1, 2)
    assert made("Price", cents=5).shown == "5 EUR"
    assert vars(made("Meter", start=3)) == {"_value": 3}
    # Something else than what the constructor takes: the fields themselves.
    assert vars(made("Meter", _value=3)) == {"_value": 3}


DECLARATIONS = """
from dataclasses import dataclass
from enum import Enum, auto
class Colour(Enum):
    RED = auto()
    GREEN = auto()
    _ignore_ = []
    def shown(self): return self.name
@dataclass(frozen=True)
class Item:
    name: str
    colour: Colour
    parts: "list[Item]"
    note: Unknown = None
class Box:
    def __init__(self, item: Item, size, *, deep=False): ...
class Meter:
    def __init__(self, start: int, step=1): ...
class Other: pass
"""


def test_declared_classes_have_types() -> None:
    declared = DeclaredClasses(ast.parse(DECLARATIONS))
    assert declared.type_of("Colour") == "Colour<RED, GREEN>"
    item = "Item{name: str, colour: Colour<RED, GREEN>, parts: list[Item]}"
    assert declared.type_of("Item") == item
    assert str(parse_type(item)) == item
    assert declared.type_of("Meter") == "Meter{start: int}"
    # Nothing says what its size is.
    assert declared.type_of("Box") is None
    assert declared.type_of("Other") is declared.type_of("Missing") is None


PAIRS: dict[str, tuple[str, str, str]] = {
    "days": (
        "from datetime import date, timedelta\ndef f(start: date, end: date) -> int:\n    n = 0\n"
        "    while start < end:\n        n += start.weekday() < 5\n        start += timedelta(days=1)\n    return n\n",
        "from datetime import date, timedelta\ndef f(start: date, end: date) -> int:\n"
        "    return sum((start + timedelta(i)).weekday() not in (5, 6) for i in range((end - start).days))\n",
        "no-difference-found",
    ),
    "moments": (
        "import datetime\ndef f(a: datetime.datetime, b: datetime.timedelta):\n    return (a + b).replace(minute=0)\n",
        "import datetime\ndef f(a: datetime.datetime, b: datetime.timedelta):\n    return (a + b).replace(second=0)\n",
        "different",
    ),
    "members": (
        "from enum import Enum\nclass C(Enum):\n    A = 1\n    B = 2\n    D = 3\n"
        "def f(c: C):\n    return {C.A: C.B, C.B: C.D, C.D: C.A}[c]\n",
        "from enum import Enum\nclass C(Enum):\n    A = 1\n    B = 2\n    D = 3\n"
        "def f(c: C):\n    return C.B if c is C.A else C.D if c is C.B else C.A\n",
        "no-difference-found",
    ),
    "choices": (
        "from typing import Literal\ndef f(mode: Literal['r', 'w']): return {'r': 0, 'w': 1}[mode]\n",
        "from typing import Literal\ndef f(mode: Literal['r', 'w']): return 0 if mode == 'r' else 1\n",
        "no-difference-found",
    ),
    "paths": (
        "from pathlib import Path\ndef f(path: Path): return path.name.split('.')[0]\n",
        "from pathlib import Path\ndef f(path: Path): return path.stem\n",
        "different",
    ),
    "objects": (
        "from dataclasses import dataclass\n@dataclass\nclass Item:\n    price: float\n    number: int\n"
        "def f(items: list[Item]): return sum(one.price * one.number for one in items)\n",
        "from dataclasses import dataclass\n@dataclass\nclass Item:\n    price: float\n    number: int\n"
        "def f(items: list[Item]):\n    total = 0\n    for one in items: total += one.price\n    return total\n",
        "different",
    ),
}


TYPESCRIPT: dict[str, tuple[str, str, str]] = {
    "choices": (
        "type Mode = 'r' | 'w' | 'a';\nfunction f(mode: Mode): number { return { r: 0, w: 1, a: 2 }[mode]; }",
        "function f(mode: 'r' | 'w' | 'a'): number { return mode === 'r' ? 0 : mode === 'w' ? 1 : 2; }",
        "no-difference-found",
    ),
    "members": (
        "enum Side { Left, Right }\nfunction f(one: Side): Side { return one === Side.Left ? Side.Right : Side.Left; }",
        "enum Side { Left, Right }\nfunction f(one: Side): Side { return Side.Right; }",
        "different",
    ),
    "fields": (
        "interface O { status: 'open' | 'paid' }\nfunction f(a: O) { return a.status[0]; }",
        "interface O { status: 'open' | 'paid' }\nfunction f(a: O) { return a.status.slice(0, 2); }",
        "different",
    ),
    "a field's type": (
        "type O = { status: 'open' | 'paid' }\nfunction f(s: O['status']) { return s === 'open' ? 1 : 2; }",
        "type O = { status: 'open' | 'paid' }\nfunction f(s: O['status']) { return s[0] === 'o' ? 1 : 2; }",
        "no-difference-found",
    ),
    "moments": (
        "function f(day: Date): Date { return new Date(day.getTime() + 86400000); }",
        "function f(day: Date): Date { const next = new Date(day); next.setDate(next.getDate() + 1); return next; }",
        "no-difference-found",
    ),
}


JAVA: dict[str, tuple[str, str, str]] = {
    "members": (
        "enum L { LOW, MID, TOP }\nclass A { static L f(L a) { return a == L.LOW ? L.MID : L.TOP; } }",
        "enum L { LOW, MID, TOP }\nclass A { static L f(L a) { switch (a) { case LOW: return L.MID; "
        "default: return L.TOP; } } }",
        "no-difference-found",
    ),
    "days": (
        "import java.time.*;\nclass A { static LocalDate f(LocalDate a, int n) { return a.plusDays(n % 1000); } }",
        "import java.time.*;\nclass A { static LocalDate f(LocalDate a, int n) { return LocalDate.ofEpochDay("
        "a.toEpochDay() + n % 1000); } }",
        "no-difference-found",
    ),
    "moments": (
        "import java.time.*;\nclass A { static LocalDateTime f(LocalDateTime a, Duration b) { return a.plus(b); } }",
        "import java.time.*;\nclass A { static LocalDateTime f(LocalDateTime a, Duration b) { return a.minus(b); } }",
        "different",
    ),
}


CSHARP: dict[str, tuple[str, str, str]] = {
    "members": (
        "enum L { Low, Mid, Top } static class A { public static L F(L a) { return a == L.Low ? L.Mid : L.Top; } }",
        "enum L { Low, Mid, Top } static class A { public static L F(L a) { switch (a) { case L.Low: return L.Mid; "
        "case L.Mid: case L.Top: return L.Top; default: return a; } } }",
        "no-difference-found",
    ),
    "moments": (
        "using System; static class A { public static DateTime F(DateTime a, TimeSpan b) { return a + b; } }",
        "using System; static class A { public static DateTime F(DateTime a, TimeSpan b) { return a.Add(b); } }",
        "no-difference-found",
    ),
}
ENUMERATIONS = {
    "c": ("typedef enum { ADD, SUB = 4, MUL } Op;", "ADD", "SUB"),
    "cpp": ("enum class Op { ADD, SUB = 4, MUL };", "Op::ADD", "Op::SUB"),
}


@pytest.fixture(scope="module")
def harnesses() -> Iterator[Harnesses]:
    with Harnesses(Bubblewrap()) as made:
        yield made


def compared(harnesses: Harnesses, left: str, right: str, *languages: str) -> BehaviourComparison:
    one, other = languages
    return compare_behaviour(Code(left, one), Code(right, other), harnesses, budget=SearchBudget(runs=60))


@needs_sandbox
@pytest.mark.parametrize("case", PAIRS)
def test_functions_of_declared_types_are_decided(case: str, harnesses: Harnesses) -> None:
    left, right, verdict = PAIRS[case]
    found = compared(harnesses, left, right, "python", "python")
    assert found.verdict == BehaviourVerdict(verdict), (found.reason, found.detail, found.types)
    assert found.strength.exhausted == (case in ("members", "choices"))


@needs_sandbox
@pytest.mark.parametrize("case", TYPESCRIPT)
def test_so_are_those_of_typescript(case: str, harnesses: Harnesses) -> None:
    left, right, verdict = TYPESCRIPT[case]
    found = compared(harnesses, left, right, "typescript", "typescript")
    assert found.verdict == BehaviourVerdict(verdict), (found.reason, found.detail, found.types)
    assert found.strength.exhausted == (case not in ("moments", "fields"))
    if case == "fields":
        assert found.witness is not None
        assert {"open", "paid"} & set(re.findall(r"\w+", repr(found.witness.call)))


@needs_sandbox
def test_days_are_the_same_in_two_languages(harnesses: Harnesses) -> None:
    python = "from datetime import datetime, timedelta\ndef f(day: datetime): return day + timedelta(days=1)\n"
    found = compared(harnesses, python, TYPESCRIPT["moments"][0], "python", "typescript")
    assert found.verdict == BehaviourVerdict.NO_DIFFERENCE_FOUND, (found.reason, found.detail, found.types)


@needs_sandbox
@pytest.mark.jdk
@pytest.mark.parametrize("case", JAVA)
def test_so_are_those_of_java(case: str, harnesses: Harnesses) -> None:
    left, right, verdict = JAVA[case]
    budget = SearchBudget(runs=60)
    found = compare_behaviour(Code(left, "java", "f"), Code(right, "java", "f"), harnesses, budget=budget)
    assert found.verdict == BehaviourVerdict(verdict), (found.reason, found.detail, found.types)


@needs_sandbox
@pytest.mark.parametrize("name", ENUMERATIONS)
def test_so_are_enumerations_of_c(name: str, harnesses: Harnesses) -> None:
    declared, add, sub = ENUMERATIONS[name]
    # With a value that is no member, these would differ.
    left = f"{declared} int f(Op o, int a) {{ if (o == {add}) return a; if (o == {sub}) return -a; return 3; }}"
    right = f"{declared} int f(Op o, int a) {{ switch (o) {{ case {add}: return a; case {sub}: return -a; "
    right += f"case {add.replace('ADD', 'MUL')}: return 3; default: return 9; }} }}"
    found = compared(harnesses, left, right, name, name)
    assert found.verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND, (found.witness, found.reason, found.detail)
    assert found.types[0] == "Op<ADD, SUB, MUL>"


@needs_sandbox
@pytest.mark.skipif(shutil.which("mcs") is None, reason="C# needs mono")
@pytest.mark.parametrize("case", CSHARP)
def test_so_are_those_of_csharp(case: str, harnesses: Harnesses) -> None:
    left, right, verdict = CSHARP[case]
    found = compared(harnesses, left, right, "csharp", "csharp")
    assert found.verdict == BehaviourVerdict(verdict), (found.reason, found.detail, found.types)
