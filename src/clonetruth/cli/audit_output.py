"""An audit in the terminal: one line per finding, like a linter."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.markup import escape

from clonetruth.audit import AuditReport, Finding, Fitness, FitnessVerdict, Severity, explain
from clonetruth.cli.output import show, show_json, show_table

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "cyan"}
_VERDICTS = {FitnessVerdict.SOUND: "bold green", FitnessVerdict.CARE: "bold yellow", FitnessVerdict.UNSOUND: "bold red"}
_NOTE_LENGTH = 100


def show_rule(code: str, *, as_json: bool) -> None:
    """Print what a rule reports, why it matters, the reference, and how to fix it."""
    rule = explain(code)
    if as_json:
        names = ("code", "name", "severity", "what", "why", "reference", "needs", "thresholds")
        # `mending` is what the key was called first.
        show_json({"family": rule.family, **{name: getattr(rule, name) for name in names}, "mending": rule.fix})
        return
    rows: list[tuple[str, object]] = [
        ("severity", rule.severity),
        ("what", rule.what),
        ("why it matters", rule.why),
        ("reference", rule.reference),
        ("how to fix it", rule.fix),
        ("needs", ", ".join(rule.needs) or "only the card and the fragments"),
        ("threatens", ", ".join(sorted(rule.threatens)) or "no measurement, only the use of the data"),
        *(("threshold", f"{name} = {value:g}") for name, value in rule.thresholds.items()),
    ]
    show(f"[bold]{rule.code}[/bold] {rule.name} ({rule.family})")
    show_table("", ("", ""), rows)


def show_findings(report: AuditReport, fit: Fitness | None, written: Sequence[Path]) -> None:
    """Print the findings, the fitness for a purpose, and the files that were written."""
    for finding in report.findings:
        _show_finding(finding)
    if report.findings:
        show("")
    counts = report.counts()
    ran = f"{len(report.rules)} {'rule' if len(report.rules) == 1 else 'rules'} ran"
    idle = f", {len(report.not_run)} could not run" if report.not_run else ""
    if report.findings:
        words = ", ".join(
            f"[{_STYLES[severity]}]{count} {_plural(severity, count)}[/]" for severity, count in counts.items() if count
        )
        show(f"Found {words}; {ran}{idle}.")
    else:
        show(f"[bold green]Nothing found[/]; {ran}{idle}.")
    for reason in sorted({one.reason for one in report.not_run}):
        codes = ", ".join(one.code for one in report.not_run if one.reason == reason)
        show(f"[dim]  could not run, {reason}: {codes}[/dim]")
    if fit is not None:
        show(
            "", f"[{_VERDICTS[fit.verdict]}]{fit.verdict.upper()}[/] {escape(fit.summary)}.", "", escape(fit.paragraph)
        )
    for path in written:
        show(f"Written: {escape(str(path))}")
    if report.findings:
        show(f"[dim]Explain a finding: clonetruth audit --explain {report.findings[0].code}[/dim]")


def _plural(severity: Severity, count: int) -> str:
    word = "note" if severity is Severity.INFO else str(severity)
    return word if count == 1 else f"{word}s"


def _show_finding(finding: Finding) -> None:
    severity = finding.severity or Severity.INFO
    word = "note" if severity is Severity.INFO else str(severity)
    show(f"[bold]{finding.code}[/bold] [{_STYLES[severity]}]{word:<7}[/] {escape(finding.message)}")
    if finding.examples:
        example = finding.examples[0]
        note = " ".join(example.note.split())
        short = note if len(note) <= _NOTE_LENGTH else f"{note[:_NOTE_LENGTH]}…"
        show(f"[dim]              {escape(', '.join(example.ids))}{f': {escape(short)}' if short else ''}[/dim]")
