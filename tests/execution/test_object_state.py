"""Methods of objects: what their class is constructed with, and calls that come before and behind."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

import pytest

from clonetruth.execution import BehaviourVerdict, CallInput, Code, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.calls_around import without_methods
from clonetruth.execution.description import describe_call
from clonetruth.execution.harness.inside.python_annotations import annotated
from clonetruth.execution.harness.inside.python_declared import DeclaredClasses
from clonetruth.execution.harness.inside.python_entry import prepare
from clonetruth.execution.harness.javascript.fragment import prepare_script
from clonetruth.execution.inputs.constants import Constants
from clonetruth.execution.inputs.generation import generate
from clonetruth.execution.inputs.library_values import is_chosen
from clonetruth.execution.inputs.profiles import common_type
from clonetruth.execution.inputs.shrinking import smaller
from clonetruth.execution.inputs.types import parse_type
from clonetruth.execution.results import BehaviourComparison, ExecutedSide
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.values import LEFT_OUT, check_value
from tests.execution.sandboxed import needs_sandbox

STACK = """
class Stack:
    def __init__(self, limit: int = 3):
        self.limit = limit
        self._items = []
    def push(self, item: int):
        if len(self._items) < self.limit:
            self._items.append(item)
    def pop(self):
        return self._items.pop({at}) if self._items else None
    def size(self):
        return len(self._items)
"""


def roles(source: str, entry: str) -> dict[str, tuple[str, str]]:
    """The first type and the role of each parameter."""
    return {one.name: (one.types[0], one.said()["role"]) for one in prepare(source, entry).parameters}


def test_a_method_gets_what_makes_its_object_and_what_is_done_with_it() -> None:
    assert roles(STACK.format(at=""), "Stack.push") == {
        "item": ("int", ""),
        "limit": ("int", "constructor"),
        "calls before": ("list[union[push{a: int}, pop{}]]", "before"),
        "call behind": ("union[pop{}, size{}]", "after"),
    }
    # What changes nothing is seen in what it returns.
    assert list(roles(STACK.format(at=""), "Stack.size")) == ["limit", "calls before"]


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("def f(self, n): return n + self.k", ["k", "n"]),
        ("def f(self): self.k += 1", ["k", "calls before", "call behind"]),
        ("def f(self): self.k[0] = 1", ["k", "calls before", "call behind"]),
        ("def f(self): del self.k", ["k", "calls before", "call behind"]),
        ("def f(self): self.k.append(1)", ["k", "calls before", "call behind"]),
        ("def f(self): self.g()\n    def g(self): self.k = 0", ["k", "calls before", "call behind"]),
        ("@staticmethod\n    def f(n): return n", ["n"]),
        ("@classmethod\n    def f(cls, n): return n", ["n"]),
        ("@property\n    def f(self): return self.k", ["k"]),
    ],
)
def test_calls_of_others_matter_where_a_method_changes_the_object(body: str, names: list[str]) -> None:
    source = f"class A:\n    def __init__(self, k):\n        self.k = k\n    {body}\n"
    assert list(roles(source, "A.f")) == names


def test_methods_may_be_called_like_types() -> None:
    source = (
        "class A:\n    def __init__(self):\n        self.all = {}\n"
        "    def set(self, key: int, value: int):\n        self.all[key] = value\n"
        "    def record(self, one: int):\n        self.all[one] = 0\n"
        "    def get(self, key: int):\n        return self.all.get(key)\n"
    )
    (before,) = [types for types, role in roles(source, "A.get").values() if role == "before"]
    assert [str(one) for one in parse_type(before).inner[0].inner] == ["'set{a: int, b: int}", "'record{a: int}"]


def test_a_data_class_is_made_of_its_fields_and_those_of_its_base() -> None:
    source = (
        "from dataclasses import dataclass, field\n@dataclass\nclass A:\n    a: str\n@dataclass\nclass B(A):\n"
        "    b: int = 1\n    c: list[int] = field(init=False)\n    def f(self): return self.a * self.b\n"
    )
    assert roles(source, "B.f") == {"a": ("str", "constructor"), "b": ("int", "constructor")}


def test_a_default_that_is_kept_asks_for_earlier_calls() -> None:
    assert list(roles("def f(a: int, b=[]):\n    b.append(a)\n    return b\n", "f")) == ["a", "b", "calls before"]
    fixed = "def f(a: int, b=None):\n    b = [] if b is None else b\n    return b\n"
    # Only where the other side keeps something.
    assert roles(fixed, "f")["calls before"][0] == "default"
    assert "calls before" not in roles("def f(a: int, b=None):\n    return a if b is None else b\n", "f")


def test_a_class_of_javascript_is_constructed_with_arguments() -> None:
    source = "class R { constructor (a, b = 2) { this.a = a; this._b = b } add (n) { this.a += n } }"
    found = prepare_script(Code(source, "javascript", "R.add")).parameters
    assert [(one.name, one.role, one.optional) for one in found] == [
        ("a", "constructor", False),
        ("n", "", False),
        ("b", "constructor", True),
        ("calls before", "before", True),
        ("call behind", "after", True),
    ]
    assert str(found[-1].types[0]) == 'union[choice["a"]]'


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("int | str", "union[int, str]"),
        ("Union[int, float, str, None]", "union[int, float, str]?"),
        ("int | float", "int"),
        ("Optional[str]", "str?"),
        ("list[int | str]", "list[union[int, str]]"),
        ("Annotated[int, 'metres']", "int"),
        ("Key", "union[int, str]"),
        ("UserId", "int"),
        ("T", "union[int, str]"),
        ("Movie", "record{title: str, year: union[int, default], note: union[str?, default]}"),
        ("Shape", "union[Circle{r: float}, Box{w: int}]"),
        ("Base", "union[Left{a: int}, Right{a: int, b: str}]"),
    ],
)
def test_what_an_annotation_says(written: str, expected: str) -> None:
    declared = DeclaredClasses(ast.parse(DECLARATIONS))
    assert annotated(ast.parse(written, mode="eval").body, declared.type_of)[0] == expected
    assert str(parse_type(expected)) == expected


DECLARATIONS = """
Key = int | str
UserId = NewType("UserId", int)
T = TypeVar("T", int, str)
LIMIT = 3
class Movie(TypedDict):
    title: str
    year: NotRequired[int]
    note: NotRequired[str | None]
