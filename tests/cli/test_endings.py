"""How a command can end: each way has its exit code and its words, and 1 always means that something was found."""

from __future__ import annotations

import errno
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import click
import duckdb
import pyarrow as pa
import pytest

from clonetruth.cli import cli
from clonetruth.cli.output import DEBUG_VARIABLE
from clonetruth.errors import (
    UNDECIDED_EXIT_CODE,
    BenchmarkError,
    CloneTruthError,
    InputError,
    OperatingSystemError,
    OutOfMemoryError,
    UnexpectedError,
    explained,
)
from tests.cli.running import BUGS, Ran, call
from tests.conftest import ROOT

CONDITIONS = [
    (errno.ENOSPC, "The disk is full."),
    (errno.EDQUOT, "The disk quota is used up."),
    (errno.EACCES, "Permission denied."),
    (errno.EROFS, "The file system is read-only."),
    (errno.EMFILE, "Too many open files."),
    (errno.ENAMETOOLONG, "A file name is too long."),
    (errno.ELOOP, "Symbolic links form a loop."),
    (errno.EIO, "The device reports an input or output error."),
]


@pytest.mark.parametrize(("number", "words"), CONDITIONS)
def test_conditions_of_the_machine(number: int, words: str) -> None:
    error = explained(OSError(number, os.strerror(number), "/some/file"))
    assert (type(error), error.what, error.where) == (OperatingSystemError, words, "/some/file")
    assert error.hint


@pytest.mark.parametrize("kind", [InputError, BenchmarkError])
def test_a_condition_that_was_taken_for_bad_input(kind: type[CloneTruthError]) -> None:
    error = explained(raised(kind("The file cannot be written.", where="out.txt"), OSError(errno.ENOSPC, "full")))
    assert (type(error), error.what, error.where) == (OperatingSystemError, "The disk is full.", "out.txt")


def test_bad_input_stays_bad_input() -> None:
    wrong = raised(
        InputError("There is no such file.", where="x"), FileNotFoundError(errno.ENOENT, "No such file", "x")
    )
    assert explained(wrong) is wrong
    # What merely happened to be going on is not a cause.
    unrelated = InputError("The value is odd.")
    unrelated.__context__ = PermissionError(errno.EACCES, "Permission denied")
    assert explained(unrelated) is unrelated


def test_a_missing_permission_keeps_the_words_of_the_code_that_asked() -> None:
    port = InputError("Cannot listen on port 80.", hint="Choose another port.")
    error = explained(raised(port, PermissionError(errno.EACCES, "Permission denied")))
    assert (type(error), error.what, error.hint) == (OperatingSystemError, port.what, port.hint)


def raised(error: CloneTruthError, cause: Exception) -> CloneTruthError:
    try:
        raise error from cause
    except CloneTruthError as caught:
        return caught


def sqlite_full(folder: Path) -> None:
    connection = sqlite3.connect(folder / "x.sqlite")
    connection.execute("PRAGMA max_page_count = 2")
    connection.execute("CREATE TABLE t (x)")
    connection.execute("INSERT INTO t VALUES (randomblob(100000))")


def duckdb_full(folder: Path) -> None:
    duckdb.sql("COPY (SELECT i, md5(CAST(i AS VARCHAR)) FROM range(100000) t(i)) TO '/dev/full' (FORMAT csv)")


def arrow_full(folder: Path) -> None:
    with pa.OSFile("/dev/full", "wb") as file:
        file.write(bytes(10))


def duckdb_memory(folder: Path) -> None:
    engine = duckdb.connect(config={"memory_limit": "20MB", "threads": 1, "temp_directory": ""})
    engine.sql("SELECT list(md5(CAST(i AS VARCHAR))) FROM range(2000000) t(i)").fetchall()


def arrow_memory(folder: Path) -> None:
    pa.allocate_buffer(1 << 60)


def python_memory(folder: Path) -> None:
    bytearray(1 << 60)


