"""The published LLM study, analysed again: Krinke and Ragkhitwetsagul's logs on their own pairs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clonetruth.formats.comparisonlog import read_comparisons
from clonetruth.formats.streams import read_lines
from clonetruth.judges.protocols import protocol_from_log
from clonetruth.judges.questions import study_questions
from clonetruth.store import open_benchmark
from clonetruth.store.study import read_study
from clonetruth.store.study_judgements import read_study_judgements
from tests.cli.running import run

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def bcb406(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The benchmark of the 271 judged pairs, and a study of all of them."""
    folder, real = tmp_path_factory.mktemp("bcb406"), shared_data / "bcb406"
    benchmark, study = folder / "benchmark", folder / "study"
    sheet = real / "Samples Investigation.csv"
    assert run("import", "bcb406", sheet, real / "snippets.zip", "-o", benchmark).code == 0
    assert run("study", "sample", benchmark, "-o", study, "--n", 271, "--protocol", "krinke").code == 0
    return benchmark, study


def logs(shared_data: Path) -> list[Path]:
    return sorted((shared_data / "bcb406").glob("openai.*.log.xz"))


def test_the_protocol_of_a_log_asks_as_the_log_did(bcb406: tuple[Path, Path], shared_data: Path) -> None:
    protocol = protocol_from_log(logs(shared_data)[0])
    asked = {question.message for (question,) in study_questions(read_study(bcb406[1]), protocol)}
    lines = "\n".join(line.decode() for _, line in read_lines(logs(shared_data)[0]))
    prompts = {part.partition("\n### RESPONSE\n")[0] for part in lines.split("\n### PROMPT\n")[1:]}
    assert len(asked) == 271
    assert asked == prompts


def test_the_replayed_model_against_the_final_verdict(bcb406: tuple[Path, Path], shared_data: Path) -> None:
    benchmark, study = bcb406
    ran = run("study", "llm", study, "--replay", *logs(shared_data))
    assert ran.code == 0, ran.err
    assert (
        "the criterion of the study is 'same-main-purpose', but the prompt asks for 'functionally-similar'" in ran.err
    )
    judges, rows = read_study_judgements(study)
    assert json.loads(judges["settings"][0].as_py())["runs"] == 2
    assert rows["value"].to_pylist().count("clone") == 16
    assert set(rows["confidence"].to_pylist()) == {1.0}
    assert run("study", "export", study, "--to", benchmark).code == 0
    report = run("study", "agree", benchmark, "--against", "final", "--judges", "llm:*", "--json").json
    found = report["pairs"]
    assert (found["subjects"], found["differ"]) == (271, 8)
    assert round(found["cohen_kappa"], 3) == 0.749
    assert found["table"] == [[13, 3], [5, 250]]
    # The published Table I, column "Dis.", of all 406 pairs: 7 in functionality 3, 3 in 4, and two single ones.
    groups = report["by_functionality"]
    conflicts = {one["functionality"]: len(one["conflicts"]) for one in groups if one["conflicts"]}
    assert conflicts == {"3": 4, "4": 3, "44": 1}
    assert (sum(one["pairs"] for one in groups), sum(one["clones"] for one in groups)) == (271, 18)
    # "Secure Hash" and "Copy File": the model finds too few clones in the one, and too many in the other.
    verdicts = {one["functionality"]: {each["verdict"] for each in one["conflicts"]} for one in groups}
    assert (verdicts["3"], verdicts["4"]) == ({"clone"}, {"not-clone"})


def test_the_experts_review_what_the_model_contradicts(bcb406: tuple[Path, Path], shared_data: Path) -> None:
    benchmark, study = bcb406
    assert run("study", "llm", study, "--replay", *logs(shared_data)).code == 0
    sampled = read_study(study)
    subjects = {pair: subject for subject, pair in enumerate(sampled.subjects["pair"].to_pylist())}
    judged = open_benchmark(benchmark)
    for judge in judged.table("judges").to_pylist():
        if judge["kind"] == "person":
            rows = judged.sql(
                f"SELECT pair, value FROM judgements WHERE judge = '{judge['judge']}' AND pair IS NOT NULL"
            )
            answers = {subjects[row["pair"]]: row["value"] for row in rows.to_pylist()}
            sampled.add_answers(judge["judge"], answers, name=judge["name"], **json.loads(judge["settings"]))
    found = run("study", "review", study, "--against", "llm", "--json").json
    # All 12 of the published review that are among the public pairs; 18 of 271 are clones before it.
    assert (found["compared"], found["reopened"], found["open"]) == (271, 8, 8)
    assert found["before"]["clones"] == 18
    assert round(found["before"]["agreement"]["cohen_kappa"], 3) == 0.749
    assert all(len(one["pair"]["explanation"]) > 50 for one in found["pairs"])


def test_a_log_holds_the_words_of_the_model(shared_data: Path) -> None:
    for log in logs(shared_data):
        found = list(read_comparisons(log))
        assert len(found) == 271
        assert all(not isinstance(one, int) and one.answer and one.response.startswith("ANSWER") for one in found)
