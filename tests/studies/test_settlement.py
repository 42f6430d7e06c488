"""How differences are settled: handed on to another group, left out, or decided together."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from random import Random

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.store.study_judgements import STUDY_JUDGES
from clonetruth.store.study_protocol import JudgeGroup, Settlement
from clonetruth.store.votes import ItemKey, JudgeRole
from clonetruth.studies import choose_protocol
from clonetruth.studies.round_counts import count_rounds
from clonetruth.studies.rounds import RoundPlan, SubjectOutcome
from clonetruth.verdicts.latest_judgements import LatestJudgements, conclude_verdicts
from tests.studies.simulated_study import SimulatedStudy, pairs

GROUPS = tuple(JudgeGroup(name, 1 / 3) for name in ("one", "two", "three"))
PANEL = ("post-doc 1", "post-doc 2", "post-doc 3")
ANSWERS = st.sampled_from(["clone", "not-clone", "undecided"])


def as_published(subjects: int, seed: int = 1) -> RoundPlan:
    """The plan of the protocol `gptclonebench`."""
    protocol = choose_protocol("gptclonebench").protocol
    return RoundPlan(
        seed,
        pairs(subjects),
        protocol.overlap,
        protocol.groups,
        panel=protocol.panel,
        different=protocol.different,
        undecided=protocol.undecided,
        quorum=protocol.quorum,
    )


def published_study(subjects: int, seed: int = 1) -> SimulatedStudy:
    study = SimulatedStudy(as_published(subjects, seed))
    for group in GROUPS:
        for number in (1, 2):
            study.join(f"{group.name} {number}", group.name)
    for name in PANEL:
        study.join(name, "panel", JudgeRole.ADJUDICATOR)
    study.join("chair", role=JudgeRole.ADJUDICATOR)
    return study


def judge_table(groups: dict[str, str | None], joint: tuple[str, ...] = ()) -> pa.Table:
    rows = [
        {"judge": judge, "kind": "person", "name": judge, "settings": json.dumps({"group": group} if group else {})}
        for judge, group in groups.items()
    ]
    if joint:
        decided = json.dumps({"role": "adjudicator", "speaks_for": list(joint)})
        rows.append({"judge": "joint", "kind": "person", "name": "joint", "settings": decided})
    return pa.Table.from_pylist(rows, schema=STUDY_JUDGES)


def latest(answers: list[tuple[int, str, str]], judges: pa.Table, subjects: int) -> LatestJudgements:
    rows = [
        {"subject": subject, "judge": judge, "kind": "person", "value": value}
        for subject, judge, value in sorted(answers)
    ]
    schema = pa.schema([("subject", pa.int64()), *((name, pa.string()) for name in ("judge", "kind", "value"))])
    return LatestJudgements("functionally-similar", subjects, pa.Table.from_pylist(rows, schema=schema), judges)


def run(
    plan: RoundPlan, drawn: dict[tuple[int, str], tuple[str, str]]
) -> tuple[list[tuple[int, str, str]], dict[int, str]]:
    """Follow the paper by hand: the answers that are given, and the verdict on each pair before the panel."""
    answers, verdicts = [], {}
    for item in plan.subjects:
        verdict = "unknown"
        for group in plan.rotations[item][:2]:
            both = drawn.get((item.number, group), ("clone", "clone"))
            answers += [(item.number, f"{group} {number}", value) for number, value in zip((1, 2), both, strict=True)]
            if "undecided" in both:
                continue  # the only reason to hand a pair on
            verdict = both[0] if both[0] == both[1] else "unknown"
            break
        verdicts[item.number] = verdict
    return answers, verdicts


@given(
    seed=st.integers(0, 20),
    drawn=st.dictionaries(
        st.tuples(st.integers(0, 11), st.sampled_from(["one", "two", "three"])), st.tuples(ANSWERS, ANSWERS)
    ),
    panel=st.dictionaries(st.integers(0, 11), st.sampled_from(["clone", "not-clone"])),
)
@settings(max_examples=30, deadline=None)
def test_verdicts_follow_the_published_process(
    seed: int, drawn: dict[tuple[int, str], tuple[str, str]], panel: dict[int, str]
) -> None:
    plan = as_published(12, seed)
    answers, expected = run(plan, drawn)
    members = {f"{group.name} {number}": group.name for group in GROUPS for number in (1, 2)}
    judges = judge_table(dict(members), PANEL)
    answers += [(subject, "joint", value) for subject, value in panel.items()]
    found = conclude_verdicts(latest(answers, judges, 12), "adjudicated")
    verdicts = dict(zip(found["pair"].to_pylist(), found["verdict"].to_pylist(), strict=True))
    assert verdicts == {**expected, **panel}


@given(seed=st.integers(0, 20), choices=st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_no_group_sees_a_pair_twice_and_only_undecided_pairs_are_handed_on(seed: int, choices: Random) -> None:
    study = published_study(9, seed)
    answer = {
        (name, item): choices.choice(["clone", "not-clone", "undecided"])
        for name in study.active
        for item in study.plan.subjects
    }
    for _ in range(3):
        for name in list(study.active):
            while (shown := study.next(name)) is not None:
                study.vote(name, shown.key, answer[name, shown.key])
    for item in study.plan.subjects:
        first, second, third = study.plan.rotations[item]
        votes = {
            group: [answer[f"{group} {number}", item] for number in (1, 2)]
            for group in (first, second, third)
            if f"{group} 1" in study.voters(item)
        }
        assert third not in votes
        assert (second in votes) == ("undecided" in votes[first])
        outcome = study.eligibility.turn(item).outcome
        awaited = outcome is SubjectOutcome.UNDECIDED
        assert awaited == all("undecided" in given for given in votes.values())
        assert (item in study.disagreements(PANEL[0])) == awaited
        assert item not in study.disagreements("chair")


def test_differing_pairs_are_neither_clones_nor_non_clones_and_nobody_decides_them() -> None:
    study = published_study(3)
    item = study.plan.subjects[0]
    group = study.plan.rotations[item][0]
    study.vote(f"{group} 1", item, "clone")
    study.vote(f"{group} 2", item, "not-clone")
    assert study.eligibility.turn(item).outcome is SubjectOutcome.DIFFERENT
    assert all(item not in study.disagreements(name) for name in (*PANEL, "chair"))
    for name in ("chair", PANEL[0]):
        with pytest.raises(InputError, match="the protocol says 'exclude'"):
            study.eligibility.check_decision(study.people[name], item, ())


def undecided(study: SimulatedStudy) -> ItemKey:
    item = study.plan.subjects[0]
    for group in study.plan.rotations[item][:2]:
        for number in (1, 2):
            study.vote(f"{group} {number}", item, "undecided")
    return item


def test_the_panel_decides_with_its_quorum_and_nobody_else() -> None:
    study = published_study(3)
    item, eligibility = undecided(study), study.eligibility
    study_panel = study.people[PANEL[0]]
    eligibility.check_decision(study_panel, item, PANEL)
    for participants, message in (
        (PANEL[:2], "needs at least 3 participants; 2 named"),
        ((), "needs at least 3 participants; 0 named"),
        ((*PANEL, "chair"), "may not take part"),
        (("one 1", *PANEL[:2]), "may not take part"),
        ((PANEL[0],) * 3, "1 named"),
    ):
        with pytest.raises(InputError, match=message):
            eligibility.check_decision(study_panel, item, participants)
    with pytest.raises(InputError, match="the protocol says 'panel'"):
        eligibility.check_decision(study.people["chair"], item, PANEL)


def test_a_discussion_needs_two_people() -> None:
    plan = RoundPlan(1, pairs(1), different=(Settlement.DISCUSSION,), quorum=1)
    study = SimulatedStudy(plan)
    for name in ("ada", "bob", "eve"):
        study.join(name)
    study.join("chair", role=JudgeRole.ADJUDICATOR)
    study.vote("eve", plan.subjects[0], "clone")
    study.vote("bob", plan.subjects[0], "not-clone")
    rule = study.eligibility.settlement_rule(plan.subjects[0])
    # Those who judged the pair come first.
    assert [one.id for one in rule.candidates] == ["bob", "eve", "ada", "chair"]
    with pytest.raises(InputError, match="at least 2 participants; 1 named"):
        study.eligibility.check_decision(study.people["chair"], plan.subjects[0], ["bob"])
    study.eligibility.check_decision(study.people["chair"], plan.subjects[0], ["bob", "eve"])


def test_different_pairs_can_be_handed_on_too() -> None:
    plan = replace(as_published(3), different=(Settlement.NEXT_GROUP, Settlement.EXCLUDE))
    study = SimulatedStudy(plan)
    for group in GROUPS:
        for number in (1, 2):
            study.join(f"{group.name} {number}", group.name)
    item = plan.subjects[0]
    first, second, _ = plan.rotations[item]
    study.vote(f"{first} 1", item, "clone")
    study.vote(f"{first} 2", item, "not-clone")
    assert study.eligibility.turn(item).eligible == {f"{second} 1", f"{second} 2"}


def test_the_counts_of_each_round() -> None:
    """As the paper reports them: by group, what was undecided and handed on, what the panel decided."""
    plan = as_published(30, 3)
    first = {item: plan.rotations[item][0] for item in plan.subjects}
    drawn = {}
    of_one = [item for item in plan.subjects if first[item] == "one"]
    drawn[of_one[0].number, "one"] = ("clone", "not-clone")
    drawn[of_one[1].number, "one"] = ("not-clone", "not-clone")
    for item in of_one[2:4]:
        drawn[item.number, "one"] = ("clone", "undecided")
    drawn[of_one[3].number, plan.rotations[of_one[3]][1]] = ("undecided", "undecided")
    answers, _ = run(plan, drawn)
    answers.append((of_one[3].number, "joint", "clone"))
    members = {f"{group.name} {number}": group.name for group in GROUPS for number in (1, 2)}
    counts = count_rounds(plan, latest(answers, judge_table(dict(members), PANEL), 30))
    by_round = {(one.round, one.group): one for one in counts}
    one = by_round[1, "one"]
    assert (one.pairs, one.true, one.false, one.disputed, one.undecided, one.open) == (10, 6, 1, 1, 2, 0)
    handed_on = [count for count in counts if count.round == 2]
    assert sum(count.pairs for count in handed_on) == 2
    assert Counter({"true": sum(c.true for c in handed_on), "undecided": sum(c.undecided for c in handed_on)}) == {
        "true": 1,
        "undecided": 1,
    }
    assert counts[-1] == by_round[0, ""]
    assert (counts[-1].pairs, counts[-1].true) == (1, 1)
    assert count_rounds(replace(plan, groups=()), latest([], judge_table({"a": None}), 30)) == ()
