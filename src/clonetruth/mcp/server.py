"""The MCP server: what `ProjectAnswers` answers, as tools over standard input and output."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from threading import Lock, Thread
from typing import TYPE_CHECKING, ParamSpec

from clonetruth import __version__
from clonetruth.errors import CloneTruthError, MissingExtraError, explained
from clonetruth.mcp.answers import ProjectAnswers
from clonetruth.options.declaration import verb
from clonetruth.options.mcp import McpOptions

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

P = ParamSpec("P")

_INSTRUCTIONS = (
    "Before writing a new function, call find_similar_function with a draft of it: the project may already have one. "
    "Paths in answers are relative to the project; lines are 1-based and inclusive."
)


@verb(McpOptions)
def serve_mcp(options: McpOptions) -> None:
    """Answer coding assistants over the Model Context Protocol, on standard input and output, until the input ends.

    Raises:
        InputError: the folder does not exist.
        MissingExtraError: the extra `mcp` is not installed.

    Example:
        >>> clonetruth.serve_mcp("src")  # doctest: +SKIP
    """
    answers = ProjectAnswers(options)
    server = create_server(answers)
    # The first question need not wait for an index that nobody has begun to build.
    Thread(target=answers.index.refresh, daemon=True).start()
    server.run("stdio")


def create_server(answers: ProjectAnswers) -> MCPServer:
    """Return the server, with its tools.

    Raises:
        MissingExtraError: the extra `mcp` is not installed.
    """
    try:
        from mcp.server.mcpserver import MCPServer
        from mcp.server.mcpserver.exceptions import ToolError
        from mcp.types import ToolAnnotations
    except ImportError as error:
        raise MissingExtraError.extra("The MCP server", "mcp") from error

    server = MCPServer("clonetruth", instructions=_INSTRUCTIONS, version=__version__, log_level="WARNING")
    reading = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    lock = Lock()

    def answering(function: Callable[P, str]) -> Callable[P, str]:
        """Answer one question at a time; errors that the assistant can fix become errors of the tool."""

        @wraps(function)
        def answer(*args: P.args, **kwargs: P.kwargs) -> str:
            with lock:
                try:
                    return function(*args, **kwargs)
                except CloneTruthError as error:
                    raise ToolError(str(error)) from error
                except Exception as error:
                    shown = explained(error)
                    if shown is error:
                        raise
                    raise ToolError(str(shown)) from error

        return answer

    @server.tool(annotations=reading, structured_output=False)
    @answering
    def find_similar_function(code: str, language: str | None = None, top: int = 5) -> str:
        """Is there already a function that does this? Returns the project's functions closest to a draft.

        One line each: location, name, similarity without names and values, shared words, what differs from the draft.

        Args:
            code: the draft: a function or statements.
            language: for example python, java, typescript (default: guessed).
            top: how many functions at most.
        """
        return answers.find_similar_function(code, language, top)

    @server.tool(annotations=reading, structured_output=False)
    @answering
    def find_clones(path: str = ".", top: int = 10, min_tokens: int = 50) -> str:
        """Duplicated functions in a file or folder of the project, a line per group, the largest saving first.

        Args:
            path: file or folder, relative to the project.
            top: how many groups at most.
            min_tokens: ignore smaller functions.
        """
        return answers.find_clones(path, top, min_tokens)

    @server.tool(annotations=reading, structured_output=False)
    @answering
    def compare_code(left: str, right: str, language: str | None = None) -> str:
        """How two pieces of code differ: clone type, similarity, edits in words.

        Args:
            left: code, or its place in the project: FILE, FILE:FIRST-LAST or FILE::FUNCTION.
            right: the same.
            language: of code given as text (default: that of the other side, or guessed).
        """
        return answers.compare_code(left, right, language)

    return server
