"""The page of `clonetruth judge execute`: from pairs to agreement with the label, and what the runs contradict."""

from __future__ import annotations

from markupsafe import Markup

from clonetruth import __version__
from clonetruth.execution.comparison import DESCRIPTIONS
from clonetruth.execution.description import describe_call, describe_observation, describe_verdict, effort_facts
from clonetruth.html.blocks import Callout, Content, Figure, callouts, details, key_facts, lead, note
from clonetruth.html.code_blocks import Side, side_by_side
from clonetruth.html.numbers import count, percent, plural
from clonetruth.html.page import Page, Section
from clonetruth.html.plots import Labels, Series, bar_chart
from clonetruth.html.tables import Column, Table
from clonetruth.judges import ExecutionReport, PairRun
from clonetruth.model import PairValue
from clonetruth.report.run import witness_table

_SHOWN = 50
"""Disagreements that are shown with their code."""

_LINE = 80
"""Characters of a call or an observation in the table."""

_NOTE = (
    "Both fragments of a pair ran in a sandbox with the same inputs. A difference is shown only if it came again in "
    "fresh processes. That no difference was found is not a proof: it says how hard the search was. What could not be "
    "decided is unknown, and counted nowhere as known."
)


def execution_page(found: ExecutionReport) -> Page:
    """The page of all pairs that were judged by execution."""
    sections = [Section("From pairs to agreement", _funnel(found), anchor="funnel")]
    if found.reasons:
        sections.append(Section("Undecided", [_reasons(found)], anchor="undecided"))
    if found.labelled:
        sections.append(Section("Labels and runs", [_confusion(found)], anchor="labels"))
    if disagreements := found.disagreements:
        sections.append(Section("What the runs contradict", _disagreements(disagreements), anchor="disagreements"))
    if found.fragments:
        sections.append(Section("Fragments with the tests of their source", [_tested(found)], anchor="tests"))
    card = found.card
    return Page(
        title=f"{card.name}, executed",
        subtitle="What the code of each pair does with the same inputs, and what the label says",
        opening=_opening(found),
        sections=sections,
        manifest=_manifest(found),
    )


def _opening(found: ExecutionReport) -> list[Content]:
    total, against = len(found.pairs), len(found.disagreements)
    sentence = f"Running {plural(total, 'pair')} decided {found.decided:,} of them."
    if found.labelled:
        sentence += f" It contradicts {against:,} of {plural(found.labelled, 'label')} of decided pairs."
    blocks: list[Content] = [
        lead(sentence),
        callouts(
            [
                Callout(count(total), "pairs", f"{count(found.equal_texts)} of equal texts, not run"),
                Callout(percent(found.executed / total), "executed", "an input ran on both sides"),
                Callout(percent(found.decided / total), "decided"),
                Callout(
                    percent(found.agreeing / found.labelled) if found.labelled else "–",
                    "labels confirmed",
                    f"of {count(found.labelled)} decided pairs with a label",
                ),
            ]
        ),
        note(_NOTE),
    ]
    if found.caution is not None:
        blocks.append(note(found.caution))
    return blocks


def _funnel(found: ExecutionReport) -> list[Content]:
    steps = {
        "pairs": len(found.pairs),
        "executed": found.executed,
        "decided": found.decided,
        "with a label": found.labelled,
        "label confirmed": found.agreeing,
    }
    chart = bar_chart(
        list(steps), [Series("pairs", list(steps.values()))], Labels("From pairs to agreement", "", "pairs")
    )
    columns = [Column("step"), Column("pairs", "count"), Column("of the pairs", "percent", 1)]
    rows = [(name, number, number / len(found.pairs)) for name, number in found.funnel]
    return [
        Figure(chart, "How many pairs reach each step"),
        Table(columns, rows, "The same in numbers", sortable=False),
    ]


def _reasons(found: ExecutionReport) -> Table:
    columns = [Column("reason"), Column("pairs", "count"), Column("of the pairs", "percent", 1)]
    rows = [(str(reason), number, number / len(found.pairs)) for reason, number in found.reasons.items()]
    return Table(columns, rows, "Why pairs are undecided, the most frequent reason first")


def _confusion(found: ExecutionReport) -> Table:
    columns = [Column("label"), *(Column(f"runs: {value}", "count") for value in PairValue)]
    rows: list[tuple[str | int, ...]] = [(label, *values.values()) for label, values in found.confusion.items()]
    return Table(columns, rows, "What the dataset says, and what the runs showed", sortable=False)


def _disagreements(pairs: list[PairRun]) -> list[Content]:
    columns = [
        Column("pair", "count"),
        Column("left", "code"),
        Column("right", "code"),
        Column("label"),
        Column("what was observed", "prose"),
    ]
    rows = [
        (
            one.selected.pair,
            one.selected.left_id,
            one.selected.right_id,
            one.selected.label,
            _observed(one),
        )
        for one in pairs
    ]
    blocks: list[Content] = [
        Table(columns, rows, "Claimed clones with a witness come first, the clearest first", filterable=len(rows) > 20)
    ]
    blocks += [_disagreement(one, is_open=number < 3) for number, one in enumerate(pairs[:_SHOWN])]
    if len(pairs) > _SHOWN:
        blocks.append(note(f"The code of the first {_SHOWN} is shown."))
    return blocks


def _observed(one: PairRun) -> str:
    """The witness in a line, or the verdict."""
    found = one.evidence.comparison
    if found.witness is None:
        return describe_verdict(found)
    sides = ((found.left, found.witness.left), (found.right, found.witness.right))
    left, right = (_short(describe_observation(side, seen)) for side, seen in sides)
    return f"{_short(describe_call(found.left, found.witness.call))} {left}; right: {right}"


def _short(text: str) -> str:
    return text if len(text) <= _LINE else f"{text[:_LINE]}…"


def _disagreement(one: PairRun, *, is_open: bool) -> Markup:
    found, pair = one.evidence.comparison, one.selected
    blocks: list[Content] = [f"Labelled {pair.label}. {describe_verdict(found)}"]
    if found.witness is not None:
        blocks.append(witness_table(found))
    blocks.append(key_facts(effort_facts(found)))
    left = Side(pair.left.text, pair.left_id, pair.left.language, note=pair.left.language)
    right = Side(pair.right.text, pair.right_id, pair.right.language, note=pair.right.language)
    blocks.append(side_by_side(left, right))
    kinds = ", ".join(DESCRIPTIONS[kind] for kind in found.counts if kind in found.policy.counted)
    return details(f"Pair {pair.pair}: {kinds or 'no difference found'}", *blocks, is_open=is_open)


def _tested(found: ExecutionReport) -> Table:
    columns = [Column("implements its functionality"), Column("fragments", "count"), Column("share", "percent", 1)]
    rows = [(str(value), number, number / len(found.fragments)) for value, number in found.tested.items()]
    return Table(columns, rows, "Fragments run with the tests of their source", sortable=False)


def _manifest(found: ExecutionReport) -> dict[str, str]:
    evidence = [one.evidence for one in found.pairs]
    versions = sorted({f"{name} {version}" for one in evidence for name, version in one.versions.items()})
    settings = sorted({f"{name} {value}" for one in evidence for name, value in one.settings.items()})
    return {
        "benchmark": f"{found.card.name} {found.card.version}",
        "content hash": found.benchmark.content_hash,
        "versions": ", ".join(versions) or f"clonetruth {__version__}",
        "settings": ", ".join(one for one in settings if not one.startswith("given_inputs")),
        "last run": max(one.time for one in evidence),
    }
