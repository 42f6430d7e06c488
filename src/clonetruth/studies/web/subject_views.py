"""A subject as HTML, one view at a time: fragments, differences, normal forms, specification, protocol.

A view is drawn when somebody asks for it, and kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from markdown_it import MarkdownIt
from markupsafe import Markup

from clonetruth.code import LANGUAGES, Form, language, normal_form
from clonetruth.studies.web.subjects import SubjectQuestion
from clonetruth.studies.web.templating import CodeText, PageStyle

DrawnCode = tuple[str, CodeText, Sequence[Markup]]
"""A title, a fragment, and its lines."""

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
    Form.CONSISTENT: "Names numbered in the order of appearance, literals by kind.",
    Form.BLIND: "All names alike, all literals alike.",
}


class SubjectViews:
    """A question that can be drawn.

    Args:
        look: what to draw with.
        question: what to draw.
    """

    def __init__(self, look: PageStyle, question: SubjectQuestion) -> None:
        self._look = look
        self.question = question

    @property
    def views(self) -> list[tuple[str, str, str]]:
        """The views that there are. A check has no fewer than the study's own pairs: it must not stand out."""
        missing = set()
        if len(self.question.codes) < 2:
            missing.add("differences")
        if not all(code.language.lower() in LANGUAGES for code in self.question.codes):
            missing.add("forms")
        if not self.question.has_tasks:
            missing.add("specification")
        return [view for view in VIEWS if view[0] not in missing]

    @cached_property
    def fragments(self) -> list[DrawnCode]:
        """The fragments, in the order in which they stand on the page."""
        titles = ("Left", "Right") if len(self.question.codes) == 2 else ("Method",)
        return [self._draw(title, code) for title, code in zip(titles, self.question.codes, strict=True)]

    @cached_property
    def difference(self) -> Markup:
        """The two fragments of a pair, aligned."""
        left, right = self.question.codes
        return self._look.difference(left, right)

    @cached_property
    def forms(self) -> list[tuple[str, str, Markup]]:
        """Each normal form: name, meaning, and the fragments in it."""
        drawn = []
        for form in Form:
            codes = [
                CodeText(normal_form(code.text, language(code.language), form), "") for code in self.question.codes
            ]
            drawing = self._look.difference(*codes) if len(codes) == 2 else self._listing(codes[0])
            drawn.append((str(form), _FORM_MEANINGS[form], drawing))
        return drawn

    @cached_property
    def exemplars(self) -> list[DrawnCode]:
        """The exemplars of the functionality."""
        # An exemplar is in the language of what is judged; its own is not told.
        spoken = self.question.codes[0].language
        texts = self.question.task.exemplars if self.question.task else ()
        return [self._draw(f"Exemplar {number}", CodeText(text, spoken)) for number, text in enumerate(texts, start=1)]

    @cached_property
    def definition(self) -> Markup:
        """The protocol's definition. HTML in its Markdown stays text, and pictures from elsewhere are links."""
        text = self.question.definition or self.question.text
        return Markup(MarkdownIt("commonmark", {"html": False}).disable("image").render(text))

    def _draw(self, title: str, code: CodeText) -> DrawnCode:
        return title, code, self._look.highlight(code.text, code.language or None).split("\n")

    def _listing(self, code: CodeText) -> Markup:
        return Markup('<div class="listing"><pre tabindex="0"><code>{}</code></pre></div>').format(
            self._look.highlight(code.text, None)
        )
