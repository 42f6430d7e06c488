"""Source trees as fragments."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.errors import CloneTruthError, InputError
from clonetruth.sources import import_dataset
from tests.sources.importer import imported
from tests.sources.pair_samples import ADD, SUM, archive, folder_of_sources

FUNCTIONS = [
    ("one/src/Add.java:2-4", "Add.add", "function"),
    ("one/src/Add.java:6-10", "Add.sum", "function"),
    ("two/add.py:1-2", "add", "function"),
    ("two/add.py:5-8", "add", "function"),
]


def test_functions_with_their_locations(tmp_path: Path) -> None:
    found = imported("folder", folder_of_sources(tmp_path), tmp_path)
    assert found.rows("SELECT id, name, kind FROM fragments") == FUNCTIONS
    assert found.rows("SELECT text FROM fragments WHERE id = 'one/src/Add.java:6-10'") == [(SUM,)]
    assert found.report.counts["pairs"] == 0


def test_whole_files_by_project(tmp_path: Path) -> None:
    found = imported("folder", folder_of_sources(tmp_path), tmp_path, unit="file", project="yes")
    assert found.rows("SELECT id, kind, project, last_line FROM fragments") == [
        ("one/src/Add.java", "file", "one", 11),
        ("two/add.py", "file", "two", 8),
    ]


def test_an_archive_gives_the_same(tmp_path: Path) -> None:
    root = folder_of_sources(tmp_path)[0]
    members = {str(file.relative_to(root)): file.read_text() for file in root.rglob("*") if file.is_file()}
    found = imported("folder", [archive(tmp_path / "tree.zip", members)], tmp_path)
    assert found.rows("SELECT id, name, kind FROM fragments") == FUNCTIONS


def test_one_language_and_several_processes(tmp_path: Path) -> None:
    found = imported("folder", folder_of_sources(tmp_path), tmp_path, language="py", processes="2", name="mine")
    assert [row[0] for row in found.rows("SELECT id FROM fragments")] == ["two/add.py:1-2", "two/add.py:5-8"]
    assert found.benchmark.card.name == "mine"


def test_functions_that_share_their_lines_have_different_ids(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text("class A { int f() { return 1; } int g() { return 2; } }\n")
    found = imported("folder", [tmp_path / "A.java"], tmp_path)
    ids = [row[0] for row in found.rows("SELECT id FROM fragments")]
    assert len(set(ids)) == 2
    assert ids[0] == "A.java:1-1"


def test_binary_files_are_counted(tmp_path: Path) -> None:
    root = folder_of_sources(tmp_path)[0]
    (root / "Bad.java").write_bytes(b"\0\1\2" * 100)
    for unit in ("function", "file"):
        report = import_dataset("folder", [root], output=tmp_path / unit, option={"unit": unit})
        assert dict(report.reasons) == {"this is a binary file, not source text": 1}


def test_a_repeated_location_is_counted(tmp_path: Path) -> None:
    root = folder_of_sources(tmp_path)[0]
    report = import_dataset("folder", [root, root], output=tmp_path / "out", option={"unit": "file"})
    assert dict(report.reasons) == {"a fragment at this location was read before": 2}


@pytest.mark.parametrize(
    "options", [{"unit": "line"}, {"project": "perhaps"}, {"processes": "-1"}, {"language": "klingon"}, {"units": "x"}]
)
def test_invalid_options(options: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(CloneTruthError):
        import_dataset("folder", folder_of_sources(tmp_path), output=tmp_path / "out", option=options)


def test_nothing_found_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "readme.txt").write_text(ADD)
    with pytest.raises(InputError, match="No fragment was found"):
        import_dataset("folder", [tmp_path / "empty"], output=tmp_path / "out")
    assert not (tmp_path / "out").exists()
