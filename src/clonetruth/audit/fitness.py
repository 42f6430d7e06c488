"""Fitness for a purpose: the findings that matter for it, and a paragraph on threats to validity."""

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
"""Maximum number of findings that the paragraph names."""


class FitnessVerdict(StrEnum):
    """Whether a benchmark supports conclusions for a purpose."""

    SOUND = "sound"
    CARE = "usable with care"
    UNSOUND = "unsound"


@dataclass(frozen=True, repr=False)
class Fitness:
    """A benchmark's fitness for a purpose.

    Args:
        purpose: what the benchmark is to be used for.
        verdict: unsound if an error counts for the purpose, usable with care if a warning does, else sound.
        findings: the findings that count for the purpose, the most severe first.
        summary: the verdict in one sentence.
        paragraph: a paragraph on threats to validity, ready for a paper.
    """

    purpose: Purpose
    verdict: FitnessVerdict
    findings: tuple[Finding, ...]
    summary: str
    paragraph: str

    def __repr__(self) -> str:
        number = len(self.findings)
        return f"<Fitness for {self.purpose}: {self.verdict}, {number} relevant finding{'s' * (number != 1)}>"

    def _repr_html_(self) -> str:
        from clonetruth.audit.output import fitness_view

        return fitness_view(self)


def fitness(report: AuditReport, purpose: Purpose) -> Fitness:
    """What the findings of an audit mean for a purpose.

    A finding counts for the purposes that its rule threatens. Positives that were never judged, for example, matter
    for semantic learning, but not for the recall of Type-1 to Type-3 clones, where the text itself is evidence.
    """
    relevant = tuple(one for one in report.findings if purpose in RULES[one.code].threatens)
    errors = [one for one in relevant if one.severity is Severity.ERROR]
    warnings = [one for one in relevant if one.severity is Severity.WARNING]
    verdict = FitnessVerdict.UNSOUND if errors else FitnessVerdict.CARE if warnings else FitnessVerdict.SOUND
    card = report.benchmark.card
    activity = _ACTIVITY[purpose]
    numbers = f"{len(errors)} error{'s' * (len(errors) != 1)} and {len(warnings)} warning{'s' * (len(warnings) != 1)}"
    summary = f"{card.name} is {verdict} for {activity} ({numbers} count for it)"
    return Fitness(purpose, verdict, relevant, summary, _paragraph(report, verdict, activity, [*errors, *warnings]))


def _paragraph(report: AuditReport, verdict: FitnessVerdict, activity: str, findings: list[Finding]) -> str:
    card = report.benchmark.card
    version = report.manifest.versions["clonetruth"]
    opening = (
        f"We audited {card.name} (version {card.version}, content hash {report.benchmark.content_hash[:12]}) with "
        f"clonetruth {version}; {len(report.rules)} rules ran."
    )
    if not findings:
        return f"{opening} No finding argues against {activity} with it."
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
