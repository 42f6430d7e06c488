"""A server that follows the API well, badly, late or not at all."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from email.utils import formatdate

import pytest

from clonetruth.errors import InputError
from clonetruth.judges.chat import Chat, RateLimit, RetryPolicy, StoppedError, UnansweredError
from clonetruth.judges.majority import Answer
from clonetruth.judges.protocol import LLMProtocol, Order, respondent
from clonetruth.judges.protocols import SIMILARITY
from tests.judges.chat_server import SIMILAR, ChatServer, Reply, answer, refusal, serving

KEY = "sk-very-secret"
QUICK = RetryPolicy(timeout=20, tries=3, first_wait=0.01)
IMPATIENT = RetryPolicy(timeout=0.5, tries=3, first_wait=0.01)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def ask(
    server: ChatServer,
    *messages: str,
    protocol: LLMProtocol = SIMILARITY,
    rate_limit: RateLimit | None = None,
    retry: RetryPolicy = QUICK,
) -> list[Answer]:
    """The answers to messages that are asked at once."""

    async def all_at_once() -> list[Answer]:
        chat = Chat(respondent("tiny", protocol), server.url, rate_limit or RateLimit(), retry)
        try:
            return list(await asyncio.gather(*(chat.ask(message, Order.GIVEN, 1) for message in messages)))
        finally:
            await chat.close()

    return asyncio.run(all_at_once())


def asked_of(replies: Sequence[Reply]) -> tuple[Answer, ChatServer]:
    """The answer of a server that gives one reply after the other."""
    with serving(lambda request, number: replies[number]) as server:
        (found,) = ask(server, "Alike?")
    return found, server


def test_a_request_is_the_prompt_with_the_parameters() -> None:
    protocol = LLMProtocol("own", "textual", "{left}{right}", {}, system="Be brief.", parameters={"seed": 7})
    with serving(lambda request, number: answer(SIMILAR)) as server:
        (found,) = ask(server, "Alike?", protocol=protocol)
    assert server.requests == [
        {
            "model": "tiny",
            "seed": 7,
            "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Alike?"}],
        }
    ]
    assert server.keys == {f"Bearer {KEY}"}
    assert (found.text, found.model, found.finish) == (SIMILAR, "tiny-2026", "stop")
    assert (found.input_tokens, found.output_tokens, found.estimated) == (100, 20, False)


@pytest.mark.parametrize(
    "bad",
    [
        refusal(429),
        refusal(500),
        refusal(503, retry_after="0"),
        refusal(408),
        Reply(b"", 502),
        Reply(answer(SIMILAR).body, cut=True),
        Reply(b'{"choi'),
        Reply(b"{}"),
        Reply(b"[]"),
        Reply(b"null"),
        Reply(b'{"choices": []}'),
        Reply(b'{"choices": "none"}'),
        Reply(b"\xff\xfe"),
        Reply(b"<html>Bad gateway</html>", headers={"content-type": "text/html"}),
    ],
    ids=lambda bad: f"{bad.status}-{bad.body[:12]!r}-{bad.cut}",
)
def test_what_may_pass_is_tried_again(bad: Reply) -> None:
    found, server = asked_of([bad, answer(SIMILAR)])
    assert found.text == SIMILAR
    assert len(server.requests) == 2


def test_who_waits_too_long_asks_again() -> None:
    with serving(lambda request, number: Reply(answer(SIMILAR).body, delay=1 if number == 0 else 0)) as server:
        (found,) = ask(server, "Alike?", retry=IMPATIENT)
    assert found.text == SIMILAR
    assert len(server.requests) > 1


@pytest.mark.parametrize("content", [None, 7, "", ["parts"], "Perhaps."])
def test_a_strange_answer_is_kept_as_it_is(content: object) -> None:
    found, server = asked_of([answer(content)])
    assert found.text == (content if isinstance(content, str) else "")
    assert len(server.requests) == 1


def test_tokens_that_nobody_counts_are_estimated() -> None:
    found, _ = asked_of([answer(SIMILAR, usage=False)])
    assert (found.input_tokens, found.output_tokens, found.estimated) == (2, 13, True)


@pytest.mark.parametrize("count", ["many", -1, None])
def test_strange_counts_are_no_counts(count: object) -> None:
    body = answer(SIMILAR).body.replace(b'"prompt_tokens": 100', f'"prompt_tokens": {json.dumps(count)}'.encode())
    found, _ = asked_of([Reply(body)])
    assert found.estimated


def test_the_last_failure_is_reported() -> None:
    with serving(lambda request, number: refusal(500, "out of order")) as server:
        with pytest.raises(UnansweredError, match=r"^3 attempts failed; the last: .*500.*out of order"):
            ask(server, "Alike?")
        assert len(server.requests) == 3


def test_nobody_there() -> None:
    with serving(lambda request, number: refusal(500)) as server:
        pass
    with pytest.raises(UnansweredError, match="Connection error"):
        ask(server, "Alike?")


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_refused_message_is_not_tried_again(status: int) -> None:
    with serving(lambda request, number: refusal(status, "too long")) as server:
        with pytest.raises(UnansweredError, match=f"{status}.*too long"):
            ask(server, "Alike?")
        assert len(server.requests) == 1


@pytest.mark.parametrize(
    "reply",
    [
        refusal(401),
        refusal(403),
        refusal(404),
        refusal(429, code="insufficient_quota"),
        refusal(429, retry_after="9999"),
    ],
    ids=["key", "forbidden", "no such model", "no money", "long"],
)
def test_a_refused_customer_stops(reply: Reply) -> None:
    with serving(lambda request, number: reply) as server:
        with pytest.raises(StoppedError):
            ask(server, "Alike?")
        assert len(server.requests) == 1


def test_a_pause_that_the_server_asks_for_is_kept_by_all() -> None:
    with serving(lambda request, number: refusal(429, retry_after="0.5") if number == 0 else answer(SIMILAR)) as server:

        async def one_then_others() -> None:
            chat = Chat(respondent("tiny", SIMILARITY), server.url, RateLimit(), QUICK)
            first = asyncio.create_task(chat.ask("1", Order.GIVEN, 1))
            while not chat.failures:
                await asyncio.sleep(0.01)
            await asyncio.gather(first, *(chat.ask(str(number), Order.GIVEN, 1) for number in range(2, 5)))
            await chat.close()

        asyncio.run(one_then_others())
    assert min(server.times[1:]) - server.times[0] >= 0.5


def test_a_pause_can_be_a_date() -> None:
    late = formatdate(time.time() + 2, usegmt=True)
    _, server = asked_of([refusal(503, retry_after=late), answer(SIMILAR)])
    assert server.times[1] - server.times[0] >= 0.5


@pytest.mark.parametrize("nonsense", ["soon", "nan", "-5", "inf", "Mon, 99 Foo 2026"])
def test_a_pause_that_nobody_understands_is_none(nonsense: str) -> None:
    found, _ = asked_of([refusal(429, retry_after=nonsense), answer(SIMILAR)])
    assert found.text == SIMILAR


def test_requests_keep_to_the_rate() -> None:
    with serving(lambda request, number: answer(SIMILAR)) as server:
        ask(server, *"1234", rate_limit=RateLimit(per_minute=600))
    assert server.times[-1] - server.times[0] >= 0.25


def test_waits_grow_and_end() -> None:
    retry = RetryPolicy(first_wait=1, longest_wait=10)
    for failures, most in ((1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (50, 10)):
        assert most / 2 <= retry.wait(failures) <= most


def test_the_key_is_in_nothing_that_the_server_says() -> None:
    found, _ = asked_of([answer(f"Your key is {KEY}", model=KEY)])
    assert KEY not in repr(found)
    with serving(lambda request, number: refusal(401, f"wrong key {KEY}")) as server:
        with pytest.raises(StoppedError) as caught:
            ask(server, "Alike?")
        assert KEY not in str(caught.value)


def test_half_characters_are_replaced() -> None:
    found, _ = asked_of([Reply(answer("x").body.replace(b'"x"', b'"\\ud800"'))])
    assert found.text == "?"


@pytest.mark.parametrize("key", ["", "sk\nx: y", "schlüssel"])
def test_without_a_usable_key_nothing_is_asked(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(InputError, match="OPENAI_API_KEY") as caught:
        Chat(respondent("tiny", SIMILARITY), None, RateLimit(), QUICK)
    assert not key or key not in str(caught.value)


def test_a_server_of_ones_own_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    assert asked_of([answer(SIMILAR)])[0].text == SIMILAR


def test_an_address_must_be_one() -> None:
    with pytest.raises(InputError, match="Not the address of a server"):
        Chat(respondent("tiny", SIMILARITY), "localhost:8000", RateLimit(), QUICK)
