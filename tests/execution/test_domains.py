"""Inputs that a specification permits: read, drawn, checked, and kept to by the search."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from clonetruth.audit import audit_benchmark, fix_plan
from clonetruth.build.fixes import FixParameters, apply_plan
from clonetruth.errors import InputError
from clonetruth.execution import BehaviourVerdict, Code, Harnesses, SearchBudget, compare_behaviour
from clonetruth.execution.harness.harness import Reason
from clonetruth.execution.input_stream import STATED
from clonetruth.execution.inputs.domains import InputDomain, read_domain
from clonetruth.execution.inputs.given import plain_of, value_of
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.judges.stated_domains import stated_domains
from clonetruth.sources import embedded
from clonetruth.store import Benchmark

lacking = [one for one in Bubblewrap().layers() if one.needed and one.missing]
needs_sandbox = pytest.mark.skipif(bool(lacking), reason=f"the sandbox is not complete: {lacking}")

FACTORIAL = "def f(n):\n    r = 1\n    while n > 1:\n        r *= n\n        n -= 1\n    return r"
RECURSIVE = "def f(n):\n    return 1 if n == 0 else n * f(n - 1)"


def domain(**entries: Any) -> InputDomain:
    return read_domain(json.dumps([{"name": "n", "domain": entries}]))


@pytest.fixture(scope="module")
def harnesses() -> Iterator[Harnesses]:
    with Harnesses(Bubblewrap()) as made:
        yield made


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    return embedded.build(tmp_path_factory.mktemp("embedded") / "benchmark")


@needs_sandbox
def test_inputs_outside_of_the_stated_domain_are_not_tried(harnesses: Harnesses) -> None:
    sides = Code(FACTORIAL, "python"), Code(RECURSIVE, "python")
    free = compare_behaviour(*sides, harnesses, budget=SearchBudget(runs=60))
    assert free.verdict is BehaviourVerdict.DIFFERENT
    stated = domain(kind="integer", min=0, max=20)
    kept = compare_behaviour(*sides, harnesses, budget=SearchBudget(runs=60), domain=stated)
    assert kept.verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND
    assert kept.precondition == STATED
    assert all(stated.permits(call.arguments) for call, *_ in kept.examples)


@needs_sandbox
def test_a_domain_with_another_number_of_parameters_is_not_ignored(harnesses: Harnesses) -> None:
    left, right = Code("def f(a, b):\n    return a + b", "python"), Code("def g(a, b):\n    return b + a", "python")
    found = compare_behaviour(left, right, harnesses, domain=domain(kind="integer", min=0, max=9))
    assert found.verdict is BehaviourVerdict.UNDECIDED
    assert (found.why_undecided, found.detail) == (Reason.DOMAIN, "1 stated, 2 taken")


@needs_sandbox
def test_arguments_beyond_the_domain_are_left_out_if_they_have_a_default(harnesses: Harnesses) -> None:
    left = Code("def f(n, step=2):\n    return list(range(0, n, step))", "python")
    right = Code("def g(n, step=2):\n    return [k for k in range(n) if k % 2 == 0]", "python")
    stated = domain(kind="integer", min=0, max=20)
    found = compare_behaviour(left, right, harnesses, budget=SearchBudget(runs=30), domain=stated)
    assert found.verdict is BehaviourVerdict.NO_DIFFERENCE_FOUND
    assert found.precondition == STATED
    assert compare_behaviour(left, right, harnesses).verdict is BehaviourVerdict.DIFFERENT


@needs_sandbox
def test_a_witness_stays_in_the_stated_domain(harnesses: Harnesses) -> None:
    stated = domain(kind="integer", min=7, max=90)
    left, right = Code("def f(n):\n    return n", "python"), Code("def f(n):\n    return -n", "python")
    found = compare_behaviour(left, right, harnesses, budget=SearchBudget(runs=40), domain=stated)
    assert found.witness is not None
    assert found.witness.call.arguments == ({"int": "7"},)


@pytest.mark.parametrize("folder", embedded.folders(), ids=lambda one: one.id)
def test_what_is_drawn_is_permitted(folder: embedded.EmbeddedFolder) -> None:
    stated = read_domain(folder.domain)
    drawn = list(islice(stated.drawn(1, likely=(2, 400)), 60))
    assert all(map(stated.permits, drawn))
    assert drawn == list(islice(stated.drawn(1, likely=(2, 400)), 60))
    assert len({repr(one) for one in drawn}) > 20
    assert not stated.permits(())


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ("{}", "not a list"),
        ('[{"name": "n"}]', "a name and a domain"),
        ('[{"name": "n", "domain": {"kind": "colour"}}]', "unknown kind"),
        ('[{"name": "n", "domain": {"kind": "integer", "min": 1}}]', "needs max"),
        ('[{"name": "n", "domain": {"kind": "integer", "min": 3, "max": 1}}]', "no input is permitted"),
        ('[{"name": "n", "domain": {"kind": "index", "of": "m"}}]', "no earlier parameter"),
        ('[{"name": "n", "domain": {"kind": "text", "pieces": ["a"], "min": 1, "max": 2, "matches": "b"}}]', "hardly"),
    ],
)
def test_what_is_not_a_domain_is_refused(said: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        read_domain(said)


def test_plain_values_and_back() -> None:
    for plain in (None, True, 3, -2.5, "x", [1, ["a"]], {"k": [1]}):
        assert plain_of(value_of(plain)) == plain
    with pytest.raises(ValueError, match="set"):
        plain_of({"set": []})


def test_a_source_states_its_domains(benchmark: Benchmark) -> None:
    found = stated_domains(benchmark)
    assert len(found) == len(embedded.folders())
    lower_bound = found["lower-bound"]
    assert lower_bound.permits(({"list": [{"int": "1"}, {"int": "2"}]}, {"int": "2"}))
    assert not lower_bound.permits(({"list": [{"int": "2"}, {"int": "1"}]}, {"int": "2"}))
    assert lower_bound.draw_plain(random.Random(0))


def test_a_derived_benchmark_keeps_them(benchmark: Benchmark, tmp_path: Path) -> None:
    plan = fix_plan(audit_benchmark(benchmark, select=("CT209",)))
    plan["steps"] = [{"code": "CT209", "operation": "deduplicate-texts", "says": "", "sql": None, "parameters": {}}]
    apply_plan(benchmark, tmp_path / "derived", FixParameters(plan))
    assert stated_domains(Benchmark.open(tmp_path / "derived")) == stated_domains(benchmark)


def test_a_file_says_otherwise(benchmark: Benchmark, tmp_path: Path) -> None:
    path = tmp_path / "domains.toml"
    path.write_text(
        '["roman-numerals"]\nparameters = [{name = "number", domain = {kind = "integer", min = 1, max = 9}}]\n'
    )
    found = stated_domains(benchmark, path)
    assert not found["roman-numerals"].permits(({"int": "10"},))
    assert len(found) == len(embedded.folders())


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("x = ", "Not a TOML file"),
        ("", "states no domain"),
        ("[unknown]\nparameters = []", "no functionality 'unknown'"),
        ('["luhn-check"]\nparameters = 3', "Not a domain"),
    ],
)
def test_a_bad_file_is_refused(benchmark: Benchmark, tmp_path: Path, text: str, wrong: str) -> None:
    path = tmp_path / "domains.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=wrong):
        stated_domains(benchmark, path)
    with pytest.raises(InputError, match="Cannot read"):
        stated_domains(benchmark, tmp_path / "missing.toml")
