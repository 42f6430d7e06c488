"""An audit in the terminal: one line per finding, like a linter."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from clonetruth.audit import AuditReport, Finding, Fitness, FitnessVerdict, Severity, explain
from clonetruth.cli.output import show, show_json, show_table, show_written, styled

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
    show([styled(rule.code), f" {rule.name} ({rule.family})"])
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
        words = [
            (", ", styled(f"{count} {_plural(severity, count)}", _STYLES[severity]))
            for severity, count in counts.items()
            if count
        ]
        show(["Found ", *[piece for both in words for piece in both][1:], f"; {ran}{idle}."])
    else:
        show([styled("Nothing found", "bold green"), f"; {ran}{idle}."])
    for reason in sorted({one.reason for one in report.not_run}):
        codes = ", ".join(one.code for one in report.not_run if one.reason == reason)
        show(styled(f"  could not run, {reason}: {codes}", "dim"))
    if fit is not None:
        show("", [styled(fit.verdict.upper(), _VERDICTS[fit.verdict]), f" {fit.summary}."], "", fit.paragraph)
    for path in written:
        show_written(path)
    if report.findings:
        show(styled(f"Explain a finding: clonetruth audit --explain {report.findings[0].code}", "dim"))


def _plural(severity: Severity, count: int) -> str:
    word = "note" if severity is Severity.INFO else str(severity)
    return word if count == 1 else f"{word}s"


def _show_finding(finding: Finding) -> None:
    severity = finding.severity or Severity.INFO
    word = "note" if severity is Severity.INFO else str(severity)
    show([styled(finding.code), " ", styled(f"{word:<7}", _STYLES[severity]), f" {finding.message}"])
    if finding.examples:
        example = finding.examples[0]
        note = " ".join(example.note.split())
        short = note if len(note) <= _NOTE_LENGTH else f"{note[:_NOTE_LENGTH]}…"
        show(styled(f"              {', '.join(example.ids)}{f': {short}' if short else ''}", "dim"))
