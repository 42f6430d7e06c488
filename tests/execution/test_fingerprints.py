"""Behaviour of many fragments: run once, kept on disk, compared by rare outputs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from clonetruth.execution.fingerprints import (
    behaviour_columns,
    behaviour_fingerprints,
    behaviour_similarity,
    exchanged_fingerprints,
)
from clonetruth.execution.harness import CallInput, Code, Harnesses, Observation, Reason
from clonetruth.execution.harness.harness import EntryParameter, FragmentRun
from clonetruth.execution.harness.javascript import JavaScriptHarness
from clonetruth.execution.harness.registry import HARNESSES
from clonetruth.execution.inputs.types import parse_type
from clonetruth.execution.output_digests import (
    EXCHANGED,
    FORMED,
    OutputFingerprint,
    formed_inputs,
    output_fingerprint,
)
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.user_cache import CACHE_VARIABLE
from tests.execution.sandboxed import needs_sandbox


def prints(*outputs: tuple[str | None, ...], inputs: str = "program") -> list[OutputFingerprint]:
    return [OutputFingerprint(inputs, one) for one in outputs]


def test_rare_outputs_weigh_more_than_those_that_all_give() -> None:
    found = prints(("0", "a", "b", "c"), ("0", "a", "b", "c"), ("0", "a", "x", "y"), ("0", "d", "e", "f"))
    similar = behaviour_similarity(found, np.array([[0, 1], [0, 2], [0, 3]]))
    assert similar[0] == pytest.approx(1.0)
    assert 0 < similar[1] < 0.2
    assert similar[2] == 0.0


def test_what_is_not_known_has_no_similarity() -> None:
    found = [
        *prints(("a", "b", None, None), (None, None, "a", "b"), ("a", "b", "c", "d")),
        *prints(("a", "b", "c", "d"), inputs="function of 1"),
        OutputFingerprint(reason=Reason.PARSE),
    ]
    assert np.isnan(behaviour_similarity(found, np.array([[0, 1], [0, 2], [2, 3], [2, 4], [4, 4]]))).all()


def test_columns_have_the_same_number_for_the_same_output_only() -> None:
    outputs, weights = behaviour_columns(prints(("a", "b"), ("b", "a"), ("a", None)))
    assert outputs[0, 0] == outputs[2, 0] == outputs[1, 1] != outputs[0, 1] == outputs[1, 0]
    assert outputs[2, 1] == -1
    assert weights[2, 1] == 0.0
    assert weights[1, 0] > weights[0, 0] > 0


@needs_sandbox
def test_each_text_runs_once_and_the_next_time_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    ran: list[str] = []

    def counted(code: Code, harnesses: Harnesses) -> OutputFingerprint:
        ran.append(code.text)
        return output_fingerprint(code, harnesses)

    monkeypatch.setattr("clonetruth.execution.fingerprints.output_fingerprint", counted)
    texts = [("python", "print(int(input()) + 1)"), ("python", "print(1 + int(input()))"), ("python", "print(")]
    first = behaviour_fingerprints([*texts, texts[0]])
    assert ran == [text for _, text in texts]
    assert first[0] == first[1] == first[3]
    assert first[0].normal >= 3
    assert first[2].reason is Reason.PARSE
    assert behaviour_fingerprints([*texts, texts[0]]) == first
    assert len(ran) == len(texts)
    (tmp_path / "behaviour" / "fingerprints.sqlite").write_bytes(b"not a database")
    assert behaviour_fingerprints(texts) == first[:3]
    assert len(ran) == 2 * len(texts)


@needs_sandbox
def test_programs_run_on_inputs_of_others_once_and_as_on_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    two = "a, b = map(int, input().split())\nprint(a + b)"
    tokens = "import sys\nprint(sum(map(int, sys.stdin.read().split())))"
    sources = [("python", one) for one in (two, tokens, "print(len(input()) // 0)")]
    inputs = formed_inputs(Code(two, "python"))
    found = exchanged_fingerprints([(one, inputs) for one in sources])
    (own,) = behaviour_fingerprints(sources[:1])
    assert found[0] == found[1] == own.outputs[-FORMED:][:EXCHANGED]
    assert all(one is not None and one.startswith(f"{inputs.form} ") for one in found[0])
    assert found[2] == (None,) * EXCHANGED
    monkeypatch.setattr("clonetruth.execution.fingerprints.exchanged_outputs", None)
    assert exchanged_fingerprints([(one, inputs) for one in sources]) == found


class _Declared:
    """A harness whose functions take values of some types, and return them."""

    def __init__(self, *types: str) -> None:
        self._parameters = tuple(EntryParameter(f"p{at}", (parse_type(one),)) for at, one in enumerate(types))

    def run(self, code: Code, inputs: Sequence[CallInput] = ()) -> FragmentRun:
        seen = tuple(Observation({"list": list(one.arguments)}) for one in inputs)
        return FragmentRun(parameters=self._parameters, observations=seen)

    def get(self, language: str) -> _Declared:
        return self


@pytest.mark.parametrize(
    ("types", "inputs"),
    [
        (("int32", "str"), "function of 2"),
        (("list[str]", "list[str]"), "function of 2: list[str], list[str]"),
        (("list[list[int64]]", "uint8", "bool"), "function of 3: list[list[int]], int, bool"),
        (("list[list[str]]",), "function of 1: list[list[str]]"),
    ],
)
def test_declared_types_that_the_usual_inputs_lack_get_inputs(types: tuple[str, ...], inputs: str) -> None:
    found = output_fingerprint(Code("f", "java"), cast(Harnesses, _Declared(*types)))
    assert found.inputs == inputs
    assert found.normal >= 10
    # The width of numbers does not matter: clones in two languages can be compared.
    narrow = [one.replace("int32", "int64").replace("uint8", "int32") for one in types]
    assert output_fingerprint(Code("f", "csharp"), cast(Harnesses, _Declared(*narrow))) == found


@pytest.mark.parametrize("name", ["javascript", "typescript"])
def test_calls_get_little_time_so_that_late_ones_leave_some_for_the_others(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A function of two numbers may not come to its end for fifty of 360 generic inputs: fifty seconds, of the ten that
    a run has."""
    seconds = []

    def run(self: JavaScriptHarness, code: Code, calls: Sequence[CallInput] = ()) -> FragmentRun:
        seconds.append(self.seconds_per_call * bool(calls))
        return FragmentRun(
            parameters=(EntryParameter("n"),), observations=tuple(Observation({"list": []}) for _ in calls)
        )

    monkeypatch.setattr(HARNESSES[name], "run", run)
    harnesses = Harnesses(Bubblewrap())
    assert output_fingerprint(Code("f", name), harnesses).normal
    assert seconds[0] == 0
    assert max(seconds) == pytest.approx(0.1)
    # Comparing two pieces of code, and TrueClones' evidence, give calls what they always gave.
    assert cast(JavaScriptHarness, harnesses.get(name)).seconds_per_call == 1.0
