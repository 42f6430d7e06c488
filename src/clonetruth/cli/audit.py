"""`clonetruth audit`: a linter for benchmarks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from clonetruth.cli.output import progress_bar, show_json
from clonetruth.cli.verb import verb_command
from clonetruth.options.audit import AuditOptions

if TYPE_CHECKING:
    from clonetruth.audit import AuditReport, Fitness


@verb_command(AuditOptions)
def audit(options: AuditOptions) -> int:
    """Audit, print, write; 1 if there is a finding that must not be."""
    if options.explain:
        from clonetruth.cli.audit_output import show_rule

        show_rule(options.explain, as_json=options.json)
        return 0
    if bool(options.benchmark) == bool(options.pair_files):
        raise click.UsageError("Give either a benchmark folder, or pair files with --train, --valid and --test.")
    from clonetruth.audit import audit_benchmark, fix_plan
    from clonetruth.cli.audit_output import show_findings

    with progress_bar() as progress:
        report = audit_benchmark(options, progress=progress)
        fitness = report.fitness(options.for_) if options.for_ else None
        written = _write(options, report, fitness)
    if options.fix_plan:
        show_json(fix_plan(report))
    elif options.json:
        show_json([finding.to_dict() for finding in report.findings])
    else:
        show_findings(report, fitness, written)
    return int(options.fail_on is not None and report.fails(options.fail_on))


def _write(options: AuditOptions, report: AuditReport, fitness: Fitness | None) -> list[Path]:
    written = []
    if options.output is not None:
        from clonetruth.audit import write_audit
        from clonetruth.errors import InputError

        try:
            options.output.parent.mkdir(parents=True, exist_ok=True)
            written.append(write_audit(report, options.output / "audit.json", fitness))
        except OSError as error:
            raise InputError(
                f"Cannot write the report ({error.strerror or error}).",
                where=options.output,
                hint="Choose a writable folder with --output.",
            ) from error
    if options.html is not None:
        from clonetruth.audit import example_texts
        from clonetruth.html import write
        from clonetruth.report.audit import audit_page

        written.append(write(audit_page(report, fitness, example_texts(report)), options.html))
    return written
