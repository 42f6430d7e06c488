"""Work in several processes: in order, with the errors of the work, and nothing left running."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from itertools import islice
from pathlib import Path

import pytest

from clonetruth.code import map_parallel, parallel
from clonetruth.code.parallel import in_background
from clonetruth.errors import CloneTruthError, InputError, OutOfMemoryError, explained


@pytest.fixture(autouse=True, params=["new", "forked"])
def _start(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers are new processes, or forked from this one."""
    if request.param == "forked" and sys.platform != "linux":
        pytest.skip("processes are forked on Linux only")
    monkeypatch.setattr(parallel, "workers_fork", lambda: request.param == "forked")


class _UnsendableError(Exception):
    def __init__(self, first: str, second: str) -> None:
        super().__init__(first)
        self.second = second


def work(shared: int, batch: int) -> int:
    if batch == 13:
        raise InputError("Thirteen.", where="here", hint="Count again.")
    if batch == 14:
        raise _UnsendableError("four", "teen")
    if batch == 15:
        os.kill(os.getpid(), signal.SIGKILL)
    if batch >= 100:
        time.sleep(batch)
    return shared + batch


@pytest.mark.parametrize("processes", [1, 3])
def test_results_come_in_order(processes: int) -> None:
    assert list(map_parallel(work, 1000, range(10), processes)) == list(range(1000, 1010))
    assert list(map_parallel(work, 1000, [], processes)) == []


def test_only_a_few_batches_are_read_ahead() -> None:
    read = []

    def batches() -> Iterator[int]:
        for number in range(12):
            read.append(number)
            yield number

    assert list(islice(map_parallel(work, 0, batches(), 2), 1)) == [0]
    assert len(read) <= 2 * 2 + 1


def test_errors_arrive_as_they_were() -> None:
    with pytest.raises(InputError, match="Thirteen") as raised:
        list(map_parallel(work, 0, [1, 13, 2], 2))
    assert (raised.value.where, raised.value.hint) == ("here", "Count again.")
    assert any("in work" in note for note in raised.value.__notes__), "the place in the other process"
    with pytest.raises(RuntimeError, match="_UnsendableError"):
        list(map_parallel(work, 0, [14], 2))


def test_a_process_that_dies_is_an_error_and_no_wait() -> None:
    with pytest.raises(CloneTruthError, match="signal 9; perhaps memory ran out"):
        list(map_parallel(work, 0, [15, *range(12)], 2))
    assert not multiprocessing.active_children()


def test_work_that_is_no_longer_wanted_ends_at_once() -> None:
    results = map_parallel(work, 0, [1, 600, 600, 600, 600, 600], 2)
    assert isinstance(results, Generator)
    assert next(results) == 1
    started = time.monotonic()
    results.close()
    assert time.monotonic() - started < 5
    assert not multiprocessing.active_children()


def environment(_shared: None, name: str) -> str | None:
    return os.environ.get(name)


@pytest.mark.parametrize("is_file", [True, False], ids=["file", "standard input"])
def test_a_script_needs_no_main_guard(tmp_path: Path, is_file: bool) -> None:
    text = (
        "print('start')\n"
        "from clonetruth.code import map_parallel\n"
        "from tests.code.test_parallel import work\n"
        "print(list(map_parallel(work, 1, range(4), 2)), __name__)\n"
    )
    (tmp_path / "script.py").write_text(text, encoding="utf-8")
    here = Path(__file__).parents[2]
    ran = subprocess.run(
        [sys.executable, *(["script.py"] if is_file else [])],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(here), str(here / "src")])},
        input="" if is_file else text,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.stdout, ran.stderr) == ("start\n[1, 2, 3, 4] __main__\n", "")


def test_workers_import_nothing_from_the_working_folder(tmp_path: Path) -> None:
    """`python -c`, with which workers start, imports from there first; the folder may be a stranger's source tree."""
    folder = tmp_path / "tree"
    folder.mkdir()
    planted = tmp_path / "planted"
    for module in ("multiprocessing", "pickle", "socket", "signal", "os", "threading", "clonetruth", "numpy", "tests"):
        (folder / f"{module}.py").write_text(f"open({str(planted)!r}, 'a').write('{module} ')\n", encoding="utf-8")
    script = tmp_path / "script.py"
    script.write_text(
        "from clonetruth.code import map_parallel\n"
        "from tests.code.test_parallel import work\n"
        "if __name__ == '__main__':\n"
        "    print(list(map_parallel(work, 1, range(4), 2)))\n",
        encoding="utf-8",
    )
    here = Path(__file__).parents[2]
    ran = subprocess.run(
        [sys.executable, str(script)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(here), str(here / "src")])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout == "[1, 2, 3, 4]\n", ran.stderr
    assert not planted.exists(), planted.read_text(encoding="utf-8")


def test_programs_that_a_worker_starts_find_their_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    assert list(map_parallel(environment, None, ["PYTHONSAFEPATH"], 2)) == [None]
    assert "PYTHONSAFEPATH" not in os.environ


def exhaust(shared: int, batch: int) -> int:
    """Use more memory than this process may have."""
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    return len(bytearray(batch << 30))


def test_a_process_without_memory_says_so() -> None:
    with pytest.raises(MemoryError) as raised:
        list(map_parallel(exhaust, 0, [8, 8], 2))
    assert type(explained(raised.value)) is OutOfMemoryError
    with pytest.raises(OutOfMemoryError, match="signal 9"):
        list(map_parallel(work, 0, [15, 1], 2))


def test_work_in_the_background() -> None:
    with in_background(work, 1000, 1) as found:
        assert list(map_parallel(work, 0, [1, 2], 2)) == [1, 2]
        assert found() == 1001
    with in_background(work, 0, 13) as found, pytest.raises(InputError, match="Thirteen"):
        found()
    with in_background(work, 0, 15) as found, pytest.raises(OutOfMemoryError, match="signal 9"):
        found()
    with in_background(work, 0, 600):
        pass
    assert not multiprocessing.active_children()


def test_where_workers_are_forked() -> None:
    """By the command line on Linux, as long as no library is loaded whose threads do not survive a fork."""
    script = (
        "import sys, types\n"
        "from clonetruth.code.parallel import allow_forking, workers_fork\n"
        "before = workers_fork()\n"
        "allow_forking()\n"
        "allowed = workers_fork()\n"
        "sys.modules['duckdb'] = types.ModuleType('duckdb')\n"
        "print(before, allowed, workers_fork())\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", str(sys.platform == "linux"), "False"]
