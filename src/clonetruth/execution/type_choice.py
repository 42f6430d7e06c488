"""Which types both sides take: the likeliest at once, else combinations with a few inputs each."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from clonetruth.execution.harness.harness import CallInput, Reason
from clonetruth.execution.input_stream import InputStream
from clonetruth.execution.inputs.profiles import GUESSES, profiles
from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.paired_runs import Observed, PairedRuns
from clonetruth.execution.type_fit import fit, is_numeric_variant, is_similar, is_surrounding, runs_on_one

_PROBES = 4
_PROFILES_AT_ONCE = 8
_GOOD = 1.4
_SIMILAR = 12


@dataclass
class TypeChoice:
    """Chooses the types of a stream of inputs.

    Attributes:
        runs: runs both sides.
        stream: gets the types.
    """

    runs: PairedRuns
    stream: InputStream
    _one_sided: tuple[InputType, ...] | None = field(default=None, init=False)

    def choose(self, candidates: Sequence[Sequence[InputType]]) -> Reason | None:
        """Find types that both sides take. The reason if there are none.

        Args:
            candidates: the types of each argument, the likeliest first; empty if nothing is known.
        """
        runs, stream = self.runs, self.stream
        if not candidates:
            stream.types = ()
            return None
        known = [one or GUESSES for one in candidates]
        if all(candidates) and self._takes_likeliest(tuple(one[0] for one in candidates)):
            similar = profiles(known)[1:_SIMILAR]
            stream.others = [one for one in similar if all(map(is_numeric_variant, one, stream.types))]
            return None
        wider = [list(dict.fromkeys([*one, *GUESSES])) if not is_surrounding(one) else one for one in known]
        observed: list[Observed] = []
        for attempt in (known, wider):
            waiting = [one for one in profiles(attempt) if one not in stream.others]
            while waiting and not runs.is_over:
                now, waiting = waiting[:_PROFILES_AT_ONCE], waiting[_PROFILES_AT_ONCE:]
                observed = self._probe(now)
                if runs.failed is not None or stream.types:
                    break
            if stream.types or runs.failed is not None or known == wider:
                break
        if not stream.types and runs.failed is None and self._one_sided is not None:
            stream.types = self._one_sided
        stream.others = [
            one for one in stream.others if one != stream.types and all(map(is_similar, one, stream.types))
        ]
        return None if stream.types else runs.why_nothing_runs(observed)

    def _takes_likeliest(self, types: tuple[InputType, ...]) -> bool:
        """Run the likeliest types at once; whether both sides take them."""
        runs, stream = self.runs, self.stream
        given, half = len(runs.log), runs.budget.runs // 2
        stream.types = types
        stream.assume()
        runs.run_batch(stream.best(half))
        mine = [(one, other) for _, one, other in runs.log[given:]]
        if runs.failed is None and (fit(mine) or 0) >= _GOOD:
            return True
        if runs.failed is None and runs.late:
            # Slow code gets smaller inputs.
            stream.only_small, runs.late = True, 0
            runs.run_batch(stream.best(half))
            mine = [(one, other) for _, one, other in runs.log[given:]]
            both = any(one.is_normal and other.is_normal for one, other in mine)
            if runs.failed is None and (both or runs_on_one(mine)):
                return True
        if runs.failed is None and runs_on_one(mine):
            self._one_sided = types
        stream.forget()
        del runs.log[given:]
        runs.late = 0
        return False

    def _probe(self, now: Sequence[tuple[InputType, ...]]) -> list[Observed]:
        """Try combinations of types with a few inputs each, and keep the best."""
        calls: list[CallInput] = []
        owner: list[int] = []
        for number, types in enumerate(now):
            for arguments in itertools.islice(self.stream.generated(types), 1, 1 + _PROBES * (1 if number else 2)):
                calls.append(self.stream.call(arguments))
                owner.append(number)
        observed = self.runs.run_both(calls)
        best: float | None = None
        one_sided: tuple[InputType, ...] | None = None
        for number, types in enumerate(now):
            mine = [(one, other) for (_, one, other), of in zip(observed, owner, strict=False) if of == number]
            score = fit(mine)
            if score is not None and score >= _GOOD:
                self.stream.others.append(types)
            if score is not None and (best is None or score > best + 0.26):
                best, self.stream.types = score, types
            if score is None and one_sided is None and runs_on_one(mine):
                one_sided = types
        self._one_sided = self._one_sided or one_sided
        return observed
