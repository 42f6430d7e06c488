"""A judge who withdraws is gone from the study folder, and after the next export from the benchmark."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.model import JudgeKind
from clonetruth.store import Benchmark
from clonetruth.store.study_judgements import read_study_judgements
from clonetruth.store.votes import ItemKey, ItemKind, JudgeRole, Vote, VoteKind, open_vote_store
from clonetruth.studies import export_study, invite_judge, list_judges, resolve_study, withdraw_judge
from tests.store.votes.test_participation import traces

from .example_studies import add_answers, labelled_benchmark, sample_study

NAME, REASON = "Augusta Ada King", "the second one swallows the exception"


def test_nothing_of_a_withdrawn_judge_is_left(tmp_path: Path) -> None:
    benchmark = labelled_benchmark(tmp_path / "benchmark")
    study = sample_study(benchmark, tmp_path / "study", size=6)
    link = invite_judge(study, NAME).link
    with open_vote_store(study.path) as store:
        ada = store.judges()[0].id
        bob, eve = store.add_judge("Bob")[0].id, store.add_judge("Eve", JudgeRole.ADJUDICATOR)[0].id
        for subject, judge, value in ((0, ada, "clone"), (0, bob, "not-clone"), (1, ada, "clone"), (2, bob, "clone")):
            store.cast(
                Vote(
                    f"{judge}-{subject}",
                    judge,
                    ItemKey(ItemKind.PAIR, subject),
                    value,
                    reason=REASON if judge == ada else None,
                )
            )
        decided = Vote("e", eve, ItemKey(ItemKind.PAIR, 0), "clone", VoteKind.ADJUDICATION, reason=REASON)
        store.cast(decided)
    export_study(study, to=benchmark.path, names=True)
    assert resolve_study(study, "adjudicated").pairs.counts["clone"] == 1
    token = link.rpartition("/")[2]
    assert traces(study.path, NAME)
    assert traces(benchmark.path, REASON, NAME)

    done = withdraw_judge(study, NAME)
    assert (done.votes, done.answers, done.decisions, done.withdrawals) == (2, 0, 1, 1)
    assert traces(study.path, NAME, REASON, ada, token) == []
    assert resolve_study(study, "adjudicated").pairs.judged == 2
    assert {judge.name: judge.left for judge in list_judges(study)}["Bob"] > 0
    assert export_study(study, to=benchmark.path).removed == 3
    assert traces(benchmark.path, NAME, REASON, ada) == []
    opened = Benchmark.open(benchmark.path)
    opened.verify()
    (seal,) = (benchmark.path / "seals").glob("study-*.json")
    assert json.loads(seal.read_text(encoding="utf-8"))["withdrawn"] == 1
    with pytest.raises(InputError, match="Nobody called"):
        withdraw_judge(study, NAME)
    with pytest.raises(InputError, match="Nobody called"):
        withdraw_judge(study, "Nobody at all")


def test_answers_that_did_not_come_from_the_pages_are_erased_too(tmp_path: Path) -> None:
    study = sample_study(labelled_benchmark(tmp_path / "benchmark"), tmp_path / "study", size=6)
    add_answers(study, "person:ada", {0: "clone", 1: "clone"})
    add_answers(study, "person:bob", {0: "not-clone", 2: "clone"})
    add_answers(study, "llm:x", {0: "clone"}, kind=JudgeKind.LLM)
    add_answers(study, "person:agreed", {0: "clone", 2: "clone"}, speaks_for=["person:ada", "person:bob"])
    done = withdraw_judge(study, "person:ada")
    assert (done.votes, done.answers, done.decisions) == (0, 2, 1)
    assert traces(study.path, "person:ada") == []
    judges, judgements = read_study_judgements(study.path)
    said = sorted(zip(*(judgements[name].to_pylist() for name in ("judge", "subject")), strict=True))
    assert said == [("llm:x", 0), ("person:agreed", 2), ("person:bob", 0), ("person:bob", 2)]
    assert sorted(judges["judge"].to_pylist()) == ["llm:x", "person:agreed", "person:bob"]
    with pytest.raises(InputError, match="Nobody called 'llm:x'"):
        withdraw_judge(study, "llm:x")


def test_a_quota_comes_from_the_study_or_the_invitation(tmp_path: Path) -> None:
    study = sample_study(labelled_benchmark(tmp_path / "benchmark"), tmp_path / "study", size=6, max_per_judge=4)
    assert invite_judge(study, "Ada").judge.quota == 4
    assert invite_judge(study, "Bob", max_per_judge=2).judge.quota == 2
    assert invite_judge(study, "Eve", role="adjudicator").judge.quota is None
    assert {judge.name: judge.left for judge in list_judges(study)} == {"Ada": 4, "Bob": 2, "Eve": 0}
    assert invite_judge(study, "Bob", renew=True, max_per_judge=3).judge.quota == 3
    with pytest.raises(InputError, match="A quota is for judges"):
        invite_judge(study, "Olga", role="owner", max_per_judge=3)
