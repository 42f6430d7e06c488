"""What the calls of a source's test show about a fragment."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from clonetruth.execution import Code, Harnesses
from clonetruth.execution.harness.harness import FragmentRun, Observation
from clonetruth.execution.harness.inside.python_values import to_form
from clonetruth.execution.literal_calls import calls_of_json, write_calls
from clonetruth.judges.execution_tasks import SelectedFragment
from clonetruth.judges.execution_worker import _run_calls
from clonetruth.model import MemberValue

CALLS = write_calls(calls_of_json([[[1], 2], [[2], 3]]))


def run(*observations: Observation) -> tuple[MemberValue, str]:
    found = FragmentRun(observations=observations)
    harness = SimpleNamespace(run=lambda code, calls: found)
    harnesses = cast(Harnesses, SimpleNamespace(get=lambda language: harness))
    task = SelectedFragment("f", "u", Code("int f(int a) { return a; }", "java"), calls=CALLS)
    outcome = _run_calls(task, harnesses)
    return outcome.value, outcome.detail


@pytest.mark.parametrize(
    ("observations", "value"),
    [
        ((Observation(to_form(2)), Observation(to_form(3))), MemberValue.MAJOR),
        ((Observation(to_form(2)), Observation(to_form(4))), MemberValue.WRONG),
        ((Observation(raised="ClassCastException"),) * 2, MemberValue.UNDECIDED),
        ((Observation(to_form(2)), Observation(raised="ClassCastException")), MemberValue.WRONG),
        ((Observation(to_form(5)), Observation(raised="ClassCastException")), MemberValue.WRONG),
        ((Observation(raised="ArithmeticException"),) * 2, MemberValue.WRONG),
    ],
)
def test_a_fragment_that_takes_something_else_is_not_wrong(
    observations: tuple[Observation, ...], value: MemberValue
) -> None:
    assert run(*observations)[0] is value


def test_the_reason_is_that_it_takes_other_parameters() -> None:
    assert run(*(Observation(raised="ClassCastException"),) * 2)[1].startswith("takes other parameters")
