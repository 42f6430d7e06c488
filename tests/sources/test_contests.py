"""Contest datasets: problems are functionalities, contestants projects, and the online judge is an execution."""

from __future__ import annotations

import tarfile
from pathlib import Path
from typing import Any

import pytest

from clonetruth.errors import InputError
from clonetruth.model import JudgeKind
from clonetruth.sources import SOURCES
from tests.sources import contest_fixtures as fixtures
from tests.sources.importer import imported


def test_poj104_rows_are_members_of_their_problems(tmp_path: Path) -> None:
    outcome = imported("codexglue-poj104", fixtures.poj104(tmp_path), tmp_path)
    assert outcome.members() == [
        ("10", "1", "tagged-true", "major"),
        ("11", "1", "tagged-true", "major"),
        ("20", "2", "tagged-true", "major"),
        ("21", "2", "tagged-true", "major"),
    ]
    assert outcome.report.counts["pairs"] == 0
    assert outcome.rows("SELECT kind FROM judges") == [(JudgeKind.EXECUTION,)]


def test_poj104_tree(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "ProgramData/3/7.txt": "int main() {}\r\n",
        "ProgramData/3/8.txt": b"// caf\xe9\nint main() {}\n",
        "ProgramData/12/7.txt": b"\x00\xff\xfe\x00binary\x00",
        "ProgramData/readme": "not a program",
    }
    outcome = imported("codexglue-poj104", [fixtures.write_zip(tmp_path / "p.zip", files)], tmp_path)
    assert outcome.rows("SELECT id, text, path FROM fragments ORDER BY fragment") == [
        ("3/7", "int main() {}\n", "ProgramData/3/7.txt"),
        ("3/8", "// café\nint main() {}\n", "ProgramData/3/8.txt"),
    ]
    assert outcome.report.reasons == {"the file is binary, not source text": 1}
    assert outcome.report.rows_read["files of another kind"] == 1


def test_unusable_rows_are_counted(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {"label": "1", "index": "1", "code": "int main() {}"},
        {"label": "1", "index": "1", "code": "int main() { return 1; }"},
        {"label": "1", "index": "2", "code": ["no text"]},
        {"label": "1", "index": "3"},
        {"label": 1, "index": 4, "code": "half \ud83d a pair"},
    ]
    path = fixtures.write_jsonl(tmp_path / "rows.jsonl", rows)
    with path.open("ab") as file:
        file.write(b'\n[1, 2]\n{"label": "1", "ind\n\xff\xfe\n')
    outcome = imported("codexglue-poj104", [path], tmp_path)
    assert outcome.rows("SELECT id, text FROM fragments ORDER BY fragment") == [
        ("1", "int main() {}"),
        ("4", "half ? a pair"),
    ]
    assert outcome.report.reasons == {
        "the program's id occurs twice": 1,
        "a column is missing or is neither text nor a number": 2,
        "the line is not a JSON object": 1,
        "the line is not JSON": 2,
    }
    assert f"{path}:7" in {skipped.where for skipped in outcome.report.skipped}


@pytest.mark.parametrize("content", [b"", b"\x00\x01\x02" * 100, b"{}\n", b"[]"])
def test_files_without_a_program_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "poj.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError):
        imported("codexglue-poj104", [path], tmp_path)
    assert not list(tmp_path.glob("*benchmark*"))


def test_clcdsa_tree_and_warning(tmp_path: Path) -> None:
    outcome = imported("clcdsa", fixtures.clcdsa(tmp_path), tmp_path)
    assert outcome.rows("SELECT id, language FROM fragments ORDER BY fragment") == [
        ("AtCoder/abc001/A/17.py", "python"),
        ("AtCoder/abc001/A/18.java", "java"),
        ("CodeJamData/08/01/0.c", "c"),
    ]
    assert [problem for _, problem, *_ in outcome.members()] == ["AtCoder/abc001/A"] * 2 + ["CodeJamData/08/01"]
    for name in ("clcdsa", "codenet", "cf500"):
        assert "AtCoder" in (SOURCES[name].card.warning or "")


CODENET_MEMBERS = [
    ("s000000001", "p00001", "tagged-true", "major"),
    ("s000000002", "p00001", "tagged-false", "wrong"),
    ("s000000003", "p00001", "undecided", "undecided"),
    ("s000000004", "p00002", "undecided", None),
]


def test_codenet_uses_the_metadata(tmp_path: Path) -> None:
    outcome = imported("codenet", fixtures.codenet(tmp_path), tmp_path)
    assert sorted(outcome.members()) == CODENET_MEMBERS
    assert outcome.rows("SELECT id, language, project FROM fragments ORDER BY id") == [
        ("s000000001", "cpp", "u000000001"),
        ("s000000002", "python", "u000000002"),
        ("s000000003", "ruby", "u000000002"),
        ("s000000004", "csharp", None),
    ]
    assert outcome.rows("SELECT reason, evidence FROM judgements ORDER BY fragment LIMIT 1") == [
        ("Accepted", '{"tests passed": "4/4"}')
    ]
    assert outcome.rows("SELECT name, specification FROM functionalities ORDER BY id") == [
        ("List of Top 3 Hills", "<p>Print the heights.</p>\n"),
        ("Problem p00002", None),
    ]
    assert outcome.report.rows_read["programs without metadata"] == 1


