"""Runs inside the sandbox, in a fragment's process: loads the fragment, calls it, and says what each call did."""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping
from typing import Any

from clonetruth.execution.harness.inside import (
    python_calls,
    python_entry,
    python_fragment,
    python_project,
    python_values,
)
from clonetruth.execution.harness.inside.python_process import GOES_ON, Channel
from clonetruth.execution.harness.inside.python_time import (
    SECONDS_TO_WRITE,
    OutOfTime,
    with_time_limit,
    without_time_limit,
)

MAX_OUTPUT = 100_000
UNENDED = 1_000
"""Characters that are kept of the output of a call that did not come to an end, or raised."""
PLAIN = (int, str, bool, float, type(None))
MAX_LATE = 2
"""Calls that may take too long; after them the rest is not tried."""
MAX_FULL = 8
"""Calls that may fill the stack; after them the others get little time, as after an endless loop."""


class Output(io.TextIOBase):
    """Standard output of a call, up to a limit."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.length = 0

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        text = str(text)
        if self.length < MAX_OUTPUT:
            self.pieces.append(text[: MAX_OUTPUT - self.length])
        self.length += len(text)
        return len(text)

    def text(self) -> str:
        return sendable("".join(self.pieces))


def work(
    prepared: python_entry.Prepared | bytes,
    project: python_project.Project | None,
    job: Mapping[str, Any],
    channel: Channel,
) -> None:
    """Load the fragment, call it, and write what happened, a line for each call; again, as long as there are calls."""
    if isinstance(prepared, bytes):
        prepared = python_entry.unpacked(prepared)
    try:
        with_time_limit(max(job["seconds_per_call"], SECONDS_TO_WRITE))
        fragment = python_calls.Fragment(job, prepared, project)
    except OutOfTime:
        without_time_limit()
        channel.say(undecided=python_fragment.TIME, detail="")
        return
    except BaseException as error:
        without_time_limit()
        reason, detail = python_calls.why_not_loaded(error)
        channel.say(undecided=reason, detail=detail)
        return
    without_time_limit()
    while True:
        channel.say(**prepared.said())
        channel.finish(GOES_ON if run_calls(fragment, job, channel) else b"-")
        job = channel.next()
        # As in a new process, which has seen nothing yet.
        fragment.seen.clear()


def run_calls(fragment: python_calls.Fragment, job: Mapping[str, Any], channel: Channel) -> bool:
    """Make calls; whether each came to an end, by itself or interrupted, so that the process can make more."""
    late = patient = full = 0
    skips = job["skips"]
    went = True
    for number, call in enumerate(job["calls"]):
        # Only the first call that takes too long uses all of its time, and none that the other side did not end either.
        is_others = call.get("short", False)
        if is_others and skips:
            # Neither side comes to an end with such inputs, so there is nothing to compare.
            channel.say(ended="too slow")
            continue
        is_short = patient > 0 or full >= MAX_FULL or is_others
        said = called(fragment, call, number, job["seconds_when_late" if is_short else "seconds_per_call"])
        went = went and said.get("ended", "timed out") == "timed out"
        is_late = said.get("ended") == "timed out"
        if is_late and is_short:
            said["ended"] = "too slow"
        channel.say(**said)
        late += is_late
        patient += is_late and not is_short
        full += said.get("raised") == "RecursionError"
        skips = skips or (is_late and is_others)
        if late >= MAX_LATE:
            break
    without_time_limit()
    return went


def called(fragment: python_calls.Fragment, call: Mapping[str, Any], number: int, seconds: float) -> dict[str, Any]:
    """What one call did."""
    output = Output()
    sys.stdin, sys.stdout, sys.stderr = io.StringIO(call["stdin"]), output, Output()
    found: dict[str, Any] = {}
    written = ""
    is_harmless = fragment.prepared.leaves_nothing
    try:
        if fragment.folder is not None:
            fragment.folder.reset()
        ready = fragment.ready(call["arguments"], number)
        with_time_limit(seconds, leaves_alarm=is_harmless)
        returned = ready.call()
        if type(returned) not in PLAIN:
            # Drawing from an iterator runs the fragment's code, too.
            with_time_limit(max(seconds, min(SECONDS_TO_WRITE, 4 * seconds)), leaves_alarm=is_harmless)
        found["returned"] = python_values.to_form(returned)
        changed = ready.changed()
        if changed is not None:
            found["changed"] = changed
        if fragment.folder is not None:
            written = fragment.folder.changes()
    except OutOfTime:
        found = {"ended": "timed out"}
    except RecursionError:
        found["raised"] = "RecursionError"
    except MemoryError:
        found = {"ended": "out of memory"}
    except SystemExit:
        found["raised"] = "SystemExit"
    except BaseException as error:
        found["raised"] = type.__getattribute__(type(error), "__name__")[:200]
        if type(error) is RuntimeError and isinstance(error.__cause__, StopIteration):
            # A generator of Python 2 that runs out of elements ends.
            found["raised"] = "RuntimeError: StopIteration"
        elif isinstance(error, (NameError, ImportError)):
            found["missing"] = str(getattr(error, "name", "") or "")[:200]
    finally:
        without_time_limit(leaves_alarm=is_harmless)
    printed = output.text() + sendable(written)
    if printed:
        # What a call printed that did not come to an end, or raised, is not compared.
        found["output"] = printed[:UNENDED] if "ended" in found or "raised" in found else printed
    reached = fragment.newly_reached()
    if reached:
        found["reached"] = reached
    return found


def sendable(text: str) -> str:
    """A text without halves of pairs of surrogates."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
