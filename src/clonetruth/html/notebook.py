"""Pieces for `_repr_html_`: what an object shows of itself in a notebook.

A view is a small, self-contained piece of HTML: a title, a few facts, compact tables, code side by side, plots.

    def _repr_html_(self) -> str:
        from clonetruth.html import notebook

        return notebook.view(
            "Audit",
            notebook.facts({"rules": 54}),
            notebook.table([Column("rule", "code"), Column("count", "count")], rows),
            subtitle=self.name,
        )

The short `__repr__` next to it is one line in angle brackets, name first, then the numbers that matter most:
`<Audit of bigclonebench 1.0: 2 errors, 1 warning>`.

Import this module inside `_repr_html_`, since templates and lexers take a moment to load. The text inherits the
notebook's colours, so that it is readable in light and dark themes; code and plots have their own background.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal

from markupsafe import Markup

from clonetruth.html.alignment import split_lines
from clonetruth.html.blocks import Content, HtmlBlock
from clonetruth.html.code_blocks import Side, excerpt, highlight, side_by_side
from clonetruth.html.numbers import plural
from clonetruth.html.tables import Cell, Column
from clonetruth.html.templating import asset, palette

Tone = Literal["bad", "warning", "info", "good", "neutral"]
"""What the colour of a badge means."""

_MAX_ROWS = 20
_MAX_LINES = 40

# How notebooks mark a dark theme: JupyterLab, VS Code, Colab, Sphinx themes, MkDocs Material.
_DARK_THEMES = (
    "[data-jp-theme-light=false]",
    ".vscode-dark",
    "html[theme=dark]",
    "[data-theme=dark]",
    "[data-md-color-scheme=slate]",
)


def view(title: str, *blocks: Content, subtitle: str = "") -> str:
    """A view of an object, complete with its style sheet.

    Args:
        title: what the object is, for example "Audit".
        blocks: what stands below: pieces of this module, blocks of `clonetruth.html`, plots. A string is a note.
        subtitle: which one it is, for example the benchmark's name.
    """
    body = Markup("\n").join(block if isinstance(block, HtmlBlock) else note(block) for block in blocks)
    parts = ["code"] * ("diff-block" in body or "nb-code" in body) + ["plot"] * ('class="plot"' in body)
    head = Markup('<p class="nb-title"><b>{}</b>{}</p>').format(
        title, Markup("<span>{}</span>").format(subtitle) if subtitle else ""
    )
    style = Markup(_style(tuple(parts)))
    return str(Markup('<div class="clonetruth"><style>{}</style>\n{}\n{}</div>').format(style, head, body))


def table(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]], caption: str = "", *, limit: int = _MAX_ROWS
) -> Markup:
    """A compact table of the first `limit` rows, and how many more there are. Its first column names the rows."""
    header = Markup("").join(
        Markup('<th scope="col"{}>{}</th>').format(_css(column), column.title) for column in columns
    )
    lines = [Markup("<tr>{}</tr>").format(_table_row(columns, row)) for row in rows[:limit]]
    empty = Markup('<tr><td colspan="{}">No rows.</td></tr>').format(len(columns))
    shown = Markup('<table class="nb-table">{}<thead><tr>{}</tr></thead><tbody>{}</tbody></table>').format(
        Markup("<caption>{}</caption>").format(caption) if caption else "", header, Markup("\n").join(lines) or empty
    )
    hidden = len(rows) - limit
    return shown + note(f"… and {plural(hidden, 'more row')}.") if hidden > 0 else shown


def _table_row(columns: Sequence[Column], row: Sequence[Cell]) -> Markup:
    cells = []
    for index, (column, value) in enumerate(zip(columns, row, strict=True)):
        shown: str = column.show(value)
        content = Markup("<code>{}</code>").format(shown) if column.kind == "code" else shown
        tag, scope = (Markup("th"), Markup(' scope="row"')) if not index else (Markup("td"), "")
        cells.append(Markup("<{0}{1}{2}>{3}</{0}>").format(tag, scope, _css(column), content))
    return Markup("").join(cells)


def _css(column: Column) -> Markup:
    return Markup(' class="{}"').format(column.css) if column.css else Markup("")


def facts(values: Mapping[str, object]) -> Markup:
    """Names and values in one line, for example counts."""
    pairs = (Markup("<div><dt>{}</dt><dd>{}</dd></div>").format(name, value) for name, value in values.items())
    return Markup('<dl class="nb-facts">{}</dl>').format(Markup("").join(pairs))


def note(text: str) -> Markup:
    """A remark in small print."""
    return Markup('<p class="nb-note">{}</p>').format(text)


def badge(text: str, tone: Tone = "neutral") -> Markup:
    """A short word on a coloured ground, for example a severity; it can stand in a cell of a table."""
    return Markup('<span class="nb-badge {}">{}</span>').format(tone, text)


def code(text: str, language: str | None) -> Markup:
    """Highlighted source text; of a long one the first lines, and how many there are."""
    shown, remark = _first_lines(text)
    html = Markup('<pre class="nb-code">{}</pre>').format(highlight(shown, language))
    return html + note(remark) if remark else html


def code_pair(left: Side, right: Side, caption: str = "") -> Markup:
    """Two texts side by side with their differences marked; of long ones the first lines, and how many there are."""
    return side_by_side(_shortened(left), _shortened(right), caption)


def _shortened(side: Side) -> Side:
    shown, remark = _first_lines(side.text)
    remarks = " · ".join(filter(None, (side.note, remark)))
    return Side(shown, side.title, side.language, remarks, side.first_line)


def _first_lines(text: str) -> tuple[str, str]:
    """The text to show, and a remark where it is not the whole text."""
    lines = split_lines(text)
    if len(lines) <= _MAX_LINES:
        return excerpt(text), ""
    return excerpt("\n".join(lines[:_MAX_LINES])), f"first {_MAX_LINES} of {len(lines):,} lines"


@cache
def _style(parts: tuple[str, ...]) -> str:
    """The rules of a view, nested so that they touch nothing else in the notebook."""
    rules = [*(asset(f"{part}.css") for part in parts), asset("notebook.css")]
    colours = _used("light", rules)
    dark = ",".join(f"{theme} .clonetruth" for theme in _DARK_THEMES)
    nested = "\n".join(rules)
    return f".clonetruth{{{colours}\n{nested}}}\n{dark}{{{_used('dark', rules)}}}"


def _used(scheme: Literal["light", "dark"], rules: Sequence[str]) -> str:
    used = {name: value for name, value in palette(scheme).items() if any(f"var(--{name})" in rule for rule in rules)}
    return "".join(f"--{name}:{value};" for name, value in used.items())
