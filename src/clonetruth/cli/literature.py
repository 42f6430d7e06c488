"""`clonetruth reproduce` and `clonetruth literature …`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clonetruth.cli.output import progress_bar, show, show_json, show_note, show_table, show_written, styled
from clonetruth.cli.verb import verb_command
from clonetruth.options.literature import CheckPaperOptions, CollectOptions, ReproduceOptions

if TYPE_CHECKING:
    from clonetruth.literature import LedgerReport, PaperCheck

_PAGE = Path("ledger.html")


@verb_command(ReproduceOptions)
def reproduce(options: ReproduceOptions) -> int | None:
    """Compute entries of the ledger, print them, and write the page."""
    from clonetruth.literature import reproduce_claims

    with progress_bar() as progress:
        report = reproduce_claims(options, progress=progress)
    html = options.html or (_PAGE if options.all and not options.json else None)
    if html is not None:
        from clonetruth.html import write
        from clonetruth.report import ledger_page

        path = write(ledger_page(report), html)
        if not options.json:
            show_written(path)
    if options.json:
        show_json(report)
    else:
        _show_ledger(report)
    return 1 if report.deviations else None


def _show_ledger(report: LedgerReport) -> None:
    from clonetruth.report.ledger import value_text

    rows = []
    for one in report.claims:
        value = one.entry.value if one.value is None else one.value
        shown = "–" if value is None else value_text(value, one.entry.reported)
        rows.append((one.entry.name, one.entry.reported, shown, str(one.verdict), str(one.state)))
    show_table("Numbers of papers", ("entry", "printed", "computed", "verdict", "run"), rows)
    if len(report.claims) == 1:
        (one,) = report.claims
        entry = one.entry
        paper = report.papers[entry.paper]
        show(styled(entry.claim), f"  {paper.citation} {entry.place[:1].upper()}{entry.place[1:]}.")
        show(f"  Computed: {entry.how}." + (f" On {entry.part}." if entry.part else ""))
        if entry.note:
            show(f"  {entry.note}")
    counts = ", ".join(f"{number:,} {verdict}" for verdict, number in report.verdicts.items() if number)
    show(f"{counts}.")
    missing = sorted({one.missing.partition("/")[0] for one in report.claims if str(one.state) == "no data"})
    for name in missing:
        show_note(f"{name} is not at hand (--data FOLDER): {report.data[name].get}")
    for one in report.deviations:
        what = one.missing or f"{one.value} instead of {one.entry.value}"
        show_note(f"{one.entry.name} deviates from what was recorded: {what}")


@verb_command(CollectOptions)
def collect(options: CollectOptions) -> None:
    """Collect papers, and print the flow."""
    from clonetruth.literature import collect_papers

    found = collect_papers(options)
    if options.json:
        show_json({"flow": found.flow, "hits": found.hits, "papers": found.papers, "alike": found.alike})
        return
    show_table("Hits", ("library", "records"), [(name, f"{number:,}") for name, number in found.hits.items()])
    rows = [(step, f"{number:,}") for step, number in found.flow.items() if number or not step.startswith("excluded")]
    show_table("The flow of inclusion", ("step", "papers"), rows)
    for one, other in found.alike:
        show_note(f"The same title, but another DOI and year: {one} and {other}.")
    for place in found.unused:
        show_note(f"The decision fits no paper: {place}.")
    if found.path is not None:
        show_written(found.path)


@verb_command(CheckPaperOptions)
def check(options: CheckPaperOptions) -> int | None:
    """Check papers, and print what they were measured on."""
    from clonetruth.literature import check_papers

    checks = check_papers(options)
    if options.json:
        show_json(checks)
    else:
        for one in checks:
            _show_check(one)
    return 1 if any(one.error for one in checks) else None


def _show_check(found: PaperCheck) -> None:
    show("", [styled(str(found.path)), f" ({found.pages:,} pages)" if found.pages else ""])
    if found.error:
        show_note(found.error)
        return
    for note in found.notes:
        show_note(note)
    for dataset in found.datasets:
        show("", [styled(dataset.source), f": {dataset.mentions:,} sentences; a label means '{dataset.criterion}'"])
        show(*(f"  • {line}" for line in dataset.threats))
        show(*(f"  p. {one.page}: {one.text}" for one in dataset.sentences))
    if not found.datasets:
        show("It names no dataset that clonetruth knows.")
    for topic, sentences in (found.topics or {}).items():
        if sentences:
            show("", styled(topic.capitalize()), *(f"  p. {one.page}: {one.text}" for one in sentences))
    if found.questions:
        show("", styled("Ask the authors"), *(f"  • {line}" for line in found.questions))
