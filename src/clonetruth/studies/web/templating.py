"""The templates, style sheets and scripts of the study pages."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined

from clonetruth.html import numbers
from clonetruth.html.templating import asset, page_style


@dataclass(frozen=True)
class Asset:
    """A file that pages load."""

    content: bytes
    media_type: str


def render_page(template: str, **values: object) -> str:
    """Fill a template of `studies/web/templates/`."""
    return _environment().get_template(template).render(**values)


@cache
def page_assets() -> Mapping[str, Asset]:
    """The files that pages load, by name. The name changes with the content, so browsers may cache them for ever."""
    files = (
        ("page", "css", page_style()),
        ("study", "css", _own_asset("study.css")),
        ("tables", "js", asset("page.js")),
        ("study", "js", _own_asset("study.js")),
    )
    media_types = {"css": "text/css", "js": "text/javascript"}
    return {
        f"{name}.{hashlib.sha256(text.encode()).hexdigest()[:12]}.{suffix}": Asset(text.encode(), media_types[suffix])
        for name, suffix, text in files
    }


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("clonetruth.studies.web", "templates"),
        autoescape=True,
        auto_reload=False,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for function in (numbers.count, numbers.decimal, numbers.percent, numbers.percent_interval):
        environment.filters[function.__name__] = function
    environment.globals["asset_names"] = tuple(page_assets())
    return environment


def _own_asset(name: str) -> str:
    return resources.files("clonetruth.studies.web").joinpath("assets", name).read_text(encoding="utf-8")
