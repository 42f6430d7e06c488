"""Which fragments keep something from one run to the next, and that nothing else does: processes, classes, texts."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.execution.comparison import compare_calls
from clonetruth.execution.harness import CallInput, Code, FragmentRun, Observation
from clonetruth.execution.harness.c.harness import CHarness
from clonetruth.execution.harness.inside.python_state import leaves_nothing
from clonetruth.execution.harness.java.types import JavaDeclarations
from clonetruth.execution.harness.observations import ObservationReader
from clonetruth.execution.harness.patience import TIMED_OUT, TOO_SLOW
from clonetruth.execution.harness.programs import ProgramRunner, ProgramSource
from clonetruth.execution.harness.python import PythonHarness
from clonetruth.execution.sandbox import Bubblewrap
from tests.execution.sandboxed import needs_sandbox
from tests.execution.test_values import VALUES

HIDDEN = """
import string

def f(x):
    same = string
    same.times = getattr(same, "times", 0) + x
    return same.times
"""
"""Leaves a trace that its text does not show."""

NONE = CallInput(({"int": "1"},))


def results(run: FragmentRun) -> list[object]:
    return [one.returned for one in run.observations]


class TestWhatATextLeaves:
    @pytest.mark.parametrize(
        "text",
        [
            "def f(x):\n    seen = []\n    seen.append(x)\n    return seen",
            "import math\nLIMIT = -3\n\ndef f(x, y=(1, 2)):\n    return math.floor(x) + LIMIT",
            "class A:\n    size = 0\n    def __init__(self, x):\n        super().__init__()\n        self.y[0] = x",
            "class A:\n    @staticmethod\n    def f(x):\n        return type(x).__name__",
        ],
    )
    def test_nothing(self, text: str) -> None:
        assert leaves_nothing(ast.parse(text))

    @pytest.mark.parametrize(
        "text",
        [
            "n = 0\n\ndef f(x):\n    global n\n    n += x",
            "seen = []\n\ndef f(x):\n    seen.append(x)",
            "if True:\n    seen = {}\n\ndef f(x):\n    seen[x] = 1",
            "def f(x, seen=[]):\n    seen.append(x)",
            "f = lambda x, seen={}: seen.setdefault(x, 1)",
            "from functools import cache\n\n@cache\ndef f(x):\n    return x",
            "def f(x):\n    f.times = x",
            "class A:\n    seen = []\n    def f(self, x):\n        self.seen.append(x)",
            "class A:\n    n = 0\n    def f(self):\n        A.n += 1",
            "class A:\n    n = 0\n    @classmethod\n    def f(cls):\n        cls.n += 1",
            "class A:\n    n = 0\n    def f(self):\n        type(self).n += 1",
            "class A:\n    n = 0\n    def f(self):\n        self.__class__.n += 1",
            "import sys\n\ndef f(x):\n    sys.setrecursionlimit(x)",
            "import os\n\ndef f(x):\n    os.environ[x] = x",
            "import math\n\ndef f(x):\n    math.pi = x",
            "def f(x):\n    globals()['n'] = x",
            "def f(x):\n    import threading\n    threading.Thread(target=print).start()",
            "from decimal import getcontext\n\ndef f(x):\n    getcontext().prec = x",
        ],
    )
    def test_something(self, text: str) -> None:
        assert not leaves_nothing(ast.parse(text))


@needs_sandbox
class TestProcessesOfPython:
    def test_a_process_is_kept_for_runs_of_the_same_seed_only(self) -> None:
        hidden, other = (
            Code(HIDDEN, "python"),
            Code("def f(x):\n    import string\n    return vars(string).get('times')", "python"),
        )
        with PythonHarness(Bubblewrap()) as harness:
            assert results(harness.run(hidden, [NONE] * 2)) == [{"int": "1"}, {"int": "2"}]
            assert results(harness.run(hidden, [NONE])) == [{"int": "3"}]
            for seed in (1, 2, 1, 2):
                # A replay is alone in its process.
                assert results(harness.run(hidden, [NONE], seed=seed)) == [{"int": "1"}]
            # Another fragment never sees it, whichever sandbox it gets.
            for text in ("", "\n", "\n\n"):
                assert results(harness.run(replace(other, text=other.text + text), [NONE])) == [None]

    def test_small_numbers_of_files_lead_nowhere(self) -> None:
        # The pipes of the process were there, and reading from one waited for as long as a call may take.
        code = Code("import os\n\ndef f(x):\n    return os.read(x, 1)", "python")
        calls = [CallInput(({"int": str(number)},)) for number in range(3, 20)]
        with PythonHarness(Bubblewrap()) as harness:
            assert {one.raised for one in harness.run(code, calls).observations} == {"OSError"}

    def test_what_shows_that_it_leaves_something_gets_a_new_process(self) -> None:
        code = Code("seen = []\n\ndef f(x):\n    seen.append(x)\n    return len(seen)", "python")
        with PythonHarness(Bubblewrap()) as harness:
            for _ in range(2):
                assert results(harness.run(code, [NONE] * 2)) == [{"int": "1"}, {"int": "2"}]

    def test_coverage_starts_anew_with_every_run(self) -> None:
        code = Code("def f(x):\n    if x:\n        return 1\n    return 2", "python")
        with PythonHarness(Bubblewrap()) as harness:
            runs = [harness.run(code, [NONE], coverage=True) for _ in range(2)]
        assert runs[0].observations[0].reached == runs[1].observations[0].reached != ()

    def test_a_process_that_ended_is_replaced(self) -> None:
        code = Code("def f(x):\n    import posix\n    if x:\n        posix._exit(0)\n    return x", "python")
        zero = CallInput(({"int": "0"},))
        with PythonHarness(Bubblewrap()) as harness:
            assert results(harness.run(code, [zero])) == [{"int": "0"}]
            assert [one.ended for one in harness.run(code, [NONE, zero]).observations] == ["exited"]
            assert results(harness.run(code, [zero])) == [{"int": "0"}]

    def test_the_server_does_not_run_outside_of_a_sandbox(self) -> None:
        name = "clonetruth.execution.harness.inside.python_server"
        done = subprocess.run(
            [sys.executable, "-m", name], input=b"{}\n", capture_output=True, env=dict(os.environ), check=False
        )
        assert done.returncode != 0
        assert b"in the sandbox only" in done.stderr


@needs_sandbox
class TestCompiled:
    def test_what_the_server_forgot_is_sent_again(self) -> None:
        source = ProgramSource("python", {"main.py": b"print(input())"}, "main.py")
        with ProgramRunner(Bubblewrap()) as runner:
            assert runner.run(source, ["a"]).outcomes[0].stdout == b"a\n"
            other = ProgramSource("python", {"main.py": b"print(1)"}, "main.py")
            runner._sent |= set(_digests(runner, other))
            assert runner.run(other, [""]).outcomes[0].stdout == b"1\n"
            assert runner.run(source, ["b"]).outcomes[0].stdout == b"b\n"

    def test_endless_c_ends_after_steps_and_the_next_call_is_right(self) -> None:
        code = Code("int f(int n) { int i = 0; while (n > 0) i++, i %= 7; return n + 1; }", "c")
        calls = [CallInput(({"int": str(one)},)) for one in (0, 1, 0, 2, -5, 3, 0)]
        with CHarness(Bubblewrap()) as harness:
            run = harness.run(code, calls)
        ended = [one.ended for one in run.observations]
        assert ended == [None, TIMED_OUT, None, TOO_SLOW, None, TOO_SLOW, None]
        assert [one.returned for one in run.observations if one.ended is None] == [
            {"int": "1"},
            {"int": "1"},
            {"int": "-4"},
            {"int": "1"},
        ]


def _digests(runner: ProgramRunner, source: ProgramSource) -> list[str]:
    """The keys under which a server would know a program."""
    with ProgramRunner(runner.sandbox) as another:
        another.run(source)
        return list(another._sent)


class TestClassesOfJava:
    @pytest.mark.parametrize(
        ("modifiers", "kind", "name", "keeps"),
        [
            (["static"], "int", "count", True),
            (["static", "final"], "java.util.List<java.lang.Integer>", "seen", True),
            (["static", "final"], "int", "LIMIT", False),
            (["static", "final"], "java.lang.String", "NAME", False),
            (["static"], "int", "given", False),
            ([], "int", "field", False),
        ],
    )
    def test_what_lasts(self, modifiers: list[str], kind: str, name: str, keeps: bool) -> None:
        field = {"name": name, "modifiers": modifiers, "type": kind}
        one = {"qualified": "Main", "binary": "Main", "kind": "CLASS", "fields": [field], "methods": [], "name": "Main"}
        assert JavaDeclarations([one]).has_state("Main", ("given",)) is keeps

    def test_an_input_of_another_class_lasts(self) -> None:
        field = {"name": "given", "modifiers": ["static"], "type": "int"}
        one = {
            "qualified": "Other",
            "binary": "Other",
            "kind": "CLASS",
            "fields": [field],
            "methods": [],
            "name": "Other",
        }
        assert JavaDeclarations([one]).has_state("Main", ("given",))


class TestReading:
    def test_the_same_text_is_read_once(self) -> None:
        reader = ObservationReader()
        text = '{"returned": {"list": [{"int": "1"}, "a"]}, "output": "x", "reached": [1]}'
        assert reader.read(text) is reader.read(text)
        assert reader.read(text) == Observation({"list": [{"int": "1"}, "a"]}, output="x", reached=(1,))

    @given(VALUES, VALUES)
    def test_what_was_read_once_is_compared_as_if_read_twice(self, value: object, other: object) -> None:
        text = json.dumps({"returned": value, "changed": [other]})
        once = ObservationReader().read(text)
        assert compare_calls(once, once) == compare_calls(once, ObservationReader().read(text))

    @given(st.sampled_from(["timed out", "undefined behaviour: overflow", None]), st.sampled_from(["KeyError", None]))
    def test_endings_are_compared_as_if_read_twice(self, ended: str | None, raised: str | None) -> None:
        once = Observation(ended=ended, raised=raised)
        assert compare_calls(once, once) == compare_calls(once, replace(once))

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            ("[]", "not an answer"),
            ("1", "not an answer"),
            ("{", "Expecting"),
            ('{"returned": {"int": "1x"}}', "not a whole number"),
            ('{"returned": {"list": [{"int": "٣"}]}}', "not a whole number"),
            ('{"returned": {"list": [{"int": ""}]}}', "not a whole number"),
            ('{"returned": {"list": [{"int": 1}]}}', "not a text"),
            ('{"returned": {"list": [{"int": "' + "9" * 10_001 + '"}]}}', "too many digits"),
            ('{"raised": {"a": 1}}', "raised is not a text"),
            ('{"output": []}', "not a text"),
            ('{"changed": {}}', "not a list"),
            ('{"reached": [true]}', "not points"),
            ('{"reached": ["1"]}', "not points"),
            ('{"returned": ' + '{"list": [' * 70 + "]}" * 70 + "}", "too deep"),
            ("[" * 100_000, "nested"),
        ],
    )
    def test_what_no_server_writes_is_refused(self, text: str, why: str) -> None:
        with pytest.raises(ValueError, match=why):
            ObservationReader().read(text)

    def test_bytes_become_texts(self) -> None:
        text = '{"returned": {"list": ["\\u00c3\\u00a9"]}, "output": "\\u00ff"}'
        assert ObservationReader(has_bytes=True).read(text) == Observation({"list": ["é"]}, output="\\xff")


def test_a_fragment_is_prepared_once_for_all_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, object, tuple[int, int]]] = []
    ready = {
        "ready": "f",
        "parameters": [],
        "repaired": [],
        "points": 0,
        "program": False,
        "owner": "",
        "property": False,
    }

    def ask(_: object, job: dict[str, Any], calls: bytes, code: Code, place: tuple[int, int]) -> tuple[Any, bytes]:
        asked.append((job["calls"], job["packed"], place))
        said = {**ready, "packed": "made", "leaves_nothing": True} if not job["calls"] else ready
        return {"nonce": job["nonce"], "ending": "exited"}, json.dumps(said).encode()

    monkeypatch.setattr(PythonHarness, "_ask", ask)
    harness, code = PythonHarness(Bubblewrap()), Code("def f(x): pass", "python")
    harness.run(code)
    for seed in range(3):
        harness.run(code, [NONE], seed=seed)
    slot = asked[1][2][1]
    assert asked == [(0, None, (1, 0)), (1, "made", (0, slot)), (1, "made", (1, slot)), (1, "made", (0, slot))]
    # Files around it are only sent to where it runs.
    harness.run(replace(code, files={"a.py": b""}), [NONE])
    assert asked[4][:2] == (1, None)
