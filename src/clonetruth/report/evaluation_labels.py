"""How far the labels carry the numbers: the policy, what is unknown, wrong labels, and corrections for them."""

from __future__ import annotations

from clonetruth.html.blocks import Content, Figure, bullets, figures, key_facts, note
from clonetruth.html.numbers import count, percent
from clonetruth.html.page import Section
from clonetruth.html.plots import Labels, PlottedEstimate, Series, bar_chart, interval_plot
from clonetruth.model import CRITERIA
from clonetruth.report.evaluation_measures import Metric, estimate, metric_figure, metric_table
from clonetruth.sources import SOURCES
from clonetruth.store.results import Correction, Result
from clonetruth.verdicts.policies import ORIGIN


def policy_sentence(result: Result) -> str:
    """Which verdicts the numbers rest on, in a sentence or two."""
    policy = result.policy
    asked = f" under the criterion “{policy.criterion}”" if policy.criterion else ""
    if policy.name == ORIGIN.name:
        sentence = f"These numbers believe the benchmark's own labels{asked} (policy origin), without evidence."
        flaws = known_flaws(result)
        return f"{sentence} {flaws[0]}" if flaws else sentence
    return f"Verdicts: policy {policy.name}{asked}; {count(policy.counted)} pairs count."


def known_flaws(result: Result) -> tuple[str, ...]:
    """What the card of the benchmark's source says is wrong with it; nothing for benchmarks of other names."""
    name = result.benchmark.name
    return SOURCES[name].card.card.known_flaws if name in SOURCES else ()


def label_sections(result: Result) -> list[Section]:
    """Where the labels are weak, and what the numbers become when that is taken into account."""
    sections = []
    if result.corrections:
        blocks = [block for one in result.corrections for block in _correction(one, result)]
        sections.append(Section("Corrected for wrong labels", blocks, anchor="corrections"))
    return [*sections, Section("Where the labels are weak", _weaknesses(result), anchor="labels")]


def _correction(correction: Correction, result: Result) -> list[Content]:
    reported = {one.name: one for one in result.headline}
    rows = [
        estimate(Metric(one.name).title, one, before=reported[one.name].value if one.name in reported else None)
        for one in correction.measurements
        if Metric(one.name).is_share
    ]
    name = correction.name.replace("-", " ")
    title = f"{name[:1].upper()}{name[1:]}"
    caption = f"{title}: from the reported number (circle) to the corrected one. Assumption: {correction.assumption}"
    picture = interval_plot(rows, Labels(title, x="percent"), span=(0, 100), digits=1)
    blocks: list[Content] = [Figure(picture, caption, metric_table(correction.measurements, title))]
    return [*blocks, note(correction.note)] if correction.note else blocks


def _weaknesses(result: Result) -> list[Content]:
    policy = result.policy
    facts = {"policy": policy.name}
    if policy.criterion:
        facts["criterion"] = policy.criterion
    facts |= {"pairs with a verdict": count(policy.counted), "pairs without one, left out": count(policy.unknown)}
    pairs = policy.counted + policy.unknown
    if pairs:
        facts["unknown share"] = percent(policy.unknown / pairs, 1)
    blocks: list[Content] = [key_facts(facts)]
    if policy.criterion is not None and policy.criterion in CRITERIA:
        blocks.append(f"What was asked: {CRITERIA[policy.criterion].meaning}")
    pictures = [*_unknown(result), *_label_errors(result)]
    if pictures:
        blocks.append(figures(pictures))
    if policy.assumptions:
        blocks += ["What must hold for the verdicts:", bullets(policy.assumptions)]
    flaws = known_flaws(result)
    if flaws:
        blocks += [f"What is known to be wrong with {result.benchmark.name}:", bullets(flaws)]
    return blocks


def _unknown(result: Result) -> list[Figure]:
    policy = result.policy
    if not policy.unknown:
        return []
    series = [Series("with a verdict", [policy.counted]), Series("unknown", [policy.unknown])]
    picture = bar_chart(["pairs"], series, Labels("Pairs with and without a verdict", x="pairs"), stacked=True)
    return [Figure(picture, "Unknown pairs are counted neither as clones nor as non-clones.")]


def _label_errors(result: Result) -> list[Figure]:
    rows: dict[str, PlottedEstimate] = {}
    for correction in result.corrections:
        for one in correction.label_errors:
            rows.setdefault(one.name, estimate(Metric(one.name).title, one))
    if not rows:
        return []
    return [
        metric_figure(
            Metric("label error"), list(rows.values()), "Wrong labels", "Labels that a judged sample found wrong."
        )
    ]
