"""The external tools by name: one file each, one line here."""

from __future__ import annotations

from clonetruth.detectors.spec import split_parameters
from clonetruth.registry import Registry
from clonetruth.tools.command_template import command_tool, is_command
from clonetruth.tools.tool import ExternalTool

EXTERNAL_TOOLS: Registry[ExternalTool] = Registry(
    "external tool",
    {
        "nicad": "clonetruth.tools.tools.nicad:TOOL",
        "sourcerercc": "clonetruth.tools.tools.sourcerercc:TOOL",
        "jscpd": "clonetruth.tools.tools.jscpd:TOOL",
        "pmd": "clonetruth.tools.tools.pmd:TOOL",
        "simian": "clonetruth.tools.tools.simian:TOOL",
        "iclones": "clonetruth.tools.tools.iclones:TOOL",
        "deckard": "clonetruth.tools.tools.deckard:TOOL",
        "jplag": "clonetruth.tools.tools.jplag:TOOL",
        "dolos": "clonetruth.tools.tools.dolos:TOOL",
        "ccaligner": "clonetruth.tools.tools.ccaligner:TOOL",
        "oreo": "clonetruth.tools.tools.oreo:TOOL",
    },
    group="clonetruth.external_tools",
)


def external_tool(text: str) -> ExternalTool:
    """The tool that a user asks for: by name, perhaps with parameters (`jscpd:renaming=blind`), or `command:…`.

    Raises:
        UnknownNameError: there is no tool of the name.
        InputError: the command, or a parameter, cannot be used.
    """
    if is_command(text):
        return command_tool(text)
    name, parameters = split_parameters(text)
    return EXTERNAL_TOOLS[name].with_parameters(**parameters)
