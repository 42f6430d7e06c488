"""Exports in common formats, and their import."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.cli import cli
from clonetruth.errors import CloneTruthError, InputError
from clonetruth.measures import classify_pairs
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
)
from clonetruth.report.export import EXPORTS, export_benchmark
from clonetruth.sources import import_dataset
from clonetruth.store import Benchmark
from clonetruth.store.schemas import CORE

CARD = Card("mine", "1", "A few pairs.", "MIT", "Nobody.", "functionally-similar", ("java",), known_flaws=("Small.",))
ADA = Judge("person:ada", JudgeKind.PERSON, "Ada")
BOB = Judge("person:bob", JudgeKind.PERSON, "Bob")
EVE = Judge("llm:eve", JudgeKind.LLM, "Eve", "A model.")
RULE = Judge("rule:mine", JudgeKind.RULE, "The labels")
LABELS = ("clone", "not-clone", None, "clone", "clone")
"""Ada's verdict on each pair."""

PAIRS = [("a", "b"), ("a", "c"), ("b", "c"), ("a", "b"), ("c", "d")]


def make(folder: Path, parts: tuple[str | None, ...] = ("train", "valid", "test", "train", "test")) -> Benchmark:
    fragments = [
        Fragment(
            name,
            "java",
            f'int {name}() {{\r\n\treturn "é,\n";\n}}\0',
            path=f"selected/{name}.java",
            first_line=1,
            last_line=3,
        )
        for name in "abc"
    ]
    fragments.append(Fragment("d", "python", "def d(): pass", path="d, e.py", first_line=1, last_line=1))
    judgements = [Judgement(ADA.id, CARD.criterion, label, row) for row, label in enumerate(LABELS) if label]
    judgements += [Judgement(RULE.id, CARD.criterion, "not-clone", row) for row in range(len(PAIRS))]
    return Benchmark.create(
        folder,
        Dataset(
            CARD,
            fragments,
            [Functionality("f", "Something")],
            (),
            [Pair(*sides, "f", claimed_type="T4", claimed_part=part) for sides, part in zip(PAIRS, parts, strict=True)],
            (ADA, RULE),
            judgements,
        ),
    )


def content(benchmark: Benchmark) -> list[tuple[Any, ...]]:
    """The labelled pairs with label, part, functionality, languages and texts, in order."""
    rows = benchmark.sql(
        """
        SELECT l.id AS left_id, r.id AS right_id, g.value AS label, p.claimed_part AS part, f.id AS functionality,
            l.text AS left_text, r.text AS right_text, l.language AS left_language, r.language AS right_language
        FROM judgements g JOIN judges j ON g.judge = j.judge JOIN pairs p ON g.pair = p.pair
        JOIN fragments l ON p.left = l.fragment JOIN fragments r ON p.right = r.fragment
        LEFT JOIN functionalities f ON p.functionality = f.functionality
        WHERE j.kind = (SELECT min(kind) FROM judges) ORDER BY part, p.pair
        """
    )
    return [tuple(row.values()) for row in rows.to_pylist()]


@pytest.mark.parametrize(("format_name", "source"), [("csv", "table"), ("huggingface", "huggingface")])
def test_an_export_can_be_imported(format_name: str, source: str, tmp_path: Path) -> None:
    benchmark = make(tmp_path / "benchmark")
    report = export_benchmark(benchmark, format_name, output=tmp_path / "export")
    assert (report.written, report.parts) == ({"clone": 3, "not-clone": 1}, {"test": 1, "train": 2, "valid": 1})
    assert report.left_out == {"the policy gives no verdict": 1}
    back = import_dataset(
        source, [tmp_path / "export"], output=tmp_path / "back", strict=True, criterion=CARD.criterion
    )
    assert content(Benchmark.open(back.path)) == content(benchmark)
    bare = tmp_path / "bare"
    export_benchmark(benchmark, format_name, output=bare, sidecar=False)
    assert import_dataset("auto", [bare], output=tmp_path / "auto", criterion=CARD.criterion).source == source