@pytest.mark.parametrize("ending", ["zip", "tar.gz"])
def test_codenet_archives(tmp_path: Path, ending: str) -> None:
    archive = tmp_path / f"Project_CodeNet.{ending}"
    if ending == "zip":
        fixtures.write_zip(archive, fixtures.CODENET_FILES)
    else:
        fixtures.codenet(tmp_path)
        with tarfile.open(archive, "w:gz") as tar:
            tar.add(tmp_path / "Project_CodeNet", "Project_CodeNet")
    assert sorted(imported("codenet", [archive], tmp_path).members()) == CODENET_MEMBERS


def test_codenet_benchmark_without_metadata(tmp_path: Path) -> None:
    files = {"p00001/s000000001.java": "class A {}\n", "p00002/s000000002.java": "class B {}\n"}
    outcome = imported("codenet", [fixtures.write_tree(tmp_path / "Java250", dict(files))], tmp_path)
    assert [(role, value) for *_, role, value in sorted(outcome.members())] == [("tagged-true", None)] * 2


def test_code4bench_tables(tmp_path: Path) -> None:
    outcome = imported("code4bench", fixtures.code4bench(tmp_path), tmp_path)
    assert outcome.members() == [
        ("1", "7", "tagged-true", "major"),
        ("2", "7", "tagged-false", "wrong"),
        ("3", "8", "tagged-true", "major"),
    ]
    assert outcome.rows("SELECT language, project FROM fragments ORDER BY fragment") == [
        ("cpp", "u1"),
        ("python", "u2"),
        ("java", "u2"),
    ]
    assert outcome.rows("SELECT name, specification FROM functionalities LIMIT 1") == [("1A Theatre Square", "Tiles.")]


def test_code4bench_needs_its_tables(tmp_path: Path) -> None:
    source, verdicts, languages, _ = fixtures.code4bench(tmp_path)
    with pytest.raises(InputError, match="'languages' is missing"):
        imported("code4bench", [source, verdicts], tmp_path)
    languages.write_text("id,name\n1,GNU C++ 14\n", encoding="utf-8")
    outcome = imported("code4bench", [source, verdicts, languages], tmp_path)
    assert outcome.report.reasons == {"the row names an unknown verdict or language": 2}


def test_cf500_tree_with_lists(tmp_path: Path) -> None:
    outcome = imported("cf500", fixtures.cf500(tmp_path), tmp_path)
    assert outcome.labels() == [
        ("1/10", "1/11", "rule:cf500", "clone"),
        ("1/10", "2/10", "rule:cf500", "not-clone"),
    ]
    assert outcome.rows("SELECT DISTINCT claimed_part FROM pairs") == [("train",)]
    assert len(outcome.members()) == 4


def test_foreign_files_are_logged_and_unknown_options_refused(tmp_path: Path) -> None:
    other = tmp_path / "notes.md"
    other.write_text("nothing", encoding="utf-8")
    (tmp_path / "poj").mkdir()
    paths = fixtures.poj104(tmp_path / "poj")
    assert imported("codexglue-poj104", [*paths, other], tmp_path).report.files.reasons == {
        "the file does not belong to this dataset": 1
    }
    with pytest.raises(InputError, match="No files of 'codexglue-poj104'"):
        imported("codexglue-poj104", [other], tmp_path / "poj")
    with pytest.raises(InputError, match="no option 'view'"):
        imported("codexglue-poj104", paths, tmp_path / "poj", view="x")


class TestRealFiles:
    """The counts in the description of the real data."""

    def test_poj104(self, shared_data: Path, tmp_path: Path) -> None:
        outcome = imported("codexglue-poj104", [shared_data / "poj104/poj104.jsonl.xz"], tmp_path)
        assert outcome.report.counts["fragments"] == 43_000
        assert outcome.report.counts["functionalities"] == 84
        assert not outcome.report.reasons
        tree = imported("codexglue-poj104", [shared_data / "poj104/ProgramData_1-3.zip"], tmp_path / "tree")
        assert tree.report.counts["fragments"] == 1_500
        assert tree.report.counts["functionalities"] == 3

    def test_clcdsa(self, shared_data: Path, tmp_path: Path) -> None:
        outcome = imported("clcdsa", [shared_data / "clcdsa/clcdsa_subset.jsonl.xz"], tmp_path)
        assert (outcome.report.counts["fragments"], outcome.report.counts["functionalities"]) == (3_468, 120)
        assert outcome.rows("SELECT DISTINCT language FROM fragments ORDER BY 1") == [
            (name,) for name in ("c", "cpp", "csharp", "java", "python")
        ]
