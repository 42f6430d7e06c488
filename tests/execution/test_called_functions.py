"""Only code that a call can reach counts for coverage: a file has other functions, too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clonetruth.code import language
from clonetruth.execution import BehaviourVerdict, Code, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.description import describe_verdict
from clonetruth.execution.harness.called_functions import called_functions, function_name, uncalled_functions
from clonetruth.execution.harness.harness import Reason
from clonetruth.execution.sandbox import Bubblewrap
from tests.execution.sandboxed import needs_sandbox

OTHER = "if (a > 1) { return 1; } else if (a < -9) { return 3; } while (a < 0) { a++; } return 2;"
PYTHON = (
    "if a > 1:\n        return 1\n    elif a < -9:\n        return 3\n    while a < 0:\n        a += 1\n    return 2"
)
FILES = {
    "python": (
        f"def other(a):\n    {PYTHON}\ndef more(a):\n    {PYTHON}\ndef f(a):\n    return twice(a) + 1\n"
        "def twice(a):\n    return a * 2\n"
    ),
    "java": (
        f"class A {{ static int other(int a) {{ {OTHER} }} static int more(int a) {{ {OTHER} }}"
        " static int f(int a) { return twice(a) + 1; } static int twice(int a) { return a * 2; } }"
    ),
    "javascript": (
        f"function other(a) {{ {OTHER} }}\nconst more = a => {{ {OTHER} }}\n"
        "function f(a) { return twice(a) + 1 }\nconst twice = a => a * 2\n"
    ),
    "c": (
        f"int twice(int a);\nint other(int a) {{ {OTHER} }}\nstatic int more(int a) {{ {OTHER} }}\n"
        "int f(int a) { return twice(a) + 1; }\nint twice(int a) { return a * 2; }\n"
    ),
    "cpp": (
        f"int twice(int a);\nint other(int a) {{ {OTHER} }}\nint more(int a) {{ {OTHER} }}\n"
        "int f(int a) { return twice(a) + 1; }\nint twice(int a) { return a * 2; }\n"
    ),
    "go": (
        "package main\n"
        "func other(a int) int { if a > 1 { return 1 }; if a < -9 { return 3 }; for a < 0 { a++ }; return 2 }\n"
        "func f(a int) int { return twice(a) + 1 }\nfunc twice(a int) int { return a * 2 }\n"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_functions_are_told_apart_by_name(name: str) -> None:
    root = language(name).parser.parse(FILES[name].encode()).root_node
    assert {function_name(one) for one in called_functions(root, "f")} == {"f", "twice"}
    assert {function_name(one) for one in uncalled_functions(root, "f")} <= {"other", "more"}
    assert uncalled_functions(root, "f")
    assert uncalled_functions(root, "missing") == []


@pytest.fixture(scope="module")
def harnesses() -> Iterator[Harnesses]:
    with Harnesses(Bubblewrap()) as made:
        yield made


@needs_sandbox
@pytest.mark.jdk
@pytest.mark.parametrize("name", FILES)
def test_other_functions_of_a_file_do_not_leave_a_pair_undecided(name: str, harnesses: Harnesses) -> None:
    code = Code(FILES[name], name, "f")
    found = compare_behaviour(code, code, harnesses, budget=SearchBudget(runs=20))
    if found.why_undecided is Reason.TOOLCHAIN:
        pytest.skip(f"{name}: {found.detail}")
    assert found.verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND, describe_verdict(found)
    # gcc keeps a copy of a function that it puts into its caller, and counts both.
    assert (found.strength.left_coverage or 0) >= (0.5 if name == "c" else 1)


@needs_sandbox
def test_the_verdict_says_what_is_lacking(harnesses: Harnesses) -> None:
    code = Code("def f(a: int):\n    return 7 if a < 10**15 else 8\n", "python")
    found = compare_behaviour(code, code, harnesses, budget=SearchBudget(runs=20))
    assert describe_verdict(found) == (
        "Undecided: no difference found, but the search was too weak (1 different result, 3 needed)."
    )
