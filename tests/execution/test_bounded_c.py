"""Bounded proofs for C: what is asked, what is read out of the answer, and real answers where a checker is there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from clonetruth.execution.harness import CallInput, Code
from clonetruth.execution.inputs.types import parse_type
from clonetruth.execution.proofs.bounded_c import BoundedChecker, Cbmc, Esbmc, NotProvableError, product
from clonetruth.execution.proofs.proof import Proof
from clonetruth.execution.proofs.registry import PROVERS
from clonetruth.execution.sandbox import Bubblewrap
from tests.execution.sandboxed import needs_sandbox

DOUBLE, SUM = Code("int f(int x) { return x * 2; }", "c"), Code("int g(int x) { return x + x; }", "c")
FAILED = """
State 1 file product.c line 9 function main thread 0
----------------------------------------------------
  ct_a0 = -5 (11111111 11111111 11111111 11111011)
Violated property:
  file product.c line 9 function main
  ct_same
VERIFICATION FAILED
"""
UNWOUND = "Violated property:\n  unwinding assertion loop 1\nVERIFICATION FAILED\nwarning: ct_same\n"


class Told(Esbmc):
    """A checker whose answers are given."""

    def __init__(self, *answers: str) -> None:
        super().__init__(Bubblewrap(), "/usr/bin/true")
        self.answers = list(answers)
        self.asked: list[str] = []

    def _ask(self, program: str, text: str, flags: Sequence[str], seconds: float) -> str:
        self.asked.append(text)
        return self.answers.pop(0)


def told(*answers: str) -> Proof:
    return Told(*answers).prove(DOUBLE, SUM, [parse_type("int32")], 10)


class TestAnswers:
    def test_a_proof_of_all_paths(self) -> None:
        assert told("VERIFICATION SUCCESSFUL").proved == "all paths"

    def test_a_witness_is_read_from_its_bits(self) -> None:
        found = told(FAILED)
        assert found.proved is None
        assert found.witness_inputs == (CallInput(({"int": "-5"},)),)

    def test_a_bounded_proof_needs_a_path_that_ends(self) -> None:
        end = "Violated property:\n  ct_end\nVERIFICATION FAILED"
        assert told(UNWOUND, "VERIFICATION SUCCESSFUL", end).proved == "loops up to 8 iterations"
        vacuous = told(UNWOUND, "VERIFICATION SUCCESSFUL", "VERIFICATION SUCCESSFUL")
        assert (vacuous.proved, vacuous.witness_inputs) == (None, ())

    def test_nonsense_proves_nothing(self) -> None:
        assert told("", "out of memory") == Proof(detail="no answer")
        assert told("ERROR: parsing failed", "ERROR: parsing failed").detail == "ERROR: parsing failed"


class TestQuestions:
    def test_both_sides_keep_their_names_apart(self) -> None:
        one = Code("#define N 3\nstatic int k = N;\nint h(int x) { return x; }\nint f(int x) { return h(x) + k; }", "c")
        text = product((one, one), [parse_type("int32")], "check")
        for name in ("k", "h", "f"):
            assert f"#define {name} ct_left_{name}" in text
            assert f"#define {name} ct_right_{name}" in text
        assert "check(ct_left_value == ct_right_value" in text

    @pytest.mark.parametrize(
        "text",
        [
            'int f(int x) { printf("%d", x); return x; }',
            "void f(int x) { }",
            "int f(int *x) { return *x; }",
            "int f(int x, int y) { return x; }",
            "int x;",
        ],
    )
    def test_what_cannot_be_asked(self, text: str) -> None:
        with pytest.raises(NotProvableError):
            product((DOUBLE, Code(text, "c")), [parse_type("int32")], "check")
        assert Told().prove(DOUBLE, Code(text, "c"), [parse_type("int32")], 1).proved is None

    def test_what_is_not_installed_is_said(self) -> None:
        for name in ("esbmc", "cbmc"):
            prover = PROVERS[name](Bubblewrap())
            assert prover.languages == {"c"}
            if prover.missing() is not None:
                assert "not installed" in prover.prove(DOUBLE, SUM, [parse_type("int32")], 1).detail


def checkers() -> list[BoundedChecker]:
    """The checkers of this machine; ESBMC_PROGRAM names one outside of `/usr`."""
    program = os.environ.get("ESBMC_PROGRAM")
    given = [Esbmc(Bubblewrap(readable=(str(Path(program).parent),)), program)] if program else []
    return [one for one in (*given, Esbmc(Bubblewrap()), Cbmc(Bubblewrap())) if one.missing() is None]


@needs_sandbox
@pytest.mark.slow
@pytest.mark.skipif(not checkers(), reason="neither esbmc nor cbmc is installed")
def test_real_answers() -> None:
    for checker in checkers():
        assert checker.prove(DOUBLE, SUM, [parse_type("int32")], 20).proved == "all paths"
        needle = Code("int f(int x) { if (x == 77777) return 1; return x + x; }", "c")
        assert checker.prove(DOUBLE, needle, [parse_type("int32")], 20).witness_inputs == (
            CallInput(({"int": "77777"},)),
        )
        up = Code("int f(int n) { int s = 0; for (int i = 1; i <= n; i++) s += i; return s; }", "c")
        down = Code("int f(int n) { int s = 0; for (int i = n; i >= 1; i--) s += i; return s; }", "c")
        assert checker.prove(up, down, [parse_type("int32")], 40).proved == "loops up to 8 iterations"
