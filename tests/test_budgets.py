"""Budgets: small files that would fill the memory are refused, by processes that may not use much of it."""

from __future__ import annotations

import gzip
import json
import lzma
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

import clonetruth
from clonetruth.budgets import VARIABLE, ReadingBudget, budget
from clonetruth.code.source import read_source
from clonetruth.errors import InputError
from clonetruth.find import find_clones, search
from clonetruth.formats.documents import read_document
from clonetruth.formats.pickles import read_columns
from clonetruth.formats.reports.registry import REPORT_FORMATS
from clonetruth.formats.reports.report import ReadingLog
from clonetruth.formats.streams import read_lines
from clonetruth.formats.tables import read_cells, read_rows
from clonetruth.formats.trees import read_tree
from clonetruth.formats.vectors import load_vectors
from clonetruth.options.find import FindOptions
from clonetruth.options.settings import read_settings
from clonetruth.sources import fempd
from clonetruth.store.results import read_result
from clonetruth.store.votes.databases import SQLiteDatabase
from clonetruth.training.learner import TrainingSpec
from clonetruth.training.model_folder import ModelContent, read_model, write_model

MEGABYTE = 10**6


def compressed(path: Path, head: bytes, block: bytes, times: int) -> Path:
    with lzma.open(path, "wb", preset=0) if path.suffix == ".xz" else gzip.open(path, "wb", compresslevel=6) as file:
        file.write(head)
        for _ in range(times):
            file.write(block)
    return path


def one_line(path: Path) -> Path:
    return compressed(path, b"left,right,label\n", b"a" * MEGABYTE, 400)


def one_field(path: Path) -> Path:
    return compressed(path, b'left,right,label\n"', (b"a" * 99 + b"\n") * 10_000, 400)


def many_rows(path: Path) -> Path:
    return compressed(path, b"left,right,label\n", (b"a" * 500 + b"," + b"b" * 500 + b",0\n") * 1000, 400)


BOMBS: dict[str, tuple[Callable[[Path], Path], str, str]] = {
    "one line": (one_line, "pairs.csv.gz", "line"),
    "one field": (one_field, "pairs.csv.gz", "line"),
    "many rows": (many_rows, "pairs.csv.gz", "expansion"),
    "many rows, xz": (many_rows, "pairs.csv.xz", "expansion"),
}

IMPORT = r"""
import re, sys, clonetruth
from clonetruth.errors import CloneTruthError
try:
    option = {"criterion": "textual", "texts": "none", "language": "java"}
    clonetruth.import_dataset("table", [sys.argv[1]], output=sys.argv[2], option=option)
except CloneTruthError as error:
    print(error)
# Not ru_maxrss: Linux carries the peak of the process that started this one over into it.
print(int(re.search(r"VmHWM:\s+(\d+) kB", open("/proc/self/status").read())[1]) // 1000)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak of memory is read from Linux's /proc")
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_compressed_file_that_expands_is_refused_within_bounded_memory(bomb: str, tmp_path: Path) -> None:
    write, name, exceeded = BOMBS[bomb]
    path = write(tmp_path / name)
    assert path.stat().st_size < 10 * MEGABYTE
    done = subprocess.run(
        [sys.executable, "-c", IMPORT, str(path), str(tmp_path / "out")], capture_output=True, text=True, check=True
    )
    message, peak = done.stdout.strip().rsplit("\n", 1)
    assert f"exceeds the budget '{exceeded}'" in message
    assert name in message
    assert f"{VARIABLE}={exceeded}=" in message
    assert int(peak) < 900, "megabytes"
    assert not (tmp_path / "out").exists()


@pytest.fixture
def small_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "line=1KB, document=2KB, member=3KB, unpacked=50KB, files=5, rows=50, class_pairs=10")


def zipped(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def arrays(path: Path) -> Path:
    np.savez_compressed(path, ids=np.array(["a"]), vectors=np.zeros((1, 5000)))
    return path


def array(path: Path, count: int) -> Path:
    np.save(path, np.zeros((count, 1)))
    path.with_suffix(".ids.txt").write_text("a\n", encoding="utf-8")
    return path


def model(folder: Path) -> Path:
    """A model folder whose weights are too large."""
    content = ModelContent("linear", TrainingSpec(), None, (), ("a",), {}, {"w": np.zeros(5000)}, None)
    write_model(folder / "m", content)
    return folder / "m"


def database(path: Path, *, text: str = "", rows: int = 1, statement: str = "") -> Path:
    """The three tables of FEMPD."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for table, columns in fempd._COLUMNS.items():
            names = ", ".join(f'"{name}"' for name in columns)
            connection.execute(f'CREATE TABLE "{table}" ({names})')
            for _ in range(rows):
                marks = ", ".join("?" * len(columns))
                connection.execute(f'INSERT INTO "{table}" VALUES ({marks})', (text or "1",) * len(columns))
        connection.executescript(statement)
    return path


def import_database(path: Path) -> object:
    return clonetruth.import_dataset("fempd", [path], output=path.parent / "out")


