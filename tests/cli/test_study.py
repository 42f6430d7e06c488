"""`clonetruth study`: sample, info, agree, resolve, estimate and export, as a user runs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.store import Benchmark
from clonetruth.store.study import read_study
from clonetruth.store.votes import ItemKey, ItemKind, Vote, open_vote_store
from tests.cli.running import run
from tests.studies.example_studies import add_answers, labelled_benchmark

PROTOCOL = """
name = "mine"
criterion = "functionally-similar"
question = "Do they do the same?"
definition = "They do the same when …"
overlap = 3
training = 2
attention = 1
"""


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return labelled_benchmark(tmp_path_factory.mktemp("labelled") / "benchmark").path


@pytest.fixture(scope="module")
def judged(benchmark: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of sixteen pairs that two people have judged; they differ on two, of which one is settled."""
    path = tmp_path_factory.mktemp("judged") / "study"
    done = run(
        "study",
        "sample",
        benchmark,
        "-o",
        path,
        "--n",
        16,
        "--stratify",
        "functionality",
        "--protocol",
        "same-main-purpose",
    )
    assert done.code == 0, done.err
    study = read_study(path)
    add_answers(study, "ann", {number: "clone" if number < 4 else "not-clone" for number in range(16)})
    add_answers(study, "bob", {number: "clone" if number < 2 else "not-clone" for number in range(16)})
    add_answers(study, "eve", {2: "clone"}, role="adjudicator")
    return path


def test_a_sample_is_drawn_and_described(benchmark: Path, tmp_path: Path) -> None:
    done = run(
        *("study", "sample", benchmark, "-o", tmp_path / "study", "--where", "label = 'clone'", "--margin", 0.2),
        *("--stratify", "functionality", "--cover", "--methods", "--protocol", "same-main-purpose", "--seed", 3),
    )
    assert done.code == 0, done.err
    for words in ("19 of 56 pairs", "1 extra", "same-main-purpose", "label = 'clone'"):
        assert words in done.out
    found = run("study", "info", tmp_path / "study", "--json").json
    assert (found["subjects"], found["plan"]["seed"], found["plan"]["population_size"]) == (19, 3, 56)
    assert found["methods"] > 0
    again = run("study", "sample", benchmark, "-o", tmp_path / "study", "--n", 3)
    assert again.code == 3
    assert "exists already" in again.err


def test_a_protocol_from_a_file_with_known_pairs(benchmark: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(PROTOCOL, encoding="utf-8")
    done = run("study", "sample", benchmark, "-o", tmp_path / "study", "--n", 3, "--protocol", file, "--json")
    assert done.code == 0, done.err
    assert done.json["plan"]["criterion"] == "functionally-similar"
    protocol = done.json["plan"]["protocol"]
    # Nothing is settled in this benchmark: the attention check is a pair that comes again.
    assert (done.json["checks"], protocol["attention"], protocol["repeats"], protocol["overlap"]) == (2, 0, 1, 3)


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--where", "lable = 'clone'"], 3, "lable"),
        (["--where", "verdict = 'clone'", "--policy", "orign"], 5, "Did you mean 'origin'"),
        (["--protocol", "krinkle"], 5, "gptclonebench"),
    ],
)
def test_errors_are_explained(benchmark: Path, tmp_path: Path, arguments: list[str], code: int, words: str) -> None:
    done = run("study", "sample", benchmark, "-o", tmp_path / "study", *arguments)
    assert (done.code, done.out) == (code, "")
    assert words in done.err
    assert not list(tmp_path.iterdir())


def test_agreement(judged: Path) -> None:
    found = run("study", "agree", judged, "--json").json
    assert found["pairs"]["table"] == [[2, 2], [0, 12]]
    assert found["pairs"]["agreement"] == 14 / 16
    assert found["pairs"]["cohen_kappa"] == pytest.approx(0.6)
    assert found["pairs"]["intervals"]["cohen_kappa"]["low"] < 0.6
    assert found["methods"] is None
    text = run("study", "agree", judged).out
    for words in ("Cohen's kappa", "0.600", "ann (rows) and bob (columns)", "bootstrap over subjects"):
        assert words in text
    against = run("study", "agree", judged, "--against", "final", "--judges", "ann", "--json").json
    assert against["pairs"]["judges"] == ["ann", "final"]


def test_resolution_and_estimate(judged: Path) -> None:
    found = run("study", "resolve", judged, "--json").json
    assert found["pairs"]["counts"] == {"clone": 3, "not-clone": 12, "unknown": 1}
    assert [one["subject"] for one in found["pairs"]["open"]] == [3]
    assert "ann: clone, bob: not-clone" in run("study", "resolve", judged, "--policy", "unanimous").out
    estimated = run("study", "estimate", judged, "--json").json
    assert (estimated["labels"]["judged"], estimated["unknown"]) == (15, 1)
    assert 0 < estimated["labels"]["weighted"]["low"] < estimated["labels"]["weighted"]["value"]
    assert "in the population" in run("study", "estimate", judged).out


def test_votes_of_the_vote_store_count_and_are_exported_without_names(tmp_path: Path) -> None:
    benchmark, study = labelled_benchmark(tmp_path / "benchmark").path, tmp_path / "study"
    assert run("study", "sample", benchmark, "-o", study, "--n", 4, "--protocol", "same-main-purpose").code == 0
    answers = {"Ada": ("clone", "clone", "not-clone"), "Bob": ("clone", "not-clone", "not-clone")}
    with open_vote_store(study) as box:
        for name, values in answers.items():
            judge, _ = box.add_judge(name)
            for number, value in enumerate(values):
                box.cast(Vote(f"{name}-{number}", judge.id, ItemKey(ItemKind.PAIR, number), value))
    assert run("study", "agree", study, "--json").json["pairs"]["agreed"] == {"clone": 1, "not-clone": 1}
    assert run("study", "export", study, "--to", benchmark, "--json").json["added"] == 6
    names = Benchmark.open(benchmark).table("judges")["name"].to_pylist()
    assert len(names) == 3
    assert not {"Ada", "Bob"} & set(names)


def test_an_export_is_idempotent_and_serves_claims(benchmark: Path, judged: Path) -> None:
    first, second = (run("study", "export", judged, "--to", benchmark, "--json").json for _ in range(2))
    assert (first["added"], second["added"], second["known"]) == (33, 0, 33)
    assert Path(first["estimate"]).is_file()
    assert Benchmark.open(benchmark).counts["judges"] == 4
    claim = run("claim", "--precision", 0.9, "--recall", 0.9, "--on", benchmark, "--json").json
    assert claim["labels"][0]["judges"].startswith("the judges of the study")


def test_other_folders_are_refused(tmp_path: Path) -> None:
    done = run("study", "estimate", tmp_path)
    assert done.code == 3
    assert "Not a study folder" in done.err
    assert run("study", "agree", tmp_path).code == 4
