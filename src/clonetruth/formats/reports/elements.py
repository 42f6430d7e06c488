"""XML reports as a stream of tags with line numbers, without a tree, texts or entities.

Source code inside a report is skipped. A document type is refused, because it may define entities that expand
without bound or refer to other files.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO, NamedTuple
from xml.parsers import expat

from clonetruth.errors import InputError
from clonetruth.formats.sniffing import head
from clonetruth.formats.streams import open_stream

_CHUNK = 1024 * 1024
_BANNER = 64 * 1024
_PROLOGUE = re.compile(rb"<!--.*?-->|<\?.*?\?>", re.DOTALL)
_ROOT = re.compile(rb"<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)")


class Tag(NamedTuple):
    """A start or end tag: its name without a namespace prefix, its attributes and its line."""

    name: str
    attributes: dict[str, str]
    line: int
    opens: bool


class ElementGroup(NamedTuple):
    """An element and the requested elements within it."""

    tag: Tag
    members: list[Tag]


def root_element(path: Path) -> str | None:
    """The name of the first element, from the first bytes of a file; None if there is none."""
    found = _ROOT.search(_PROLOGUE.sub(b"", head(path)))
    return found[1].decode("ascii", errors="replace") if found else None


def read_tags(path: Path, names: Collection[str]) -> Iterator[Tag]:
    """The tags with the given names, in the order of the file.

    Text before the first tag is skipped, because some tools print a banner into their report.

    Raises:
        InputError: the file is not well-formed XML, or has a document type; the message names the line.
    """
    waiting: list[Tag] = []
    parser = expat.ParserCreate()
    with open_stream(path) as stream:
        banner, chunk = _after_banner(stream)

        def opened(name: str, attributes: dict[str, str]) -> None:
            local = name.rpartition(":")[2]
            if local in names:
                waiting.append(Tag(local, attributes, parser.CurrentLineNumber + banner, True))

        def closed(name: str) -> None:
            local = name.rpartition(":")[2]
            if local in names:
                waiting.append(Tag(local, {}, parser.CurrentLineNumber + banner, False))

        def refused(*_: object) -> None:
            raise InputError(
                "The XML file declares a document type; such files are refused, because no clone report needs one.",
                where=f"{path}, line {parser.CurrentLineNumber + banner}",
            )

        parser.StartElementHandler = opened
        parser.EndElementHandler = closed
        parser.StartDoctypeDeclHandler = refused
        try:
            while chunk:
                parser.Parse(chunk, False)
                yield from waiting
                waiting.clear()
                chunk = stream.read(_CHUNK)
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise InputError(
                f"The XML is malformed: {expat.ErrorString(error.code)}.",
                where=f"{path}, line {error.lineno + banner}",
                hint="The file may be truncated.",
            ) from error
        except (ValueError, LookupError) as error:
            raise InputError(f"The encoding of the XML cannot be read: {error}.", where=path) from error
        yield from waiting


def read_groups(path: Path, group: str, member: str) -> Iterator[ElementGroup]:
    """The elements named `group`, each with the start tags named `member` within it.

    Raises:
        InputError: see `read_tags`.
    """
    current: ElementGroup | None = None
    for tag in read_tags(path, (group, member)):
        if tag.name == group and tag.opens:
            current = ElementGroup(tag, [])
        elif current is not None and tag.name == group:
            yield current
            current = None
        elif current is not None and tag.opens:
            current.members.append(tag)


def _after_banner(stream: IO[bytes]) -> tuple[int, bytes]:
    """The number of lines before the first tag, and the first chunk from there."""
    chunk = stream.read(_CHUNK)
    start = chunk.find(b"<", 0, _BANNER)
    if start <= 0 or chunk.startswith((b"\xff\xfe", b"\xfe\xff")):
        return 0, chunk
    return chunk.count(b"\n", 0, start), chunk[start:]
