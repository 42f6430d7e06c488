"""Evidence that arrives later: matched by id or by text, attached once, listed where it does not match."""

from __future__ import annotations

import contextlib
import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clonetruth.errors import CloneTruthError, InputError
from clonetruth.model import (
    Card,
    Dataset,
    Fragment,
    Functionality,
    Judge,
    JudgeKind,
    Judgement,
    Membership,
    Pair,
    Role,
    VerdictValue,
)
from clonetruth.sources import attach_evidence, import_dataset
from clonetruth.sources.attach import AttachReport
from clonetruth.store import Benchmark, describe_benchmark, open_benchmark
from clonetruth.studies import export_study, sample_study
from clonetruth.verdicts import judge_verdicts
from tests.cli.running import run
from tests.sources import bcb_fixtures

CARD = Card("small", "1", "For tests.", "none", "none", "same-main-purpose", ("java",))
RULE = Judge("rule:small", JudgeKind.RULE, "Small", "For tests.")
NAMES = ("a", "b", "c", "d")
STATED: dict[str, Any] = {"criterion": "same-main-purpose", "judge": "ann", "judge_kind": "person"}


def text_of(name: str) -> str:
    return f"int {name}(int x) {{\n    return x + {ord(name)};\n}}\n"


def create(path: Path, *, prefix: str = "", pairs: Sequence[tuple[str, str]] = (("a", "b"), ("c", "b"))) -> Benchmark:
    return Benchmark.create(
        path,
        Dataset(
            card=CARD,
            fragments=[Fragment(prefix + name, "java", text_of(name)) for name in NAMES],
            functionalities=[Functionality("1", "functionality 1"), Functionality("2", "functionality 2")],
            memberships=[Membership(prefix + name, "1", Role.TAGGED_TRUE) for name in NAMES],
            pairs=[Pair(prefix + left, prefix + right, "1") for left, right in pairs],
            judges=[RULE],
            judgements=[Judgement(RULE.id, CARD.criterion, "clone", pair) for pair in range(len(pairs))],
        ),
    )


