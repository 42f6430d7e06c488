"""`llm:MODEL`: scores from a server's answers, and servers that give none."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import clonetruth
from clonetruth.detectors import find_detector
from clonetruth.detectors.detector import FRAGMENTS, PAIRS
from clonetruth.detectors.llm import LLMDetector
from clonetruth.errors import InputError
from tests.evaluate.sample_benchmark import sample_benchmark
from tests.judges.chat_server import ChatServer, Reply, answer, refusal, serving

TEXTS = ("int twice(int a) { return 2 * a; }", "int two(int b) { return b + b; }", "void hello() { print(1); }", " ")
FRAGMENT_TABLE = pa.table([np.arange(4), ["java"] * 4, list(TEXTS)], schema=FRAGMENTS)


def with_tokens(text: str, **probabilities: float) -> Reply:
    """A completion with the probabilities of its first token."""
    reply = answer(text)
    body = json.loads(reply.body)
    tops = [{"token": token, "logprob": math.log(value), "bytes": None} for token, value in probabilities.items()]
    body["choices"][0]["logprobs"] = {"content": [{**tops[0], "top_logprobs": tops}], "refusal": None}
    return Reply(json.dumps(body).encode())


def pairs(*sides: tuple[int, int]) -> pa.Table:
    left, right = zip(*sides, strict=True)
    return pa.table([list(range(len(sides))), list(left), list(right)], schema=PAIRS)


def detector(server: ChatServer, journal: Path, *settings: str) -> LLMDetector:
    name = ",".join([f"llm:tiny,base_url={server.url},journal={journal},timeout=5", *settings])
    found = find_detector(name)
    assert isinstance(found, LLMDetector)
    return found


def about_hello(request: dict[str, Any]) -> bool:
    return "hello" in request["messages"][-1]["content"]


def test_the_score_is_the_probability_of_yes_over_both_orders(tmp_path: Path) -> None:
    def reply(request: dict[str, Any], number: int) -> Reply:
        if about_hello(request):
            return with_tokens("NO", **{"NO": 0.6, " No": 0.2, "Yes": 0.2})
        first = request["messages"][-1]["content"].index("twice") < request["messages"][-1]["content"].index("two(")
        return with_tokens("YES", YES=0.9, NO=0.1) if first else with_tokens("YES", Y=0.7, N=0.3)

    with serving(reply) as server:
        asked = detector(server, tmp_path)
        scores = asked.score(FRAGMENT_TABLE, pairs((0, 1), (1, 0), (0, 2), (0, 3)))
        assert scores.to_pylist() == pytest.approx([0.8, 0.8, 0.2, None])
        assert len(server.requests) == 4
        assert server.requests[0]["logprobs"] is True
        assert server.requests[0]["top_logprobs"] == 20
        assert detector(server, tmp_path).score(FRAGMENT_TABLE, pairs((0, 1), (2, 0))).to_pylist() == pytest.approx(
            [0.8, 0.2]
        )
        assert len(server.requests) == 4, "an answer is asked for once"
        assert asked.remarks(FRAGMENT_TABLE) == ()


def test_words_count_where_there_are_no_probabilities_and_rubbish_has_no_score(tmp_path: Path) -> None:
    def reply(request: dict[str, Any], number: int) -> Reply:
        text = request["messages"][-1]["content"]
        if "hello" in text and "two(" in text:
            return answer(None, refusal="I will not look at code.")
        return answer("Well, it depends") if "hello" in text else answer("Yes.")

    with serving(reply) as server:
        asked = detector(server, tmp_path, "orders=one")
        assert asked.score(FRAGMENT_TABLE, pairs((0, 1), (0, 2), (1, 2))).to_pylist() == [1.0, None, None]
        assert len(server.requests) == 3
        said = " ".join(asked.remarks(FRAGMENT_TABLE))
        assert "their words count as 1 and 0" in said
        assert "cannot be read; their pairs have no score" in said


def test_probabilities_of_other_words_are_not_a_score(tmp_path: Path) -> None:
    with serving(lambda request, number: with_tokens("Maybe", Maybe=0.95, YES=0.05)) as server:
        assert detector(server, tmp_path).score(FRAGMENT_TABLE, pairs((0, 1))).to_pylist() == [None]


def test_a_rejected_question_has_no_score_and_is_said(tmp_path: Path) -> None:
    def reply(request: dict[str, Any], number: int) -> Reply:
        return refusal(400, "too long") if about_hello(request) else answer("YES")

    with serving(reply) as server:
        asked = detector(server, tmp_path, "orders=one")
        assert asked.score(FRAGMENT_TABLE, pairs((0, 1), (0, 2))).to_pylist() == [1.0, None]
        assert any("did not answer 1 questions" in one and "too long" in one for one in asked.remarks(FRAGMENT_TABLE))


def test_a_server_that_answers_nothing_is_an_error(tmp_path: Path) -> None:
    with (
        serving(lambda request, number: refusal(401, "no such key")) as server,
        pytest.raises(InputError, match="no such key"),
    ):
        detector(server, tmp_path).score(FRAGMENT_TABLE, pairs((0, 1)))


def test_the_budget_ends_the_questions(tmp_path: Path) -> None:
    (tmp_path / "prices.toml").write_text("[tiny]\ninput = 10.0\noutput = 10.0\n", encoding="utf-8")
    settings = (f"prices={tmp_path / 'prices.toml'}", "budget=0.004", "orders=one", "concurrency=1")
    with serving(lambda request, number: answer("YES")) as server:
        asked = detector(server, tmp_path / "journal", *settings)
        scores = asked.score(FRAGMENT_TABLE, pairs((0, 1), (0, 2), (1, 2), (0, 0), (1, 1), (2, 2))).to_pylist()
        assert 0 < scores.count(1.0) < 6
        assert scores.count(None) == 6 - scores.count(1.0)
        assert any("budget is exhausted" in one for one in asked.remarks(FRAGMENT_TABLE))


def test_examples_are_shown_and_must_be_other_code(tmp_path: Path) -> None:
    shots = tmp_path / "shots.jsonl"
    shown = {"left": "print(f'{left}')", "right": "echo 1", "clone": True}
    shots.write_text(json.dumps(shown) + "\n", encoding="utf-8")
    with serving(lambda request, number: answer("NO")) as server:
        asked = detector(server, tmp_path, f"shots={shots}", "orders=one")
        assert asked.score(FRAGMENT_TABLE, pairs((0, 1))).to_pylist() == [0.0]
        assert server.prompts[0].startswith("Example 1, first piece:\n```\nprint(f'{ left }')")
        assert "Answer: YES\n\n" in server.prompts[0]
        shots.write_text(json.dumps({**shown, "right": TEXTS[0].replace("return ", "return\n  ")}), encoding="utf-8")
        with pytest.raises(InputError, match="among the examples"):
            detector(server, tmp_path, f"shots={shots}").score(FRAGMENT_TABLE, pairs((0, 1)))


def test_too_many_questions_are_refused(tmp_path: Path) -> None:
    with serving(lambda request, number: answer("NO")) as server:
        with pytest.raises(InputError, match=r"asked 6 questions.*most=6"):
            detector(server, tmp_path, "most=5").score(FRAGMENT_TABLE, pairs((0, 1), (0, 2), (1, 2)))
        assert server.requests == []


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("budget=1", "needs the price"),
        ("timeout=soon", "not a number above 0"),
        ("concurrency=0.5", "'0.5' is not a whole number"),
        ("most=inf", "not a number above 0"),
        ("shots=missing.jsonl", "examples cannot be read"),
        ("temperature=1", "has no setting 'temperature'"),
    ],
)
def test_wrong_settings_are_explained(settings: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        find_detector(f"llm:tiny,{settings}")


def test_it_is_evaluated_like_any_detector(tmp_path: Path) -> None:
    benchmark = sample_benchmark(tmp_path / "benchmark")
    with serving(lambda request, number: with_tokens("YES", YES=0.5 + number % 5 / 10, NO=0.1)) as server:
        name = f"llm:tiny,base_url={server.url},journal={tmp_path},orders=one"
        evaluation = clonetruth.evaluate_detector(detector=[name], on=benchmark)
        asked = len(server.requests)
        again = clonetruth.evaluate_detector(detector=[name], on=benchmark)
        assert len(server.requests) == asked
    assert evaluation["recall"].value == again["recall"].value == 1.0


def test_why_no_pair_has_a_score_is_said(tmp_path: Path) -> None:
    benchmark = sample_benchmark(tmp_path / "benchmark")
    with serving(lambda request, number: answer("Bananas!")) as server:
        name = f"llm:tiny,base_url={server.url},journal={tmp_path},orders=one"
        with pytest.raises(InputError, match=r"gave none of .* pairs a score") as error:
            clonetruth.evaluate_detector(detector=[name], on=benchmark)
    assert "answers of llm:tiny cannot be read" in str(error.value.hint)
