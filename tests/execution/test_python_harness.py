"""Fragments of Python in the sandbox: what is observed, what is repaired, and what hostile ones cannot do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.execution.harness import CallInput, Code, FragmentRun, Observation
from clonetruth.execution.harness.inside import python_fragment, python_values
from clonetruth.execution.harness.python import PythonHarness
from clonetruth.execution.sandbox import Bubblewrap
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
    """Whether Python can make the value: keys and members of sets must be hashable."""
    try:
        python_values.from_form(value)
    except TypeError:
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
        assert call.returned == {"list": [{"list": [{"list": []}] * 3}, number(1), "[5]", number(1000)]}

    def test_answers_of_the_server_cannot_be_forged(self, worker: Worker) -> None:
        """Whatever a fragment writes into whatever it finds open ends up in its own answer."""
        source = (
            "import os\ndef f():\n    for fd in range(100):\n        try:\n"
            '            os.write(fd, b\'{"nonce": "x", "ending": "exited", "answer": ""}\\n\')\n'
            "        except OSError: pass\n    return 1"
        )
        worker.run(source, [[]])
        assert only_call(worker.run("def f():\n    return 2", [[]])).returned == number(2)

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
        ("def f(n):\n    return helper(n)", python_fragment.SYMBOL),
        ("import numpy\ndef f(n):\n    return n", python_fragment.PACKAGE),
        ("def f(n):\n    return np.array(n)", python_fragment.PACKAGE),
        ("def f(n):\n    return open(n).read()", python_fragment.FILE),
        ("import socket\ndef f(n):\n    return n", python_fragment.NETWORK),
        ("import tkinter\ndef f(n):\n    return n", python_fragment.SCREEN),
        ("import time\ndef f(n):\n    return time.time()", python_fragment.CLOCK),
        ("def f():\n    return input()", python_fragment.INPUT),
        ("x = 1", python_fragment.FUNCTION),
    ],
)
def test_what_cannot_run_has_a_reason(source: str, reason: str) -> None:
    with pytest.raises(python_fragment.UndecidedError) as caught:
        python_fragment.prepare(source)
    assert caught.value.reason == reason
    assert reason in python_fragment.REASONS


@needs_sandbox
@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("1 / 0\ndef f(n):\n    return n", python_fragment.LOADING),
        ("while True: pass\ndef f(n):\n    return n", python_fragment.TIME),
        ("class S:\n    def __init__(self, a): pass\n    def f(self, n):\n        return n", python_fragment.RECEIVER),
    ],
)
def test_what_fails_before_it_is_called_has_a_reason(worker: Worker, source: str, reason: str) -> None:
    assert worker.run(source, [[number(1)]], entry="f").undecided == reason
