"""The audit: a linter for benchmarks. One rule, one function, one line in the registry."""

from clonetruth.audit.configuration import AuditConfiguration, read_configuration
from clonetruth.audit.finding import Chart, Details, Example, Finding, Fix, Severity
from clonetruth.audit.fitness import Fitness, FitnessVerdict, fitness
from clonetruth.audit.output import ExampleText, example_texts, finding_row, fix_plan, write_report
from clonetruth.audit.registry import RULES, explain, rules_page
from clonetruth.audit.rule import AuditRule, Family, Need, Purpose
from clonetruth.audit.runner import AuditOptions, AuditReport, NotRun, audit

__all__ = [
    "RULES",
    "AuditConfiguration",
    "AuditOptions",
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
    "audit",
    "example_texts",
    "explain",
    "finding_row",
    "fitness",
    "fix_plan",
    "read_configuration",
    "rules_page",
    "write_report",
]
