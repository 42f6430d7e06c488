"""A real, small model as a judge, from end to end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from clonetruth.judges import LLMReport, LLMSettings, RetryPolicy, ask_model
from clonetruth.judges.protocol import LLMProtocol
from clonetruth.judges.protocols import SIMILARITY
from tests.judges.small_model import serving_small_model
from tests.judges.studies import judgements, make_study

pytestmark = pytest.mark.slow

BRIEF = replace(SIMILARITY, parameters={**SIMILARITY.parameters, "max_tokens": 24})
FORM = 'root ::= "ANSWER: " ("SIMILAR" | "DIFFERENT" | "UNCLEAR") "\\nEXPLANATION: " [a-zA-Z ,.]+'
GUIDED = replace(BRIEF, parameters={**BRIEF.parameters, "grammar": FORM})
"""The same, with the server made to keep to the form, as llama.cpp can."""


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    """The address of a server with the model behind it."""
    with serving_small_model() as address:
        yield address


def judge(study: Path, model: str, protocol: LLMProtocol, canaries: int = 0) -> LLMReport:
    options = LLMSettings(base_url=model, runs=2, concurrency=1, retry=RetryPolicy(timeout=250), canaries=canaries)
    return ask_model(study, "smollm2", protocol, options)


def test_a_model_that_keeps_to_the_form_is_a_judge(model: str, tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 1)
    report = judge(study, model, GUIDED)
    assert (report.answered, report.outcome.subjects, report.outcome.malformed) == (2, 1, 0)
    assert report.models == ("SmolLM2-135M-Instruct",)
    assert report.input_tokens > 200
    (row,) = judgements(study)
    one, two = json.loads(row["evidence"])["runs"]
    assert one["answer"] == two["answer"]
    assert (row["value"], row["confidence"]) == (one["value"], 1.0)
    assert row["reason"] in one["answer"]
    assert judge(study, model, GUIDED).answered == 0


def test_a_model_that_babbles_says_nothing(model: str, tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 1)
    report = judge(study, model, BRIEF)
    assert (report.complete, report.answered) == (True, 2)
    assert report.outcome.malformed == 2
    assert judgements(study) == []


def test_a_model_that_babbles_is_asked_for_json_or_not_at_all(model: str, tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 1)
    report = judge(study, model, replace(BRIEF, parameters={**BRIEF.parameters, "max_tokens": 60}), canaries=2)
    assert report.canaries is not None
    if report.canaries.structured:
        assert report.canaries.readable == 2
        assert report.outcome.malformed == 0
    else:
        assert report.stopped is not None
        assert report.answered == 0
