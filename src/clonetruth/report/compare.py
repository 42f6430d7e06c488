"""The page of two fragments: how similar their texts are, and where they differ."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from markupsafe import Markup

from clonetruth.execution import BehaviourComparison
from clonetruth.html.blocks import Callout, Content, callouts, details, key_facts, note
from clonetruth.html.code_blocks import Side, side_by_side
from clonetruth.html.numbers import decimal
from clonetruth.html.page import Page, Section
from clonetruth.measures import FragmentComparison
from clonetruth.report.run import behaviour_blocks


@dataclass(frozen=True)
class ComparisonView:
    """Two fragments and their measures, as plain data.

    Attributes:
        titles: the names of the left and the right fragment.
        languages: their languages.
        texts: their source texts.
        forms: (name of a normal form, left text, right text), from the mildest to the strongest.
        similarity_line: similarity by lines in 0..1; None if the texts cannot be compared.
        similarity_token: similarity by tokens in 0..1, or None.
        clone_type: the textual clone type; None for fragments in different languages.
        cut_rule: the rule that derives the type from the similarities.
        facts: further facts, as names and values.
        manifest: what produced the numbers.
        behaviour: what running both showed; None if they were not run.
    """

    titles: tuple[str, str]
    languages: tuple[str, str]
    texts: tuple[str, str]
    forms: tuple[tuple[str, str, str], ...] = ()
    similarity_line: float | None = None
    similarity_token: float | None = None
    clone_type: str | None = None
    cut_rule: str | None = None
    facts: Mapping[str, str] = field(default_factory=dict)
    manifest: Mapping[str, str] | None = None
    behaviour: BehaviourComparison | None = None

    @classmethod
    def of(cls, comparison: FragmentComparison) -> ComparisonView:
        """Return the view of a comparison, with all normal forms."""
        left, right = comparison.left, comparison.right
        return cls(
            titles=(left.title, right.title),
            languages=(left.language, right.language),
            texts=(left.text, right.text),
            forms=tuple((name, *texts) for name, texts in comparison.normal_forms().items()),
            similarity_line=comparison.similarity_line,
            similarity_token=comparison.similarity_token,
            clone_type=comparison.clone_type,
            cut_rule=comparison.cut_rule,
            facts=comparison.facts,
            behaviour=comparison.behaviour,
        )


def comparison_page(view: ComparisonView) -> Page:
    """The page of a comparison: type and similarities, the aligned texts, the normal forms."""
    left, right = (
        Side(text, title, language, note=language)
        for text, title, language in zip(view.texts, view.titles, view.languages, strict=True)
    )
    sections = [Section("The texts, side by side", [side_by_side(left, right)], anchor="texts")]
    if view.behaviour is not None:
        sections.insert(0, Section("What both do", behaviour_blocks(view.behaviour), anchor="behaviour"))
    if view.forms:
        sections.append(Section("The normal forms", _forms(view), anchor="normal-forms"))
    return Page(
        title=f"{view.titles[0]} and {view.titles[1]}",
        subtitle=f"Two fragments compared by their text{' and by running them' if view.behaviour else ''}",
        opening=_headline(view),
        sections=sections,
        manifest=view.manifest,
    )


def _headline(view: ComparisonView) -> list[Content]:
    rule = f"by the cut rule {view.cut_rule}" if view.cut_rule else ""
    none = "fragments in different languages have no textual clone type"
    blocks: list[Content] = [
        callouts(
            [
                Callout(view.clone_type or "–", "clone type by text", rule if view.clone_type else none),
                Callout(decimal(view.similarity_line, 3), "similarity by lines", "1 is identical"),
                Callout(decimal(view.similarity_token, 3), "similarity by tokens", "1 is identical"),
            ]
        )
    ]
    if view.facts:
        blocks.append(key_facts(view.facts))
    blocks.append(
        note(
            "A clone type describes the texts. Whether two fragments do the same thing is another question, "
            "which similarity does not answer."
            + ("" if view.behaviour else " clonetruth compare --run looks for an input on which they differ.")
        )
    )
    return blocks


def _forms(view: ComparisonView) -> list[Content]:
    blocks: list[Content] = ["Each form removes more of what does not matter when comparing texts."]
    for name, left_text, right_text in view.forms:
        same = left_text == right_text
        summary = Markup("{} ({})").format(name, "identical" if same else "different")
        # Not highlighted: normal forms are token sequences, not programs.
        sides = Side(left_text, view.titles[0]), Side(right_text, view.titles[1])
        blocks.append(details(summary, side_by_side(*sides)))
    return blocks
