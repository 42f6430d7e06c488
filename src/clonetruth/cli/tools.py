"""`clonetruth tools`: external clone detectors."""

from __future__ import annotations

from clonetruth.cli.output import progress_bar, put, show_json, show_note, show_table
from clonetruth.cli.verb import VerbCommand, verb_command
from clonetruth.options.tools import RunToolOptions


def _run(options: RunToolOptions) -> None:
    """Run the tool; print the report, or a summary if the report goes to a file."""
    from clonetruth.tools import run_tool

    with progress_bar() as progress:
        report = run_tool(options, progress=progress)
    if options.output is None and not options.json:
        for left, right in report.rows:
            put(f"{left},{right}\n")
        return
    summary = {
        "tool": report.tool,
        "files": report.files,
        "unread files": len(report.unread),
        "runs": report.runs,
        "seconds": round(report.seconds, 3),
        "pairs": len(report.rows),
        "report": None if options.output is None else str(options.output),
    }
    if options.json:
        show_json({key.replace(" ", "_"): value for key, value in summary.items()})
    else:
        show_table(f"Run of {report.tool}", ("", ""), list(summary.items())[1:])


def _run_with_notice(options: RunToolOptions) -> None:
    show_note("notice: `run-tool` is now `tools run`; the old spelling will be removed in the next release.")
    _run(options)


run = verb_command(RunToolOptions)(_run)

run_tool = VerbCommand("run-tool", RunToolOptions, _run_with_notice, hidden=True)
