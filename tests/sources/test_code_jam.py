"""Contest programs with published lists of pairs: Google Code Jam twice, and FCDetector."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from clonetruth.errors import InputError
from clonetruth.model import JudgeKind
from tests.sources import contest_fixtures as fixtures
from tests.sources.importer import imported


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
    assert [problem for _, problem, *_ in outcome.members()] == ["1", "1", "7"]
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
        "the row names an unknown fragment": 2,
    }
    assert outcome.rows("SELECT source_row FROM judgements WHERE pair = 1") == [(7,)]


def test_fcdetector_keeps_self_pairs_and_its_class_is_not_evidence(tmp_path: Path) -> None:
    outcome = imported("fcdetector", fixtures.fcdetector(tmp_path), tmp_path)
    assert outcome.rows("SELECT count(*) FROM pairs p WHERE p.left = p.right") == [(1,)]
    assert outcome.rows("SELECT claimed_part, count(*) FROM pairs GROUP BY ALL ORDER BY ALL") == [
        ("train", 3),
        ("valid", 1),
    ]
    assert outcome.rows("SELECT DISTINCT kind FROM judges") == [(JudgeKind.RULE,)]
    assert [(role, value) for *_, role, value in outcome.members()] == [("tagged-true", None)] * 3


def test_gcj2_numbers_solutions_and_reads_arrays(tmp_path: Path) -> None:
    outcome = imported("gcj2", fixtures.gcj2(tmp_path), tmp_path)
    assert (outcome.report.files.used, outcome.report.files.named) == (3, 3)
    assert outcome.labels() == [
        ("100", "101", "rule:gcj2", "clone"),
        ("100", "102", "rule:gcj2", "not-clone"),
        ("102", "101", "rule:gcj2", "not-clone"),
    ]
    assert [(name, problem) for name, problem, *_ in outcome.members()] == [
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
    assert [(name, problem) for name, problem, *_ in outcome.members()] == [("row-1", "4"), ("row-2", "4")]
    assert outcome.report.reasons == {"the row has no text or no task": 1}


def test_gcj2_pickle(tmp_path: Path) -> None:
    table, *lists = fixtures.gcj2(tmp_path)
    rows = [json.loads(line) for line in table.read_text(encoding="utf-8").splitlines()]
    path = tmp_path / "gcj2.pkl"
    path.write_bytes(pickle.dumps({name: [row[name] for row in rows] for name in rows[0]}))
    outcome = imported("gcj2", [path, *lists], tmp_path)
    other = imported("gcj2", [table, *lists], tmp_path)
    assert outcome.report.content_hash == other.report.content_hash


class _Hostile:
    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.marker,)


def test_gcj2_pickles_run_nothing(tmp_path: Path) -> None:
    path, marker = tmp_path / "gcj2.pkl", tmp_path / "touched"
    names = ["year", "round", "username", "task", "flines", "funid"]
    path.write_bytes(pickle.dumps({**{name: ["1"] for name in names}, "lan": [_Hostile(marker)]}))
    with pytest.raises(InputError, match="pickle"):
        imported("gcj2", [path], tmp_path)
    assert not marker.exists()


def test_gcj2_needs_one_view(tmp_path: Path) -> None:
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


class TestRealFiles:
    """The counts in the description of the real data."""

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
