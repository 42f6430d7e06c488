"""The Jinja environment (autoescape on) and the style sheet and script that are put into every page."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib import resources

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup


@cache
def environment() -> Environment:
    """The environment of all templates. Everything that is not Markup is escaped."""
    return Environment(
        loader=PackageLoader("clonetruth.html", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def fill(template: str, **values: object) -> Markup:
    """Fill a template of `report/templates/`."""
    return Markup(environment().get_template(template).render(**values))


@cache
def asset(name: str) -> str:
    """The text of a style sheet or script of `report/templates/`."""
    return resources.files("clonetruth.html").joinpath("templates", name).read_text(encoding="utf-8")


def csp_hash(text: str) -> str:
    """The source expression by which a content security policy permits exactly this inline text."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
