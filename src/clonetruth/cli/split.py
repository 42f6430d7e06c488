"""`clonetruth split`: fragments divided into train, valid and test so that nothing leaks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from clonetruth.cli.output import progress_bar, show, show_json, show_table, show_warning, show_written
from clonetruth.cli.verb import verb_command
from clonetruth.options.split import SplitOptions

if TYPE_CHECKING:
    from clonetruth.splits import Split
    from clonetruth.store import Benchmark


@verb_command(SplitOptions)
def split(options: SplitOptions) -> None:
    """Make or verify a split, or write the page of one."""
    from clonetruth.splits import split_benchmark
    from clonetruth.store import open_benchmark

    modes = [one for one in (options.view, options.verify, options.shift) if one is not None]
    if len(modes) != 1:
        raise click.UsageError("Give one of --view, --verify and --shift.")
    if options.shift is not None and options.html is None:
        raise click.UsageError("--shift and --html belong together.")
    if options.shift is None:
        with progress_bar() as progress:
            made = split_benchmark(options, progress=progress)
        _show(made, options)
    if options.html is not None:
        benchmark = open_benchmark(options.benchmark, engine=options.engine, memory_limit=options.memory_limit)
        _write_page(benchmark, made.name if options.shift is None else options.shift, options.html)


def _show(made: Split, options: SplitOptions) -> None:
    if options.verify is not None and options.json:
        show_json({"name": made.name, "digest": made.digest, "same": True})
    elif options.verify is not None:
        show(f"Rebuilt, {made.name} is the same: {made.digest}")
    elif options.json:
        show_json(made)
    else:
        _show_parts(made)


def _show_parts(made: Split) -> None:
    rows = [
        (name, one.fragments, one.pairs, one.clones, one.pairs - one.clones, one.functionalities)
        for name, one in made.parts.items()
    ]
    show_table(made.name, ("part", "fragments", "pairs", "clones", "non-clones", "functionalities"), rows)
    if made.left_out:
        show_table("Left out", ("because", "fragments"), list(made.left_out.items()))
    show(f"{made.crossing:,} pairs with a verdict are in no part.")
    show(f"The leakage rules {', '.join(made.rules)} found nothing.")
    if not made.options.near_duplicates:
        show("Near duplicates may be in different parts, as requested: CT503 and CT504 were not run.")
    for warning in made.warnings:
        show_warning(warning)
    show(f"Digest: {made.digest}")
    show_written(made.path)


def _write_page(benchmark: Benchmark, name: str, path: Path) -> None:
    from clonetruth.code import available_cores
    from clonetruth.html import write
    from clonetruth.report.shift import shift_page
    from clonetruth.splits.shift import measure_shift

    with progress_bar() as progress:
        shift = measure_shift(benchmark, name, progress, processes=available_cores())
    show_written(write(shift_page(shift), path), err=True)
