"""Finders and tools by name, as a user writes them: `tokens,nearmiss:renaming=none`, `jscpd`, `command:…`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clonetruth.detectors.finder import Finder
from clonetruth.detectors.registry import FINDERS
from clonetruth.detectors.spec import split_parameters
from clonetruth.errors import UnknownNameError

if TYPE_CHECKING:
    from clonetruth.tools import ExternalTool

DEFAULT_FINDERS = ("exact", "renamed", "tokens")
"""Type-1, Type-2, and Type-3 with the same names: fast, and rarely wrong."""

_COMMANDS = ("command:", "command[")
_SEPARATOR = re.compile(r",(?![^,:=]*=)")
"""A comma between finders; one between parameters is followed by a name and an equals sign."""


@dataclass(frozen=True)
class FinderSpec:
    """The finders and tools of a search.

    Attributes:
        finders: clonetruth's own finders.
        tools: external tools.
    """

    finders: tuple[Finder, ...]
    tools: tuple[ExternalTool, ...] = ()

    @classmethod
    def of(cls, texts: Iterable[str]) -> FinderSpec:
        """Parse specifications.

        Args:
            texts: each names one or more finders and tools, separated by commas, or is a single command.

        Raises:
            UnknownNameError: a name is neither a finder nor a tool.
            InputError: a parameter is unknown, or has an invalid value.
        """
        finders: dict[Finder, None] = {}
        tools: list[ExternalTool] = []
        for text in texts:
            if text.startswith(_COMMANDS):
                tools.append(_tool(text))
                continue
            for spec in _SEPARATOR.split(text):
                name, parameters = split_parameters(spec)
                if name in FINDERS:
                    finders[FINDERS[name].with_parameters(**parameters)] = None
                else:
                    tools.append(_tool(spec, name))
        return cls(tuple(finders), tuple(tools))


def _tool(spec: str, name: str | None = None) -> ExternalTool:
    from clonetruth.tools import EXTERNAL_TOOLS, external_tool

    if name is not None and name not in EXTERNAL_TOOLS:
        raise UnknownNameError(
            f"There is no finder and no external tool '{name}'.",
            hint=f"Finders: {', '.join(FINDERS)}. Tools: {', '.join(EXTERNAL_TOOLS)}, and command:….",
        )
    return external_tool(spec)
