"""Fitness for a purpose: which findings count for it, and a paragraph on threats to validity."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from clonetruth.audit.finding import Finding, Severity
from clonetruth.audit.registry import RULES
from clonetruth.audit.rule import Purpose
from clonetruth.audit.runner import AuditReport

_ACTIVITY = {
    Purpose.SEMANTIC_LEARNING: "learning or evaluating semantic clone detection",
    Purpose.SYNTACTIC_RECALL: "measuring the recall of Type-1 to Type-3 clones",
    Purpose.PRECISION: "measuring precision",
}

_QUOTED = 6
"""Findings that the paragraph names; more would not be read."""


class FitnessVerdict(StrEnum):
    """Whether a benchmark can carry a conclusion."""

    SOUND = "sound"
    CARE = "usable with care"
    UNSOUND = "unsound"


@dataclass(frozen=True)
class Fitness:
    """A benchmark's fitness for a purpose.

    Args:
        purpose: what it is to be used for.
        verdict: unsound with an error that counts, usable with care with a warning, else sound.
        findings: the findings that count for the purpose, the worst first.
        summary: one sentence.
        paragraph: a text on threats to validity, to be pasted into a paper.
    """

    purpose: Purpose
    verdict: FitnessVerdict
    findings: tuple[Finding, ...]
    summary: str
    paragraph: str


def fitness(report: AuditReport, purpose: Purpose) -> Fitness:
    """What the findings mean for a purpose.

    Positives that nobody judged do not count for the recall of Type-1 to Type-3 clones, where the text itself
    speaks; for semantic learning they count most.
    """
    counting = tuple(one for one in report.findings if purpose in RULES[one.code].threatens)
    errors = [one for one in counting if one.severity is Severity.ERROR]
    warnings = [one for one in counting if one.severity is Severity.WARNING]
    verdict = FitnessVerdict.UNSOUND if errors else FitnessVerdict.CARE if warnings else FitnessVerdict.SOUND
    card = report.benchmark.card
    activity = _ACTIVITY[purpose]
    numbers = f"{len(errors)} error{'s' * (len(errors) != 1)} and {len(warnings)} warning{'s' * (len(warnings) != 1)}"
    summary = f"{card.name} is {verdict} for {activity} ({numbers} count for it)"
    return Fitness(purpose, verdict, counting, summary, _paragraph(report, verdict, activity, [*errors, *warnings]))


def _paragraph(report: AuditReport, verdict: FitnessVerdict, activity: str, findings: list[Finding]) -> str:
    card = report.benchmark.card
    version = report.manifest.versions["clonetruth"]
    opening = (
        f"We audited {card.name} (version {card.version}, content hash {report.benchmark.content_hash[:12]}) with "
        f"clonetruth {version}; {len(report.rules)} rules ran."
    )
    if not findings:
        return f"{opening} No finding speaks against {activity} with it."
    quoted = "; ".join(f"{one.message} ({one.code})" for one in findings[:_QUOTED])
    rest = len(findings) - _QUOTED
    more = f"; and {rest} further finding{'s' * (rest != 1)}" if rest > 0 else ""
    conclusion = {
        FitnessVerdict.UNSOUND: f"For {activity}, conclusions drawn from its own labels are therefore not supported.",
        FitnessVerdict.CARE: f"For {activity}, results should be read with these limits in mind.",
        FitnessVerdict.SOUND: "",
    }[verdict]
    labels = f"Its labels answer the criterion “{card.criterion}”."
    return f"{opening} {labels} Threats to validity: {quoted}{more}. {conclusion}".strip()
