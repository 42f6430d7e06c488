"""BigCloneBench's tables: rows to benchmark, texts by range, defects, and the golden exports."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.sources import import_dataset
from clonetruth.sources.accounting import NO_TEXTS
from clonetruth.sources.bigclonebench import FileRange, cut_functions, range_defects
from tests.conftest import SHARED
from tests.sources.bcb_fixtures import COPY, HASH, MOVE, ONE, THREE, TWO, bigclonebench
from tests.sources.importer import imported

TABLES = ("functionalities", "functions", "clones", "false_positives")


def test_tables_and_texts(tmp_path: Path) -> None:
    found = imported("bigclonebench", bigclonebench(tmp_path), tmp_path / "out")
    assert found.benchmark.card.version == "2016-06-19"
    assert found.labels() == [
        (ONE, TWO, "rule:bigclonebench", "clone"),
        (THREE, ONE, "rule:bigclonebench", "not-clone"),
    ]
    assert found.rows("SELECT id, text, project, path, first_line, last_line FROM fragments ORDER BY fragment") == [
        (ONE, COPY.rstrip("\n"), "alpha", "selected/7.java", 2, 4),
        (TWO, MOVE.rstrip("\n"), "alpha", "selected/7.java", 5, 8),
        (THREE, HASH.rstrip("\n"), None, "sample/Hash.java", 2, 4),
    ]
    assert found.report.reasons == {}


def test_roles_types_and_evidence_of_labels(tmp_path: Path) -> None:
    found = imported("bigclonebench", bigclonebench(tmp_path), tmp_path / "out")
    assert found.rows(
        "SELECT f.id AS f, g.id AS g, m.role AS role FROM memberships m JOIN fragments f ON m.fragment = f.fragment "
        "JOIN functionalities g ON m.functionality = g.functionality ORDER BY g, f"
    ) == [
        (ONE, "3", "tagged-false"),
        (THREE, "3", "exemplar"),
        (TWO, "4", "tagged-true"),
        (ONE, "4", "tagged-true"),
    ]
    assert found.rows("SELECT claimed_type, claimed_cut_rule, claimed_similarity_line FROM pairs ORDER BY pair") == [
        ("WT3/T4", "min", 0.4),
        (None, None, 0.1),
    ]
    evidence = [json.loads(text) for (text,) in found.rows("SELECT evidence FROM judgements ORDER BY pair")]
    assert evidence[0] == {"internal": "false", "min_confidence": "1", "min_judges": "2", "type": "tagged-tagged"}
    assert found.rows("SELECT specification, heuristic FROM functionalities ORDER BY functionality") == [
        ("Copies a file,\nall of it.", "copy"),
        ("Hashes.", None),
    ]


def test_without_sources_texts_are_empty_and_counted(tmp_path: Path) -> None:
    tables, _ = bigclonebench(tmp_path)
    report = import_dataset("bigclonebench", [tables], output=tmp_path / "out")
    assert report.rows_read["fragments without text"] == 3
    assert report.reasons == {NO_TEXTS: 1}


def test_sources_in_an_archive(tmp_path: Path) -> None:
    tables, tree = bigclonebench(tmp_path)
    archive = shutil.make_archive(str(tmp_path / "bcb_reduced"), "zip", tree)
    whole = imported("bigclonebench", [tables, tree], tmp_path / "out")
    packed = imported("bigclonebench", [tables, Path(archive)], tmp_path / "out")
    assert whole.benchmark.content_hash == packed.benchmark.content_hash


def test_ranges_that_do_not_hold_one_function_are_reported_and_kept(tmp_path: Path) -> None:
    tables, tree = bigclonebench(tmp_path)
    functions = tables / "functions.csv"
    text = functions.read_text().replace('"2","4","' + ONE, '"2","8","' + ONE).replace('"5","8"', '"6","7"')
    functions.write_text(text)
    found = imported("bigclonebench", [tables, tree], tmp_path / "out")
    assert found.report.reasons == {
        "the recorded range holds several functions": 1,
        "the recorded range holds no whole function": 1,
    }
    assert [one.where.rpartition(":")[2] for one in found.report.skipped] == ["2", "3"]
    assert found.report.counts["fragments"] == 3
    with pytest.raises(InputError, match="range holds"):
        import_dataset("bigclonebench", [tables, tree], output=tmp_path / "strict", strict=True)


def test_methods_of_an_inner_class_are_part_of_the_function() -> None:
    inner = "void run() {\n  new Thread() {\n    public void run() { go(); }\n  }.start();\n}"
    assert list(range_defects([inner, COPY, COPY + MOVE, "int x;", "void f() { if ( }"]))[:4] == [
        None,
        None,
        "the recorded range holds several functions",
        "the recorded range holds no whole function",
    ]


def test_files_are_found_by_folder_and_name(tmp_path: Path) -> None:
    for name in ("2/selected/1.java", "3/selected/1.java", "2/default/1.java"):
        file = tmp_path / name
        file.parent.mkdir(parents=True)
        file.write_text(f"a {name}\r\nb\r\nc")
    places = [
        FileRange("default", "1.java", 2, 3),
        FileRange("selected", "1.java", 1, 1),
        FileRange("sample", "1.java", 1, 1),
    ]
    assert cut_functions([tmp_path], [*places, FileRange("default", "1.java", 3, 2)]) == [
        "b\nc",
        "a 2/selected/1.java",
        None,
        "",
    ]


def test_rows_with_unknown_functions_are_skipped(tmp_path: Path) -> None:
    tables, _ = bigclonebench(tmp_path)
    with (tables / "clones.csv").open("a") as file:
        file.write(f"{ONE},77,4,tagged,3,0.1,0.1,1,1,1,1,1,1,1,1,FALSE\n\n")
        file.write(f"{ONE},{TWO},99,tagged,3,0.1,0.1,1,1,1,1,1,1,1,1,FALSE\n")
        file.write("1,2\n")
        file.write(f" {ONE} ,{TWO},4,tagged,1,x,,1,1,1,1,1,1,1,1,TRUE\n")
    found = imported("bigclonebench", [tables], tmp_path / "out")
    places = {one.reason: one.where.rpartition(":")[2] for one in found.report.skipped}
    assert places == {
        NO_TEXTS: "fragments",
        "the pair names an unknown function": "3",
        "the pair names an unknown functionality": "5",
        "the row has 2 columns instead of 16": "6",
    }
    assert found.rows("SELECT claimed_type, claimed_similarity_line FROM pairs ORDER BY pair") == [
        ("WT3/T4", 0.4),
        ("T1", None),
        (None, 0.1),
    ]
    assert found.rows("SELECT source_row FROM judgements ORDER BY pair") == [(1,), (5,), (1,)]


def test_tags_of_the_judges(tmp_path: Path) -> None:
    tables, _ = bigclonebench(tmp_path)
    (tables / "tagged.csv").write_text(
        f"function_id,functionality_id,judge,tag\n{ONE},4,7,true\n{ONE},4,8,false\n{TWO},4,7,undecided\n"
        f"{ONE},4,7,maybe\n1,4,7,true\n"
    )
    found = imported("bigclonebench", [tables], tmp_path / "out")
    assert found.rows("SELECT judge, value FROM judgements WHERE fragment IS NOT NULL ORDER BY source_row") == [
        ("person:bigclonebench-7", "minor"),
        ("person:bigclonebench-8", "wrong"),
        ("person:bigclonebench-7", "undecided"),
    ]
    assert sum(found.report.reasons.values()) == 3


@pytest.mark.parametrize("missing", TABLES[:3])
def test_a_missing_table_is_an_error(tmp_path: Path, missing: str) -> None:
    tables, _ = bigclonebench(tmp_path)
    (tables / f"{missing}.csv").unlink()
    with pytest.raises(InputError, match=missing):
        import_dataset("bigclonebench", [tables], output=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_missing_column_is_an_error(tmp_path: Path) -> None:
    tables, _ = bigclonebench(tmp_path)
    (tables / "clones.csv").write_text("function_id_one,function_id_two\n1,2\n")
    with pytest.raises(InputError, match="functionality_id"):
        import_dataset("bigclonebench", [tables], output=tmp_path / "out")


def test_texts_from_a_table_of_functions(tmp_path: Path) -> None:
    tables, _ = bigclonebench(tmp_path)
    with zipfile.ZipFile(tmp_path / "functions.zip", "w") as archive:
        archive.writestr("functions.txt", f"FUNCTION_ID:\t{ONE}\r\n{COPY}")
    report = import_dataset("bigclonebench", [tables, tmp_path / "functions.zip"], output=tmp_path / "out")
    assert report.rows_read["fragments without text"] == 2


@pytest.mark.parametrize(("name", "clones"), [("set1", 4844), ("set2", 4810)])
def test_golden_exports_as_csv_and_parquet(tmp_path: Path, name: str, clones: int) -> None:
    golden = SHARED / "bigcloneeval" / "golden" / name
    if not golden.is_dir():
        pytest.skip("the golden exports (../shared/bigcloneeval) are not beside the project")
    hashes = []
    for suffix in ("csv", "parquet"):
        report = import_dataset(
            "bigclonebench", [golden / f"{table}.{suffix}" for table in TABLES], output=tmp_path / f"{name}-{suffix}"
        )
        assert report.counts["fragments"] == 200
        assert report.counts["functionalities"] == 6
        assert report.counts["pairs"] == report.counts["judgements"] == clones + 300
        assert report.reasons == {NO_TEXTS: 1}
        hashes.append(report.content_hash)
    assert hashes[0] == hashes[1]
