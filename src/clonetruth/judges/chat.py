"""One message put to a server that speaks the chat-completions API, as often as it takes to get an answer.

The client's own retries are switched off: they would go round the rate limit, and would not make the other requests
wait when the server asks for a pause.
"""

from __future__ import annotations

import asyncio
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


# How fast requests may follow each other: a rate, and a common pause when the server asks for one.


class RateLimit:
    """Hands out turns, evenly spaced, and none during a pause.

    Args:
        per_minute: turns in a minute; None for no limit.
    """

    def __init__(self, per_minute: float | None = None) -> None:
        self._interval = 60 / per_minute if per_minute else 0.0
        self._next = 0.0
        self._queue = asyncio.Lock()

    async def turn(self) -> None:
        """Wait for one's turn. Turns are given in the order of asking."""
        async with self._queue:
            # A pause may begin while we wait for the end of another.
            while (wait := self._next - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            self._next = time.monotonic() + self._interval

    def pause(self, seconds: float) -> None:
        """Give no turns for so long: the server's word to one is meant for all."""
        self._next = max(self._next, time.monotonic() + seconds)


KEY_VARIABLE = "OPENAI_API_KEY"
_PASSING = (408, 409, 425, 429)
_FINAL = (401, 403, 404)
_LONGEST_PAUSE = 600.0
_LONGEST_COMPLAINT = 300


class UnansweredError(Exception):
    """A question got no answer; others may get one."""


class StoppedError(Exception):
    """No question will get an answer."""


@dataclass(frozen=True)
class Patience:
    """How long to wait and how often to try.

    Attributes:
        timeout: seconds for one answer.
        tries: attempts at one question.
        first_wait: seconds after the first failure; twice as long after each further one, less a random part.
        longest_wait: where that doubling ends.
    """

    timeout: float = 120.0
    tries: int = 6
    first_wait: float = 1.0
    longest_wait: float = 60.0

    def wait(self, failures: int) -> float:
        """Seconds to wait after so many failures; at random, so that not all come back at once."""
        return min(self.longest_wait, self.first_wait * 2.0 ** (failures - 1)) * random.uniform(0.5, 1.0)


class Chat:
    """A connection to a server, for one model, system message and set of parameters.

    The key is read from the environment (`OPENAI_API_KEY`), and taken out of everything that the server says.

    Args:
        respondent: see `identity.respondent`.
        base_url: where the server is; OpenAI's unless told.
        pace: the rate, common to all questions.
        patience: how long to wait and how often to try.

    Raises:
        MissingExtraError: the client is not installed.
        InputError: there is no usable key, or the address is none.
    """

    def __init__(
        self, respondent: Mapping[str, Any], base_url: str | None, pace: RateLimit, patience: Patience
    ) -> None:
        self.failures = 0
        self._respondent = respondent
        self._pace = pace
        self._patience = patience
        self._key = _key(base_url)
        self._client = _client(self._key, base_url, patience.timeout)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def ask(self, message: str, order: Order, run: int) -> Answer:
        """The model's answer.

        Raises:
            UnansweredError: the server refuses this message, or every attempt has failed.
            StoppedError: the server refuses us altogether, or for long.
        """
        for failures in range(1, self._patience.tries + 1):
            await self._pace.turn()
            try:
                return await self._attempt(message, order, run)
            except _AgainError as error:
                self.failures += 1
                said = error
            if said.pause is not None:
                self._pace.pause(said.pause)
            elif failures < self._patience.tries:
                await asyncio.sleep(self._patience.wait(failures))
        raise UnansweredError(f"{self._patience.tries} attempts failed; the last: {self._clean(said.what)}")

    async def _attempt(self, message: str, order: Order, run: int) -> Answer:
        import openai

        try:
            completion = await self._client.chat.completions.create(
                model=self._respondent["model"],
                messages=self._messages(message),
                extra_body=dict(self._respondent["parameters"]),
            )
        except openai.APIStatusError as error:
            raise self._refusal(error) from error
        except openai.APITimeoutError as error:
            raise _AgainError(f"no answer within {self._patience.timeout:g} seconds") from error
        except (openai.APIError, ValueError) as error:
            raise _AgainError(f"{error} ({error.__cause__})" if error.__cause__ else str(error)) from error
        return self._answer(completion, message, order, run)

    def _messages(self, message: str) -> list[ChatCompletionMessageParam]:
        system = self._respondent["system"]
        asked: list[ChatCompletionMessageParam] = [{"role": "user", "content": message}]
        return [{"role": "system", "content": system}, *asked] if system else asked

    def _refusal(self, error: openai.APIStatusError) -> Exception:
        """What an error status means: try again, give this question up, or give up."""
        what = f"the server says '{textwrap.shorten(self._clean(error.message) or '', _LONGEST_COMPLAINT)}'"
        if error.status_code in _FINAL or error.code == "insufficient_quota":
            return StoppedError(what)
        if error.status_code not in _PASSING and error.status_code < 500:
            return UnansweredError(what)
        pause = _retry_after(error.response.headers)
        if pause is not None and pause > _LONGEST_PAUSE:
            return StoppedError(f"{what}; it wants to be left alone for {pause:,.0f} seconds")
        return _AgainError(what, pause)

    def _answer(self, completion: object, message: str, order: Order, run: int) -> Answer:
        """What the server sent as an answer. The client checks no types, and hands on what it cannot understand."""
        choices = getattr(completion, "choices", None)
        if not isinstance(choices, list) or not choices:
            raise _AgainError("the server sent no answer, or something else than one")
        content = getattr(getattr(choices[0], "message", None), "content", None)
        text = self._clean(content) or ""
        usage = getattr(completion, "usage", None)
        counts = [getattr(usage, name, None) for name in ("prompt_tokens", "completion_tokens")]
        counted = all(type(count) is int and count >= 0 for count in counts)
        return Answer(
            order=order,
            run=run,
            text=text,
            model=self._clean(getattr(completion, "model", None)),
            finish=self._clean(getattr(choices[0], "finish_reason", None)),
            input_tokens=counts[0] if counted else estimated_tokens(message),
            output_tokens=counts[1] if counted else estimated_tokens(text),
            estimated=not counted,
            time=datetime.now(UTC).isoformat(timespec="milliseconds"),
        )

    def _clean(self, said: object) -> str | None:
        """A text of the server that can be kept: without our key, and without halves of characters."""
        if not isinstance(said, str):
            return None
        text = said.encode("utf-8", errors="replace").decode()
        return text.replace(self._key, "…") if self._key else text


class _AgainError(Exception):
    """An attempt failed in a way that may pass; `pause` is how long the server wants nobody to ask."""

    def __init__(self, what: str, pause: float | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.pause = pause


def _key(base_url: str | None) -> str:
    """The key; empty for a server of one's own, which may want none."""
    key = os.environ.get(KEY_VARIABLE, "").strip()
    if not key and base_url is None:
        raise InputError(
            f"The environment variable {KEY_VARIABLE} is not set.",
            hint="Set it to your key, or give the address of a server that needs none (--base-url).",
        )
    if not (key.isascii() and key.isprintable()):
        raise InputError(f"The environment variable {KEY_VARIABLE} holds no key.", hint="It has strange characters.")
    return key


def _client(key: str, base_url: str | None, timeout: float) -> openai.AsyncOpenAI:
    try:
        import openai
    except ImportError as error:
        raise MissingExtraError.extra("The LLM judge", "llm") from error
    if base_url is not None and not base_url.startswith(("http://", "https://")):
        raise InputError("This is no address of a server.", where=base_url, hint="It begins with http:// or https://.")
    return openai.AsyncOpenAI(api_key=key or "none", base_url=base_url, timeout=timeout, max_retries=0)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks to wait for: as a number, or as a date."""
    said = headers.get("retry-after", "").strip()
    if said.isascii() and said.replace(".", "", 1).isdigit():
        return float(said)
    try:
        when = parsedate_to_datetime(said)
    except ValueError:
        return None
    return max((when - datetime.now(UTC)).total_seconds(), 0.0) if when.tzinfo else None
