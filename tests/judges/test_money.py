"""What protects the money of those who ask a model: canaries, a stop, nothing paid twice, and a budget that holds."""

from __future__ import annotations

import gzip
import json
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.judges import (
    AnswerState,
    CanaryReport,
    LLMReport,
    LLMSettings,
    Price,
    RetryPolicy,
    ask_model,
    estimate_llm,
    find_protocol,
)
from clonetruth.judges.bounded_client import LARGEST_RESPONSE
from clonetruth.judges.canaries import canaries, is_structured, structured
from clonetruth.judges.journal import journal_path, read_journal
from clonetruth.judges.majority import Answer, answer_state, conclude
from clonetruth.judges.prices import estimated_tokens
from clonetruth.judges.protocol import LLMProtocol, Order, llm_judge, respondent
from clonetruth.judges.protocols import SIMILARITY
from clonetruth.model import CRITERIA, Subject
from clonetruth.store.study import read_study
from tests.judges.chat_server import DIFFERENT, SIMILAR, ChatServer, Reply, answer, refusal, serving
from tests.judges.studies import judgements, make_study

OPTIONS = LLMSettings(retry=RetryPolicy(timeout=20, tries=3, first_wait=0.01), runs=1, concurrency=1)
BARE = replace(OPTIONS, canaries=0)
BABBLE = "Well, it depends."
LIMITED = replace(SIMILARITY, parameters={"max_tokens": 40})

Replying = Callable[[dict[str, Any], int], Reply]


def asked(
    study: Path, reply: Replying, options: LLMSettings = OPTIONS, protocol: LLMProtocol = SIMILARITY
) -> tuple[LLMReport, ChatServer]:
    with serving(reply) as server:
        report = ask_model(study, "tiny", protocol, replace(options, base_url=server.url))
    return report, server


def saying(text: str, **message: Any) -> Replying:
    return lambda request, number: answer(text, **message)


def is_canary(request: dict[str, Any]) -> bool:
    return "int left" not in request["messages"][-1]["content"]


def as_json(request: dict[str, Any], number: int) -> Reply:
    """A server that keeps to a schema if it gets one."""
    if "response_format" not in request:
        return answer(SIMILAR)
    words = request["response_format"]["json_schema"]["schema"]["properties"]["answer"]["enum"]
    return answer(json.dumps({"answer": words[0], "explanation": "Both add."}))


# Canary questions


