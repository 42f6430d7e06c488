"""The page of an evaluation: what was measured on what, how sure it is, and where the labels are weak."""

from __future__ import annotations

from collections.abc import Sequence

from clonetruth.errors import InputError
from clonetruth.html.blocks import Callout, Content, callouts, cautions, heading, key_facts, lead, note
from clonetruth.html.numbers import plural
from clonetruth.html.page import Page, Section
from clonetruth.report.evaluation_baselines import BOUNDS, baseline_sections, precision_sections
from clonetruth.report.evaluation_citation import citation_section
from clonetruth.report.evaluation_comparison import comparison_section, detector_names, group_names, ranking
from clonetruth.report.evaluation_examples import example_sections
from clonetruth.report.evaluation_labels import label_sections, policy_sentence
from clonetruth.report.evaluation_measures import (
    SYNTACTIC,
    Metric,
    leading,
    leading_names,
    measurement_callout,
    reached,
)
from clonetruth.report.evaluation_pairs import curve_sections, metric_sections
from clonetruth.report.evaluation_recall import recall_sections, syntactic_callout, uncounted_strata
from clonetruth.report.evaluation_strata import strata_sections
from clonetruth.store.comparability import comparable_groups, stated
from clonetruth.store.results import Result, ResultKind

_MOST_CALLOUTS = 6


def evaluation_page(results: Sequence[Result]) -> Page:
    """The page of one result, or of several: then a comparison first, and a section for each.

    Raises:
        InputError: there is no result, or one whose counts cannot be read.
    """
    if not results:
        raise InputError("There is no result to show.", hint="Give one or more results of `clonetruth evaluate`.")
    if len(results) == 1:
        (result,) = results
        return Page(
            title=f"{result.detector} on {result.benchmark.name}",
            subtitle=_subject(result),
            opening=_opening(result),
            sections=_sections(result),
            manifest=_manifest(result),
        )
    return Page(
        title=f"{plural(len(results), 'result')} compared",
        subtitle=detector_names(results),
        opening=_opening_of_several(results),
        sections=[comparison_section(results), *_section_of_each(results)],
    )


def _sections(result: Result) -> list[Section]:
    return [
        *baseline_sections(result),
        *recall_sections(result),
        *precision_sections(result),
        *metric_sections(result),
        *curve_sections(result),
        *strata_sections(result, uncounted_strata(result)),
        *label_sections(result),
        *example_sections(result),
        citation_section(result),
    ]


def _section_of_each(results: Sequence[Result]) -> list[Section]:
    groups = comparable_groups(results)
    letters = {id(one): letter for letter, group in zip(group_names(len(groups)), groups, strict=True) for one in group}
    sections = []
    for number, result in enumerate(results, start=1):
        blocks: list[Content] = [note(_subject(result)), *_opening(result)]
        for part in _sections(result):
            blocks += [heading(part.title), *part.blocks]
        blocks += [heading("How this was computed"), key_facts(_manifest(result))]
        group = f" (group {letters[id(result)]})" if len(groups) > 1 else ""
        sections.append(Section(f"{number}. {result.detector}{group}", blocks, anchor=f"result-{number}"))
    return sections


def _subject(result: Result) -> str:
    """What was measured on what, in a line."""
    what = "Reported locations" if result.kind is ResultKind.LOCATIONS else "Decisions on pairs"
    version = f" {result.benchmark.version}" if result.benchmark.version not in (None, "", "unknown") else ""
    part = f", part {result.part}" if result.part else ""
    view = f", view {result.view}" if result.view else ""
    return f"{what}, measured on {result.benchmark.name}{version}{view}{part}"


def _opening(result: Result) -> list[Content]:
    blocks: list[Content] = [lead(_headline(result)), note(policy_sentence(result))]
    numbers = _callouts(result)
    if numbers:
        blocks.append(callouts(numbers[:_MOST_CALLOUTS]))
    if result.warnings:
        blocks.append(cautions("What weakens these numbers", result.warnings))
    blocks += [note(text) for text in result.notes]
    return blocks


def _callouts(result: Result) -> list[Callout]:
    """The headline in large type, without what has a picture of its own: bounds, and each clone type."""
    shown = []
    for name in leading_names(result.headline):
        one = result.measurement(name)
        if name == SYNTACTIC:
            shown.append(syntactic_callout(result))
        elif one is not None and name not in BOUNDS and not Metric(name).is_of_one_type:
            shown.append(measurement_callout(one, result))
    return [one for one in shown if one is not None]


def _headline(result: Result) -> str:
    first = leading(result)
    if first is None:
        return f"No number of {result.detector} is defined on {result.benchmark.name}."
    return f"{result.detector} reaches {reached(first, result)} on {result.benchmark.name}."


def _opening_of_several(results: Sequence[Result]) -> list[Content]:
    groups = comparable_groups(results)
    numbers = []
    for result in results[:_MOST_CALLOUTS]:
        first = leading(result)
        if first is not None:
            shown = measurement_callout(first, result)
            numbers.append(Callout(shown.number, f"{shown.label}, {result.detector}", shown.note))
    blocks: list[Content] = [lead(ranking(groups[0]) if len(groups) == 1 else _apart(results, groups))]
    blocks += [callouts(numbers)] if numbers else []
    sentences: dict[str, list[str]] = {}
    for letter, group in zip(group_names(len(groups)), groups, strict=True):
        sentences.setdefault(policy_sentence(group[0]), []).append(letter)
    for text, letters in sentences.items():
        prefix = f"Group {', '.join(letters)}: " if len(sentences) > 1 else ""
        blocks.append(note(prefix + text))
    return blocks


def _apart(results: Sequence[Result], groups: Sequence[Sequence[Result]]) -> str:
    return f"{plural(len(results), 'result')} in {len(groups)} groups. Only results of one group can be compared."


def _manifest(result: Result) -> dict[str, str]:
    manifest = result.manifest
    facts = {name.replace("_", " "): value for name, value in stated(result).items()}
    if result.benchmark.judgements_hash:
        facts["judgements"] = result.benchmark.judgements_hash
    facts |= {"configuration": manifest.configuration_digest}
    if manifest.seed is not None:
        facts["seed"] = str(manifest.seed)
    facts |= dict(manifest.versions)
    facts |= {f"input {name}": value for name, value in manifest.inputs.items()}
    return {**facts, "time": manifest.time}
