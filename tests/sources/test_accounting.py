"""Everything that an import is given is used or listed: files, rows, implausible values."""

from __future__ import annotations

import contextlib
import gzip
import json
import lzma
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.formats.reads import record_reads
from clonetruth.formats.streams import read_lines
from clonetruth.formats.trees import read_tree
from clonetruth.model import Card, Dataset, Fragment, Judge, JudgeKind, Judgement, Pair
from clonetruth.sources import SOURCES, ImportLog, SourceCard, import_dataset
from clonetruth.sources.accounting import account_for_files, check_values
from clonetruth.store import Benchmark
from clonetruth.store.incoming import batches
from tests.cli.running import run
from tests.sources import bcb_fixtures, pair_samples

RULE = Judge("rule:any", JudgeKind.RULE, "Any", "For tests.")


class InMemory:
    """A source that yields what a test gives it."""

    card = SourceCard(
        Card("in-memory", "1", "For tests.", "none", "none", "functionally-similar", ("java",)), RULE, "", ""
    )

    def __init__(self, dataset: Dataset) -> None:
        self.dataset = dataset

    def recognise(self, paths: Sequence[Path]) -> None:
        """Never."""

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """The dataset as given."""
        return self.dataset


def import_rows(monkeypatch: pytest.MonkeyPatch, output: Path, *, strict: bool = False, **tables: Any) -> Any:
    source = InMemory(Dataset(card=InMemory.card.card, judges=[RULE], **tables))
    monkeypatch.setattr("clonetruth.sources.importer.SOURCES", {**SOURCES, "in-memory": source})
    return import_dataset("in-memory", output=output, strict=strict)


def _reversed(first: int | None, last: int | None) -> bool:
    return first is not None and last is not None and first > last


NUMBERS = st.one_of(st.none(), st.floats(), st.floats(-0.5, 1.5))
LINES = st.one_of(st.none(), st.integers(-2, 5))


@settings(max_examples=25)
@given(spans=st.lists(st.tuples(LINES, LINES), min_size=1), numbers=st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS)))
def test_every_implausible_value_of_any_source_is_listed_and_becomes_unknown(
    spans: list[tuple[int | None, int | None]], numbers: list[tuple[float | None, float | None, float | None]]
) -> None:
    tables: dict[str, list[Any]] = {
        "fragments": [Fragment(f"f{n}", "java", "x", first_line=a, last_line=b) for n, (a, b) in enumerate(spans)],
        "pairs": [Pair("f", "g", claimed_similarity_line=a, claimed_similarity_token=b) for a, b, _ in numbers],
        "judgements": [Judgement("j", "functionally-similar", "clone", 0, confidence=c) for _, _, c in numbers],
    }
    bad_spans = [any(line < 1 for line in (a, b) if line is not None) or _reversed(a, b) for a, b in spans]
    bad_numbers = [[value is not None and not 0 <= value <= 1 for value in row] for row in numbers]
    log = ImportLog()
    kept = {
        name: [row for batch in check_values(name, batches(name, rows), log) for row in batch.to_pylist()]
        for name, rows in tables.items()
    }
    assert sum(log.reasons.values()) == len(log.skipped) == sum(bad_spans) + sum(map(sum, bad_numbers))
    assert [(row["first_line"], row["last_line"]) for row in kept["fragments"]] == [
        (None, None) if bad else span for bad, span in zip(bad_spans, spans, strict=True)
    ]
    stored = [
        (pair["claimed_similarity_line"], pair["claimed_similarity_token"], judgement["confidence"])
        for pair, judgement in zip(kept["pairs"], kept["judgements"], strict=True)
    ]
    assert stored == [
        tuple(None if bad else value for bad, value in zip(*row, strict=True))
        for row in zip(bad_numbers, numbers, strict=True)
    ]
    strict = ImportLog(strict=True)
    checked = (batch for name, rows in tables.items() for batch in check_values(name, batches(name, rows), strict))
    with pytest.raises(InputError) if log.reasons else contextlib.nullcontext():
        list(checked)


