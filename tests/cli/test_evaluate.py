"""`clonetruth evaluate` as a user runs it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from clonetruth.model import Judgement
from clonetruth.sources import embedded
from clonetruth.store import Benchmark
from clonetruth.store.results import read_result
from clonetruth.store.study import read_study
from tests.cli.running import run
from tests.evaluate.sample_benchmark import CARD, PAIRS, sample_benchmark
from tests.evaluate.test_recall import make_benchmark
from tests.execution.sandboxed import needs_sandbox

PAIR = "selected,1.java,1,10,selected,2.java,11,20\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a benchmark, the tables that it was made from, and a report."""
    folder = tmp_path_factory.mktemp("evaluate")
    make_benchmark(folder, [{}, {"syntactic_type": 1, "function_id_two": 3}])
    (folder / "tool.csv").write_text(PAIR + "rubbish\n" + PAIR.replace("11,20", "11,17"), encoding="utf-8")
    return folder


@pytest.mark.parametrize("at", [0, 5, 10, 43, 58])
def test_recorded_arguments_work_as_they_stand(shared_bigcloneeval: Path, at: int) -> None:
    golden = shared_bigcloneeval / "golden" / "set2"
    recorded = json.loads((golden / "expected.json").read_text(encoding="utf-8"))["runs"][at]
    behaviour = recorded["behaviour"].replace("_", "-")
    ran = run(
        "evaluate", golden / recorded["report"], "--on", golden, "--bigcloneeval", behaviour, *recorded["arguments"],
        "--json",
    )  # fmt: skip
    assert ran.json == recorded["result"]


def test_the_table_shows_both_behaviours_and_what_was_left_out(folder: Path) -> None:
    ran = run("evaluate", folder / "tool.csv", "--on", folder / "benchmark")
    assert ran.code == 0
    assert "tool on bigclonebench" in ran.out
    assert "own labels are believed" in ran.out
    assert "as-shipped" in ran.out
    assert "1 bad rows of the report were left out; the first: tool.csv, line 2" in ran.err


def test_strict_refuses_and_writes_nothing(folder: Path, tmp_path: Path) -> None:
    ran = run("evaluate", folder / "tool.csv", "--on", folder / "benchmark", "--strict", "-o", tmp_path / "r.json")
    assert ran.code == 3
    assert "line 2" in ran.err
    assert not list(tmp_path.iterdir())


def test_the_original_text_is_printed(folder: Path) -> None:
    ran = run("evaluate", folder / "tool.csv", "--on", folder / "benchmark", "--format", "bigcloneeval")
    assert ran.out.splitlines()[0] == "-- Tool --"
    assert "    Moderatly Type-3: 0 / 0 = NaN" in ran.out
    assert "     Strongly Type-3: 1 / 1 = 1.0" in ran.out


def test_results_pages_and_studies_are_written(folder: Path, tmp_path: Path) -> None:
    ran = run(
        "evaluate", folder / "tool.csv", "--on", folder / "benchmark", "-o", tmp_path / "r.json",
        "--html", tmp_path / "page.html", "--study", tmp_path / "study", "--name", "mine",
    )  # fmt: skip
    assert ran.code == 0, ran.err
    assert read_result(tmp_path / "r.json").detector == "mine"
    assert "mine" in (tmp_path / "page.html").read_text(encoding="utf-8")
    study = read_study(tmp_path / "study")
    assert study.plan.population_size == 2
    assert sorted(study.subjects["left_path"].to_pylist()) == ["selected/1.java"] * 2
    again = run("evaluate", folder / "tool.csv", "--on", folder / "benchmark", "--study", tmp_path / "study")
    assert again.code != 0
    assert "study" in again.err


def test_the_old_spelling_of_html_prints_a_notice(folder: Path, tmp_path: Path) -> None:
    ran = run("evaluate", folder / "tool.csv", "--on", folder / "benchmark", "--page", tmp_path / "page.html")
    assert "--page is now --html" in ran.err
    assert (tmp_path / "page.html").exists()


