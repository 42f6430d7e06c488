"""`clonetruth build mutants` and `clonetruth build inject`: clones that are known by construction."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clonetruth.cli.build_output import show_report
from clonetruth.cli.engines import engine_options
from clonetruth.cli.output import json_option, progress_bar, show_json, show_warning

if TYPE_CHECKING:
    from clonetruth.store import Benchmark, Engine

_path = click.Path(path_type=Path)


@click.command()
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True, type=_path)
@click.option("-o", "--output", required=True, type=_path, help="The benchmark folder to make.")
@click.option(
    "--operators",
    multiple=True,
    metavar="NAME[,NAME]...",
    help="Operators by name (docs/mutation.md), or T1, T2, T3; all unless told.",
)
@click.option("--per-fragment", default=1, show_default=True, help="Mutants of each function, by different operators.")
@click.option("--originals", default=1000, show_default=True, help="The most functions to mutate, drawn by hash.")
@click.option("--negatives", default=1.0, show_default=True, help="Near misses, which are no clones, for each mutant.")
@click.option("--min-tokens", default=50, show_default=True, help="Smaller functions are left out.")
@click.option("--min-lines", default=6, show_default=True, help="Shorter functions are left out.")
@click.option("--seed", default=0, show_default=True, help="Another seed is another draw.")
@engine_options
@json_option
def mutants(
    sources: tuple[Path, ...],
    output: Path,
    operators: tuple[str, ...],
    per_fragment: int,
    originals: int,
    negatives: float,
    min_tokens: int,
    min_lines: int,
    seed: int,
    engine: str | None,
    memory_limit: str | None,
    as_json: bool,
) -> None:
    """Make Type-1, Type-2 and Type-3 clones of the functions of SOURCE by known edits.

    SOURCE is a folder or file of source code, an archive, or a benchmark folder. Each function is edited by one of the
    operators of Roy and Cordy's taxonomy; every mutant parses, and was checked to differ as its operator says.
    """
    from clonetruth.build.mutants import MutantOptions, build_mutants
    from clonetruth.store import open_engine

    names = tuple(name for names in operators for name in names.split(","))
    options = MutantOptions(names, per_fragment, originals, negatives, min_tokens, min_lines, seed)
    with progress_bar() as progress, _fragments(sources, open_engine(engine, memory_limit)) as parent:
        report = build_mutants(parent, output, options, progress)
    if as_json:
        show_json(report)
    else:
        show_report(report)


@click.command()
@click.argument("system", type=_path)
@click.option(
    "--fragments",
    "folder",
    metavar="BENCHMARK",
    required=True,
    type=_path,
    help="The benchmark whose pairs are placed.",
)
@click.option("-o", "--output", required=True, type=_path, help="The benchmark folder to make.")
@click.option("--seed", default=0, show_default=True, help="Another seed is another draw.")
@engine_options
@json_option
def inject(
    system: Path, folder: Path, output: Path, seed: int, engine: str | None, memory_limit: str | None, as_json: bool
) -> None:
    """Place the fragments of a benchmark into the files of a copy of SYSTEM, a folder of source code.

    The copy lies in the new folder, as system/: run any clone detector over it, and give its report to
    `clonetruth evaluate REPORT --on FOLDER`. The two fragments of a pair never stand in one file.
    """
    from clonetruth.build.inject import InjectOptions, build_inject
    from clonetruth.store import Benchmark, open_engine

    parent = Benchmark.open(folder, engine=open_engine(engine, memory_limit))
    with progress_bar() as progress:
        report = build_inject(parent, output, InjectOptions(system, seed), progress)
    if as_json:
        show_json(report)
    else:
        show_report(report)


@contextmanager
def _fragments(sources: tuple[Path, ...], engine: Engine) -> Iterator[Benchmark]:
    """The benchmark to mutate; of source code, one that lasts as long as the build."""
    from clonetruth.sources import import_dataset
    from clonetruth.store import Benchmark

    if len(sources) == 1 and (sources[0] / "benchmark.json").exists():
        yield Benchmark.open(sources[0], engine=engine)
        return
    with tempfile.TemporaryDirectory(prefix="clonetruth-sources-") as folder:
        name = "-".join(path.resolve().name for path in sources)
        imported = import_dataset("folder", sources, Path(folder, "fragments"), options={"name": name})
        for reason, count in imported.reasons.items():
            show_warning(f"{count:,} files were skipped: {reason}")
        yield Benchmark.open(imported.path, engine=engine)
