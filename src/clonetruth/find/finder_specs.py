"""Who shall look for clones, as a user says it: `tokens,nearmiss:renaming=none`, `jscpd`, `command:…`."""

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
"""Type-1, Type-2, and Type-3 with the same names: what is quick, and rarely wrong."""

_COMMANDS = ("command:", "command[")
_NEXT = re.compile(r",(?![^,:=]*=)")
"""A comma between finders; one between parameters has a name and a sign of equality behind it."""


@dataclass(frozen=True)
class FinderSpec:
    """Who shall look for clones.

    Attributes:
        finders: finders of ours.
        tools: tools of others.
    """

    finders: tuple[Finder, ...]
    tools: tuple[ExternalTool, ...] = ()

    @classmethod
    def of(cls, texts: Iterable[str]) -> FinderSpec:
        """What texts ask for.

        Args:
            texts: each names one or more finders and tools, with commas between them; a command is one by itself.

        Raises:
            UnknownNameError: there is no finder and no tool of a name.
            InputError: a parameter that there is not, or that cannot have that value.
        """
        finders: dict[Finder, None] = {}
        tools: list[ExternalTool] = []
        for text in texts:
            if text.startswith(_COMMANDS):
                tools.append(_tool(text))
                continue
            for wish in _NEXT.split(text):
                name, parameters = split_parameters(wish)
                if name in FINDERS:
                    finders[FINDERS[name].with_parameters(**parameters)] = None
                else:
                    tools.append(_tool(wish, name))
        return cls(tuple(finders), tuple(tools))


def _tool(wish: str, name: str | None = None) -> ExternalTool:
    from clonetruth.tools import EXTERNAL_TOOLS, external_tool

    if name is not None and name not in EXTERNAL_TOOLS:
        raise UnknownNameError(
            f"There is no finder and no external tool '{name}'.",
            hint=f"Finders: {', '.join(FINDERS)}. Tools: {', '.join(EXTERNAL_TOOLS)}, and command:….",
        )
    return external_tool(wish)
