"""The external tools by name: one file each, one line here."""

from __future__ import annotations

from clonetruth.detectors.external.template import command_tool, is_command
from clonetruth.detectors.external.tool import ExternalTool
from clonetruth.detectors.naming import split_parameters
from clonetruth.registry import Registry

EXTERNAL_TOOLS: Registry[ExternalTool] = Registry(
    "external tool",
    {
        "nicad": "clonetruth.detectors.external.tools.nicad:TOOL",
        "sourcerercc": "clonetruth.detectors.external.tools.sourcerercc:TOOL",
        "jscpd": "clonetruth.detectors.external.tools.jscpd:TOOL",
        "pmd": "clonetruth.detectors.external.tools.pmd:TOOL",
        "simian": "clonetruth.detectors.external.tools.simian:TOOL",
        "iclones": "clonetruth.detectors.external.tools.iclones:TOOL",
        "deckard": "clonetruth.detectors.external.tools.deckard:TOOL",
        "jplag": "clonetruth.detectors.external.tools.jplag:TOOL",
        "dolos": "clonetruth.detectors.external.tools.dolos:TOOL",
        "ccaligner": "clonetruth.detectors.external.tools.ccaligner:TOOL",
        "oreo": "clonetruth.detectors.external.tools.oreo:TOOL",
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
