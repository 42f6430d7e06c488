"""The verbs of the foundation, run as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.cli.running import run

LEFT = "public int sum(int[] values) {\n    int s = 0;\n    for (int v : values) s += v;\n    return s;\n}\n"
RIGHT = "int total(int[] xs) { int t = 0; for (int x : xs) t += x; return t; } // the same, renamed\n"


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo")
    ran = run("demo", "-o", folder / "out")
    assert ran.code == 0, ran.err
    assert ran.out.rstrip().endswith(str(folder / "out" / "demo.html"))
    return folder / "out"


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "A.java").write_text(LEFT)
    (tmp_path / "B.java").write_text(RIGHT)
    return tmp_path / "A.java", tmp_path / "B.java"


@pytest.mark.slow
def test_demo_writes_a_page_and_runs_again_in_its_folder(demo: Path) -> None:
    page = (demo / "demo.html").read_text(encoding="utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert "https://" not in page.split("<main")[0]
    facts = run("demo", "-o", demo, "--json").json
    # The point of the demo: near misses look more similar than clones do.
    assert facts["median_near_miss"] > facts["median_clone"]
    assert facts["recall"]["value"] < 0.1
    assert facts["wrong_alarms"] > facts["found"]
    # Nor can text tell clones from matched non-clones, on a part of TrueClones.
    assert facts["trueclones_pairs"] > 100
    for card in facts["trueclones"].values():
        assert card["roc-auc"]["low"] < 0.5 < card["roc-auc"]["high"]
        assert abs(card["roc-auc"]["value"] - 0.5) < 0.05
    assert "Detectors on TrueClones" in page
    card = json.loads((demo / "cards" / "token-similarity.json").read_text(encoding="utf-8"))
    assert card["benchmark"]["name"] == "trueclones-part"
    # And every clone class that a search for copies finds has a near miss.
    assert facts["clone_classes_with_near_misses"] == facts["clone_classes"] > 40
    assert "only on the right (+)" in (demo / "clones.html").read_text(encoding="utf-8")


def test_demo_does_not_overwrite_another_benchmark(demo: Path, tmp_path: Path) -> None:
    (tmp_path / "out" / "benchmark").mkdir(parents=True)
    ran = run("demo", "-o", tmp_path / "out")
    assert ran.code == 4
    assert "benchmark.json" in ran.err


def test_info_classify_verdicts_sql(demo: Path, tmp_path: Path) -> None:
    folder = demo / "benchmark"
    info = run("info", folder, "--verify", "--json").json
    assert info["counts"]["functionalities"] >= 12
    refused = run("classify", folder, "--rule", "min")
    assert refused.code == 3
    assert "min" in refused.err
    result = run("classify", folder, "--rule", "mean", "--json", "--processes", "1").json
    assert result["cut_rule"] == "mean"
    assert sum(result["types"].values()) + sum(result["unmeasured"].values()) == info["counts"]["pairs"]
    verdicts = run("verdicts", folder, "--json").json
    assert verdicts["counts"]["unknown"] == 0
    assert sum(verdicts["counts"].values()) == info["counts"]["pairs"]
    rows = run(
        "sql", folder, "SELECT language, count(*) AS n FROM fragments GROUP BY language ORDER BY language", "--json"
    )
    assert [row["language"] for row in rows.json] == ["java", "python"]
    target = tmp_path / "rows.parquet"
    written = run("sql", folder, "SELECT pair FROM pairs", "-o", target, "--memory", "500MB", "--threads", "1")
    assert written.code == 0
    assert pq.read_metadata(target).num_rows == info["counts"]["pairs"]


def test_compare_says_type_and_similarity(pair: tuple[Path, Path]) -> None:
    result = run("compare", *pair, "--json").json
    assert result["clone_type"] == "WT3/T4" or result["clone_type"].endswith("T3")
    assert 0 < result["similarity_line"] < 1
    assert 0 < result["similarity_token"] < 1
    assert result["cut_rule"] == "min"
    shown = run("compare", *pair)
    assert shown.code == 0
    assert "line similarity" in shown.out
    for form in ("type-1", "type-2-consistent", "type-2-blind"):
        assert form in shown.out
    assert "type-1" not in run("compare", *pair, "--brief").out


def test_compare_parts_of_files_and_fragments(pair: tuple[Path, Path], demo: Path) -> None:
    part = f"{pair[0]}:2-4"
    assert run("compare", part, part, "--json").json["clone_type"] == "T1"
    wrong = run("compare", f"{pair[0]}:2-40", part)
    assert wrong.code == 3
    assert "lines 1" in wrong.err
    folder = demo / "benchmark"
    ids = [row["id"] for row in run("sql", folder, "SELECT id FROM fragments ORDER BY id LIMIT 2", "--json").json]
    assert run("compare", *ids, "--in", folder, "--json").code == 0
    assert run("compare", "nobody", ids[0], "--in", folder).code == 3


def test_compare_writes_a_page(pair: tuple[Path, Path], tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    assert run("compare", *pair, "--html", target).code == 0
    assert "similarity" in target.read_text(encoding="utf-8")
    assert run("compare", *pair, "--html", tmp_path / "no" / "page.html").code == 3


def test_compare_across_languages_has_no_type(pair: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "c.py").write_text("def total(xs):\n    return sum(xs)\n")
    result = run("compare", pair[0], tmp_path / "c.py", "--json").json
    assert result["clone_type"] is None
    assert result["problem"] == "different languages"


def test_code_verbs(pair: tuple[Path, Path], tmp_path: Path) -> None:
    (functions,) = run("code", "functions", pair[0], "--json").json
    assert [f["name"] for f in functions["functions"]] == ["sum"]
    tokens = run("code", "tokens", pair[0], "--json").json
    assert {"text": "sum", "kind": "identifier"} in tokens
    assert "ID" in run("code", "form", pair[0], "--form", "type-2-blind").out
    assert "var1" in run("code", "abstract", pair[0], "--level", "1").out
    (metrics,) = run("code", "metrics", pair[0], "--json").json
    assert metrics["comp"] == 2
    assert "java" in run("code", "languages").out
    (tmp_path / "odd.xyz").write_text("?")
    assert run("code", "tokens", tmp_path / "odd.xyz").code == 3
    assert run("code", "tokens", tmp_path / "odd.xyz", "--language", "jva").code == 5


def test_broken_source_is_reported(tmp_path: Path) -> None:
    (tmp_path / "A.java").write_text("class A { void good() {} void bad( { }")
    ran = run("code", "functions", tmp_path)
    assert ran.code == 0
    assert "good" in ran.out
    assert "A.java:1" in ran.out


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("info", "nowhere"), 4, "nowhere"),
        (("compare", "a.java", "b.java"), 3, "a.java"),
        (("verdicts", "nowhere"), 4, "nowhere"),
        (("nonsense",), 2, "nonsense"),
        (("compare", "--bogus"), 2, "bogus"),
        (("sources", "nobody"), 5, "nobody"),
        (("import", "auto", "nowhere", "-o", "x"), 3, "nowhere"),
    ],
)
def test_errors_are_words_with_a_stable_code(arguments: tuple[str, ...], code: int, words: str, tmp_path: Path) -> None:
    ran = run(*arguments, cwd=tmp_path)
    assert ran.code == code
    assert words in ran.err
    assert not ran.out
    assert not list(tmp_path.iterdir())


def test_no_colour_when_asked_or_piped(pair: tuple[Path, Path]) -> None:
    for env in ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, {}):
        assert "\x1b[3" not in run("compare", *pair, env=env).out
