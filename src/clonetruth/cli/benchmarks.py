"""Verbs on a benchmark folder: info, classify, verdicts, sql."""

from __future__ import annotations

from pathlib import Path

import click

from clonetruth.cli.engines import engine_options
from clonetruth.cli.output import json_option, progress_bar, show, show_json, show_table

folder_argument = click.argument("folder", metavar="BENCHMARK", type=click.Path(path_type=Path))
processes_option = click.option(
    "--processes", type=click.IntRange(min=1), default=None, help="Processes to use; all cores unless told."
)


@click.command()
@folder_argument
@click.option("--verify", is_flag=True, help="Compute all content hashes again.")
@json_option
def info(folder: Path, verify: bool, as_json: bool) -> None:
    """What is in a benchmark: its card, counts, judges, measures and lineage."""
    from clonetruth.store.overview import overview

    result = overview(folder, verify=verify)
    if as_json:
        show_json(result)
        return
    card = result.card
    show(f"[bold]{card.name}[/bold] {card.version}", card.description, "")
    show_table(
        "Card",
        ("", ""),
        [
            ("languages", ", ".join(card.languages)),
            ("criterion", card.criterion),
            ("licence", card.licence),
            ("citation", card.citation),
            ("content hash", result.content_hash + (" (verified)" if verify else "")),
            *(("known flaw", flaw) for flaw in card.known_flaws),
        ],
    )
    show_table("Tables", ("table", "rows"), list(result.counts.items()))
    if result.judgements:
        show_table(
            "Judgements",
            ("judge", "kind", "criterion", "value", "count"),
            [(row.judge, row.kind, row.criterion, row.value, row.count) for row in result.judgements],
        )
    later = [(kind, name) for kind, names in result.later.items() for name in names]
    if later:
        show_table("Learned later", ("kind", "name"), later)
    if len(result.lineage) > 1:
        show_table("Made from", ("benchmark", "content hash"), list(result.lineage[1:]))


@click.command()
@folder_argument
@click.option("--rule", default="min", show_default=True, help="The cut rule for clone types.")
@click.option("--force", is_flag=True, help="Measure again where there are measures already.")
@processes_option
@engine_options
@json_option
def classify(
    folder: Path,
    rule: str,
    force: bool,
    processes: int | None,
    engine: str | None,
    memory_limit: str | None,
    as_json: bool,
) -> None:
    """Measure similarities and clone types of all pairs, as BigCloneBench defines them.

    Writes measures/RULE.parquet. Published values stay in the claimed columns; differences are reported.
    """
    from clonetruth.code import available_cores
    from clonetruth.measures import classify as measure
    from clonetruth.store import Benchmark, open_engine

    benchmark = Benchmark.open(folder, engine=open_engine(engine, memory_limit))
    with progress_bar() as progress:
        result = measure(benchmark, rule, processes=processes or available_cores(), replace=force, progress=progress)
    if as_json:
        show_json(result)
        return
    total = sum(result.types.values()) + sum(result.unmeasured.values())
    rows = [*result.types.items(), *((f"not measured: {why}", count) for why, count in result.unmeasured.items())]
    show_table(
        f"Clone types by the cut rule '{result.cut_rule}'",
        ("type", "pairs", "share"),
        [(name, count, f"{count / max(total, 1):.1%}") for name, count in rows],
    )
    if result.disagreements:
        show_table(
            "Published values against ours",
            ("column", "compared", "differ"),
            [(row.column, row.compared, row.differ) for row in result.disagreements],
        )
    if result.claimed_types:
        show_table("Published types against ours", ("claimed", "measured", "pairs"), result.claimed_types)
    if result.broken_fragments:
        show(f"{result.broken_fragments:,} fragments do not parse wholly; they were measured by what parses.")
    show(f"Written: {result.path}")


@click.command()
@folder_argument
@click.option("--policy", default="default", show_default=True, help="default, origin, majority, adjudicated …")
@click.option("--criterion", default=None, help="What was asked; the benchmark's own criterion unless told.")
@engine_options
@json_option
def verdicts(
    folder: Path, policy: str, criterion: str | None, engine: str | None, memory_limit: str | None, as_json: bool
) -> None:
    """What a policy concludes from the judgements: clone, not clone, or unknown.

    In the default policy a dataset's own rule is a claim, not evidence: pairs that only a rule speaks of are
    unknown.
    """
    from clonetruth.store import Benchmark, open_engine
    from clonetruth.verdicts import judge_verdicts

    benchmark = Benchmark.open(folder, engine=open_engine(engine, memory_limit))
    result = judge_verdicts(benchmark, policy, criterion)
    if as_json:
        shown = {
            name: getattr(result, name) for name in ("policy", "criterion", "digest", "path", "counts", "assumptions")
        }
        show_json(shown)
        return
    show_table(
        f"Verdicts by the policy '{result.policy}' on '{result.criterion}'",
        ("verdict", "pairs"),
        [(str(value), count) for value, count in result.counts.items()],
    )
    for assumption in result.assumptions:
        show(f"Assumption: {assumption}")
    show(f"Written: {result.path}")


@click.command()
@folder_argument
@click.argument("query")
@engine_options
@click.option("--threads", type=click.IntRange(min=1), default=None, help="Threads of the engine.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default=None, help="Write the rows to a Parquet file instead."
)
@json_option
def sql(
    folder: Path,
    query: str,
    engine: str | None,
    memory_limit: str | None,
    threads: int | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Ask a benchmark's tables a question in SQL.

    Core tables have their own names; later ones are KIND_NAME, for instance measures_min.
    """
    from clonetruth.store import Benchmark, open_engine

    benchmark = Benchmark.open(folder, engine=open_engine(engine, memory_limit, threads))
    if output is not None:
        count = benchmark.export_query(query, output)
        show_json({"rows": count, "path": output}) if as_json else show(f"Written: {output} ({count:,} rows)")
        return
    table = benchmark.sql(query)
    if as_json:
        show_json(table.to_pylist())
        return
    show_table("", table.column_names, [tuple(row.values()) for row in table.to_pylist()])
