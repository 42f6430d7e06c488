"""Fragments of Python in the sandbox: what is observed, what is repaired, and what hostile ones cannot do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.execution import Harnesses, Reason
from clonetruth.execution.harness import CallInput, Code, FragmentRun, Observation
from clonetruth.execution.harness.inside import python_entry, python_fragment, python_values
from clonetruth.execution.harness.python import PythonHarness
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.search import SearchBudget, compare_behaviour
from clonetruth.execution.values import Value, check_value
from tests.execution.test_values import VALUES

lacking = [one for one in Bubblewrap().layers() if one.needed and one.missing]
needs_sandbox = pytest.mark.skipif(bool(lacking), reason=f"the sandbox is not complete: {lacking}")


def number(value: int) -> Value:
    return {"int": str(value)}


class Worker:
    """A harness that takes a text and lists of arguments."""

    def __init__(self, harness: PythonHarness) -> None:
        self.harness = harness

    def run(self, source: str, calls: Sequence[Sequence[Value]], entry: str | None = None) -> FragmentRun:
        return self.harness.run(Code(source, "python", entry), [CallInput(tuple(one)) for one in calls])


@pytest.fixture(scope="module")
def worker() -> Iterator[Worker]:
    with PythonHarness(Bubblewrap(), seconds=4, seconds_per_call=0.5) as one:
        yield Worker(one)


def only_call(run: FragmentRun) -> Observation:
    assert run.undecided is None, (run.undecided, run.detail)
    (call,) = run.observations
    return call


@given(VALUES)
def test_values_go_in_and_come_out(value: Any) -> None:
    made = python_values.to_form(python_values.from_form({"list": [value]})) if _hashable(value) else {"list": []}
    assert check_value(made) is made


def _hashable(value: Any) -> bool:
    """Whether Python can make the value: keys and members of sets must be hashable, and enumerations be there."""
    try:
        python_values.from_form(value)
    except (TypeError, ValueError):
        return False
    return True


@given(st.recursive(st.one_of(st.none(), st.booleans(), st.text(), st.integers()), st.lists, max_leaves=10))
def test_plain_values_are_the_same_afterwards(value: Any) -> None:
    assert python_values.from_form(python_values.to_form(value)) == value


@needs_sandbox
class TestObservations:
    def test_each_observable_is_apart(self, worker: Worker) -> None:
        source = "def f(values, n):\n    print('seen', n)\n    values.append(n)\n    return len(values) / n"
        run = worker.run(source, [[{"list": []}, number(2)], [{"list": []}, number(0)]])
        one, other = run.observations
        assert (one.returned, one.output) == ({"float": (0.5).hex()}, "seen 2\n")
        assert one.changed == ({"list": [number(2)]}, number(2))
        assert (other.raised, other.returned) == ("ZeroDivisionError", None)
        assert [one.name for one in run.parameters] == ["values", "n"]

    def test_what_takes_too_long_is_cut_and_the_next_call_runs(self, worker: Worker) -> None:
        source = (
            "def f(n):\n    while n:\n        try:\n            while True: pass\n"
            "        except BaseException: pass\n    return 7"
        )
        slow, quick = worker.run(source, [[number(1)], [number(0)]]).observations
        assert slow.ended == "timed out"
        assert quick.returned == number(7)

    def test_generators_give_what_comes_out(self, worker: Worker) -> None:
        call = only_call(worker.run("def f(n):\n    for one in range(n): yield one", [[number(3)]]))
        assert call.returned == {"iterator": [number(one) for one in range(3)]}

    def test_without_an_end(self, worker: Worker) -> None:
        call = only_call(worker.run("import itertools\ndef f():\n    yield from itertools.count()", [[]]))
        assert isinstance(call.returned, dict)
        assert call.returned["iterator"][-1] == {"cut": "values"}

    @pytest.mark.parametrize(
        "body",
        [
            "class A:\n    def __eq__(self, other): raise ValueError\n    __hash__ = None\n    __repr__ = __eq__\n",
            "class A:\n    def __getattribute__(self, name): raise SystemExit\n",
            "class A:\n    def __del__(self): raise ValueError\n    __class__ = property(lambda self: 1 / 0)\n",
        ],
    )
    def test_objects_that_lie(self, worker: Worker, body: str) -> None:
        call = only_call(worker.run(body + "def f():\n    return A()", [[]], entry="f"))
        assert call.returned == {"object": ["A", []]}

    def test_large_and_endless_structures(self, worker: Worker) -> None:
        source = (
            "def f(n):\n    a = []\n    a.append(a)\n"
            "    return [lambda: a, lambda: list(range(10 ** 5)), lambda: 10 ** 50000, lambda: 'x' * 10 ** 7][n]()"
        )
        calls = worker.run(source, [[number(one)] for one in range(4)]).observations
        assert [one.ended for one in calls] == [None] * 4
        assert calls[0].returned == {"list": [{"cycle": 1}]}
        assert all("cut" in str(one.returned) for one in calls[1:])


@needs_sandbox
class TestHostile:
    """One fragment is undecided or lies about itself; the next one is not affected."""

    @pytest.mark.parametrize(
        "body",
        [
            "import os\n    os.kill(os.getppid(), 9)",
            "import os\n    os.kill(1, 15)",
            "import os\n    os._exit(3)",
            "import sys\n    sys.exit(0)",
            "import ctypes\n    ctypes.string_at(0)",
            "import sys, threading, time\n    threading.Thread(target=time.sleep, args=(1000,)).start()",
            "import json, sys\n    json.dumps = None\n    sys.modules.clear()",
            "import builtins\n    builtins.len = builtins.list = builtins.isinstance = None",
            "import sys\n    sys.setrecursionlimit(10 ** 9)\n    def g(): g()\n    g()",
            "import os\n    for folder in ('/tmp', '/box', '/dev/shm'):\n        os.makedirs(folder + '/a/b')\n"
            "        os.symlink('/usr', folder + '/link')\n        os.chmod(folder + '/a', 0)",
            "import signal\n    [signal.signal(one, signal.SIG_IGN) for one in range(1, 32) if one not in (9, 19)]\n"
            "    while True: pass",
            "bytearray(3 << 30)",
            "while True: print('x' * 10000)",
        ],
    )
    def test_the_next_fragment_is_not_affected(self, worker: Worker, body: str) -> None:
        worker.run(f"def f():\n    {body}\n    return 1", [[], []])
        probe = (
            "import os, json, sys\ndef f(n):\n    left = [os.listdir(one) for one in ('/tmp', '/box', '/dev/shm')]\n"
            "    return [left, len([1]), json.dumps([n]), sys.getrecursionlimit()]"
        )
        call = only_call(worker.run(probe, [[number(5)]]))
        # Its own working folder is made for each fragment that may look at files.
        left: Value = {"list": [{"list": []}, {"list": ["files"]}, {"list": []}]}
        assert call.returned == {"list": [left, number(1), "[5]", number(1000)]}

    def test_answers_of_the_server_cannot_be_forged(self, worker: Worker) -> None:
        """Whatever a fragment writes into whatever it finds open ends up in its own answer."""
        source = (
            "import os\ndef f():\n    for fd in range(100):\n        try:\n"
            '            os.write(fd, b\'{"nonce": "x", "ending": "exited", "answer": ""}\\n\')\n'
            "        except OSError: pass\n    return 1"
        )
        worker.run(source, [[]])
        assert only_call(worker.run("def f():\n    return 2", [[]])).returned == number(2)

    def test_who_reads_the_nonce_has_no_channel_for_it(self, worker: Worker) -> None:
        """Its process was forked from one that had read the job; only the other one writes answers."""
        source = (
            "import ctypes, glob, json, os, re\ndef f(n):\n    found = set()\n"
            "    for line in open('/proc/self/maps'):\n        span, rights = line.split()[:2]\n"
            "        if 'r' in rights and '[v' not in line:\n"
            "            first, last = (int(one, 16) for one in span.split('-'))\n"
            "            memory = ctypes.string_at(first, last - first)\n"
            "            found.update(one.decode() for one in re.findall(rb'nonce\": \"([0-9a-f]{32})', memory))\n"
            "    answer = json.dumps({'returned': {'int': '666'}}) + '\\n'\n    places = list(range(256))\n"
            "    places += glob.glob('/proc/*/fd/*') + ['/dev/stdout', '/dev/fd/1', '/proc/1/fd/1']\n"
            "    for nonce in found:\n"
            "        head = json.dumps({'nonce': nonce, 'ending': 'exited', 'length': len(answer)}) + '\\n'\n"
            "        for place in places:\n            try:\n"
            "                fd = place if isinstance(place, int) else os.open(place, os.O_WRONLY | os.O_NONBLOCK)\n"
            "                os.set_blocking(fd, False)\n                os.write(fd, (head + answer).encode())\n"
            "            except OSError: pass\n"
            "    return n + bool(found)"
        )
        found = worker.run(source, [[number(5)], [number(6)]])
        assert number(666) not in [one.returned for one in found.observations]
        assert only_call(worker.run("def f():\n    return 2", [[]])).returned == number(2)

    def test_coverage_that_is_claimed_is_not_enough(self, worker: Worker) -> None:
        """It says that it reached all of its code; what counts as no difference are runs and results, on the host."""
        source = (
            "import gc\ndef f(n: int):\n    for one in gc.get_objects():\n"
            "        if type(one) is set and one and all(type(x) is int for x in one): one.update(range(100))\n"
            "    if n == 10 ** 40: return 2\n    return 1"
        )
        with Harnesses(Bubblewrap()) as harnesses:
            same = compare_behaviour(
                Code(source, "python"), Code("def f(n: int):\n    return 1", "python"), harnesses,
                budget=SearchBudget(runs=20),
            )  # fmt: skip
        assert (same.why_undecided, same.strength.outputs) == (Reason.WEAK, 1)

    def test_the_server_cannot_be_looked_into(self, worker: Worker) -> None:
        source = (
            "import os\ndef f():\n    found = []\n    for name in ('mem', 'environ', 'fd', 'maps'):\n        try:\n"
            "            path = f'/proc/{os.getppid()}/{name}'\n"
            "            found.append(os.listdir(path) if name == 'fd' else os.open(path, os.O_RDWR))\n"
            "        except OSError: pass\n    return found"
        )
        assert only_call(worker.run(source, [[]])).returned == {"list": []}

    def test_no_process_can_be_started(self, worker: Worker) -> None:
        call = only_call(worker.run("import os\ndef f():\n    return os.fork()", [[]]))
        assert call.raised == "PermissionError"


@needs_sandbox
@pytest.mark.parametrize(
    ("source", "arguments", "expected"),
    [
        ("def f(n):\n  if n > = 3: return n\n  return n ! = 1", [5], 5),
        ("def f(n):\n\tprint n\n\ttry:\n\t\treturn long(n)\n\texcept ValueError, e:\n\t\traise", [5], 5),
        ("def f(n):\n    return int(sqrt(n)) + len(Counter([n]))", [9], 4),
        ("    def f(self, n):\n        return n + 1", [1], 2),
        ("def f(self, n):\n    return 1 if n < 1 else n * self.f(n - 1)", [4], 24),
        ("class S:\n    def f(self, n: int) -> int:\n        return n", [3], 3),
        ("class S:\n    @staticmethod\n    def f(n):\n        return n", [3], 3),
        ("def helper(n):\n    return n\ndef main_one(n):\n    return helper(n) + 1", [3], 4),
        ("def f(n: List[int], root: Optional[TreeNode] = None):\n    return n", [3], 3),
        ("def f(n):\n    return math.floor(n)", [3], 3),
        (
            "class S:\n    def __init__(self, a):\n        self.a = a\n    def f(self, n):\n        return self.a + n",
            [1, 2],
            3,
        ),
        ("class S:\n    @classmethod\n    def f(cls, n):\n        return n", [3], 3),
        ("class S:\n    @property\n    def f(self):\n        return 4", [], 4),
        ("async def f(n):\n    import asyncio\n    await asyncio.sleep(0)\n    return n", [3], 3),
        ("import asyncio\nasync def f(n):\n    await asyncio.sleep(3600)\n    return n", [3], 3),
        (
            "import asyncio\nasync def late(s, seen):\n    await asyncio.sleep(s)\n    seen.append(s)\n"
            "async def main(n, seen):\n    await asyncio.gather(late(n * 60, seen), late(60, seen))\n"
            "    await asyncio.to_thread(seen.append, 1)\n"
            "def f(n):\n    seen = []\n    asyncio.run(main(n, seen))\n    return seen[1] + len(seen)",
            [3],
            183,
        ),
        ("f = lambda n: n + 1", [3], 4),
        ("def f(*, n):\n    return n", [3], 3),
        ("@lru_cache(None)\ndef f(n):\n    return n if n < 2 else f(n - 1) + f(n - 2)", [40], 102334155),
        ("def f(n):\n    time.sleep(100)\n    return bisect.bisect([1, 2], n)", [1], 1),
        ("def f(n):\n    a = [1, 2, 3]\n    m = len(a) / 2\n    return a[m] + n", [0], 2),
        (">>> def f(n):\n...     return n", [3], 3),
        ("def f(n):\n    exec 'n = 1'\n    return `n` and n <> 2 and n", [3], 3),
        ("def f(n):\n    return n\nprint(undefined_name)", [3], 3),
        ("import numpy\ndef f(n):\n    return n", [3], 3),
    ],
)
def test_fragments_are_made_to_run(worker: Worker, source: str, arguments: list[int], expected: int) -> None:
    call = only_call(worker.run(source, [[number(one) for one in arguments]]))
    assert call.returned == number(expected), call


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("def f(:", python_fragment.PARSE),
        ("(" * 100_000, python_fragment.PARSE),
        ("import numpy\ndef f(n):\n    return numpy.sum(n)", python_fragment.PACKAGE),
        ("def f(n):\n    return np.array(n)", python_fragment.PACKAGE),
        ("import socket\ndef f(n):\n    return socket.socket()", python_fragment.NETWORK),
        ("import tkinter\ndef f(n):\n    return tkinter.Tk()", python_fragment.SCREEN),
        ("import time\ndef f(n):\n    return time.monotonic()", python_fragment.CLOCK),
        ("import math", python_fragment.FUNCTION),
    ],
)
def test_what_cannot_run_has_a_reason(source: str, reason: str) -> None:
    with pytest.raises(python_fragment.UndecidedError) as caught:
        python_entry.prepare(source, "f")
    assert caught.value.reason == reason
    assert reason in python_fragment.REASONS


@needs_sandbox
@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("1 / 0\ndef f(n):\n    return n", python_fragment.LOADING),
        ("while True: pass\ndef f(n):\n    return n", python_fragment.TIME),
    ],
)
def test_what_fails_before_it_is_called_has_a_reason(worker: Worker, source: str, reason: str) -> None:
    assert worker.run(source, [[number(1)]], entry="f").undecided == reason


@needs_sandbox
class TestSurroundings:
    """What a fragment reads without defining it is an input like any other."""

    def test_fields_of_self_are_read_and_changed(self, worker: Worker) -> None:
        source = "def add(self, n):\n    self.total += n * self.factor\n    return super().__init__()"
        run = worker.run(source, [])
        assert [(one.name, one.implicit) for one in run.parameters] == [("n", False), ("self", True)]
        receiver: Value = {"object": ["R", [["total", number(1)], ["factor", number(2)]]]}
        call = only_call(worker.run(source, [[number(3), receiver]]))
        assert call.changed is not None
        assert call.changed[1] == {"object": ["__", [["factor", number(2)], ["total", number(7)]]]}

    def test_functions_and_variables_of_the_file_around(self, worker: Worker) -> None:
        source = "def f(n):\n    log_it(n)\n    return [helper(one) for one in LIMITS if one < n]"
        run = worker.run(source, [])
        types = {one.name: str(one.types[0]) for one in run.parameters if one.implicit}
        assert types == {"LIMITS": "list[int]", "helper": "function[any]", "log_it": "procedure[any]"}
        functions: list[Value] = [{"function": ["function", ["x"]]}, {"function": ["procedure", []]}]
        call = only_call(worker.run(source, [[number(3), {"list": [number(1), number(5)]}, *functions]]))
        assert call.returned == {"list": ["x"]}
        assert call.changed is not None
        assert call.changed[3] == {"list": [{"tuple": [number(3)]}]}

    def test_without_them_the_missing_name_is_told(self, worker: Worker) -> None:
        assert only_call(worker.run("def f(n):\n    return helper(n)", [[number(1)]])).missing == "helper"

    def test_graphs_with_circles(self, worker: Worker) -> None:
        node: Value = {"object": ["Node", [["successors", {"list": [{"cycle": 2}]}]]]}
        call = only_call(worker.run("def f(node):\n    return node.successors[0] is node", [[node]]))
        assert call.returned is True

    def test_what_follows_a_default_is_passed_by_name(self, worker: Worker) -> None:
        call = only_call(
            worker.run("def f(a, b=2, c=3):\n    return [a, b, c]", [[number(1), {"opaque": "default"}, number(4)]])
        )
        assert call.returned == {"list": [number(1), number(2), number(4)]}

    def test_standard_input_of_each_call(self, worker: Worker) -> None:
        calls = [CallInput(stdin="1\n"), CallInput(stdin="2\n")]
        run = worker.harness.run(Code("def f():\n    return int(input()) + 1", "python"), calls)
        assert [one.returned for one in run.observations] == [number(2), number(3)]

    def test_programs_read_and_print(self, worker: Worker) -> None:
        code = Code("n = int(input())\nfor i in range(n): print(i)", "python")
        run = worker.harness.run(code, [CallInput(stdin="2\n")])
        assert run.kind == "program"
        assert run.observations[0].output == "0\n1\n"

    def test_files_of_the_project(self, worker: Worker) -> None:
        files = {"shop/__init__.py": b"RATE = 3\nfrom .cart import total", "shop/tax.py": b"FACTOR = 2"}
        text = "from . import RATE\nfrom .tax import FACTOR\ndef total(n):\n    return n * FACTOR * RATE"
        code = Code(text, "python", "total", "shop/cart.py", files)
        assert only_call(worker.harness.run(code, [CallInput((number(2),))])).returned == number(12)

    def test_points_that_are_reached(self, worker: Worker) -> None:
        source = (
            "def g(n):\n    return n\ndef f(n):\n    if n > 2:\n        return g(n)\n    return 0\n"
            "def other():\n    pass"
        )
        calls = [CallInput((number(one),)) for one in (1, 2, 3)]
        run = worker.harness.run(Code(source, "python", "f"), calls, coverage=True)
        assert run.points == 3
        assert [len(one.reached) for one in run.observations] == [1, 0, 2]

    def test_sets_have_another_order_with_another_seed(self, worker: Worker) -> None:
        code = Code("def f():\n    return list({'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'})", "python")
        orders = {str(worker.harness.run(code, [CallInput()], seed=seed).observations[0].returned) for seed in (0, 1)}
        assert len(orders) == 2


@pytest.mark.parametrize(
    ("source", "types"),
    [
        ("def f(a: list[int], b: Optional[str]): pass", ["list[int]", "str?"]),
        ("def f(a, b):\n    return a.split(b)", ["str", "str"]),
        ("def f(a):\n    for x, y in a.items(): y.append(x + 'z')", ["map[str, list[int]]"]),
        ("def f(a):\n    return [word.upper() for word in a]", ["list[str]"]),
        ("def f(matrix):\n    return matrix[0][1] + 1", ["list[list[int]]"]),
        ("def f(a):\n    return a['key'] % 2", ["map[str, int]"]),
        ("def f(pred, xs):\n    return [x for x in xs if pred(x)]", ["function[any]", "list[int]"]),
        (
            "def f(root):\n    return root and f(root.left) + root.data",
            ["TreeNode{data: int, left: TreeNode?, right: TreeNode?}?"],
        ),
        ("def f(a, n=2.5):\n    return a ** n", ["int", "float"]),
        ('def f(a):\n    """Does.\n\n    Args:\n        a (str): the text\n    """', ["str"]),
        ("def f(a):\n    return isinstance(a, dict)", ["map[str, int]"]),
        ("def f(edges):\n    return edges[1, 2]", ["map[tuple[int, int], int]"]),
        ("def f(key, table):\n    return table[key] if key in table else 0", ["int", "map[int, int]"]),
        ("def f(values, key):\n    return [one for one in values if one > key]", ["list[int]", "int"]),
        ("def f(values, key):\n    return sorted(values, key=key)", ["list[int]", "function[int]"]),
    ],
)
def test_types_are_inferred_from_use(source: str, types: list[str]) -> None:
    prepared = python_entry.prepare(source, "f")
    assert [one.types[0] for one in prepared.parameters] == types
