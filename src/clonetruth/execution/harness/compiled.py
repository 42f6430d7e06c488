"""Functions of compiled languages: the host's side of the drivers that are compiled with them.

A driver reads all calls from standard input and writes a line of JSON for each to descriptor 3. A call that ends the
process is the last one of that process; the next process goes on behind it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from clonetruth.execution.harness.harness import Observation, SandboxedHarness
from clonetruth.execution.harness.programs import ProgramLanguage, ProgramOutcome, ProgramRunner, ProgramSource
from clonetruth.execution.sandbox import Ending
from clonetruth.execution.values import check_value
from clonetruth.parsing import parse_json

_MAX_TIMED_OUT = 400


@dataclass(frozen=True)
class CompiledRun:
    """What the calls did.

    Attributes:
        observations: one for each call, as far as the time was enough.
        points: how many points of the code can be reached.
        failed: what the compiler says; None if it compiled.
        broken: why the sandbox or the driver did not answer; None if it did.
    """

    observations: tuple[Observation, ...] = ()
    points: int = 0
    failed: str | None = None
    broken: str | None = None


@dataclass
class CompiledCalls:
    """A compiled program with its calls.

    Attributes:
        runner: what compiles and runs it.
        source: the program with its driver.
        language: how to compile and run it.
        head: makes the first line of standard input, from the number of calls that have taken too long so far.
        seconds: for all calls.
        one_by_one: whether each call gets a process for itself.
    """

    runner: ProgramRunner
    source: ProgramSource
    language: ProgramLanguage
    head: Callable[[int], str]
    seconds: float = 10.0
    one_by_one: bool = False

    def run(self, calls: Sequence[str | None]) -> CompiledRun:
        """Run calls, each a line for the driver; None for one that cannot be made.

        Raises:
            MissingExtraError: the sandbox or the toolchain is not complete.
        """
        found: list[Observation] = [Observation(raised="TypeError")] * len(calls)
        rest = [at for at, one in enumerate(calls) if one is not None]
        done = 0 if rest else len(calls)
        points = timed_out = 0
        first = True
        while rest or first:
            first = False
            batch = rest[:1] if self.one_by_one else rest
            lines = [str(calls[at]) for at in batch]
            stdin = "\n".join([self.head(timed_out), *lines, "E", ""])
            run = self.runner.run(self.source, [stdin] if lines else [], self.seconds, language=self.language)
            if run.broken:
                return CompiledRun(tuple(found[:done]), points, broken=run.compile_output)
            if not run.compiled:
                return CompiledRun(failed=run.compile_output)
            if not run.outcomes:
                break
            try:
                here, observed = _answers(run.outcomes[0], len(lines))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                return CompiledRun(tuple(found[:done]), points, broken=f"not an answer: {error}"[:200])
            points = max(points, here)
            if not observed:
                return CompiledRun(tuple(found[:done]), points, broken="the driver did not start")
            for at, one in zip(batch, observed, strict=False):
                found[at] = one
            done = batch[len(observed) - 1] + 1
            rest = rest[len(observed) :]
            timed_out += sum(one.ended in ("timed out", "too slow") for one in observed)
            if timed_out > _MAX_TIMED_OUT or run.outcomes[0].ending is Ending.TIMED_OUT:
                return CompiledRun(tuple(found[:done]), points)
        return CompiledRun(tuple(found), points)


@dataclass
class CompiledHarness(SandboxedHarness):
    """A sandbox that compiles one fragment after the other; no process knows anything of the others."""

    _runner: ProgramRunner = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._runner = ProgramRunner(self.sandbox, self.seconds)

    def close(self) -> None:
        """End the sandbox; the next run starts a new one."""
        self._runner.close()


def _answers(outcome: ProgramOutcome, count: int) -> tuple[int, list[Observation]]:
    """What a driver wrote, read with distrust: the points of the code, and what each call did as far as it came.

    Raises:
        ValueError: that is not what a driver writes.
    """
    lines = [one for one in outcome.channel.decode("ascii", "replace").split("\n") if one.endswith("}")]
    if not lines:
        return 0, [] if outcome.succeeded else [_ended(outcome)]
    points = parse_json(lines[0])["ready"]
    if not isinstance(points, int) or not 0 <= points < 1 << 20:
        raise ValueError("not a number of points")
    observed = [_observation(parse_json(one)) for one in lines[1 : count + 1]]
    ended = bool(observed) and not observed[-1].is_normal
    if len(observed) < count and not (ended and outcome.succeeded):
        observed.append(_ended(outcome))
    return points, observed


def _ended(outcome: ProgramOutcome) -> Observation:
    """A call that ended the process without a word of the driver."""
    if outcome.ending is Ending.SIGNALLED:
        return Observation(ended=f"signal {outcome.code}")
    if outcome.ending is not Ending.EXITED:
        return Observation(ended=str(outcome.ending))
    if b"goroutine stack exceeds" in outcome.stderr:
        return Observation(ended="stack overflow")
    return Observation(raised=f"exit {outcome.code}")


def _observation(said: Any) -> Observation:
    changed = said.get("changed")
    reached = said.get("reached", [])
    if not all(isinstance(one, int) for one in reached):
        raise ValueError("not points")
    return Observation(
        returned=check_value(_as_text(said.get("returned"))),
        raised=None if said.get("raised") is None else str(said["raised"])[:100],
        changed=None if changed is None else tuple(check_value(_as_text(one)) for one in changed),
        output=_decoded(str(said.get("output", ""))),
        ended=None if said.get("ended") is None else str(said["ended"])[:100],
        reached=tuple(reached),
    )


def _as_text(value: object) -> object:
    """A value whose texts came as bytes."""
    return _texts(value) if "\\u" in json.dumps(value) else value


def _texts(value: Any) -> Any:
    if isinstance(value, str):
        return _decoded(value)
    if isinstance(value, list):
        return [_texts(one) for one in value]
    if isinstance(value, dict):
        return {key: _texts(one) for key, one in value.items()}
    return value


def _decoded(text: str) -> str:
    return text.encode("latin-1", "replace").decode("utf-8", "backslashreplace")
