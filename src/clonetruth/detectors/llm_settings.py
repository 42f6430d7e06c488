"""How `llm:MODEL` asks: the question, the examples, the server and what may be spent."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from clonetruth.budgets import read_text
from clonetruth.errors import InputError
from clonetruth.judges.prices import Price, read_price
from clonetruth.judges.protocol import LLMProtocol, Order, check_protocol
from clonetruth.judges.protocols import find_protocol
from clonetruth.model import PairValue, Subject
from clonetruth.parsing import parse_json
from clonetruth.user_cache import cache_folder

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_TOP = 20
"""First tokens whose probabilities are asked for: the most that servers permit."""

QUESTION = LLMProtocol(
    name="yes-no",
    criterion="functionally-similar",
    prompt="""\
You are given two pieces of {language} code. Do they solve the same task, so that one could replace the other?
Differences in names, style, libraries and algorithm do not matter; a difference in the result does.

First piece:
```
{left}
```

Second piece:
```
{right}
```

Answer with one word, YES or NO.""",
    answers={"YES": PairValue.CLONE, "NO": PairValue.NOT_CLONE},
    orders=(Order.GIVEN, Order.SWAPPED),
    runs=1,
    parameters={"temperature": 0, "max_tokens": 4},
)
"""The question by default: one word, in both orders."""


@dataclass(frozen=True)
class LabelledExample:
    """A pair that the model is shown with its answer."""

    left: str
    right: str
    clone: bool


@dataclass(frozen=True)
class LLMDetectorSettings:
    """How a model is asked.

    Attributes:
        protocol: the question.
        shots: the examples shown before it.
        base_url: address of the server; None for OpenAI.
        journal: folder of the stored answers.
        price: price of the model's tokens.
        budget: maximum total cost of all requests in the journal; None for no limit.
        concurrency: number of concurrent requests.
        rate: maximum number of requests per minute.
        timeout: maximum seconds for one answer.
        most: maximum number of new questions of one call.
    """

    protocol: LLMProtocol
    shots: tuple[LabelledExample, ...] = ()
    base_url: str | None = None
    journal: Path = Path("llm-answers")
    price: Price | None = None
    budget: float | None = None
    concurrency: int = 4
    rate: float | None = None
    timeout: float = 120.0
    most: int = 5_000


def read_settings(model: str, values: Mapping[str, str]) -> LLMDetectorSettings:
    """Read the settings of `llm:MODEL`.

    Raises:
        InputError: a setting cannot be used.
    """
    cache = cache_folder()
    folder = Path(values["journal"]) if "journal" in values else cache and cache / "llm-detector"
    if folder is None:
        raise InputError("There is no folder for the answers.", where="journal", hint="Give one: journal=FOLDER")
    price = read_price(values["prices"], model) if "prices" in values else None
    budget = _number(values, "budget")
    if budget is not None and price is None:
        raise InputError(f"A budget needs the price of '{model}'.", where="budget", hint="Give a table: prices=FILE")
    shots = read_examples(Path(values["shots"])) if "shots" in values else ()
    return LLMDetectorSettings(
        protocol=_protocol(values.get("protocol"), shots),
        shots=shots,
        base_url=values.get("base_url"),
        journal=folder,
        price=price,
        budget=budget,
        concurrency=_whole_number(values, "concurrency", 4),
        rate=_number(values, "rate"),
        timeout=_number(values, "timeout") or 120.0,
        most=_whole_number(values, "most", 5_000),
    )


def read_examples(path: Path) -> tuple[LabelledExample, ...]:
    """Read examples: a JSON object on each line, with the texts `left` and `right`, and `clone`, true or false.

    Raises:
        InputError: the file cannot be read, or a line is something else.
    """
    try:
        lines = [line for line in read_text(path).splitlines() if line.strip()]
    except (OSError, ValueError) as error:
        raise InputError(f"The examples cannot be read: {error}", where=path) from error
    found = []
    for number, line in enumerate(lines, 1):
        try:
            said = parse_json(line)
            one = LabelledExample(said["left"], said["right"], said["clone"])
            if not (isinstance(one.left, str) and isinstance(one.right, str) and isinstance(one.clone, bool)):
                raise TypeError("wrong type")
        except (ValueError, KeyError, TypeError) as error:
            hint = 'Write {"left": "…", "right": "…", "clone": true} on each line.'
            raise InputError("Not an example.", where=f"{path}, line {number}", hint=hint) from error
        found.append(one)
    if not found:
        raise InputError("There are no examples.", where=path)
    return tuple(found)


def _protocol(name: str | None, shots: Sequence[LabelledExample]) -> LLMProtocol:
    chosen = QUESTION if name is None else find_protocol(name, ".")
    if chosen.subject is not Subject.PAIR:
        raise InputError(f"The protocol '{name}' does not ask about pairs.", where="protocol")
    if not {PairValue.CLONE, PairValue.NOT_CLONE} <= set(chosen.answers.values()):
        raise InputError("The protocol has no answers for clones and for non-clones.", where="protocol")
    words = {value: word for word, value in reversed(list(chosen.answers.items()))}
    shown = "".join(_shown(at, one, words) for at, one in enumerate(shots, 1))
    parameters = {"logprobs": True, "top_logprobs": _TOP, **chosen.parameters}
    protocol = replace(chosen, prompt=shown + chosen.prompt, parameters=parameters)
    check_protocol(protocol, "protocol")
    return protocol


def _shown(number: int, example: LabelledExample, words: Mapping[str, str]) -> str:
    # A placeholder within an example would be filled with the code of the pair.
    left, right = (_without_placeholders(text) for text in (example.left, example.right))
    answer = words[PairValue.CLONE if example.clone else PairValue.NOT_CLONE]
    return f"Example {number}, first piece:\n```\n{left}\n```\nSecond piece:\n```\n{right}\n```\nAnswer: {answer}\n\n"


def _without_placeholders(text: str) -> str:
    return _PLACEHOLDER.sub(r"{ \1 }", text).strip("\n")


def _number(values: Mapping[str, str], name: str) -> float | None:
    if name not in values:
        return None
    try:
        number = float(values[name])
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and number > 0):
        raise InputError(f"'{values[name]}' is not a number above 0.", where=name)
    return number


def _whole_number(values: Mapping[str, str], name: str, default: int) -> int:
    number = _number(values, name)
    if number is not None and not number.is_integer():
        raise InputError(f"'{values[name]}' is not a whole number.", where=name)
    return default if number is None else int(number)
