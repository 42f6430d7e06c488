"""The audit: a linter for benchmarks. One rule, one function, one line in the registry."""

from clonetruth.truth.audit.configuration import AuditConfiguration, read_configuration
from clonetruth.truth.audit.finding import Chart, Details, Example, Finding, Mend, Severity
from clonetruth.truth.audit.fitness import Fitness, FitnessVerdict, fitness
from clonetruth.truth.audit.pages import explain, rules_page
from clonetruth.truth.audit.registry import RULES
from clonetruth.truth.audit.rule import Family, Need, Purpose, Rule
from clonetruth.truth.audit.running import AuditOptions, AuditReport, NotRun, audit
from clonetruth.truth.audit.writing import ExampleText, example_texts, finding_row, fix_plan, write_report

__all__ = [
    "RULES",
    "AuditConfiguration",
    "AuditOptions",
    "AuditReport",
    "Chart",
    "Details",
    "Example",
    "ExampleText",
    "Family",
    "Finding",
    "Fitness",
    "FitnessVerdict",
    "Mend",
    "Need",
    "NotRun",
    "Purpose",
    "Rule",
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
