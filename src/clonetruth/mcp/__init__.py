"""Answers for coding assistants, over the Model Context Protocol (extra `mcp`)."""

from clonetruth.mcp.answers import ProjectAnswers
from clonetruth.mcp.server import serve_mcp

__all__ = ["ProjectAnswers", "serve_mcp"]
