"""Code that asks for numbers that are infinite, or none at all, gets some."""

from __future__ import annotations

import json
import shutil

import pytest

from clonetruth.execution import BehaviourVerdict, CallInput, Code, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.inputs.constants import Constants
from clonetruth.execution.inputs.shrinking import smaller
from clonetruth.execution.sandbox import Bubblewrap
from tests.execution.sandboxed import needs_sandbox

PAIRS = {
    "python": (
        "import math\ndef f(x: float) -> float:\n    return 0.0 if math.isinf(x) else x * 2\n",
        "def f(x: float) -> float:\n    return x * 2\n",
    ),
    "java": (
        "static double f(double x) { return Double.isNaN(x) ? 0 : x * 2; }",
        "static double f(double x) { return x * 2; }",
    ),
    "javascript": (
        "function f (x) { return Number.isFinite(x) ? x * 2 : 0 }",
        "function f (x) { return x * 2 }",
    ),
    "c": (
        "double f(double x) { return isnan(x) ? 0 : x * 2; }",
        "double f(double x) { return x * 2; }",
    ),
    "go": (
        'package p\nimport "math"\nfunc F(x float64) float64 { if math.IsInf(x, 0) { return 0 }; return x * 2 }',
        "package p\nfunc F(x float64) float64 { return x * 2 }",
    ),
    "csharp": (
        "static double F(double x) { return double.IsNegativeInfinity(x) ? 0 : x * 2; }",
        "static double F(double x) { return x * 2; }",
    ),
}


NEEDED = {"java": "javac", "javascript": "node", "c": "gcc", "go": "go", "csharp": "mcs"}


@needs_sandbox
@pytest.mark.skipif(shutil.which("mcs") is None, reason="mcs is not installed")
def test_a_decimal_number_with_an_exponent_is_a_number_of_csharp() -> None:
    with Harnesses(Bubblewrap()) as harnesses:
        harness = harnesses.get("csharp")
        assert harness is not None
        code = Code("static decimal F(decimal x) { return x + 1; }", "csharp")
        (seen,) = harness.run(code, [CallInput(({"decimal": "1E+3"},))]).observations
    assert seen.returned == {"decimal": "1001"}


@needs_sandbox
@pytest.mark.parametrize("language", PAIRS)
def test_a_lost_check_is_found(language: str) -> None:
    if language in NEEDED and shutil.which(NEEDED[language]) is None:
        pytest.skip(f"{NEEDED[language]} is not installed")
    left, right = PAIRS[language]
    with Harnesses(Bubblewrap()) as harnesses:
        found = compare_behaviour(
            Code(left, language), Code(right, language), harnesses, budget=SearchBudget(runs=100, seconds=60)
        )
    assert found.verdict is BehaviourVerdict.DIFFERENT
    assert found.witness is not None
    assert json.dumps(found.witness.call.arguments).split('"')[-2] in ("nan", "inf", "-inf")


@pytest.mark.parametrize(
    ("source", "asks"),
    [("if x != x: return 0", True), ("std::isfinite(x)", True), ("double.IsPositiveInfinity(x)", True),
     ("if x != y: return 0", False), ("is_finished(x)", False), ("best = float('inf')", False)],
)  # fmt: skip
def test_who_asks(source: str, asks: bool) -> None:
    assert Constants((source,)).asks_for_infinity is asks


@pytest.mark.parametrize("number", ["nan", "inf", "-inf"])
def test_numbers_become_ordinary_ones(number: str) -> None:
    assert {"float": (1.0).hex()} in list(smaller({"float": number}))
    assert {"float": number} not in list(smaller({"float": number}))
