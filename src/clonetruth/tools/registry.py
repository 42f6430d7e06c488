"""The registry of external tools."""

from __future__ import annotations

from clonetruth.detectors.spec import split_parameters
from clonetruth.registry import Registry
from clonetruth.tools.command_template import command_tool, is_command
from clonetruth.tools.tool import ExternalTool

EXTERNAL_TOOLS: Registry[ExternalTool] = Registry(
    "external tool",
    {
        "nicad": "clonetruth.tools.catalog:NICAD",
        "sourcerercc": "clonetruth.tools.catalog:SOURCERERCC",
        "jscpd": "clonetruth.tools.catalog:JSCPD",
        "pmd": "clonetruth.tools.catalog:PMD",
        "simian": "clonetruth.tools.catalog:SIMIAN",
        "iclones": "clonetruth.tools.catalog:ICLONES",
        "deckard": "clonetruth.tools.catalog:DECKARD",
        "jplag": "clonetruth.tools.catalog:JPLAG",
        "dolos": "clonetruth.tools.catalog:DOLOS",
        "ccaligner": "clonetruth.tools.catalog:CCALIGNER",
        "oreo": "clonetruth.tools.catalog:OREO",
    },
    group="clonetruth.external_tools",
    of=ExternalTool,
)


def external_tool(text: str) -> ExternalTool:
    """Look up a tool: a name, optionally with parameters (`jscpd:renaming=blind`), or a command (`command:…`).

    Raises:
        UnknownNameError: an unknown tool.
        InputError: an invalid command or parameter.
    """
    if is_command(text):
        return command_tool(text)
    name, parameters = split_parameters(text)
    return EXTERNAL_TOOLS[name].with_parameters(**parameters)
