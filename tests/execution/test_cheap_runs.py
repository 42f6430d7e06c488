"""What makes runs of Python cheaper does not change what they show."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.execution.harness import CallInput, Code
from clonetruth.execution.harness.harness import FragmentRun, Observation
from clonetruth.execution.harness.inside import python_values, python_walk
from clonetruth.execution.harness.python import PythonHarness
from clonetruth.execution.input_stream import InputStream
from clonetruth.execution.inputs.constants import Constants
from clonetruth.execution.inputs.generation import generate
from clonetruth.execution.inputs.shrinking import shrink
from clonetruth.execution.inputs.types import parse_type
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.values import Value
from tests.execution.sandboxed import needs_sandbox

EVERY_STATEMENT = """
async def f(a, /, b: int = 1, *c, d=2, **e) -> str:
    global g
    async with h() as i, j: await k
    async for l in m: continue
    return [n async for o in p if q] or {r: s for t in u} or {*v} or (w for x in y)
class A(B, metaclass=C):
    x: int = 1; y = lambda z: z[1:2, ::3]
    try: del x.y
    except* (D, E) as error: raise F from error
    else: nonlocal_ = f"{a!r:>{b}}" if not -c else d @ e
    finally: assert x, y
match a:
    case {"b": [1, *c], **d} | A(x=1) as e if (f := g): pass
    case None | _: import h.i as j; from . import k
while a < b <= c: a += 1; break
"""


@pytest.mark.parametrize(
    "path", sorted(Path(python_walk.__file__).parent.glob("python_*.py")), ids=lambda one: one.name
)
def test_the_walk_gives_the_nodes_of_the_standard_library_in_their_order(path: Path) -> None:
    for text in (path.read_text(), EVERY_STATEMENT):
        tree = ast.parse(text)
        wanted = [one for one in ast.walk(tree) if not isinstance(one, ast.expr_context)]
        assert list(python_walk.walk(tree)) == wanted


@settings(max_examples=30)
@given(st.integers(0, 2_000), st.integers(-300, 300), st.lists(st.integers(-9, 9), max_size=8), st.integers(1, 40))
def test_smaller_inputs_are_the_same_however_many_are_asked_at_once(
    number: int, limit: int, elements: list[int], first: int
) -> None:
    arguments: tuple[Value, ...] = ({"int": str(number)}, {"list": [{"int": str(one)} for one in elements]})
    asked: list[int] = []

    def differs(calls: Sequence[tuple[Value, ...]]) -> list[bool]:
        asked.append(len(calls))
        return [_number(call[0]) + len(_list(call[1])) > limit for call in calls]

    whole = shrink(arguments, differs)
    together, asked[:] = sum(asked), []
    assert shrink(arguments, differs, first=first) == whole
    assert sum(asked) <= together


def _number(value: Value) -> int:
    assert isinstance(value, dict)
    return int(value["int"])


def _list(value: Value) -> list[Value]:
    assert isinstance(value, dict)
    return list(value["list"])


@pytest.mark.parametrize("types", ["int", "list[int] str", "map[str, list[str]]", "Node{val: int, next: Node?}"])
def test_inputs_that_are_remembered_are_those_that_are_made(types: str) -> None:
    kinds = [parse_type(one) for one in ([types] if "{" in types or "," in types else types.split())]
    texts = ("def f(a): return a + 17", "def f(a): return 'x'")
    stream = InputStream(texts, 3)
    made = list(itertools.islice(generate(kinds, Constants(texts), 3), 120))
    for count in (5, 120, 60):
        assert list(itertools.islice(stream.generated(kinds), count)) == made[:count]
    stream.only_small = True
    small = list(itertools.islice(generate(kinds, Constants(texts), 3, only_small=True), 20))
    assert list(itertools.islice(stream.generated(kinds), 20)) == small


def results(run: FragmentRun) -> list[Observation]:
    assert run.undecided is None
    return list(run.observations)


@needs_sandbox
class TestInTheSandbox:
    def test_each_call_finds_the_same_files_whatever_the_one_before_did(self) -> None:
        text = """
