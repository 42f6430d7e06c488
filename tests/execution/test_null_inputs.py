"""Null for an argument that only one side checks for it, and numbers at the limits of their types."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator

import pytest

from clonetruth.execution import BehaviourVerdict, Code, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.comparison import DEFAULT_POLICY, Difference, DifferencePolicy
from clonetruth.execution.inputs.constants import Constants
from clonetruth.execution.inputs.generation import generate
from clonetruth.execution.inputs.types import parse_type
from clonetruth.execution.sandbox import Bubblewrap
from tests.execution.sandboxed import needs_sandbox

COUNTED = DifferencePolicy(counted=DEFAULT_POLICY.counted | {Difference.NULL})
CASES = {
    "python": (
        "def norm(s):\n    if s is None:\n        return ''\n    return s.strip().lower()\n",
        "def norm(s):\n    return s.strip().lower()\n",
    ),
    "java": (
        "static String up(String s) { if (s == null) return null; return s.toUpperCase(); }",
        "static String up(String s) { return s.toUpperCase(); }",
    ),
    "javascript": (
        "function size(s) { return s === undefined || s === null ? 0 : s.trim().length; }",
        "function size(s) { return s.trim().length; }",
    ),
    "csharp": (
        'static string Up(string s) { return s == null ? "" : s.ToUpper(); }',
        "static string Up(string s) { return s.ToUpper(); }",
    ),
}
TOOLS = {"python": "python3", "java": "javac", "javascript": "node", "csharp": "mcs"}


@pytest.fixture(scope="module")
def harnesses() -> Iterator[Harnesses]:
    with Harnesses(Bubblewrap()) as made:
        yield made


@needs_sandbox
@pytest.mark.parametrize("language", CASES)
def test_a_check_for_null_that_only_one_side_has_is_a_difference_of_its_own(
    language: str, harnesses: Harnesses
) -> None:
    if shutil.which(TOOLS[language]) is None:
        pytest.skip(f"{TOOLS[language]} is not installed")
    with_check, without = (Code(text, language) for text in CASES[language])
    for left, right in ((with_check, without), (without, with_check)):
        found = compare_behaviour(left, right, harnesses, budget=SearchBudget(runs=40), policy=COUNTED)
        assert found.verdict is BehaviourVerdict.DIFFERENT
        assert found.witness is not None
        assert found.witness.call.arguments == (None,)
        assert found.witness.differences == (Difference.NULL,)
        # A judge sees it, and does not count it.
        assert found.under(DEFAULT_POLICY).verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND
    for both in (with_check, without):
        found = compare_behaviour(both, both, harnesses, budget=SearchBudget(runs=40), policy=COUNTED)
        assert Difference.NULL not in found.counts


def test_a_number_at_the_limit_of_its_type_meets_ordinary_numbers_in_code_without_constants() -> None:
    types = [parse_type("int32"), parse_type("int32")]
    made = list(itertools.islice(generate(types, Constants(("",)), 0), 200))
    for limit, other in itertools.product((-(1 << 31), (1 << 31) - 1), (3, 10)):
        assert ({"int": str(limit)}, {"int": str(other)}) in made
        assert ({"int": str(other)}, {"int": str(limit)}) in made
