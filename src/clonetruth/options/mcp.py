"""`clonetruth mcp`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import Options, argument, option


@dataclass(frozen=True, kw_only=True)
class McpOptions(Options, command="mcp", function="serve_mcp"):
    """Answer coding assistants over the Model Context Protocol: is there already a function that does this?

    The server talks over standard input and output, and ends with its input. It reads source files below FOLDER, and
    nothing else; it never runs code. Needs the extra 'mcp'.
    """

    folder: Path = argument(Path(), help="The project (default: the working folder).")
    exclude: tuple[str, ...] = option(
        (), metavar="PATTERN", project=r"(?s).*", help="Skip files and folders, as .gitignore would."
    )
    include_generated: bool = option(False, help="Include generated files.")
    include_vendored: bool = option(False, help="Include vendored folders and build output.")
    gitignore: bool = option(True, help="Skip files that .gitignore excludes.")
    min_tokens: int = option(15, minimum=1, help="Skip functions with fewer tokens when looking for similar ones.")
