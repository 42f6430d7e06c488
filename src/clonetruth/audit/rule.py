"""Rules: a function over the audit's context, with the texts that explain it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from clonetruth.audit.finding import Finding, Severity

if TYPE_CHECKING:
    from clonetruth.audit.context import AuditContext


class Family(StrEnum):
    """What a rule is about. The first digit of its code is the number of its family."""

    CLAIMS = "claims"
    FRAGMENTS = "fragments"
    BALANCE = "balance"
    SHORTCUTS = "shortcuts"
    LEAKAGE = "leakage"
    SEMANTICS = "semantics"
    RIGHTS = "rights"
    REPRESENTATIVENESS = "representativeness"

    @classmethod
    def of(cls, code: str) -> Family:
        """The family of a code: CT104 belongs to the first."""
        return list(cls)[int(code[2]) - 1]


class Purpose(StrEnum):
    """What a benchmark can be used for."""

    SEMANTIC_LEARNING = "semantic-learning"
    SYNTACTIC_RECALL = "syntactic-recall"
    PRECISION = "precision"


class Need(StrEnum):
    """What a benchmark must have for a rule to run."""

    PAIRS = "pairs"
    LABELS = "labels of pairs"
    TEXTS = "texts of fragments"
    MEMBERSHIPS = "memberships in functionalities"
    PARTS = "a division into train, valid and test"
    EVIDENCE = "judgements by people, LLMs or executions"
    PROJECTS = "projects or authors of fragments"


Check = Callable[["AuditContext"], Iterator[Finding]]

LEARNING = frozenset({Purpose.SEMANTIC_LEARNING})
RECALL = frozenset({Purpose.SYNTACTIC_RECALL})
PRECISION = frozenset({Purpose.PRECISION})
ALL = frozenset(Purpose)


@dataclass(frozen=True)
class AuditRule:
    """A rule of the audit.

    Args:
        code: CT and three digits.
        name: a few words with hyphens.
        severity: the default severity of its findings.
        what: what it reports.
        why: why that matters, with a known case.
        reference: the publication that describes the problem.
        fix: what to do about it.
        needs: what a benchmark must have for it to run.
        threatens: the purposes for which its findings count.
        thresholds: the defaults of its thresholds, by name; settings can change them.
        check: the function.
    """

    code: str
    name: str
    severity: Severity
    what: str
    why: str
    reference: str
    fix: str
    check: Check
    needs: tuple[Need, ...] = ()
    threatens: frozenset[Purpose] = ALL
    thresholds: Mapping[str, float] = field(default_factory=dict)

    @property
    def family(self) -> Family:
        """What it is about."""
        return Family.of(self.code)

    def run(self, context: AuditContext) -> Iterator[Finding]:
        """The findings, with code and severity filled in."""
        for finding in self.check(context):
            yield replace(finding, code=self.code, severity=finding.severity or self.severity)


@dataclass(frozen=True)
class RuleText:
    """The texts and thresholds of a rule, for the decorator `rule`; see `AuditRule`."""

    name: str
    what: str
    why: str
    reference: str
    fix: str
    needs: tuple[Need, ...] = ()
    threatens: frozenset[Purpose] = ALL
    thresholds: Mapping[str, float] = field(default_factory=dict)


def rule(code: str, severity: Severity, about: RuleText) -> Callable[[Check], AuditRule]:
    """A decorator that turns a function into a rule."""

    def make(check: Check) -> AuditRule:
        return AuditRule(
            code=code,
            name=about.name,
            severity=severity,
            what=about.what,
            why=about.why,
            reference=about.reference,
            fix=about.fix,
            check=check,
            needs=about.needs,
            threatens=about.threatens,
            thresholds=about.thresholds,
        )

    return make
