"""The audit itself: run the selected rules over a benchmark, and say which had nothing to look at."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

from clonetruth.audit.context import AuditContext
from clonetruth.audit.finding import Finding, Severity
from clonetruth.audit.registry import selected, thresholds
from clonetruth.audit.rule import AuditRule
from clonetruth.errors import InputError
from clonetruth.model import Manifest
from clonetruth.progress import Progress, no_progress
from clonetruth.store import Benchmark, build_manifest


@dataclass(frozen=True)
class AuditOptions:
    """What to audit, and how.

    Args:
        select: codes, or beginnings of codes ("CT5"); all rules where it is empty.
        ignore: codes, or beginnings of codes, that are left out.
        thresholds: numbers of rules by name, instead of their defaults.
        processes: how many processes share the parsing.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    thresholds: Mapping[str, float] = field(default_factory=dict)
    processes: int = 1


@dataclass(frozen=True)
class NotRun:
    """A rule that had nothing to look at."""

    code: str
    name: str
    reason: str


@dataclass(frozen=True)
class AuditReport:
    """What an audit found.

    Args:
        benchmark: the benchmark.
        findings: the worst first, then by code.
        rules: the codes of the rules that ran.
        not_run: the rules that had nothing to look at.
        seconds: how long each rule took, with what it computed for others.
        manifest: what produced the numbers.
    """

    benchmark: Benchmark = field(repr=False)
    findings: tuple[Finding, ...]
    rules: tuple[str, ...]
    not_run: tuple[NotRun, ...]
    seconds: Mapping[str, float]
    manifest: Manifest

    def counts(self) -> dict[Severity, int]:
        """Findings by severity."""
        tally = Counter(finding.severity for finding in self.findings)
        return {severity: tally[severity] for severity in Severity}

    def fails(self, on: Severity) -> bool:
        """Whether a finding is as bad as `on`, or worse."""
        return any(finding.rank <= on.rank for finding in self.findings)


def audit(
    benchmark: Benchmark,
    options: AuditOptions | None = None,
    *,
    against: Sequence[Benchmark] = (),
    reference: Benchmark | None = None,
    progress: Progress | None = None,
) -> AuditReport:
    """Look for what is wrong with a benchmark. Nothing in it is changed.

    Args:
        benchmark: the benchmark.
        options: which rules, with which numbers.
        against: other benchmarks whose claims and judgements on the same fragments (by id) are compared.
        reference: a benchmark of real code to compare the fragments with.
        progress: told what is being done.

    Raises:
        UnknownNameError: a code that no rule has.
        InputError: a threshold that no rule has.
    """
    options = options or AuditOptions()
    numbers = _numbers(options.thresholds)
    rules = selected(options.select, options.ignore)
    tell = progress or no_progress
    findings: list[Finding] = []
    not_run: list[NotRun] = []
    seconds: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="clonetruth-audit-") as scratch:
        context = AuditContext(
            benchmark,
            Path(scratch),
            numbers,
            processes=options.processes,
            against=against,
            reference=reference,
            progress=tell,
        )
        for rule in rules:
            started = perf_counter()
            reason = _missing(rule, context)
            if reason:
                not_run.append(NotRun(rule.code, rule.name, reason))
            else:
                findings += rule.run(context)
                seconds[rule.code] = perf_counter() - started
            tell("Checking rules", 1, len(rules))
    configuration = {
        "select": list(options.select),
        "ignore": list(options.ignore),
        "thresholds": dict(sorted(numbers.items())),
    }
    return AuditReport(
        benchmark=benchmark,
        findings=tuple(sorted(findings, key=lambda finding: (finding.rank, finding.code))),
        rules=tuple(seconds),
        not_run=tuple(not_run),
        seconds=seconds,
        manifest=build_manifest(_inputs(benchmark, *against), configuration),
    )


def _numbers(changed: Mapping[str, float]) -> dict[str, float]:
    numbers = thresholds()
    for name, value in changed.items():
        if name not in numbers:
            raise InputError(f"No rule has a threshold '{name}'.", hint=f"Known: {', '.join(sorted(numbers))}.")
        numbers[name] = value
    return numbers


def _inputs(*benchmarks: Benchmark) -> dict[str, str]:
    return {f"{one.card.name} {one.card.version}": one.content_hash for one in benchmarks}


def _missing(rule: AuditRule, context: AuditContext) -> str:
    missing = [str(need) for need in rule.needs if not context.has[need]]
    return f"needs {' and '.join(missing)}" if missing else ""
