"""The small pieces of a section: paragraphs, callouts, key facts, figures, details.

A block is anything with `__html__` (MarkupSafe's protocol): a dataclass of this package, a plot, or `Markup`. A plain
string is a paragraph, and is escaped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from markupsafe import Markup, escape

from clonetruth.html.plots.canvas import Svg
from clonetruth.html.tables import Table


@runtime_checkable
class HtmlBlock(Protocol):
    """A block of a section."""

    def __html__(self) -> str:
        """The block as safe HTML."""
        ...


Content = HtmlBlock | str


def as_markup(content: Content) -> Markup:
    """A block as HTML; a plain string becomes an escaped paragraph."""
    return Markup(content.__html__()) if isinstance(content, HtmlBlock) else paragraph(content)


def paragraph(text: str) -> Markup:
    """A paragraph; `text` is escaped unless it is Markup."""
    return Markup("<p>{}</p>").format(text)


def lead(text: str) -> Markup:
    """The sentence that a reader in a hurry should remember."""
    return Markup('<p class="lead">{}</p>').format(text)


def note(text: str) -> Markup:
    """A remark in small print, for example a caveat or a source."""
    return Markup('<p class="note">{}</p>').format(text)


@dataclass(frozen=True)
class Callout:
    """A headline number.

    Attributes:
        number: the formatted number, for example `13 %`.
        label: what the number is.
        note: its interval or origin.
    """

    number: str
    label: str
    note: str = ""

    def __html__(self) -> Markup:
        small = Markup('<span class="callout-note">{}</span>').format(self.note) if self.note else ""
        return Markup(
            '<div class="callout"><span class="callout-number">{}</span><span class="callout-label">{}</span>{}</div>'
        ).format(self.number, self.label, small)


def callouts(items: Sequence[Callout]) -> Markup:
    """Headline numbers in a row."""
    return Markup('<div class="callouts">{}</div>').format(Markup("").join(items))


def key_facts(facts: Mapping[str, str]) -> Markup:
    """Names and values, as a description list."""
    rows = (Markup("<div><dt>{}</dt><dd>{}</dd></div>").format(name, value) for name, value in facts.items())
    return Markup('<dl class="facts">{}</dl>').format(Markup("").join(rows))


def bullets(items: Sequence[str]) -> Markup:
    """A plain list."""
    return Markup('<ul class="plain">{}</ul>').format(_list_items(items))


def cautions(title: str, items: Sequence[str]) -> Markup:
    """Warnings that a reader must not overlook, in a box."""
    return Markup('<div class="cautions" role="note"><p>{}</p><ul>{}</ul></div>').format(title, _list_items(items))


def _list_items(items: Sequence[str]) -> Markup:
    return Markup("").join(Markup("<li>{}</li>").format(item) for item in items)


def heading(text: str) -> Markup:
    """A heading inside a section."""
    return Markup("<h3>{}</h3>").format(text)


@dataclass(frozen=True)
class Figure:
    """A plot with its caption and, for readers who cannot see it, its numbers as a table."""

    plot: Svg
    caption: str
    data: Table | None = None

    def __html__(self) -> Markup:
        numbers = details("The numbers of this figure", self.data) if self.data else ""
        return Markup("<figure>{}<figcaption>{}</figcaption>{}</figure>").format(self.plot, self.caption, numbers)


def figures(items: Sequence[Figure]) -> Markup:
    """Figures next to each other, as far as the screen is wide enough."""
    return Markup('<div class="figures">{}</div>').format(Markup("").join(items))


def details(summary: str, *content: Content, is_open: bool = False) -> Markup:
    """Content that the reader can unfold. It works without a script, and prints as the reader left it."""
    return Markup("<details{}><summary>{}</summary>{}</details>").format(
        Markup(" open") if is_open else "", summary, Markup("").join(as_markup(block) for block in content)
    )


def listing(code: Markup, title: str) -> Markup:
    """Highlighted code (see `code_blocks.highlight`) under a title."""
    return Markup(
        '<div class="listing"><p class="listing-title">{}</p><pre tabindex="0"><code>{}</code></pre></div>'
    ).format(title, escape(code))
