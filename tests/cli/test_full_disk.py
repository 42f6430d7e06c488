"""Every verb that writes, on a full disk: a clear error, its exit code, and nothing half-written."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clonetruth.errors import OperatingSystemError
from tests.cli import hostile
from tests.cli.hostile import CRITERION, World
from tests.cli.running import call

ORIGIN = ("--policy", "origin")
ONE = ("--processes", "1")
FILLER = "filler"
BLOCK = 4096


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return hostile.build(tmp_path_factory.mktemp("world"))


@pytest.fixture(scope="module")
def small_disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A file system of its own; needs the right to mount one."""
    folder = tmp_path_factory.mktemp("disk")
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", folder], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"a small disk cannot be mounted ({mounted.stderr.decode().strip()})")
    yield folder
    subprocess.run(["umount", folder], check=True)


def fill(disk: Path, free_blocks: int) -> None:
    """Leave a few blocks. Each processor has a share of the counted ones, so that one attempt is not enough."""
    gc.collect()  # files that were deleted take up space until they are closed
    for attempt in range(50):
        try:
            (disk / f"{FILLER}{attempt}").write_bytes(bytes(BLOCK if attempt else 20_000_000))
        except OSError:
            continue
    first = disk / f"{FILLER}0"
    os.truncate(first, first.stat().st_size - free_blocks * BLOCK)


def content(disk: Path) -> dict[str, bytes | None]:
    """All files but the filler; SQLite's helper files hold nothing once it is closed."""
    return {
        path.relative_to(disk).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(disk.rglob("*"))
        if not path.name.startswith(FILLER) and not path.name.endswith(("-wal", "-shm"))
    }


Case = Callable[[World, Path], tuple[object, ...]]

CASES: dict[str, Case] = {
    "find": lambda w, o: (w.sources, *ONE, "-o", o / "clones.txt"),
    "find html": lambda w, o: (w.sources, *ONE, "--html", o / "clones.html"),
    "audit": lambda w, o: (w.benchmark, *ONE, "--select", "CT1", "-o", o / "audit"),
    "audit html": lambda w, o: (w.benchmark, *ONE, "--select", "CT1", "--html", o / "audit.html"),
    "compare": lambda w, o: (w.file(0), w.file(1), "--html", o / "page.html"),
    "classify": lambda w, o: (w.benchmark, "--rule", "mean", *ONE),
    "verdicts": lambda w, o: (w.benchmark, "--policy", "dawid-skene"),
    "sql": lambda w, o: (w.benchmark, "SELECT * FROM fragments", "-o", o / "rows.parquet"),
    "split": lambda w, o: (w.benchmark, "--view", "random", *ORIGIN),
    "attach": lambda w, o: (
        *(w.benchmark, w.folder / "answers.jsonl", "--criterion", CRITERION),
        *("--judge", "eve", "--judge-kind", "person"),
    ),
    "import": lambda w, o: (
        *("table", w.folder / "answers.jsonl", "-o", o / "imported", "--criterion", CRITERION),
        *("--option", "texts=none", "--option", "language=java"),
    ),
    "export csv": lambda w, o: (w.benchmark, "csv", "-o", o / "csv", *ORIGIN),
    "export huggingface": lambda w, o: (w.benchmark, "huggingface", "-o", o / "hf", *ORIGIN),
    "study sample": lambda w, o: (w.benchmark, "-o", o / "study", "--margin", "0.3"),
    "study export": lambda w, o: (w.study, "--to", w.benchmark),
    "study invite": lambda w, o: (w.study, "Zoe" * 30),
    "evaluate": lambda w, o: (w.predictions, "--on", w.benchmark, *ORIGIN, "-o", o / "result.json"),
    "evaluate html": lambda w, o: (w.predictions, "--on", w.benchmark, *ORIGIN, "--html", o / "result.html"),
    "report": lambda w, o: (w.result, "-o", o / "report.html"),
    "build mutants": lambda w, o: (w.sources, "-o", o / "mutants", "--min-tokens", "10"),
    "build bcb-pairs": lambda w, o: (w.benchmark, "-o", o / "pairs"),
    "train": lambda w, o: (
        "linear",
        "--on",
        w.benchmark,
        "--view",
        "full",
        *ORIGIN,
        "-o",
        o / "model",
        "--epochs",
        "2",
    ),
}
NEEDS_A_SPLIT = {"train"}


@pytest.mark.parametrize("free_blocks", [0, 3], ids=["full", "nearly-full"])
@pytest.mark.parametrize("name", CASES)
def test_a_full_disk_is_said_and_leaves_nothing(
    world: World, small_disk: Path, tmp_path: Path, name: str, free_blocks: int
) -> None:
    for old in small_disk.iterdir():
        shutil.rmtree(old) if old.is_dir() else old.unlink()
    copy = World(shutil.copytree(world.folder, small_disk / "world"))
    output = small_disk / "output"
    output.mkdir()
    (output / "clones.txt").write_text("an earlier result")
    if name in NEEDS_A_SPLIT:
        assert call("split", copy.benchmark, "--view", "random", *ORIGIN, "--name", "full").code == 0
    arguments = CASES[name](copy, output)
    fill(small_disk, free_blocks)
    before = content(small_disk)
    words = 2 if name.startswith(("study", "build")) else 1
    ran = call(*name.split()[:words], *arguments)
    if free_blocks and ran.code == 0:
        return  # it needs no more
    assert ran.code == OperatingSystemError.exit_code, (ran.out, ran.err)
    assert "The disk is full." in ran.err
    after = content(small_disk)
    # A training can be resumed from its last whole record.
    assert {name: text for name, text in after.items() if "/model.training" not in name} == before
