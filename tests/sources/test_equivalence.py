"""Pairs whose equivalence or re-use is labelled by construction, by people or by counter-examples."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from clonetruth.errors import BenchmarkError, InputError
from clonetruth.execution.literal_calls import read_calls
from clonetruth.model import Card, Dataset, Fragment, Functionality, FunctionalityTest, JudgeKind
from clonetruth.sources import import_dataset
from clonetruth.store import Benchmark
from tests.sources import equivalence_fixtures as fixtures
from tests.sources.contest_fixtures import write_csv, write_jsonl, write_tree, write_zip
from tests.sources.importer import imported


def test_eqbench_keeps_counter_examples_as_evidence(tmp_path: Path) -> None:
    outcome = imported("eqbench", fixtures.eqbench(tmp_path), tmp_path)
    folder = "mine/add"
    assert outcome.labels() == [
        (f"{folder}/Eq/oldV.java", f"{folder}/Eq/newV.java", "rule:eqbench", "clone"),
        (f"{folder}/Eq/old.c", f"{folder}/Eq/newV.c", "rule:eqbench", "clone"),
        (f"{folder}/Neq/oldV.java", f"{folder}/Neq/newV.java", "execution:eqbench", "not-clone"),
        (f"{folder}/Neq/oldV.java", f"{folder}/Neq/newV.java", "rule:eqbench", "not-clone"),
        ("mine/sub/Neq/oldV.java", "mine/sub/Neq/newV.java", "rule:eqbench", "not-clone"),
    ]
    [(evidence,)] = outcome.rows("SELECT evidence FROM judgements WHERE judge = 'execution:eqbench'")
    assert json.loads(evidence) == {"counter-example": [{"int x": 7}]}
    assert outcome.report.rows_read["pairs without a description"] == 2


def test_eqbench_reports_what_is_missing(tmp_path: Path) -> None:
    files = {
        **fixtures.EQBENCH_FILES,
        "benchmarks/mine/add/Neq/J-Desc.json": "{not JSON",
        "benchmarks/mine/sub/Neq/newV.java": b"\x7fELF\x00\xff\xff",
        "benchmarks/mine/one/Eq/oldV.c": "int f;",
    }
    outcome = imported("eqbench", [write_zip(tmp_path / "b.zip", files)], tmp_path)
    assert outcome.report.counts["pairs"] == 3
    assert outcome.report.reasons == {
        "the description is not a JSON object": 1,
        "the file is binary, not source text": 1,
        "the other version of the program is missing": 2,
    }


def test_mutantbench(tmp_path: Path) -> None:
    code, pairs = fixtures.mutantbench(tmp_path)
    outcome = imported("mutantbench", [code, pairs], tmp_path)
    assert outcome.labels() == [("0", "1", "rule:mutantbench", "clone"), ("0", "2", "rule:mutantbench", "not-clone")]
    assert outcome.rows("SELECT DISTINCT claimed_part FROM pairs") == [("train",)]
    with pytest.raises(InputError, match="No list of pairs"):
        imported("mutantbench", [code], tmp_path)


def test_mutantbench_bad_rows(tmp_path: Path) -> None:
    code, pairs = fixtures.mutantbench(tmp_path)
    header = ("id", "code_id_1", "code_id_2", "label")
    write_csv(pairs, header, ((1, 0, 1, 1), (2, 0, 9, 1), (3, 0, 1, "maybe"), (4, 0), ("x" * 100_000, 1, 2, 0)))
    outcome = imported("mutantbench", [code, pairs], tmp_path)
    assert outcome.report.counts["pairs"] == 2
    assert outcome.report.reasons == {
        "the row names an unknown method": 1,
        "the row is not a pair with a label": 2,
    }


def test_mbxp_claims_clones_of_canonical_solutions_only(tmp_path: Path) -> None:
    outcome = imported("mbxp", fixtures.mbxp(tmp_path), tmp_path)
    assert outcome.labels() == [("MBPP/2/canonical", "MBCSP/2/canonical", "rule:mbxp", "clone")]
    assert outcome.report.counts["pairs"] == 1 + 2 * 3
    assert outcome.members() == [
        ("MBPP/2/canonical", "MBXP/2", "tagged-true", None),
        ("MBPP/2/sample-1", "MBXP/2", "undecided", None),
        ("MBPP/2/sample-2", "MBXP/2", "undecided", None),
        ("MBCSP/2/canonical", "MBXP/2", "tagged-true", None),
        ("MBGP/2/sample-1", "MBXP/2", "undecided", None),
    ]
    assert outcome.report.reasons == {"the sample's task is in none of the files": 1}
    assert outcome.report.rows_read["tasks without a canonical solution"] == 1


def test_mbxp_keeps_test_programs_around_its_fragments(tmp_path: Path) -> None:
    outcome = imported("mbxp", fixtures.mbxp(tmp_path), tmp_path)
    programs = dict(
        outcome.rows(
            """
            SELECT f.id AS id, t.before || f.text || t.after AS program FROM fragments f
            JOIN memberships m ON f.fragment = m.fragment
            JOIN tests_mbxp t ON t.functionality = m.functionality AND t.language = f.language
            """
        )
    )
    assert set(programs) == {f"MB{name}" for name in ("PP/2/canonical", "PP/2/sample-1", "PP/2/sample-2")} | {
        "MBCSP/2/canonical",
        "MBGP/2/sample-1",
    }
    assert programs["MBPP/2/sample-2"].endswith("check(twice)\n")
    csharp = programs["MBCSP/2/canonical"]
    assert csharp.startswith("using System;")
    assert csharp.count("{") == csharp.count("}")
    [(text,)] = outcome.rows("SELECT text FROM fragments WHERE id = 'MBCSP/2/canonical'")
    assert text.split() == ["public", "static", "int", "Twice", "(int", "x)", "{", "return", "2", "*", "x;", "}"]
    [(calls,)] = outcome.rows("SELECT calls FROM tests_mbxp WHERE language IS NULL")
    [(first, four), (second, _)] = read_calls(calls)
    assert (first.arguments, four) == (({"int": "2"},), {"int": "4"})
    assert second.arguments == ({"list": [{"int": "1"}, {"tuple": [{"int": "2"}]}]},)


def test_tests_are_sealed_and_follow_a_benchmark(tmp_path: Path) -> None:
    outcome = imported("mbxp", fixtures.mbxp(tmp_path), tmp_path)
    stored = outcome.benchmark.table("tests/mbxp")
    copy = import_dataset("auto", [outcome.benchmark.path], output=tmp_path / "copy").benchmark
    assert copy.table("tests/mbxp") == stored
    file = copy.path / "tests" / "mbxp.parquet"
    pq.write_table(stored.slice(1), file)
    with pytest.raises(BenchmarkError, match="not what was sealed"):
        Benchmark.open(copy.path).verify()


def test_a_test_of_an_unknown_functionality_is_refused(tmp_path: Path) -> None:
    data = Dataset(
        Card("tiny", "1", "One.", "MIT", "Nobody", "equivalent-behaviour", ("python",)),
        [Fragment("a", "python", "x")],
        [Functionality("known", "known")],
        tests=[FunctionalityTest("unknown", "python", "", "")],
    )
    with pytest.raises(InputError, match="no functionality 'unknown'"):
        Benchmark.create(tmp_path / "tiny", data)
    assert not (tmp_path / "tiny").exists()


def test_quixbugs_tests_are_inputs(tmp_path: Path) -> None:
    outcome = imported("quixbugs", fixtures.quixbugs(tmp_path), tmp_path)
    [(calls,)] = outcome.rows("SELECT calls FROM tests_quixbugs")
    assert [(call.arguments, result) for call, result in read_calls(calls)] == [
        (({"int": "1"},), {"int": "2"}),
        (({"int": "5"},), {"int": "6"}),
    ]


def test_quixbugs_tests_are_evidence(tmp_path: Path) -> None:
    outcome = imported("quixbugs", fixtures.quixbugs(tmp_path), tmp_path)
    assert outcome.labels("equivalent-behaviour") == [
        ("inc/python_correct", "inc/python_buggy", "execution:quixbugs", "not-clone"),
        ("inc/python_correct", "inc/python_buggy", "rule:quixbugs", "not-clone"),
        ("inc/java_correct", "inc/java_buggy", "execution:quixbugs", "not-clone"),
        ("inc/java_correct", "inc/java_buggy", "rule:quixbugs", "not-clone"),
        ("inc/python_correct", "inc/java_correct", "execution:quixbugs", "clone"),
        ("inc/python_correct", "inc/java_correct", "rule:quixbugs", "clone"),
        ("graph/python_correct", "graph/python_buggy", "rule:quixbugs", "not-clone"),
    ]
    evidence = {row[0] for row in outcome.rows("SELECT evidence FROM judgements WHERE judge = 'execution:quixbugs'")}
    assert [json.loads(one) for one in evidence] == [{"testcases": [[[1], 2], [[5], 6]]}]
    assert outcome.report.reasons == {"the correct and the buggy version have the same text (a helper)": 1}


def test_quixbugs_repository(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "QuixBugs/python_programs/inc.py": "def inc(x):\n    return x - 1\n",
        "QuixBugs/python_programs/inc_test.py": "import inc\n",
        "QuixBugs/correct_python_programs/inc.py": "def inc(x):\n    return x + 1\n",
        "QuixBugs/java_programs/INC.java": "class INC { int f(int x) { return x - 1; } }",
        "QuixBugs/java_programs/INC.class": b"\xca\xfe\xba\xbe\x00",
        "QuixBugs/correct_java_programs/INC.java": "class INC { int f(int x) { return x + 1; } }",
        "QuixBugs/json_testcases/inc.json": "[[1], 2]\n[[1], \n",
    }
    outcome = imported("quixbugs", [write_tree(tmp_path / "repository", files)], tmp_path)
    assert (outcome.report.counts["fragments"], outcome.report.counts["pairs"]) == (4, 3)
    assert outcome.report.reasons == {"the test is not JSON": 1}


def test_ocd_compares_every_file_with_every_file(tmp_path: Path) -> None:
    outcome = imported("ocd", fixtures.ocd(tmp_path), tmp_path)
    assert outcome.rows("SELECT value, count(*) FROM judgements GROUP BY value ORDER BY value") == [
        ("clone", 18),
        ("not-clone", 18),
    ]
    assert outcome.rows("SELECT role, count(*) FROM memberships GROUP BY role ORDER BY role") == [
        ("exemplar", 2),
        ("tagged-true", 4),
    ]


def test_soco_lists_re_use_only(tmp_path: Path) -> None:
    outcome = imported("soco", fixtures.soco(tmp_path), tmp_path)
    assert outcome.labels("textual") == [("001", "010", "person:soco", "clone")]
    assert outcome.report.counts["fragments"] == 4
    with pytest.raises(InputError, match="No programs"):
        imported("soco", [tmp_path / "soco_train_clones.txt"], tmp_path)


def test_clone_oracle_reports(tmp_path: Path) -> None:
    outcome = imported("clone-oracle", fixtures.clone_oracle(tmp_path), tmp_path)
    project = "smallapache"
    assert outcome.labels() == [
        (f"{project}/mod_cache..set_on", f"{project}/mod_cache..set_off", "person:clone-oracle", "clone"),
        (f"{project}/mod_cache..set_on", f"{project}/core.main..run", "person:clone-oracle", "not-clone"),
        (f"{project}/mod_cache..set_off", f"{project}/core.main..run", "person:clone-oracle", "undecided"),
    ]
    # Nobody classified the fourth pair: it is present, and unknown.
    assert outcome.rows("SELECT claimed_type FROM pairs ORDER BY pair") == [("T2",), (None,), (None,), (None,)]
    texts = dict(outcome.rows("SELECT id, text FROM fragments"))
    assert texts[f"{project}/mod_cache..set_on"] == "int set_On(int x) { return x; }"
    assert texts[f"{project}/core.main..stop"] == ""
    assert outcome.report.rows_read["fragments without text"] == 1


def test_clone_oracle_table(tmp_path: Path) -> None:
    header = (
        "project",
        "left_file",
        "left_function",
        "left_text",
        "right_file",
        "right_function",
        "right_text",
        "type",
    )
    rows = [
        ("apache", "a.c", "f", "int f;", "b.c", "g", "int g;", "Type-4"),
        ("apache", "a.c", "f", "int f;", "b.c", "h", "int h;", "Type 9"),
        ("apache", "a.c", "", "", "b.c", "h", "int h;", "1"),
    ]
    outcome = imported("clone-oracle", [write_csv(tmp_path / "oracle.csv", header, rows)], tmp_path)
    assert outcome.labels() == [("apache/a.c/f", "apache/b.c/g", "person:clone-oracle", "clone")]
    assert outcome.report.reasons == {
        "the classification is unknown": 1,
        "the row is not a pair of functions": 1,
    }


@pytest.mark.parametrize("write", [fixtures.fempd, fixtures.fempd_csv])
def test_fempd_has_three_reviewers_and_their_consensus(tmp_path: Path, write: Callable[[Path], list[Path]]) -> None:
    outcome = imported("fempd", write(tmp_path), tmp_path)
    votes = {(left, right, judge): value for left, right, judge, value in outcome.labels("equivalent-behaviour")}
    assert votes["1", "3", "person:fempd-a"] == "clone"
    assert votes["1", "3", "person:fempd-b"] == votes["1", "3", "person:fempd-consensus"] == "not-clone"
    assert len(votes) == 8
    assert outcome.rows("SELECT DISTINCT kind FROM judges") == [(JudgeKind.PERSON,)]
    assert outcome.rows("SELECT reason FROM judgements WHERE reason IS NOT NULL") == [("sign",)]
    assert outcome.rows("SELECT project, path, first_line, last_line FROM fragments LIMIT 1") == [
        ("r1", "A.java", 3, 5)
    ]
    assert outcome.report.rows_read["pairs that nobody judged"] == 1


def test_fempd_damaged_database(tmp_path: Path) -> None:
    [path] = fixtures.fempd(tmp_path)
    content = path.read_bytes()
    path.write_bytes(content[:100] + b"\xff" * (len(content) - 100))
    with pytest.raises(InputError, match="database"):
        imported("fempd", [path], tmp_path)
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(InputError):
        imported("fempd", [path], tmp_path)


def test_fempd_rows_without_a_method(tmp_path: Path) -> None:
    methods, pairs, verified = fixtures.fempd_csv(tmp_path)
    write_csv(
        verified,
        fixtures.FEMPD_TABLES["verifiedpairs"][0],
        [(10, 1, 1, 1, 1, ""), (99, 1, 1, 1, 1, ""), (11, 7, "", "", "", "")],
    )
    outcome = imported("fempd", [methods, pairs, verified], tmp_path)
    assert outcome.report.counts["pairs"] == 1
    assert outcome.report.reasons == {
        "the row names an unknown pair": 1,
        "the row holds no judgement": 1,
    }


@pytest.mark.parametrize("source", ["eqbench", "ocd", "soco", "quixbugs", "mutantbench", "fempd", "clone-oracle"])
def test_files_of_other_datasets_are_refused(tmp_path: Path, source: str) -> None:
    path = write_jsonl(tmp_path / "other.jsonl", [{"a": 1}])
    with pytest.raises(InputError, match=f"No files of '{source}'"):
        imported(source, [path], tmp_path)
    damaged = tmp_path / "damaged.zip"
    damaged.write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(InputError):
        imported(source, [damaged], tmp_path)
    assert not list(tmp_path.glob("*benchmark*"))


class TestRealFiles:
    """The counts in the description of the real data."""

    def test_eqbench(self, shared_data: Path, tmp_path: Path) -> None:
        outcome = imported("eqbench", [shared_data / "eqbench/benchmarks.zip"], tmp_path)
        assert outcome.rows(
            """
            SELECT f.language, g.value, count(*) FROM judgements g
            JOIN pairs p ON g.pair = p.pair JOIN fragments f ON p.left = f.fragment
            WHERE g.judge = 'rule:eqbench' GROUP BY ALL ORDER BY ALL
            """
        ) == [("c", "clone", 117), ("c", "not-clone", 95), ("java", "clone", 117), ("java", "not-clone", 95)]
        assert outcome.rows("SELECT count(*) FROM judgements WHERE evidence IS NOT NULL") == [(2 * 86,)]

    def test_mutantbench(self, shared_data: Path, tmp_path: Path) -> None:
        outcome = imported("mutantbench", [shared_data / "mutantbench"], tmp_path)
        assert (outcome.report.counts["fragments"], outcome.report.counts["pairs"]) == (1_636, 1_652)
        assert outcome.rows("SELECT count(*) FROM judgements WHERE value = 'clone'") == [(250,)]

    def test_mbxp(self, shared_data: Path, tmp_path: Path) -> None:
        outcome = imported("mbxp", [shared_data / "mbxp"], tmp_path)
        assert outcome.report.counts["functionalities"] == 651
        assert outcome.report.rows_read["tasks in a language"] == outcome.report.rows_read["samples"] == 6382
        assert not outcome.report.reasons
        assert outcome.report.content_hash == "5c1e33084345cd637c6e3ddfa92211a26f6f1ed3fe96fa01bca80430ec183025"
        complete = """
            SELECT m.functionality FROM memberships m JOIN fragments f ON m.fragment = f.fragment
            WHERE m.role = 'tagged-true'
                AND f.language IN ('python', 'java', 'cpp', 'csharp', 'javascript', 'typescript')
            GROUP BY m.functionality HAVING count(*) = 6
        """
        assert outcome.rows(f"SELECT count(*) AS tasks FROM ({complete}) c") == [(442,)]
        assert outcome.rows("SELECT count(calls) AS calls FROM tests_mbxp") == [(648,)]

    def test_quixbugs(self, shared_data: Path, tmp_path: Path) -> None:
        outcome = imported("quixbugs", [shared_data / "quixbugs/quixbugs.jsonl.gz"], tmp_path)
        # 29 entries, one of which is a helper without a bug.
        assert (outcome.report.counts["functionalities"], sum(outcome.report.reasons.values())) == (28, 1)
        assert outcome.report.counts["pairs"] == 28 * 3

    def test_ocd_and_soco(self, shared_data: Path, tmp_path: Path) -> None:
        ocd = imported("ocd", [shared_data / "ocd/generated.zip"], tmp_path / "ocd")
        assert (ocd.report.counts["fragments"], ocd.report.counts["functionalities"]) == (70, 7)
        assert ocd.rows("SELECT count(*) FROM judgements WHERE value = 'clone'") == [(7 * 10 * 10,)]
        files = [shared_data / f"ocd/{name}" for name in ("soco_f.zip", "soco_train_clones_fixed.txt")]
        soco = imported("soco", files, tmp_path / "soco")
        assert (soco.report.counts["fragments"], soco.report.counts["pairs"]) == (227, 59)
        assert not soco.report.reasons
