"""`clonetruth sources`, `clonetruth import` and `clonetruth attach`: datasets and evidence coming in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from clonetruth.cli.output import progress_bar, show, show_json, show_paragraphs, show_table, show_written, styled
from clonetruth.cli.verb import verb_command
from clonetruth.options.sources import AttachOptions, ImportOptions, SourcesOptions

if TYPE_CHECKING:
    from clonetruth.sources import Skipped, SourceCard

_SHOWN_ROWS = 10
"""The number of rows or files that the terminal shows of a list."""


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
    show([styled(card.name), f" {card.version}"])
    show_paragraphs(card.description)
    show("")
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
        show([styled("Warning"), f": {source.warning}"])


def show_listed(title: str, reasons: Mapping[str, int], listed: Sequence[Skipped]) -> None:
    """Show what was not used: the number for each reason, and the first ones."""
    if not reasons:
        return
    show_table(title, ("reason", "number"), list(reasons.items()))
    for one in listed[:_SHOWN_ROWS]:
        show(f"  {one.where}: {one.reason}")
    if sum(reasons.values()) > _SHOWN_ROWS:
        show("  … (--json lists more)")


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
    show_listed("Unusable rows and values", report.reasons, report.skipped)
    show_listed("Files that were not used", report.files.reasons, report.files.unused)
    show_written(report.path)


@verb_command(AttachOptions)
def attach(options: AttachOptions) -> None:
    """Attach evidence, and print what was added and what did not match."""
    from clonetruth.sources import attach_evidence

    report = attach_evidence(options)
    if options.json:
        show_json(report)
        return
    for one in report.evidence:
        show([styled(", ".join(one.files)), f" ({one.source})"])
        if one.attached_before:
            show("  was attached before, in the same way: nothing changes")
            continue
        matched = f"{one.matched_by_id:,} fragments matched by id, {one.matched_by_text:,} by text"
        rows = (
            ("judgements in the files", one.judgements),
            ("that apply to this benchmark", one.used),
            ("judgements added", one.added),
            ("judgements that it had already, or that repeat one", one.known),
            ("functionalities described", one.described),
        )
        show_table(matched if one.judgements else "", ("", ""), [row for row in rows if row[1]])
        show_listed("Not attached", one.reasons, one.unmatched)
    show_listed("Files that were not used", report.files.reasons, report.files.unused)
    show("Nothing was written (--dry-run)." if report.dry_run else f"Attached to: {report.benchmark}")
