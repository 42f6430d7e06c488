"""Samples for the conformance suite of harnesses: the same small functions in every language, one file for each.

A language adds `harness_samples/LANGUAGE.py` with `SAMPLES`. Every text has one function to call, unless it says
otherwise. Functions with a number `n` return 7 for `n == 0` and misbehave for every other number. `None` where a
language cannot express a sample.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clonetruth.execution.values import Value


def number(value: int) -> Value:
    """A whole number in the common form."""
    return {"int": str(value)}


def numbers(*values: int) -> Value:
    """A list of whole numbers in the common form."""
    return {"list": [number(one) for one in values]}


@dataclass(frozen=True)
class ReturnSample:
    """A function with what it returns.

    Attributes:
        name: what kind of value it returns.
        text: the function.
        arguments: what it is called with.
        returns: what comes out, compared by `equal_values`.
    """

    name: str
    text: str
    arguments: Sequence[Value]
    returns: Value


@dataclass(frozen=True, kw_only=True)
class HarnessSamples:
    """The samples of a language.

    Attributes:
        language: its name.
        returns: functions that return values of every kind that the language has: whole, negative and floating-point
            numbers, truth values, texts with characters beyond ASCII, nothing, lists, lists of lists, maps, sets,
            objects.
        changes: takes a list of numbers and sets its first element to 9; returns nothing.
        prints: prints `seen 3` for the argument 3, and returns 4.
        raises: raises an exception for a list without elements, and returns the first element of any other.
        raised: the name of that exception.
        missing: calls the function `helper_that_is_missing`, which exists nowhere.
        unparsable: does not parse.
        loops: never ends.
        exits: ends its process with the code 3.
        floods: prints without end.
        recurses: calls itself without end.
        allocates: takes memory without end.
        huge: takes nothing and returns a list of a million numbers.
        endless: takes nothing and returns something that contains itself, or that never ends.
        counts: takes nothing, counts its calls in a global variable and returns the count.
        poisons: changes what the next fragment could notice, as far as the language can: the standard library, global
            settings, files in the working and temporary folder, running threads; returns a number.
        notices: takes nothing and returns 1 if it notices any of that, else 0.
        forges: writes forged answers to every channel it finds, and returns 1.
        branches: takes a number, and has at least three branches: negative, small, above 100.
        chooses: two functions, `first` (returns 1) and `second` (returns 2), neither takes anything or calls the other.
        random: takes nothing and returns a random number of a thousand or more; the seed decides it.
    """

    language: str
    returns: Sequence[ReturnSample]
    changes: str
    prints: str
    raises: str
    raised: str
    missing: str
    unparsable: str
    loops: str
    exits: str
    floods: str
    recurses: str
    allocates: str
    huge: str | None
    endless: str | None
    counts: str
    poisons: str
    notices: str
    forges: str
    branches: str
    chooses: str
    random: str | None = None
