"""`claim` and `leaderboard` as a user runs them."""

from __future__ import annotations

import csv
import dataclasses
import gzip
import io
from pathlib import Path

import pytest

from clonetruth.evaluate.locations.published import published_result
from clonetruth.formats.bigcloneeval_layout import PublishedReport, write_report
from clonetruth.store.results import write_result
from tests.cli.running import Ran, run
from tests.formats.bigcloneeval_samples import HEADER, SMALL, report, section

BETTER = report(
    {one: section({"T1": (10, 10), "VST3": (10, 10), "WT3_T4": (0, 1)}) for one in ("2", "3")},
    dataclasses.replace(HEADER, tool="better"),
)


def written(folder: Path, name: str, made: PublishedReport = SMALL) -> Path:
    path = folder / name
    text = write_report(made).encode()
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    return path


def squeezed(ran: Ran) -> str:
    """Output with all blanks alike."""
    return " ".join(ran.out.split())


def test_a_claim_prints_the_papers_example() -> None:
    ran = run("claim", "--precision", 0.998, "--recall", 0.883, "--f1", 0.937, "--on", "codexglue-bcb")
    assert ran.code == 0, ran.err
    text = squeezed(ran)
    assert "reported 99.8 % 88.3 % 93.7 %" in text
    assert "independent 6.6 % [4.4–9.6 %] 88.3 % 12.3 % [8.4–17.2 %]" in text
    assert "as-published 6.7 % [4.4–9.6 %] 5.9 %" in text
    assert "bounds 0.0–10.8 % 0.0–100.0 % 0.0–19.5 %" in text
    assert "Labels: 93.3 % [90.5–95.6 %] (379 of 406)" in text
    assert "assumes that the judged pairs are a random sample of the weak Type-3/Type-4 pairs" in text
    for title in ("Known leaks", "Known flaws of the set", "Ask the authors"):
        assert title in ran.out


def test_a_claim_as_json() -> None:
    found = run("claim", "--precision", 0.998, "--recall", 0.883, "--on", "codexglue-bcb", "--json").json
    assert found["labels"][0]["error_rate"]["n"] == 406
    assert [one["name"] for one in found["corrections"]] == ["independent", "bounds", "as-published"]
    assert found["reported"][2]["note"] == "follows from the other two"


def test_a_claim_that_contradicts_itself() -> None:
    ran = run("claim", "--precision", 0.998, "--recall", 0.883, "--f1", 0.95, "--on", "gcj")
    assert ran.code == 0
    assert "The numbers contradict each other." in ran.out
    assert "No judged sample of the labels of gcj is known" in ran.out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--precision", "99.8", "--on", "gcj"], 3, "Write 0.998 for 99.8 %."),
        (["--f1", "0.9", "--on", "codexglue-bc"], 5, "codexglue-bcb"),
    ],
)
def test_a_claim_that_cannot_be_checked(arguments: list[str], code: int, words: str) -> None:
    ran = run("claim", *arguments)
    assert (ran.code, ran.out) == (code, "")
    assert words in ran.err


def test_a_folder_that_is_not_a_benchmark(tmp_path: Path) -> None:
    ran = run("claim", "--f1", 0.9, "--on", tmp_path)
    assert ran.code == 4
    assert str(tmp_path) in ran.err


def test_reports_and_results_side_by_side(tmp_path: Path) -> None:
    packed = written(tmp_path, "small.txt.gz")
    stored = write_result(published_result(written(tmp_path, "better.txt", BETTER)), tmp_path / "better.json")
    ran = run("leaderboard", f"small={packed}", stored, "--metric", "recall-T1", "--metric", "recall-VST3")
    assert ran.code == 0, ran.err
    text = squeezed(ran)
    # The two count different pairs, and so share no column.
    assert "detector A recall T1 A recall VST3 B recall T1 B recall VST3" in text
    assert "they differ in reference pairs" in text
    assert "Policy origin" in text


def test_a_folder_of_results_is_read_file_by_file(tmp_path: Path) -> None:
    published = published_result(written(tmp_path, "small.txt"))
    folder = tmp_path / "results"
    folder.mkdir()
    empty = run("leaderboard", folder)
    assert (empty.code, empty.out) == (3, "")
    assert "no .json file is in it" in empty.err
    for name in ("b", "a"):
        write_result(dataclasses.replace(published, detector=name), folder / f"{name}.json")
    (folder / "notes.txt").write_text("not a result")
    assert run("leaderboard", folder, "--json").json["detectors"] == ["a", "b"]
    (folder / "c.json").write_text("{}")
    damaged = run("leaderboard", folder)
    assert (damaged.code, damaged.out) == (3, "")
    assert "c.json" in damaged.err


def test_one_column_is_refused_where_results_do_not_share_it(tmp_path: Path) -> None:
    first, second = written(tmp_path, "a.txt"), written(tmp_path, "b.txt", BETTER)
    ran = run("leaderboard", first, second, "--column", "recall-T1")
    assert (ran.code, ran.out) == (3, "")
    assert "reference pairs (T1 40, T2 4" in ran.err
    alike = run("leaderboard", f"one={first}", f"two={first}", "--column", "recall-T1")
    assert alike.code == 0
    # Three functionalities of unequal size say little about others: the intervals hold for these three.
    assert "best, but its interval overlaps the next one's" in alike.out
    assert "The intervals of recall-T1 hold for these 3 functionalities only, not for others." in squeezed(alike)


def test_other_formats(tmp_path: Path) -> None:
    path = written(tmp_path, "a.txt")
    table = list(csv.DictReader(io.StringIO(run("leaderboard", path, "--format", "csv").out)))
    assert {row["metric"]: row["value"] for row in table}["recall-T1"] == "0.85"
    assert "| a - tool | 0.8500" in run("leaderboard", path, "--metric", "recall-T1", "--format", "markdown").out
    board = run("leaderboard", path, "--json").json
    assert board["detectors"] == ["a - tool"]
    assert board["conditions"]["A"]["matcher"] == "coverage:0.7"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "Cannot read the file"),
        ("tool,recall\na,1\n", "Not valid JSON"),
        ("-- Tool --\n       Tool: 1 - x\n", "The report is truncated"),
    ],
)
def test_files_that_are_neither(tmp_path: Path, content: str | None, words: str) -> None:
    path = tmp_path / "file"
    if content is not None:
        path.write_text(content)
    ran = run("leaderboard", path)
    assert (ran.code, ran.out) == (3, "")
    assert words in ran.err
    assert str(path) in ran.err


def test_two_results_of_one_name_and_an_unknown_metric(tmp_path: Path) -> None:
    path = written(tmp_path, "a.txt")
    assert "NAME=FILE" in run("leaderboard", path, path).err
    assert "Known metrics: recall," in run("leaderboard", path, "--metric", "f1").err


def test_the_published_recalls_in_one_column(shared_data: Path) -> None:
    folder = shared_data / "bigcloneeval_reports"
    files = {"Oreo": "oreo", "SourcererCC": "scc", "NiCad": "nicad"}
    named = [f"{name}={folder / file}_recall_report.txt.gz" for name, file in files.items()]
    ran = run("leaderboard", *named, "--column", "recall-ST3")
    assert ran.code == 0, ran.err
    rows = [line.split()[:2] for line in ran.out.splitlines() if line.strip().split(" ")[0] in files]
    assert rows == [["NiCad", "0.9254"], ["Oreo", "0.8909"], ["SourcererCC", "0.6053"]]
    assert "max_tokens differs" in ran.out
