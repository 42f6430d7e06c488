"""What a search does with less work gives the same as with all of it."""

from __future__ import annotations

import copy
import gc
import itertools
import signal
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.execution import Harnesses, search
from clonetruth.execution.comparison import Difference, compare_calls
from clonetruth.execution.harness.harness import CallInput, Code, Observation
from clonetruth.execution.harness.inside import python_entry, python_time, python_values
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


_PLAIN = st.one_of(st.none(), st.booleans(), st.integers(-2, 2), st.floats(allow_nan=False), st.text("ab", max_size=2))
_ARGUMENTS = st.recursive(
    _PLAIN,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.integers(0, 2), inner, max_size=3),
    max_leaves=8,
)


@given(_ARGUMENTS, st.data())
def test_an_argument_has_changed_if_its_form_has(value: Any, data: st.DataObject) -> None:
    before, form = python_values.Snapshot(value), python_values.argument_form(value)
    assert before.is_still(value)
    assert before.is_still(copy.deepcopy(value))
    places = list(_containers(value))
    if places:
        place = data.draw(st.sampled_from(places))
        # True in the place of 1 is a change, and so is another order of keys.
        place[data.draw(st.integers(0, len(place) - 1)) if isinstance(place, list) else 0] = data.draw(_ARGUMENTS)
        assert before.is_still(value) == (python_values.argument_form(value) == form)


def _containers(value: Any) -> Iterator[Any]:
    """Lists that have elements, and mappings."""
    if isinstance(value, dict) or (isinstance(value, list) and value):
        yield value
        for one in value.values() if isinstance(value, dict) else value:
            yield from _containers(one)


def test_a_list_in_itself_is_not_copied_for_ever() -> None:
    value: list[Any] = [1]
    value += [value] * 12
    before = python_values.Snapshot(value)
    assert before.is_still(value)
    value[0] = 2
    assert not before.is_still(value)


def test_what_another_process_prepared_says_and_does_the_same() -> None:
    source = "import random\n\nclass A:\n    def f(self, x: int, *, y='a'):\n        return x, y\n"
    prepared = python_entry.prepare(source, coverage=True)
    assert prepared.packed() is None
    prepared.compile("fragment")
    packed = prepared.packed()
    assert packed is not None
    again = python_entry.unpacked(packed)
    assert again.said() == prepared.said()
    names = ("entry", "owner", "uses_files", "leaves_nothing", "draws", "maps_files", "code")
    assert [getattr(again, name) for name in names] == [getattr(prepared, name) for name in names]
    assert [vars(one) for one in again.parameters] == [vars(one) for one in prepared.parameters]


class TestAlarm:
    """The clocks are ours: nothing here takes time."""

    @pytest.fixture(autouse=True)
    def clocks(self, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
        self.clock, self.processor, self.rings = 100.0, 7.0, list[float]()
        monkeypatch.setattr(python_time, "monotonic", lambda: self.clock)
        monkeypatch.setattr(python_time, "process_time", lambda: self.processor)
        monkeypatch.setattr(signal, "setitimer", lambda kind, first, then=0.0: self.rings.append(first))
        before = signal.getsignal(signal.SIGALRM)
        yield
        python_time.without_time_limit()
        signal.signal(signal.SIGALRM, before)

    def passes(self, clock: float, processor: float) -> None:
        self.clock += clock
        self.processor += processor

    def test_a_busy_machine_is_not_taken_for_slow_code(self) -> None:
        python_time.with_time_limit(0.5)
        self.passes(0.25, 0.1)
        python_time.stop(0, None)
        assert self.rings == pytest.approx([0.25, 0.15])
        self.passes(0.2, 0.16)
        with pytest.raises(python_time.OutOfTime):
            python_time.stop(0, None)
        # What is stopped has time to come to an end; if it does not, it is stopped again.
        self.passes(0.05, 0.01)
        python_time.stop(0, None)
        self.passes(0.05, 0.05)
        with pytest.raises(python_time.OutOfTime):
            python_time.stop(0, None)

    def test_what_waits_is_stopped_by_the_clock(self) -> None:
        python_time.with_time_limit(0.01)
        self.passes(1.9, 0.0)
        python_time.stop(0, None)
        self.passes(0.2, 0.0)
        with pytest.raises(python_time.OutOfTime):
            python_time.stop(0, None)

    def test_the_next_call_has_its_own_time_with_the_same_alarm(self) -> None:
        python_time.with_time_limit(0.5)
        self.passes(0.2, 0.2)
        python_time.without_time_limit(leaves_alarm=True)
        python_time.with_time_limit(0.5, leaves_alarm=True)
        self.passes(0.05, 0.05)
        python_time.stop(0, None)
        assert self.rings == pytest.approx([0.25, 0.2])
        # A shorter time needs another alarm.
        python_time.with_time_limit(0.01, leaves_alarm=True)
        assert self.rings[2:] == pytest.approx([0.005])

    def test_an_alarm_that_was_left_finds_nothing(self) -> None:
        python_time.with_time_limit(0.5)
        python_time.without_time_limit(leaves_alarm=True)
        self.passes(9, 9)
        python_time.stop(0, None)
        assert self.rings == [0.25, 0]
        # Code that may have moved the alarm does not keep it.
        python_time.with_time_limit(0.5)
        python_time.with_time_limit(0.5)
        assert self.rings == [0.25, 0, 0.25, 0.25]
