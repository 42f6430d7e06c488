"""Pages: self-contained HTML files.

The style sheet and the script are embedded and permitted by their hash; nothing else may run, load or connect. The
script only sorts and filters tables: a page is complete without it.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from markupsafe import Markup

from clonetruth.errors import InputError
from clonetruth.html.blocks import Content, as_markup
from clonetruth.html.templating import asset, csp_hash, fill, page_style

_ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E"
    "%3Crect x='1' y='1' width='9' height='9' rx='2' fill='%2300639c'/%3E"
    "%3Crect x='6' y='6' width='9' height='9' rx='2' fill='%23d55e00' fill-opacity='.85'/%3E%3C/svg%3E"
)


@dataclass(frozen=True)
class Section:
    """A section of a page.

    Attributes:
        title: the heading.
        blocks: its content; see `clonetruth.html.blocks`.
        anchor: the fragment of links to it; empty to derive it from the title.
    """

    title: str
    blocks: Sequence[Content]
    anchor: str = ""

    @property
    def id(self) -> str:
        """The anchor as an HTML id."""
        return self.anchor or re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-") or "section"

    @property
    def body(self) -> Markup:
        """The blocks as HTML."""
        return Markup("\n").join(as_markup(block) for block in self.blocks)


@dataclass(frozen=True)
class Page:
    """A page.

    Attributes:
        title: its title.
        subtitle: what it is about, in one line.
        sections: its body.
        manifest: what produced the numbers, as names and values; shown at the end.
        opening: blocks before the first section, with the answer at a glance.
    """

    title: str
    subtitle: str
    sections: Sequence[Section]
    manifest: Mapping[str, str] | None = None
    opening: Sequence[Content] = field(default=())

    def __post_init__(self) -> None:
        ids = [section.id for section in self.sections]
        if len(set(ids)) != len(ids):
            raise ValueError(f"two sections share an anchor: {ids}")


def render(page: Page) -> str:
    """The page as a self-contained HTML document. The same page always gives the same text."""
    style, script = page_style(), asset("page.js")
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src {csp_hash(style)}",
            f"script-src {csp_hash(script)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    return str(
        fill(
            "page.html.j2",
            page=page,
            opening=Markup("\n").join(as_markup(block) for block in page.opening),
            icon=_ICON,
            policy=policy,
            style=Markup(style),
            script=Markup(script),
        )
    )


def write(page: Page, path: str | os.PathLike[str]) -> Path:
    """Write a page to a file, atomically.

    Raises:
        InputError: the folder does not exist or is not writable.
    """
    target = Path(path)
    folder = target.parent
    if not folder.is_dir():
        raise InputError("The folder for the page does not exist.", where=folder, hint="Create it first.")
    if target.is_dir():
        raise InputError("The path of the page is a folder.", where=target, hint="Give the name of a file.")
    # A lone surrogate in a source text cannot be encoded; it must not cost the whole page.
    content = render(page).encode("utf-8", errors="replace")
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise InputError(
            f"Cannot write the page ({error.strerror or error}).",
            where=target,
            hint="Choose a writable folder.",
        ) from error
    return target
