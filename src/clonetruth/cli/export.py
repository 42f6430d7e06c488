"""The verb that takes benchmarks out: export."""

from __future__ import annotations

from pathlib import Path

import click

from clonetruth.cli.benchmarks import folder_argument
from clonetruth.cli.output import json_option, show, show_json, show_table


@click.command()
@folder_argument
@click.argument("format_name", metavar="FORMAT")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The folder to make.")
@click.option("--policy", default="default", show_default=True, help="Whose verdicts are the labels.")
@click.option("--criterion", default=None, help="What was asked; the benchmark's own criterion unless told.")
@click.option("--split", default=None, help="A split of the benchmark; its parts instead of those the source claims.")
@click.option("--part", default=None, help="Where pairs without a part go: train, valid or test.")
@json_option
def export(
    folder: Path,
    format_name: str,
    output: Path,
    policy: str,
    criterion: str | None,
    split: str | None,
    part: str | None,
    as_json: bool,
) -> None:
    """Write a benchmark's pairs in a format of the field: codexglue, bigcloneeval, huggingface or csv.

    Labels are the verdicts of a policy. Pairs without a verdict are left out and counted, never written as 0.
    """
    from clonetruth.report.export import export as write
    from clonetruth.report.export_selection import ExportOptions
    from clonetruth.store import Benchmark

    result = write(Benchmark.open(folder), format_name, output, ExportOptions(policy, criterion, split, part))
    if as_json:
        show_json(result)
        return
    show_table(
        f"Exported by the policy '{result.policy}' on '{result.criterion}'",
        ("", "pairs"),
        [
            *((f"labelled {name}", count) for name, count in result.written.items()),
            *((f"in {name}", count) for name, count in result.parts.items()),
            *((f"left out: {reason}", count) for reason, count in result.left_out.items()),
        ],
    )
    for assumption in result.assumptions:
        show(f"Assumed: {assumption}")
    show(f"Written: {result.path}")
