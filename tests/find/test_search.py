"""A search is quick, and finds what the plain way finds."""

from __future__ import annotations

import gzip
import sys
import zipfile
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import ClassVar

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clonetruth.code import LANGUAGES, parallel
from clonetruth.detectors import FINDERS, FOUND_PAIRS, FinderOptions
from clonetruth.errors import InputError
from clonetruth.find import SearchedFile, SkippedFile, block_pairs, reading, search, search_files
from clonetruth.progress import Progress
from tests.conformance.test_languages import sample
from tests.find.search_trees import (
    SMALL,
    brace_trees,
    plainly_searched,
    python_trees,
    searched,
    source_file,
    trees,
    written,
)

CLASSICAL = [FINDERS["exact"], FINDERS["renamed"], FINDERS["tokens"], FINDERS["nearmiss"]]
ALL = [FINDERS[name] for name in FINDERS]
VARIANTS = [
    FINDERS["renamed"].with_parameters(renaming="consistent"),
    FINDERS["tokens"].with_parameters(units="tokens"),
]
SUM = "int sum(int[] a) {\n    int s = 0;\n    for (int x : a) s += x;\n    return s;\n}\n"


def in_class(*functions: str) -> str:
    return "class A {\n" + "\n".join(functions) + "\n}\n"


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tree=trees())
def test_a_search_finds_what_the_plain_way_finds(tree: dict[str, str], tmp_path: Path) -> None:
    files = written(tmp_path / "tree", tree)
    found = searched(files, ALL)
    fragments, pairs = plainly_searched(files, ALL)
    assert found.fragments.to_pylist() == fragments
    assert found.pairs.to_pylist() == pairs


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tree=trees())
def test_so_it_does_with_other_parameters_and_options(tree: dict[str, str], tmp_path: Path) -> None:
    files = written(tmp_path / "tree", tree)
    options = FinderOptions(0.5, min_tokens=5, min_lines=3)
    assert searched(files, VARIANTS, options).pairs.to_pylist() == plainly_searched(files, VARIANTS, options)[1]


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tree=python_trees())
def test_python_is_searched_alike(tree: dict[str, str], tmp_path: Path) -> None:
    """A docstring, a string instead of a number, and embedded code: tokens alone do not decide the form."""
    files = written(tmp_path / "tree", tree)
    finders = [*CLASSICAL[:3], *VARIANTS]
    found = searched(files, finders)
    fragments, pairs = plainly_searched(files, finders)
    assert found.fragments.to_pylist() == fragments
    assert found.pairs.to_pylist() == pairs


@pytest.mark.parametrize("ending", [".js", ".ts", ".c", ".cc"])
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_literals_that_only_a_grammar_can_delimit(ending: str, data: st.DataObject, tmp_path: Path) -> None:
    """Template strings, regular expressions, markup, raw strings, directives; words that are keywords or names."""
    files = written(tmp_path / "tree", data.draw(brace_trees(ending)))
    finders = [*CLASSICAL[:3], *VARIANTS]
    found = searched(files, finders)
    fragments, pairs = plainly_searched(files, finders)
    assert found.fragments.to_pylist() == fragments
    assert found.pairs.to_pylist() == pairs


def test_all_languages_are_searched_each_by_itself(tmp_path: Path) -> None:
    texts = {f"{copy}{LANGUAGES[name].extensions[0]}": sample(name) for name in LANGUAGES for copy in "ab"}
    files = written(tmp_path / "tree", texts)
    found = searched(files, CLASSICAL)
    fragments, pairs = plainly_searched(files, CLASSICAL)
    assert found.fragments.to_pylist() == fragments
    assert found.pairs.to_pylist() == pairs
    assert {row["language"] for row in fragments} == set(LANGUAGES)


def test_real_trees_are_searched_alike(shared_data: Path, tmp_path: Path) -> None:
    """The variants of seven programs: made by obfuscators and decompilers."""
    with zipfile.ZipFile(shared_data / "ocd" / "generated.zip") as archive:
        archive.extractall(tmp_path)
    files = [source_file(path) for path in sorted(tmp_path.rglob("*.java"))]
    finders = [FINDERS[name] for name in ("exact", "renamed", "tokens")]
    found = searched(files, finders, FinderOptions(min_tokens=30))
    fragments, pairs = plainly_searched(files, finders, FinderOptions(min_tokens=30))
    assert found.fragments.to_pylist() == fragments
    assert found.pairs.to_pylist() == pairs
    assert {row["finder"] for row in pairs} == {"exact", "renamed", "tokens"}


