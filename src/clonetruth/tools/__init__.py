"""External clone detectors: run them where they are installed, and read their reports."""

from clonetruth.tools.command_template import is_command
from clonetruth.tools.process import ProcessLimits
from clonetruth.tools.registry import EXTERNAL_TOOLS, external_tool
from clonetruth.tools.reported_pairs import external_pairs, read_pairs
from clonetruth.tools.runner import PartRun, ToolRun, run_on_files
from clonetruth.tools.source_run import ToolReport, run_tool
from clonetruth.tools.tool import ExternalTool, ToolOptions

__all__ = [
    "EXTERNAL_TOOLS",
    "ExternalTool",
    "PartRun",
    "ProcessLimits",
    "ToolOptions",
    "ToolReport",
    "ToolRun",
    "external_pairs",
    "external_tool",
    "is_command",
    "read_pairs",
    "run_on_files",
    "run_tool",
]
