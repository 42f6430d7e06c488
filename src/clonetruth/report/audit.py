"""The page of an audit: the findings, how serious they are, the evidence, and how to fix them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from clonetruth.audit import (
    RULES,
    AuditReport,
    Chart,
    Details,
    Example,
    ExampleText,
    Family,
    Finding,
    Fitness,
    Severity,
)
from clonetruth.html.blocks import (
    Callout,
    Content,
    Figure,
    bullets,
    callouts,
    details,
    heading,
    key_facts,
    lead,
    listing,
    note,
)
from clonetruth.html.code_blocks import Side, excerpt, highlight, side_by_side
from clonetruth.html.numbers import count, percent, plural
from clonetruth.html.page import Page, Section
from clonetruth.html.plots import Labels, PlottedCurve, Series, bar_chart, line_chart
from clonetruth.html.tables import Column, ColumnKind, Table

_WORDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}


def audit_page(report: AuditReport, fitness: Fitness | None, texts: Mapping[str, ExampleText]) -> Page:
    """The page of an audit.

    Args:
        report: the audit.
        fitness: the verdict for a purpose, if there is one.
        texts: the texts of fragments that examples name.
    """
    card = report.benchmark.card
    sections = [Section("All findings", [_overview(report)], anchor="findings")] if report.findings else []
    if fitness is not None:
        sections.insert(0, Section(f"Fit for {fitness.purpose}?", _fitness(fitness), anchor="fitness"))
    for family in Family:
        of_family = [one for one in report.findings if RULES[one.code].family is family]
        if of_family:
            firsts = {one.code: at for at, one in reversed(list(enumerate(of_family)))}
            blocks = [
                block for at, one in enumerate(of_family) for block in _finding(one, texts, firsts[one.code] == at)
            ]
            sections.append(Section(str(family.capitalize()), blocks, anchor=str(family)))
    sections.append(Section("What was audited", _scope(report), anchor="scope"))
    manifest = {
        "benchmark": f"{card.name} {card.version}",
        "content hash": report.benchmark.content_hash,
        "configuration": report.manifest.configuration_digest,
        "clonetruth": report.manifest.versions["clonetruth"],
        "time": report.manifest.time,
    }
    return Page(
        title=f"Audit of {card.name}",
        subtitle="What to know before trusting its numbers",
        sections=sections,
        manifest=manifest,
        opening=_opening(report, fitness),
    )


def _opening(report: AuditReport, fitness: Fitness | None) -> list[Content]:
    counts = report.counts()
    worst = report.findings[0] if report.findings else None
    sentence = (
        f"The {plural(len(report.rules), 'rule')} that ran found nothing."
        if worst is None
        else f"{worst.message[:1].upper()}{worst.message[1:]}."
    )
    if fitness is not None:
        sentence = f"{fitness.summary}."
    numbers = [
        Callout(count(counts[severity]), f"{_WORDS[severity]}{'s' * (counts[severity] != 1)}") for severity in Severity
    ]
    numbers.append(Callout(count(len(report.rules)), "rules ran", f"{len(report.not_run)} could not run"))
    return [
        lead(sentence),
        callouts(numbers),
        note(f"Its labels answer the criterion “{report.benchmark.card.criterion}”."),
    ]


def _fitness(fitness: Fitness) -> list[Content]:
    return [
        f"{fitness.summary}. A paragraph for the threats to validity of a paper:",
        Markup("<blockquote><p>{}</p></blockquote>").format(fitness.paragraph),
    ]


def _overview(report: AuditReport) -> Table:
    columns = (
        Column("code"),
        Column("severity"),
        Column("finding", "prose"),
        Column("count", "count"),
        Column("of", "count"),
    )
    rows = [
        (_link(one.code), _WORDS[one.severity or Severity.INFO], one.message, one.count, one.of)
        for one in report.findings
    ]
    return Table(columns, rows, "Findings, the most severe first", filterable=len(rows) > 10)


def _link(code: str) -> Markup:
    return Markup('<a href="#{}">{}</a>').format(code.lower(), code)


def _finding(finding: Finding, texts: Mapping[str, ExampleText], is_first: bool) -> Iterator[Content]:
    rule = RULES[finding.code]
    title = f"{finding.code} · {rule.name.replace('-', ' ')}"
    # A rule may have several findings; links lead to the first.
    yield Markup('<h3 id="{}">{}</h3>').format(finding.code.lower(), title) if is_first else heading(title)
    yield f"{finding.message[:1].upper()}{finding.message[1:]}."
    facts = {"severity": _WORDS[finding.severity or Severity.INFO], "count": count(finding.count)}
    if finding.of:
        facts |= {"of": count(finding.of), "share": percent(finding.count / finding.of, 1)}
    yield key_facts(facts)
    for one in finding.details:
        yield _details(one)
    if finding.examples:
        yield from _examples(finding.examples, texts)
    explanation = Markup("<p><strong>Why it matters.</strong> {}</p><p><strong>How to fix it.</strong> {}</p>").format(
        rule.why, rule.fix
    )
    recipe = [note(f"Recipe ({finding.fix.operation}): {finding.fix.description}")] if finding.fix else []
    yield details("Why it matters, and how to fix it", explanation, *recipe, note(rule.reference))


def _details(table: Details) -> Content:
    kinds = [_kind(table, at) for at in range(len(table.columns))]
    columns = [Column(name, kind) for name, kind in zip(table.columns, kinds, strict=True)]
    shown = Table(columns, table.rows, table.title)
    numeric = [at for at, kind in enumerate(kinds) if at and kind != "text"]
    if table.chart is Chart.NONE or not numeric:
        return shown
    if table.chart is Chart.LINES:
        curves = [
            PlottedCurve(table.columns[at], [(float(row[0] or 0), _number(row[at])) for row in table.rows])
            for at in numeric
        ]
        return Figure(line_chart(curves, Labels(table.title, x=table.columns[0])), table.title, shown)
    # Counts and shares do not share an axis: the first numeric column decides.
    kind = kinds[numeric[0]]
    drawn = [at for at in numeric if kinds[at] == kind]
    shares = kind == "percent"
    series = [
        Series(table.columns[at], [_percent(row[at]) if shares else _number(row[at]) for row in table.rows])
        for at in drawn
    ]
    labels = Labels(table.title, x="percent" if shares else table.columns[drawn[0]] if len(drawn) == 1 else "")
    return Figure(bar_chart([str(row[0]) for row in table.rows], series, labels), table.title, shown)


def _percent(cell: str | int | float | None) -> float | None:
    value = _number(cell)
    return None if value is None else round(100 * value, 1)


def _kind(table: Details, at: int) -> ColumnKind:
    values = [row[at] for row in table.rows if row[at] is not None]
    if not values or any(isinstance(value, str) for value in values):
        return "text"
    if table.columns[at].startswith("share"):
        return "percent"
    return "decimal" if any(isinstance(value, float) for value in values) else "count"


def _number(cell: str | int | float | None) -> float | None:
    return float(cell) if isinstance(cell, int | float) else None


def _examples(examples: Sequence[Example], texts: Mapping[str, ExampleText]) -> Iterator[Content]:
    rows = [(", ".join(one.ids), one.note) for one in examples]
    yield Table((Column("example"), Column("note", "prose")), rows, "Examples", sortable=False)
    first = next((one for one in examples if one.ids and all(identity in texts for identity in one.ids)), None)
    if first is None:
        return
    if len(first.ids) == 2:
        left, right = (
            Side(excerpt(texts[identity].text), identity, texts[identity].language, texts[identity].language)
            for identity in first.ids
        )
        yield details(f"{first.ids[0]} and {first.ids[1]}, side by side", side_by_side(left, right))
    else:
        shown = texts[first.ids[0]]
        code = highlight(excerpt(shown.text), shown.language)
        yield details(f"The text of {first.ids[0]}", listing(code, first.note or first.ids[0]))


def _scope(report: AuditReport) -> list[Content]:
    card = report.benchmark.card
    counts = report.benchmark.counts
    blocks: list[Content] = [
        card.description,
        key_facts({name: count(number) for name, number in counts.items() if number}),
        key_facts({"licence": card.licence, "criterion": card.criterion, "languages": ", ".join(card.languages)}),
    ]
    if card.known_flaws:
        blocks += [heading("Known flaws, according to its card"), bullets(card.known_flaws)]
    if report.not_run:
        rows = [(one.code, one.name.replace("-", " "), one.reason) for one in report.not_run]
        columns = (Column("code"), Column("rule"), Column("reason", "prose"))
        table = Table(columns, rows, "Rules that could not run")
        blocks.append(details(f"{plural(len(rows), 'rule')} could not run", table))
    numbers = [(name, value) for name, value in report.manifest.configuration["thresholds"].items()]
    blocks.append(
        details(
            "Thresholds", Table((Column("threshold"), Column("value", "decimal")), numbers, "Thresholds of the rules")
        )
    )
    return blocks
