"""What a quoted number needs: a sentence and a BibTeX entry to cite it, and how far its labels can be trusted."""

from __future__ import annotations

import re

from markupsafe import Markup

from clonetruth.html.blocks import Content, Figure, bullets, figures, key_facts, listing, note
from clonetruth.html.numbers import count, percent
from clonetruth.html.page import Section
from clonetruth.html.plots import Labels, PlottedEstimate, Series, bar_chart, interval_plot
from clonetruth.model import CRITERIA
from clonetruth.report.evaluation_measures import Metric, estimate, in_words, leading_names, metric_figure, metric_table
from clonetruth.sources import SOURCES
from clonetruth.store.comparability import stated_conditions
from clonetruth.store.results import Correction, Result, ResultKind
from clonetruth.verdicts.policies import ORIGIN

_TEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "%": r"\%",
    "&": r"\&",
    "#": r"\#",
    "$": r"\$",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "−": "-",
    "\u202f": r"\,",
}
_MOST_NUMBERS = 4


def citation_section(result: Result) -> Section:
    """Everything that a reader of a quoted number needs, in a box."""
    text = "\n\n".join((sentence(result), _entry(result)))
    box = Markup('<div class="citation">{}</div>').format(listing(Markup.escape(text), "One click selects everything"))
    return Section(
        "How to cite these numbers",
        ["A number without its benchmark, policy and interval cannot be compared with any other number.", box],
        anchor="cite",
    )


def sentence(result: Result) -> str:
    """The numbers in a sentence, with everything that they depend on."""
    benchmark = result.benchmark
    of = f"{benchmark.name} {benchmark.version}" if benchmark.version else benchmark.name
    if benchmark.content_hash:
        of += f" (content {short_hash(benchmark.content_hash)})"
    named = ("kind", "benchmark", "version", "content hash")
    stated = ", ".join(
        f"{what.replace('_', ' ')} {value}" for what, value in stated_conditions(result).items() if what not in named
    )
    versions = result.manifest.versions
    program = f"clonetruth {versions['clonetruth']}" if "clonetruth" in versions else "clonetruth"
    return f"{result.detector} on {of}: {_numbers(result)}; {stated}. Measured with {program} on {_date(result)}."


def short_hash(text: str) -> str:
    """The first characters of a hash, enough to recognise it; the manifest has all of it."""
    return text[:12]


def _numbers(result: Result) -> str:
    found = [result.measurement(name) for name in leading_names(result.headline)[:_MOST_NUMBERS]]
    numbers = [f"{Metric(one.name).title} {in_words(one, result)}" for one in found if one is not None]
    return "; ".join(numbers) or "no number is defined"


def _date(result: Result) -> str:
    return result.manifest.time[:10]


def _entry(result: Result) -> str:
    key = re.sub(r"[^a-z0-9]+", "-", f"{result.detector}-{result.benchmark.name}".lower()).strip("-")
    fields = {
        "title": f"{result.detector} on {result.benchmark.name}",
        "year": _date(result)[:4],
        "note": sentence(result),
        "howpublished": f"clonetruth result, configuration {result.manifest.configuration_digest}",
    }
    if result.benchmark.content_hash:
        fields["annote"] = f"content hash of the benchmark: {result.benchmark.content_hash}"
    lines = "".join(f"  {name} = {{{_tex(value)}}},\n" for name, value in fields.items())
    return f"@misc{{{key or 'result'},\n{lines}}}"


def _tex(text: str) -> str:
    return "".join(_TEX.get(letter, letter) for letter in text)


# Labels: the policy, unknown pairs, wrong labels and corrections for them


def policy_sentence(result: Result) -> str:
    """The verdicts that the numbers rest on, in one or two sentences."""
    policy = result.policy
    asked = f" under the criterion “{policy.criterion}”" if policy.criterion else ""
    if policy.name == ORIGIN.name:
        sentence = f"These numbers trust the benchmark's own labels{asked} (policy origin), without evidence."
        flaws = known_flaws(result)
        return f"{sentence} {flaws[0]}" if flaws else sentence
    if result.kind is ResultKind.RETRIEVAL:
        queries, fragments = (count(int(result.setting[name])) for name in ("queries", "fragments"))
        return f"Relevance: policy {policy.name}{asked}; {queries} queries among {fragments} fragments."
    return f"Verdicts: policy {policy.name}{asked}; {count(policy.counted)} pairs count."


def known_flaws(result: Result) -> tuple[str, ...]:
    """The known flaws on the card of the benchmark's source; none for a benchmark with another name."""
    name = result.benchmark.name
    return SOURCES[name].card.card.known_flaws if name in SOURCES else ()


def label_sections(result: Result) -> list[Section]:
    """Where the labels are weak, and how the numbers change when corrected for it."""
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
    facts |= {"pairs with a verdict": count(policy.counted), "pairs without a verdict, left out": count(policy.unknown)}
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
        blocks += ["The verdicts assume:", bullets(policy.assumptions)]
    flaws = known_flaws(result)
    if flaws:
        blocks += [f"Known flaws of {result.benchmark.name}:", bullets(flaws)]
    return blocks


def _unknown(result: Result) -> list[Figure]:
    policy = result.policy
    if not policy.unknown:
        return []
    series = [Series("with a verdict", [policy.counted]), Series("unknown", [policy.unknown])]
    picture = bar_chart(["pairs"], series, Labels("Pairs with and without a verdict", x="pairs"), stacked=True)
    return [Figure(picture, "Unknown pairs count neither as clones nor as non-clones.")]


def _label_errors(result: Result) -> list[Figure]:
    rows: dict[str, PlottedEstimate] = {}
    for correction in result.corrections:
        for one in correction.label_errors:
            rows.setdefault(one.name, estimate(Metric(one.name).title, one))
    if not rows:
        return []
    return [
        metric_figure(
            Metric("label error"),
            list(rows.values()),
            "Wrong labels",
            "Labels that are wrong according to a judged sample.",
        )
    ]
