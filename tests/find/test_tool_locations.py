"""Locations that external tools report, among the classes of our finders."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from clonetruth.errors import CloneTruthError
from clonetruth.find import clones_in, find_clones
from clonetruth.options.find import FindOptions
from tests.find.clone_trees import OTHER, SUM, java, plant

TOOL = """
import pathlib, sys
files = sorted(pathlib.Path(sys.argv[1]).rglob("*.java"))
for left, right in zip(files, files[1:]):
    for first, last in ({ranges}):
        print(left.parent, left.name, first, last, right.parent, right.name, first, last, sep=",")
"""


def command(folder: Path, ranges: str) -> str:
    """A tool that reports the given lines of consecutive files as clones."""
    path = folder / "tool.py"
    path.write_text(TOOL.replace("{ranges}", ranges), encoding="utf-8")
    return f"command[bigcloneeval]:{sys.executable} {path} {{source}}"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return plant(tmp_path / "tree", {name: java(name[0], SUM, OTHER) for name in ("A.java", "B.java", "C.java")})


def test_a_location_that_is_a_function_is_that_function(tree: Path, tmp_path: Path) -> None:
    report = find_clones([tree], with_=("exact", command(tmp_path, "(2, 11),")))
    (sums,) = (one for one in report.classes if one.representative.name in ("A.sumAbove", "B.sumAbove"))
    assert sums.finders == ("exact", "command")
    assert len(sums.members) == 3
    assert report.pairs["command"] == 2


@pytest.mark.parametrize("finders", [(), ("exact", "renamed", "tokens")])
def test_any_other_location_is_a_member_without_a_name(finders: tuple[str, ...], tree: Path, tmp_path: Path) -> None:
    with clones_in(FindOptions(paths=(tree,), with_=(*finders, command(tmp_path, "(3, 5), (1, 2**31 - 1)")))) as clones:
        whole, part = (one for one in clones.report().classes if one.finders == ("command",))
        scores = {pair.score for pair in clones.pairs() if pair.finder == "command"}
    assert scores == {None}
    assert {member.name for one in (whole, part) for member in one.members} == {None}
    assert part.strongest == "T1"
    assert part.representative.text == "\n".join(SUM.split("\n")[1:4])
    assert part.representative.tokens == 20
    assert whole.strongest == "T2", "the names of the classes differ"
    assert (whole.representative.first_line, whole.representative.lines) == (1, 21)


def test_a_failing_tool_is_an_error(tree: Path) -> None:
    with pytest.raises(CloneTruthError):
        find_clones([tree], with_=(f"command[bigcloneeval]:{sys.executable} -c 'raise SystemExit(3)'",))
