"""Looking up functions: copies come first, whatever was renamed; what changed is read again; nothing outside is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from clonetruth.code.discovery import OUTSIDE
from clonetruth.errors import InputError, UnknownNameError
from clonetruth.find.function_index import FunctionIndex
from tests.find.clone_trees import EDITED, OTHER, PYTHON, RENAMED, SUM, java, plant

SMALL = "def first(values):\n    return values[0]\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return plant(
        tmp_path / "project",
        {"src/One.java": java("One", SUM), "src/Other.java": java("Other", OTHER), "tools/mean.py": PYTHON + SMALL},
    )


def test_a_renamed_copy_comes_first_with_its_place(tree: Path) -> None:
    answer = FunctionIndex(tree).similar(RENAMED)
    assert (answer.language, answer.name) == ("java", "sumAbove")
    best = answer.functions[0]
    assert (best.location, best.name, best.clone_type) == ("src/One.java:2-11", "One.sumAbove", "T2")
    assert best.similarity == 1.0
    assert best.differences == "renamed 2 names, 1 literal changed"


def test_an_edited_copy_and_a_draft_in_other_words_are_found(tree: Path) -> None:
    index = FunctionIndex(tree)
    assert [one.name for one in index.similar(EDITED).functions] == ["One.sumAbove"]
    body = "    known = [n for n in numbers if n is not None]\n    return sum(known) / len(known)"
    draft = f"def mean_known(numbers):\n{body}"
    (found,) = index.similar(draft).functions
    assert found.name == "mean_of_known"
    assert found.clone_type not in ("T1", "T2")
    assert 0 < found.similarity < 1


def test_statements_without_a_function_are_looked_up(tree: Path) -> None:
    body = "\n".join(SUM.splitlines()[1:-1])
    answer = FunctionIndex(tree).similar(body, "java")
    assert answer.name is None
    assert [one.name for one in answer.functions] == ["One.sumAbove"]


def test_unrelated_code_has_no_similar_function(tree: Path) -> None:
    code = "def connect(host, port):\n    socket = open_socket(host)\n    socket.bind(port)\n    return socket"
    assert FunctionIndex(tree).similar(code).functions == ()


def test_what_changed_is_read_again(tree: Path) -> None:
    index = FunctionIndex(tree)
    assert index.similar(OTHER).functions[0].path == "src/Other.java"
    (tree / "src/Other.java").unlink()
    assert index.similar(OTHER).functions == ()
    plant(tree, {"src/New.java": java("New", SUM.replace("sumAbove", "f"), OTHER)})
    assert [one.location for one in index.similar(OTHER).functions] == ["src/New.java:13-20"]
    assert len(index) == 4, "two in New.java, one in One.java, and one in mean.py that is not too small"


def test_javascript_is_looked_up_in_typescript(tmp_path: Path) -> None:
    code = "function total(values) { let sum = 0; for (const value of values) { sum += value; } return sum; }"
    plant(tmp_path, {"a.ts": code.replace("(values)", "(values: number[])"), "b.tsx": code, "c.py": PYTHON})
    found = FunctionIndex(tmp_path).similar(code, "javascript").functions
    assert (found[0].path, found[0].clone_type) == ("b.tsx", "T1")
    assert {one.path for one in found} == {"a.ts", "b.tsx"}


def test_links_that_lead_out_are_not_read(tree: Path, tmp_path: Path) -> None:
    outside = plant(tmp_path / "outside", {"Secret.java": java("Secret", OTHER.replace("reversed", "secret"))})
    (tree / "src/Other.java").unlink()
    (tree / "src/Link.java").symlink_to(outside / "Secret.java")
    (tree / "linked").symlink_to(outside, target_is_directory=True)
    (tree / "src/Again.java").symlink_to(tree / "src/One.java")
    index = FunctionIndex(tree)
    assert index.similar(OTHER).functions == ()
    assert index.discovery.left_out[OUTSIDE] == [f"{tree}/src/Link.java"]
    assert len(index.similar(SUM).functions) == 1, "a link that stays inside names the same file"


def test_a_file_that_nobody_may_read_and_a_broken_one_do_not_matter(tree: Path) -> None:
    plant(tree, {"src/Broken.java": "class {{{ ((", "src/Empty.java": ""})
    (tree / "src/Binary.java").write_bytes(b"\0\1\2" * 100)
    os.mkfifo(tree / "src/Pipe.java")
    assert FunctionIndex(tree).similar(SUM).functions[0].path == "src/One.java"


def test_bad_questions(tree: Path, tmp_path: Path) -> None:
    index = FunctionIndex(tree)
    with pytest.raises(InputError, match="no code"):
        index.similar(" \n")
    with pytest.raises(UnknownNameError, match="klingon"):
        index.similar(SUM, "klingon")
    with pytest.raises(InputError, match="no such folder"):
        FunctionIndex(tmp_path / "none")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="Give its language"):
        FunctionIndex(tmp_path / "empty").similar(SUM)
    assert FunctionIndex(tmp_path / "empty").similar(SUM, "java").functions == ()
    assert index.similar("}}}} ((((", "java").functions == ()