class Shape(Protocol):
    def area(self) -> float: ...
class Circle:
    def __init__(self, r: float): ...
    def area(self): ...
class Box:
    def __init__(self, w: int): ...
    def area(self): ...
class Base(ABC):
    def __init__(self, a: int): ...
    @abstractmethod
    def f(self): ...
class Left(Base):
    def f(self): ...
class Right(Base):
    def __init__(self, a: int, b: str): ...
    def f(self): ...
"""


def test_imported_classes_are_read_when_they_are_asked_for() -> None:
    models = ast.parse(
        "class Line:\n    def __init__(self, n: int): ...\nclass Order:\n    def __init__(self, lines: list[Line]): ..."
    )
    asked: list[str] = []

    def imported(statement: ast.Import | ast.ImportFrom) -> Iterator[ast.Module]:
        asked.append(ast.unparse(statement))
        yield models

    declared = DeclaredClasses(ast.parse("from os import path\nfrom .models import Order"), imported)
    assert annotated(ast.parse("list[int]", mode="eval").body, declared.type_of) == ["list[int]"]
    assert not asked
    assert declared.type_of("Order") == "Order{lines: list[Line{n: int}]}"
    assert asked == ["from .models import Order"]


@pytest.mark.parametrize(
    ("left", "right", "both"),
    [
        ("union[int, str]", "union[str, int]", "union[int, str]"),
        ("union[int, str]", "str", "str"),
        ("union[int, str]", "list[int]", None),
        ("union[push{a: int}, pop{}]", "union[pop{}, peek{}]", "union[pop{}]"),
        ("union[push{a: int}, pop{}]", "union[push{a: int32}, pop{}]", "union[push{a: int32}, pop{}]"),
        ("union[int, default]", "union[int, default]", "union[int, default]"),
    ],
)
def test_unions_meet_in_what_both_take(left: str, right: str, both: str | None) -> None:
    met = common_type(parse_type(left), parse_type(right))
    assert (met and str(met)) == both


@pytest.mark.parametrize(
    ("written", "kind"),
    [("'set{key: int, next: 'set?}", "object"), ("'time<AM, PM>?", "enum"), ("record{a: int}", "record"),
     ("'record{a: list['date]}", "object"), ("'int8", "ref")],
)  # fmt: skip
def test_classes_and_methods_may_be_called_like_a_word_of_the_notation(written: str, kind: str) -> None:
    parsed = parse_type(written)
    assert (str(parsed), parsed.kind) == (written, kind)


@pytest.mark.parametrize(
    "written", ["union[int, str]?", "list[union[push{a: int}, pop{}]]", "record{a: int, b: union[str, default]}"]
)
def test_values_of_the_new_types_are_permitted_and_shrink_to_such(written: str) -> None:
    kind = parse_type(written)
    made = [one for (one,) in itertools.islice(generate([kind], Constants(("",)), 0), 60)]
    assert len({repr(one) for one in made}) > 20
    for one in made:
        assert check_value(one) == one
        assert is_chosen(kind, one)
    if kind.kind == "record":
        assert {len(one["map"]) for one in made if isinstance(one, dict)} == {1, 2}
        # A key that must be there is not left out of a smaller input.
        assert not is_chosen(kind, {"map": [["b", "x"]]})
        assert not all(is_chosen(kind, less) for less in smaller(made[0]))


def test_what_was_put_into_an_object_is_often_asked_for() -> None:
    types = [parse_type("int"), parse_type("list[union[put{a: int}]]"), parse_type("union[get{a: int}]")]
    made = itertools.islice(generate(types, Constants(("",)), 0), 60)
    same = 0
    for key, _, after in made:
        assert isinstance(after, dict)
        same += after["object"][1][0][1] == key
    assert same > 10


def test_methods_are_called_with_what_their_object_was_made_of() -> None:
    types = [parse_type("map[str, int]"), parse_type("list[union[move{a: str, b: str, c: int}, stop{}]]")]
    calls = [
        (dict(made["map"]), [one["object"] for one in before["list"]])
        for made, before in itertools.islice(generate(types, Constants(("",)), 0), 200)
        if isinstance(made, dict) and isinstance(before, dict)
    ]
    moves = [(made, dict(given)) for made, ones in calls for name, given in ones if name == "move"]
    assert sum(given["a"] in made and given["b"] in made for made, given in moves) > 20
    assert sum(given["a"] == given["b"] in made for made, given in moves) > 5
    # The same method often comes several times in a row.
    assert sum([name for name, _ in ones[:4]] == ["stop"] * 4 for _, ones in calls) > 3


def test_what_a_method_only_keeps_can_be_passed() -> None:
    source = (
        "class Cache:\n    def __init__(self, size: int):\n        self.all = {}\n        self.text = ''\n"
        "    def put(self, key, value):\n        if key in self.all:\n            self.all.move_to_end(key)\n"
        "        self.all[key] = value\n"
        "    def note(self, words):\n        self.text += words\n    def show(self):\n        return self.text\n"
    )
    assert roles(source, "Cache.show")["calls before"][0] == "list[union[put{a: int, b: int}, note{a: str}]]"


def test_fields_and_namesakes_say_what_methods_of_javascript_take() -> None:
    source = (
        "class Bus { constructor (limit) { this.limit = limit; this.all = new Map() }\n"
        "on (topic, name) { if (this.all.size < this.limit) this.all.set(topic, name) }\n"
        "emit (topic) { return this.all.get(topic.trim()) } }"
    )
    found = {one.name: str(one.types[0]) for one in prepare_script(Code(source, "javascript", "Bus.emit")).parameters}
    assert found == {"limit": "int", "topic": "str", "calls before": "list[union[on{a: str, b: int}]]"}


def test_other_methods_that_changed_are_not_called_where_others_show_the_object() -> None:
    before, after = parse_type("list[union[put{a: int}, take{}]]"), parse_type("union[default, low{}, size{}]")
    candidates = [[parse_type("map[str, int]")], [before], [after]]
    kept = without_methods(candidates, ["constructor", "before", "after"], ["put", "low"], "Store.take")
    assert [str(one[0]) for one in kept[1:]] == ["list[union[take{}]]", "union[default, size{}]"]
    # Without them, nothing would be in the object.
    empty = without_methods([[before], [after]], ["before", "after"], ["put"], "Store.take")
    assert empty == [[before], [after]]


def test_a_call_is_written_as_it_is_made() -> None:
    one = {"int": "1"}
    passed = ((0, "a", "named"), (1, "b", "named"), (2, "more", "rest"), (3, "key", "keyword"), (4, "rest", "keywords"))
    side = ExecutedSide("python", "f", order=(0, 1, 2, 3, 4), passed=passed)
    every = CallInput((one, one, {"list": [one, one]}, one, {"map": [["x", one]]}))
    assert describe_call(side, every) == "f(1, 1, 1, 1, key=1, x=1)"
    assert describe_call(side, CallInput((LEFT_OUT, one, LEFT_OUT, one, LEFT_OUT))) == "f(b=1, key=1)"
    script = ExecutedSide("javascript", "f", order=(0, 1, 2), passed=((2, "more", "rest"),))
    assert describe_call(script, CallInput((LEFT_OUT, one, {"list": [one]}))) == "f(undefined, 1, 1)"


def test_a_call_of_a_method_is_written_with_its_object() -> None:
    number = {"int": "1"}
    push = {"object": ["push", [["a", number]]]}
    side = ExecutedSide(
        "python", "pop", order=(0, 1, 2), owner="Stack", roles=((0, "constructor"), (1, "before"), (2, "after"))
    )
    call = CallInput((number, {"list": [push]}, "limit"))
    assert describe_call(side, call) == "stack = Stack(1); stack.push(1); stack.pop(); stack.limit"
    assert describe_call(side, CallInput((LEFT_OUT, {"list": []}, LEFT_OUT))) == "Stack().pop()"
    script = ExecutedSide("javascript", "Stack.pop", order=(0,), owner="Stack", roles=((0, "constructor"),))
    assert describe_call(script, CallInput((number,))) == "(new Stack(1)).pop()"


ACCOUNT = """
class Account:
    def __init__(self, owner: str, balance: float = 0.0):
        self.balance = balance
    def withdraw(self, amount: float) -> float:
        if amount <= 0 or amount {sign} self.balance:
            raise ValueError("amount")
        self.balance -= amount
        return self.balance
