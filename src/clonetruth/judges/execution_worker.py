"""Runs pairs and fragments in worker processes, each of which keeps its own sandboxes running."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from clonetruth.code import available_cores
from clonetruth.code.worker_pool import LostWorker, run_in_processes
from clonetruth.errors import MissingExtraError
from clonetruth.execution import BehaviourComparison, Code, Harnesses, Reason, SearchBudget, compare_behaviour
from clonetruth.execution.brought_tests import BroughtTest, BroughtVerdict, run_brought_test
from clonetruth.execution.doctor import open_sandbox
from clonetruth.execution.harness import EntryKind, Observation
from clonetruth.execution.harness.programs import ProgramRunner
from clonetruth.execution.literal_calls import read_calls
from clonetruth.execution.results import ExecutedSide
from clonetruth.execution.values import Value, equal_values
from clonetruth.judges.execution_evidence import without_bulk
from clonetruth.judges.execution_tasks import SelectedFragment, SelectedPair
from clonetruth.model import MemberValue
from clonetruth.options.execution import SandboxOptions

_ATTEMPTS = 3
"""How often something is run whose worker process died: another program can be why."""


@dataclass(frozen=True)
class SourceTestOutcome:
    """What a source's test showed about a fragment.

    Attributes:
        value: whether the fragment implements its functionality.
        passed: number of tests that passed.
        failed: number of tests that failed.
        detail: the first failure, or why nothing can be said.
    """

    value: MemberValue
    passed: int = 0
    failed: int = 0
    detail: str = ""


ExecutionTask = SelectedPair | SelectedFragment
ExecutionOutcome = BehaviourComparison | SourceTestOutcome


def default_workers() -> int:
    """One more than there are cores: while a worker waits for its sandbox, or the other way round, another one runs."""
    return available_cores() + 1


def run_tasks(
    tasks: Mapping[str, ExecutionTask], budget: SearchBudget, sandbox: SandboxOptions, processes: int
) -> Iterator[tuple[str, ExecutionOutcome]]:
    """Run pairs and fragments, and yield the key of each with its outcome when it is finished.

    Something whose process dies is run again by another one, and undecided if that happens each time. With one process,
    everything runs in this one; the code runs in the sandbox in any case.
    """
    work = partial(run_task, budget, sandbox)
    left = list(tasks.items())
    if processes == 1:
        try:
            for key, task in left:
                yield key, work((key, task))
        finally:
            _engines(sandbox).close()
        return
    for attempt in range(_ATTEMPTS):
        lost = []
        for finished in run_in_processes(work, left, min(processes, len(left))):
            key, task = finished.task
            if not isinstance(finished.outcome, LostWorker):
                yield key, finished.outcome
            elif attempt + 1 < _ATTEMPTS:
                lost.append(finished.task)
            else:
                yield key, undecided(task, Reason.SANDBOX, str(finished.outcome))
        left = lost


def run_task(budget: SearchBudget, sandbox: SandboxOptions, named: tuple[str, ExecutionTask]) -> ExecutionOutcome:
    """Run a pair or a fragment. Whatever goes wrong makes this one undecided, and no other."""
    _, task = named
    engines = _engines(sandbox)
    try:
        if isinstance(task, SelectedFragment):
            program = task.after is not None
            return _run_program(task, engines.programs) if program else _run_calls(task, engines.harnesses)
        found = compare_behaviour(
            task.left, task.right, engines.harnesses, budget=budget, inputs=task.inputs, domain=task.domain
        )
        return without_bulk(found)
    except MissingExtraError as error:
        return undecided(task, Reason.TOOLCHAIN, f"{error.what} {error.hint or ''}".strip())
    except Exception as error:  # of strange code that a harness did not expect
        engines.close()
        return undecided(task, Reason.FAILED, f"{type(error).__name__}: {error}"[:200])


@dataclass(frozen=True)
class _Engines:
    """What runs code in this process: functions, and programs around a fragment. Their sandboxes end with it."""

    harnesses: Harnesses
    programs: ProgramRunner

    def close(self) -> None:
        self.harnesses.close()
        self.programs.close()


@functools.cache
def _engines(sandbox: SandboxOptions) -> _Engines:
    found = open_sandbox(sandbox)
    return _Engines(Harnesses(found), ProgramRunner(found))


def undecided(task: ExecutionTask, reason: Reason, detail: str) -> ExecutionOutcome:
    """The outcome of something that did not run."""
    if isinstance(task, SelectedFragment):
        return SourceTestOutcome(MemberValue.UNDECIDED, detail=f"{reason} ({detail})")
    sides = [_side(code) for code in (task.left, task.right)]
    return BehaviourComparison(sides[0], sides[1], reason=reason, detail=detail)


def _side(code: Code) -> ExecutedSide:
    return ExecutedSide(code.language)


_UNFIT = "ClassCastException"
"""What Java raises where an argument does not fit the type of its parameter."""

_PROGRAM_VALUES = {
    BroughtVerdict.PASSED: MemberValue.MAJOR,
    BroughtVerdict.FAILED: MemberValue.WRONG,
    BroughtVerdict.UNDECIDED: MemberValue.UNDECIDED,
}


def _run_program(task: SelectedFragment, programs: ProgramRunner) -> SourceTestOutcome:
    """Run a fragment in the program that its source tests it with."""
    test = BroughtTest(task.before or "", task.after or "")
    found = run_brought_test(task.code.text, test, task.code.language, programs)
    detail = f"{found.reason or ''} {found.detail}".strip()
    failed = int(found.verdict is BroughtVerdict.FAILED)
    return SourceTestOutcome(_PROGRAM_VALUES[found.verdict], int(found.passed), failed, detail)


def _run_calls(task: SelectedFragment, harnesses: Harnesses) -> SourceTestOutcome:
    """Run a fragment with the calls of its source's test, and compare what it returns with what it should; of a
    program, what it prints."""
    calls = [(call, result) for call, result in read_calls(task.calls or "[]") if result is not None or not call.stdin]
    harness = harnesses.get(task.code.language)
    if harness is None:
        return SourceTestOutcome(MemberValue.UNDECIDED, detail=f"{Reason.LANGUAGE}")
    passed, failures, unfinished, at, unfit = 0, list[str](), list[str](), 0, 0
    while at < len(calls):
        run = harness.run(task.code, [call for call, _ in calls[at:]])
        if run.undecided is not None or not run.observations:
            reason = f"{run.undecided or Reason.SANDBOX} {run.detail}".strip()
            return SourceTestOutcome(MemberValue.UNDECIDED, passed, len(failures), reason)
        is_program = run.kind is EntryKind.PROGRAM
        if any(call.arguments if is_program else call.stdin for call, _ in calls):
            said = f"the test is for a {'function' if is_program else 'program'}"
            return SourceTestOutcome(MemberValue.UNDECIDED, detail=f"{Reason.PARAMETERS} ({said})")
        for number, seen in enumerate(run.observations[: len(calls) - at], start=at):
            if seen.is_normal and _is_as_expected(seen, calls[number][1], is_program):
                passed += 1
            elif seen.ended is not None or seen.missing is not None:
                unfinished.append(f"call {number + 1}: {seen.ended or f'{Reason.SYMBOL} {seen.missing}'}")
            else:
                other = "another output" if is_program else "another value"
                failures.append(f"call {number + 1}: {seen.raised or other}")
                unfit += seen.raised == _UNFIT
        at += len(run.observations)
    if not passed and failures and unfit == len(failures):
        # It was never called with what it takes, which says nothing about what it does.
        return SourceTestOutcome(MemberValue.UNDECIDED, detail=f"{Reason.PARAMETERS} ({failures[0]})")
    if failures:
        return SourceTestOutcome(MemberValue.WRONG, passed, len(failures), failures[0])
    if unfinished or not passed:
        # A correct solution can be too slow for a test.
        return SourceTestOutcome(MemberValue.UNDECIDED, passed, detail=unfinished[0] if unfinished else "no calls")
    return SourceTestOutcome(MemberValue.MAJOR, passed)


def _is_as_expected(seen: Observation, expected: Value, is_program: bool) -> bool:
    """Whether a call returned what it should; of a program, whether it printed the same words line by line."""
    if not is_program:
        return equal_values(seen.returned, expected)
    lines = [[line.split() for line in str(text).strip().splitlines()] for text in (seen.output, expected)]
    return lines[0] == lines[1]