def test_a_detector_is_evaluated_by_its_name(folder: Path) -> None:
    ran = run("evaluate", "always-yes", "--on", folder / "benchmark", "--policy", "origin", "--json")
    assert ran.code == 0, ran.err
    assert ran.json["detector"] == "always-yes"


def test_several_reports_are_evaluated_each_or_together(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text(PAIR.replace("2.java,11,20", "9.java,1,2"), encoding="utf-8")
    each = run("evaluate", folder / "tool.csv", other, "--on", folder / "benchmark", "--json").json
    assert {name: found["imported_pairs"] for name, found in each.items()} == {"tool": 2, "other": 1}
    both = run("evaluate", folder / "tool.csv", other, "--on", folder / "benchmark", "--together", "--json").json
    assert both["imported_pairs"] == 3


def test_predictions_are_distinguished_from_reports(folder: Path, tmp_path: Path) -> None:
    predictions = tmp_path / "predictions.csv"
    predictions.write_text("left,right,label\n1,2,1\n3,1,0\n7,8,1\n", encoding="utf-8")
    ran = run("evaluate", predictions, "--on", folder / "benchmark", "--policy", "origin", "--json")
    assert ran.code == 0, ran.err
    numbers = {one["name"]: one["value"] for one in ran.json["headline"]}
    assert numbers["recall"] == 0.5
    assert ran.json["policy"]["name"] == "origin"
    assert any("does not have" in text or "unknown" in text for text in ran.json["warnings"])
    unknown = run("evaluate", predictions, "--on", folder / "benchmark")
    assert unknown.code == 3
    assert "origin" in unknown.err


def test_answers_need_no_benchmark(tmp_path: Path) -> None:
    (tmp_path / "predictions.txt").write_text("1\t2\t1\n1\t3\t0\n2\t3\t1\n", encoding="utf-8")
    (tmp_path / "answers.txt").write_text("1\t2\t1\n1\t3\t0\n2\t3\t0\n", encoding="utf-8")
    ran = run("evaluate", tmp_path / "predictions.txt", "--answers", tmp_path / "answers.txt")
    assert ran.code == 0, ran.err
    assert "precision" in ran.out
    assert "Without the functionalities" in ran.out


@pytest.mark.slow
def test_judged_tools_have_their_published_precision(shared_data: Path, tmp_path: Path) -> None:
    run("import", "oreo-precision", shared_data / "oreo_precision", "-o", tmp_path / "oreo")
    results = run("evaluate", "--on", tmp_path / "oreo", "--json").json
    found = {name: result["headline"][0] for name, result in results.items()}
    shares = {name: (one["successes"], one["n"], one["value"]) for name, one in found.items()}
    assert shares == {
        "cloneworks": (395, 400, 0.9875),
        "nicad": (396, 400, 0.99),
        "oreo": (358, 400, 0.895),
        "scc": (391, 400, 0.9775),
    }
    assert found["oreo"]["low"] < 0.895 < found["oreo"]["high"]


@pytest.mark.slow
def test_judgements_of_another_benchmark_correct_or_are_refused(tmp_path: Path) -> None:
    """Either a correction, or the reason why there is none: never silence."""
    card = replace(CARD, name="bigclonebench", criterion="shares-functionality")
    claims = [
        Judgement("rule", card.criterion, "clone" if clone else "not-clone", pair=row)
        for row, (_, clone) in enumerate(PAIRS)
    ]
    on = sample_benchmark(tmp_path / "on", card=card, judgements=claims).path
    judged = sample_benchmark(tmp_path / "judged", card=replace(CARD, name="bcb406")).path
    other = sample_benchmark(tmp_path / "other", card=replace(CARD, name="quixbugs")).path
    detector = ("evaluate", "--detector", "length", "--on", on, "--judged")
    corrected = run(*detector, judged, "--policy", "origin")
    assert corrected.code == 0, corrected.err
    assert "Wrong labels 'clone': 0.2500" in corrected.out
    assert "assumes that the judged pairs are a random sample" in corrected.out
    assert "drawn at random" not in corrected.out
    impossible = run(*detector, judged, "--policy", "origin", "--correction", "design-based")
    assert "Not corrected by design-based: no judged pair of this benchmark has a prediction." in impossible.err
    unrelated = run(*detector, other, "--policy", "origin")
    assert (unrelated.code, unrelated.out) == (3, "")
    assert "quixbugs are not about the labels of bigclonebench" in unrelated.err
    asked = run(*detector, judged, "--policy", "origin", "--judged-criterion", "textual")
    assert asked.code == 3
    assert "cannot show whether a label under 'shares-functionality' is right" in asked.err
    answers = run("evaluate", "a.txt", "--answers", "b.txt", "--judged", judged)
    assert answers.code == 3
    assert "does not say whose labels" in answers.err


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ([], 2, "Give reports"),
        (["tool.csv"], 2, "--on BENCHMARK"),
        (["tool.csv", "--on", "benchmark", "--answers", "tool.csv"], 2, "either"),
        (["missing.csv", "--on", "benchmark"], 3, "missing.csv"),
        (["tool.csv", "--on", "nowhere"], 3, "nowhere"),
        (["tool.csv", "--on", "benchmark", "--reader", "nicat"], 5, "nicad"),
        (["tool.csv", "--on", "benchmark", "-m", "fuzzy"], 5, "coverage:0.7"),
        (["tool.csv", "--on", "benchmark", "-s", "7"], 3, "multiple of 5"),
        (["tool.csv", "--on", "benchmark", "--bigcloneeval", "as-shipped", "-m", "near:2"], 3, "D4"),
        (["tool.csv", "--on", "benchmark", "--engine", "sparc"], 5, "spark"),
        (["--detector", "token-similarities", "--on", "benchmark"], 5, "token-similarity"),
    ],
)
def test_wrong_calls_say_what_to_do(folder: Path, arguments: list[str], code: int, says: str) -> None:
    places = {"tool.csv", "missing.csv", "benchmark", "nowhere"}
    ran = run("evaluate", *(folder / one if one in places else one for one in arguments))
    assert ran.code == code, ran.err
    assert says in ran.err
    assert "Traceback" not in ran.err


