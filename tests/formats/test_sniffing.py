"""Cheap inspection of files, and trees with damaged members."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.formats.documents import read_document
from clonetruth.formats.sniffing import expand_folders, first_line, head, member_names
from clonetruth.formats.trees import read_tree


def test_unreadable_files_count_as_absent(tmp_path: Path) -> None:
    damaged = tmp_path / "a.zip"
    damaged.write_bytes(b"PK\3\4nonsense")
    assert member_names(damaged) == []
    assert member_names(tmp_path / "a.txt") == []
    cut = tmp_path / "a.gz"
    cut.write_bytes(gzip.compress(b"text" * 1000)[:10])
    assert head(cut) == b""
    assert head(tmp_path) == b""


def test_the_first_line_that_is_not_blank(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"\xef\xbb\xbf\r\n\n a,b \r\nc\n")
    assert first_line(path) == "a,b"
    assert first_line(path, 8) == "a"
    assert first_line(tmp_path) == ""


def test_folders_of_data_files_are_expanded_and_source_trees_are_not(tmp_path: Path) -> None:
    downloads, sources = tmp_path / "downloads", tmp_path / "sources"
    for file in (downloads / "labels.csv.gz", downloads / "tree" / "A.java", sources / "A.java"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"")
    assert expand_folders([downloads, sources]) == [downloads / "labels.csv.gz", downloads / "tree", sources]


def test_a_member_with_a_wrong_checksum_is_refused_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "the text")
    path.write_bytes(path.read_bytes().replace(b"the text", b"the test"))
    (member,) = read_tree(path)
    with pytest.raises(InputError, match=r"'a\.txt' is damaged"):
        member.read()


def test_a_file_that_disappeared_is_reported_when_it_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    (member,) = read_tree(tmp_path)
    (tmp_path / "a.txt").unlink()
    with pytest.raises(InputError, match="Cannot read"):
        member.read()


@pytest.mark.parametrize("text", ["", "{", "[" * 50_000, "\0"])
def test_files_that_are_not_json_are_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(InputError, match="not JSON"):
        read_document(path)
