"""What a search does with less work gives the same as with all of it."""

from __future__ import annotations

import gc
import itertools
from collections.abc import Callable
from random import Random
from typing import cast

import pytest

from clonetruth.execution import Harnesses, search
from clonetruth.execution.comparison import Difference, compare_calls
from clonetruth.execution.harness.harness import CallInput, Code, Observation
from clonetruth.execution.harness.patience import TOO_SLOW, SlowInputs
from clonetruth.execution.inputs.profiles import GUESSES, MAX_PROFILES, profiles
from clonetruth.execution.inputs.quick_random import QuickRandom
from clonetruth.execution.inputs.types import InputType


def test_numbers_are_those_of_the_library() -> None:
    quick, plain = QuickRandom("seed"), Random("seed")
    draws: list[Callable[[Random], object]] = [
        lambda random: random.randint(-4, 12),
        lambda random: random.randrange(7),
        lambda random: random.randrange(3, 9),
        lambda random: random.choice("abcdefg"),
        lambda random: random.random(),
        lambda random: random.sample(range(9), 4),
        lambda random: random.randint(-(1 << 33), 1 << 33),
    ]
    for draw in draws * 200:
        assert draw(quick) == draw(plain)


def test_the_collector_is_as_it_was_after_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def fails(*unused: object) -> None:
        seen.append(gc.get_threshold())
        raise LookupError("stopped")

    monkeypatch.setattr(search, "_compare_entry", fails)
    before = gc.get_threshold()
    code = Code("def f(x):\n    return x\n", "python")
    with pytest.raises(LookupError, match="stopped"):
        search.compare_behaviour(code, code, cast(Harnesses, None))
    assert gc.get_threshold() == before
    assert seen[0][0] > before[0]


def test_nothing_is_drawn_from_nothing() -> None:
    for random in (QuickRandom(0), Random(0)):
        with pytest.raises(IndexError):
            random.choice([])
        with pytest.raises(ValueError, match="empty range"):
            random.randint(2, 1)


def _rank(candidates: list[list[InputType]], places: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    """By the definition: later for each place, and for each two arguments that differ in kind without need."""
    kinds = frozenset(("list", "str", "map", "set", "tuple", "iterator"))
    chosen = [one[at] for one, at in zip(candidates, places, strict=True)]
    mixed = sum(
        one.kind != other.kind and {one.kind, other.kind} <= kinds and one in candidates[b] and other in candidates[a]
        for (a, one), (b, other) in itertools.combinations(enumerate(chosen), 2)
    )
    return sum(places) + 3 * mixed, places


def test_the_likeliest_combinations_are_those_of_all() -> None:
    random = Random(1)
    for count in (1, 2, 2, 3, 3, 4, 6):
        candidates = [random.sample(list(GUESSES), random.randint(1, 6)) for _ in range(count)]
        every = itertools.islice(itertools.product(*(range(len(one)) for one in candidates)), 20_000)
        best = sorted(every, key=lambda places: _rank(candidates, places))[:MAX_PROFILES]
        wanted = [tuple(one[at] for one, at in zip(candidates, places, strict=True)) for places in best]
        assert profiles(candidates) == wanted


def test_code_that_is_as_slow_as_the_other_is_known() -> None:
    slow, call, other = SlowInputs(), CallInput(({"int": "9"},)), CallInput(({"int": "8"},))
    slow.note("left", 0, [call, other], [Observation(ended=TOO_SLOW)] * 2)
    assert slow.of_others("right", 0, [call]) == [True]
    assert slow.of_others("left", 0, [call]) == [False]
    assert not slow.is_also_slow("right")
    slow.note("right", 0, [call, other], [Observation(), Observation(ended=TOO_SLOW)])
    assert slow.is_also_slow("right")
    assert not slow.is_also_slow("left")
    slow.forget()
    assert not slow.is_also_slow("right")


def _drawn(*values: str) -> Observation:
    return Observation({"iterator": [*({"int": one} for one in values), {"cut": "values"}]})


def test_iterators_that_go_on_are_compared_by_what_was_drawn_of_both() -> None:
    assert compare_calls(_drawn("1", "2"), _drawn("1", "2", "3")) == frozenset()
    assert compare_calls(_drawn("1", "2"), _drawn("1", "3", "3")) == frozenset({Difference.VALUE})
    assert compare_calls(_drawn("1", "2"), Observation({"iterator": [{"int": "1"}, {"int": "2"}]})) is None