def write_csv(path: Path, header: Sequence[str], rows: Sequence[Sequence[object]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def answers(benchmark: Path | Benchmark, judge: str = "person:ann") -> list[tuple[int, str]]:
    table = open_benchmark(benchmark).table("judgements")
    rows = sorted((row for row in table.to_pylist() if row["judge"] == judge), key=lambda row: row["sequence"])
    return [(row["pair"], row["value"]) for row in rows]


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def accounted(report: AttachReport) -> bool:
    """Every judgement in the files is used or listed, and every named file."""
    return all(
        one.attached_before or one.judgements == one.used + len(one.unmatched) for one in report.evidence
    ) and report.files.named == report.files.used + len(report.files.unused)


HEADER = ("left", "right", "label")
ROWS = [("b", "a", 1), ("c", "b", "not-clone"), ("a", "z", 0), ("a", "d", 1)]


def as_csv(folder: Path) -> Path:
    return write_csv(folder / "labels.csv", HEADER, ROWS)


def as_tsv(folder: Path) -> Path:
    path = folder / "labels.tsv"
    path.write_text("\n".join("\t".join(map(str, row)) for row in (HEADER, *ROWS)) + "\n", encoding="utf-8")
    return path


def as_jsonl(folder: Path) -> Path:
    path = folder / "labels.jsonl"
    path.write_text("".join(json.dumps(dict(zip(HEADER, row, strict=True))) + "\n" for row in ROWS), encoding="utf-8")
    return path


def as_parquet(folder: Path) -> Path:
    rows = [{name: str(cell) for name, cell in zip(HEADER, row, strict=True)} for row in ROWS]
    pq.write_table(pa.Table.from_pylist(rows), folder / "labels.parquet")
    return folder / "labels.parquet"


def as_workbook(folder: Path) -> Path:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in (HEADER, *ROWS):
        book.active.append(list(row))
    book.save(folder / "labels.xlsx")
    return folder / "labels.xlsx"


@pytest.mark.parametrize("write", [as_csv, as_tsv, as_jsonl, as_parquet, as_workbook])
def test_a_table_is_attached_once(write: Any, tmp_path: Path) -> None:
    benchmark = create(tmp_path / "small")
    before = benchmark.content_hash
    table = write(tmp_path)
    report = attach_evidence(benchmark.path, [table], **STATED)
    assert answers(benchmark) == [(0, "clone"), (1, "not-clone")]
    one = report.evidence[0]
    assert (one.judgements, one.used, one.added, one.matched_by_id, one.matched_by_text) == (4, 2, 2, 4, 0)
    assert dict(one.reasons) == {
        "the benchmark has no fragment with this id": 1,
        "the benchmark has both fragments, but not as a pair": 1,
    }
    assert accounted(report)
    again = attach_evidence(benchmark.path, [table], **STATED)
    assert again.evidence[0].attached_before
    for record in (benchmark.path / "records").glob("attach-*.json"):
        record.unlink()  # as if the process had been killed before it wrote the record
    assert attach_evidence(benchmark.path, [table], **STATED).added == 0
    assert answers(benchmark) == [(0, "clone"), (1, "not-clone")]
    assert Benchmark.open(benchmark.path).content_hash == before
    Benchmark.open(benchmark.path).verify()


def test_texts_match_without_comments_and_layout_in_either_order(tmp_path: Path) -> None:
    benchmark = create(tmp_path / "small", prefix="ours-")
    layout = text_of("b").replace("\n", " ").replace("    ", "")
    comment = text_of("c").replace("{\n", "{\n    // adds a number\n")
    rows = [(layout, text_of("a"), 1), (comment, text_of("b"), 0), (text_of("a"), "int z;", 1)]
    table = write_csv(tmp_path / "labels.csv", ("left_text", "right_text", "label"), rows)
    report = attach_evidence(benchmark.path, [table], **STATED)
    assert answers(benchmark) == [(0, "clone"), (1, "not-clone")]
    one = report.evidence[0]
    assert (one.matched_by_id, dict(one.reasons)) == (0, {"the benchmark has no fragment with this id or this text": 1})
    assert one.matched_by_text == 5  # each side of a row is a fragment of its own
    assert accounted(report)
    with pytest.raises(InputError, match="Nothing applies"):
        attach_evidence(benchmark.path, [table], match="id", **STATED)


def test_a_text_that_occurs_twice_is_judged_everywhere(tmp_path: Path) -> None:
    fragments = [Fragment("a", "java", "int a;"), Fragment("a2", "java", "int  a;"), Fragment("b", "java", "int b;")]
    benchmark = Benchmark.create(
        tmp_path / "twins",
        Dataset(card=CARD, fragments=fragments, pairs=[Pair("a", "b"), Pair("b", "a2"), Pair("a", "a2")]),
    )
    table = write_csv(
        tmp_path / "t.csv", ("left_text", "right_text", "label"), [("int a;", "int b;", 1), ("int a;", "int a;", 0)]
    )
    report = attach_evidence(benchmark.path, [table], **STATED)
    assert sorted(answers(benchmark)) == [(0, "clone"), (1, "clone"), (2, "not-clone")]
    assert (report.evidence[0].used, report.added) == (2, 3)


def test_an_equal_id_with_another_text_does_not_match(tmp_path: Path) -> None:
    benchmark = create(tmp_path / "small")
    header = ("left", "right", "left_text", "right_text", "label")
    table = write_csv(tmp_path / "t.csv", header, [("a", "b", "int other;", text_of("b"), 1), ("b", "c", "", "", 1)])
    report = attach_evidence(benchmark.path, [table], **STATED)
    assert answers(benchmark) == [(1, "clone")]
    assert dict(report.evidence[0].reasons) == {"the benchmark has this id with another text": 1}


@pytest.mark.parametrize("missing", STATED)
def test_what_was_asked_and_who_answered_are_never_guessed(missing: str, tmp_path: Path) -> None:
    benchmark = create(tmp_path / "small")
    before = files_in(benchmark.path)
    stated = {name: value for name, value in STATED.items() if name != missing}
    with pytest.raises(InputError, match="does not say") as caught:
        attach_evidence(benchmark.path, [as_csv(tmp_path)], **stated)
    assert f"--{missing.replace('_', '-')}" in str(caught.value.hint)
    assert files_in(benchmark.path) == before


def test_columns_may_say_who_answered_what(tmp_path: Path) -> None:
    benchmark = create(tmp_path / "small")
    header = (
        "left",
        "right",
        "verdict",
        "judge",
        "kind",
        "criterion",
        "confidence",
        "reason",
        "fragment",
        "functionality",
    )
    rows = [
        ("a", "b", "T", "gpt", "llm", "functionally-similar", "0.9", "both add", "", ""),
        ("", "", "minor", "bob", "person", "implements-functionality", "", "", "c", "1"),
        ("a", "b", "maybe", "gpt", "llm", "functionally-similar", "", "", "", ""),
        ("a", "b", "", "gpt", "llm", "functionally-similar", "", "", "", ""),
        ("a", "b", "T", "gpt", "oracle", "functionally-similar", "", "", "", ""),
    ]
    report = attach_evidence(benchmark.path, [write_csv(tmp_path / "t.csv", header, rows)])
    stored = Benchmark.open(benchmark.path).sql(
        "SELECT j.kind, g.judge, g.value, g.confidence, g.reason, g.pair, f.id, u.id AS u FROM judgements g "
        "JOIN judges j ON g.judge = j.judge LEFT JOIN fragments f ON g.fragment = f.fragment "
        "LEFT JOIN functionalities u ON g.functionality = u.functionality WHERE j.kind <> 'rule' ORDER BY j.kind"
    )
    assert [tuple(row.values()) for row in stored.to_pylist()] == [
        ("llm", "llm:gpt", "clone", 0.9, "both add", 0, None, None),
        ("person", "person:bob", "minor", None, None, None, "c", "1"),
    ]
    assert dict(report.evidence[0].reasons) == {
        "the answer is not one that the criterion permits": 1,
        "the row has no answer": 1,
        "the criterion, the judge or the kind of judge is missing or unknown": 1,
    }


def test_strict_and_dry_run_write_nothing(tmp_path: Path) -> None:
    benchmark = create(tmp_path / "small")
    before = files_in(benchmark.path)
    with pytest.raises(InputError, match="Not everything can be attached"):
        attach_evidence(benchmark.path, [as_csv(tmp_path)], strict=True, **STATED)
    report = attach_evidence(benchmark.path, [as_csv(tmp_path)], dry_run=True, **STATED)
    assert report.added == 2
    photo = tmp_path / "photo.png"
    photo.write_bytes(b"\x89PNG")
    report = attach_evidence(benchmark.path, [photo], dry_run=True)
    assert [one.where for one in report.files.unused] == [str(photo)]
    with pytest.raises(InputError, match="Nothing applies"):
        attach_evidence(benchmark.path, [photo])
    assert files_in(benchmark.path) == before


@pytest.mark.slow
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    versions=st.lists(
        st.lists(st.tuples(st.sampled_from(["ab", "cb", "ad"]), st.sampled_from(["clone", "not-clone"])), max_size=5),
        min_size=1,
        max_size=3,
    )
)
def test_what_the_last_file_says_counts_and_nothing_is_stored_twice(
    versions: list[list[tuple[str, str]]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("versions")
    benchmark = create(folder / "small")
    expected: dict[int, set[str]] = {}
    for number, version in enumerate(versions):
        rows = [(pair[0], pair[1], value) for pair, value in version if pair != "ad"]
        said: dict[int, set[str]] = {}
        for left, _, value in rows:
            said.setdefault(0 if left == "a" else 1, set()).add(value)
        # A row that does not match keeps the files different.
        table = write_csv(folder / "t.csv", HEADER, [*rows, ("a", "d", "clone" if number % 2 else "not-clone")])
        with contextlib.suppress(InputError) if not rows else contextlib.nullcontext():
            assert accounted(attach_evidence(benchmark.path, [table], **STATED))
        expected |= said
        stored = Benchmark.open(benchmark.path).table("judgements").to_pylist()
        latest: dict[int, tuple[int, set[str]]] = {}
        for row in sorted((row for row in stored if row["judge"] == "person:ann"), key=lambda row: row["sequence"]):
            arrival, values = latest.get(row["pair"], (-1, set()))
            latest[row["pair"]] = (row["sequence"], {row["value"], *(values if arrival == row["sequence"] else ())})
        assert {pair: values for pair, (_, values) in latest.items()} == expected
        for record in (benchmark.path / "records").glob("attach-*.json"):
            record.unlink()
        with contextlib.suppress(InputError) if not rows else contextlib.nullcontext():
            assert attach_evidence(benchmark.path, [table], **STATED).added == 0


def test_names_and_specifications_arrive_later(tmp_path: Path) -> None:
    benchmark = create(tmp_path / "small")
    names = write_csv(
        tmp_path / "names.csv",
        ("functionality_id", "name", "description"),
        [(1, "Add", "Adds a number."), (7, "x", "y")],
    )
    report = attach_evidence(benchmark.path, [names])
    assert (report.evidence[0].described, dict(report.evidence[0].reasons)) == (
        1,
        {"the benchmark has no functionality with this id or name": 1},
    )
    asked = "SELECT name, specification FROM functionalities ORDER BY functionality"
    assert [tuple(row.values()) for row in Benchmark.open(benchmark.path).sql(asked).to_pylist()] == [
        ("Add", "Adds a number."),
        ("functionality 2", None),
    ]
    again = write_csv(tmp_path / "better.csv", ("functionality", "name"), [("add", "Sum")])
    attach_evidence(benchmark.path, [again])
    described = Benchmark.open(benchmark.path).functionalities().to_pylist()
    assert (described[0]["name"], described[0]["specification"]) == ("Sum", "Adds a number.")
    assert len(describe_benchmark(benchmark.path).later["descriptions"]) == 2
    Benchmark.open(benchmark.path).verify()
    study = sample_study(benchmark.path, output=tmp_path / "study", n=2)
    assert study.functionalities.select(["name", "specification"]).to_pylist() == [
        {"name": "Sum", "specification": "Adds a number."}
    ]


def test_a_study_is_attached_to_another_benchmark_by_text(tmp_path: Path) -> None:
    ours, theirs = create(tmp_path / "ours"), create(tmp_path / "theirs", prefix="their-")
    study = sample_study(theirs.path, output=tmp_path / "study", n=2, criterion="same-main-purpose")
    study.add_answers("ann", {0: "clone", 1: "not-clone"}, name="Ann Smith")
    report = attach_evidence(ours.path, [study.path])
    one = report.evidence[0]
    assert (one.source, one.used, one.added, one.matched_by_text) == ("study", 2, 2, 3)
    assert "Ann Smith" not in Benchmark.open(ours.path).table("judges")["name"].to_pylist()
    assert attach_evidence(theirs.path, [study.path]).evidence[0].matched_by_id == 3
    assert export_study(study.path, to=theirs.path).added == 0, "attach and export store the same judgements"


def test_another_benchmark_is_attached(tmp_path: Path) -> None:
    ours, theirs = create(tmp_path / "ours"), create(tmp_path / "theirs", prefix="their-")
    attach_evidence(theirs.path, [write_csv(tmp_path / "t.csv", HEADER, [("their-a", "their-b", 0)])], **STATED)
    report = attach_evidence(ours.path, [theirs.path])
    assert answers(ours) == [(0, "not-clone")]
    assert report.evidence[0].known == 2, "the rule's labels are the same in both"


def test_labels_of_another_lab_are_not_the_datasets_own(tmp_path: Path) -> None:
    benchmark = create(tmp_path / "small")
    table = write_csv(tmp_path / "theirs.csv", HEADER, [("a", "b", 0), ("c", "b", 0)])
    labels = {"criterion": CARD.criterion, "judge": "other-lab", "judge_kind": "rule"}
    for _ in range(2):
        attach_evidence(benchmark.path, [table], **labels)
        assert judge_verdicts(benchmark.path, "origin").counts == {"clone": 2, "not-clone": 0, "unknown": 0}
    assert answers(benchmark, "rule:other-lab") == [(0, "not-clone"), (1, "not-clone")]
    better = write_csv(tmp_path / "better.csv", HEADER, [("a", "b", 1)])
    attach_evidence(benchmark.path, [better], **labels)
    assert judge_verdicts(benchmark.path, "default").counts[VerdictValue.UNKNOWN] == 2


class Stop(BaseException):
    """A kill."""


@pytest.mark.parametrize("step", range(1, 4))
def test_a_kill_at_any_write_leaves_a_whole_benchmark_that_a_second_run_completes(
    step: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    benchmark = create(tmp_path / "small")
    table = as_csv(tmp_path)
    names = write_csv(tmp_path / "names.csv", ("functionality", "name"), [(1, "Add")])
    replaced = Path.replace
    calls = []

    def killed(path: Path, target: Path) -> Path:
        calls.append(target)
        if len(calls) == step:
            raise Stop
        return replaced(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", killed)
        with pytest.raises(Stop):
            attach_evidence(benchmark.path, [table, names], **STATED)
    Benchmark.open(benchmark.path).verify()
    attach_evidence(benchmark.path, [table, names], **STATED)
    assert answers(benchmark) == [(0, "clone"), (1, "not-clone")]
    assert Benchmark.open(benchmark.path).functionalities()["name"].to_pylist()[0] == "Add"
    assert len(list((benchmark.path / "records").glob("attach-*.json"))) == 2
    assert not list(benchmark.path.rglob("*clonetruth-unfinished"))


def test_a_sheet_of_experts_may_be_a_workbook(tmp_path: Path) -> None:
    sheet, *texts = bcb_fixtures.bcb406(tmp_path)
    book = openpyxl.Workbook()
    assert book.active is not None
    with sheet.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            book.active.append([cell or None for cell in row])
    book.save(tmp_path / "sheet.xlsx")
    one = import_dataset("bcb406", [sheet, *texts], output=tmp_path / "one").benchmark
    two = import_dataset("auto", [tmp_path / "sheet.xlsx", *texts], output=tmp_path / "two").benchmark
    assert (one.content_hash, one.judgements_hash) == (two.content_hash, two.judgements_hash)


def test_damaged_workbooks_are_input_errors(tmp_path: Path) -> None:
    benchmark = create(tmp_path / "small")
    good = as_workbook(tmp_path).read_bytes()
    for damaged in (b"", b"PK\3\4", good[: len(good) // 2], good.replace(b"sheet1", b"sheet9")):
        (tmp_path / "labels.xlsx").write_bytes(damaged)
        with pytest.raises(CloneTruthError):
            attach_evidence(benchmark.path, [tmp_path / "labels.xlsx"], **STATED)


def test_the_command_line(tmp_path: Path) -> None:
    benchmark = create(tmp_path / "small")
    table = as_csv(tmp_path)
    stated = ("--criterion", "same-main-purpose", "--judge", "ann", "--judge-kind", "person")
    done = run("attach", benchmark.path, table, *stated)
    assert done.code == 0
    assert "4 fragments matched by id, 0 by text" in done.out
    assert "the benchmark has both fragments, but not as a pair" in done.out
    assert run("attach", benchmark.path, table, *stated, "--json").json["evidence"][0]["attached_before"] is True


def test_real_logs_are_attached_to_the_experts_pairs(shared_data: Path, tmp_path: Path) -> None:
    files = shared_data / "bcb406"
    report = import_dataset(
        "bcb406", [files / "Samples Investigation.csv", files / "snippets.zip"], output=tmp_path / "experts"
    )
    logs = sorted(files.glob("openai.*.log.xz"))
    attached = attach_evidence(report.path, logs)
    one = attached.evidence[0]
    assert (one.source, one.judgements, one.added, one.unmatched) == ("openai-log", 542, 542, ())
    alone = import_dataset("openai-log", logs, output=tmp_path / "logs").benchmark
    counted = "SELECT judge, value, count(*) AS n FROM judgements WHERE judge LIKE 'llm:%' GROUP BY judge, value"
    rows = [
        sorted(tuple(row.values()) for row in benchmark.sql(counted).to_pylist())
        for benchmark in (report.benchmark, alone)
    ]
    assert rows[0] == rows[1]
    assert attach_evidence(report.path, logs[:1]).evidence[0].known == 271, "known by their rows, not only by the file"
