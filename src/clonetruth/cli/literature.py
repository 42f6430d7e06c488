"""`clonetruth reproduce` and `clonetruth literature …`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clonetruth.cli.output import progress_bar, show, show_json, show_note, show_table, show_written, styled
from clonetruth.cli.verb import verb_command
from clonetruth.options.literature import (
    AskPapersOptions,
    CheckPaperOptions,
    CollectOptions,
    PilotPapersOptions,
    ReproduceOptions,
)

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
    pages = "page" if found.pages == 1 else "pages"
    show("", [styled(str(found.path)), f" ({found.pages:,} {pages})" if found.pages else ""])
    if found.error:
        show_note(found.error)
        return
    for note in found.notes:
        show_note(note)
    for dataset in found.datasets:
        unit = "sentence" if dataset.mentions == 1 else "sentences"
        show("", [styled(dataset.source), f": {dataset.mentions:,} {unit}; a label means '{dataset.criterion}'"])
        show(*(f"  • {line}" for line in dataset.threats))
        show(*(f"  p. {one.page}: {one.text}" for one in dataset.sentences))
    if not found.datasets:
        show("It names no dataset that clonetruth knows.")
    for topic, sentences in (found.topics or {}).items():
        if sentences:
            show("", styled(topic.capitalize()), *(f"  p. {one.page}: {one.text}" for one in sentences))
    if found.questions:
        show("", styled("Ask the authors"), *(f"  • {line}" for line in found.questions))


@verb_command(AskPapersOptions)
def ask(options: AskPapersOptions) -> int | None:
    """Ask about papers, and print the table."""
    from clonetruth.literature import ask_papers

    with progress_bar() as progress:
        found = ask_papers(options, progress=progress)
    if options.json:
        words = {f"{paper}/{question}": word for (paper, question), word in found.words.items()}
        show_json({**{name: getattr(found, name) for name in _ASKED}, "protocol": found.protocol.label, "words": words})
        return 1 if found.missing else None
    ids = [one.id for one in found.protocol.questions]
    names = list(dict.fromkeys(paper for paper, _ in found.words))
    rows = [(name, *(found.words[name, one] for one in ids)) for name in names]
    show_table(f"{found.protocol.label}, {found.model}", ("paper", *ids), rows)
    show("Quotes: " + (", ".join(f"{number:,} {state}" for state, number in found.quotes.items()) or "none") + ".")
    if found.agreement:
        show_table(
            "People and the model",
            ("question", "confirmed", "rejected", "share", "kappa"),
            [
                (one.question, one.confirmed, one.rejected, _rounded(one.share), _rounded(one.kappa))
                for one in found.agreement
            ],
        )
    _show_limits(found.missing, found.stopped, found.cost)
    if found.unreadable:
        show_note(f"{found.unreadable:,} replies are not as asked for.")
    for place, error in found.errors.items():
        show_note(f"{place} was left out: {error}")
    for note in found.notes:
        show_note(note)
    show_written(found.output)
    if found.study is not None:
        show(f"For people to confirm: clonetruth study serve {found.study}")
    return 1 if found.missing else None


_ASKED = ("model", "quotes", "unreadable", "missing", "stopped", "errors", "notes", "cost", "agreement", "replies")


@verb_command(PilotPapersOptions)
def pilot(options: PilotPapersOptions) -> int | None:
    """Try a protocol, and print the versions side by side."""
    from clonetruth.literature import pilot_protocol

    with progress_bar() as progress:
        found = pilot_protocol(options, progress=progress)
    if options.json:
        show_json(found)
        return 1 if found.missing else None
    rows = [
        (one.label, one.answers, _rounded(one.agreement), _rounded(one.kappa), f"{one.found:,} of {one.quotes:,}")
        for one in found.versions
    ]
    title = f"{len(found.papers):,} papers, asked twice"
    show_table(title, ("version", "answers", "same in both runs", "kappa", "quotes found"), rows)
    if found.differences:
        changed = [(one.paper, one.question, one.before, one.after) for one in found.differences]
        show_table("Changed since the version before", ("paper", "question", "before", "after"), changed)
    _show_limits(found.missing, found.stopped, found.cost)
    return 1 if found.missing else None


def _rounded(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _show_limits(missing: int, stopped: str, cost: float | None) -> None:
    if missing:
        show_note(f"{missing:,} questions have no answer" + (f": {stopped}." if stopped else "."))
    if cost is not None:
        show(f"Cost of all requests: {cost:,.4f}")
