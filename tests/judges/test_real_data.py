"""The published LLM study, analysed again: Krinke and Ragkhitwetsagul's logs on their own pairs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clonetruth.formats.comparisonlog import read_comparisons
from clonetruth.formats.streams import read_lines
from clonetruth.judges.protocols import protocol_from_log
from clonetruth.judges.questions import study_questions
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
    found = run("study", "agree", benchmark, "--against", "final", "--judges", "llm:*", "--json").json["pairs"]
    assert (found["subjects"], found["differ"]) == (271, 8)
    assert round(found["cohen_kappa"], 3) == 0.749
    assert found["table"] == [[13, 3], [5, 250]]


def test_a_log_holds_the_words_of_the_model(shared_data: Path) -> None:
    for log in logs(shared_data):
        found = list(read_comparisons(log))
        assert len(found) == 271
        assert all(not isinstance(one, int) and one.answer and one.response.startswith("ANSWER") for one in found)
