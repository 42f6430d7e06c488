"""ConBigCloneBench as published, and Petrik's yearly tables of Code Jam."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import numpy as np
import pytest

from clonetruth.errors import InputError
from clonetruth.sources import import_dataset, recognise
from tests.sources import contest_fixtures as fixtures
from tests.sources.importer import imported

PROGRAMS = (
    "SELECT f.language AS language, f.project AS project, g.id AS problem FROM fragments f "
    "JOIN memberships m ON f.fragment = m.fragment "
    "JOIN functionalities g ON g.functionality = m.functionality ORDER BY f.fragment"
)


def test_conbigclonebench_reads_texts_and_the_arrays_of_a_view(tmp_path: Path) -> None:
    paths = fixtures.conbigclonebench(tmp_path)
    assert recognise(paths) == "conbigclonebench"
    found = imported("conbigclonebench", paths, tmp_path)
    assert found.labels() == [
        ("11", "12", "rule:conbigclonebench", "clone"),
        ("11", "13", "rule:conbigclonebench", "not-clone"),
        ("12", "13", "rule:conbigclonebench", "not-clone"),
    ]
    assert found.rows("SELECT claimed_part AS part FROM pairs ORDER BY pair") == [("train",), ("train",), ("valid",)]
    assert found.rows("SELECT DISTINCT kind FROM fragments") == [("multi-function",)]
    assert found.report.reasons == {}


def test_conbigclonebench_has_levels_and_views(tmp_path: Path) -> None:
    (folder,) = fixtures.conbigclonebench(tmp_path)
    np.save(folder / "train_split" / "cbcb" / "train_fun0.npy", np.array([[11, 99, 1], [11, 12, 5], [12, 13, 1]]))
    with pytest.raises(InputError, match="several views: fun0, random0"):
        import_dataset("conbigclonebench", [folder], output=tmp_path / "out")
    report = import_dataset(
        "conbigclonebench", [folder], output=tmp_path / "out", option={"view": "fun0", "level": "1"}
    )
    assert report.counts["pairs"] == 1
    assert report.reasons == {"the row names an unknown fragment": 1, "the row is not a pair with a label": 1}
    with pytest.raises(InputError, match="no abstraction level '7'"):
        import_dataset("conbigclonebench", [folder], output=tmp_path / "o", option={"view": "fun0", "level": "7"})
    with pytest.raises(InputError, match="no text in cbcb/code3"):
        import_dataset("conbigclonebench", [folder], output=tmp_path / "o", option={"view": "fun0", "level": "3"})


def test_gcj_archive_by_language_and_problem(tmp_path: Path) -> None:
    paths = fixtures.gcj_archive(tmp_path)
    assert recognise(paths) == "gcj-archive"
    found = imported("gcj-archive", paths, tmp_path)
    assert found.rows(PROGRAMS) == [
        ("java", "ann", "2015/4224486/A"),
        ("python", "bob", "2015/4224486/A"),
        ("python", "cem", "2015/4224486/B"),
    ]
    assert found.report.counts["judgements"] == 0, "nobody says that the programs were accepted"


def test_gcj_archive_in_its_published_archive(tmp_path: Path) -> None:
    (table,) = fixtures.gcj_archive(tmp_path)
    content = table.read_bytes() + b'"b.py","","2015/b.py","1","0","A","dan","2015"\n'
    path = tmp_path / "gcj2015.csv.tar.bz2"
    with tarfile.open(path, "w:bz2") as archive:
        info = tarfile.TarInfo("gcj2015.csv")
        info.size = len(content)
        archive.addfile(info, io.BytesIO(content))
    assert recognise([path]) == "gcj-archive"
    report = import_dataset("gcj-archive", [path], output=tmp_path / "out")
    assert (report.counts["fragments"], report.counts["functionalities"]) == (3, 2)
    assert report.reasons == {"the row has no text or no task": 1}


def test_the_tables_of_gcj2_stay_those_of_gcj2(tmp_path: Path) -> None:
    assert recognise(fixtures.gcj2(tmp_path)) == "gcj2"
