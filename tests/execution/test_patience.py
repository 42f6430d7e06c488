"""Code that does not end gets less and less time, and a replay gets all of it again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest

from clonetruth.execution import CallInput, Code, Observation, SearchBudget
from clonetruth.execution.harness.harness import FragmentRun, SandboxedHarness
from clonetruth.execution.harness.patience import TIMED_OUT, TOO_SLOW, Patience, SlowInputs
from clonetruth.execution.harness.python import PythonHarness
from clonetruth.execution.paired_runs import PairedRuns
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.sides import ComparedSide
from tests.execution.sandboxed import needs_sandbox

LATE, DONE = Observation(ended=TIMED_OUT), Observation(returned={"int": "1"})


class TestPatience:
    def test_full_time_until_a_call_is_late(self) -> None:
        patience = Patience()
        patience.note("code", 0, [DONE, DONE])
        assert patience.seconds("code", 0, 0.5) == 0.5
        patience.note("code", 0, [DONE, LATE])
        assert patience.seconds("code", 0, 0.5) == patience.shorter(0.5) < 0.5

    @pytest.mark.parametrize(("code", "seed"), [("other", 0), ("code", 1)])
    def test_other_code_and_a_replay_are_not_affected(self, code: str, seed: int) -> None:
        patience = Patience()
        patience.note("code", 0, [LATE] * 5)
        assert patience.seconds(code, seed, 0.5) == 0.5
        assert patience.judged(code, seed, [LATE]) == (LATE,)

    def test_a_call_with_less_time_is_too_slow_and_not_endless(self) -> None:
        patience = Patience()
        assert patience.judged("code", 0, [LATE, DONE]) == (LATE, DONE)
        patience.note("code", 0, [LATE])
        assert patience.judged("code", 0, [LATE, DONE]) == (Observation(ended=TOO_SLOW), DONE)

    def test_it_forgets_the_oldest(self) -> None:
        patience = Patience()
        for number in range(100):
            patience.note(number, 0, [LATE])
        assert (patience.late(0, 0), patience.late(99, 0)) == (0, 1)


@dataclass
class _GivesUp(SandboxedHarness):
    """Ends each run after one call that is too slow."""

    language: ClassVar[str] = "python"
    asked: list[int] = field(default_factory=list)
    ended: str = TOO_SLOW

    def run(self, code: Code, calls: Sequence[CallInput] = (), *, seed: int = 0, coverage: bool = False) -> FragmentRun:
        self.asked.append(len(calls))
        return FragmentRun(observations=(Observation(ended=self.ended),))

    def close(self) -> None:
        self.asked.clear()


def test_a_search_stops_when_sides_give_up_again_and_again() -> None:
    with _GivesUp(Bubblewrap()) as harness:
        sides = [ComparedSide(Code("", "python"), harness, FragmentRun()) for _ in range(2)]
        runs = PairedRuns(sides[0], sides[1], SearchBudget())
        runs.run_batch([CallInput()] * 50)
        assert harness.asked == [50, 1, 49, 1, 48, 1]
        assert len(runs.log) == 3


def test_a_search_stops_when_every_call_ends_its_process() -> None:
    with _GivesUp(Bubblewrap(), ended="exited") as harness:
        sides = [ComparedSide(Code("", "python"), harness, FragmentRun()) for _ in range(2)]
        runs = PairedRuns(sides[0], sides[1], SearchBudget())
        runs.run_batch([CallInput()] * 50)
    assert [one.ended for _, one, _ in runs.log] == ["exited"] * 4


@needs_sandbox
def test_only_the_first_call_that_does_not_end_uses_all_of_its_time() -> None:
    code = Code("def f(n):\n    while n:\n        pass\n    return n\n", "python")
    calls = [CallInput(({"int": text},)) for text in ("0", "1", "0", "2", "0")]
    with PythonHarness(Bubblewrap(), seconds_per_call=0.2) as harness:
        first = harness.run(code, calls)
        again = harness.run(code, calls)
        replayed = harness.run(code, calls[1:2], seed=1)
    assert [one.ended for one in first.observations] == [None, TIMED_OUT, None, TOO_SLOW]
    assert [one.ended for one in again.observations] == [None, TOO_SLOW, None, TOO_SLOW]
    assert [one.ended for one in replayed.observations] == [TIMED_OUT]


class TestSlowInputs:
    def test_only_other_code_gets_less_time_with_the_same_input_and_seed(self) -> None:
        slow, calls = SlowInputs(), [CallInput(({"int": text},)) for text in "123"]
        slow.note("left", 0, calls, [DONE, LATE, Observation(ended=TOO_SLOW)])
        assert slow.of_others("right", 0, calls) == [False, True, True]
        assert slow.of_others("left", 0, calls) == slow.of_others("right", 1, calls) == [False] * 3
        slow.forget()
        assert slow.of_others("right", 0, calls) == [False] * 3

    @needs_sandbox
    @pytest.mark.slow
    def test_in_the_sandbox(self) -> None:
        endless = Code("def f(n):\n    while n:\n        pass\n    return n\n", "python")
        counts = Code("def f(n):\n    for one in range(3_000_000 if n else 0):\n        pass\n    return n\n", "python")
        calls = [CallInput(({"int": text},)) for text in "0110"]
        with PythonHarness(Bubblewrap(), seconds_per_call=0.4) as harness:
            assert [one.ended for one in harness.run(endless, calls[:2]).observations] == [None, TIMED_OUT]
            # The second of two such inputs is not even tried, so that there is time for the one after it.
            ended = [one.ended for one in harness.run(counts, calls).observations]
            assert ended == [None, TOO_SLOW, TOO_SLOW, None]
            # Its patience is not used up by that, and a replay has the full time.
            other = CallInput(({"int": "2"},))
            assert harness.run(counts, [other]).observations[0].returned == {"int": "2"}
            assert harness.run(endless, calls[1:2], seed=1).observations[0].ended == TIMED_OUT
            assert harness.run(counts, calls[1:2], seed=1).observations[0].returned == {"int": "1"}


@needs_sandbox
def test_a_recursion_without_an_end_gets_little_time_after_some_calls() -> None:
    deep = Code("def f(n):\n    sum(range(5_000))\n    return f(n + 1)\n", "python")
    calls = [CallInput(({"int": str(number)},)) for number in range(12)]
    with PythonHarness(Bubblewrap(), seconds_per_call=0.4) as harness:
        seen = harness.run(deep, calls).observations
    assert [one.raised for one in seen[:8]] == ["RecursionError"] * 8
    assert {one.ended for one in seen[8:]} == {TOO_SLOW}


def test_only_a_search_waits_half_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []
    said = {"ready": "f", "parameters": [], "repaired": [], "points": 0}
    ready = json.dumps({**said, "program": False, "owner": "", "property": False}).encode() + b"\n"

    def ask(_: object, job: dict[str, Any], *rest: object) -> tuple[dict[str, Any], bytes]:
        if job["calls"]:
            asked.append(job["seconds_per_call"])
        return {"nonce": job["nonce"], "ending": "exited"}, ready

    monkeypatch.setattr(PythonHarness, "_ask", ask)
    harness, left, right = PythonHarness(Bubblewrap(), seconds_per_call=0.2), Code("f", "python"), Code("g", "python")
    calls = [CallInput(({"int": str(number)},)) for number in range(50)]
    others = [CallInput(({"int": str(number)},)) for number in range(49)]
    # The other side gets the calls of a search that the first one came to.
    for code, given, seed in ((left, calls, 0), (right, calls[:9], 0), (left, others, 0), (left, calls[:1], 1)):
        harness.run(code, given, seed=seed)
    harness.run(left, calls, seed=1)
    assert asked == [0.1, 0.1, 0.2, 0.2, 0.2]
