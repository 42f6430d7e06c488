"""A subject as HTML, one view at a time: fragments, differences, normal forms, specification, protocol.

A view is rendered on first request, then cached.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache

from markdown_it import MarkdownIt
from markupsafe import Markup

from clonetruth.code import LANGUAGES, Form, language, normal_form
from clonetruth.html import Side, highlight, side_by_side
from clonetruth.studies.web.subjects import CodeText, SubjectQuestion, uniform_layout

RenderedCode = tuple[str, CodeText, Sequence[Markup]]
"""A title, a fragment, and its highlighted lines."""

VIEWS = (
    ("fragments", "Fragments", "f"),
    ("differences", "Differences", "d"),
    ("forms", "Normal forms", "n"),
    ("specification", "Specification", "s"),
    ("protocol", "Protocol", "p ?"),
)
"""The views: name, title, keys."""

_FORM_MEANINGS = {
    Form.TYPE1: "Without comments and layout.",
    Form.CONSISTENT: "Identifiers numbered in order of appearance, literals replaced by their kind.",
    Form.BLIND: "All identifiers alike, all literals alike.",
}

# Highlighted fragments in the cache: with their HTML, about 50 MB at most.
_CACHED_FRAGMENTS = 2_048
_CACHED_CHARACTERS = 10_000


class SubjectViews:
    """The views of a subject.

    Args:
        question: the subject as it is put to the judge.
    """

    def __init__(self, question: SubjectQuestion) -> None:
        self.question = question

    @property
    def views(self) -> list[tuple[str, str, str]]:
        """The available views: the same for all pairs of a study, checks included, so that none stands out."""
        missing = set()
        if len(self.question.codes) < 2:
            missing.add("differences")
        if not self.question.has_forms:
            missing.add("forms")
        if self.question.task is None:
            missing.add("specification")
        return [view for view in VIEWS if view[0] not in missing]

    @cached_property
    def fragments(self) -> list[RenderedCode]:
        """The fragments, in the order of the page."""
        titles = ("Left", "Right") if len(self.question.codes) == 2 else ("Method",)
        return [_render(title, code) for title, code in zip(titles, self.question.codes, strict=True)]

    @cached_property
    def difference(self) -> Markup:
        """The two fragments of a pair, aligned."""
        left, right = self.question.codes
        return _difference(left, right)

    @cached_property
    def forms(self) -> list[tuple[str, str, Markup]]:
        """Each normal form: name, meaning, and the fragments in it; empty if a language has none."""
        rendered: list[tuple[str, str, Markup]] = []
        if not all(code.language.lower() in LANGUAGES for code in self.question.codes):
            return rendered
        for form in Form:
            codes = [
                CodeText(normal_form(code.text, language(code.language), form), "") for code in self.question.codes
            ]
            html = _difference(*codes) if len(codes) == 2 else _listing(codes[0])
            rendered.append((str(form), _FORM_MEANINGS[form], html))
        return rendered

    @property
    def languages(self) -> str:
        """The languages of the fragments, in words."""
        return " and ".join(dict.fromkeys(code.language or "this language" for code in self.question.codes))

    @cached_property
    def exemplars(self) -> list[RenderedCode]:
        """The exemplars of the functionality."""
        # The study does not store an exemplar's language: assume that of the judged fragment.
        assumed = self.question.codes[0].language
        texts = self.question.task.exemplars if self.question.task else ()
        return [
            _render(f"Exemplar {number}", CodeText(uniform_layout(text), assumed))
            for number, text in enumerate(texts, start=1)
        ]

    @cached_property
    def definition(self) -> Markup:
        """The protocol's definition. HTML in its Markdown stays text, and images become links."""
        text = self.question.definition or self.question.text
        return Markup(MarkdownIt("commonmark", {"html": False}).disable("image").render(text))


def _render(title: str, code: CodeText) -> RenderedCode:
    return title, code, _highlight(code.text, code.language or None).split("\n")


def _difference(left: CodeText, right: CodeText) -> Markup:
    return side_by_side(
        Side(left.text, "Left", left.language or None), Side(right.text, "Right", right.language or None)
    )


def _listing(code: CodeText) -> Markup:
    return Markup('<div class="listing"><pre tabindex="0"><code>{}</code></pre></div>').format(
        _highlight(code.text, None)
    )


_cached_highlight = lru_cache(_CACHED_FRAGMENTS)(highlight)


def _highlight(text: str, language: str | None) -> Markup:
    """Highlight a fragment; short ones are cached, because they come again for other judges and in other views."""
    return (_cached_highlight if len(text) <= _CACHED_CHARACTERS else highlight)(text, language)