def test_codexglue_lists_can_be_imported_as_tables(tmp_path: Path) -> None:
    export_benchmark(make(tmp_path / "benchmark"), "codexglue", output=tmp_path / "export")
    lists = {part: (tmp_path / "export" / f"{part}.txt").read_text() for part in ("train", "valid", "test")}
    assert lists == {"train": "a\tb\t1\na\tb\t1\n", "valid": "a\tc\t0\n", "test": "c\td\t1\n"}
    texts = [json.loads(line) for line in (tmp_path / "export" / "data.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["idx"] for row in texts] == ["a", "b", "c", "d"]
    options = {
        "left": "1",
        "right": "2",
        "label": "3",
        "texts": str(tmp_path / "export" / "data.jsonl"),
        "language": "java",
        "criterion": CARD.criterion,
    }
    back = import_dataset(
        "table", [tmp_path / "export" / "train.txt"], output=tmp_path / "back", option=options, strict=True
    )
    assert back.counts["pairs"] == 2


def test_codexglue_needs_parts(tmp_path: Path) -> None:
    benchmark = make(tmp_path / "benchmark", (None, "valid", None, None, None))
    with pytest.raises(InputError, match=r"3 pairs are in no part.*--part test"):
        export_benchmark(benchmark, "codexglue", output=tmp_path / "export")
    assert [path.name for path in tmp_path.iterdir()] == ["benchmark"]
    export_benchmark(benchmark, "codexglue", output=tmp_path / "export", part="test")
    assert len((tmp_path / "export" / "test.txt").read_text().splitlines()) == 3


def test_ids_with_white_space_are_replaced_by_numbers(tmp_path: Path) -> None:
    fragments = [Fragment("a b", "java", "int a;"), Fragment("c\td", "java", "int b;")]
    dataset = Dataset(
        CARD,
        fragments,
        pairs=[Pair("a b", "c\td", claimed_part="test")],
        judges=[ADA],
        judgements=[Judgement(ADA.id, CARD.criterion, "clone", 0)],
    )
    export_benchmark(Benchmark.create(tmp_path / "benchmark", dataset), "codexglue", output=tmp_path / "export")
    assert (tmp_path / "export" / "test.txt").read_text() == "0\t1\t1\n"


def test_bigcloneeval_lists_the_locations_of_clones(tmp_path: Path) -> None:
    report = export_benchmark(make(tmp_path / "benchmark"), "bigcloneeval", output=tmp_path / "export")
    rows = list(csv.reader((tmp_path / "export" / "clones.csv").read_text().splitlines()))
    assert rows == [["selected", "a.java", "1", "3", "selected", "b.java", "1", "3"]] * 2
    assert report.written == {"clone": 2}
    assert report.left_out == {
        "a fragment has no file and lines that the format can hold": 1,
        "the format lists clones only": 1,
        "the policy gives no verdict": 1,
    }


def test_a_split_of_the_benchmark_provides_the_parts(tmp_path: Path) -> None:
    benchmark = make(tmp_path / "benchmark")
    split = pa.table({"fragment": [0, 1, 2], "part": ["test", "test", "train"]})
    benchmark.write_table("splits", "random-1", split)
    report = export_benchmark(benchmark, "csv", output=tmp_path / "export", split="random-1")
    assert report.parts == {"test": 2}
    assert report.left_out == {
        "a fragment is in no part of the split": 1,
        "the fragments are in different parts of the split": 1,
        "the policy gives no verdict": 1,
    }


def test_the_policy_decides_what_a_label_is(tmp_path: Path) -> None:
    benchmark = make(tmp_path / "benchmark")
    report = export_benchmark(benchmark, "csv", output=tmp_path / "export", policy="origin")
    assert report.written == {"not-clone": 5}
    assert report.assumptions == ("The dataset's own labels are believed without evidence.",)


def test_the_card_of_a_huggingface_export(tmp_path: Path) -> None:
    export_benchmark(
        make(tmp_path / "benchmark", ("train", None, None, None, None)), "huggingface", output=tmp_path / "export"
    )
    text = (tmp_path / "export" / "README.md").read_text(encoding="utf-8")
    _, front, body = text.split("---\n", 2)
    assert "license: mit\n" in front
    assert "  - split: train\n    path: data/train-*.parquet\n  - split: unsplit\n" in front
    assert "policy `default`" in body
    assert "the policy gives no verdict: 1" in body
    assert "- Small." in body
    columns = pq.read_schema(tmp_path / "export" / "data" / "train-00000-of-00001.parquet").names
    assert columns == [line.split()[-1] for line in front.splitlines() if line.startswith("  - name: ")][: len(columns)]
    manifest = json.loads((tmp_path / "export" / "manifest.json").read_text())
    assert manifest["configuration"]["policy"] == "default"


@pytest.mark.parametrize("format_name", sorted(EXPORTS))
def test_nothing_is_left_after_an_error(format_name: str, tmp_path: Path) -> None:
    fragments = [Fragment("a", "java", "int a;"), Fragment("b", "java", "int b;")]
    claims = [Judgement(RULE.id, CARD.criterion, "clone", 0)]
    dataset = Dataset(CARD, fragments, pairs=[Pair("a", "b")], judges=[RULE], judgements=claims)
    benchmark = Benchmark.create(tmp_path / "benchmark", dataset)
    with pytest.raises(InputError, match="--policy origin"):
        export_benchmark(benchmark, format_name, output=tmp_path / "export")
    assert [path.name for path in tmp_path.iterdir()] == ["benchmark"]


@pytest.mark.parametrize("options", [{"policy": "mine"}, {"part": "mine"}, {"split": "mine"}])
def test_unknown_names_are_refused(options: dict[str, str], tmp_path: Path) -> None:
    benchmark = make(tmp_path / "benchmark")
    with pytest.raises(CloneTruthError):
        export_benchmark(benchmark, "csv", output=tmp_path / "export", **options)
    with pytest.raises(CloneTruthError, match="Did you mean 'csv'"):
        export_benchmark(benchmark, "csvv", output=tmp_path / "export")
    assert not (tmp_path / "export").exists()


def test_the_command(tmp_path: Path) -> None:
    make(tmp_path / "benchmark")
    arguments = ["export", str(tmp_path / "benchmark"), "csv", "-o", str(tmp_path / "export"), "--json"]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.output
    assert json.loads(result.output)["written"] == {"clone": 3, "not-clone": 1}
    again = CliRunner().invoke(cli, [*arguments[:4], str(tmp_path / "second")])
    assert "left out: the policy gives no verdict" in again.output


_PARTS = st.sampled_from(["train", "valid", "test"])
_NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=8).filter(str.strip)


@st.composite
def datasets(draw: st.DrawFn) -> Dataset:
    """Small datasets with judgements of several judges, evidence, memberships and claims."""
    ids = draw(st.lists(_NAMES, min_size=2, max_size=4, unique_by=str.strip))
    fragments = [
        Fragment(
            name,
            draw(st.sampled_from(["java", "python"])),
            draw(st.text(max_size=20)),
            path=f"{number}.java",
            first_line=1,
            last_line=2,
        )
        for number, name in enumerate(ids)
    ]
    sides = st.tuples(st.sampled_from(ids), st.sampled_from(ids)).filter(lambda pair: pair[0] != pair[1])
    pairs = [
        Pair(
            *pair,
            draw(st.sampled_from([None, "f"])),
            claimed_type=draw(st.sampled_from([None, "T4"])),
            claimed_part=draw(_PARTS),
            claimed_similarity_line=draw(st.none() | st.floats(0, 1)),
        )
        for pair in draw(st.lists(sides, min_size=1, max_size=4))
    ]
    values = st.sampled_from(["clone", "not-clone", "undecided"])
    judgements = [Judgement(ADA.id, CARD.criterion, "clone", 0)]
    judgements += [
        Judgement(judge.id, CARD.criterion, draw(values), row, reason=draw(st.none() | st.text(max_size=9)))
        for judge in (BOB, RULE)
        for row in range(len(pairs))
        if draw(st.booleans())
    ]
    members = [Membership(ids[0], "f", Role.EXEMPLAR)]
    return Dataset(
        CARD, fragments, [Functionality("f", "Something", "What it does")], members, pairs, (ADA, BOB, RULE), judgements
    )


@pytest.mark.slow
@pytest.mark.parametrize("format_name", sorted(set(EXPORTS) - {"gptclonebench"}))  # which cannot hold any text
@settings(max_examples=8, deadline=None)
@given(dataset=datasets())
def test_every_format_is_read_back_to_an_equal_benchmark(format_name: str, dataset: Dataset) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        benchmark = Benchmark.create(folder / "benchmark", dataset)
        # Evidence that arrives later is a further part.
        benchmark.append_judgements([EVE], [Judgement(EVE.id, CARD.criterion, "clone", 0)])
        export_benchmark(folder / "benchmark", format_name, output=folder / "export")
        report = import_dataset("auto", [folder / "export"], output=folder / "back")
        back = report.benchmark
        assert report.source == "clonetruth"
        assert (back.content_hash, back.judgements_hash) == (
            Benchmark.open(folder / "benchmark").content_hash,
            Benchmark.open(folder / "benchmark").judgements_hash,
        )
        assert back.card == CARD
        for table in CORE:
            assert back.table(table).equals(Benchmark.open(folder / "benchmark").table(table)), table


def test_splits_measures_and_results_come_along_and_caches_do_not(tmp_path: Path) -> None:
    benchmark = make(tmp_path / "benchmark")
    classify_pairs(benchmark)
    export_benchmark(benchmark, "csv", output=tmp_path / "export")
    back = import_dataset("auto", [tmp_path / "export"], output=tmp_path / "back").benchmark
    assert (back.names("measures"), back.names("verdicts")) == (["min"], [])
    assert benchmark.names("verdicts")


@pytest.mark.parametrize("change", ["edited", "added", "removed"])
def test_changed_exports_are_not_read_as_the_old_benchmark(change: str, tmp_path: Path) -> None:
    export_benchmark(make(tmp_path / "benchmark"), "csv", output=tmp_path / "export")
    pairs = tmp_path / "export" / "pairs.csv"
    if change == "edited":
        pairs.write_text(pairs.read_text(encoding="utf-8").replace(",1,", ",0,", 1), encoding="utf-8")
    elif change == "added":
        (tmp_path / "export" / "more.csv").write_text("left,right,label\n")
    else:
        pairs.unlink()
    with pytest.raises(InputError, match="changed, added or removed after the export"):
        import_dataset("auto", [tmp_path / "export"], output=tmp_path / "back")
    assert not (tmp_path / "back").exists()


def test_a_sidecar_that_was_exchanged_or_leads_elsewhere_is_refused(tmp_path: Path) -> None:
    export_benchmark(make(tmp_path / "benchmark"), "csv", output=tmp_path / "export")
    inside = tmp_path / "export" / "clonetruth" / "benchmark"
    (inside / "system").symlink_to("/etc")
    with pytest.raises(InputError, match="symbolic link"):
        import_dataset("auto", [tmp_path / "export"], output=tmp_path / "back")
    shutil.rmtree(inside)
    make(inside, ("test",) * 5)
    with pytest.raises(InputError, match="not the one that was exported"):
        import_dataset("auto", [tmp_path / "export"], output=tmp_path / "back")
    assert not (tmp_path / "back").exists()


def test_a_benchmark_folder_is_imported_as_an_equal_one(tmp_path: Path) -> None:
    benchmark = make(tmp_path / "benchmark")
    report = import_dataset("auto", [benchmark.path], output=tmp_path / "copy")
    assert (report.source, report.content_hash) == ("clonetruth", benchmark.content_hash)
    with pytest.raises(InputError, match="alone and without options"):
        import_dataset("auto", [benchmark.path], output=tmp_path / "other", criterion="textual")
