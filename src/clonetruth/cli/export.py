"""`clonetruth export`: benchmarks in common formats."""

from __future__ import annotations

from clonetruth.cli.output import show, show_json, show_table, show_written
from clonetruth.cli.verb import verb_command
from clonetruth.options.export import ExportOptions


@verb_command(ExportOptions)
def export(options: ExportOptions) -> None:
    """Export a benchmark, and print the numbers of pairs."""
    from clonetruth.report import export_benchmark

    report = export_benchmark(options)
    if options.json:
        show_json(report)
        return
    show_table(
        f"Exported by the policy '{report.policy}' on '{report.criterion}'",
        ("", "pairs"),
        [
            *((f"labelled {name}", count) for name, count in report.written.items()),
            *((f"in {name}", count) for name, count in report.parts.items()),
            *((f"left out: {reason}", count) for reason, count in report.left_out.items()),
        ],
    )
    for assumption in report.assumptions:
        show(f"Assumed: {assumption}")
    show_written(report.path)
