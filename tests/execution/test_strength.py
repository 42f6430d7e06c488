"""How strong "no difference" is: seeded changes that inputs notice, and proofs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clonetruth.execution import BehaviourVerdict, Code, Harnesses
from clonetruth.execution.inputs.types import parse_type
from clonetruth.execution.mutants import drawn_changes, seeded_changes
from clonetruth.execution.proofs.crosshair import CrossHair, is_self_contained, python_annotation
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.search import SearchBudget, compare_behaviour
from tests.execution.sandboxed import needs_sandbox

needs_crosshair = pytest.mark.skipif(
    CrossHair(Bubblewrap()).missing() is not None, reason="needs crosshair-tool (the extra 'proofs')"
)
PLUS = "def f(x: int):\n    return x + 1"


@pytest.fixture(scope="module")
def harnesses() -> Iterator[Harnesses]:
    with Harnesses(Bubblewrap()) as made:
        yield made


class TestSeededChanges:
    def test_one_token_changes_and_texts_do_not(self) -> None:
        source = "def f(a, *b):\n    # a + b\n    return a < 2 and '1 + 1' or -a"
        changes = [(one.before, one.after) for one in seeded_changes(Code(source, "python"))]
        assert changes == [("<", "<="), ("<", ">="), ("2", "3"), ("2", "1"), ("and", "or"), ("or", "and")]

    def test_only_the_function_that_runs(self) -> None:
        code = Code("def g():\n    return 1\ndef f():\n    return 2", "python", "f")
        assert {one.line for one in seeded_changes(code)} == {4}

    def test_a_seed_decides_which(self) -> None:
        code = Code("def f(a):\n    return a + 1 - 2 * 3 + 4 - 5", "python")
        draws = [[one.text for one, _ in drawn_changes(code, 3, seed)] for seed in (1, 1, 2)]
        assert draws[0] == draws[1] != draws[2]

    @needs_sandbox
    def test_inputs_notice_them(self, harnesses: Harnesses) -> None:
        budget = SearchBudget(runs=20, mutants=4)
        found = compare_behaviour(Code(PLUS, "python"), Code(PLUS, "python"), harnesses, budget=budget)
        assert found.strength.mutation_score == 1.0
        dead = "def f(x: int):\n    if x == 10 ** 30:\n        return x + 1\n    return x"
        found = compare_behaviour(Code(dead, "python"), Code(dead, "python"), harnesses, budget=budget)
        assert found.strength.mutation_score is not None
        assert found.strength.mutation_score < 1.0


class TestCrossHair:
    @pytest.mark.parametrize(
        "source",
        [
            "import sys\ndef f(x): return x",
            "def f(x): return x.__class__",
            "def f(x): return eval(x)",
            "def f(x): return __builtins__",
            "from os import path\ndef f(x): return x",
            "def f(:",
        ],
    )
    def test_code_that_could_forge_a_proof_is_not_asked_about(self, source: str) -> None:
        assert not is_self_contained(source)
        assert is_self_contained("import math\ndef f(x): return math.floor(x) + len([x])")

    def test_types(self) -> None:
        assert python_annotation(parse_type("list[tuple[int, str]]")) == "List[Tuple[int, str]]"
        assert python_annotation(parse_type("Point{x: int}")) == ""

    @needs_sandbox
    @needs_crosshair
    @pytest.mark.slow
    def test_a_needle_is_found_and_replayed(self, harnesses: Harnesses) -> None:
        needle = "def f(x: int):\n    if x * 3 == 3703701:\n        return 0\n    return x + 1"
        budget = SearchBudget(runs=20, proof_seconds=10)
        found = compare_behaviour(Code(PLUS, "python"), Code(needle, "python"), harnesses, budget=budget)
        assert found.verdict is BehaviourVerdict.DIFFERENT
        assert found.witness is not None
        assert (found.witness.by, found.witness.call.arguments) == ("crosshair", ({"int": "1234567"},))

    @needs_sandbox
    @needs_crosshair
    @pytest.mark.slow
    def test_all_paths_are_a_proof(self, harnesses: Harnesses) -> None:
        other = "def f(x: int):\n    return 1 + x"
        budget = SearchBudget(runs=20, proof_seconds=10)
        found = compare_behaviour(Code(PLUS, "python"), Code(other, "python"), harnesses, budget=budget)
        assert found.verdict is BehaviourVerdict.PROVED_EQUAL
        assert found.strength.proof == "all paths (crosshair)"
