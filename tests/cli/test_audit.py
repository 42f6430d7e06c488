"""`clonetruth audit` as a user runs it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.audit.cases import CASES
from tests.audit.drafts import clean, function
from tests.cli.running import run

PAIRS = "a\tb\t1\na\tc\t0\nb\ta\t1\n"


@pytest.fixture(scope="module")
def leaking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("leaking") / "benchmark"
    CASES["CT501"].draft().create(folder)
    return folder


def test_findings_are_lines(leaking: Path, tmp_path: Path) -> None:
    page = tmp_path / "audit.html"
    ran = run("audit", leaking, "-o", tmp_path / "out", "--html", page, "--for", "semantic-learning")
    assert ran.code == 0, ran.err
    assert "CT501 error   1 of 2 distinct pairs of test are in train too" in ran.out
    assert "UNSOUND" in ran.out
    assert "Threats to validity" in ran.out
    assert json.loads((tmp_path / "out" / "audit.json").read_text(encoding="utf-8"))["findings"]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["audit.json"]
    assert "Fit for semantic-learning?" in page.read_text(encoding="utf-8")


def test_nothing_is_written_without_being_asked(leaking: Path, tmp_path: Path) -> None:
    before = sorted(leaking.rglob("*"))
    assert run("audit", leaking, "--select", "CT5", cwd=tmp_path).code == 0
    assert sorted(leaking.rglob("*")) == before
    assert list(tmp_path.iterdir()) == []


def test_a_report_needs_a_writable_folder(leaking: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    ran = run("audit", leaking, "--select", "CT7", "-o", tmp_path / "file")
    assert ran.code == 3
    assert "Cannot write the report" in ran.err


def test_json_is_a_list(leaking: Path) -> None:
    rows = run("audit", leaking, "--json", "--select", "CT501,CT502", "--select", "CT7").json
    assert [row["code"] for row in rows] == ["CT501", "CT502"]
    assert set(rows[0]) >= {"code", "severity", "count", "of", "message", "examples"}
    assert rows[0]["examples"][0]["ids"] == ["b", "a"]


@pytest.mark.parametrize(("severity", "code"), [("error", 1), ("warning", 1), (None, 0)])
def test_failing_is_asked_for(severity: str | None, code: int, leaking: Path) -> None:
    options = ["--fail-on", severity] if severity else []
    assert run("audit", leaking, "--select", "CT501", *options).code == code


def test_a_clean_benchmark_passes(tmp_path: Path) -> None:
    clean().create(tmp_path / "benchmark")
    ran = run("audit", tmp_path / "benchmark", "--fail-on", "warning")
    assert ran.code == 0, ran.out


def test_a_rule_is_explained() -> None:
    ran = run("audit", "--explain", "ct104")
    assert ran.code == 0
    for words in ("CT104", "why it matters", "reference", "how to fix it"):
        assert words in ran.out
    assert run("audit", "--explain", "CT104", "--json").json["code"] == "CT104"
    wrong = run("audit", "--explain", "CT1O4")
    assert wrong.code == 5
    assert "Did you mean" in wrong.err


def test_pair_files_need_no_folder(tmp_path: Path) -> None:
    (tmp_path / "train.txt").write_text(PAIRS, encoding="utf-8")
    with gzip.open(tmp_path / "test.csv.gz", "wt", encoding="utf-8") as file:
        file.write("left,right,label\nb,a,1\nd,d,1\nd,e,2\n")
    texts = tmp_path / "data.jsonl"
    texts.write_text(
        "".join(json.dumps({"idx": name, "func": function(at)}) + "\n" for at, name in enumerate("abcd")),
        encoding="utf-8",
    )
    ran = run(
        "audit",
        "--train",
        tmp_path / "train.txt",
        "--test",
        tmp_path / "test.csv.gz",
        "--texts",
        texts,
        "--json",
        cwd=tmp_path,
    )
    assert ran.code == 0, ran.err
    counts = {(row["code"], row["count"], row["of"]) for row in ran.json}
    assert ("CT109", 1, 3) in counts
    assert ("CT110", 1, 2) in counts
    assert ("CT501", 1, 2) in counts
    assert "1 row was skipped" in ran.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.jsonl", "test.csv.gz", "train.txt"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.txt", b""),
        ("binary.txt", bytes(range(256)) * 4),
        ("cut.txt.gz", b"\x1f\x8b\x08\x00"),
        ("words.txt", b"no pairs\n"),
    ],
)
def test_bad_pair_files_are_refused(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    ran = run("audit", "--train", tmp_path / name)
    assert ran.code == 3
    assert name in ran.err


def test_wrong_usage_is_refused(leaking: Path, tmp_path: Path) -> None:
    assert run("audit").code == 2
    assert run("audit", leaking, "--train", leaking).code == 2
    assert run("audit", leaking, "--select", "CT999").code == 5
    assert run("audit", tmp_path / "nothing").code in (3, 4)
    assert run("audit", "--train", tmp_path / "nothing.txt").code == 3


def test_the_plan_is_json(leaking: Path) -> None:
    plan = run("audit", leaking, "--select", "CT501", "--fix-plan").json
    assert [step["operation"] for step in plan["steps"]] == ["drop-pairs"]


def test_settings_are_read_from_the_project(leaking: Path, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(
        '[tool.clonetruth.audit]\nselect = ["CT502"]\nfail-on = "error"\n', encoding="utf-8"
    )
    ran = run("audit", leaking, "--json", cwd=tmp_path)
    assert ran.code == 1
    assert {row["code"] for row in ran.json} == {"CT502"}


@pytest.mark.parametrize(
    ("name", "head"), [("pyproject.toml", "[tool.clonetruth.audit"), ("clonetruth.toml", "[audit")]
)
def test_settings_and_thresholds_are_found_above_in_the_repository(
    name: str, head: str, leaking: Path, tmp_path: Path
) -> None:
    text = f'{head}]\nselect = ["CT205"]\n{head}.thresholds]\nnear-duplicate-overlap = 1\n'
    (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / ".git").mkdir()
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    assert run("audit", leaking, "--json", cwd=below).json == []
    loose = run("audit", leaking, "--json", "--threshold", "near-duplicate-overlap=0.8", cwd=below)
    assert [row["code"] for row in loose.json] == ["CT205"]


def test_a_file_without_our_section_is_passed_over(leaking: Path, tmp_path: Path) -> None:
    (tmp_path / "clonetruth.toml").write_text('[audit]\nselect = ["CT501"]\n', encoding="utf-8")
    (tmp_path / ".git").mkdir()
    inner = tmp_path / "inner"
    inner.mkdir()
    (inner / "pyproject.toml").write_text('[project]\nname = "other"\n', encoding="utf-8")
    assert {row["code"] for row in run("audit", leaking, "--json", cwd=inner).json} == {"CT501"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[audit", "settings"),
        ("[audit]\nselct = []", "selct"),
        ('[audit]\nfail-on = "fatal"', "fatal"),
        ('[audit.thresholds]\nsize-factor = "many"', "is not a number"),
        ("[audit.thresholds]\nsize-faktor = 4", "size-faktor"),
        ("audit = 3", "is not a table"),
    ],
)
def test_wrong_settings_are_refused(text: str, message: str, leaking: Path, tmp_path: Path) -> None:
    (tmp_path / "clonetruth.toml").write_text(text, encoding="utf-8")
    ran = run("audit", leaking, cwd=tmp_path)
    assert ran.code == 3
    assert message in ran.err
