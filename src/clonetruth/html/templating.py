"""The Jinja environment (autoescape on), and the style sheets and the script that pages and notebooks embed."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib import resources
from typing import Literal

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
    """Fill a template of `html/templates/`."""
    return Markup(environment().get_template(template).render(**values))


@cache
def asset(name: str) -> str:
    """The text of a style sheet or script of `html/templates/`."""
    return resources.files("clonetruth.html").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def page_style() -> str:
    """The style sheet of a whole page: colours, code, plots, then the page, whose print rules must come last."""
    return "\n".join(asset(f"{part}.css") for part in ("colours", "code", "plot", "page"))


@cache
def palette(scheme: Literal["light", "dark"]) -> dict[str, str]:
    """The colours of a scheme by name, as `#rrggbb`."""
    light, dark = asset("colours.css").split("@media screen and (prefers-color-scheme: dark)", 1)
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", light if scheme == "light" else dark))


def csp_hash(text: str) -> str:
    """The source expression with which a content security policy permits exactly this inline text."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