def test_what_it_tells_of_a_function(tmp_path: Path) -> None:
    files = written(
        tmp_path / "tree", {"a.java": in_class("void tiny() { }", SUM), "b.java": "// ü\r\n" + in_class(SUM)}
    )
    found = searched(files, [FINDERS["exact"]])
    assert [row["name"] for row in found.fragments.to_pylist()] == ["A.sum", "A.sum"]
    assert [row["first_line"] for row in found.fragments.to_pylist()] == [3, 3]
    assert [found.text(0), found.text(1)] == [SUM.rstrip()] * 2
    assert (found.lines, found.functions, found.skipped) == (8 + 8 + 2, 3, ())
    assert found.pairs.to_pylist() == [{"left": 0, "right": 1, "score": 1.0, "finder": "exact"}]


def test_unreadable_files_are_skipped_with_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_FILE_BYTES", 1024**2)
    large, wide = b"/*" + b" " * 1024**2 + b"*/", in_class(SUM).encode("utf-16")
    texts: dict[str, str | bytes] = {"a.java": in_class(SUM), "b.java": b"\0\1\2" * 99, "c.java": large, "d.java": wide}
    files = [*written(tmp_path / "tree", texts), SearchedFile(tmp_path / "none.java", "none.java", "java")]
    found = searched(files, [FINDERS["exact"]])
    assert found.skipped == (
        SkippedFile("b.java", "This is a binary file, not source text."),
        SkippedFile("c.java", "The file is larger than 1 MB."),
        SkippedFile("none.java", "Cannot read the file: No such file or directory."),
    )
    assert found.pairs["right"].to_pylist() == [1]
    assert found.text(1) == found.text(0)


class SameLength:
    """A third-party finder that reads texts: functions of equal length are clones."""

    name = "same-length"
    description = "1 if the fragments are equally long."
    parameters: ClassVar[dict[str, tuple[str, ...]]] = {}

    def with_parameters(self, **values: str) -> SameLength:
        return self

    def find(
        self,
        fragments: pa.Table,
        options: FinderOptions = SMALL,
        *,
        processes: int = 1,
        progress: Progress | None = None,
    ) -> Iterator[pa.RecordBatch]:
        rows = list(zip(fragments["fragment"].to_pylist(), map(len, fragments["text"].to_pylist()), strict=True))
        pairs = [(a, b, 1.0) for (a, one), (b, other) in combinations(rows, 2) if one == other]
        yield pa.record_batch([pa.array(column) for column in zip(*pairs, strict=True)], schema=FOUND_PAIRS)


def test_a_finder_without_features_gets_texts(tmp_path: Path) -> None:
    texts = {"a.java": in_class(SUM), "b.java": in_class(SUM.replace("sum", "all"), SUM.replace("sum", "total"))}
    found = searched(written(tmp_path / "tree", texts), [SameLength(), FINDERS["exact"]])
    assert found.pairs.to_pylist() == [{"left": 0, "right": 1, "score": 1.0, "finder": "same-length"}]


def test_nothing_to_search() -> None:
    found = searched([], ALL)
    assert (found.fragments.num_rows, found.pairs.num_rows, found.lines, found.functions) == (0, 0, 0, 0)


@pytest.mark.parametrize("forked", [False, True])
def test_several_processes_find_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forked: bool) -> None:
    files = written(tmp_path / "tree", {f"{n}.java": in_class(SUM) for n in range(4)})
    monkeypatch.setattr(reading, "_PER_PROCESS", 1)
    monkeypatch.setattr(reading, "_PER_FORK", 1)
    monkeypatch.setattr(reading, "_BATCH", 1)
    if forked:
        monkeypatch.setattr(parallel._Forking, "allowed", sys.platform == "linux")
        monkeypatch.setattr(parallel, "_THREADED", ())
        monkeypatch.setattr(search, "_SIDE_BY_SIDE", 0)
    calls: list[tuple[str, int, int]] = []
    found = search_files(files, CLASSICAL[:3], SMALL, processes=2, progress=lambda *step: calls.append(step))
    assert found.pairs.to_pylist() == plainly_searched(files, CLASSICAL[:3])[1]
    assert calls.count(("Reading files", 1, 4)) == 4
    monkeypatch.setenv("CLONETRUTH_BUDGET", "found_pairs=1")
    monkeypatch.setattr(search, "_AT_ONCE", 1)
    backwards = CLASSICAL[2::-1]
    few, alone = (search_files(files, backwards, SMALL, processes=number) for number in (2, 1))
    assert few.pairs == alone.pairs
    assert list(few.left_out.items()) == list(alone.left_out.items())
    assert list(few.left_out) == ["tokens", "renamed", "exact"]


