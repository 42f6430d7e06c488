"""`clonetruth matrix` as a user runs it: also killed, and run again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from clonetruth.cli.matrix import duration
from clonetruth.errors import InputError
from clonetruth.evaluate.matrix.plan import read_levels
from clonetruth.sources import embedded
from tests.cli.running import Ran, run


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return embedded.build(tmp_path_factory.mktemp("matrix") / "embedded").path


def matrix(benchmark: Path, folder: Path, *more: object) -> Ran:
    return run("matrix", *arguments(benchmark, folder), *more)


def arguments(benchmark: Path, folder: Path) -> list[str]:
    views = "random,cross-functionality"
    return f"--on {benchmark} --detectors length --views {views} --levels 0 --seeds 3 --processes 1 -o {folder}".split()


@pytest.mark.slow
def test_a_killed_run_goes_on_without_repeating_a_cell(benchmark: Path, tmp_path: Path) -> None:
    folder = tmp_path / "m"
    killed = subprocess.Popen(
        [sys.executable, "-m", "clonetruth", "matrix", *arguments(benchmark, folder)], stderr=subprocess.DEVNULL
    )
    end = time.monotonic() + 60
    while len(list(folder.glob("cells/*.json"))) < 2:
        assert killed.poll() is None
        assert time.monotonic() < end
        time.sleep(0.01)
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.glob("cells/*.json")}
    assert 2 <= len(before) < 6
    assert not (folder / "summary.json").exists()
    ran = matrix(benchmark, folder)
    assert ran.code == 0
    lines = [line for line in ran.err.splitlines() if line[:1].isdigit()]
    after = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in folder.glob("cells/*.json")}
    assert len(after) == 6
    # The worker may have finished the cell that it was at before it noticed the death of its parent.
    kept = [name for name, content in before.items() if after[name] == content]
    assert len(kept) == len(before)
    assert len(lines) in (6 - len(before), 6 - len(before) - 1)
    assert lines[-1].startswith("6/6 length, cross-functionality, level 0, seed 2: F1 0.")
    assert all("left" in line for line in lines[:-1])
    whole = matrix(benchmark, tmp_path / "whole", "--json")
    assert whole.json["rows"] == json.loads((folder / "summary.json").read_text())["rows"]


def test_the_folder_holds_everything_and_a_second_run_computes_nothing(benchmark: Path, tmp_path: Path) -> None:
    folder = tmp_path / "m"
    first = matrix(benchmark, folder, "--seeds", "1")
    assert first.code == 0
    assert "length" in first.out
    assert {path.name for path in folder.iterdir()} == {
        "cells",
        "index.html",
        "influence",
        "matrix.json",
        "summary.csv",
        "summary.json",
    }
    names = {path.name for path in (folder / "cells").iterdir()}
    assert len(names) == 2
    assert {path.name for path in (folder / "influence").iterdir()} == names
    second = matrix(benchmark, folder, "--seeds", "1", "--json")
    assert second.err == ""
    assert second.json["benchmark"]["name"] == "embedded"
    columns = "detector,view,level,metric,divisions,functionalities,mean,low,high,drop,drop_low,drop_high,"
    assert (folder / "summary.csv").read_text().startswith(columns)


@pytest.mark.slow
def test_a_failed_cell_sets_the_exit_code_and_stops_nothing(benchmark: Path, tmp_path: Path) -> None:
    ran = matrix(benchmark, tmp_path / "m", "--views", "cross-language,random", "--seeds", "2")
    assert ran.code == 1
    assert "length, cross-language, level 0, seed 0 and 1 more: " in ran.err
    assert "at least 3 languages" in ran.err
    assert "–" in ran.out
    assert (tmp_path / "m" / "index.html").exists()


@pytest.mark.parametrize(
    ("more", "code", "message"),
    [
        (("--detectors", "lenght"), 5, "no detector 'lenght'"),
        (("--levels", "low"), 3, "'low' is not a level"),
        (("--views", "unseen-fragments"), 3, "only has a test part"),
        (("--ratio", "4:0:1"), 3, "no valid part"),
        (("--clone-share", "2"), 3, "share of clones"),
        (("--policy", "nobody"), 5, "nobody"),
        (("--on", "nowhere"), 4, "nowhere"),
        (("--seeds", "0"), 2, "--seeds"),
    ],
)
def test_bad_input_is_explained_and_nothing_is_written(
    benchmark: Path, tmp_path: Path, more: tuple[str, ...], code: int, message: str
) -> None:
    ran = matrix(benchmark, tmp_path / "m", *more)
    assert (ran.code, ran.out) == (code, "")
    assert message in ran.err
    assert not (tmp_path / "m").exists()


def test_levels_are_read_as_people_write_them() -> None:
    assert read_levels("0-3") == (0, 1, 2, 3)
    assert read_levels("0, 2-3") == (0, 2, 3)
    for wrong in ("-1", "1-", "a-b", "1.5"):
        with pytest.raises(InputError, match="is not a level"):
            read_levels(wrong)


def test_durations_are_written_as_people_say_them() -> None:
    assert [duration(seconds) for seconds in (0.4, 59, 61, 3599, 7500)] == [
        "0 s",
        "59 s",
        "1 min",
        "1 h 0 min",
        "2 h 5 min",
    ]
