"""Tools of others, run where they are installed, their reports read."""

from clonetruth.tools.command_template import is_command
from clonetruth.tools.process import ProcessLimits, ToolOptions
from clonetruth.tools.registry import EXTERNAL_TOOLS, external_tool
from clonetruth.tools.reported_pairs import external_pairs, run_pairs
from clonetruth.tools.runner import ToolRun, run_tool
from clonetruth.tools.tool import ExternalTool

__all__ = [
    "EXTERNAL_TOOLS",
    "ExternalTool",
    "ProcessLimits",
    "ToolOptions",
    "ToolRun",
    "external_pairs",
    "external_tool",
    "is_command",
    "run_pairs",
    "run_tool",
]
