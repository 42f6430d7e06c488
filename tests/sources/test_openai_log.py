"""The logs of an LLM that compared pairs: each run is a judge, with model and prompt as settings."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.sources import import_dataset
from tests.sources.importer import imported
from tests.sources.pair_samples import ADD, SUM, comparison, openai_log

LEFT, RIGHT = "2_10#1#3.java", "2_11#4#8.java"


def test_every_run_is_a_judge_with_its_model_and_prompt(tmp_path: Path) -> None:
    found = imported("openai-log", openai_log(tmp_path), tmp_path)
    judges = found.rows("SELECT judge, kind, settings FROM judges ORDER BY judge")
    settings = [json.loads(row[2]) for row in judges]
    assert [row[1] for row in judges] == ["llm", "llm"]
    assert [one["run"] for one in settings] == ["1", "2"]
    assert settings[0]["model"] == "gpt-4o"
    assert settings[0]["prompt_sha256"] == settings[1]["prompt_sha256"]
    assert ADD not in settings[0]["prompt"]
    assert [row[3] for row in found.labels()] == ["clone", "undecided", "not-clone"]


def test_a_pair_in_two_logs_is_one_pair_and_reasons_are_kept(tmp_path: Path) -> None:
    found = imported("openai-log", openai_log(tmp_path), tmp_path)
    assert found.report.counts["pairs"] == 2
    reasons = found.rows("SELECT reason, evidence FROM judgements WHERE pair = 0 ORDER BY sequence LIMIT 1")
    assert reasons == [("Because.\n\n- Both add.", "ANSWER: YES-SIMILAR; RESULT: 100")]
    assert found.rows("SELECT id, path, first_line, last_line FROM fragments ORDER BY id LIMIT 1") == [
        (LEFT, "10.java", 1, 3)
    ]


def test_without_snippets_the_texts_come_from_the_prompts(tmp_path: Path) -> None:
    found = imported("openai-log", openai_log(tmp_path)[:2], tmp_path)
    assert found.rows("SELECT text FROM fragments ORDER BY fragment LIMIT 2") == [(ADD,), (SUM,)]


def test_a_pair_that_occurs_twice_in_a_log_is_kept_twice(tmp_path: Path) -> None:
    log = tmp_path / "openai.1-gpt-4o.log"
    log.write_text(comparison(LEFT, RIGHT, "YES-SIMILAR", "1") * 2)
    assert imported("openai-log", [log], tmp_path).report.counts["pairs"] == 2


@pytest.mark.parametrize(
    "block",
    [
        comparison(LEFT, RIGHT, "PERHAPS", "1"),
        comparison(LEFT, RIGHT, "YES-SIMILAR", "0"),
        comparison(LEFT, RIGHT, "YES-SIMILAR", "1").partition("### RESULT")[0],
        comparison("left.java", RIGHT, "YES-SIMILAR", "1"),
        comparison(LEFT, RIGHT, "YES-SIMILAR", "1").replace('"""', "'''"),
    ],
)
def test_invalid_blocks_are_counted(block: str, tmp_path: Path) -> None:
    log = tmp_path / "openai.1-gpt-4o.log"
    log.write_text(comparison(LEFT, RIGHT, "YES-SIMILAR", "1") + block)
    found = imported("openai-log", [log], tmp_path)
    assert found.report.counts["pairs"] == 1
    assert sum(found.report.reasons.values()) == 1


def test_a_log_without_a_complete_block_is_an_error(tmp_path: Path) -> None:
    log = tmp_path / "openai.1-gpt-4o.log"
    log.write_text("### COMPARISON\n>>> a vs. b with c\n")
    with pytest.raises(InputError, match="No pair could be read"):
        import_dataset("openai-log", [log], output=tmp_path / "out")


def test_real_files(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "bcb406"
    logs = [folder / f"openai.{run}-gpt-4o.log.xz" for run in (1, 2)]
    found = imported("openai-log", [*logs, folder / "snippets.zip"], tmp_path)
    assert found.report.counts["pairs"] == 271
    assert found.report.counts["fragments"] == 528
    assert not found.report.reasons
    assert found.rows("SELECT judge, value, count(*) FROM judgements GROUP BY ALL ORDER BY ALL") == [
        ("llm:gpt-4o-84317dd3-run-1", "clone", 16),
        ("llm:gpt-4o-84317dd3-run-1", "not-clone", 255),
        ("llm:gpt-4o-84317dd3-run-2", "clone", 16),
        ("llm:gpt-4o-84317dd3-run-2", "not-clone", 255),
    ]
    truth = {}
    for line in (folder / "finaltruth.csv").read_text().splitlines()[1:]:
        verdict, left, right, _ = line.split(",")
        truth[left, right] = {"T": "clone", "F": "not-clone"}[verdict]
    one = [row for row in found.labels() if row[2].endswith("run-1")]
    conflicts = sum(truth[left, right] != value for left, right, _, value in one)
    assert conflicts == 8