def deep(folder: Path) -> None:
    def descend(depth: int) -> int:
        return descend(depth + 1) + 1

    descend(0)


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        (sqlite_full, OperatingSystemError),
        (duckdb_full, OperatingSystemError),
        (arrow_full, OperatingSystemError),
        (duckdb_memory, OutOfMemoryError),
        (arrow_memory, OutOfMemoryError),
        (python_memory, OutOfMemoryError),
        (deep, OutOfMemoryError),
    ],
)
def test_errors_of_libraries(action: Callable[[Path], None], kind: type[CloneTruthError], tmp_path: Path) -> None:
    with pytest.raises((OSError, MemoryError, RecursionError, duckdb.Error, sqlite3.Error)) as caught:
        action(tmp_path)
    assert type(explained(caught.value)) is kind, repr(caught.value)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), 8),
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), 8),
        (MemoryError(), 9),
        (RecursionError("maximum recursion depth exceeded"), 9),
        (EOFError("Ran out of input"), 10),
        (KeyError("[/bold]\x1b[31m"), 10),
    ],
    ids=repr,
)
def test_whatever_a_command_raises(
    error: Exception, code: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ran = failing(error, monkeypatch, tmp_path)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("error: ")
    assert "Traceback" not in ran.err
    assert "\x1b" not in ran.err


def failing(error: Exception, monkeypatch: pytest.MonkeyPatch, folder: Path) -> Ran:
    """Run a command that raises an error."""

    def fail(options: object) -> None:
        raise error

    command = cli.get_command(click.Context(cli), "sources")
    monkeypatch.setattr(command, "_run", fail)
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return call("sources", bugs=True)


def test_a_bug_is_called_so_and_its_traceback_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ran = failing(ZeroDivisionError("by [/bold]\x1b"), monkeypatch, tmp_path)
    assert ran.code == UnexpectedError.exit_code
    assert r"error: ZeroDivisionError: by [/bold]\x1b" in ran.err
    (file,) = tmp_path.iterdir()
    assert f"This is a bug. Please report it together with {file}" in ran.err
    assert "in fail" in file.read_text()
    assert "\x1b" not in file.read_text()
    monkeypatch.setenv(DEBUG_VARIABLE, "1")
    assert "in fail" in failing(ZeroDivisionError("x"), monkeypatch, tmp_path).err


def start(arguments: Sequence[str], source: Path, output: int) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "clonetruth", *(one.format(file=source) for one in arguments)]
    return subprocess.run(command, stdout=output, stderr=subprocess.PIPE, timeout=120, check=False)


OUTPUTS = [("sources",), ("sources", "--json"), ("code", "form", "{file}")]


@pytest.mark.parametrize("arguments", OUTPUTS, ids=["table", "json", "text"])
def test_standard_output_is_full(arguments: tuple[str, ...], source: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = start(arguments, source, full.fileno())
    assert done.returncode == 8
    assert done.stderr == b"error: standard output: The result cannot be printed (No space left on device).\n"


@pytest.mark.parametrize("arguments", OUTPUTS, ids=["table", "json", "text"])
def test_nobody_reads_standard_output(arguments: tuple[str, ...], source: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = start(arguments, source, writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("output", [(), ("--format", "json"), ("--format", "csv")])
def test_a_gate_fails_whether_or_not_its_output_is_read(output: tuple[str, ...], tmp_path: Path) -> None:
    body = "int f(int a) { int sum = 0; for (int i = 0; i < a; i++) { sum += i * a - i / (a + 1); } return sum + a; }"
    for name in "AB":
        (tmp_path / f"{name}.java").write_text(f"class {name} {{ {body} }}\n")
    reader, writer = os.pipe()
    os.close(reader)
    gate = ("find", "--min-tokens", "20", "--min-lines", "1", "--fail-on", "T1", "--no-index", *output)
    done = start(gate, tmp_path, writer)
    os.close(writer)
    assert done.returncode == 1
    assert b"error" not in done.stderr


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "A.java"
    file.write_text("class A { int f(int a) { return a; } }\n")
    return file


def test_nobody_listens_at_all(source: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "clonetruth", "code", "form", source],
        close_fds=True,
        preexec_fn=lambda: os.closerange(1, 3),
        check=False,
    )
    assert done.returncode == 0


def test_the_documentation_lists_every_code() -> None:
    text = (ROOT / "docs" / "install.md").read_text(encoding="utf-8").partition("## Exit codes")[2]
    listed = {int(code) for code in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)}
    kinds = [kind for kind in CloneTruthError.__subclasses__() if kind.__module__ == CloneTruthError.__module__]
    assert listed == {0, 1, 2, UNDECIDED_EXIT_CODE, 130, *(kind.exit_code for kind in kinds)}
    assert UnexpectedError.exit_code in BUGS
