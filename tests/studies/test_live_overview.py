"""The dashboard's numbers: those of a computation from scratch at any moment, at a cost that follows the news."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clonetruth.model import JudgeKind
from clonetruth.store import DuckDBEngine
from clonetruth.store.study import Study
from clonetruth.store.study_judgements import SubjectKind
from clonetruth.store.votes import (
    CastVote,
    ItemKey,
    ItemKind,
    JudgeRole,
    Vote,
    VoteKind,
    VoteStore,
    VoteTables,
    open_vote_store,
    study_votes,
    votes_as_tables,
)
from clonetruth.studies import judge_statuses, resolve_subjects, study_agreement
from clonetruth.studies.estimation import estimate_labels
from clonetruth.studies.live_overview import LiveOverview, study_overview
from tests.studies.web.sample import without_checks, write_sample

JUDGES = 4


@contextmanager
def voting(folder: Path, pairs: int) -> Iterator[tuple[Study, VoteStore, list[str]]]:
    """A study with judges, the last of whom is an adjudicator."""
    study = write_sample(folder, replace(without_checks(), overlap=2), pairs=pairs)
    with open_vote_store(folder) as vote_store:
        judges = [vote_store.add_judge(f"Judge {number}")[0].id for number in range(JUDGES)]
        yield study, vote_store, [*judges, vote_store.add_judge("Cleo", JudgeRole.ADJUDICATOR)[0].id]


def comparable(value: object) -> Any:
    """A result without the time at which it was made."""
    if is_dataclass(value):
        return {one.name: comparable(getattr(value, one.name)) for one in fields(value) if one.name != "time"}
    if isinstance(value, tuple):
        return [comparable(one) for one in value]
    return value


ITEMS = [*(ItemKey(ItemKind.PAIR, number) for number in range(4)), ItemKey(ItemKind.METHOD, 0)]
STEPS = st.lists(
    st.tuples(st.integers(0, JUDGES), st.integers(0, len(ITEMS) - 1), st.booleans(), st.integers(0, 9)),
    min_size=1,
    max_size=25,
)


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_the_numbers_are_those_of_a_computation_from_scratch(
    steps: list[tuple[int, int, bool, int]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    with voting(tmp_path_factory.mktemp("voting") / "study", 4) as (study, vote_store, judges):
        live = LiveOverview(study, vote_store)
        for number, (who, what, yes, action) in enumerate(steps):
            judge, item = judges[who], ITEMS[what]
            kind = VoteKind.ADJUDICATION if who == JUDGES else VoteKind.VOTE
            values = ("clone", "not-clone") if item.kind is ItemKind.PAIR else ("major", "wrong")
            vote_store.cast(Vote(f"v{number}", judge, item, values[yes], kind, seconds=float(number)))
            if action == 0:
                vote_store.undo(judge, f"v{number}")
            if action < 4:
                assert comparable(live.at_present()) == comparable(study_overview(study, vote_store))
        found = live.at_present()
        assert comparable(found.judges) == comparable(judge_statuses(study, vote_store))
        votes = votes_as_tables(vote_store, study)
        again = VoteTables(study).read(vote_store)
        assert [one.to_pylist() for one in again] == [one.to_pylist() for one in votes]
        estimate = estimate_labels(study, resolve_subjects(study, "adjudicated", votes))
        assert comparable(found.estimate) == comparable(estimate)
        if found.agreement is not None:
            agreement = study_agreement(study, votes=votes)
            assert agreement.pairs is None or found.agreement.pairs == replace(agreement.pairs, between=())
            for name, pairs in found.between.items():
                whole = getattr(agreement, name)
                each = whole.between or ((whole,) if whole.subjects else ())
                assert [(one.judges, one.table, one.subjects) for one in pairs] == [
                    (one.judges, one.table, one.subjects) for one in each
                ]
                assert [one.cohen_kappa for one in pairs] == pytest.approx([one.cohen_kappa for one in each])


@pytest.mark.parametrize("pairs", [40, 400])
def test_new_votes_cost_the_same_in_a_large_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pairs: int) -> None:
    """What the policy reads after three new votes: those on three pairs, however many pairs and votes there are."""
    read: list[int] = []
    made: list[int] = []
    sql, judgements_table = DuckDBEngine.sql, study_votes._judgements_table

    def counted(engine: DuckDBEngine, text: str, tables: Mapping[str, Any]) -> pa.Table:
        read.append(sum(tables[name].num_rows for name in ("judgements", "pairs") if name in tables))
        return sql(engine, text, tables)

    def recorded(study: Study, votes: Sequence[CastVote]) -> pa.Table:
        made.append(len(votes))
        return judgements_table(study, votes)

    monkeypatch.setattr(study_votes, "_BLOCK", 50)
    with voting(tmp_path / "study", pairs) as (study, vote_store, judges):
        for judge in judges[:3]:
            for number in range(pairs):
                vote_store.cast(Vote(f"{judge}-{number}", judge, ItemKey(ItemKind.PAIR, number), "clone"))
        live = LiveOverview(study, vote_store)
        before = live.at_present()
        for number in range(3):
            vote_store.cast(Vote(f"new-{number}", judges[0], ItemKey(ItemKind.PAIR, 7 * number), "not-clone"))
        monkeypatch.setattr(DuckDBEngine, "sql", counted)
        monkeypatch.setattr(study_votes, "_judgements_table", recorded)
        after = live.at_present()
    assert (before.kinds[0].agreed, after.kinds[0].agreed) == (pairs, pairs - 3)
    # Three votes on each of three pairs: for the latest judgements, and with the pairs for the verdicts.
    assert read == [9, 12]
    # The block that lost three votes, and the one that got three.
    assert len(made) == 2
    assert max(made) <= 50


def test_nothing_is_read_when_nothing_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with voting(tmp_path / "study", 4) as (study, vote_store, judges):
        for judge in judges[:2]:
            vote_store.cast(Vote(judge, judge, ItemKey(ItemKind.PAIR, 0), "clone"))
        live = LiveOverview(study, vote_store)
        first = live.at_present()

        def fail(*args: object, **rest: object) -> None:
            raise AssertionError("a query without a new vote")

        monkeypatch.setattr(DuckDBEngine, "sql", fail)
        assert comparable(live.at_present()) == comparable(first)


def test_answers_of_a_language_model_and_new_judges_are_seen(tmp_path: Path) -> None:
    with voting(tmp_path / "study", 4) as (study, vote_store, judges):
        live = LiveOverview(study, vote_store)
        vote_store.cast(Vote("a", judges[0], ItemKey(ItemKind.PAIR, 0), "clone"))
        assert live.at_present().agreement is None
        study.add_answers("llm", {0: "clone", 1: "clone"}, name="A model", kind=JudgeKind.LLM, on=str(SubjectKind.PAIR))
        found = live.at_present().agreement
        assert found is not None
        assert found.pairs is not None
        assert set(found.pairs.judges) == {judges[0], "llm"}
        vote_store.cast(Vote("b", judges[1], ItemKey(ItemKind.PAIR, 0), "not-clone"))
        found = live.at_present().agreement
        assert found is not None
        assert found.pairs is not None
        assert set(found.pairs.judges) == set(judges[:2])


def test_a_withdrawn_judge_leaves_nothing_behind(tmp_path: Path) -> None:
    """The numbers of erased votes are given out again: a new vote must not be taken for an old one."""
    with voting(tmp_path / "study", 4) as (study, vote_store, judges):
        live = LiveOverview(study, vote_store)
        for number, judge in enumerate(judges[:2]):
            vote_store.cast(Vote(f"a{number}", judge, ItemKey(ItemKind.PAIR, 0), "clone"))
        live.at_present()
        vote_store.withdraw("Judge 1")
        vote_store.cast(Vote("b", judges[0], ItemKey(ItemKind.PAIR, 1), "not-clone"))
        vote_store.cast(Vote("c", judges[2], ItemKey(ItemKind.PAIR, 1), "clone"))
        found = live.at_present()
        assert found.kinds[0].differ == 1
        assert comparable(found) == comparable(study_overview(study, vote_store))
