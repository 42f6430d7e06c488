"""`clonetruth split` as a user runs it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run
from tests.splits.sample_benchmarks import grid


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return grid(8, 6).create(tmp_path_factory.mktemp("split") / "grid").path


def test_split_verify_and_report(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    made = run("split", folder, "--view", "cross-functionality", "--seed", 1, "--html", page)
    assert made.code == 0, made.err
    assert "CT502, CT503, CT504, CT505 found nothing" in made.out
    assert "<h1" in page.read_text(encoding="utf-8")
    again = run("split", folder, "--verify", "cross-functionality-1")
    assert again.code == 0
    assert "is the same" in again.out
    refused = run("split", folder, "--view", "cross-functionality", "--seed", 1)
    assert refused.code == 3
    assert "already" in refused.err
    shift = run("split", folder, "--shift", "cross-functionality-1", "--html", tmp_path / "other.html")
    assert shift.code == 0
    assert (tmp_path / "other.html").read_bytes() == page.read_bytes()
    old = run("split", folder, "--shift", "cross-functionality-1", "-o", tmp_path / "old.html")
    assert "-o is now --html" in old.err
    assert (tmp_path / "old.html").read_bytes() == page.read_bytes()


def test_samples_are_counted_in_json(folder: Path) -> None:
    options = ("--train-pairs", 40, "--clone-share", 0.5, "--balance", "--ratio", "2:1:1", "--one-class")
    made = run("split", folder, "--view", "cross-functionality", "--name", "mine", *options, "--json")
    assert made.code == 0, made.err
    assert made.json["name"] == "mine"
    assert made.json["parts"]["train"]["pairs"] == 40
    assert made.json["parts"]["train"]["clones"] == 20
    assert (folder / "samples" / "mine.parquet").is_file()


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ((), 2, "--view, --verify and --shift"),
        (("--view", "random", "--verify", "x"), 2, "--view, --verify and --shift"),
        (("--shift", "x"), 2, "belong together"),
        (("--view", "cross-al"), 5, "cross-all"),
        (("--view", "random", "--ratio", "a"), 3, "not a ratio"),
        (("--view", "random", "--policy", "nobody"), 5, "nobody"),
        (("--view", "cross-functionality", "--min-fragments", "99"), 3, "Possible with this seed"),
        (("--verify", "nothing"), 3, "nothing"),
        (("--view", "unseen-fragments", "--against", "gone.txt"), 3, "gone.txt"),
    ],
)
def test_wrong_requests_are_explained(folder: Path, arguments: tuple[str, ...], code: int, says: str) -> None:
    ran = run("split", folder, *arguments)
    assert ran.code == code, ran.err
    assert says in ran.err
