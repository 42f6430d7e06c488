"""The index: a search with an index finds the same, faster."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clonetruth.detectors import FINDERS, FinderOptions
from clonetruth.find import IndexFile, SearchResult, index, search
from clonetruth.find.reading import Numbered, ReadingPlan, read_batch
from tests.find.search_trees import SMALL, searched, trees, written
from tests.find.test_search import SUM, in_class

THREE = [FINDERS[name] for name in ("exact", "renamed", "tokens")]
FOUR = [*THREE, FINDERS["nearmiss"]]
OTHER = SUM.replace("s += x", "s += x * x")


def result(found: SearchResult) -> tuple[object, ...]:
    return found.fragments.to_pylist(), found.pairs.to_pylist(), found.skipped, found.lines, found.functions


def parts(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/*.part"))


def settle(folder: Path) -> None:
    """Let the last changes of the files be long ago, so that their times identify their contents."""
    for path in folder.iterdir():
        past = path.stat().st_mtime_ns - 10**10
        os.utime(path, ns=(past, past))


@pytest.fixture
def read_files(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that searches have read for their functions."""
    names: list[str] = []

    def reading(plan: ReadingPlan, files: list[Numbered]) -> pa.Table:
        names.extend(file.name for _, file in files)
        return read_batch(plan, files)

    monkeypatch.setattr(search, "read_batch", reading)
    return names


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(versions=st.lists(trees(), min_size=2, max_size=4), few=st.sampled_from([0, 2, 300]))
def test_edits_are_seen(versions: list[dict[str, str]], few: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("edits")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "_MAX_NEW", few)
        for tree in versions:
            files = written(folder / "tree", tree)
            known = IndexFile(folder / "index")
            assert result(searched(files, FOUR, index=known)) == result(searched(files, FOUR))
            assert known.warnings == []


def test_unchanged_files_are_not_read_again(tmp_path: Path, read_files: list[str]) -> None:
    texts = {"a.java": in_class(SUM), "b.java": in_class(OTHER), "c.java": in_class(SUM)}
    files = written(tmp_path / "tree", texts)
    settle(tmp_path / "tree")
    first = result(searched(files, THREE, index=IndexFile(tmp_path / "index")))
    assert sorted(read_files) == ["a.java", "b.java", "c.java"]
    read_files.clear()
    assert result(searched(files, THREE, index=IndexFile(tmp_path / "index"))) == first
    assert read_files == []
    files = written(tmp_path / "tree", {**texts, "b.java": in_class(SUM, OTHER)})
    assert result(searched(files, THREE, index=IndexFile(tmp_path / "index"))) == result(searched(files, THREE))
    assert read_files[0] == "b.java"


def test_unchanged_files_are_not_even_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = written(tmp_path / "tree", {"a.java": in_class(SUM), "b.java": in_class(SUM)})
    settle(tmp_path / "tree")
    first = result(searched(files, THREE, index=IndexFile(tmp_path / "index")))
    monkeypatch.setattr(index, "raw_bytes", lambda file: pytest.fail("it was opened"))
    assert result(searched(files, THREE, index=IndexFile(tmp_path / "index"))) == first


def test_a_file_that_was_just_written_is_read(tmp_path: Path) -> None:
    """Its size and time prove nothing: it may change within a tick of the clock."""
    files = written(tmp_path / "tree", {"a.java": in_class(SUM), "b.java": in_class(SUM)})
    now = time.time_ns()
    os.utime(files[0].path, ns=(now, now))
    assert searched(files, THREE, index=IndexFile(tmp_path / "index")).pairs.num_rows == 3
    files[0].path.write_text(in_class(SUM).replace("sum", "all"))
    os.utime(files[0].path, ns=(now, now))
    found = searched(files, THREE, index=IndexFile(tmp_path / "index"))
    assert found.pairs["finder"].to_pylist() == ["renamed", "tokens"]


def test_moved_files_are_known_by_their_contents(tmp_path: Path, read_files: list[str]) -> None:
    searched(written(tmp_path / "one", {"a.java": in_class(SUM)}), THREE, index=IndexFile(tmp_path / "index"))
    read_files.clear()
    files = written(tmp_path / "two", {"x.java": in_class(SUM), "y.java": in_class(SUM)})
    assert searched(files, THREE, index=IndexFile(tmp_path / "index")).pairs.num_rows == 3
    assert read_files == []


def test_other_finders_and_options_have_separate_results(tmp_path: Path) -> None:
    files = written(tmp_path / "tree", {"a.java": in_class(SUM), "b.java": in_class(OTHER)})
    for finders in (THREE, THREE[:1], FOUR, [FINDERS["tokens"].with_parameters(units="tokens")]):
        for options in (
            SMALL,
            FinderOptions(min_tokens=99),
            FinderOptions(0.99, min_tokens=10),
            FinderOptions(0.5, 10),
        ):
            known = result(searched(files, finders, options, IndexFile(tmp_path / "index")))
            assert known == result(searched(files, finders, options))


