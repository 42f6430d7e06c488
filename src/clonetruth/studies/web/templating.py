"""How the pages look: our templates, and the drawing of code, numbers and tables, which is handed in.

`report` draws these already, and rooms on one level do not import each other: whoever serves the pages brings the
drawings along. `clonetruth study serve` brings those of `report`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from typing import Literal

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

TableCell = str | int | float | None
TableColumn = tuple[str, Literal["text", "prose", "count", "decimal", "percent"]]
"""The title of a column, and what stands in it."""
DrawTable = Callable[[str, Sequence[TableColumn], Sequence[Sequence[TableCell]]], Markup]
"""A table by its caption, its columns and its rows."""


@dataclass(frozen=True)
class CodeText:
    """A text and the name of its language."""

    text: str
    language: str


@dataclass(frozen=True)
class Asset:
    """A file that pages load."""

    content: bytes
    media_type: str


@dataclass(frozen=True)
class PageStyle:
    """What the pages are drawn with.

    Attributes:
        highlight: a text of a language as HTML, line by line, every character escaped.
        difference: two texts, aligned, their differences marked.
        table: a table.
        filters: how templates write numbers: `count`, `decimal`, `percent` and `percent_interval`.
        style: the style sheet that those drawings need.
        script: the script that sorts and filters tables.
    """

    highlight: Callable[[str, str | None], Markup]
    difference: Callable[[CodeText, CodeText], Markup]
    table: DrawTable
    filters: Mapping[str, Callable[..., str]]
    style: str
    script: str

    def page(self, template: str, **values: object) -> str:
        """Fill a template of `labelling/web/templates/`."""
        return self._environment.get_template(template).render(**values)

    @cached_property
    def assets(self) -> Mapping[str, Asset]:
        """The files that pages load, by name. The name changes with the content: a browser may keep them for ever."""
        files = (
            ("page", "css", self.style),
            ("study", "css", _own("study.css")),
            ("tables", "js", self.script),
            ("study", "js", _own("study.js")),
        )
        media = {"css": "text/css", "js": "text/javascript"}
        return {
            f"{name}.{hashlib.sha256(text.encode()).hexdigest()[:12]}.{kind}": Asset(text.encode(), media[kind])
            for name, kind, text in files
        }

    @cached_property
    def _environment(self) -> Environment:
        environment = Environment(
            loader=PackageLoader("clonetruth.studies.web", "templates"),
            autoescape=True,
            auto_reload=False,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        environment.filters.update(self.filters)
        environment.globals["asset_names"] = tuple(self.assets)
        return environment


def _own(name: str) -> str:
    return resources.files("clonetruth.studies.web").joinpath("assets", name).read_text(encoding="utf-8")
