"""`clonetruth build functionalities`: recover what a dataset dropped, and measure how well."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from clonetruth.cli.build_output import show_report
from clonetruth.cli.engines import engine_options
from clonetruth.cli.output import json_option, progress_bar, show_json, show_table

if TYPE_CHECKING:
    from clonetruth.build.functionalities import CheckedShare, RecoveryCheck

_path = click.Path(path_type=Path)


@click.command()
@click.argument("folder", metavar="BENCHMARK", type=_path)
@click.option("-o", "--output", type=_path, help="The benchmark folder to make; not needed for a check.")
@click.option(
    "--with",
    "others",
    multiple=True,
    type=_path,
    metavar="BENCHMARK|TABLE",
    help="A benchmark folder, or a table with function_id and functionality_id, that knows some; may be repeated.",
)
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.9,
    show_default=True,
    help="The least measured confidence of an assignment.",
)
@click.option("--pairs/--no-pairs", default=True, help="Hear what positive and negative pairs tell (the default).")
@click.option("--twins/--no-twins", default=True, help="Hear what nearly equal texts tell (the default).")
@click.option(
    "--check-folds",
    type=click.IntRange(min=2),
    help="Print coverage and accuracy, measured by hiding known members in so many goes.",
)
@click.option("--seed", default=0, show_default=True, help="Decides who is hidden when.")
@engine_options
@json_option
def functionalities(
    folder: Path,
    output: Path | None,
    others: tuple[Path, ...],
    confidence: float,
    pairs: bool,
    twins: bool,
    check_folds: int | None,
    seed: int,
    engine: str | None,
    memory_limit: str | None,
    as_json: bool,
) -> None:
    """Recover the functionalities of fragments from ids, pairs and texts.

    What others know of fragments with the same id is taken over; the rest is inferred. Each assignment has its
    evidence and a confidence that was measured on hidden members; what is too unsure stays unknown.
    """
    from clonetruth.build.functionalities import RecoveryOptions, build_functionalities, check_functionalities
    from clonetruth.stats.intervals import clustered
    from clonetruth.store import Benchmark, open_engine

    if output is None and check_folds is None:
        raise click.UsageError("Say where the new benchmark shall stand (-o), or ask for a check (--check-folds).")
    benchmark = Benchmark.open(folder, engine=open_engine(engine, memory_limit))
    options = RecoveryOptions(others, confidence, check_folds or RecoveryOptions.folds, seed, pairs, twins)
    with progress_bar() as progress:
        check = check_functionalities(benchmark, options, clustered, progress) if check_folds else None
        report = build_functionalities(benchmark, output, options, progress) if output else None
    if as_json:
        show_json({"check": check, "build": report})
        return
    if check is not None:
        _show_check(check, confidence)
    if report is not None:
        show_report(report)


def _show_check(found: RecoveryCheck, confidence: float) -> None:
    show_table(
        f"Recovered of {found.known:,} known members, hidden in turn",
        ("hidden together", "confidence", "coverage", "accuracy"),
        [(one.hidden, f"≥ {one.confidence:g}", _text(one.coverage), _text(one.accuracy)) for one in found.check.curve],
    )
    show_table(
        f"By functionality, chains hidden, confidence ≥ {confidence:g}",
        ("functionality", "coverage", "accuracy", "taken for another if none is known", "mostly"),
        [
            (one.functionality, _text(one.coverage), _text(one.accuracy), _text(one.strangers), one.mostly)
            for one in found.check.functionalities
        ],
    )


def _text(share: CheckedShare) -> str:
    from clonetruth.html.numbers import percent, percent_interval

    interval = f" [{percent_interval(share.low, share.high, 1)}]" if share.low is not None else ""
    return f"{percent(share.value, 1)}{interval} ({share.count:,} of {share.of:,})"