"""
QUEUE = (
    "class Queue {{ constructor () {{ this.items = [] }} add (x) {{ this.items.push(x) }} "
    "take () {{ return this.items.{method}() }} }}"
)
JAVA_STACK = (
    "import java.util.*; class Pile {{ private final Deque<Integer> items = new ArrayDeque<>(); "
    "void push(int x) {{ items.push(x); }} Integer pop() {{ return items.isEmpty() ? null : items.{method}(); }} }}"
)
PAIRS = {
    "sequence": ("python", "Stack.pop", STACK.format(at=""), STACK.format(at="0"), "different"),
    "same": ("python", "Stack.pop", STACK.format(at=""), STACK.format(at="-1"), "no-difference-found"),
    "constructor": ("python", "Account.withdraw", ACCOUNT.format(sign=">"), ACCOUNT.format(sign=">="), "different"),
    "kept default": (
        "python",
        "f",
        "def f(a: str, b=None):\n    b = [] if b is None else b\n    b.append(a)\n    return b\n",
        "def f(a: str, b=[]):\n    b.append(a)\n    return b\n",
        "different",
    ),
    "kept default beside others": (
        "python",
        "f",
        "def f(a, b=str, c=None):\n    c = {} if c is None else c\n    for x in a: c[x] = b(x)\n    return c\n",
        "def f(a, b=str, c={}):\n    for x in a: c[x] = b(x)\n    return c\n",
        "different",
    ),
    "deep recursion": (
        "python",
        "f",
        "def f(n: int) -> int: return 0 if n <= 0 else n + f(n - 1)\n",
        "def f(n: int) -> int: return n * (n + 1) // 2 if n > 0 else 0\n",
        "no-difference-found",
    ),
    "javascript": ("javascript", "Queue.take", QUEUE.format(method="shift"), QUEUE.format(method="pop"), "different"),
    "java": ("java", "Pile.pop", JAVA_STACK.format(method="pop"), JAVA_STACK.format(method="pollLast"), "different"),
}


@pytest.fixture(scope="module")
def harnesses() -> Iterator[Harnesses]:
    with Harnesses(Bubblewrap()) as made:
        yield made


def compared(harnesses: Harnesses, case: str) -> BehaviourComparison:
    language, entry, left, right, _ = PAIRS[case]
    one, other = (Code(text, language, entry) for text in (left, right))
    return compare_behaviour(one, other, harnesses, budget=SearchBudget(runs=100))


@needs_sandbox
@pytest.mark.parametrize("case", [one for one in PAIRS if PAIRS[one][0] == "python"])
def test_methods_of_objects_with_a_state_are_decided(case: str, harnesses: Harnesses) -> None:
    found = compared(harnesses, case)
    assert found.verdict == BehaviourVerdict(PAIRS[case][-1]), (found.reason, found.detail, found.types)


@pytest.mark.slow
@needs_sandbox
@pytest.mark.parametrize("case", [one for one in PAIRS if PAIRS[one][0] != "python"])
def test_so_are_those_of_other_languages(case: str, harnesses: Harnesses) -> None:
    if Bubblewrap().find({"javascript": "node", "java": "javac"}[PAIRS[case][0]]) is None:
        pytest.skip("not installed")
    found = compared(harnesses, case)
    assert found.verdict == BehaviourVerdict(PAIRS[case][-1]), (found.reason, found.detail, found.types)
