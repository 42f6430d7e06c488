"""A chat-completions client with a shared rate limit and retries.

The retries of the `openai` client are switched off: they would bypass the rate limit, and would not make other requests
wait when the server asks for a pause.
"""

from __future__ import annotations

import asyncio
import math
import os
import random
import textwrap
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from clonetruth.errors import InputError, MissingExtraError
from clonetruth.judges.majority import Answer
from clonetruth.judges.prices import estimated_tokens
from clonetruth.judges.protocol import Order

if TYPE_CHECKING:
    import openai
    from openai.types.chat import ChatCompletionMessageParam


class RateLimit:
    """Spaces requests evenly, and holds all of them back during a pause.

    Args:
        per_minute: maximum number of requests per minute; None for no limit.
    """

    def __init__(self, per_minute: float | None = None) -> None:
        self._interval = 60 / per_minute if per_minute else 0.0
        self._next = 0.0
        self._queue = asyncio.Lock()

    async def acquire(self) -> None:
        """Wait until the next request may start; first come, first served."""
        async with self._queue:
            # A new pause may start while this one is waited for.
            while (wait := self._next - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            self._next = time.monotonic() + self._interval

    def pause(self, seconds: float) -> None:
        """Hold back all requests for some seconds: what the server asks of one request applies to all."""
        self._next = max(self._next, time.monotonic() + seconds)


KEY_VARIABLE = "OPENAI_API_KEY"
_TEMPORARY = (408, 409, 425, 429)
_WORKED = (408, 500, 502, 504)
"""Failures of a server that may have worked on the request, and bill it; after other statuses it has not begun."""
_REASONING_FIELDS = ("reasoning_content", "reasoning")
_FATAL = (401, 403, 404)
_LONGEST_PAUSE = 600.0
_LONGEST_MESSAGE = 300
_MOST_TOKENS = 10**9
"""A server that counts more tokens of one answer does not count."""


class UnansweredError(Exception):
    """One question failed; others may still be answered."""


class UnreachableError(UnansweredError):
    """All attempts at a question failed, and not because of the question."""


class StoppedError(Exception):
    """No further question will be answered."""


@dataclass(frozen=True)
class RetryPolicy:
    """Timeout and exponential backoff.

    Attributes:
        timeout: maximum seconds for one answer.
        tries: maximum number of attempts per question.
        first_wait: seconds to wait after the first failure; doubles with each further one, with random jitter.
        longest_wait: upper limit of the wait in seconds.
    """

    timeout: float = 120.0
    tries: int = 6
    first_wait: float = 1.0
    longest_wait: float = 60.0

    def wait(self, failures: int) -> float:
        """Seconds to wait after a number of failures, with jitter so that not all requests come back at once."""
        return min(self.longest_wait, self.first_wait * 2.0 ** (failures - 1)) * random.uniform(0.5, 1.0)


class RequestAccount:
    """Counts the attempts to get an answer; this one ignores them."""

    idempotency_key: str | None = None
    """Sent with every attempt: a server that knows the key repeats its answer, and does not bill it again."""

    def send(self) -> None:
        """A request is about to be sent. An exception prevents it."""

    def reject(self) -> None:
        """The server rejected it without working on it."""

    def cut_off(self) -> None:
        """It got no answer, but the server may have worked on it. An exception prevents further attempts."""


class Chat:
    """A connection to a server, for one model, system message and set of parameters.

    The API key is read from the environment (`OPENAI_API_KEY`), and removed from everything that the server returns.

    Args:
        respondent: model, system message and parameters; see `protocol.respondent`.
        base_url: address of the server; None for OpenAI.
        rate_limit: the rate limit, shared by all questions.
        retry: timeout and retries.

    Raises:
        MissingExtraError: the client is not installed.
        InputError: there is no usable key, or the address is invalid.
    """

    def __init__(
        self, respondent: Mapping[str, Any], base_url: str | None, rate_limit: RateLimit, retry: RetryPolicy
    ) -> None:
        self.failures = 0
        self._respondent = respondent
        self._rate_limit = rate_limit
        self._retry = retry
        self._key = _key(base_url)
        self._client = _client(self._key, base_url, retry.timeout)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def ask(self, message: str, order: Order, run: int, account: RequestAccount | None = None) -> Answer:
        """Ask the model.

        Args:
            message: the question.
            order: the order of its sides.
            run: the number of the run.
            account: counts the attempts.

        Raises:
            UnansweredError: the server rejects this message, or every attempt failed.
            StoppedError: the server rejects all requests, or asks for a long pause.
        """
        account = account or RequestAccount()
        for failures in range(1, self._retry.tries + 1):
            await self._rate_limit.acquire()
            account.send()
            try:
                return await self._attempt(message, order, run, account.idempotency_key)
            except _TemporaryError as error:
                self.failures += 1
                last = error
                if error.billed:
                    account.cut_off()
                else:
                    account.reject()
            except (UnansweredError, StoppedError):
                account.reject()
                raise
            if last.pause is not None:
                self._rate_limit.pause(last.pause)
            elif failures < self._retry.tries:
                await asyncio.sleep(self._retry.wait(failures))
        raise UnreachableError(f"{self._retry.tries} attempts failed; the last: {self._clean(last.what)}")

    async def _attempt(self, message: str, order: Order, run: int, idempotency_key: str | None) -> Answer:
        import openai

        headers = {} if idempotency_key is None else {"Idempotency-Key": idempotency_key}
        try:
            # The client's own timeout starts again with every byte that arrives.
            async with asyncio.timeout(self._retry.timeout):
                completion = await self._client.chat.completions.create(
                    model=self._respondent["model"],
                    messages=self._messages(message),
                    extra_headers=headers,
                    extra_body=dict(self._respondent["parameters"]),
                )
        except openai.APIStatusError as error:
            raise self._refusal(error) from error
        except (openai.APITimeoutError, TimeoutError) as error:
            raise _TemporaryError(f"no answer within {self._retry.timeout:g} seconds", billed=_sent(error)) from error
        except RecursionError as error:
            raise _TemporaryError("the response is nested too deeply", billed=True) from error
        except (openai.APIError, ValueError) as error:
            what = f"{error} ({error.__cause__})" if error.__cause__ else str(error)
            raise _TemporaryError(what, billed=_sent(error)) from error
        return self._answer(completion, message, order, run)

    def _messages(self, message: str) -> list[ChatCompletionMessageParam]:
        system = self._respondent["system"]
        asked: list[ChatCompletionMessageParam] = [{"role": "user", "content": message}]
        return [{"role": "system", "content": system}, *asked] if system else asked

    def _refusal(self, error: openai.APIStatusError) -> Exception:
        """What an error status means: try again, give up this question, or give up altogether."""
        what = f"the server says '{textwrap.shorten(self._clean(error.message) or '', _LONGEST_MESSAGE)}'"
        if error.status_code in _FATAL or error.code == "insufficient_quota":
            return StoppedError(what)
        if error.status_code not in _TEMPORARY and error.status_code < 500:
            return UnansweredError(what)
        pause = _retry_after(error.response.headers)
        if pause is not None and pause > _LONGEST_PAUSE:
            return StoppedError(f"{what}; it asks for a pause of {pause:,.0f} seconds")
        return _TemporaryError(what, pause, billed=error.status_code in _WORKED)

    def _answer(self, completion: object, message: str, order: Order, run: int) -> Answer:
        """The server's response as an answer. The client does not validate types."""
        choices = getattr(completion, "choices", None)
        if not isinstance(choices, list) or not choices:
            raise _TemporaryError("the server sent no valid answer", billed=True)
        said = getattr(choices[0], "message", None)
        text, refusal, *thoughts = (
            self._clean(getattr(said, name, None)) for name in ("content", "refusal", *_REASONING_FIELDS)
        )
        reasoning = next(filter(None, thoughts), None)
        usage = getattr(completion, "usage", None)
        counts = [getattr(usage, name, None) for name in ("prompt_tokens", "completion_tokens")]
        counted = all(type(count) is int and 0 <= count <= _MOST_TOKENS for count in counts)
        return Answer(
            order=order,
            run=run,
            text=text or refusal or "",
            model=self._clean(getattr(completion, "model", None)),
            finish=self._clean(getattr(choices[0], "finish_reason", None)),
            input_tokens=counts[0] if counted else estimated_tokens(message),
            output_tokens=counts[1] if counted else estimated_tokens((text or "") + (reasoning or "")),
            estimated=not counted,
            time=datetime.now(UTC).isoformat(timespec="milliseconds"),
            reasoning=reasoning,
            refused=bool(refusal) and not text,
            first_token=self._first_token(choices[0]),
        )

    def _first_token(self, choice: object) -> dict[str, float] | None:
        """The probabilities of the first token, if they were asked for and sent."""
        content = getattr(getattr(choice, "logprobs", None), "content", None)
        tops = getattr(content[0], "top_logprobs", None) if isinstance(content, list) and content else None
        found: dict[str, float] = {}
        for one in tops if isinstance(tops, list) else ():
            token, value = self._clean(getattr(one, "token", None)), getattr(one, "logprob", None)
            if token is not None and isinstance(value, int | float) and value <= 0:
                found[token] = found.get(token, 0.0) + math.exp(value)
        return found or None

    def _clean(self, received: object) -> str | None:
        """A text from the server that can be stored: without the API key and without lone surrogates."""
        if not isinstance(received, str):
            return None
        text = received.encode("utf-8", errors="replace").decode()
        return text.replace(self._key, "…") if self._key else text


class _TemporaryError(Exception):
    """An attempt failed temporarily.

    Args:
        what: what happened.
        pause: how long the server asks all requests to wait.
        billed: whether the server may have worked on the request, and bill it.
    """

    def __init__(self, what: str, pause: float | None = None, *, billed: bool) -> None:
        super().__init__(what)
        self.what = what
        self.pause = pause
        self.billed = billed


def _sent(error: Exception) -> bool:
    """Whether a failed request may have reached the server: it has, unless there was no connection."""
    # By name: the HTTP library is the client's choice.
    return type(error.__cause__).__name__ not in ("ConnectError", "ConnectTimeout", "PoolTimeout")


def _key(base_url: str | None) -> str:
    """The API key; may be empty for the user's own server."""
    key = os.environ.get(KEY_VARIABLE, "").strip()
    if not key and base_url is None:
        raise InputError(
            f"The environment variable {KEY_VARIABLE} is not set.",
            hint="Set it to your API key, or give the address of a server that needs none (--base-url URL; of a "
            "detector: llm:MODEL,base_url=URL).",
        )
    if not (key.isascii() and key.isprintable()):
        raise InputError(
            f"The environment variable {KEY_VARIABLE} is not a valid key.",
            hint="It contains unprintable or non-ASCII characters.",
        )
    return key


def _client(key: str, base_url: str | None, timeout: float) -> openai.AsyncOpenAI:
    try:
        import openai

        from clonetruth.judges.bounded_client import BoundedClient
    except ImportError as error:
        raise MissingExtraError.extra("The LLM judge", "llm") from error
    if base_url is not None and not base_url.startswith(("http://", "https://")):
        raise InputError("Not the address of a server.", where=base_url, hint="It must start with http:// or https://.")
    # Without a connection nothing is billed: that must be known before the time for the answer is over.
    limits = openai.Timeout(timeout, connect=0.9 * timeout)
    return openai.AsyncOpenAI(
        api_key=key or "none", base_url=base_url, timeout=limits, max_retries=0, http_client=BoundedClient()
    )


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that the server asks to wait, given as a number or a date."""
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.replace(".", "", 1).isdigit():
        return float(value)
    try:
        when = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    return max((when - datetime.now(UTC)).total_seconds(), 0.0) if when.tzinfo else None
