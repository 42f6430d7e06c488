"""Programs are compared on inputs of the form that they read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.execution import BehaviourComparison, BehaviourVerdict, Code, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.comparison import (
    DEFAULT_COUNTED,
    Difference,
    DifferencePolicy,
    compare_calls,
    same_numbers,
)
from clonetruth.execution.harness import CallInput, Observation, Reason
from clonetruth.execution.inputs.grammar_texts import GrammarWriter, ValueRange, follows
from clonetruth.execution.inputs.stdin_grammar import infer_grammar
from clonetruth.execution.results import comparison_from_dict
from clonetruth.execution.sandbox import Bubblewrap
from tests.execution.sandboxed import needs_sandbox

TOTAL_PYTHON = "n = int(input())\na = list(map(int, input().split()))\nprint(sum(a))"
TOTAL_C = """#include <stdio.h>
int main() { int n, x, s = 0; scanf("%d", &n); while (n--) { scanf("%d", &x); s += x; } printf("%d\\n", s); }"""
ABSOLUTE = TOTAL_C.replace("s += x", "s += abs(x)").replace("<stdio.h>", "<stdlib.h>\n#include <stdio.h>")
LARGEST = TOTAL_C.replace("s += x", "if (x > s) s = x")
DIFFERENCE = """#include <stdio.h>
int main() { int a, b; scanf("%d %d", &a, &b); printf("%d\\n", b - a); }"""
DISTANCE = DIFFERENCE.replace("b - a", "b < a ? a - b : b - a")
WORDS = """#include <stdio.h>
int main() { int n = 0, c, in = 0; while ((c = getchar()) != EOF) { if (c > 32 && !in) n++; in = c > 32; }
  printf("%d\\n", n); }"""


@pytest.fixture(scope="module")
def harnesses() -> Iterator[Harnesses]:
    with Harnesses(Bubblewrap()) as made:
        yield made


INFERRED = DifferencePolicy(counted=DEFAULT_COUNTED | {Difference.INFERRED})


def compared(harnesses: Harnesses, left: Code, right: Code, *brought: str) -> BehaviourComparison:
    inputs = [CallInput(stdin=one) for one in brought]
    return compare_behaviour(left, right, harnesses, budget=SearchBudget(runs=40, seconds=60), inputs=inputs)


@needs_sandbox
def test_the_same_program_in_two_languages(harnesses: Harnesses) -> None:
    found = compared(harnesses, Code(TOTAL_PYTHON, "python"), Code(TOTAL_C, "c"))
    assert found.verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND
    assert found.precondition == "the input has the form n:number / n × (a:number) /"
    assert found.strength.normal == found.strength.runs


@needs_sandbox
def test_another_problem_with_the_same_input(harnesses: Harnesses) -> None:
    found = compared(harnesses, Code(TOTAL_C, "c"), Code(LARGEST, "c")).under(INFERRED)
    assert found.verdict is BehaviourVerdict.DIFFERENT
    assert found.witness is not None
    numbers = found.witness.call.stdin.split()
    assert len(numbers) == 1 + int(numbers[0])


@needs_sandbox
def test_negative_numbers_are_outside_of_the_likely_domain(harnesses: Harnesses) -> None:
    found = compared(harnesses, Code(TOTAL_C, "c"), Code(ABSOLUTE, "c"))
    assert found.verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND
    assert set(found.counts) == {Difference.DOMAIN}
    assert [one.differences for one in found.witnesses] == [(Difference.DOMAIN,)]
    assert "-" in found.witnesses[0].call.stdin
    strict = found.under(DifferencePolicy(counted=frozenset({Difference.OUTPUT, Difference.DOMAIN})))
    assert strict.verdict is BehaviourVerdict.DIFFERENT


@needs_sandbox
def test_a_condition_that_separates_the_inputs_becomes_a_precondition(harnesses: Harnesses) -> None:
    found = compared(harnesses, Code(DIFFERENCE, "c"), Code(DISTANCE, "c"))
    assert found.verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND
    assert found.precondition is not None
    assert found.precondition.endswith("a <= b")
    assert Difference.DOMAIN in found.counts


@needs_sandbox
def test_programs_that_read_other_things_differ(harnesses: Harnesses) -> None:
    found = compared(harnesses, Code(TOTAL_C, "c"), Code(DISTANCE, "c")).under(INFERRED)
    assert found.verdict is BehaviourVerdict.DIFFERENT


@needs_sandbox
def test_a_difference_on_an_inferred_form_counts_once_a_given_input_confirms_the_form(harnesses: Harnesses) -> None:
    sides = Code(TOTAL_C, "c"), Code(LARGEST, "c")
    found = compared(harnesses, *sides)
    assert found.why_undecided is Reason.CONFIRMATION
    assert [one.differences for one in found.witnesses] == [(Difference.INFERRED,)]
    # The class is recorded: another policy needs no other run.
    again = comparison_from_dict(json.loads(json.dumps(found.to_dict())))
    assert again.under(INFERRED).verdict is BehaviourVerdict.DIFFERENT
    # An input on which both agree, of the same form; and one of another form.
    assert compared(harnesses, *sides, "1\n5\n").verdict is BehaviourVerdict.DIFFERENT
    assert compared(harnesses, *sides, "0 5\n").why_undecided is Reason.CONFIRMATION
    # What is given is an input, whatever its form.
    assert compared(harnesses, *sides, "2 3 4 9\n").witness is not None


@pytest.mark.parametrize(
    ("text", "accepted"),
    [("2\n1 2\n", True), ("2 1 2", True), ("2\n1\n", False), ("2\n1 x\n", False), ("0\n", True), ("", False)],
)
def test_a_text_follows_a_grammar(text: str, accepted: bool) -> None:
    assert follows(infer_grammar(TOTAL_PYTHON, "python"), text) is accepted


@given(st.integers(0, 2**32), st.sampled_from(list(ValueRange)), st.integers(1, 6))
def test_what_is_written_by_a_grammar_follows_it(seed: int, values: ValueRange, size: int) -> None:
    for text, language in ((TOTAL_PYTHON, "python"), (TOTAL_C, "c"), (DIFFERENCE, "c")):
        grammar = infer_grammar(text, language)
        assert follows(grammar, GrammarWriter(grammar, Random(seed)).write(values, size).text)


@needs_sandbox
def test_a_difference_on_an_input_of_unknown_form_shows_nothing(harnesses: Harnesses) -> None:
    found = compared(harnesses, Code(WORDS, "c"), Code(WORDS.replace(", n)", ", n + n % 3)"), "c"))
    assert found.why_undecided is Reason.FORM


OPEN = """int main(void) { char kind; int x, n = 0; long b = 0;
  while (scanf(" %c %d", &kind, &x) == 2) { n++; if (kind == 'D') b += x; else if (kind == 'W' && x <= b) b -= x; }
  printf("%d %ld\\n", n, b); return 0; }"""


@needs_sandbox
def test_a_program_that_reads_commands_until_the_end(harnesses: Harnesses) -> None:
    found = compared(harnesses, Code(OPEN, "c"), Code(OPEN.replace("b += x", "b += x + x"), "c")).under(INFERRED)
    assert found.verdict is BehaviourVerdict.DIFFERENT
    assert found.precondition == "the input has the form * × (kind:D|W x:number)"
    same = compared(harnesses, Code(OPEN, "c"), Code(OPEN.replace("n++", "n = n + 1"), "c"))
    assert same.verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND


def test_numbers_in_another_form_are_not_other_numbers() -> None:
    found = compare_calls(Observation(output="Case #1: 0.5\n"), Observation(output="Case #1: 0.500000\n"))
    assert found == frozenset({Difference.FORMAT})
    assert not same_numbers("1", "1 2")
    assert not same_numbers("12", "13")
    assert not same_numbers("a1.5", "b1.5")