import os

def f(n):
    before = sorted(os.listdir(".")), open("a.txt").read(), os.path.islink("empty.txt"), os.listdir("data")
    if n == 1:
        os.makedirs("data/new/deeper")
        open("data/new/deeper/x", "w").write("1")
    elif n == 2:
        open("a.txt", "w").write("other")
    elif n == 3:
        os.remove("empty.txt")
        os.symlink("a.txt", "empty.txt")
    elif n == 4:
        os.chmod("folder/deep", 0)
    elif n == 5:
        os.rename("data", "gone")
    return before
"""
        calls = [CallInput(({"int": str(one)},)) for one in (0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 1, 2)]
        with PythonHarness(Bubblewrap()) as harness:
            seen = results(harness.run(Code(text, "python"), calls))
        assert [one.raised for one in seen] == [None] * len(calls)
        assert len({repr(one.returned) for one in seen}) == 1
        assert [bool(one.output) for one in seen] == [one.arguments[0] != {"int": "0"} for one in calls]

    def test_what_does_not_compile_is_undecided_as_before(self) -> None:
        with PythonHarness(Bubblewrap()) as harness:
            run = harness.run(Code("def f(x):\n    return x\nbreak\n", "python"), [CallInput(({"int": "1"},))])
        assert run.undecided is not None
        assert run.undecided.value == "does not parse"

    def test_changed_arguments_are_said_beside_those_that_cannot_change(self) -> None:
        text = "def f(a, b, c):\n    if a:\n        b.append(c)\n    return len(b)\n"
        calls = [CallInput(({"int": str(one)}, {"list": ["x", {"int": "5"}]}, "é")) for one in (0, 1)]
        with PythonHarness(Bubblewrap()) as harness:
            seen = results(harness.run(Code(text, "python"), calls))
        assert [one.changed for one in seen] == [None, ({"int": "1"}, {"list": ["x", {"int": "5"}, "é"]}, "é")]

    def test_a_long_output_of_a_call_that_raises_is_cut(self) -> None:
        text = "def f(n):\n    print('x' * 90_000)\n    return 1 // n\n"
        calls = [CallInput(({"int": str(one)},)) for one in (0, 1)]
        with PythonHarness(Bubblewrap()) as harness:
            seen = results(harness.run(Code(text, "python"), calls))
        assert [(one.raised, len(one.output)) for one in seen] == [("ZeroDivisionError", 1_000), (None, 90_001)]


def _answer(argument: object) -> object:
    return python_values.StandIn([{"int": str(one)} for one in range(50)], keeps_calls=False)(argument)


@given(st.lists(st.one_of(st.integers(-3, 3), st.booleans(), st.none(), st.text("ab", max_size=2), st.floats(-2, 2))))
def test_a_stand_in_that_remembers_answers_as_one_that_does_not(arguments: list[object]) -> None:
    stand_in = python_values.StandIn([{"int": str(one)} for one in range(50)], keeps_calls=False)
    assert [stand_in(one) for one in arguments * 2] == [_answer(one) for one in arguments * 2]


def test_what_a_stand_in_returns_can_be_changed() -> None:
    stand_in = python_values.StandIn([{"list": []}, {"list": []}], keeps_calls=False)
    stand_in("a").append(1)
    assert stand_in("a") == []


@needs_sandbox
def test_filling_the_memory_is_no_result_and_leaves_the_next_call_alone() -> None:
    code = Code("def f(x):\n    return len('a' * x)", "python")
    calls = [CallInput(({"int": str(one)},)) for one in (3, 1 << 29, 1 << 34, 5)]
    with PythonHarness(Bubblewrap()) as harness:
        found = harness.run(code, calls).observations
    assert [one.ended for one in found] == [None, "out of memory", "out of memory", None]
    assert [one.returned for one in found[::3]] == [{"int": "3"}, {"int": "5"}]
