"""The audit itself: run the selected rules on a benchmark, and report which ones could not run."""

from __future__ import annotations

import shutil
import tempfile
import warnings
import weakref
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from clonetruth.audit.context import AuditContext
from clonetruth.audit.finding import Finding, Severity
from clonetruth.audit.registry import selected, thresholds
from clonetruth.audit.rule import AuditRule, Purpose
from clonetruth.code import available_cores
from clonetruth.errors import CloneTruthWarning, InputError
from clonetruth.model import Manifest
from clonetruth.options.audit import AuditOptions
from clonetruth.options.declaration import verb
from clonetruth.progress import Progress, no_progress
from clonetruth.store import Benchmark, build_manifest, open_benchmark, open_engine

if TYPE_CHECKING:
    import pyarrow as pa

    from clonetruth.audit.fitness import Fitness


@dataclass(frozen=True)
class NotRun:
    """A rule that could not run because the benchmark lacks what it needs."""

    code: str
    name: str
    reason: str


@dataclass(frozen=True, repr=False)
class AuditReport:
    """What an audit found.

    Args:
        benchmark: the benchmark.
        findings: the most severe first, then by code.
        rules: the codes of the rules that ran.
        not_run: the rules that could not run.
        seconds: how long each rule took, including relations that it computed first.
        manifest: what produced the numbers.
    """

    benchmark: Benchmark
    findings: tuple[Finding, ...]
    rules: tuple[str, ...]
    not_run: tuple[NotRun, ...]
    seconds: Mapping[str, float]
    manifest: Manifest

    def counts(self) -> dict[Severity, int]:
        """Findings by severity."""
        counts = Counter(finding.severity for finding in self.findings)
        return {severity: counts[severity] for severity in Severity}

    def fails(self, on: Severity | str) -> bool:
        """Whether a finding is at least as severe as `on`."""
        return any(finding.rank <= Severity(on).rank for finding in self.findings)

    def fitness(self, purpose: Purpose | str) -> Fitness:
        """Whether the benchmark is fit for a purpose: `semantic-learning`, `syntactic-recall` or `precision`."""
        from clonetruth.audit.fitness import fitness

        return fitness(self, Purpose(purpose))

    def to_dict(self) -> dict[str, Any]:
        """The audit as JSON values, as `audit.json` has them."""
        from clonetruth.audit.output import report_content

        return report_content(self)

    def to_arrow(self) -> pa.Table:
        """One row per finding: code, name, severity, count, of (nullable), message."""
        from clonetruth.audit.output import findings_table

        return findings_table(self)

    def __repr__(self) -> str:
        from clonetruth.audit.output import counts_text

        return f"<AuditReport of {self.benchmark.card.name} {self.benchmark.card.version}: {counts_text(self)}>"

    def _repr_html_(self) -> str:
        from clonetruth.audit.output import report_view

        return report_view(self)


@verb(AuditOptions)
def audit_benchmark(options: AuditOptions, *, progress: Progress | None = None) -> AuditReport:
    """Find what is wrong with a benchmark. Nothing in it is changed.

    Returns:
        The findings, the most severe first, and which rules could not run.

    Raises:
        UnknownNameError: there is no rule with such a code.
        InputError: no rule has such a threshold, or a pair file cannot be read.

    Example:
        >>> import clonetruth
        >>> report = clonetruth.audit_benchmark("my-benchmark", select="CT5")
        >>> report.fails("error")
        False
    """
    if bool(options.benchmark) == bool(options.pair_files):
        raise InputError(
            "Audit either a benchmark or pair files.",
            hint="Give a benchmark folder, or pair files as `train`, `valid` and `test`.",
        )
    if options.benchmark is not None:
        return _audit(_open(options.benchmark, options), options, progress or no_progress)
    folder = Path(tempfile.mkdtemp(prefix="clonetruth-pairs-"))
    try:
        report = _audit(_from_pair_files(options, folder / "benchmark"), options, progress or no_progress)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    # The report still reads texts of examples from the benchmark.
    weakref.finalize(report, shutil.rmtree, folder, ignore_errors=True)
    return report


def _open(benchmark: Path | Benchmark, options: AuditOptions) -> Benchmark:
    return open_benchmark(benchmark, engine=options.engine, memory_limit=options.memory_limit)


def _from_pair_files(options: AuditOptions, folder: Path) -> Benchmark:
    """A benchmark made of pair files, for one audit."""
    from clonetruth.sources import ImportLog
    from clonetruth.sources.part_files import PartFiles, read_part_files

    log = ImportLog()
    dataset = read_part_files(PartFiles(options.pair_files, options.texts, options.language), log)
    for reason, count in log.reasons.items():
        first = next(one.where for one in log.skipped if one.reason == reason)
        rows = "row was" if count == 1 else "rows were"
        warnings.warn(f"{count:,} {rows} skipped: {reason} (first: {first})", CloneTruthWarning, stacklevel=3)
    return Benchmark.create(folder, dataset, engine=open_engine(options.engine, options.memory_limit))


def _audit(benchmark: Benchmark, options: AuditOptions, progress: Progress) -> AuditReport:
    limits = _thresholds(options.thresholds or {})
    rules = selected(options.select, options.ignore)
    against = [_open(one, options) for one in options.against]
    inputs = _inputs(benchmark, *against)
    findings: list[Finding] = []
    not_run: list[NotRun] = []
    seconds: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="clonetruth-audit-") as scratch:
        context = AuditContext(
            benchmark,
            Path(scratch),
            limits,
            processes=options.processes or available_cores(),
            against=against,
            reference=None if options.reference is None else _open(options.reference, options),
            corpora=options.corpus,
            progress=progress,
        )
        for rule in rules:
            started = perf_counter()
            reason = _missing(rule, context)
            if reason:
                not_run.append(NotRun(rule.code, rule.name, reason))
            else:
                findings += rule.run(context)
                seconds[rule.code] = perf_counter() - started
            progress("Checking rules", 1, len(rules))
    configuration = {
        "select": list(options.select),
        "ignore": list(options.ignore),
        "thresholds": dict(sorted(limits.items())),
    }
    return AuditReport(
        benchmark=benchmark,
        findings=tuple(sorted(findings, key=lambda finding: (finding.rank, finding.code))),
        rules=tuple(seconds),
        not_run=tuple(not_run),
        seconds=seconds,
        manifest=build_manifest(inputs, configuration),
    )


def _thresholds(changed: Mapping[str, float]) -> dict[str, float]:
    values = thresholds()
    for name, value in changed.items():
        if name not in values:
            raise InputError(f"No rule has a threshold '{name}'.", hint=f"Known: {', '.join(sorted(values))}.")
        values[name] = value
    return values


def _inputs(*benchmarks: Benchmark) -> dict[str, str]:
    return {f"{one.card.name} {one.card.version}": one.content_hash for one in benchmarks}


def _missing(rule: AuditRule, context: AuditContext) -> str:
    missing = [str(need) for need in rule.needs if not context.available[need]]
    return f"needs {' and '.join(missing)}" if missing else ""
