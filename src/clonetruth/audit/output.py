"""What an audit looks like to others: JSON, a table, the plan of fixes, and views for notebooks."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa

from clonetruth.audit.finding import Finding, Severity
from clonetruth.audit.fitness import Fitness, FitnessVerdict
from clonetruth.audit.registry import RULES
from clonetruth.audit.runner import AuditReport
from clonetruth.store.atomic import new_file

if TYPE_CHECKING:
    from markupsafe import Markup

REPORT_VERSION = 1


def finding_row(finding: Finding) -> dict[str, Any]:
    """A finding as JSON values: code, name, severity, count, of, message, examples, details."""
    return {
        "code": finding.code,
        "name": RULES[finding.code].name,
        "severity": str(finding.severity),
        "count": finding.count,
        "of": finding.of,
        "message": finding.message,
        "examples": [{"ids": list(one.ids), "note": one.note} for one in finding.examples],
        "details": [
            {"title": one.title, "columns": list(one.columns), "rows": [list(row) for row in one.rows]}
            for one in finding.details
        ],
    }


def fix_plan(report: AuditReport) -> dict[str, Any]:
    """The plan of fixes: the recipes of the findings that have one, for `clonetruth build apply`."""
    return {
        "benchmark": report.benchmark.card.name,
        "content_hash": report.benchmark.content_hash,
        "steps": [
            {
                "code": finding.code,
                "operation": finding.fix.operation,
                "says": finding.fix.description,
                "count": finding.count,
                "sql": None if finding.fix.sql is None else " ".join(finding.fix.sql.split()),
                "parameters": dict(finding.fix.parameters),
            }
            for finding in report.findings
            if finding.fix is not None
        ],
    }


@dataclass(frozen=True)
class ExampleText:
    """The text of a fragment that an example names."""

    language: str
    text: str


def example_texts(report: AuditReport) -> dict[str, ExampleText]:
    """The texts of the fragments that examples name, by id. Ids that are not fragments are left out."""
    ids = {one for finding in report.findings for example in finding.examples for one in example.ids}
    wanted = pa.table({"id": pa.array(sorted(ids), pa.string())})
    rows = report.benchmark.sql(
        "SELECT f.id AS id, f.language AS language, f.text AS text FROM fragments f JOIN wanted w ON f.id = w.id "
        "WHERE length(f.text) > 0",
        wanted=wanted,
    ).to_pylist()
    return {row["id"]: ExampleText(row["language"], row["text"]) for row in rows}


def report_content(report: AuditReport) -> dict[str, Any]:
    """An audit as JSON values."""
    return {
        "report_version": REPORT_VERSION,
        "benchmark": {
            "name": report.benchmark.card.name,
            "version": report.benchmark.card.version,
            "content_hash": report.benchmark.content_hash,
        },
        "findings": [finding_row(finding) for finding in report.findings],
        "rules": list(report.rules),
        "not_run": [asdict(one) for one in report.not_run],
        "plan": fix_plan(report)["steps"],
        "manifest": asdict(report.manifest),
    }


def write_audit(report: AuditReport, path: str | os.PathLike[str], fitness: Fitness | None = None) -> Path:
    """Write an audit to a JSON file, atomically."""
    content = report_content(report)
    if fitness is not None:
        content["fitness"] = {
            "purpose": str(fitness.purpose),
            "verdict": str(fitness.verdict),
            "summary": fitness.summary,
            "paragraph": fitness.paragraph,
        }
    target = Path(path)
    with new_file(target) as temporary:
        temporary.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return target


FINDINGS = pa.schema(
    [
        pa.field("code", pa.string(), nullable=False),
        pa.field("name", pa.string(), nullable=False),
        pa.field("severity", pa.string(), nullable=False),
        pa.field("count", pa.int64(), nullable=False),
        pa.field("of", pa.int64()),
        pa.field("message", pa.string(), nullable=False),
    ]
)


def findings_table(report: AuditReport) -> pa.Table:
    """The findings as a table, one row each."""
    rows = [{name: row[name] for name in FINDINGS.names} for row in map(finding_row, report.findings)]
    return pa.Table.from_pylist(rows, FINDINGS)


# Views for notebooks

_TONES: Mapping[str, Literal["bad", "warning", "info", "good"]] = {
    Severity.ERROR: "bad",
    Severity.WARNING: "warning",
    Severity.INFO: "info",
    FitnessVerdict.UNSOUND: "bad",
    FitnessVerdict.CARE: "warning",
    FitnessVerdict.SOUND: "good",
}


def counts_text(report: AuditReport) -> str:
    """The number of findings by severity, in words."""
    names = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
    counts = report.counts()
    return ", ".join(f"{counts[one]} {names[one]}{'s' * (counts[one] != 1)}" for one in Severity)


def report_view(report: AuditReport) -> str:
    """What an audit shows in a notebook."""
    from clonetruth.html import notebook

    facts = {"findings": counts_text(report), "rules that ran": len(report.rules), "could not run": len(report.not_run)}
    blocks = [_findings_block(report.findings)] if report.findings else []
    card = report.benchmark.card
    return notebook.view("Audit", notebook.facts(facts), *blocks, subtitle=f"{card.name} {card.version}")


def finding_view(finding: Finding) -> str:
    """What a finding shows in a notebook."""
    from clonetruth.html import Column, notebook, numbers

    rule = RULES[finding.code]
    share = finding.count / finding.of if finding.of else None
    facts = {
        "severity": notebook.badge(str(finding.severity), _TONES[finding.severity or Severity.INFO]),
        "count": numbers.count(finding.count),
        "of": numbers.count(finding.of),
        "share": numbers.percent(share, 1),
    }
    examples = [(", ".join(one.ids), one.note) for one in finding.examples]
    columns = (Column("example", "code"), Column("note", "prose"))
    return notebook.view(
        f"{finding.code} {rule.name}",
        f"{finding.message[:1].upper()}{finding.message[1:]}.",
        notebook.facts(facts),
        *([notebook.table(columns, examples)] if examples else []),
        f"Why it matters: {rule.why}",
        f"How to fix it: {rule.fix}",
    )


def fitness_view(fitness: Fitness) -> str:
    """What the fitness for a purpose shows in a notebook."""
    from clonetruth.html import notebook

    verdict = notebook.badge(str(fitness.verdict), _TONES[fitness.verdict])
    blocks = [_findings_block(fitness.findings)] if fitness.findings else []
    return notebook.view(
        f"Fit for {fitness.purpose}?",
        notebook.facts({"verdict": verdict}),
        *blocks,
        fitness.paragraph,
        subtitle=fitness.summary,
    )


def _findings_block(findings: Sequence[Finding]) -> Markup:
    from clonetruth.html import Column, notebook

    columns = (
        Column("severity"),
        Column("rule", "code"),
        Column("finding", "prose"),
        Column("count", "count"),
        Column("of", "count"),
    )
    rows = [
        (
            notebook.badge(str(one.severity), _TONES[one.severity or Severity.INFO]),
            one.code,
            one.message,
            one.count,
            one.of,
        )
        for one in findings
    ]
    return notebook.table(columns, rows)