READERS: dict[str, tuple[Callable[[Path], object], str]] = {
    "lines": (lambda f: list(read_lines(written(f / "x.txt", b"a" * 2000))), "line"),
    "JSON lines": (lambda f: list(read_rows(written(f / "x.jsonl", b'"' + b"a" * 2000 + b'"'))), "line"),
    "CSV": (lambda f: list(read_cells(written(f / "x.csv", b"a," + b"b" * 2000))), "line"),
    "a CSV field": (lambda f: list(read_cells(written(f / "x.csv", b'"' + b"b\n" * 2000 + b'"'))), "line"),
    "a compressed file": (
        lambda f: list(read_lines(written(f / "x.gz", gzip.compress(b"row\n" * 20_000)))),
        "unpacked",
    ),
    "a document": (lambda f: read_document(written(f / "x.json", json.dumps(["a" * 3000]).encode())), "document"),
    "a pickle": (lambda f: read_columns(written(f / "x.pkl", b"\x80\x04X\xff\xff\x00\x00" + b"a" * 70_000)), "member"),
    "an archive's member": (lambda f: list(read_tree(zipped(f / "x.zip", {"a": b"a" * 4000}))), "member"),
    "an archive": (
        lambda f: list(read_tree(zipped(f / "x.zip", dict.fromkeys(map(str, range(9)), b"a")))),
        "files",
    ),
    "an archive's total": (
        lambda f: list(read_tree(zipped(f / "x.zip", dict.fromkeys("abc", b"a" * 2900)), ReadingBudget(unpacked=5000))),
        "unpacked",
    ),
    "arrays": (lambda f: load_vectors(arrays(f / "x.npz")), "member"),
    "an array": (lambda f: load_vectors(array(f / "x.npy", 5000)), "member"),
    "a model": (lambda f: read_model(model(f)), "member"),
    "a record": (lambda f: read_result(written(f / "x.json", json.dumps(["a" * 3000]).encode())), "document"),
    "settings": (
        lambda f: written(f / "clonetruth.toml", b"#" * 3000) and read_settings(FindOptions, f),
        "document",
    ),
    "source code": (lambda f: read_source(written(f / "x.java", b" " * 3000)), "document"),
    "a file of a folder": (lambda f: [m.read() for m in read_tree(written(f / "a", b"a" * 4000).parent)], "member"),
    "a database": (lambda f: import_database(database(f / "x.db", rows=3000)), "unpacked"),
    "a database's value": (lambda f: import_database(database(f / "x.db", text="a" * 2000)), "line"),
    "a database's table": (lambda f: import_database(database(f / "x.db", rows=60)), "rows"),
    "votes": (lambda f: SQLiteDatabase(written(f / "votes.sqlite", b"a" * 4000)).connect(), "member"),
}


@pytest.mark.usefixtures("small_budget")
@pytest.mark.parametrize("reader", READERS)
def test_every_reader_has_a_budget(reader: str, tmp_path: Path) -> None:
    read, exceeded = READERS[reader]
    with pytest.raises(InputError, match=f"exceeds the budget '{exceeded}' of .*{VARIABLE}={exceeded}="):
        read(tmp_path)


def test_a_stated_size_reserves_no_memory(tmp_path: Path) -> None:
    for shape in ((10**12, 1), (10**12, 0), (-1, -1), (10**30,)):
        path = array(tmp_path / "x.npy", 1)
        path.write_bytes(path.read_bytes().replace(b"(1, 1), }" + b" " * 40, f"{shape}, }}".encode().ljust(49)))
        assert str(shape).encode() in path.read_bytes()
        with pytest.raises(InputError, match=r"x\.npy: .*it states .* bytes, and the file has"):
            load_vectors(path)


def test_the_query_of_a_view_is_not_run(tmp_path: Path) -> None:
    columns = ", ".join(f'n AS "{name}"' for name in ("rowid", *fempd._COLUMNS["pairs"]))
    endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n FROM c)"
    path = database(
        tmp_path / "x.db", statement=f"DROP TABLE pairs; CREATE VIEW pairs AS {endless} SELECT {columns} FROM c"
    )
    with pytest.raises(InputError, match="The table 'pairs' is missing"):
        import_database(path)


@pytest.mark.usefixtures("small_budget")
def test_a_class_with_too_many_pairs_is_refused(tmp_path: Path) -> None:
    members = "".join(f'<source file="f{n}.java" startline="1" endline="9"/>' for n in range(6))
    path = written(tmp_path / "x.xml", f"<clones><class classid='1'>{members}</class></clones>".encode())
    with pytest.raises(InputError, match=r"x\.xml.* class of 6 locations exceeds the budget 'class_pairs'"):
        list(REPORT_FORMATS["nicad"].read([path], ReadingLog()))


@pytest.mark.parametrize("text", ["line", "line=", "line=x", "lines=5", "line=0", "line=5QB"])
def test_a_wrong_budget_is_named(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, text)
    with pytest.raises(InputError, match="is not a budget"):
        budget()


def test_budgets_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert budget() == ReadingBudget()
    monkeypatch.setenv(VARIABLE, "line=2MB, found_pairs=7")
    assert budget() == ReadingBudget(line=2 * MEGABYTE, found_pairs=7)


def test_a_search_with_too_many_pairs_keeps_its_classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = "\n".join(f"    total += values[{n}] * weights[{n}];" for n in range(12))
    # Exceeding the budget by whole chunks, so that pairs beyond it are left out.
    monkeypatch.setattr(search, "_AT_ONCE", 16)
    for number in range(40):
        name = f"f{number}" if number % 2 else "same"
        (tmp_path / f"A{number}.java").write_text(
            f"class A{number} {{\n  int {name}(int[] values, int[] weights) {{\n    int total = 0;\n{body}\n"
            "    return total;\n  }\n}\n",
            encoding="utf-8",
        )
    everything = find_clones([tmp_path], index=False)
    monkeypatch.setenv(VARIABLE, "found_pairs=100")
    limited = find_clones([tmp_path], index=False)
    assert [len(one.members) for one in limited.classes] == [len(one.members) for one in everything.classes]
    assert sum(limited.pairs.values()) < sum(everything.pairs.values())
    assert any("pairs more than the budget 'found_pairs' of 100" in note for note in limited.notes)
    assert not any("budget" in note for note in everything.notes)
