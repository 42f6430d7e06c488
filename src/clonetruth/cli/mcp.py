"""`clonetruth mcp`: answers for coding assistants."""

from __future__ import annotations

from clonetruth.cli.verb import verb_command
from clonetruth.options.mcp import McpOptions


@verb_command(McpOptions)
def mcp(options: McpOptions) -> None:
    """Serve until the input ends. Standard output belongs to the protocol, so nothing is printed."""
    from clonetruth.mcp import serve_mcp

    serve_mcp(options)
