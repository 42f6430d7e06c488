"""`clonetruth report`: results as a page that a person can read."""

from __future__ import annotations

from clonetruth.cli.output import show_written
from clonetruth.cli.verb import verb_command
from clonetruth.options.report import ReportOptions


@verb_command(ReportOptions)
def report(options: ReportOptions) -> None:
    """Write the page, and print where it is."""
    from clonetruth.report import write_report

    show_written(write_report(options))
