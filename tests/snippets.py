"""Execute the snippets of a page and compare their output; CONTRIBUTING.md has the rules for authors.

``python -m tests.snippets PAGE…`` runs pages outside of pytest; with ``--write`` it also puts the output that it got
into the pages, wherever it differs from what they show.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from unittest import mock

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.conftest import ROOT, SHARED

COMMANDS = frozenset({"console", "bash", "sh", "shell"})
"""Fences that hold commands. All but `console` must say why they are not run."""

_MARKER = re.compile(r"<!--\s*(needs|varies|not run|file|exit|notebook):?\s*(.*?)\s*-->", re.DOTALL)
_NUMBER = re.compile(r"\d[\d,.]*")


@dataclass(frozen=True)
class Snippet:
    """A block that is run, or says why it is not.

    Attributes:
        kind: `python`, `console`, or `file` for a block that is saved as a file.
        text: the content of the block.
        line: the line of the page on which the block begins, for messages.
        expected: the output that the page shows; for `console` it is part of `text`.
        needs: datasets (`data/gcj`), programs or modules, and `minutes`.
        varies: why the numbers of the output differ from machine to machine.
        not_run: why the block is not run.
        file: the name of the file that the block becomes.
        exit: the exit code of the last command.
        output_lines: first and last line (exclusive) of the expected output in the page.
    """

    kind: str
    text: str
    line: int
    expected: str | None = None
    needs: frozenset[str] = frozenset()
    varies: str | None = None
    not_run: str | None = None
    file: str | None = None
    exit: int = 0
    output_lines: tuple[int, int] | None = None

    @property
    def commands(self) -> list[tuple[str, str]]:
        """The commands of a console block, each with the output that the page shows."""
        found: list[tuple[str, str]] = []
        continued = False
        for line in self.text.splitlines():
            if continued:
                command, _ = found.pop()
                found.append((command.removesuffix("\\") + line.strip(), ""))
            elif line.startswith("$ "):
                found.append((line.removeprefix("$ "), ""))
            else:
                command, shown = found.pop()
                found.append((command, f"{shown}{line}\n"))
            continued = line.endswith("\\") and not found[-1][1]
        return found


def read_page(path: Path) -> list[Snippet]:
    """The snippets of a Markdown page or of a notebook, in order."""
    if path.suffix == ".ipynb":
        return _notebook(json.loads(path.read_text(encoding="utf-8")))
    return _markdown(MarkdownIt().enable("table").parse(path.read_text(encoding="utf-8")))


def _markdown(tokens: list[Token]) -> list[Snippet]:
    found: list[Snippet] = []
    markers: dict[str, str] = {}
    for token in tokens:
        if token.type == "html_block":
            markers |= dict(_MARKER.findall(token.content))
            continue
        if token.type == "fence":
            line = token.map[0] + 1 if token.map else 0
            language = token.info.split(maxsplit=1)[0] if token.info else ""
            if language == "output" and found and found[-1].kind == "python" and found[-1].expected is None:
                lines = (token.map[0] + 1, token.map[1] - 1) if token.map else None
                varies = markers.get("varies", found[-1].varies)
                found[-1] = replace(found[-1], expected=token.content, output_lines=lines, varies=varies)
            elif "file" in markers:
                found.append(replace(_marked(markers), kind="file", text=token.content, line=line))
            elif language == "python" or language in COMMANDS:
                kind = "python" if language == "python" else "console"
                found.append(replace(_marked(markers), kind=kind, text=token.content, line=line))
                if language in COMMANDS - {"console"} and found[-1].not_run is None:
                    raise ValueError(f"line {line}: a {language} block must be console, or say why it is not run")
        markers = {}
    return found


def _marked(markers: dict[str, str]) -> Snippet:
    return Snippet(
        kind="",
        text="",
        line=0,
        needs=frozenset(filter(None, re.split(r",\s*", markers.get("needs", "")))),
        varies=markers.get("varies"),
        not_run=markers.get("not run"),
        file=markers.get("file"),
        exit=int(markers.get("exit", 0)),
    )


def _notebook(content: dict[str, Any]) -> list[Snippet]:
    found = []
    for index, cell in enumerate(content["cells"]):
        if cell["cell_type"] != "code":
            continue
        source = "".join(cell["source"])
        output = "".join(_shown(one) for one in cell["outputs"])
        about = _marked(cell["metadata"].get("clonetruth", {}))
        if source.startswith("%%writefile "):
            first, _, rest = source.partition("\n")
            one = replace(about, kind="file", text=f"{rest}\n", file=first.split()[1])
        elif source.startswith("!"):
            one = replace(about, kind="console", text=f"$ {source.removeprefix('!')}\n{output}")
        else:
            one = replace(about, kind="python", text=source, expected=output or None)
        found.append(replace(one, line=index))
    return found


def _shown(output: dict[str, Any]) -> str:
    text = "".join(output["text"] if "text" in output else output["data"]["text/plain"])
    return text if text.endswith("\n") else f"{text}\n"


def missing(needs: frozenset[str]) -> list[str]:
    """What this machine lacks of what a snippet needs."""
    return sorted(need for need in needs - {"minutes"} if _located(need) is None)


def _located(need: str) -> str | None:
    if need.startswith("data/"):
        path = SHARED / need
        return str(path) if path.exists() else None
    program = shutil.which(need) or shutil.which(need, path=str(ROOT / "node_modules" / ".bin"))
    if program is None and re.fullmatch(r"\w+", need) and importlib.util.find_spec(need) is not None:
        return need
    return program


@dataclass
class Session:
    """One page being run.

    Attributes:
        folder: where its snippets run.
        namespace: the names that its Python snippets share.
        html: what the last value shows in a notebook.
        shown: the commands of the last console snippet, each with its output.
    """

    folder: Path
    namespace: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})
    html: str | None = None
    shown: list[tuple[str, str]] = field(default_factory=list)

    def run(self, snippet: Snippet) -> str:
        """Run a snippet in the folder of the page and return what it shows: printed text, then the last value.

        Raises:
            AssertionError: a command ends with another exit code than the page says.
        """
        for need in snippet.needs - {"minutes"}:
            self._link(need)
        if snippet.kind == "file":
            assert snippet.file is not None
            path = self.folder / snippet.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(snippet.text, encoding="utf-8")
            return ""
        with contextlib.chdir(self.folder):
            if snippet.kind == "python":
                return self._python(snippet)
            return "".join(self._console(snippet))

    def _link(self, need: str) -> None:
        """A dataset is in the folder of the page under its own name; a program of the project is on the path."""
        located = _located(need)
        assert located is not None
        if need.startswith("data/"):
            link = self.folder / Path(need).name
            if not link.exists():
                link.symlink_to(located)
        elif str(ROOT) in located:
            os.environ["PATH"] = f"{Path(located).parent}{os.pathsep}{os.environ['PATH']}"

    def _python(self, snippet: Snippet) -> str:
        self.html = None
        body = ast.parse(snippet.text).body
        last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
        with _captured() as output:
            exec(compile(ast.Module(body, []), f"<line {snippet.line}>", "exec"), self.namespace)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), f"<line {snippet.line}>", "eval"), self.namespace)
                if value is not None:
                    print(repr(value))
                    self.html = value._repr_html_() if hasattr(value, "_repr_html_") else None
        return _text(output)

    def _console(self, snippet: Snippet) -> Iterator[str]:
        commands = snippet.commands
        self.shown = []
        for index, (command, _) in enumerate(commands):
            code, text = _execute(command)
            wanted = snippet.exit if index == len(commands) - 1 else 0
            if code != wanted:
                raise AssertionError(f"line {snippet.line}: {command}\n{text}exit code {code} instead of {wanted}")
            self.shown.append((command, text))
            yield f"$ {command}\n{text}"


class OutputError(AssertionError):
    """A snippet whose output is not the one that the page shows."""

    def __init__(self, snippet: Snippet, expected: str, actual: str) -> None:
        super().__init__(f"at {snippet.line}\n{snippet.text}\n--- the page says\n{expected}\n--- it is\n{actual}")
        self.actual = actual


def check(session: Session, snippet: Snippet) -> None:
    """Run a snippet and compare its output.

    Raises:
        OutputError: they differ.
    """
    actual = session.run(snippet)
    if snippet.kind == "console":
        expected = "".join(f"$ {command}\n{shown}" for command, shown in snippet.commands)
    else:
        expected = snippet.expected or ""
    if not matches(expected, actual, varies=snippet.varies is not None):
        raise OutputError(snippet, expected, actual)


def matches(expected: str, actual: str, *, varies: bool = False) -> bool:
    """Whether output is as expected: `…` alone on a line stands for any lines, within a line for any characters.

    Blank lines at both ends and blanks at the end of a line do not count. With `varies` neither do the values of
    numbers, nor how far columns and rules stretch to hold them.
    """
    lines = _plain_lines(expected, varies)
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "…" else f"{re.escape(line).replace('…', '.*')}\n" for line in lines
    )
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in _plain_lines(actual, varies))) is not None


def _plain_lines(text: str, varies: bool) -> list[str]:
    lines = "\n".join(line.rstrip() for line in text.splitlines()).strip("\n").splitlines()
    if varies:
        lines = [re.sub(r"[ ─]{2,}", " ", _NUMBER.sub("#", line)) for line in lines]
    return lines


@contextlib.contextmanager
def _captured() -> Iterator[io.TextIOWrapper]:
    output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        yield output


def _text(output: io.TextIOWrapper) -> str:
    buffer = output.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")


def _execute(command: str) -> tuple[int, str]:
    """The exit code and the output of a command; ours runs in this process where no shell is needed."""
    words = shlex.split(command, comments=True)
    if words[0] != "clonetruth" or any(sign in words or sign in command for sign in ("|", "&&", " > ", "$", "*")):
        run = subprocess.run(
            command, shell=True, executable="/bin/bash", stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        return run.returncode, run.stdout.decode("utf-8")
    from clonetruth.cli import main

    with _captured() as output, mock.patch.object(sys, "argv", words):
        try:
            main()
            code: Any = 0
        except SystemExit as end:
            code = end.code
    return (code if isinstance(code, int) else 0 if code is None else 1), _text(output)


@contextlib.contextmanager
def environment(folder: Path) -> Iterator[None]:
    """What a page runs in: its own cache, no settings of the user, `clonetruth` on the path, a fixed form of output."""
    programs = folder / "bin"
    programs.mkdir(parents=True)
    script = programs / "clonetruth"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m clonetruth "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    values = {
        "HOME": str(folder),
        "XDG_CACHE_HOME": str(folder / "cache"),
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(sys.path),
        "LC_ALL": "C.UTF-8",
    }
    with mock.patch.dict(os.environ, values):
        for name in ("COLUMNS", "FORCE_COLOR", "OPENAI_API_KEY", "CLONETRUTH_VOTES"):
            os.environ.pop(name, None)
        yield


def run_page(path: Path, folder: Path, available: frozenset[str]) -> None:
    """Run the snippets of a page that need nothing beyond `available`, in order, in one new folder.

    Raises:
        OutputError: one shows something else than the page says.
    """
    work = folder / "work"
    work.mkdir(parents=True)
    with environment(folder / "home"):
        session = Session(work)
        for snippet in read_page(path):
            if snippet.not_run is None and snippet.needs <= available:
                check(session, snippet)


def write_page(path: Path, folder: Path) -> int:
    """Run a page and put the output that it got into it, wherever it differs; the number of changes."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "work").mkdir(parents=True)
    changes: list[tuple[int, int, str]] = []
    with environment(folder / "home"):
        session = Session(folder / "work")
        for snippet in read_page(path):
            if snippet.not_run is not None or missing(snippet.needs):
                continue
            try:
                check(session, snippet)
            except OutputError as difference:
                changes.append(_change(snippet, session, difference.actual))
            except Exception as error:
                print(f"{path}:{snippet.line}: {type(error).__name__}: {error}")
    for first, last, text in reversed(changes):
        lines[first:last] = [text]
    path.write_text("".join(lines), encoding="utf-8")
    return len(changes)


