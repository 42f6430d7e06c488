"""The page of `clonetruth reproduce`: every number of the papers, what we got, and what follows."""

from __future__ import annotations

from clonetruth import __version__
from clonetruth.html.blocks import Callout, Content, callouts, cautions, key_facts, lead, note
from clonetruth.html.numbers import count, plural
from clonetruth.html.page import Page, Section
from clonetruth.html.tables import Column, Table
from clonetruth.literature import ClaimVerdict, LedgerReport, ReproducedClaim, RunState

_NOTE = (
    "Reproduced: the value agrees with the printed number within the digits that the paper prints. Refuted: it does "
    "not. Not decidable here: the data at hand is missing or is only a part. A verdict is about the printed number, "
    "not about what the paper concludes from it."
)


def ledger_page(report: LedgerReport) -> Page:
    """The page of a run of the ledger."""
    sections = [Section("Refuted", _refuted(report), anchor="refuted")]
    for key, paper in report.papers.items():
        own = [one for one in report.claims if one.entry.paper == key]
        blocks: list[Content] = [note(" ".join(filter(None, (paper.citation, paper.url)))), _table(own)]
        sections.append(Section(_title(paper.citation), blocks, anchor=f"paper-{key}"))
    sections.append(
        Section("The data", [key_facts({name: f"{one.description} {one.get}." for name, one in report.data.items()})])
    )
    return Page(
        title="Numbers of papers, computed again",
        subtitle="Each claim with its number, what we got, and what follows",
        opening=_opening(report),
        sections=sections,
        manifest={"clonetruth": __version__, "entries": count(len(report.claims))},
    )


def _title(citation: str) -> str:
    """The title of a cited paper: what follows the authors."""
    parts = citation.split(". ")
    longest = max(parts, key=len)
    return longest if len(longest) < 80 else f"{longest[:77].rsplit(' ', 1)[0]} …"


def _opening(report: LedgerReport) -> list[Content]:
    run = [one for one in report.claims if one.value is not None]
    blocks: list[Content] = [
        lead(
            f"{plural(report.verdicts[ClaimVerdict.REFUTED], 'number')} of {count(len(report.claims))} do not hold; "
            f"{count(report.verdicts[ClaimVerdict.REPRODUCED])} do."
        ),
        callouts(
            [
                *(Callout(count(number), str(verdict)) for verdict, number in report.verdicts.items()),
                Callout(count(len(run)), "computed now", f"{sum(one.seconds for one in run):,.0f} s of processor time"),
            ]
        ),
        note(_NOTE),
    ]
    if report.deviations:
        lines = [f"{one.entry.name}: {one.missing or _value(one)}" for one in report.deviations]
        blocks.append(cautions("These entries deviate from what was recorded:", lines))
    return blocks


def _refuted(report: LedgerReport) -> list[Content]:
    columns = [
        Column("paper"),
        Column("claim", "prose"),
        Column("printed"),
        Column("computed"),
        Column("what follows", "prose"),
    ]
    rows = [
        (f"{one.entry.paper}, {one.entry.place}", one.entry.claim, one.entry.reported, _value(one), one.entry.note)
        for one in report.claims
        if one.verdict is ClaimVerdict.REFUTED
    ]
    return [Table(columns, rows, "Numbers that do not hold") if rows else note("None of these numbers is refuted.")]


def _table(claims: list[ReproducedClaim]) -> Table:
    columns = [
        Column("entry"),
        Column("claim", "prose"),
        Column("printed"),
        Column("computed"),
        Column("verdict"),
        Column("how, and what follows", "prose"),
    ]
    rows = [
        (
            one.entry.name,
            f"{one.entry.claim} ({one.entry.place})",
            one.entry.reported,
            _value(one),
            _verdict(one),
            f"{_sentence(one.entry.how)} {one.entry.note}".strip(),
        )
        for one in claims
    ]
    return Table(columns, rows, f"{plural(len(rows), 'claim')}", filterable=True)


def _verdict(one: ReproducedClaim) -> str:
    """The verdict, and how the run ended unless it confirmed the record."""
    if one.state in (RunState.AS_RECORDED, RunState.LISTED):
        return str(one.verdict)
    return f"{one.verdict} ({one.state}{f': {one.missing}' if one.missing else ''})"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _value(one: ReproducedClaim) -> str:
    """The value of the run, or the recorded one, as the paper would print it."""
    value = one.entry.value if one.value is None else one.value
    shown = "–" if value is None else value_text(value, one.entry.reported)
    recorded = one.value is None and value is not None and one.state is not RunState.LISTED
    return f"{shown} (recorded)" if recorded else shown


def value_text(value: float, reported: str) -> str:
    """A value in the manner of a printed number, with one or two more digits."""
    if reported.strip().endswith("%"):
        return f"{value:.2%}".replace("%", " %")
    if float(value).is_integer() and "." not in reported:
        return count(int(value))
    return f"{value:,.4f}"
