"""A process that is killed leaves the old folder or the new one, never half of each.

A child process does the work and kills itself (SIGKILL, so that nothing can be tidied up) at its n-th sync or
rename, for every n until the work comes to its end. The children are forks of one process that has only
imported, which keeps a round at a fraction of a second.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from clonetruth.errors import InputError
from clonetruth.store import Benchmark
from clonetruth.store.atomic import new_file, new_folder
from clonetruth.user_cache import CACHE_VARIABLE

from .samples import ADA, ENGINE, dataset, files_of, small

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")]

ROUNDS = 80

SCRIPT = """
import os, shutil, signal, sys
from pathlib import Path
import pyarrow as pa
from clonetruth.model import Judgement
from clonetruth.store import Benchmark
from tests.store.samples import ADA, dataset

def create(folder):
    Benchmark.create(folder / "b", dataset())

def append(folder):
    Benchmark.open(folder / "b").append_judgements([ADA], [Judgement("ada", "textual", "clone", pair=1)])

def measure(folder):
    content = pa.table({"pair": [0, 1, 2], "similarity_line": [0.1, 0.2, 0.3]})
    Benchmark.open(folder / "b").write_measures("ours", content, replace=True)

def kill_at(number):
    calls = 0
    def counted(real):
        def call(*arguments, **options):
            nonlocal calls
            calls += 1
            if calls == number:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **options)
        return call
    for name in ("fsync", "replace", "rename"):
        setattr(os, name, counted(getattr(os, name)))

work, root, start, rounds = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
for number in range(1, rounds + 1):
    folder = root / str(number)
    shutil.copytree(start, folder)
    child = os.fork()
    if child == 0:
        kill_at(number)
        globals()[work](folder)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status):
        assert os.WEXITSTATUS(status) == 0, number
        sys.exit(0)
    assert os.WTERMSIG(status) == signal.SIGKILL
sys.exit("the work never came to its end")
"""


def kill_everywhere(work: str, start: Path, root: Path) -> list[Path]:
    """The folders after each death, in the order of the deaths; the last is that of the survivor."""
    root.mkdir()
    here = Path(__file__).parents[2]
    subprocess.run(
        [sys.executable, "-c", SCRIPT, work, str(root), str(start), str(ROUNDS)],
        check=True,
        timeout=120,
        cwd=here,
        # Without the user's cache: it is not the folder that must survive.
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(here / "src"), str(here)]),
            CACHE_VARIABLE: os.devnull,
        },
    )
    return sorted(root.iterdir(), key=lambda folder: int(folder.name))


def leftovers(folder: Path) -> list[Path]:
    return list(folder.rglob(".*unfinished"))


def test_killed_while_creating(tmp_path: Path) -> None:
    (tmp_path / "start").mkdir()
    whole = small(tmp_path / "whole")
    folders = kill_everywhere("create", tmp_path / "start", tmp_path / "deaths")
    assert len(folders) > 10
    states = []
    for folder in folders:
        there = (folder / "b").exists()
        states.append(there)
        if there:
            benchmark = Benchmark.open(folder / "b", engine=ENGINE)
            benchmark.verify()
            assert files_of(benchmark.path).keys() == files_of(whole.path).keys()
    assert states == sorted(states), "once the folder is in place, it stays"
    assert states[0] is False
    assert states[-1] is True
    half_done = folders[3]
    assert leftovers(half_done)
    Benchmark.create(half_done / "b", dataset(), engine=ENGINE).verify()
    assert [path.name for path in half_done.iterdir()] == ["b"], "the next create sweeps what was left"


def test_killed_while_appending_judgements(tmp_path: Path) -> None:
    (tmp_path / "start").mkdir()
    benchmark = small(tmp_path / "start" / "b")
    counts = []
    folders = kill_everywhere("append", tmp_path / "start", tmp_path / "deaths")
    for folder in folders:
        opened = Benchmark.open(folder / "b", engine=ENGINE)
        opened.verify()
        assert opened.content_hash == benchmark.content_hash
        counts.append((opened.counts["judges"], opened.counts["judgements"]))
        # No judgement is ever seen without its judge.
        judged = "SELECT count(*) AS n FROM judgements g JOIN judges j ON g.judge = j.judge"
        assert opened.sql(judged)["n"][0].as_py() == counts[-1][1]
    assert sorted(set(counts)) == [(1, 3), (2, 3), (2, 4)]
    assert counts == sorted(counts)
    assert leftovers(folders[0])
    Benchmark.open(folders[0] / "b", engine=ENGINE).append_judgements([ADA], [])
    assert not leftovers(folders[0])


def test_killed_while_replacing_measures(tmp_path: Path) -> None:
    (tmp_path / "start").mkdir()
    benchmark = small(tmp_path / "start" / "b")
    benchmark.write_measures("ours", pa.table({"pair": [0]}))
    seen = []
    folders = kill_everywhere("measure", tmp_path / "start", tmp_path / "deaths")
    for folder in folders:
        opened = Benchmark.open(folder / "b", engine=ENGINE)
        assert opened.measure_names() == ["ours"]
        seen.append(opened.measures("ours")["similarity_line"].to_pylist())
    assert seen[0] == [None]
    assert seen[-1] == [0.1, 0.2, 0.3]
    assert [len(rows) for rows in seen] == sorted(len(rows) for rows in seen)
    assert leftovers(folders[0])
    Benchmark.open(folders[0] / "b", engine=ENGINE).write_measures("theirs", pa.table({"pair": [0]}))
    assert not leftovers(folders[0])


def test_the_work_of_a_living_writer_is_not_swept(tmp_path: Path) -> None:
    with new_folder(tmp_path / "slow") as slow, new_file(tmp_path / "slow.txt") as slow_file:
        small(tmp_path / "b")
        with new_file(tmp_path / "quick.txt") as quick:
            quick.write_text("quick", encoding="utf-8")
        assert slow.exists()
        slow_file.write_text("slow", encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", "quick.txt", "slow", "slow.txt"]


def test_two_makers_of_one_folder_do_not_mix(tmp_path: Path) -> None:
    slower = new_folder(tmp_path / "b")
    (slower.__enter__() / "slower").touch()
    with new_folder(tmp_path / "b") as quicker:
        (quicker / "quicker").touch()
    with pytest.raises(InputError, match="never overwritten"):
        slower.__exit__(None, None, None)
    assert [path.name for path in (tmp_path / "b").iterdir()] == ["quicker"]
    assert [path.name for path in tmp_path.iterdir()] == ["b"]
