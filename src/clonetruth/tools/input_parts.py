"""Which files a tool sees together: all, folder by folder, or block by block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby

from clonetruth.code import language_of_path
from clonetruth.tools.command_template import used_placeholders
from clonetruth.tools.process import ToolOptions
from clonetruth.tools.tool import ExternalTool


@dataclass(frozen=True)
class InputPart:
    """Files that one run of a tool sees.

    Attributes:
        names: the files, sorted.
        language: their language, where the tool must be told, in its own word.
    """

    names: tuple[str, ...]
    language: str = ""


@dataclass(frozen=True)
class InputDivision:
    """The runs of a tool.

    Attributes:
        parts: what each run sees.
        unread: files in languages that the tool cannot read.
    """

    parts: tuple[InputPart, ...]
    unread: tuple[str, ...] = ()


def divide(names: Sequence[str], tool: ExternalTool, options: ToolOptions) -> InputDivision:
    """The runs that it takes to compare all files that are to be compared."""
    told = tool.languages is not None or "language" in used_placeholders(tool)
    by_language: dict[str | None, list[str]] = {}
    for name in sorted(names):
        by_language.setdefault(_language(name, tool) if told else "", []).append(name)
    unread = by_language.pop(None, [])
    parts = [
        InputPart(block, language or "")
        for language, known in by_language.items()
        for folder in (_folders(known) if options.by_folder else [tuple(known)])
        for block in blocks(folder, options.max_files)
    ]
    return InputDivision(tuple(parts), tuple(unread))


def blocks(names: Sequence[str], most: int | None) -> Iterator[tuple[str, ...]]:
    """Groups of at most so many names, such that every two names are together in one of them."""
    if most is None or len(names) <= most:
        yield tuple(names)
        return
    half = most // 2
    for one, other in combinations(range(0, len(names), half), 2):
        yield (*names[one : one + half], *names[other : other + half])


def _language(name: str, tool: ExternalTool) -> str | None:
    """The language of a file in the tool's word; None where it cannot read it."""
    found = language_of_path(name)
    if found is None:
        return None
    return found.name if tool.languages is None else tool.languages.get(found.name)


def _folders(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The files of each folder of the first level; those in none are together."""
    ordered = sorted(names, key=_top)
    return (tuple(group) for _, group in groupby(ordered, key=_top))


def _top(name: str) -> str:
    return name.rpartition("/")[0].partition("/")[0]
