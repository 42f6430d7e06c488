"""The audit: a linter for benchmarks. A rule is one function and one line in the registry."""

from clonetruth.audit.finding import Chart, Details, Example, Finding, Fix, Severity
from clonetruth.audit.fitness import Fitness, FitnessVerdict, fitness
from clonetruth.audit.output import ExampleText, example_texts, finding_row, fix_plan, write_audit
from clonetruth.audit.registry import RULES, explain, rules_page
from clonetruth.audit.rule import AuditRule, Family, Need, Purpose
from clonetruth.audit.runner import AuditReport, NotRun, audit_benchmark

__all__ = [
    "RULES",
    "AuditReport",
    "AuditRule",
    "Chart",
    "Details",
    "Example",
    "ExampleText",
    "Family",
    "Finding",
    "Fitness",
    "FitnessVerdict",
    "Fix",
    "Need",
    "NotRun",
    "Purpose",
    "Severity",
    "audit_benchmark",
    "example_texts",
    "explain",
    "finding_row",
    "fitness",
    "fix_plan",
    "rules_page",
    "write_audit",
]