def test_texts_that_are_missing_for_all_fragments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables: dict[str, Any] = {"fragments": [Fragment("a", "java", ""), Fragment("b", "java", " \n")]}
    with pytest.raises(InputError, match="Nothing is left"):
        import_rows(monkeypatch, tmp_path / "nothing", **tables)
    assert not (tmp_path / "nothing").exists()
    tables["pairs"] = [Pair("a", "b")]
    report = import_rows(monkeypatch, tmp_path / "ids", **tables)
    assert report.reasons == {"no fragment has a text: only ids can be compared": 1}
    with pytest.raises(InputError, match="No fragment has a text"):
        import_rows(monkeypatch, tmp_path / "strict", strict=True, **tables)
    tables["fragments"][0] = Fragment("a", "java", "int a;")
    assert import_rows(monkeypatch, tmp_path / "some", strict=True, **tables).reasons == {}


def test_ids_without_texts_can_be_asked_for(tmp_path: Path) -> None:
    table = tmp_path / "pairs.csv"
    table.write_text("left,right,label\na,b,1\n")
    options = {"language": "java", "texts": "none", "criterion": "functionally-similar"}
    report = import_dataset("table", [table], output=tmp_path / "out", option=options, strict=True)
    assert report.reasons == {}


def test_import_auto_lists_the_logs_that_it_does_not_read(tmp_path: Path) -> None:
    paths = bcb_fixtures.bcb406(tmp_path)
    (tmp_path / "logs").mkdir()
    logs = [path for path in pair_samples.openai_log(tmp_path / "logs") if ".log" in path.name]
    files = import_dataset("auto", [*paths, *logs], output=tmp_path / "out").files
    assert {one.where for one in files.unused} == {str(log) for log in logs}
    assert all("'openai-log' does" in one.reason for one in files.unused)
    assert files.named == files.used + len(logs)
    shown = run("import", "auto", *paths, *logs, "-o", tmp_path / "again").out
    assert "Files that were not used" in shown
    assert all(str(log) in shown for log in logs)


@pytest.mark.parametrize("name", ["list.csv", "list.jsonl.gz", "list.txt.xz"])
def test_an_empty_file_is_called_empty(name: str, tmp_path: Path) -> None:
    """A list without a single row is not a file of another dataset."""
    path = tmp_path / name
    path.write_bytes({".gz": gzip.compress(b""), ".xz": lzma.compress(b"")}.get(path.suffix, b""))
    files = import_dataset("auto", [*bcb_fixtures.bcb406(tmp_path), path], output=tmp_path / "out").files
    assert [(one.where, one.reason) for one in files.unused] == [(str(path), "the file is empty")]


def test_files_in_folders_and_archives_count_one_by_one(tmp_path: Path) -> None:
    (tmp_path / "data" / "deep").mkdir(parents=True)
    for name in ("a.txt", "b.txt", "deep/c.txt", "deep/d.txt"):
        (tmp_path / "data" / name).write_text(name)
    with zipfile.ZipFile(tmp_path / "data" / "e.zip", "w") as archive:
        archive.writestr("in/f.txt", "f")
        archive.writestr("in/g.txt", "g")
    with zipfile.ZipFile(tmp_path / "unread.zip", "w") as archive:
        archive.writestr("h.txt", "h")
    log = ImportLog()
    with record_reads() as record:
        list(read_lines(tmp_path / "data" / "a.txt"))
        for tree in ("data/deep", "data/e.zip"):
            for member in read_tree(tmp_path / tree):
                member.read()
                break
    log.leave_out(tmp_path / "data" / "b.txt", "it is the wrong one")
    paths = [tmp_path / "data", tmp_path / "unread.zip", tmp_path / "data" / "a.txt"]
    account = account_for_files(paths, record, log, lambda path: "unknown")
    assert {one.where.removeprefix(f"{tmp_path}/"): one.reason for one in account.unused} == {
        "data/b.txt": "it is the wrong one",
        "data/deep/d.txt": "unknown",
        "data/e.zip/in/g.txt": "unknown",
        "unread.zip": "unknown",
    }
    assert (account.named, account.used) == (7, 3)


def test_the_import_record_names_the_unused_files(tmp_path: Path) -> None:
    paths = bcb_fixtures.bcb406(tmp_path)
    note = tmp_path / "notes.txt"
    note.write_text("notes")
    import_dataset("bcb406", [*paths, note], output=tmp_path / "out")
    record = json.loads((tmp_path / "out" / "records" / "import.json").read_text())
    assert [one["where"] for one in record["files"]["unused"]] == [str(note)]
    assert Benchmark.open(tmp_path / "out").counts["pairs"]
