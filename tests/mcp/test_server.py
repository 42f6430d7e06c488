"""The server as an assistant meets it: by a client of the official SDK, in the process and as a process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from clonetruth.errors import MissingExtraError
from clonetruth.mcp import ProjectAnswers
from clonetruth.mcp.server import create_server
from clonetruth.options.mcp import McpOptions
from tests.cli.running import hear_ctrl_c
from tests.find.clone_trees import FAMILY, RENAMED, java, plant

anyio = pytest.importorskip("anyio")
mcp = pytest.importorskip("mcp")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return plant(tmp_path / "project", FAMILY)


def talk(server: Any, questions: Callable[[Any], Awaitable[None]]) -> None:
    """Connect a client to a server, and ask."""

    async def connected() -> None:
        async with mcp.Client(server, read_timeout_seconds=100) as client:
            await questions(client)

    anyio.run(connected)


async def ask(client: Any, tool: str, **arguments: Any) -> tuple[bool, str]:
    """Whether the answer is an error, and its text."""
    answer = await client.call_tool(tool, arguments)
    (content,) = answer.content
    return answer.is_error, content.text


async def converse(client: Any) -> None:
    """What a client sees: three tools that read, answers, and errors that say what to do."""
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(tools) == {"find_similar_function", "find_clones", "compare_code"}
    for tool in tools.values():
        assert tool.annotations.read_only_hint
        assert tool.description
    assert tools["find_similar_function"].input_schema["required"] == ["code"]
    failed, text = await ask(client, "find_similar_function", code=RENAMED, top=1)
    assert not failed
    assert text.startswith("src/Renamed.java:2-11 Renamed.sumAbove: same code")
    assert await ask(client, "find_clones", path="src/One.java") == (False, "no clones")
    failed, text = await ask(client, "compare_code", left="src/One.java::sumAbove", right=RENAMED)
    assert (failed, text[:3]) == (False, "T2:")
    for tool, arguments, reason in (
        ("find_clones", {"path": "../.."}, "below the folder of the server"),
        ("find_similar_function", {"code": ""}, "no code"),
        ("find_similar_function", {"code": RENAMED, "language": "klingon"}, "Known: "),
        ("find_similar_function", {"code": 5}, "valid string"),
        ("compare_code", {"left": "x"}, "right"),
        ("no_tool", {}, "no_tool"),
    ):
        try:
            failed, text = await ask(client, tool, **arguments)
        except mcp.MCPError as error:
            failed, text = True, str(error)
        assert failed
        assert reason in text


def test_a_client_in_the_process(project: Path) -> None:
    talk(create_server(ProjectAnswers(McpOptions(folder=project))), converse)


@pytest.mark.slow
def test_a_client_over_standard_input_and_output(project: Path) -> None:
    arguments = ["-m", "clonetruth", "mcp", str(project)]
    # A client hands on few variables of its environment.
    server = mcp.StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))

    async def edited(client: Any) -> None:
        await converse(client)
        plant(project, {"src/New.java": java("New", RENAMED.replace("sumAbove", "later"))})
        _, text = await ask(client, "find_similar_function", code=RENAMED.replace("sumAbove", "later"), top=1)
        assert text.startswith("src/New.java"), "a file that is written while the server runs"

    talk(server, edited)


@pytest.mark.slow
@pytest.mark.parametrize(("end", "code"), [("eof", 0), ("interrupt", 130)])
def test_the_server_ends_with_its_input_or_with_ctrl_c(project: Path, end: str, code: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "clonetruth", "mcp", str(project)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=hear_ctrl_c,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'this is not JSON\n{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        process.stdin.flush()
        assert process.stdout.readline(), "it answers in spite of the first line"
        if end == "interrupt":
            process.send_signal(signal.SIGINT)
        out, errors = process.communicate(timeout=60)
        assert process.returncode == code
        assert b"Traceback" not in out + errors


def test_without_the_extra_the_message_says_what_to_install(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    with pytest.raises(MissingExtraError) as caught:
        create_server(ProjectAnswers(McpOptions(folder=project)))
    assert caught.value.hint == "Install it: pip install 'clonetruth[mcp]'"
