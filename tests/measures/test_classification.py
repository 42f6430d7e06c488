"""Classifying a benchmark: measures next to claims, reasons instead of guesses."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.measures import classify_pairs
from clonetruth.model import Card, Dataset, Fragment, Functionality, Pair
from clonetruth.store import Benchmark, describe_benchmark

CARD = Card("own", "1", "Made for a test.", "MIT", "none", "textual", ("java", "python"))
TEXTS = {
    "a": ("java", "int f(int a) { return a; }"),
    "a-again": ("java", "int f(int a) {\n  return a; // same\n}"),
    "renamed": ("java", "int g(int b) { return b; }"),
    "longer": ("java", "int g(int b) { b++; log(b); return b; }"),
    "broken": ("java", "int g(int b) { return (b; }"),
    "snake": ("python", "def f(a):\n    return a\n"),
    "alien": ("cobol", "IDENTIFICATION DIVISION."),
    "lost": ("java", ""),
    "silent": ("java", "// only a comment"),
}


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    pairs = [
        Pair("a", "a-again", claimed_type="T1", claimed_similarity_line=1.0, claimed_similarity_token=1.0),
        Pair("a", "renamed", claimed_type="T2", claimed_similarity_line=1.0, claimed_similarity_token=0.5),
        Pair("a", "longer", claimed_type="T2"),
        Pair("a", "broken"),
        Pair("a", "snake"),
        Pair("snake", "alien"),
        Pair("snake", "snake"),
        Pair("lost", "lost"),
        Pair("lost", "silent"),
    ]
    fragments = [Fragment(name, language, text) for name, (language, text) in TEXTS.items()]
    return Benchmark.create(tmp_path / "b", Dataset(CARD, fragments, [Functionality("1", "one")], pairs=pairs))


def test_types_reasons_and_disagreements(benchmark: Benchmark) -> None:
    calls: list[tuple[str, int, int]] = []
    result = classify_pairs(
        benchmark, "min", processes=1, progress=lambda what, done, total: calls.append((what, done, total))
    )
    rows = {
        (row["left"], row["right"]): row
        for row in benchmark.sql(
            'SELECT a.id AS "left", b.id AS "right", m.* FROM pairs p JOIN measures_min m ON p.pair = m.pair '
            'JOIN fragments a ON p."left" = a.fragment JOIN fragments b ON p."right" = b.fragment'
        ).to_pylist()
    }
    assert rows["a", "a-again"]["clone_type"] == "T1"
    assert rows["a", "renamed"]["clone_type"] == "T2"
    assert rows["a", "longer"]["clone_type"] == "MT3"
    assert rows["a", "longer"]["similarity_line"] == 3 / 5
    assert rows["a", "broken"]["clone_type"] is not None
    assert rows["snake", "snake"]["clone_type"] == "T1"
    assert rows["a", "snake"] | {"pair": 0} == {
        "left": "a",
        "right": "snake",
        "pair": 0,
        "similarity_line": None,
        "similarity_token": None,
        "clone_type": None,
        "problem": "different languages",
    }
    assert result.unmeasured == {"different languages": 1, "cannot read 'cobol'": 1, "no text": 2}
    assert result.broken_fragments == 1
    assert {(d.column, d.compared, d.differ) for d in result.disagreements} == {
        ("claimed_similarity_line", 2, 0),
        ("claimed_similarity_token", 2, 1),
    }
    assert ("T2", "MT3", 1) in result.claimed_types
    assert {what for what, _, _ in calls} == {"Reading fragments", "Measuring pairs"}
    assert benchmark.metadata("measures/min")["cut_rule"] == "min"


def test_gptclonebench_calls_pairs_across_languages_t4(benchmark: Benchmark) -> None:
    result = classify_pairs(benchmark, "gptclonebench", processes=1)
    assert "different languages" not in result.unmeasured
    rows = benchmark.sql(
        "SELECT m.clone_type, m.similarity_line, m.problem FROM measured m JOIN pairs p ON m.pair = p.pair "
        "JOIN fragments l ON p.left = l.fragment JOIN fragments r ON p.right = r.fragment "
        "WHERE l.language <> r.language AND l.id = 'a' AND r.id = 'snake'",
        measured=[result.path],
    ).to_pylist()
    assert rows == [{"clone_type": "T4", "similarity_line": None, "problem": None}]


def test_a_classification_is_shown_with_its_counts(benchmark: Benchmark) -> None:
    result = classify_pairs(benchmark, processes=1)
    assert repr(result).startswith("<Classification by the rule 'min': 2 T1, 1 T2, ")
    assert repr(result).endswith(", 4 not measured>")
    html = result._repr_html_()
    assert "cannot read &#39;cobol&#39;" in html
    assert "claimed_similarity_token" in html


def test_measures_are_not_overwritten_unless_asked(benchmark: Benchmark) -> None:
    classify_pairs(benchmark, processes=1)
    with pytest.raises(InputError):
        classify_pairs(benchmark, processes=1)
    assert classify_pairs(benchmark, processes=1, replace=True).types["T1"] == 2
    assert classify_pairs(benchmark, "mean", processes=1).cut_rule == "mean"
    assert benchmark.measure_names() == ["mean", "min"]


def test_several_processes_give_the_same(benchmark: Benchmark) -> None:
    alone = classify_pairs(benchmark, processes=1)
    shared = classify_pairs(benchmark, processes=2, replace=True)
    assert (alone.types, alone.unmeasured) == (shared.types, shared.unmeasured)


def test_an_unknown_rule_writes_nothing(benchmark: Benchmark) -> None:
    with pytest.raises(UnknownNameError):
        classify_pairs(benchmark, "most", processes=1)
    assert benchmark.measure_names() == []


def test_overview_counts_what_is_there(benchmark: Benchmark) -> None:
    classify_pairs(benchmark, processes=1)
    seen = describe_benchmark(benchmark.path, verify=True)
    assert seen.counts["pairs"] == 9
    assert seen.later["measures"] == ("min",)
    assert seen.judgements == ()
    assert seen.lineage == ((f"{CARD.name} {CARD.version}", benchmark.content_hash),)
