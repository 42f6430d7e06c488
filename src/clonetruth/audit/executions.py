"""Executions (CT602, CT607, CT608): labels that a run refutes, pairs that it did not decide, and how hard it looked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from clonetruth.audit.context import AuditContext
from clonetruth.audit.finding import Cell, Chart, Details, Finding, Fix, Severity
from clonetruth.audit.papers import MISUSE
from clonetruth.audit.relations import BEHAVIOURAL
from clonetruth.audit.rule import LEARNING, PRECISION, Need, RuleText, rule
from clonetruth.execution import BehaviourVerdict, Reason
from clonetruth.judges import PairEvidence, read_evidence

_RAN = """
SELECT g.pair AS pair, f.claim AS claim, g.value AS value, g.reason AS reason, g.evidence AS evidence
FROM judgements g
JOIN judges j ON g.judge = j.judge
JOIN facts f ON g.pair = f.pair
WHERE j.kind = 'execution'
ORDER BY g.pair, CASE WHEN g.time IS NULL THEN 0 ELSE 1 END, g.time, g.sequence
"""
"""What executions say of pairs; of one pair the latest last."""


class EvidenceStrength(StrEnum):
    """How much a run says about a pair."""

    WITNESS = "an input shows a difference"
    PROOF = "proved equal"
    STRONG = "no difference, strong search"
    WEAK = "no difference, weaker search"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class _Run:
    """What the latest execution says of a pair; `evidence` is None if somebody else ran it."""

    pair: int
    claim: str | None
    value: str
    note: str
    evidence: PairEvidence | None

    @property
    def reason(self) -> Reason | None:
        return None if self.evidence is None else self.evidence.comparison.why_undecided

    def strength(self, runs: float, coverage: float) -> EvidenceStrength:
        if self.value != "clone" or self.evidence is None:
            return EvidenceStrength.WITNESS if self.value == "not-clone" else EvidenceStrength.UNDECIDED
        found = self.evidence.comparison
        if found.verdict is BehaviourVerdict.PROVED_EQUAL:
            return EvidenceStrength.PROOF
        reached = (found.strength.left_coverage, found.strength.right_coverage)
        enough = found.strength.normal >= runs and all(one is not None and one >= coverage for one in reached)
        return EvidenceStrength.STRONG if enough else EvidenceStrength.WEAK


def _runs(context: AuditContext) -> Mapping[int, _Run]:
    found: dict[int, _Run] = {}
    for row in context.rows(_RAN):
        try:
            read = read_evidence(row["evidence"] or "")
        except ValueError:
            read = None  # of somebody else, in words
        evidence = read if isinstance(read, PairEvidence) else None
        note = row["reason"] or row["evidence"] or "different behaviour"
        found[row["pair"]] = _Run(row["pair"], row["claim"], row["value"], note, evidence)
    return found


@rule(
    "CT602",
    Severity.ERROR,
    RuleText(
        name="counter-examples",
        what="Pairs claimed as clones whose executions showed different behaviour, with the input. A note where the "
        "label does not claim that both behave the same.",
        why="A counter-example settles the question of equivalence: the claim is wrong.",
        reference=MISUSE,
        fix="Evaluate on verdicts (the default policy counts executions), or drop the pairs.",
        needs=(Need.LABELS, Need.EVIDENCE),
        threatens=LEARNING | PRECISION,
    ),
)
def counter_examples(context: AuditContext) -> Iterator[Finding]:
    claimed = [one for one in _runs(context).values() if one.claim == "clone" and one.value != "undecided"]
    refuted = [one for one in claimed if one.value == "not-clone"]
    if not refuted:
        return
    about_behaviour = f"'{context.benchmark.card.criterion}'" in BEHAVIOURAL
    kinds = Counter(
        kind
        for one in refuted
        if one.evidence is not None and one.evidence.comparison.witness is not None
        for kind in one.evidence.comparison.witness.differences
    )
    yield Finding(
        f"{len(refuted):,} of {len(claimed):,} claimed clones that execution decided behave differently"
        + ("" if about_behaviour else f", which '{context.benchmark.card.criterion}' does not exclude"),
        len(refuted),
        len(claimed),
        context.noted_pairs({one.pair: one.note[:400] for one in refuted}),
        (Details("What differs", ("difference", "pairs"), tuple(kinds.most_common()), Chart.BARS),) if kinds else (),
        Fix("unlabel-pairs", "Let the evidence decide: use the verdicts of the default policy.")
        if about_behaviour
        else None,
        None if about_behaviour else Severity.INFO,
    )


@rule(
    "CT607",
    Severity.INFO,
    RuleText(
        name="undecided-by-execution",
        what="Pairs that were executed without a decision, by reason.",
        why="What cannot be run is not a random part of a benchmark: code with dependencies, files and screens is "
        "missing from every number that rests on executions alone.",
        reference=MISUSE,
        fix="Report the share that was decided next to the number, and ask people about a sample of the rest.",
        needs=(Need.EVIDENCE,),
        threatens=LEARNING | PRECISION,
    ),
)
def undecided_pairs(context: AuditContext) -> Iterator[Finding]:
    runs = [one for one in _runs(context).values() if one.evidence is not None]
    undecided = [one for one in runs if one.value == "undecided"]
    if not undecided:
        return
    reasons = Counter(str(one.reason) for one in undecided)
    rows = tuple((name, number, number / len(runs)) for name, number in reasons.most_common())
    decided = len(runs) - len(undecided)
    yield Finding(
        f"execution decided {decided:,} of {len(runs):,} pairs ({decided / len(runs):.1%})",
        len(undecided),
        len(runs),
        context.noted_pairs({one.pair: one.note[:200] for one in undecided}),
        (Details("Why pairs are undecided", ("reason", "pairs", "share of the pairs"), rows),),
    )


@rule(
    "CT608",
    Severity.INFO,
    RuleText(
        name="weakly-confirmed",
        what="Clones by execution whose search for a difference was not strong: few inputs, or much of the code never "
        "reached or not measured; with all labels by the strength of their evidence.",
        why="That no difference was found says as much as the search was able to find one.",
        reference=MISUSE,
        fix="Ask for more with a policy, such as default:runs=100,coverage=0.8, or run again with more inputs.",
        needs=(Need.EVIDENCE,),
        threatens=LEARNING | PRECISION,
        thresholds={"strong-runs": 50, "strong-coverage": 0.8},
    ),
)
def weakly_confirmed(context: AuditContext) -> Iterator[Finding]:
    runs, coverage = context.threshold("strong-runs"), context.threshold("strong-coverage")
    ran = [one for one in _runs(context).values() if one.evidence is not None]
    strengths = {one.pair: one.strength(runs, coverage) for one in ran}
    confirmed = [one for one in ran if one.value == "clone"]
    weak = [one for one in confirmed if strengths[one.pair] is EvidenceStrength.WEAK]
    if not weak:
        return
    table = Counter((one.claim or "no label", strengths[one.pair]) for one in ran)
    labels = sorted({label for label, _ in table})
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (str(level), *(table[label, level] for label in labels)) for level in EvidenceStrength
    )
    yield Finding(
        f"{len(weak):,} of {len(confirmed):,} clones by execution rest on fewer than {runs:g} runs or on less than "
        f"{coverage:.0%} of the code",
        len(weak),
        len(confirmed),
        context.noted_pairs({one.pair: one.note[:200] for one in weak}),
        (Details("Labels by the strength of the evidence", ("evidence", *labels), rows, Chart.BARS),),
    )
