"""Inputs on which solutions of a problem agree: what is believed, what is refused, what a difference on one says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from clonetruth.errors import MissingExtraError
from clonetruth.execution import BehaviourVerdict, CallInput, Code, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.agreed_inputs import find_agreed_inputs
from clonetruth.execution.comparison import Difference
from clonetruth.execution.harness.harness import Harness
from clonetruth.execution.literal_calls import read_calls
from clonetruth.execution.results import comparison_from_dict
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.search import inputs_digest
from tests.execution.sandboxed import needs_sandbox

SUMS = (
    "a, b = map(int, input().split())\nprint(a + b)\n",
    "x, y = input().split()\nprint(sum([int(x), int(y)]))\n",
    "n, m = [int(one) for one in input().split()]\nfor _ in range(m):\n    n += 1\nprint(n)\n",
)
FIRST = "a, b = map(int, input().split())\nprint(a)\n"
PRODUCT = "a, b = map(int, input().split())\nprint(a * b)\n"
FAILS = "a, b = map(int, input().split())\nprint(1 // 0)\n"
SAYS_YES = "a, b = map(int, input().split())\nprint('yes')\nassert a + b\n"
FUNCTION = "def add(a, b):\n    return a + b\n"


@pytest.fixture(scope="module")
def harnesses() -> Iterator[Harnesses]:
    with Harnesses(Bubblewrap()) as made:
        yield made


def _codes(*texts: str) -> list[Code]:
    return [Code(text, "python") for text in texts]


@needs_sandbox
def test_all_solutions_that_were_asked_agree_on_an_input(harnesses: Harnesses) -> None:
    found = find_agreed_inputs(_codes(*SUMS), harnesses, count=5)
    assert len(found.inputs) == 5
    assert {one.agreed for one in found.inputs} == {3}
    assert all(len(one.stdin.split()) == 2 for one in found.inputs)
    assert find_agreed_inputs(_codes(*SUMS), harnesses, count=5) == found, "the same seed gives the same inputs"


@needs_sandbox
def test_a_language_without_a_toolchain_does_not_silence_the_others(
    harnesses: Harnesses, monkeypatch: pytest.MonkeyPatch
) -> None:
    get = harnesses.get

    def lacking(language: str) -> Harness | None:
        if language == "csharp":
            raise MissingExtraError("Not installed: mono.", hint="apt-get install mono-mcs")
        return get(language)

    monkeypatch.setattr(harnesses, "get", lacking)
    found = find_agreed_inputs([Code("class P { }", "csharp"), *_codes(*SUMS)], harnesses, count=5)
    assert {one.agreed for one in found.inputs} == {3}


@needs_sandbox
@pytest.mark.parametrize(
    ("texts", "why"),
    [
        ((*SUMS[:2], FUNCTION), "too few solutions run"),
        ((*SUMS[:2], FAILS), "no form that the solutions take"),
        ((*SUMS[:2], PRODUCT), "the solutions disagree on most inputs"),
        ((SAYS_YES, *[f"{SAYS_YES}# {number}" for number in range(2)]), "all inputs give the same output"),
    ],
)
def test_otherwise_there_is_no_input_and_the_reason_is_said(
    harnesses: Harnesses, texts: tuple[str, ...], why: str
) -> None:
    found = find_agreed_inputs(_codes(*texts), harnesses)
    assert found.inputs == ()
    assert found.why_none == why


@needs_sandbox
def test_a_difference_on_an_agreed_input_counts_and_the_input_is_not_made_smaller(harnesses: Harnesses) -> None:
    one, other = _codes(SUMS[0], FIRST)
    budget = SearchBudget(runs=20, seconds=60)
    agreed = CallInput(stdin="70 30\n", agreed=3)
    found = compare_behaviour(one, other, harnesses, budget=budget, inputs=[agreed])
    assert found.verdict is BehaviourVerdict.DIFFERENT
    assert found.witness is not None
    assert (found.witness.call.stdin, found.witness.call.agreed) == ("70 30\n", 3)
    again = comparison_from_dict(found.to_dict())
    assert again.witness is not None
    assert again.witness.call.agreed == 3


@needs_sandbox
def test_an_agreed_input_does_not_confirm_others_of_its_form(harnesses: Harnesses) -> None:
    # They differ on many inputs of the form, which a problem may all exclude.
    one, other = _codes(SUMS[0], "a, b = map(int, input().split())\nprint(a + b if a * b % 3 else 0)\n")
    budget = SearchBudget(runs=20, seconds=60)
    made = compare_behaviour(one, other, harnesses, budget=budget, inputs=[CallInput(stdin="7 5\n", agreed=4)])
    assert made.verdict is BehaviourVerdict.UNDECIDED
    assert made.counts.keys() == {Difference.INFERRED}
    given = compare_behaviour(one, other, harnesses, budget=budget, inputs=[CallInput(stdin="7 5\n")])
    assert given.verdict is BehaviourVerdict.DIFFERENT


def test_agreed_inputs_are_written_with_the_tests() -> None:
    ((call, result),) = read_calls('[{"stdin": "2 3", "agreed": 5}]')
    assert (call.stdin, call.agreed, result) == ("2 3", 5, None)
    for wrong in ('[{"stdin": "2", "agreed": -1}]', '[{"stdin": "2", "agreed": true}]', '[{"stdin": "2", "votes": 1}]'):
        with pytest.raises(ValueError, match="not a run of a program"):
            read_calls(wrong)
    # Whether an input was given or agreed changes what a difference says, so it is another run.
    assert inputs_digest([call]) != inputs_digest([CallInput(stdin="2 3")])