def test_two_finders_of_one_name(tmp_path: Path) -> None:
    swapped = SUM.replace("s += x", "x += s")
    files = written(tmp_path / "tree", {"a.java": in_class(SUM), "b.java": in_class(swapped)})
    settle(tmp_path / "tree")
    both = [FINDERS["renamed"], FINDERS["renamed"].with_parameters(renaming="consistent")]
    for _ in range(2):
        assert searched(files, both, index=IndexFile(tmp_path / "index")).pairs.num_rows == 1


def _truncated(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _one_bit(data: bytes) -> bytes:
    return data[:-99] + bytes([data[-99] ^ 4]) + data[-98:]


@pytest.mark.parametrize("damage", [_truncated, _one_bit, lambda data: b"", lambda data: b"garbage" * 99])
@pytest.mark.parametrize("ending", ["part", "note"])
def test_damaged_parts_are_deleted(damage: Callable[[bytes], bytes], ending: str, tmp_path: Path) -> None:
    files = written(tmp_path / "tree", {"a.java": in_class(SUM), "b.java": in_class(SUM)})
    first = result(searched(files, THREE, index=IndexFile(tmp_path / "index")))
    (path,) = (tmp_path / "index").glob(f"*/*.{ending}")
    path.write_bytes(damage(path.read_bytes()))
    if ending == "part":  # which is read only if a file changed
        next((tmp_path / "index").glob("*/*.note")).unlink()
    again = IndexFile(tmp_path / "index")
    assert result(searched(files, THREE, index=again)) == first
    assert again.warnings == [f"{path}: A damaged part of the index was deleted."]
    healed = IndexFile(tmp_path / "index")
    assert result(searched(files, THREE, index=healed)) == first
    assert healed.warnings == []


def test_another_version_starts_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read_files: list[str]) -> None:
    files = written(tmp_path / "tree", {"a.java": in_class(SUM)})
    searched(files, THREE, index=IndexFile(tmp_path / "index"))
    monkeypatch.setattr(index, "version", lambda package: "99")
    read_files.clear()
    known = IndexFile(tmp_path / "index")
    searched(files, THREE, index=known)
    assert read_files == ["a.java"]
    assert known.warnings == []


def test_the_least_recently_used_parts_are_evicted(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    for number in range(4):
        files = written(tmp_path / "tree", {"a.java": in_class(SUM.replace("sum", f"sum{number}"))})
        searched(files, THREE, FinderOptions(min_tokens=number), IndexFile(folder))
        for path in folder.glob("*/*"):
            os.utime(path, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns - 10**10))
    sizes = {path: path.stat().st_size for path in folder.glob("*/*")}
    oldest = min(sizes, key=lambda path: path.stat().st_mtime)
    limit = sum(sizes.values())
    known = IndexFile(folder, limit_bytes=limit)
    searched(written(tmp_path / "tree", {"a.java": in_class(OTHER)}), THREE, FinderOptions(min_tokens=9), known)
    left = {path: path.stat().st_size for path in folder.glob("*/*.part")}
    assert oldest not in left
    assert 3 <= len(left) < 5
    assert sum(left.values()) <= limit


def test_an_index_that_is_too_small_keeps_nothing(tmp_path: Path) -> None:
    files = written(tmp_path / "tree", {"a.java": in_class(SUM), "b.java": in_class(SUM)})
    assert searched(files, THREE, index=IndexFile(tmp_path / "index", limit_bytes=100)).pairs.num_rows == 3
    assert parts(tmp_path / "index") == []


def test_a_folder_that_cannot_be_written_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "index").write_text("a file")
    known = IndexFile(tmp_path / "index")
    files = written(tmp_path / "tree", {"a.java": in_class(SUM), "b.java": in_class(SUM)})
    assert searched(files, THREE, index=known).pairs.num_rows == 3
    assert "cannot be written" in known.warnings[-1]


def test_many_small_parts_become_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read_files: list[str]) -> None:
    monkeypatch.setattr(index, "_MAX_PARTS", 3)
    texts = {}
    for number in range(7):
        texts[f"{number}.java"] = in_class(SUM.replace("sum", f"sum{number}"))
        files = written(tmp_path / "tree", texts)
        known = searched(files, THREE, index=IndexFile(tmp_path / "index"))
        assert len(parts(tmp_path / "index")) <= 3
    assert read_files == list(texts)
    assert result(known) == result(searched(files, THREE))


def _search_again_and_again(tree: Path, folder: Path, rounds: int) -> None:
    for number in range(rounds):
        name = f"{os.getpid()}.java"
        files = written(tree / name, {"a.java": in_class(SUM), name: in_class(SUM.replace("sum", f"sum{number}"))})
        known = IndexFile(folder)
        assert result(searched(files, THREE, index=known)) == result(searched(files, THREE))
        assert known.warnings == []


def test_two_processes_at_once(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    context = multiprocessing.get_context("spawn")
    arguments = (tmp_path / "tree", tmp_path / "index", 15)
    processes = [context.Process(target=_search_again_and_again, args=arguments) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert [process.exitcode for process in processes] == [0, 0]


def test_the_users_cache_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert IndexFile().folder == tmp_path / "clonetruth" / "search"
