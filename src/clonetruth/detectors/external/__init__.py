"""Tools of others, run where they are installed, their reports read."""

from clonetruth.detectors.external.options import ToolOptions
from clonetruth.detectors.external.pairs import external_pairs, run_pairs
from clonetruth.detectors.external.process import Limits
from clonetruth.detectors.external.registry import EXTERNAL_TOOLS, external_tool
from clonetruth.detectors.external.running import ToolRun, run_tool
from clonetruth.detectors.external.template import is_command
from clonetruth.detectors.external.tool import ExternalTool

__all__ = [
    "EXTERNAL_TOOLS",
    "ExternalTool",
    "Limits",
    "ToolOptions",
    "ToolRun",
    "external_pairs",
    "external_tool",
    "is_command",
    "run_pairs",
    "run_tool",
]
