"""Numbers of papers, computed again: the function behind `clonetruth reproduce`."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from clonetruth.errors import CloneTruthError
from clonetruth.literature.checks import CHECKS, CheckContext, MissingDataError, check_context
from clonetruth.literature.ledger import ClaimVerdict, LedgerData, LedgerEntry, LedgerPaper, read_ledger
from clonetruth.options.declaration import verb
from clonetruth.options.literature import ReproduceOptions
from clonetruth.progress import Progress, no_progress

_SAME = 1e-9
"""Values that differ by less, relatively, are the same: sums of floats depend on their order."""


class RunState(StrEnum):
    """How a run of an entry ended."""

    AS_RECORDED = "as recorded"
    DEVIATES = "deviates"
    NEW = "not recorded before"
    NO_DATA = "no data"
    NOTHING = "nothing to compute"
    FAILED = "failed"
    LISTED = "not run"


@dataclass(frozen=True)
class ReproducedClaim:
    """An entry of the ledger, and what a run of it gave.

    Attributes:
        entry: the entry.
        state: how the run ended.
        verdict: what follows from the value of this run, or from the recorded one if there is none.
        value: the value of this run; None without one.
        missing: the data that is missing, or the error.
        seconds: the processor time.
    """

    entry: LedgerEntry
    state: RunState
    verdict: ClaimVerdict
    value: float | None = None
    missing: str = ""
    seconds: float = 0.0

    @property
    def is_wrong(self) -> bool:
        """Whether the run contradicts the ledger."""
        return self.state in (RunState.DEVIATES, RunState.FAILED)


@dataclass(frozen=True)
class LedgerReport:
    """What `clonetruth reproduce` found.

    Attributes:
        claims: the entries, in the order of the ledger.
        papers: the papers that they name.
        data: the data that they need.
    """

    claims: tuple[ReproducedClaim, ...]
    papers: Mapping[str, LedgerPaper]
    data: Mapping[str, LedgerData]

    @cached_property
    def verdicts(self) -> Mapping[ClaimVerdict, int]:
        """The number of claims with each verdict."""
        counts = Counter(one.verdict for one in self.claims)
        return {verdict: counts[verdict] for verdict in ClaimVerdict}

    @property
    def deviations(self) -> tuple[ReproducedClaim, ...]:
        """The claims whose value is not the recorded one, or that could not be computed."""
        return tuple(one for one in self.claims if one.is_wrong)


@verb(ReproduceOptions)
def reproduce_claims(options: ReproduceOptions, *, progress: Progress | None = None) -> LedgerReport:
    """Compute numbers of papers again, and compare them with what the papers print and with what we recorded.

    Args:
        progress: called for each entry.

    Returns:
        The entries with their values and verdicts; `deviations` holds those that contradict the ledger.

    Raises:
        InputError: a data folder does not exist.
        UnknownNameError: there is no such entry or paper.

    Example:
        >>> report = clonetruth.reproduce_claims("corrected-recall")
        >>> report.claims[0].value, str(report.claims[0].verdict)
        (0.883, 'refuted')
    """
    ledger = read_ledger()
    chosen = ledger.select(options.names) if options.names else list(ledger.entries.values())
    tell = progress or no_progress
    claims = []
    with check_context(options.data) as context:
        for entry in chosen:
            if options.names or options.all:
                claims.append(_run(context, entry))
                tell("claims", 1, len(chosen))
            else:
                claims.append(ReproducedClaim(entry, RunState.LISTED, entry.verdict))
    papers = {one.paper for one in chosen}
    needed = {name for one in chosen for name in one.data}
    return LedgerReport(
        tuple(claims),
        {key: paper for key, paper in ledger.papers.items() if key in papers},
        {key: data for key, data in ledger.data.items() if key in needed},
    )


def _run(context: CheckContext, entry: LedgerEntry) -> ReproducedClaim:
    if entry.check is None:
        return ReproducedClaim(entry, RunState.NOTHING, entry.verdict)
    start = time.process_time()
    try:
        value = float(CHECKS[entry.check](context, **entry.parameters))
    except MissingDataError as error:
        return ReproducedClaim(entry, RunState.NO_DATA, entry.verdict, missing=str(error))
    except CloneTruthError as error:
        # One damaged file must not hide what the other entries say.
        return ReproducedClaim(entry, RunState.FAILED, entry.verdict, missing=str(error))
    seconds = time.process_time() - start
    verdict = entry.judge(value)
    if entry.value is None:
        return ReproducedClaim(entry, RunState.NEW, verdict, value, seconds=seconds)
    same = math.isclose(value, entry.value, rel_tol=_SAME, abs_tol=1e-12)
    return ReproducedClaim(entry, RunState.AS_RECORDED if same else RunState.DEVIATES, verdict, value, seconds=seconds)
