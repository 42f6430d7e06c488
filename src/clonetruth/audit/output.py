"""An audit as JSON: the list of findings, the report file, and the plan of recipes."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from clonetruth.audit.finding import Finding
from clonetruth.audit.fitness import Fitness
from clonetruth.audit.registry import RULES
from clonetruth.audit.runner import AuditReport
from clonetruth.store.atomic import new_file

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
    """The recipes of the findings that can be mended, for commands that make a derived benchmark of them."""
    return {
        "benchmark": report.benchmark.card.name,
        "content_hash": report.benchmark.content_hash,
        "steps": [
            {
                "code": finding.code,
                "operation": finding.mend.operation,
                "says": finding.mend.says,
                "count": finding.count,
                "sql": None if finding.mend.sql is None else " ".join(finding.mend.sql.split()),
                "parameters": dict(finding.mend.parameters),
            }
            for finding in report.findings
            if finding.mend is not None
        ],
    }


@dataclass(frozen=True)
class ExampleText:
    """The text of a fragment that an example names."""

    language: str
    text: str


def example_texts(report: AuditReport) -> dict[str, ExampleText]:
    """The texts of the fragments that examples name, by id; what is no fragment is left out."""
    ids = {one for finding in report.findings for example in finding.examples for one in example.ids}
    asked = pa.table({"id": pa.array(sorted(ids), pa.string())})
    rows = report.benchmark.sql(
        "SELECT f.id AS id, f.language AS language, f.text AS text FROM fragments f JOIN asked a ON f.id = a.id "
        "WHERE length(f.text) > 0",
        asked=asked,
    ).to_pylist()
    return {row["id"]: ExampleText(row["language"], row["text"]) for row in rows}


def write_report(report: AuditReport, path: Path, fitness: Fitness | None = None) -> Path:
    """Write the whole audit to a JSON file, which appears whole or not at all."""
    content: dict[str, Any] = {
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
    if fitness is not None:
        content["fitness"] = {
            "purpose": str(fitness.purpose),
            "verdict": str(fitness.verdict),
            "summary": fitness.summary,
            "paragraph": fitness.paragraph,
        }
    with new_file(path) as temporary:
        temporary.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return path