def _change(snippet: Snippet, session: Session, actual: str) -> tuple[int, int, str]:
    """The lines of a page to replace, and what by. Output that still matches stays as the author wrote it."""
    end = snippet.line + len(snippet.text.splitlines())
    if snippet.kind == "console":
        starts = [number for number, line in enumerate(snippet.text.splitlines()) if line.startswith("$ ")]
        lines = snippet.text.splitlines(keepends=True)
        text = ""
        for (_, expected), (_, got), start in zip(snippet.commands, session.shown, starts, strict=True):
            while lines[start].endswith("\\\n"):
                text += lines[start]
                start += 1
            same = matches(expected, got, varies=snippet.varies is not None)
            text += lines[start] + (expected if same else _tidy(got))
        return snippet.line, end, text
    if snippet.output_lines is not None:
        return *snippet.output_lines, _tidy(actual)
    return end + 1, end + 1, f"\n```output\n{_tidy(actual)}```\n"


def _tidy(output: str) -> str:
    return "".join(f"{line}\n" for line in _plain_lines(output, varies=False))


def main(arguments: list[str]) -> None:
    """Run pages, or with ``--write`` bring their output up to date."""
    for name in arguments:
        if name != "--write":
            with tempfile.TemporaryDirectory() as folder:
                path = Path(name).resolve()
                if "--write" in arguments:
                    print(f"{name}: {write_page(path, Path(folder))} outputs written")
                else:
                    needs = frozenset().union(*(one.needs for one in read_page(path)))
                    run_page(path, Path(folder), needs - set(missing(needs)))
                    print(f"{name}: as shown")


if __name__ == "__main__":
    main(sys.argv[1:])
