"""Functions of compiled languages: the host's side of the drivers that are compiled with them.

A driver reads all calls from standard input and writes a line of JSON for each to descriptor 3. A call that ends the
process is the last one of that process; the next process goes on behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from clonetruth.execution.harness.harness import Observation, SandboxedHarness
from clonetruth.execution.harness.observations import ObservationReader
from clonetruth.execution.harness.program_languages import ProgramLanguage
from clonetruth.execution.harness.programs import ProgramOutcome, ProgramRunner, ProgramSource
from clonetruth.execution.sandbox import Ending
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
        reader: reads what the driver writes.
        head: makes the first line of standard input, from the number of calls that have taken too long so far.
        seconds: for all calls.
        one_by_one: whether each call gets a process for itself.
    """

    runner: ProgramRunner
    source: ProgramSource
    language: ProgramLanguage
    reader: ObservationReader
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
                here, observed = _answers(run.outcomes[0], len(lines), self.reader)
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
    _reader: ObservationReader = field(default_factory=lambda: ObservationReader(has_bytes=True), repr=False)

    def __post_init__(self) -> None:
        self._runner = ProgramRunner(self.sandbox, self.seconds)

    def close(self) -> None:
        """End the sandbox; the next run starts a new one."""
        self._runner.close()


def _answers(outcome: ProgramOutcome, count: int, reader: ObservationReader) -> tuple[int, list[Observation]]:
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
    observed = [reader.read(one) for one in lines[1 : count + 1]]
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
