"""Tests that sources bring: what passes, what fails, and what says nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clonetruth.execution.brought_tests import BroughtOutcome, BroughtTest, BroughtVerdict, run_brought_test
from clonetruth.execution.harness import PROGRAM_LANGUAGES, ProgramRunner, Reason
from clonetruth.execution.sandbox import Bubblewrap
from tests.execution.sandboxed import needs_sandbox

PYTHON = BroughtTest(after="\nassert double(2) == 4\n")
SCRIPT = """
const _ = require("lodash")
if (!_.isEqual(double({a: [2, NaN]}), {a: [4, NaN]})) { throw 'Error' + JSON.stringify(x) }
"""
JAVASCRIPT = BroughtTest(after=SCRIPT)
TYPESCRIPT = BroughtTest(after="\nimport * as assert from 'assert'\nassert.deepEqual(double([2]), [4])\n")
CPP = BroughtTest(
    before="#include <stdexcept>\n#include <cstdlib>\n",
    after='\nint main() { if (twice(2) != 4) throw std::runtime_error("no"); }\n',
)
CSHARP = BroughtTest(
    before="using System;\nusing System.Collections.Generic;\nusing KellermanSoftware.CompareNetObjects;\nclass P {\n",
    after="""
    public static void Main() {
        var result = new CompareLogic().Compare(Twice(2), new List<List<int>> { new List<int> { 4 } });
        if (!result.AreEqual) { throw new Exception("no"); }
    }
}
""",
)


@pytest.fixture(scope="module")
def runner() -> Iterator[ProgramRunner]:
    with ProgramRunner(Bubblewrap()) as made:
        yield made


def outcome(runner: ProgramRunner, text: str, test: BroughtTest, language: str, seconds: float = 10) -> BroughtOutcome:
    how = PROGRAM_LANGUAGES["javascript" if language == "typescript" else language]
    if how.missing(runner.sandbox):
        pytest.skip(f"not installed: {', '.join(how.missing(runner.sandbox))}")
    return run_brought_test(text, test, language, runner, seconds=seconds)


@needs_sandbox
@pytest.mark.parametrize(
    ("language", "test", "right", "wrong"),
    [
        ("python", PYTHON, "def double(n):\n    return 2 * n", "def double(n):\n    return n"),
        (
            "javascript",
            JAVASCRIPT,
            "function double(o) { return {a: o.a.map(n => 2 * n)} }",
            "function double(o) { return o }",
        ),
        (
            "typescript",
            TYPESCRIPT,
            "const double = function (a: Array<number>): Array<number> { return a.map((n: number) => 2 * n) }",
            "const double = function (a: number[]): number[] { return a as any }",
        ),
        ("cpp", CPP, "int twice(int n) { return 2 * n; }", "int twice(int n) { return n; }"),
        (
            "csharp",
            CSHARP,
            "static List<List<int>> Twice(int n) { return new List<List<int>> { new List<int> { 2 * n } }; }",
            "static List<List<int>> Twice(int n) { return new List<List<int>> { new List<int> { n } }; }",
        ),
    ],
)
def test_right_code_passes_and_wrong_code_fails(
    runner: ProgramRunner, language: str, test: BroughtTest, right: str, wrong: str
) -> None:
    assert outcome(runner, right, test, language).passed
    assert outcome(runner, wrong, test, language).verdict is BroughtVerdict.FAILED


@needs_sandbox
@pytest.mark.parametrize(
    ("language", "test", "text", "reason"),
    [
        ("python", PYTHON, "def double(n:", Reason.PARSE),
        ("python", PYTHON, "import numpy_of_another_machine\ndef double(n): return 4", Reason.PACKAGE),
        ("python", PYTHON, "import sys\nsys.exit(0)", Reason.UNTESTED),
        ("python", PYTHON, "import os\ndef double(n):\n    os._exit(0)", Reason.UNTESTED),
        ("python", PYTHON, "def double(n):\n    while True: pass", Reason.TIMED_OUT),
        ("javascript", JAVASCRIPT, "function double(n) { process.exit(0) }", Reason.UNTESTED),
        ("javascript", JAVASCRIPT, "const x = require('left-pad'); function double(n) {}", Reason.PACKAGE),
        ("javascript", JAVASCRIPT, "function double(n) {", Reason.PARSE),
        ("typescript", TYPESCRIPT, "const double = (a: number[]) => { process.exit(0) }", Reason.UNTESTED),
        ("cpp", CPP, "int twice(int n) { exit(0); }", Reason.UNTESTED),
        ("cpp", CPP, "int twice(int n) { return n", Reason.COMPILE),
        ("cpp", CPP, "int twice(int n) { return helper(n); }", Reason.SYMBOL),
    ],
)
def test_what_says_nothing_is_undecided(
    runner: ProgramRunner, language: str, test: BroughtTest, text: str, reason: Reason
) -> None:
    found = outcome(runner, text, test, language, seconds=2)
    assert (found.verdict, found.reason) == (BroughtVerdict.UNDECIDED, reason), found


@needs_sandbox
def test_a_symbol_that_is_missing_when_the_fragment_runs_is_a_failure(runner: ProgramRunner) -> None:
    found = outcome(runner, "def double(n):\n    return helper(n)", PYTHON, "python")
    assert (found.verdict, found.detail) == (BroughtVerdict.FAILED, "NameError")


@needs_sandbox
def test_an_unknown_language_is_undecided(runner: ProgramRunner) -> None:
    assert run_brought_test("", PYTHON, "cobol", runner).reason is Reason.LANGUAGE
