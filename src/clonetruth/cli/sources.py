"""`clonetruth sources` and `clonetruth import`: datasets coming in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clonetruth.cli.output import progress_bar, show, show_json, show_table
from clonetruth.cli.verb import verb_command
from clonetruth.options.sources import ImportOptions, SourcesOptions

if TYPE_CHECKING:
    from clonetruth.sources import SourceCard

_SHOWN_ROWS = 10
"""The number of unusable rows that the terminal shows."""


@verb_command(SourcesOptions)
def sources(options: SourcesOptions) -> None:
    """List the sources, or describe one."""
    from clonetruth.sources import list_sources

    cards = list_sources(options)
    if options.json:
        show_json({card.name: card for card in cards} if options.name is None else cards[0])
    elif options.name is not None:
        _show_source(cards[0])
    else:
        show_table(
            f"{len(cards)} sources",
            ("name", "languages", "criterion", "claimed by", "licence"),
            [
                (one.name, ", ".join(one.card.languages), one.card.criterion, one.claimed_by.kind, one.card.licence)
                for one in cards
            ],
        )


def _show_source(source: SourceCard) -> None:
    card = source.card
    show(f"[bold]{card.name}[/bold] {card.version}", card.description, "")
    rows: list[tuple[str, object]] = [
        ("languages", ", ".join(card.languages)),
        ("a label means", source.label_means),
        ("criterion", card.criterion),
        ("claimed by", f"{source.claimed_by.name} ({source.claimed_by.kind})"),
        ("accepts", source.accepts),
        ("licence", card.licence),
        ("citation", card.citation),
        ("home", card.url),
        *(("published", f"{count:,} {what}") for what, count in source.published.items()),
        *(("known flaw", flaw) for flaw in card.known_flaws),
        *(("reference", reference) for reference in source.references),
    ]
    show_table("", ("", ""), rows)
    if source.warning:
        show(f"[bold]Warning[/bold]: {source.warning}")


@verb_command(ImportOptions)
def import_(options: ImportOptions) -> None:
    """Import a dataset, and print what was read and skipped."""
    from clonetruth.sources import import_dataset

    with progress_bar() as progress:
        report = import_dataset(options, progress=progress)
    if options.json:
        show_json(report)
        return
    show_table(f"Imported from '{report.source}'", ("table", "rows"), list(report.counts.items()))
    if report.reasons:
        show_table("Unusable rows", ("reason", "rows"), list(report.reasons.items()))
        for one in report.skipped[:_SHOWN_ROWS]:
            show(f"  {one.where}: {one.reason}")
        if len(report.skipped) > _SHOWN_ROWS:
            show("  … (--json lists all)")
    show(f"Written: {report.path}")