@needs_sandbox
@pytest.mark.slow
def test_the_detector_that_runs_code_on_the_embedded_benchmark(tmp_path: Path) -> None:
    """The whole way, with the part in Python: import, run every fragment in the sandbox, score, measure, write."""
    whole = embedded.dataset()
    fragments = [one for one in whole.fragments if one.language == "python"]
    kept = {one.id for one in fragments}
    pairs = list(whole.pairs)
    rows = [at for at, one in enumerate(pairs) if {one.left, one.right} <= kept]
    place = {row: at for at, row in enumerate(rows)}
    part = replace(
        whole,
        fragments=fragments,
        memberships=[one for one in whole.memberships if one.fragment in kept],
        pairs=[pairs[at] for at in rows],
        judgements=[replace(one, pair=place[one.pair]) for one in whole.judgements if one.pair in place],
    )
    Benchmark.create(tmp_path / "python", part)
    ran = run("evaluate", "--on", tmp_path / "python", "--detector", "execution", "-o", tmp_path / "result.json")
    assert ran.code == 0, ran.err
    result = read_result(tmp_path / "result.json")
    assert result.detector == "execution"
    auc, precision = result.measurement("roc-auc"), result.measurement("precision")
    assert auc is not None
    assert precision is not None
    # Near misses agree on most generic inputs by design, so that this is far from 1.
    assert (auc.value or 0) > 0.6
    assert (precision.value or 0) > 0.5
    # What does not run is left out, and said.
    assert 0 < (precision.n or 0) < (auc.n or 0) < len(rows)
    assert "have no prediction; they are left out of every number" in ran.err
