"""Rules for executed pairs: weak evidence stays weak, and other rules need no other run."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.execution import (
    DEFAULT_POLICY,
    BehaviourComparison,
    CallInput,
    Difference,
    DifferencePolicy,
    Observation,
    Reason,
    Strength,
    Witness,
)
from clonetruth.execution.results import ExecutedSide
from clonetruth.judges import PairEvidence, read_evidence
from clonetruth.judges.execution_evidence import JUDGE, PAIR_CRITERION, without_bulk
from clonetruth.model import Judge, JudgeKind, Judgement
from clonetruth.store import Benchmark
from clonetruth.verdicts import find_policy, judge_verdicts
from clonetruth.verdicts.executed import parse_rules
from tests.judges.executed import make_benchmark

SIDE = ExecutedSide("python", "f")
TEXTS = [f"def f(a):\n    return a + {number}\n" for number in range(6)]

shares = st.none() | st.floats(0, 1)
strengths = st.builds(
    Strength,
    runs=st.integers(0, 40),
    normal=st.integers(0, 40),
    outputs=st.integers(0, 8),
    truth_values=st.booleans(),
    left_coverage=shares,
    right_coverage=shares,
    proof=st.none() | st.just("all paths"),
)
kinds = st.sets(st.sampled_from(Difference))
policies = st.builds(
    DifferencePolicy,
    counted=kinds.filter(bool).map(frozenset),
    runs=st.integers(1, 40),
    outputs=st.integers(1, 8),
    coverage=st.floats(0, 1),
)


def witness(*differences: Difference) -> Witness:
    seen = (Observation({"int": "1"}), Observation({"int": "2"}))
    return Witness(CallInput(({"int": "0"},)), *seen, tuple(differences))


@st.composite
def comparisons(draw: st.DrawFn) -> BehaviourComparison:
    """What a search can find: some kinds of difference, each with a witness or without one that came again."""
    shown, unstable = draw(kinds), draw(kinds)
    return BehaviourComparison(
        SIDE,
        SIDE,
        witnesses=tuple(witness(one) for one in sorted(shown)),
        counts=dict.fromkeys([*shown, *unstable], 1),
        strength=draw(strengths),
        reason=draw(st.none() | st.sampled_from([Reason.SYMBOL, Reason.NO_RUN])),
    )


def evidence(found: BehaviourComparison, key: str = "k") -> PairEvidence:
    return PairEvidence(key, found, {"runs": 40}, {"clonetruth": "1"}, "2026-01-01T00:00:00+00:00")


@given(comparisons(), policies)
def test_a_clone_has_the_stated_strength_and_no_difference_that_counts(
    found: BehaviourComparison, policy: DifferencePolicy
) -> None:
    value, strength = evidence(found).value(policy), found.strength
    shown = {kind for one in found.witnesses for kind in one.differences}
    assert (value == "not-clone") == bool(shown & policy.counted)
    if value == "clone" and strength.proof is None:
        assert found.reason is None
        assert not policy.counted & found.counts.keys()
        assert strength.normal >= policy.runs
        assert strength.outputs >= (min(2, policy.outputs) if strength.truth_values else policy.outputs)
        measured = [one for one in (strength.left_coverage, strength.right_coverage) if one is not None]
        assert all(share >= policy.coverage for share in measured)


@given(comparisons(), policies, st.integers(0, 20), st.integers(0, 4))
def test_more_demanding_rules_never_make_a_clone(
    found: BehaviourComparison, policy: DifferencePolicy, runs: int, outputs: int
) -> None:
    harder = DifferencePolicy(policy.counted, policy.tolerance, policy.runs + runs, policy.outputs + outputs, 1.0)
    if evidence(found).value(harder) == "clone":
        assert evidence(found).value(policy) == "clone"


@given(comparisons())
def test_evidence_reads_as_it_was_written(found: BehaviourComparison) -> None:
    stored = evidence(without_bulk(found))
    assert read_evidence(stored.text) == stored


def test_long_observations_are_cut() -> None:
    long = Observation({"list": [{"int": "1"}] * 10_000}, output="x" * 100_000)
    found = BehaviourComparison(SIDE, SIDE, (Witness(CallInput(), long, long, (Difference.VALUE,)),))
    stored = evidence(without_bulk(found))
    assert len(stored.text) < 20_000
    assert stored.value() == "not-clone"


@pytest.fixture
def benchmark(tmp_path: Path) -> Benchmark:
    """Pairs with evidence of different strength; a person has judged the last one, too."""
    made = make_benchmark(tmp_path / "b", [(a, b, None) for a, b in itertools.pairwise(TEXTS)])
    strong = Strength(runs=60, normal=60, outputs=9, left_coverage=0.9, right_coverage=0.9)
    weak = Strength(runs=12, normal=12, outputs=3, left_coverage=0.6, right_coverage=0.6)
    found = [
        BehaviourComparison(SIDE, SIDE, strength=strong),
        BehaviourComparison(SIDE, SIDE, strength=weak),
        BehaviourComparison(SIDE, SIDE, (witness(Difference.OUTPUT),), {Difference.OUTPUT: 3}, strong),
        BehaviourComparison(SIDE, SIDE, (witness(Difference.VALUE),), {Difference.VALUE: 3}, strong),
        BehaviourComparison(SIDE, SIDE, strength=weak),
    ]
    judgements = []
    for pair, one in enumerate(found):
        stored = evidence(one, str(pair))
        value = str(stored.value())
        judgements.append(Judgement(JUDGE.id, PAIR_CRITERION, value, pair=pair, evidence=stored.text, time=stored.time))
    person = Judge("anna", JudgeKind.PERSON, "Anna")
    judgements.append(Judgement("anna", PAIR_CRITERION, "clone", pair=4))
    made.append_judgements([JUDGE, person], judgements)
    return made


def concluded(benchmark: Benchmark, policy: str) -> list[str]:
    found: list[str] = judge_verdicts(benchmark, policy).table["verdict"].to_pylist()
    return found


def test_rules_are_applied_without_running_again(benchmark: Benchmark) -> None:
    assert concluded(benchmark, "default") == ["clone", "clone", "not-clone", "not-clone", "clone"]
    strict = "default:runs=50,outputs=5,coverage=0.8"
    assert concluded(benchmark, strict) == ["clone", "unknown", "not-clone", "not-clone", "clone"]
    assert concluded(benchmark, "default:count=value") == ["clone", "clone", "clone", "not-clone", "clone"]
    assert concluded(benchmark, "default:count=value,runs=100")[2] == "unknown"
    # The default rules, written out, conclude the same.
    written = f"default:runs={DEFAULT_POLICY.runs},outputs={DEFAULT_POLICY.outputs}"
    assert concluded(benchmark, written) == concluded(benchmark, "default")


def test_other_rules_are_another_table_that_says_so(benchmark: Benchmark) -> None:
    plain, strict = (judge_verdicts(benchmark, one) for one in ("default", "default:runs=50"))
    again = judge_verdicts(benchmark, "default:runs=50")
    assert plain.digest != strict.digest == again.digest
    assert strict.policy == "default:runs=50"
    assert strict.name == f"default-{strict.digest}"
    assert "from 50 runs" in " ".join(strict.assumptions)
    assert not plain.assumptions


@pytest.mark.parametrize(
    ("policy", "kind"),
    [
        ("default:", UnknownNameError),
        ("default:speed=5", UnknownNameError),
        ("default:count=colour", UnknownNameError),
        ("default:runs=0", InputError),
        ("default:runs=many", InputError),
        ("default:runs=5,runs=6", InputError),
        ("default:coverage=2", InputError),
        ("default:coverage", InputError),
        ("origin:runs=5", InputError),
        ("members:runs=5", InputError),
        ("nobody:runs=5", UnknownNameError),
    ],
)
def test_bad_rules_are_refused(policy: str, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        find_policy(policy)


@given(st.text(max_size=30))
@settings(max_examples=60)
def test_any_text_is_rules_or_an_error(text: str) -> None:
    try:
        found = parse_rules(text)
    except (InputError, UnknownNameError):
        return
    assert found.runs >= 1
    assert found.counted
