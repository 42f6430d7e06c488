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
from tests.sources.importing import Imported, imported


def _members(outcome: Imported) -> list[tuple[str, str, str, str | None]]:
    return outcome.rows(
        """
        SELECT f.id, g.id AS problem, m.role, j.value FROM memberships m
        JOIN fragments f ON m.fragment = f.fragment
        JOIN functionalities g ON m.functionality = g.functionality
        LEFT JOIN judgements j ON j.fragment = m.fragment AND j.functionality = m.functionality
        ORDER BY f.fragment
        """
    )


def test_poj104_rows_are_members_of_their_problems(tmp_path: Path) -> None:
    outcome = imported("codexglue-poj104", fixtures.poj104(tmp_path), tmp_path)
    assert _members(outcome) == [
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
    assert outcome.report.reasons == {"a binary file, not source text": 1}
    assert outcome.report.rows_read["files of another kind"] == 1


def test_rows_that_cannot_be_used_are_counted(tmp_path: Path) -> None:
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
        "a program with the same id came before": 1,
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


def test_gcj_lists_keep_order_and_multiplicity(tmp_path: Path) -> None:
    outcome = imported("gcj", fixtures.gcj(tmp_path), tmp_path)
    assert outcome.labels() == [
        ("5", "6", "rule:gcj", "clone"),
        ("5", "7", "rule:gcj", "not-clone"),
        ("6", "5", "rule:gcj", "clone"),
    ]
    assert outcome.rows("SELECT DISTINCT claimed_part FROM pairs") == [("valid",)]
    assert outcome.rows("SELECT id, project FROM fragments ORDER BY fragment") == [
        ("5", "p003"),
        ("6", "p012"),
        ("7", "p003"),
    ]
    assert [problem for _, problem, *_ in _members(outcome)] == ["1", "1", "7"]
    assert outcome.rows("SELECT source_row FROM judgements WHERE pair = 2") == [(3,)]


def test_gcj_tree(tmp_path: Path) -> None:
    outcome = imported("gcj", [fixtures.write_zip(tmp_path / "src.zip", dict(fixtures.gcj_files()))], tmp_path)
    assert outcome.rows("SELECT id, name, project FROM fragments ORDER BY fragment") == [
        ("1/googlejam1.p003.Main003.java", "Main003", "p003"),
        ("1/googlejam1.p012.Main012.java", "Main012", "p012"),
        ("7/googlejam7.p003.Main003.java", "Main003", "p003"),
    ]


def test_lists_with_bad_rows(tmp_path: Path) -> None:
    data, valid = fixtures.gcj(tmp_path)
    valid.write_bytes(b"5\t6\t1\n5\t6\n5\t99\t1\n\n5\t6\t2\n\xff\t6\t1\n7\t5\t0\r\n" + b"x" * 5000 + b"\n")
    outcome = imported("gcj", [data, valid], tmp_path)
    assert outcome.labels() == [("5", "6", "rule:gcj", "clone"), ("7", "5", "rule:gcj", "not-clone")]
    assert outcome.report.reasons == {
        "the row is not a pair with a label": 3,
        "the row names a fragment that is not there": 2,
    }
    assert outcome.rows("SELECT source_row FROM judgements WHERE pair = 1") == [(7,)]


def test_fcdetector_keeps_self_pairs_and_its_class_is_no_evidence(tmp_path: Path) -> None:
    outcome = imported("fcdetector", fixtures.fcdetector(tmp_path), tmp_path)
    assert outcome.rows("SELECT count(*) FROM pairs p WHERE p.left = p.right") == [(1,)]
    assert outcome.rows("SELECT claimed_part, count(*) FROM pairs GROUP BY ALL ORDER BY ALL") == [
        ("train", 3),
        ("valid", 1),
    ]
    assert outcome.rows("SELECT DISTINCT kind FROM judges") == [(JudgeKind.RULE,)]
    assert [(role, value) for *_, role, value in _members(outcome)] == [("tagged-true", None)] * 3


def test_gcj2_numbers_solutions_and_reads_arrays(tmp_path: Path) -> None:
    outcome = imported("gcj2", fixtures.gcj2(tmp_path), tmp_path)
    assert outcome.labels() == [
        ("100", "101", "rule:gcj2", "clone"),
        ("100", "102", "rule:gcj2", "not-clone"),
        ("102", "101", "rule:gcj2", "not-clone"),
    ]
    assert [(name, problem) for name, problem, *_ in _members(outcome)] == [
        ("100", "2015 Q A"),
        ("101", "2015 Q A"),
        ("102", "2015 Q B"),
    ]
    assert outcome.rows("SELECT project FROM fragments ORDER BY fragment") == [("ann",), ("bob",), ("ann",)]


def test_gcj2_with_numbers_of_problems(tmp_path: Path) -> None:
    header = ("year", "round", "username", "task", "flines", "funid")
    rows = [
        (2015, "Q", "ann", "A", "class A {}", 4),
        (2015, "Q", "bob", "A", "class B {}", 4),
        (2015, "Q", "b", "B", "", 5),
    ]
    outcome = imported("gcj2", [fixtures.write_csv(tmp_path / "gcj2.csv", header, rows)], tmp_path)
    assert [(name, problem) for name, problem, *_ in _members(outcome)] == [("row-1", "4"), ("row-2", "4")]
    assert outcome.report.reasons == {"the row has no text or no task": 1}


def test_gcj2_asks_for_one_view(tmp_path: Path) -> None:
    table, train, val = fixtures.gcj2(tmp_path)
    val.rename(tmp_path / "val_fun0.npy")
    with pytest.raises(InputError, match="several views: fun0, random0"):
        imported("gcj2", [tmp_path], tmp_path)
    assert imported("gcj2", [tmp_path], tmp_path, view="random0").report.counts["pairs"] == 2
    with pytest.raises(InputError, match="no list of the view 'all0'"):
        imported("gcj2", [table, train], tmp_path, view="all0")


@pytest.mark.parametrize(
    "content", [b"\x93NUMPY\x01\x00", b"\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': False"]
)
def test_gcj2_arrays_run_nothing(tmp_path: Path, content: bytes) -> None:
    table, train, _ = fixtures.gcj2(tmp_path)
    train.write_bytes(content)
    with pytest.raises(InputError, match="array"):
        imported("gcj2", [table, train], tmp_path)


def test_clcdsa_tree_and_warning(tmp_path: Path) -> None:
    outcome = imported("clcdsa", fixtures.clcdsa(tmp_path), tmp_path)
    assert outcome.rows("SELECT id, language FROM fragments ORDER BY fragment") == [
        ("AtCoder/abc001/A/17.py", "python"),
        ("AtCoder/abc001/A/18.java", "java"),
        ("CodeJamData/08/01/0.c", "c"),
    ]
    assert [problem for _, problem, *_ in _members(outcome)] == ["AtCoder/abc001/A"] * 2 + ["CodeJamData/08/01"]
    for name in ("clcdsa", "codenet", "cf500"):
        assert "AtCoder" in (SOURCES[name].card.warning or "")


CODENET_MEMBERS = [
    ("s000000001", "p00001", "tagged-true", "major"),
    ("s000000002", "p00001", "tagged-false", "wrong"),
    ("s000000003", "p00001", "undecided", "undecided"),
    ("s000000004", "p00002", "undecided", None),
]


def test_codenet_believes_the_metadata(tmp_path: Path) -> None:
    outcome = imported("codenet", fixtures.codenet(tmp_path), tmp_path)
    assert sorted(_members(outcome)) == CODENET_MEMBERS
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
    assert sorted(_members(imported("codenet", [archive], tmp_path))) == CODENET_MEMBERS


def test_codenet_benchmark_without_metadata(tmp_path: Path) -> None:
    files = {"p00001/s000000001.java": "class A {}\n", "p00002/s000000002.java": "class B {}\n"}
    outcome = imported("codenet", [fixtures.write_tree(tmp_path / "Java250", dict(files))], tmp_path)
    assert [(role, value) for *_, role, value in sorted(_members(outcome))] == [("tagged-true", None)] * 2


def test_code4bench_tables(tmp_path: Path) -> None:
    outcome = imported("code4bench", fixtures.code4bench(tmp_path), tmp_path)
    assert _members(outcome) == [
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
    assert outcome.report.reasons == {"the row names a verdict or a language that is not in its table": 2}


def test_cf500_tree_with_lists(tmp_path: Path) -> None:
    outcome = imported("cf500", fixtures.cf500(tmp_path), tmp_path)
    assert outcome.labels() == [
        ("1/10", "1/11", "rule:cf500", "clone"),
        ("1/10", "2/10", "rule:cf500", "not-clone"),
    ]
    assert outcome.rows("SELECT DISTINCT claimed_part FROM pairs") == [("train",)]
    assert len(_members(outcome)) == 4


def test_foreign_files_and_unknown_options_are_told(tmp_path: Path) -> None:
    other = tmp_path / "notes.md"
    other.write_text("nothing", encoding="utf-8")
    (tmp_path / "poj").mkdir()
    paths = fixtures.poj104(tmp_path / "poj")
    assert imported("codexglue-poj104", [*paths, other], tmp_path).report.reasons == {
        "the file is not of this dataset": 1
    }
    with pytest.raises(InputError, match="nothing of 'codexglue-poj104'"):
        imported("codexglue-poj104", [other], tmp_path / "poj")
    with pytest.raises(InputError, match="no option 'view'"):
        imported("codexglue-poj104", paths, tmp_path / "poj", view="x")


class TestRealFiles:
    """The counts of the real data's own description."""

    def test_poj104(self, shared_data: Path, tmp_path: Path) -> None:
        outcome = imported("codexglue-poj104", [shared_data / "poj104/poj104.jsonl.xz"], tmp_path)
        assert outcome.report.counts["fragments"] == 43_000
        assert outcome.report.counts["functionalities"] == 84
        assert not outcome.report.reasons
        tree = imported("codexglue-poj104", [shared_data / "poj104/ProgramData_1-3.zip"], tmp_path / "tree")
        assert tree.report.counts["fragments"] == 1_500
        assert tree.report.counts["functionalities"] == 3

    def test_gcj(self, shared_data: Path, tmp_path: Path) -> None:
        tree = imported("gcj", [shared_data / "gcj/googlejam4_src.zip"], tmp_path / "tree")
        assert (tree.report.counts["fragments"], tree.report.counts["functionalities"]) == (1_444, 8)
        assert not tree.report.reasons
        outcome = imported("gcj", [shared_data / f"gcj/{name}" for name in ("data.jsonl.gz", "valid.txt.gz")], tmp_path)
        assert outcome.report.counts["pairs"] == 249_833
        assert outcome.rows("SELECT count(*) FROM judgements WHERE value = 'clone'") == [(64_089,)]
        # Label 1 means the same problem, always.
        assert outcome.rows(
            """
            SELECT count(*) FROM pairs p
            JOIN judgements g ON g.pair = p.pair
            JOIN memberships l ON l.fragment = p.left JOIN memberships r ON r.fragment = p.right
            WHERE (g.value = 'clone') <> (l.functionality = r.functionality)
            """
        ) == [(0,)]

    def test_fcdetector(self, shared_data: Path, tmp_path: Path) -> None:
        outcome = imported("fcdetector", [shared_data / "fcdetector"], tmp_path)
        assert (outcome.report.counts["fragments"], outcome.report.counts["functionalities"]) == (1_510, 16)
        assert outcome.rows(
            """
            SELECT claimed_part, count(*) AS number, count(*) FILTER (p.left = p.right) AS selves,
                count(DISTINCT pair_key) AS pairs
            FROM pairs p GROUP BY claimed_part ORDER BY claimed_part
            """
        ) == [("train", 240_160, 1_245, 189_271), ("valid", 30_020, 135, 29_240)]

    def test_clcdsa(self, shared_data: Path, tmp_path: Path) -> None:
        outcome = imported("clcdsa", [shared_data / "clcdsa/clcdsa_subset.jsonl.xz"], tmp_path)
        assert (outcome.report.counts["fragments"], outcome.report.counts["functionalities"]) == (3_468, 120)
        assert outcome.rows("SELECT DISTINCT language FROM fragments ORDER BY 1") == [
            (name,) for name in ("c", "cpp", "csharp", "java", "python")
        ]