def test_pairs_beyond_the_budget_do_not_stay_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = 10_000
    held: list[int] = []

    class ManyPairs(SameLength):
        def find(self, *args: object, **options: object) -> Iterator[pa.RecordBatch]:
            for _ in range(40):
                columns = ([0] * pairs, [1] * pairs, [1.0] * pairs)
                yield pa.record_batch([pa.array(column) for column in columns], schema=FOUND_PAIRS)
                held.append(pa.total_allocated_bytes())

    monkeypatch.setenv("CLONETRUTH_BUDGET", f"found_pairs={pairs}")
    found = searched(written(tmp_path / "tree", {"a.java": in_class(SUM, SUM)}), [ManyPairs()])
    assert found.left_out == {"same-length": 39 * pairs}
    assert max(held) - held[0] < 5 * pairs * 24


def test_functions_that_differ_in_what_the_form_drops(tmp_path: Path) -> None:
    """Equal except for an empty statement: their tokens do not decide, so their forms are compared."""
    files = written(tmp_path / "tree", {"a.java": in_class(SUM), "b.java": in_class(SUM.replace("s;", "s;;"))})
    found = searched(files, [FINDERS["exact"], FINDERS["renamed"]])
    assert found.pairs.to_pylist() == plainly_searched(files, [FINDERS["exact"], FINDERS["renamed"]])[1]
    assert found.pairs["finder"].to_pylist() == ["exact", "renamed"]


BLOCKS = """1,10,4,3,x@#@a@@::@@2,b@@::@@1,c@@::@@1
1,11,4,3,y@#@c@@::@@1,a@@::@@2,b@@::@@1

2,7,3,2,z@#@a@@::@@2,b@@::@@1
"""


def test_blocks_of_sourcerercc(tmp_path: Path) -> None:
    (tmp_path / "b.file").write_text(BLOCKS)
    assert block_pairs(tmp_path / "b.file", 0.7).to_pylist() == [
        {"left": "10", "right": "11", "score": 1.0},
        {"left": "10", "right": "7", "score": 0.75},
        {"left": "11", "right": "7", "score": 0.75},
    ]
    assert block_pairs(tmp_path / "b.file", 0.8).num_rows == 1


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("1,10,4,3,x", "the head .* is missing"),
        ("1,10@#@a@@::@@1", "the head .* is missing"),
        ("1,10,4,3,x@#@a@@::@@2,b", "has no count"),
        ("1,10,4,3,x@#@a@@::@@two", "'two' is not a number"),
        ("1,10,4,3,x@#@a@@::@@2", "states 4 tokens and has 2"),
        ("1,10,99999999,1,x@#@a@@::@@99999999", "it has 99,999,999 tokens"),
        ("1,7,1,1,x@#@a@@::@@1\n1,7,1,1,x@#@a@@::@@1", "Two blocks have the number 7"),
    ],
)
def test_invalid_blocks_are_errors(line: str, what: str, tmp_path: Path) -> None:
    (tmp_path / "b.file").write_text(line + "\n")
    with pytest.raises(InputError, match=what):
        block_pairs(tmp_path / "b.file")


def test_sourcerercc_reports_the_same_pairs(shared_data: Path) -> None:
    folder = shared_data.parent / "sourcerercc"
    if not folder.is_dir():
        pytest.skip("SourcererCC's golden case (../shared/sourcerercc) is not next to the project")
    with gzip.open(folder / "ant_pairs_70.csv.gz", "rt", encoding="utf-8") as lines:
        reported = {frozenset(line.strip().split(",")) for line in lines}
    pairs = block_pairs(folder / "ant_blocks.file.gz", 0.7)
    assert pairs.num_rows == 616
    assert {
        frozenset(pair) for pair in zip(pairs["left"].to_pylist(), pairs["right"].to_pylist(), strict=True)
    } == reported
