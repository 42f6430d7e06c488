"""Every harness makes the same promises: what is observed, what ends a call, and that no fragment affects the next.

A language takes part as soon as it is registered in `HARNESSES`; its samples are in `harness_samples/LANGUAGE.py`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

import pytest

from clonetruth.execution.harness import (
    HARNESSES,
    CallInput,
    Code,
    EntryKind,
    FragmentRun,
    Harness,
    Observation,
    Reason,
)
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.execution.toolchains import TOOLCHAINS
from clonetruth.execution.values import Value, check_value, equal_values, is_comparable
from tests.conformance.harness_samples import HarnessSamples, ReturnSample, number, numbers
from tests.execution.sandboxed import REFUSALS, needs_sandbox

pytestmark = needs_sandbox


def samples_of(language: str) -> HarnessSamples:
    """The samples of a language; a harness without samples fails here."""
    found = importlib.import_module(f"tests.conformance.harness_samples.{language}").SAMPLES
    assert isinstance(found, HarnessSamples)
    return found


@dataclass
class Subject:
    """A harness with the samples of its language."""

    harness: Harness
    samples: HarnessSamples

    def run(
        self, text: str, *calls: Sequence[Value], entry: str | None = None, seed: int = 0, coverage: bool = False
    ) -> FragmentRun:
        code = Code(text, self.samples.language, entry)
        return self.harness.run(code, [CallInput(tuple(one)) for one in calls], seed=seed, coverage=coverage)

    def observe(self, text: str, *calls: Sequence[Value], entry: str | None = None) -> tuple[Observation, ...]:
        """What the calls did; after a call that ended the process, the rest is run again, as the search does."""
        found: tuple[Observation, ...] = ()
        while len(found) < len(calls):
            run = self.run(text, *calls[len(found) :], entry=entry)
            assert run.undecided is None, (run.undecided, run.detail)
            assert run.observations
            found += run.observations
        assert len(found) == len(calls)
        return found


@pytest.fixture(scope="module", params=sorted(HARNESSES))
def subject(request: pytest.FixtureRequest) -> Iterator[Subject]:
    language = str(request.param)
    sandbox = Bubblewrap()
    chains = TOOLCHAINS.get(language, ())
    if chains and all(one.missing(sandbox) for one in chains):
        pytest.skip(f"not installed: {chains[0].missing(sandbox)}")
    harness = HARNESSES[language](sandbox)
    yield Subject(harness, samples_of(language))
    harness.close()


def test_values_of_every_kind_come_out(subject: Subject) -> None:
    for sample in subject.samples.returns:
        (call,) = subject.observe(sample.text, sample.arguments)
        assert call.is_normal, (sample.name, call)
        assert check_value(call.returned) is call.returned
        assert equal_values(call.returned, sample.returns), (sample.name, call)
        assert call.output == ""


def test_how_a_function_can_be_called_is_said_without_calling_it(subject: Subject) -> None:
    run = subject.run(subject.samples.prints)
    assert (run.undecided, run.kind, run.observations) == (None, EntryKind.FUNCTION, ())
    assert [one.name for one in run.parameters] == ["n"]


def test_changed_arguments_are_observed(subject: Subject) -> None:
    changed, same = subject.observe(subject.samples.changes, [numbers(1, 2)], [numbers(9, 2)])
    assert changed.returned is None
    assert changed.changed is not None
    assert equal_values(changed.changed[0], numbers(9, 2))
    assert same.changed is None


def test_output_is_apart_from_the_result(subject: Subject) -> None:
    (call,) = subject.observe(subject.samples.prints, [number(3)])
    assert (call.output.strip(), call.returned, call.raised) == ("seen 3", number(4), None)


def test_exceptions_have_a_name_and_the_next_call_runs(subject: Subject) -> None:
    failing, working = subject.observe(subject.samples.raises, [numbers()], [numbers(5, 6)])
    assert (failing.raised, failing.returned) == (subject.samples.raised, None)
    assert equal_values(working.returned, number(5))


def test_what_is_missing_is_named(subject: Subject) -> None:
    """As the reason, as the symbol that a call missed, or as an implicit parameter that decides what it does."""
    run = subject.run(subject.samples.missing, [number(1)])
    implicit = [one.name for one in run.parameters if one.implicit]
    assert run.undecided in (Reason.SYMBOL, None)
    assert "helper_that_is_missing" in " ".join(
        [run.detail, *implicit, *(str(one.missing) for one in run.observations)]
    )


def test_what_does_not_parse_says_so(subject: Subject) -> None:
    assert subject.run(subject.samples.unparsable, [number(1)]).undecided in (Reason.PARSE, Reason.COMPILE)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["loops", "exits", "floods", "recurses", "allocates"])
def test_what_does_not_end_well_does_not_affect_the_next_call(subject: Subject, name: str) -> None:
    text = getattr(subject.samples, name)
    bad, good = subject.observe(text, [number(1)], [number(0)])
    assert not bad.is_normal or len(bad.output) >= 1000, bad
    if name == "loops":
        assert bad.ended == "timed out"
    assert len(bad.output) <= 1 << 20
    assert (good.returned, good.ended, good.raised) == (number(7), None, None)
    (after,) = subject.observe(subject.samples.prints, [number(3)])
    assert after.returned == number(4)


@pytest.mark.parametrize("name", ["huge", "endless"])
def test_what_is_too_large_is_cut(subject: Subject, name: str) -> None:
    text = getattr(subject.samples, name)
    if text is None:
        pytest.skip(f"{subject.samples.language} cannot express it")
    (call,) = subject.observe(text, [])
    assert call.is_normal, call
    assert check_value(call.returned) is call.returned
    if name == "huge":
        assert not is_comparable(call.returned)


def test_two_runs_are_equal(subject: Subject) -> None:
    runs = [subject.run(subject.samples.counts, [], []) for _ in range(2)]
    assert runs[0].observations == runs[1].observations
    assert runs[0].observations[0].returned == number(1)


def test_nothing_is_left_for_the_next_fragment(subject: Subject) -> None:
    run = subject.run(subject.samples.poisons, [number(1)])
    assert run.undecided is None, (run.undecided, run.detail)
    assert run.observations
    (call,) = subject.observe(subject.samples.notices, [])
    assert call.returned == number(0), call
    sample = subject.samples.returns[0]
    (call,) = subject.observe(sample.text, sample.arguments)
    assert equal_values(call.returned, sample.returns)


def test_answers_cannot_be_forged(subject: Subject) -> None:
    """What a fragment writes wherever it can changes at most what is said of itself."""
    run = subject.run(subject.samples.forges, [number(1)], [number(1)])
    assert run.undecided not in REFUSALS, run.detail
    assert len(run.observations) <= 2
    (call,) = subject.observe(subject.samples.prints, [number(3)])
    assert (call.returned, call.output.strip()) == (number(4), "seen 3")


def test_coverage_rises(subject: Subject) -> None:
    few = subject.run(subject.samples.branches, [number(1)], coverage=True)
    many = subject.run(subject.samples.branches, [number(1)], [number(-5)], [number(500)], coverage=True)
    if not few.points and not many.points:
        pytest.skip("this harness does not measure coverage")
    reached = [{point for one in run.observations for point in one.reached} for run in (few, many)]
    assert few.points == many.points >= len(reached[1]) > len(reached[0]) >= 1
    again = subject.run(subject.samples.branches, [number(1)], [number(1)], coverage=True)
    assert again.observations[1].reached == ()


def test_an_entry_is_chosen_by_name(subject: Subject) -> None:
    for name, value in (("first", 1), ("second", 2)):
        (call,) = subject.observe(subject.samples.chooses, [], entry=name)
        assert call.returned == number(value)
    assert subject.run(subject.samples.chooses, [], entry="third").undecided is Reason.FUNCTION


def test_the_seed_decides_what_is_random(subject: Subject) -> None:
    text = subject.samples.random
    if text is None:
        pytest.skip(f"{subject.samples.language} has no random numbers without a seed")
    one, same, other = (subject.run(text, [], seed=seed).observations[0].returned for seed in (1, 1, 2))
    assert one == same != other


def test_samples_are_complete() -> None:
    for language in HARNESSES:
        samples = samples_of(language)
        assert samples.language == language
        assert len(samples.returns) >= 6
        assert all(isinstance(one, ReturnSample) for one in samples.returns)
        assert not [one.name for one in fields(samples) if getattr(samples, one.name) == ""]
