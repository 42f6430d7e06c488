"""What a rule is: a function over the audit's context, with the words that explain it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from clonetruth.audit.finding import Finding, Severity

if TYPE_CHECKING:
    from clonetruth.audit.context import AuditContext


class Family(StrEnum):
    """What a rule is about. The first digit of a code tells the family."""

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
        """The family of a code: CT104 is of the first."""
        return list(cls)[int(code[2]) - 1]


class Purpose(StrEnum):
    """What a benchmark may be used for."""

    SEMANTIC_LEARNING = "semantic-learning"
    SYNTACTIC_RECALL = "syntactic-recall"
    PRECISION = "precision"


class Need(StrEnum):
    """What must be in a benchmark for a rule to say anything."""

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
        name: in a few words, with hyphens.
        severity: of its findings, unless a finding says otherwise.
        what: what it looks for.
        why: why that matters.
        reference: who described it.
        mending: what to do about it.
        needs: what must be there for it to say anything.
        threatens: the purposes for which its findings count.
        thresholds: its numbers that a configuration may change, by name.
        check: the function.
    """

    code: str
    name: str
    severity: Severity
    what: str
    why: str
    reference: str
    mending: str
    check: Check
    needs: tuple[Need, ...] = ()
    threatens: frozenset[Purpose] = ALL
    thresholds: Mapping[str, float] = field(default_factory=dict)

    @property
    def family(self) -> Family:
        """What it is about."""
        return Family.of(self.code)

    def run(self, context: AuditContext) -> Iterator[Finding]:
        """Its findings, with code and severity."""
        for finding in self.check(context):
            yield replace(finding, code=self.code, severity=finding.severity or self.severity)


@dataclass(frozen=True)
class RuleText:
    """The words and numbers of a rule, for the decorator `rule`; see `AuditRule`."""

    name: str
    what: str
    why: str
    reference: str
    mending: str
    needs: tuple[Need, ...] = ()
    threatens: frozenset[Purpose] = ALL
    thresholds: Mapping[str, float] = field(default_factory=dict)


def rule(code: str, severity: Severity, about: RuleText) -> Callable[[Check], AuditRule]:
    """Make a rule of a function."""

    def make(check: Check) -> AuditRule:
        return AuditRule(
            code=code,
            name=about.name,
            severity=severity,
            what=about.what,
            why=about.why,
            reference=about.reference,
            mending=about.mending,
            check=check,
            needs=about.needs,
            threatens=about.threatens,
            thresholds=about.thresholds,
        )

    return make
