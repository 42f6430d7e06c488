"""A model judges a study: every question once, every answer kept, every subject judged when its runs are complete."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from clonetruth.errors import InputError
from clonetruth.judges import LLMReport, LLMSettings, Price, RetryPolicy, ask_model, estimate_llm, find_protocol
from clonetruth.judges.protocol import LLMProtocol
from clonetruth.judges.protocols import SIMILARITY, SIMILARITY_SWAPPED
from tests.judges.chat_server import DIFFERENT, SIMILAR, UNSURE, ChatServer, Reply, answer, refusal, serving
from tests.judges.studies import fragment, judgements, make_study

OPTIONS = LLMSettings(retry=RetryPolicy(timeout=20, tries=3, first_wait=0.01), canaries=0)
DEAR = replace(OPTIONS, price=Price(input=1000, output=5000))  # an answer of the server costs 0.1 + 0.1

Answering = Callable[[str], str]


def judged(
    study: Path, says: Answering, options: LLMSettings = OPTIONS, protocol: LLMProtocol = SIMILARITY
) -> tuple[LLMReport, ChatServer]:
    with serving(lambda request, number: answer(says(request["messages"][-1]["content"]))) as server:
        report = ask_model(study, "tiny", protocol, replace(options, base_url=server.url))
    return report, server


def about(number: int, prompt: str) -> bool:
    return fragment(number, "left") in prompt


def test_each_subject_is_asked_five_times_and_the_majority_is_its_judgement(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 4)
    says = {0: SIMILAR, 1: DIFFERENT, 2: UNSURE, 3: "I cannot say."}
    report, server = judged(study, lambda prompt: next(says[n] for n in says if about(n, prompt)))
    assert len(server.requests) == 20
    assert server.requests[0]["temperature"] == server.requests[0]["top_p"] == 0
    rows = judgements(study)
    assert [(row["subject"], row["value"], row["confidence"]) for row in rows] == [
        (0, "clone", 1.0),
        (1, "not-clone", 1.0),
        (2, "undecided", 1.0),
    ]
    assert rows[0]["reason"] == "Both add."
    assert [run["run"] for run in json.loads(rows[0]["evidence"])["runs"]] == [1, 2, 3, 4, 5]
    assert {(row["judge"], row["criterion"]) for row in rows} == {(report.outcome.judge, "functionally-similar")}
    assert report.outcome.values == {"clone": 1, "not-clone": 1, "undecided": 1}
    assert (report.outcome.unjudged, report.outcome.malformed) == (1, 5)
    assert (report.answered, report.kept, report.complete) == (20, 0, True)
    assert (report.input_tokens, report.output_tokens, report.cost) == (2000, 400, None)
    assert report.models == ("tiny-2026",)


def test_what_was_answered_is_not_asked_again(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    judged(study, lambda prompt: SIMILAR)
    report, server = judged(study, lambda prompt: DIFFERENT)
    assert not server.requests
    assert (report.kept, report.answered, report.outcome.added) == (15, 0, 0)
    assert [row["value"] for row in judgements(study)] == ["clone"] * 3


def test_with_everything_answered_no_key_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = make_study(tmp_path / "study")
    judged(study, lambda prompt: SIMILAR)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert ask_model(study, "tiny", SIMILARITY).complete


def test_more_runs_are_another_judge_that_pays_only_for_those(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    judged(study, lambda prompt: SIMILAR, replace(OPTIONS, runs=1))
    report, server = judged(study, lambda prompt: DIFFERENT, replace(OPTIONS, runs=3))
    assert (report.kept, len(server.requests)) == (3, 6)
    assert Counter((row["value"], row["confidence"]) for row in judgements(study)) == {
        ("clone", 1.0): 3,
        ("not-clone", 2 / 3): 3,
    }


@pytest.mark.parametrize(
    "other",
    [
        replace(SIMILARITY, prompt=SIMILARITY.prompt.replace("exactly ", "")),
        replace(SIMILARITY, parameters={"temperature": 1}),
        replace(SIMILARITY, system="Be brief."),
    ],
    ids=["wording", "parameters", "system"],
)
def test_another_wording_is_another_judge(other: LLMProtocol, tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 1)
    first, _ = judged(study, lambda prompt: SIMILAR)
    second, server = judged(study, lambda prompt: DIFFERENT, protocol=other)
    assert len(server.requests) == 5
    assert first.outcome.judge != second.outcome.judge
    assert [row["value"] for row in judgements(study)] == ["clone", "not-clone"]


def test_the_name_of_a_protocol_is_not_its_wording(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 1)
    judged(study, lambda prompt: SIMILAR)
    report, server = judged(study, lambda prompt: SIMILAR, protocol=replace(SIMILARITY, name="mine"))
    assert (len(server.requests), report.outcome.added) == (0, 0)


def test_swapped_sides_are_asked_too_and_the_bias_is_reported(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 2)
    judged(study, lambda prompt: SIMILAR)

    def first_wins(prompt: str) -> str:
        swapped = prompt.index("right") < prompt.index("left")
        return DIFFERENT if swapped and about(0, prompt) else SIMILAR

    report, server = judged(study, first_wins, protocol=SIMILARITY_SWAPPED)
    assert (report.kept, len(server.requests)) == (10, 10)
    assert all(prompt.index("int right") < prompt.index("int left") for prompt in server.prompts)
    bias = report.outcome.position_bias
    assert bias is not None
    assert (bias.compared, bias.differ, bias.share) == (2, 1, 0.5)
    assert [row["value"] for row in judgements(study) if row["judge"] == report.outcome.judge] == ["undecided", "clone"]


def test_subjects_with_the_same_texts_are_one_question(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 3, left_text="int a;", right_text="int b;")
    report, server = judged(study, lambda prompt: SIMILAR)
    assert (report.questions, len(server.requests)) == (5, 5)
    assert [row["subject"] for row in judgements(study)] == [0, 1, 2]


def test_a_subject_without_text_is_not_asked_about(tmp_path: Path) -> None:
    report, server = judged(make_study(tmp_path / "study", left_text=None), lambda prompt: SIMILAR)
    assert (report.without_text, report.questions, len(server.requests)) == (3, 0, 0)


def test_only_the_first_subjects(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 5)
    judged(study, lambda prompt: SIMILAR, replace(OPTIONS, limit=2))
    assert [row["subject"] for row in judgements(study)] == [0, 1]


@pytest.mark.parametrize("most", [1, 3])
def test_concurrency_is_limited(most: int, tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    with serving(lambda request, number: replace(answer(SIMILAR), delay=0.05)) as server:
        ask_model(study, "tiny", SIMILARITY, replace(OPTIONS, base_url=server.url, concurrency=most))
    assert server.most_under_way == most


def test_progress_is_reported(tmp_path: Path) -> None:
    calls: list[tuple[str, int, int]] = []
    with serving(lambda request, number: answer(SIMILAR)) as server:
        study = make_study(tmp_path / "study", 1)
        options = replace(OPTIONS, base_url=server.url)
        ask_model(study, "tiny", SIMILARITY, options, lambda *call: calls.append(call))
    assert calls == [("questions", 1, 5)] * 5


def test_the_budget_is_kept_and_the_rest_asked_later(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    report, server = judged(study, lambda prompt: SIMILAR, replace(DEAR, budget=3))
    assert report.stopped is not None
    assert "budget" in report.stopped
    assert report.cost == report.cost_of_all == pytest.approx(0.2 * len(server.requests))
    assert 0 < (report.cost or 0) <= 3
    assert len(judgements(study)) == report.outcome.subjects < 3
    again, server = judged(study, lambda prompt: SIMILAR, replace(DEAR, budget=3))
    assert len(server.requests) == 0
    assert again.stopped is not None
    rest, _ = judged(study, lambda prompt: SIMILAR, replace(DEAR, budget=100))
    assert rest.complete
    assert (rest.cost or 0) + (report.cost or 0) == pytest.approx(rest.cost_of_all) == pytest.approx(3.0)
    assert [row["subject"] for row in judgements(study)] == [0, 1, 2]


def test_a_budget_without_a_price_is_refused(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    with pytest.raises(InputError, match="A budget needs the price of 'tiny'"):
        ask_model(study, "tiny", SIMILARITY, replace(OPTIONS, budget=1))


@pytest.mark.parametrize("change", [{"runs": 0}, {"concurrency": 0}, {"retry": RetryPolicy(tries=0)}])
def test_nothing_can_be_asked_no_times(change: dict[str, Any], tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    with pytest.raises(InputError, match="at least 1"):
        ask_model(study, "tiny", SIMILARITY, replace(OPTIONS, **change))


def test_a_question_that_is_refused_leaves_its_subject_open(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")

    def reply(request: dict[str, Any], number: int) -> Reply:
        return refusal(400, "too long") if about(1, request["messages"][-1]["content"]) else answer(SIMILAR)

    with serving(reply) as server:
        report = ask_model(study, "tiny", SIMILARITY, replace(OPTIONS, base_url=server.url))
    assert not report.complete
    assert report.stopped is None
    assert len(report.unanswered) == 5
    assert [row["subject"] for row in judgements(study)] == [0, 2]
    judged(study, lambda prompt: SIMILAR)
    assert [row["subject"] for row in judgements(study)] == [0, 2, 1]


@pytest.mark.parametrize("status", [400, 401])
def test_a_server_that_answers_nothing_is_an_error(status: int, tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 20)
    with serving(lambda request, number: refusal(status, "no such parameter")) as server:
        with pytest.raises(InputError, match="cannot be asked: the server says"):
            ask_model(study, "tiny", SIMILARITY, replace(OPTIONS, base_url=server.url))
        assert len(server.requests) < 20
    assert judgements(study) == []


def test_a_server_that_closes_in_between_keeps_what_was_answered(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    with serving(lambda request, number: answer(SIMILAR) if number < 7 else refusal(401, "expired")) as server:
        report = ask_model(study, "tiny", SIMILARITY, replace(OPTIONS, base_url=server.url, concurrency=1))
    assert (report.answered, report.outcome.subjects) == (7, 1)
    assert report.stopped == "the server says 'Error code: 401 - expired'"
    report, server = judged(study, lambda prompt: SIMILAR)
    assert (report.kept, len(server.requests)) == (7, 8)


def test_an_estimate_asks_and_writes_nothing(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    before = sorted(study.rglob("*"))
    found = estimate_llm(study, "tiny", SIMILARITY, DEAR)
    assert sorted(study.rglob("*")) == before
    assert (found.subjects, found.questions, found.kept) == (3, 15, 0)
    assert found.input_tokens > 15 * 100
    assert found.cost == pytest.approx((1000 * found.input_tokens + 5000 * found.output_tokens) / 1e6)
    judged(study, lambda prompt: SIMILAR)
    after = estimate_llm(study, "tiny", SIMILARITY)
    assert (after.kept, after.input_tokens, after.cost) == (15, 0, None)


def test_the_criteria_of_study_and_prompt_are_both_reported(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", criterion="same-main-purpose")
    report, _ = judged(study, lambda prompt: SIMILAR)
    assert (report.outcome.criterion, report.outcome.asked) == ("same-main-purpose", "functionally-similar")
    assert {row["criterion"] for row in judgements(study)} == {"same-main-purpose"}


def test_answers_that_the_study_does_not_know_are_refused(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", criterion="same-goals")
    with pytest.raises(InputError, match="does not permit the answer 'clone'"):
        judged(study, lambda prompt: SIMILAR)


def test_the_words_of_the_study(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", criterion="textual")
    _, server = judged(
        study, lambda prompt: "ANSWER: NOT-CLONE\nEXPLANATION: no", protocol=find_protocol("study", study)
    )
    # Requests run side by side: any of them may arrive first.
    assert all("Are they alike?" in prompt for prompt in server.prompts)
    assert any(fragment(0, "left") in prompt for prompt in server.prompts)
    assert [row["value"] for row in judgements(study)] == ["not-clone"] * 3


def test_without_undecided_among_the_answers_a_tie_is_no_judgement(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 2, criterion="same-goals")
    with serving(lambda request, number: answer(f"ANSWER: {('AGREE', 'DISAGREE')[number % 2]}")) as server:
        options = replace(OPTIONS, base_url=server.url, concurrency=1, runs=2)
        report = ask_model(study, "tiny", find_protocol("study", study), options)
    assert (report.outcome.subjects, report.outcome.unjudged, judgements(study)) == (2, 2, [])


def test_methods_are_judged_in_their_functionality(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", methods=2)
    says = {"0": "MAJOR", "1": "WRONG"}

    def reply(prompt: str) -> str:
        return f"ANSWER: {next(word for number, word in says.items() if f'method{number}' in prompt)}"

    report, server = judged(study, reply, protocol=find_protocol("study-methods", study))
    assert report.complete
    assert all("Sort\nPut numbers in order." in prompt and "(Java)" in prompt for prompt in server.prompts)
    rows = judgements(study)
    assert [(row["subject_kind"], row["subject"], row["criterion"], row["value"]) for row in rows] == [
        ("method", 0, "implements-functionality", "major"),
        ("method", 1, "implements-functionality", "wrong"),
    ]
