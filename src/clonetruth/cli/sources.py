"""Verbs that bring datasets in: sources, import."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from clonetruth.cli.output import json_option, progress_bar, show, show_json, show_table


@click.command()
@click.argument("name", required=False)
@json_option
def sources(name: str | None, as_json: bool) -> None:
    """The datasets that can be imported; with NAME, what to know of one before believing it."""
    from clonetruth.sources import SOURCES

    if name is not None:
        found = SOURCES[name].card
        if as_json:
            show_json(found)
            return
        card = found.card
        show(f"[bold]{card.name}[/bold] {card.version}", card.description, "")
        rows: list[tuple[str, object]] = [
            ("languages", ", ".join(card.languages)),
            ("a label means", found.label_means),
            ("criterion", card.criterion),
            ("claimed by", f"{found.claimed_by.name} ({found.claimed_by.kind})"),
            ("accepts", found.accepts),
            ("licence", card.licence),
            ("citation", card.citation),
            ("home", card.url),
            *(("published", f"{count:,} {what}") for what, count in found.published.items()),
            *(("known flaw", flaw) for flaw in card.known_flaws),
            *(("reference", reference) for reference in found.references),
        ]
        show_table("", ("", ""), rows)
        if found.warning:
            show(f"[bold]Warning[/bold]: {found.warning}")
        return
    cards = [(key, SOURCES[key].card) for key in SOURCES]
    if as_json:
        show_json(dict(cards))
        return
    show_table(
        f"{len(cards)} sources",
        ("name", "languages", "criterion", "claimed by", "licence"),
        [
            (key, ", ".join(one.card.languages), one.card.criterion, str(one.claimed_by.kind), one.card.licence)
            for key, one in cards
        ],
    )


@click.command("import")
@click.argument("source")
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The benchmark folder to make.")
@click.option("--strict", is_flag=True, help="Make the first row that cannot be used an error.")
@click.option(
    "--option",
    "pairs",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the source; may be given several times.",
)
@click.option("--left", default=None, help="For tables: the column of the left fragment.")
@click.option("--right", default=None, help="For tables: the column of the right fragment.")
@click.option("--label", default=None, help="For tables: the column of the label.")
@json_option
def import_(
    source: str,
    paths: tuple[Path, ...],
    output: Path,
    strict: bool,
    pairs: tuple[str, ...],
    left: str | None,
    right: str | None,
    label: str | None,
    as_json: bool,
) -> None:
    """Import a dataset from its own files into a new benchmark folder.

    SOURCE is a name of `clonetruth sources`, or auto. Rows that cannot be used are skipped, counted and listed.
    """
    from clonetruth.sources import import_dataset

    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise click.BadParameter(f"'{pair}' is not NAME=VALUE.", param_hint="--option")
        options[name] = value
    columns = {"left": left, "right": right, "label": label}
    options.update({name: value for name, value in columns.items() if value is not None})
    with progress_bar() as progress:
        report = import_dataset(source, paths, output, options=options, strict=strict, progress=progress)
    if as_json:
        show_json(report)
        return
    show_table(f"Imported from '{report.source}'", ("table", "rows"), list(report.counts.items()))
    if report.reasons:
        show_table("Rows that could not be used", ("reason", "rows"), list(report.reasons.items()))
        for one in report.skipped[:10]:
            show(f"  {one.where}: {one.reason}")
        if len(report.skipped) > 10:
            show("  … (all places with --json)")
    show(f"Written: {report.path}")