def test_canaries_come_first_and_once(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    seen: list[CanaryReport] = []
    with serving(saying(SIMILAR)) as server:
        options = replace(OPTIONS, base_url=server.url, structured=False)
        report = ask_model(study, "tiny", SIMILARITY, options, on_canaries=lambda one: seen.append(one))
        assert [is_canary(request) for request in server.requests] == [True] * 4 + [False] * 3
        ask_model(study, "tiny", SIMILARITY, replace(options, runs=2))
        assert not any(is_canary(request) for request in server.requests[7:])
    assert seen == [report.canaries]
    assert report.canaries is not None
    assert (report.canaries.readable, report.canaries.right, report.canaries.questions_left) == (4, 2, 3)
    assert (report.questions, report.answered, report.complete) == (3, 3, True)
    assert report.input_tokens == 700


def test_unreadable_canaries_stop_before_the_bulk(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 10)
    report, server = asked(study, saying(BABBLE), replace(OPTIONS, structured=False))
    assert len(server.requests) == 4
    assert report.stopped == "4 of 4 canary questions have no readable answer (--canaries)"
    assert (report.complete, report.answered, report.outcome.decided) == (False, 0, 0)
    # The server has learned to answer: its unreadable canaries are asked again, and the study goes on.
    report, server = asked(study, saying(SIMILAR), replace(OPTIONS, structured=False))
    assert (report.complete, len(server.requests)) == (True, 14)


def test_the_cost_of_the_rest_is_known_after_the_canaries(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 10)
    options = replace(OPTIONS, price=Price(1000, 5000), budget=2.0, structured=False)
    report, server = asked(study, saying(SIMILAR), options, LIMITED)
    found = report.canaries
    assert found is not None
    assert found.cost_left is not None
    assert found.cost_left == pytest.approx(10 * 0.2, rel=0.1)
    assert found.affordable is not None
    assert 0 < found.affordable < 10
    assert report.cost_of_all == pytest.approx(0.2 * len(server.requests))
    assert report.stopped is not None
    assert report.stopped.startswith("the budget is exhausted")


def test_a_server_that_rejects_the_canaries_cannot_be_asked(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 50)
    with serving(lambda request, number: refusal(400, "unknown parameter top_p")) as server:
        with pytest.raises(InputError, match=r"cannot be asked: the server says .*top_p"):
            ask_model(study, "tiny", SIMILARITY, replace(OPTIONS, base_url=server.url))
        assert len(server.requests) <= 5


@pytest.mark.parametrize("criterion", [name for name in CRITERIA if CRITERIA[name].subject is Subject.PAIR])
def test_there_are_canaries_for_every_criterion(criterion: str, tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", criterion=criterion, methods=1)
    for name in ("study", "study-methods"):
        protocol = find_protocol(name, study)
        found = canaries(read_study(study), protocol, 4)
        assert len({one.key for one in found}) == 4
        assert len({one.expected for one in found}) == 2
        assert {one.expected for one in found} <= set(protocol.answers.values())


def test_the_estimate_counts_the_canaries(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    before = estimate_llm(study, "tiny", SIMILARITY, OPTIONS)
    assert (before.canaries, before.questions, before.judge) == (4, 3, None)
    report, _ = asked(study, saying(SIMILAR))
    after = estimate_llm(study, "tiny", SIMILARITY, replace(OPTIONS, runs=2))
    assert (after.canaries, after.kept, after.questions) == (0, 3, 6)
    assert after.judge == llm_judge("tiny", SIMILARITY, 2).id
    assert report.outcome.judge == llm_judge("tiny", SIMILARITY, 1).id


# Structured output


def test_json_is_asked_for_where_the_server_offers_it(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    report, server = asked(study, as_json)
    assert len(server.requests) == 4 + 3
    assert all("response_format" in request for request in server.requests)
    assert report.canaries is not None
    assert report.canaries.structured
    assert report.outcome.judge == llm_judge("tiny", structured(SIMILARITY), 1).id
    assert {row["value"] for row in judgements(study)} == {"clone"}
    assert {row["reason"] for row in judgements(study)} == {"Both add."}
    again, server = asked(study, saying(SIMILAR))
    assert (again.kept, len(server.requests), again.outcome.judge) == (3, 0, report.outcome.judge)


@pytest.mark.parametrize(
    "unable",
    [
        lambda request, number: refusal(400, "response_format is not supported") if number == 0 else answer(SIMILAR),
        saying(SIMILAR),
        lambda request, number: answer("{}" if "response_format" in request else SIMILAR),
        lambda request, number: answer('{"answer": "YES"}' if "response_format" in request else SIMILAR),
        lambda request, number: refusal(500) if "response_format" in request else answer(SIMILAR),
    ],
    ids=["rejects", "ignores", "empty", "other words", "breaks"],
)
def test_where_the_server_cannot_text_is_asked_for(unable: Replying, tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    report, server = asked(study, unable)
    assert report.complete
    assert report.canaries is not None
    assert not report.canaries.structured
    assert report.outcome.judge == llm_judge("tiny", SIMILARITY, 1).id
    assert [one for one in server.requests if "response_format" in one] == server.requests[: len(server.requests) - 7]
    _, server = asked(study, unable, replace(OPTIONS, runs=2))
    assert len(server.requests) == 3


def test_what_was_paid_for_decides_the_form(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    asked(study, saying(SIMILAR), BARE)
    report, server = asked(study, as_json, replace(OPTIONS, runs=2))
    assert not any("response_format" in request for request in server.requests)
    assert report.kept == 3


def test_another_form_is_another_judge(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    plain, _ = asked(study, as_json, replace(OPTIONS, structured=False))
    form, _ = asked(study, as_json, replace(OPTIONS, structured=True))
    assert plain.outcome.judge != form.outcome.judge
    assert len(judgements(study)) == 6


def test_a_protocol_with_a_form_of_its_own_is_left_alone(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    own = replace(SIMILARITY, parameters={"grammar": "root ::= word"})
    _, server = asked(study, as_json, protocol=own)
    assert not any("response_format" in request for request in server.requests)
    with pytest.raises(InputError, match="by the parameter 'grammar'"):
        asked(study, as_json, replace(OPTIONS, structured=True), own)


@given(st.sampled_from(list(SIMILARITY.answers)), st.text())
def test_the_schema_is_what_is_read(word: str, reason: str) -> None:
    text = json.dumps({"answer": word, "explanation": reason})
    assert is_structured(Answer(Order.GIVEN, 1, text), structured(SIMILARITY))
    found = conclude([Answer(Order.GIVEN, 1, text)], SIMILARITY.answers)
    assert found.value == SIMILARITY.answers[word]


# The stop


@pytest.mark.parametrize(("share", "stopped"), [(0.2, True), (0.5, False), (1.0, False)])
def test_it_stops_when_too_many_answers_cannot_be_read(share: float, stopped: bool, tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 30)
    options = replace(BARE, stop_after_unreadable=share)
    report, server = asked(study, lambda request, number: answer(BABBLE if number % 3 == 0 else SIMILAR), options)
    assert (report.stopped is not None) == stopped
    assert len(server.requests) == (20 if stopped else 30)
    if stopped:
        assert report.stopped == (
            "7 of 20 answers cannot be read, more than 20% (--stop-after-unreadable), with 10 questions left"
        )
        assert (report.answered, report.outcome.decided) == (20, 13)
        rest, server = asked(study, saying(SIMILAR), options)
        assert (rest.complete, rest.kept, len(server.requests)) == (True, 20, 10)


# Asking again


def test_only_chosen_answers_are_asked_for_again(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 5)
    replies = [
        answer(SIMILAR),
        answer(BABBLE),
        answer("<think>Let me see", finish="length"),
        answer(None, refusal="I cannot."),
        answer("", finish="content_filter"),
    ]
    first, _ = asked(study, lambda request, number: replies[number], BARE)
    assert (first.complete, first.outcome.decided, first.outcome.malformed) == (True, 1, 4)
    spent = len(read_journal(study, respondent("tiny", SIMILARITY)).paid)
    counts = []
    for states in ([AnswerState.MALFORMED], [AnswerState.CUT_OFF], [AnswerState.REFUSED], list(AnswerState)[1:]):
        report, server = asked(study, saying(DIFFERENT), replace(BARE, ask_again=states))
        assert report.complete
        counts.append(len(server.requests))
    assert counts == [1, 1, 2, 0]
    assert [row["value"] for row in sorted(judgements(study), key=lambda row: row["subject"])] == [
        "clone",
        *["not-clone"] * 4,
    ]
    stored = read_journal(study, respondent("tiny", SIMILARITY))
    assert (spent, len(stored.paid), len(stored.answers)) == (5, 9, 5)


def test_what_was_paid_twice_is_counted_twice(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 2)
    options = replace(BARE, price=Price(1000, 5000))
    asked(study, saying(BABBLE), options)
    report, _ = asked(study, saying(SIMILAR), replace(options, ask_again=[AnswerState.MALFORMED]))
    assert report.cost == pytest.approx(0.4)
    assert report.cost_of_all == pytest.approx(0.8)


def test_a_majority_that_changes_is_a_later_judgement(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 1)
    options = replace(BARE, runs=3)
    asked(study, lambda request, number: answer((SIMILAR, BABBLE, BABBLE)[number]), options)
    asked(study, saying(SIMILAR), replace(options, ask_again=[AnswerState.MALFORMED]))
    assert [(row["value"], row["confidence"]) for row in judgements(study)] == [("undecided", 0.0), ("clone", 1.0)]


# Reading


@pytest.mark.parametrize(
    ("message", "finish", "state"),
    [
        ({"content": SIMILAR, "reasoning_content": "Hm.\n" + DIFFERENT}, "stop", "readable"),
        ({"content": SIMILAR, "reasoning": "Hm.\n" + DIFFERENT}, "stop", "readable"),
        ({"content": "", "reasoning_content": "Both add.\n" + SIMILAR}, "stop", "readable"),
        ({"content": None, "reasoning_content": "Both add.\n" + SIMILAR}, "length", "cut-off"),
        ({"content": None, "reasoning": SIMILAR + "\nOr not.\n" + DIFFERENT}, "stop", "malformed"),
        ({"content": f"<think>{DIFFERENT}</think>{SIMILAR}"}, "stop", "readable"),
        ({"content": "answer: similar"}, "length", "readable"),
        ({"content": None, "refusal": "No."}, "stop", "refused"),
    ],
)
def test_what_a_server_separates_is_read(message: dict[str, Any], finish: str, state: str, tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 1)
    asked(study, lambda request, number: answer(finish=finish, **{"text": None, **message}), BARE)
    ((_, stored),) = read_journal(study, respondent("tiny", SIMILARITY)).answers.items()
    assert answer_state(stored, SIMILARITY.answers) == state
    assert [row["value"] for row in judgements(study)] == (["clone"] if state == "readable" else [])


# The budget


class BillingServer:
    """Bills every request that it works on, whether or not its answer arrives.

    Args:
        fates: what happens to each request in turn: "answer", "length", "late", "cut", "broken", 500, 429 or 503.
        tokens: tokens of an answer, at most the request's `max_tokens`.
    """

    def __init__(self, fates: list[str | int], tokens: int, price: Price) -> None:
        self.billed = 0.0
        self.dearest = 0.0
        self._fates = fates
        self._tokens = tokens
        self._price = price
        self._lock = threading.Lock()

    def __call__(self, request: dict[str, Any], number: int) -> Reply:
        fate = self._fates[number % len(self._fates)]
        if fate in (429, 503):
            return refusal(int(fate))
        tokens = min(self._tokens, request.get("max_tokens", self._tokens))
        cost = self._price.of(100, tokens)
        with self._lock:
            self.billed += cost
            self.dearest = max(self.dearest, cost)
        sent = answer(SIMILAR, tokens=tokens, finish="length" if fate == "length" else "stop")
        if isinstance(fate, int):
            return refusal(fate)
        if fate == "broken":
            return Reply(b'{"choices": []}')
        return replace(sent, delay=0.6 if fate == "late" else 0, cut=fate == "cut")


@pytest.mark.slow
@given(
    fates=st.lists(
        st.sampled_from(["answer", "answer", "length", "cut", "broken", 500, 504, 429, 503]), min_size=1, max_size=6
    ),
    tokens=st.sampled_from([5, 40, 400]),
    limited=st.booleans(),
    concurrency=st.integers(1, 4),
    budget=st.sampled_from([0.5, 2.0, 6.0]),
)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_bill_exceeds_the_budget_by_at_most_the_requests_in_flight(
    fates: list[str | int],
    tokens: int,
    limited: bool,
    concurrency: int,
    budget: float,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    study = make_study(tmp_path_factory.mktemp("billed") / "study", 15)
    price = Price(1000, 5000)
    bank = BillingServer(fates, tokens, price)
    protocol = LIMITED if limited else SIMILARITY
    retry = RetryPolicy(timeout=5, tries=3, first_wait=0.001)
    options = replace(OPTIONS, price=price, budget=budget, concurrency=concurrency, retry=retry)
    for _ in range(2):  # the second call knows what the first one has spent
        try:
            report, _ = asked(study, bank, options, protocol)
        except InputError:
            continue
        assert report.cost_of_all is not None
        assert report.cost_of_all >= bank.billed - 1e-9
    assert bank.billed <= budget + concurrency * bank.dearest


@pytest.mark.parametrize("fate", ["late", "cut", "broken", 500])
def test_a_request_without_an_answer_counts_against_the_budget(fate: str | int, tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 1)
    price = Price(1000, 5000)
    bank = BillingServer([fate], 40, price)
    options = replace(BARE, price=price, retry=RetryPolicy(timeout=0.3, tries=6, first_wait=0.001))
    prompt = next(iter(canaries(read_study(study), LIMITED, 1))).question.message
    most = price.of(estimated_tokens(prompt) + 100, 40)
    report, server = asked(study, bank, replace(options, budget=1.0), LIMITED)
    assert (report.answered, report.failures, report.complete) == (0, len(server.requests), False)
    assert 1 <= len(server.requests) < 6
    assert report.cut_off == len(server.requests)
    assert bank.billed <= (report.cost or 0) <= len(server.requests) * most
    again, server = asked(study, bank, replace(options, budget=1.0), LIMITED)
    assert not server.requests
    assert again.cost_of_all == report.cost


def _hostile(fate: str) -> Reply:
    good = answer(SIMILAR)
    return {
        "a huge answer": answer("x" * (LARGEST_RESPONSE + 1)),
        "a compressed answer": Reply(gzip.compress(good.body), headers={"content-encoding": "gzip"}),
        "nested lists": Reply(b"[" * 100_000 + b"]" * 100_000),
        "nested objects": Reply(b'{"choices":' * 100_000 + b"1" + b"}" * 100_000),
        "a byte at a time": replace(good, pause=0.05),
    }[fate]


@pytest.mark.parametrize(
    "fate", ["a huge answer", "a compressed answer", "nested lists", "nested objects", "a byte at a time"]
)
def test_a_hostile_answer_is_a_failed_attempt(fate: str, tmp_path: Path) -> None:
    """It neither fills memory and disk nor holds the command, and counts against the budget."""
    study = make_study(tmp_path / "study", 1)
    options = replace(BARE, price=Price(1000, 5000), retry=RetryPolicy(timeout=2, tries=2, first_wait=0.001))
    begin = time.monotonic()
    report, server = asked(study, lambda request, number: _hostile(fate), replace(options, budget=9.0), LIMITED)
    assert (report.answered, report.failures, report.cut_off) == (0, 2, 2)
    assert len(server.requests) == 2
    assert time.monotonic() - begin < 20
    assert sum(file.stat().st_size for file in (study / "llm").iterdir()) < 10_000


def test_a_redirect_is_not_followed(tmp_path: Path) -> None:
    """Each would be one more request, and would send the code to another server."""
    study = make_study(tmp_path / "study", 1)
    moved = Reply(status=307, headers={"location": "/v1/chat/completions"})
    report, server = asked(study, lambda request, number: moved, BARE, LIMITED)
    assert (report.answered, len(server.requests)) == (0, 1)


@pytest.mark.parametrize("tokens", [10**10, 10**400], ids=["10^10", "10^400"])
def test_a_count_of_tokens_that_cannot_be_is_replaced_by_our_own(tokens: int, tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 1)
    report, _ = asked(study, saying(SIMILAR, tokens=tokens), replace(BARE, price=Price(1000, 5000)), LIMITED)
    assert report.answered == 1
    assert 0 < (report.cost or 0) < 10


@pytest.mark.parametrize("date", ["Mon, 01 Jan 2024 00:00:00 +99999999999999999999", "Mon, 99 Foo"])
def test_an_impossible_pause_is_ignored(date: str, tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 1)
    report, server = asked(study, lambda request, number: refusal(429, retry_after=date), BARE, LIMITED)
    assert report.answered == 0
    assert 1 <= len(server.requests) <= 3


@pytest.mark.parametrize("status", [429, 503])
def test_a_rejected_request_costs_nothing(status: int, tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 1)
    options = replace(BARE, price=Price(1000, 5000), budget=3.0)
    report, _ = asked(study, lambda request, number: refusal(status), options, LIMITED)
    assert (report.failures, report.cut_off, report.cost) == (3, 0, 0.0)


def test_nobody_there_costs_nothing(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 1)
    with serving(saying(SIMILAR)) as server:
        pass
    options = replace(BARE, price=Price(1000, 5000), budget=3.0, base_url=server.url)
    assert ask_model(study, "tiny", LIMITED, options).cost == 0.0


def test_a_journal_of_the_first_version_is_read_and_continued(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", 2)
    who = respondent("tiny", SIMILARITY)
    asked(study, saying(SIMILAR), replace(BARE, limit=1))
    path = journal_path(study, who)
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    old = [json.dumps({**json.loads(header), "schema_version": 1}), *(line for line in lines if '"question"' in line)]
    path.write_text("\n".join(old) + "\n", encoding="utf-8")
    report, server = asked(study, saying(DIFFERENT), BARE)
    assert (report.kept, len(server.requests)) == (1, 1)
    assert [row["value"] for row in judgements(study)] == ["clone", "not-clone"]
