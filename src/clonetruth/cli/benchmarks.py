"""Verbs on a benchmark folder: info, classify, verdicts, sql."""

from __future__ import annotations

from clonetruth.cli.output import progress_bar, show, show_json, show_paragraphs, show_table, show_written, styled
from clonetruth.cli.verb import verb_command
from clonetruth.options.benchmark import ClassifyOptions, InfoOptions, SqlOptions, VerdictsOptions


@verb_command(InfoOptions)
def info(options: InfoOptions) -> None:
    """Print the overview of a benchmark."""
    from clonetruth.store import describe_benchmark

    result = describe_benchmark(options)
    if options.json:
        show_json(result)
        return
    card = result.card
    show([styled(card.name), f" {card.version}"])
    show_paragraphs(card.description)
    show("")
    show_table(
        "Card",
        ("", ""),
        [
            ("languages", ", ".join(card.languages)),
            ("criterion", card.criterion),
            ("licence", card.licence),
            ("citation", card.citation),
            ("content hash", result.content_hash + (" (verified)" if options.verify else "")),
            *([("not sealed", ", ".join(result.unsealed))] if options.verify and result.unsealed else []),
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
        show_table("Added later", ("kind", "name"), later)
    if len(result.lineage) > 1:
        show_table("Derived from", ("benchmark", "content hash"), list(result.lineage[1:]))


@verb_command(ClassifyOptions)
def classify(options: ClassifyOptions) -> None:
    """Measure the pairs, and print how many have which clone type."""
    from clonetruth.measures import classify_pairs

    with progress_bar() as progress:
        result = classify_pairs(options, progress=progress)
    if options.json:
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
        show(f"{result.broken_fragments:,} fragments have syntax errors; they were measured by the parts that parse.")
    show_written(result.path)


@verb_command(VerdictsOptions)
def verdicts(options: VerdictsOptions) -> None:
    """Conclude verdicts, and print how many there are of each."""
    from clonetruth.verdicts import judge_verdicts

    result = judge_verdicts(options)
    if options.json:
        shown = ("policy", "criterion", "digest", "path", "counts", "assumptions")
        show_json({name: getattr(result, name) for name in shown})
        return
    show_table(
        f"Verdicts by the policy '{result.policy}' on '{result.criterion}'",
        ("verdict", "pairs"),
        [(str(value), count) for value, count in result.counts.items()],
    )
    for assumption in result.assumptions:
        show(f"Assumption: {assumption}")
    show_written(result.path)


@verb_command(SqlOptions)
def sql(options: SqlOptions) -> None:
    """Run a query, and print the rows or write them to a file."""
    from clonetruth.store import open_benchmark, query_benchmark

    if options.output is not None:
        benchmark = open_benchmark(
            options.benchmark, engine=options.engine, memory_limit=options.memory_limit, threads=options.threads
        )
        count = benchmark.export_query(options.query, options.output)
        written = {"rows": count, "path": options.output}
        show_json(written) if options.json else show_written(options.output, f" ({count:,} rows)")
        return
    table = query_benchmark(options)
    if options.json:
        show_json(table.to_pylist())
        return
    # Columns may have the same name.
    show_table("", table.column_names, list(zip(*(column.to_pylist() for column in table.columns), strict=True)))
