"""GPTCloneBench's folder layout: what is written is read back by the source of that name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from clonetruth.errors import InputError
from clonetruth.model import Card, Dataset, Fragment, Judge, JudgeKind, Judgement, Pair
from clonetruth.report.export import export_benchmark
from clonetruth.sources import import_dataset
from clonetruth.store import Benchmark

CRITERION = "semantic-not-syntactic"
ADA = Judge("person:ada", JudgeKind.PERSON, "Ada")
SUM = "static int sum(int[] a) {\n    int s = 0;\n    for (int x : a) {\n        s += x;\n    }\n    return s;\n}"
SHORT = "static int total(int[] a) {\n    return java.util.Arrays.stream(a).sum();\n}"
RENAMED = SUM.replace("sum", "add").replace("x", "y")
FRAGMENTS = {
    "seed": Fragment("seed", "java", SUM),
    "short": Fragment("short", "java", SHORT, path="tiny/distinctive/short"),
    "other": Fragment("other", "java", SHORT.replace("total", "all"), path="tiny/type-3-4/other"),
    "renamed": Fragment("renamed", "java", RENAMED, path="tiny/distinctive/renamed"),
    "python": Fragment("python", "python", "def total(a):\n    return sum(a)"),
    "wide": Fragment("wide", "java", SUM.replace("    int s", "\n\n\n    int s")),
    "wrong": Fragment("wrong", "java", SUM.replace("+=", "-=")),
}
PAIRS = [
    (Pair("seed", "short", claimed_type="T4"), "clone"),
    (Pair("seed", "other", claimed_type="T3"), "clone"),
    (Pair("seed", "renamed", claimed_type="T1/T2"), "not-clone"),
    (Pair("seed", "python"), "clone"),
    (Pair("seed", "wrong"), "not-clone"),
    (Pair("wide", "short"), "clone"),
    (Pair("python", "seed"), "clone"),
]


def _benchmark(path: Path) -> Benchmark:
    card = Card("written", "1", "Pairs.", "MIT", "Nobody.", CRITERION, ("java", "python"))
    said = [Judgement(ADA.id, CRITERION, value, row) for row, (_, value) in enumerate(PAIRS)]
    pairs = [pair for pair, _ in PAIRS]
    return Benchmark.create(path, Dataset(card, list(FRAGMENTS.values()), pairs=pairs, judges=[ADA], judgements=said))


def _content(benchmark: Benchmark) -> list[tuple[Any, ...]]:
    rows = benchmark.sql(
        "SELECT l.text AS left_text, r.text AS right_text, r.language AS language, g.value AS value, "
        "p.claimed_type AS type FROM pairs p JOIN fragments l ON p.left = l.fragment "
        f"JOIN fragments r ON p.right = r.fragment JOIN judgements g ON p.pair = g.pair AND g.criterion = '{CRITERION}'"
    )
    return sorted(tuple(row.values()) for row in rows.to_pylist())


def test_the_source_reads_back_what_the_layout_can_hold(tmp_path: Path) -> None:
    report = export_benchmark(_benchmark(tmp_path / "made"), "gptclonebench", output=tmp_path / "out", sidecar=False)
    assert report.written == {"clone": 3, "not-clone": 1}
    assert report.left_out == {
        "the layout cannot hold a text, because it could not be read back": 1,
        "the layout has no place for pairs that are not clones": 1,
        "the layout has no place for these two languages": 1,
    }
    files = sorted(str(path.relative_to(report.path)) for path in report.path.rglob("*.java"))
    assert files == [
        "false_semantic_clones/Gpt_false_pair_1.java",
        "java_to_other/GptD_Clone1.java",
        "true_semantic_clones/java/prompt_1/T4/Clone_1.java",
        "true_semantic_clones/java/prompt_2/T3/Clone_1.java",
    ]
    back = import_dataset("auto", [report.path], output=tmp_path / "back")
    assert back.source == "gptclonebench"
    texts = {name: one.text for name, one in FRAGMENTS.items()}
    assert _content(back.benchmark) == sorted(
        [
            (texts["seed"], texts["short"], "java", "clone", "T4"),
            (texts["seed"], texts["other"], "java", "clone", "T3"),
            (texts["seed"], texts["renamed"], "java", "not-clone", "T1/T2"),
            (texts["seed"], texts["python"], "python", "clone", "T4"),
        ]
    )
    # Exported a second time, as the source labels it, nothing changes.
    again = export_benchmark(
        back.path, "gptclonebench", output=tmp_path / "again", policy="origin", criterion=CRITERION, sidecar=False
    )
    assert _content(import_dataset("gptclonebench", [again.path], output=tmp_path / "twice").benchmark) == _content(
        back.benchmark
    )


def test_types_are_measured_where_none_is_claimed(tmp_path: Path) -> None:
    fragments = [FRAGMENTS[name] for name in ("seed", "short", "renamed")]
    card = Card("written", "1", "Pairs.", "MIT", "Nobody.", "equivalent-behaviour", ("java",))
    pairs = [Pair("seed", "short"), Pair("seed", "renamed")]
    said = [Judgement(ADA.id, "equivalent-behaviour", "clone", row) for row in range(2)]
    made = Benchmark.create(tmp_path / "made", Dataset(card, fragments, pairs=pairs, judges=[ADA], judgements=said))
    report = export_benchmark(made, "gptclonebench", output=tmp_path / "out", sidecar=False)
    files = sorted(str(path.relative_to(report.path)) for path in report.path.rglob("*.java"))
    assert files == [
        "false_semantic_clones/Gpt_false_pair_1.java",
        "true_semantic_clones/java/prompt_1/T4/Clone_1.java",
    ]


def test_a_benchmark_without_a_place_in_the_layout_is_refused(tmp_path: Path) -> None:
    card = Card("written", "1", "Pairs.", "MIT", "Nobody.", CRITERION, ("java",))
    dataset = Dataset(
        card,
        [FRAGMENTS["seed"], FRAGMENTS["wrong"]],
        pairs=[Pair("seed", "wrong")],
        judges=[ADA],
        judgements=[Judgement(ADA.id, CRITERION, "not-clone", 0)],
    )
    made = Benchmark.create(tmp_path / "made", dataset)
    with pytest.raises(InputError, match="cannot hold any of the pairs"):
        export_benchmark(made, "gptclonebench", output=tmp_path / "out")
    assert not (tmp_path / "out").exists()
