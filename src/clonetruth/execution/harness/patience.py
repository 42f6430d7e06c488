"""How long a call may take: less, once calls of the same code have taken too long.

Code that does not come to an end would otherwise use up nearly all of the time of a benchmark. A replay has another
seed, and begins with the full time, so that what it shows does not depend on the calls before it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace

from clonetruth.execution.harness.harness import CallInput, Observation

TIMED_OUT = "timed out"
TOO_SLOW = "too slow"
"""How `Observation.ended` names calls that used up their time: the full one, or less."""

_PATIENT = 1
"""Calls of a piece of code that may use the full time."""
_SHORTER = 20.0
_KEPT = 16
_INPUTS = 256


@dataclass
class Patience:
    """Counts the calls that took too long, for each piece of code and seed."""

    _late: OrderedDict[tuple[Hashable, int], int] = field(default_factory=OrderedDict, repr=False)

    def late(self, code: Hashable, seed: int) -> int:
        """How many calls have taken too long so far."""
        return self._late.get((code, seed), 0)

    def seconds(self, code: Hashable, seed: int, full: float) -> float:
        """How long the next call may take."""
        return full if self.late(code, seed) < _PATIENT else self.shorter(full)

    def shorter(self, full: float) -> float:
        """How long a call may take behind those that may use the full time."""
        return full / _SHORTER

    def judged(self, code: Hashable, seed: int, observations: Sequence[Observation]) -> tuple[Observation, ...]:
        """What calls with `seconds` did: one that used up less than the full time may still come to an end."""
        if self.late(code, seed) < _PATIENT:
            return tuple(observations)
        return tuple(replace(one, ended=TOO_SLOW) if one.ended == TIMED_OUT else one for one in observations)

    def note(self, code: Hashable, seed: int, observations: Sequence[Observation]) -> None:
        """Remember what calls did."""
        late = sum(one.ended in (TIMED_OUT, TOO_SLOW) for one in observations)
        if late:
            self._late[code, seed] = self.late(code, seed) + late
            self._late.move_to_end((code, seed))
            while len(self._late) > _KEPT:
                self._late.popitem(last=False)


@dataclass
class SlowInputs:
    """Inputs with which a piece of code used up its time. There is nothing to compare with what another one does then,
    unless that comes to an end at once, so it gets less time; and none at all, once it has used that up, too."""

    _of: OrderedDict[tuple[int, str], Hashable] = field(default_factory=OrderedDict, repr=False)
    _also: set[Hashable] = field(default_factory=set, repr=False)

    def forget(self) -> None:
        """Begin with other code."""
        self._of.clear()
        self._also.clear()

    def is_also_slow(self, code: Hashable) -> bool:
        """Whether code used up its time with an input with which other code had."""
        return code in self._also

    def of_others(self, code: Hashable, seed: int, calls: Sequence[CallInput]) -> list[bool]:
        """For each call whether other code used up its time with the same input and seed."""
        if not self._of:
            return [False] * len(calls)
        return [self._of.get((seed, repr(call)), code) != code for call in calls]

    def note(self, code: Hashable, seed: int, calls: Sequence[CallInput], observations: Sequence[Observation]) -> None:
        """Remember what calls did."""
        for call, one in zip(calls, observations, strict=False):
            if one.ended in (TIMED_OUT, TOO_SLOW):
                if self._of.setdefault((seed, repr(call)), code) != code:
                    self._also.add(code)
                    continue
                while len(self._of) > _INPUTS:
                    self._of.popitem(last=False)
