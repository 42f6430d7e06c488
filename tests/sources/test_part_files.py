"""Pair files on disk, without a benchmark folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.sources import ImportLog
from clonetruth.sources.part_files import PartFiles, guess_language, read_part_files


@pytest.mark.parametrize(
    "text",
    [
        "1\t2\t1\n1\t3\t0\n",
        "1 2 1\n1 3 -1\n",
        "left,right,label\n1,2,true\n1,3,false\n",
        '"1","2","clone"\r\n"1","3","not-clone"\r\n',
        "\ufeff1\t2\t1\n\n1\t3\t0",
    ],
)
def test_separators_and_labels(text: str, tmp_path: Path) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text(text, encoding="utf-8", newline="")
    log = ImportLog()
    dataset = read_part_files(PartFiles({"train": path}), log)
    assert [(pair.left, pair.right, pair.claimed_part) for pair in dataset.pairs] == [
        ("1", "2", "train"),
        ("1", "3", "train"),
    ]
    assert [judgement.value for judgement in dataset.judgements] == ["clone", "not-clone"]
    assert [fragment.id for fragment in dataset.fragments] == ["1", "2", "3"]
    assert not log.reasons


def test_bad_rows_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "pairs.txt"
    path.write_bytes(b"1\t2\t1\n1\t2\n1\t2\t3\t4\n\xff\xfe\t2\t0\n1\t2\tmaybe\n")
    log = ImportLog()
    dataset = read_part_files(PartFiles({"test": path}), log)
    assert len(list(dataset.pairs)) == 2
    assert sum(log.reasons.values()) == 3
    assert log.skipped[0].where == f"{path}:2"


def test_texts_that_match_no_pair_are_an_error(tmp_path: Path) -> None:
    pairs, texts = tmp_path / "pairs.txt", tmp_path / "data.jsonl"
    pairs.write_text("1\t2\t1\n", encoding="utf-8")
    texts.write_text('{"idx": "9", "func": "int f() { return 1; }"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="None of the fragments"):
        read_part_files(PartFiles({"train": pairs}, [texts]), ImportLog())
    with pytest.raises(InputError, match="no such file"):
        read_part_files(PartFiles({"train": pairs}, [tmp_path / "nothing"]), ImportLog())


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("public int f(int a) { return a; }", "java"),
        ("def f(a):\n    return a\n", "python"),
        ('#include <stdio.h>\nint main(void) { printf("x"); return 0; }', "c"),
        ("#include <iostream>\nusing namespace std;\nint main() { cout << 1; vector<int> v; return 0; }", "cpp"),
        ("", "java"),
    ],
)
def test_languages_are_guessed(text: str, name: str) -> None:
    assert guess_language([text]) == name
