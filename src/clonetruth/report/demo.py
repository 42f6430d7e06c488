"""The page of the demo: does textual similarity separate clones from near misses?"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence

from markupsafe import Markup

from clonetruth.html.blocks import (
    Callout,
    Content,
    Figure,
    callouts,
    details,
    figures,
    heading,
    key_facts,
    lead,
    note,
)
from clonetruth.html.code_blocks import Side, side_by_side
from clonetruth.html.numbers import UNKNOWN, count, decimal, is_known, percent, percent_interval, plural
from clonetruth.html.page import Page, Section
from clonetruth.html.plots import (
    Cloud,
    ConfusionWords,
    Labels,
    Point,
    Series,
    bar_chart,
    confusion_matrix,
    scatter_plane,
)
from clonetruth.html.tables import Column, Table
from clonetruth.report.demo_card import card_section
from clonetruth.report.demo_view import (
    NO_TYPE,
    TYPE_ORDER,
    DemoExample,
    DemoRate,
    DemoView,
    LivePair,
    ThresholdOutcome,
)
from clonetruth.report.run import behaviour_blocks
from clonetruth.store.results import Measurement, Result


def demo_page(view: DemoView) -> Page:
    """The page of the demo. Its answer follows from the measured numbers."""
    sections = [
        Section("How similar the texts are", _texts(view), anchor="texts"),
        Section("A threshold as a detector", _threshold(view), anchor="threshold"),
    ]
    if view.cards:
        sections.insert(0, Section("Detectors on TrueClones", card_section(view.cards), anchor="trueclones"))
    if view.evaluations:
        sections.append(Section("Evaluated detectors", _evaluations(view), anchor="detectors"))
    if view.live is not None:
        sections.append(Section("A pair, run while this page was made", _live(view.live), anchor="live"))
    if view.examples:
        blocks = [block for example in view.examples for block in _example(example)]
        sections.append(Section("Example pairs", blocks, anchor="examples"))
    sections += [
        Section("The benchmark", _benchmark(view), anchor="benchmark"),
        Section("All pairs", _pairs(view), anchor="pairs"),
    ]
    return Page(
        title="Does similar text mean the same behaviour?",
        subtitle=f"Semantic clones and near misses in {view.benchmark}",
        opening=_opening(view),
        sections=sections,
        manifest=view.manifest,
    )


def _evaluations(view: DemoView) -> list[Content]:
    blocks: list[Content] = [
        "All pairs count, including those in two languages; a detector that does not score a pair has not found it. "
        "The intervals treat the pairs of a functionality, and of a fragment, as dependent.",
        evaluation_table(view.evaluations),
    ]
    if view.evaluation_page:
        link = "All details of these detectors: curves, groups, trivial detectors, the worst disagreements."
        blocks.append(Markup('<p><a href="{}">{}</a></p>').format(view.evaluation_page, link))
    return blocks


def _live(pair: LivePair) -> list[Content]:
    left, right = (Side(one.text, one.id, one.language, note=one.language) for one in (pair.left, pair.right))
    if pair.behaviour is None:
        return [note(f"Nothing was run: {pair.problem}"), side_by_side(left, right)]
    return [*behaviour_blocks(pair.behaviour), side_by_side(left, right)]


def _opening(view: DemoView) -> list[Content]:
    simple, best = view.simple, view.best
    called = simple.tp + simple.fp
    sentence = (
        f"{_answer(best)} Calling two fragments clones when their token similarity reaches "
        f"{decimal(simple.threshold)} finds {count(simple.tp)} of {plural(simple.tp + simple.fn, 'clone')}, "
        f"and {count(simple.fp)} of the {plural(called, 'pair')} that it calls clones "
        f"{'does' if simple.fp == 1 else 'do'} not behave the same."
    )
    numbers = [
        _rate_callout(simple.recall, "of the clones are found (recall)"),
        _rate_callout(simple.precision, "of the pairs it reports are clones (precision)"),
        _rate_callout(simple.specificity, "of the near misses are rejected (specificity)"),
    ]
    if best is not None:
        origin = f"at {decimal(best.threshold)}, chosen on these very pairs; a coin toss reaches {percent(0.5)}"
        numbers.append(Callout(percent(best.balanced_accuracy), "balanced accuracy of the best threshold", origin))
    return [lead(sentence), callouts(numbers), note(f"Verdicts: {view.policy}")]


def _answer(best: ThresholdOutcome | None) -> str:
    if best is None or best.balanced_accuracy is None:
        return "These pairs do not answer the question."
    if best.balanced_accuracy < 0.6:
        return "No: on these pairs, even the best similarity threshold hardly beats a coin toss."
    if best.balanced_accuracy < 0.8:
        return "Not reliably: on these pairs, even the best similarity threshold is often wrong."
    return "Often: on these pairs, a similarity threshold separates most clones from most near misses."


def _rate_callout(rate: DemoRate, label: str) -> Callout:
    known = f"95 % interval {rate.interval}"
    return Callout(percent(rate.value), label, known if is_known(rate.low) else "not defined on these pairs")


def _texts(view: DemoView) -> list[Content]:
    blocks: list[Content] = [
        "A clone type says how similar two texts are. T1 pairs differ in layout, T2 pairs also in names and literals; "
        "the degrees of T3 (very strong, strong, moderate) differ in more and more statements, and WT3/T4 pairs share "
        "less than half of them. If similar text meant the same behaviour, clones would have the upper types and near "
        "misses the lower ones, and a line would separate them in the plane of similarities.",
        figures([_types(view), _plane(view)]),
    ]
    untyped = sum(pair.clone_type is None for pair in view.pairs)
    if untyped:
        have = "has" if untyped == 1 else "have"
        blocks.append(note(f"{plural(untyped, 'pair')} in different languages {have} no textual type."))
    return blocks


def _types(view: DemoView) -> Figure:
    table = type_table(view)
    names = [str(row[0]) for row in table.rows]
    series = [
        Series(column.title, [float(row[index] or 0) for row in table.rows])
        for index, column in enumerate(table.columns)
        if column.is_number
    ]
    chart = bar_chart(names, series, Labels("Clones and near misses by clone type", x="pairs"))
    return Figure(chart, "Pairs by clone type, from the most similar (top) to the least similar.", table)


def _plane(view: DemoView) -> Figure:
    clouds = [
        Cloud(name, [Point(p.similarity_token, p.similarity_line, f"{p.left} – {p.right}") for p in pairs])
        for name, pairs in (("clones", view.clones), ("near misses", view.near_misses))
    ]
    threshold = view.simple.threshold
    picture = scatter_plane(
        clouds,
        Labels("Similarities of every pair", x="similarity by tokens", y="similarity by lines"),
        threshold=threshold,
        regions=view.regions,
    )
    caption = (
        f"Each mark is a pair. The dashed line is the threshold {decimal(threshold)}; the dotted corners "
        "delimit clone types."
    )
    return Figure(picture, caption, median_table(view))


def _threshold(view: DemoView) -> list[Content]:
    outcomes = [("simple", view.simple)] + ([("best", view.best)] if view.best else [])
    blocks: list[Content] = [
        "The simplest detector answers “clone” if the token similarity reaches a threshold.",
        figures([_confusion(name, outcome) for name, outcome in outcomes]),
        threshold_table(outcomes),
        note(
            "The intervals use functionalities as clusters: pairs of one functionality resemble each other, so they "
            "carry less information than independent pairs."
        ),
    ]
    unscored = sum(not is_known(pair.similarity_token) for pair in view.pairs)
    if unscored:
        verb = "is" if unscored == 1 else "are"
        blocks.append(note(f"{plural(unscored, 'pair')} without a token similarity {verb} not counted here."))
    return blocks


def _confusion(name: str, outcome: ThresholdOutcome) -> Figure:
    at = decimal(outcome.threshold)
    picture = confusion_matrix(
        (outcome.tp, outcome.fp, outcome.fn, outcome.tn),
        Labels(f"Confusion of the {name} threshold {at}"),
        ConfusionWords("clones", "near misses", "called clone", "called different"),
    )
    optimistic = ", the best for these very pairs and therefore optimistic" if name == "best" else ""
    return Figure(picture, f"Clone if the token similarity is at least {at}{optimistic}. Shares are of the row.")


def _example(example: DemoExample) -> list[Content]:
    pair = example.pair
    facts = {
        "verdict": "clone" if pair.is_clone else "not a clone",
        "similarity by tokens": decimal(pair.similarity_token),
        "similarity by lines": decimal(pair.similarity_line),
        "type by text": pair.clone_type or NO_TYPE,
    }
    return [
        heading(example.title),
        example.explanation,
        key_facts(facts),
        side_by_side(
            Side(example.left_text, pair.left, pair.language_left, note=pair.language_left),
            Side(example.right_text, pair.right, pair.language_right, note=pair.language_right),
        ),
    ]


def _benchmark(view: DemoView) -> list[Content]:
    facts = key_facts({name: count(value) for name, value in view.counts.items()})
    return [view.description, facts, functionality_table(view)]


def _pairs(view: DemoView) -> list[Content]:
    # Folded, so that nobody prints dozens of pages by accident.
    return [details(f"{plural(len(view.pairs), 'pair')}, sortable and filterable", pair_table(view))]


# Tables


def type_table(view: DemoView) -> Table:
    """Pairs by clone type, from the most to the least similar; unknown types come last."""
    clones, others = (
        Counter(pair.clone_type or NO_TYPE for pair in pairs) for pairs in (view.clones, view.near_misses)
    )
    present = set(clones | others)
    order = [*TYPE_ORDER, *sorted(present - {*TYPE_ORDER, NO_TYPE}), *({NO_TYPE} & present)]
    return Table(
        (Column("clone type"), Column("clones", "count"), Column("near misses", "count")),
        [(name, clones[name], others[name]) for name in order],
        "Pairs by clone type",
        sortable=False,
    )


def median_table(view: DemoView) -> Table:
    """The median similarities of clones and of near misses."""
    classes = (("clones", view.clones), ("near misses", view.near_misses))
    return Table(
        (
            Column("class"),
            Column("pairs drawn", "count"),
            Column("median by tokens", "decimal"),
            Column("median by lines", "decimal"),
        ),
        [
            (
                name,
                sum(is_known(pair.similarity_token) and is_known(pair.similarity_line) for pair in pairs),
                _median([pair.similarity_token for pair in pairs]),
                _median([pair.similarity_line for pair in pairs]),
            )
            for name, pairs in classes
        ],
        "Median similarities",
        sortable=False,
    )


def evaluation_table(results: Sequence[Result]) -> Table:
    """The headline numbers of detectors, and of trivial detectors on the same pairs."""
    metrics = ("precision", "recall", "f1", "roc-auc")
    baselines = {group.name: group.measurements for result in results for group in result.baselines}
    rows = {**{result.detector: result.headline for result in results}, **baselines}
    return Table(
        (Column("detector"), *(column for name in metrics for column in (Column(name, "percent"), Column("interval")))),
        [(name, *_shares(measurements, metrics)) for name, measurements in rows.items()],
        "Detectors and trivial detectors",
    )


def _shares(measurements: Sequence[Measurement], metrics: Sequence[str]) -> list[float | str | None]:
    by_name = {one.name: one for one in measurements}
    cells: list[float | str | None] = []
    for name in metrics:
        one = by_name.get(name)
        cells += [None, UNKNOWN] if one is None else [one.value, percent_interval(one.low, one.high)]
    return cells


def threshold_table(outcomes: Sequence[tuple[str, ThresholdOutcome]]) -> Table:
    """What each threshold reaches, with intervals."""
    return Table(
        (
            Column("threshold"),
            Column("at", "decimal"),
            Column("precision", "percent"),
            Column("recall", "percent"),
            Column("specificity", "percent"),
            Column("balanced accuracy", "percent", 0),
        ),
        [
            (
                name,
                one.threshold,
                _with_interval(one.precision),
                _with_interval(one.recall),
                _with_interval(one.specificity),
                one.balanced_accuracy,
            )
            for name, one in outcomes
        ],
        "Results of the thresholds, with 95 % intervals in brackets",
        sortable=False,
    )


def functionality_table(view: DemoView) -> Table:
    """One row per functionality: its specification, its pairs, and how similar their texts are."""
    rows = []
    all_clones, all_others = view.clones, view.near_misses
    for one in view.functionalities:
        clones = [pair for pair in all_clones if pair.functionality == one.name]
        others = [pair for pair in all_others if pair.functionality == one.name]
        rows.append(
            (
                one.name,
                one.specification,
                ", ".join(one.languages),
                one.fragments,
                len(clones),
                len(others),
                _median([pair.similarity_token for pair in clones]),
                _median([pair.similarity_token for pair in others]),
            )
        )
    return Table(
        (
            Column("functionality"),
            Column("specification", "prose"),
            Column("languages"),
            Column("fragments", "count"),
            Column("clone pairs", "count"),
            Column("near misses", "count"),
            Column("similarity of clones", "decimal"),
            Column("similarity of near misses", "decimal"),
        ),
        rows,
        "What the fragments should do; similarities are medians by tokens",
    )


def pair_table(view: DemoView) -> Table:
    """Every pair, sortable and filterable."""
    return Table(
        (
            Column("functionality"),
            Column("left", "code"),
            Column("right", "code"),
            Column("verdict"),
            Column("type by text"),
            Column("by tokens", "decimal"),
            Column("by lines", "decimal"),
        ),
        [
            (
                pair.functionality,
                pair.left,
                pair.right,
                pair.verdict,
                pair.clone_type,
                pair.similarity_token,
                pair.similarity_line,
            )
            for pair in view.pairs
        ],
        "Every pair with its verdict and the similarity of its texts",
        filterable=True,
    )


def _with_interval(rate: DemoRate) -> str:
    return f"{percent(rate.value)} ({rate.interval})" if is_known(rate.value) else UNKNOWN


def _median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if is_known(value)]
    return statistics.median(known) if known else None
