"""`clonetruth audit`: a linter for benchmarks."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clonetruth.cli.engines import engine_options
from clonetruth.cli.output import json_option, progress_bar, show_json

if TYPE_CHECKING:
    from clonetruth.audit import AuditConfiguration, AuditReport, Fitness
    from clonetruth.store import Benchmark, Engine

_PARTS = ("train", "valid", "test")
_SEVERITIES = ("error", "warning", "info")
_PURPOSES = ("semantic-learning", "syntactic-recall", "precision")


@dataclass(frozen=True)
class AuditCall:
    """The options of the command, as it was called."""

    folder: Path | None
    train: Path | None
    valid: Path | None
    test: Path | None
    texts: tuple[Path, ...]
    language: str | None
    against: tuple[Path, ...]
    reference: Path | None
    select: tuple[str, ...]
    ignore: tuple[str, ...]
    fail_on: str | None
    purpose: str | None
    plan: bool
    output: Path | None
    processes: int | None
    engine: str | None
    memory_limit: str | None
    as_json: bool

    @property
    def files(self) -> dict[str, Path]:
        """The pair files by part."""
        return {part: path for part in _PARTS if (path := getattr(self, part)) is not None}


def _codes(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(code.strip() for value in values for code in value.split(",") if code.strip())


_path = click.Path(path_type=Path)


@click.command()
@click.argument("folder", metavar="[BENCHMARK]", required=False, type=_path)
@click.option("--train", type=_path, help="A pair file instead of a benchmark: left id, right id, 0 or 1.")
@click.option("--valid", type=_path, help="The pair file of the validation part.")
@click.option("--test", type=_path, help="The pair file of the test part.")
@click.option("--texts", type=_path, multiple=True, help="Texts of the pair files' ids: data.jsonl, functions.zip …")
@click.option("--language", help="Language of those texts; guessed unless told.")
@click.option("--against", type=_path, multiple=True, help="Another benchmark to compare claims on the same ids with.")
@click.option("--reference", type=_path, help="A benchmark of real code to compare the fragments with.")
@click.option("--select", multiple=True, metavar="CODES", callback=_codes, help="Only rules whose code begins so.")
@click.option("--ignore", multiple=True, metavar="CODES", callback=_codes, help="No rules whose code begins so.")
@click.option("--fail-on", type=click.Choice(_SEVERITIES), help="Exit with 1 from a finding of this severity on.")
@click.option("--for", "purpose", type=click.Choice(_PURPOSES), help="Say whether it is fit for a purpose.")
@click.option("--explain", metavar="CODE", help="Explain a rule, and do nothing else.")
@click.option("--fix-plan", "plan", is_flag=True, help="Print a JSON plan of recipes against the findings.")
@click.option("-o", "--output", type=_path, help="Folder for audit.json and audit.html.")
@click.option("--processes", type=click.IntRange(min=1), help="Processes to use; all cores unless told.")
@engine_options
@json_option
@click.pass_context
def audit(context: click.Context, /, explain: str | None, **options: Any) -> None:
    """Find what is wrong with a benchmark, before its numbers are believed.

    Audits a benchmark folder (audit.json and audit.html go to its results folder), or pair files:
    --train a.txt --test b.txt. Nothing else is written, and no data is changed. Settings are read from
    [tool.clonetruth.audit] of pyproject.toml, or [audit] of clonetruth.toml.
    """
    call = AuditCall(**options)
    if explain:
        from clonetruth.cli.audit_output import show_rule

        show_rule(explain, as_json=call.as_json)
        return
    if bool(call.folder) == bool(call.files):
        raise click.UsageError("Give either a benchmark folder, or pair files with --train, --valid and --test.")
    if _run(call):
        context.exit(1)


def _run(call: AuditCall) -> bool:
    """Audit, print, write; whether the audit fails."""
    from clonetruth.audit import (
        AuditOptions,
        Purpose,
        Severity,
        finding_row,
        fitness,
        fix_plan,
        read_configuration,
    )
    from clonetruth.audit import audit as run
    from clonetruth.cli.audit_output import show_findings
    from clonetruth.code import available_cores
    from clonetruth.store import Benchmark, open_engine

    settings = read_configuration(Path.cwd())
    options = AuditOptions(
        select=call.select or settings.select,
        ignore=(*call.ignore, *(() if call.select else settings.ignore)),
        thresholds=settings.thresholds,
        processes=call.processes or available_cores(),
    )
    engine = open_engine(call.engine, call.memory_limit)
    with progress_bar() as progress, _benchmark(call, engine) as benchmark:
        report = run(
            benchmark,
            options,
            against=[Benchmark.open(path, engine=engine) for path in call.against],
            reference=Benchmark.open(call.reference, engine=engine) if call.reference else None,
            progress=progress,
        )
        fit = fitness(report, Purpose(call.purpose)) if call.purpose else None
        written = _write(call, report, fit)
    if call.plan:
        show_json(fix_plan(report))
    elif call.as_json:
        show_json([finding_row(finding) for finding in report.findings])
    else:
        show_findings(report, fit, written)
    fail_on = _fail_on(call, settings)
    return fail_on is not None and report.fails(Severity(fail_on))


def _fail_on(call: AuditCall, settings: AuditConfiguration) -> str | None:
    return call.fail_on or settings.fail_on


@contextmanager
def _benchmark(call: AuditCall, engine: Engine) -> Iterator[Benchmark]:
    """The benchmark to audit; of pair files, one that lasts as long as the audit."""
    from clonetruth.store import Benchmark

    if call.folder is not None:
        yield Benchmark.open(call.folder, engine=engine)
        return
    from clonetruth.cli.output import show_warning
    from clonetruth.sources import ImportLog
    from clonetruth.sources.part_files import PartFiles, read_part_files

    log = ImportLog()
    dataset = read_part_files(PartFiles(call.files, call.texts, call.language), log)
    for reason, count in log.reasons.items():
        first = next(one.where for one in log.skipped if one.reason == reason)
        show_warning(f"{count:,} {'row was' if count == 1 else 'rows were'} skipped: {reason} (first: {first})")
    with tempfile.TemporaryDirectory(prefix="clonetruth-pairs-") as folder:
        yield Benchmark.create(Path(folder) / "benchmark", dataset, engine=engine)


def _write(call: AuditCall, report: AuditReport, fit: Fitness | None) -> tuple[Path, ...]:
    from clonetruth.audit import example_texts, write_report
    from clonetruth.errors import InputError
    from clonetruth.html import write
    from clonetruth.report.audit import audit_page

    folder = call.output or (call.folder / "results" if call.folder else None)
    if folder is None:
        return ()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        data = write_report(report, folder / "audit.json", fit)
    except OSError as error:
        raise InputError(
            f"The report cannot be written ({error.strerror or error}).",
            where=folder,
            hint="Give a folder that you may write to with --output.",
        ) from error
    page = write(audit_page(report, fit, example_texts(report)), folder / "audit.html")
    return data, page
