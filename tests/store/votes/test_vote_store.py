"""The vote store: who may vote, which votes count, and that nothing counts twice. Every test runs on both databases."""

from __future__ import annotations

import dataclasses
import sqlite3
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clonetruth.errors import InputError, MissingExtraError
from clonetruth.store.study import write_study
from clonetruth.store.votes import (
    VOTES_FILE,
    ConflictError,
    ItemKey,
    ItemKind,
    JudgeRole,
    NotAllowedError,
    UnavailableError,
    Vote,
    VoteKind,
    VoteStore,
    open_vote_store,
)
from clonetruth.store.votes.databases import SQLiteDatabase
from tests.postgresql import Cluster
from tests.store.test_study import PLAN, subjects

PAIR = ItemKey(ItemKind.PAIR, 0)
OTHER = ItemKey(ItemKind.PAIR, 1)


def vote(judge: str, key: str = "k1", item: ItemKey = PAIR, value: str | None = "clone") -> Vote:
    return Vote(key, judge, item, value, VoteKind.SKIP if value is None else VoteKind.VOTE)


def ada(store: VoteStore) -> str:
    return store.add_judge("Ada")[0].id


def values(store: VoteStore) -> dict[ItemKey, dict[str, str | None]]:
    return {
        item: {judge: one.vote.value for judge, one in said.items()} for item, said in store.current_votes().items()
    }


def test_a_token_finds_its_judge_and_is_stored_hashed(store: VoteStore) -> None:
    judge, token = store.add_judge("Ada", JudgeRole.OWNER, days=2)
    assert len(token) >= 43
    assert token not in repr(store.judges())
    assert store.find_judge_by_token(token) == judge == store.judges()[0]
    assert (judge.role, judge.group, judge.revoked) == (JudgeRole.OWNER, None, None)
    assert judge.expires - judge.created >= timedelta(days=2)
    for wrong in ("", token[:-1], token + "x", "\ud800", judge.token_hash):
        assert store.find_judge_by_token(wrong) is None


def test_a_pseudonym_does_not_tell_the_name(store: VoteStore) -> None:
    # The letters of this name are not hexadecimal digits, so that no pseudonym contains it by chance.
    assert "grit" not in store.add_judge("Grit")[0].id.lower()


def test_one_name_one_judge(store: VoteStore) -> None:
    ada(store)
    with pytest.raises(InputError, match="already invited"):
        store.add_judge("Ada", JudgeRole.OWNER)
    assert len(store.judges()) == 1


@pytest.mark.parametrize("name", ["", "  ", "a\0b", "\ud800", "x" * 10_001])
def test_a_name_that_cannot_be(store: VoteStore, name: str) -> None:
    with pytest.raises(InputError):
        store.add_judge(name)


@pytest.mark.parametrize("days", [0, -1, float("nan"), float("inf"), 1e6])
def test_days_that_cannot_be(store: VoteStore, days: float) -> None:
    with pytest.raises(InputError, match="days"):
        store.add_judge("Ada", days=days)


def test_revoked_and_let_in_again(store: VoteStore) -> None:
    judge, token = store.add_judge("Ada")
    store.cast(vote(judge.id))
    revoked = store.revoke("Ada").revoked
    assert revoked is not None
    assert store.revoke("Ada").revoked == revoked
    found = store.find_judge_by_token(token)
    assert found is not None
    assert not found.active(datetime.now(UTC))
    with pytest.raises(NotAllowedError, match="revoked"):
        store.cast(vote(judge.id, "k2"))
    with pytest.raises(NotAllowedError, match="revoked"):
        store.undo(judge.id, "k1")
    assert values(store) == {PAIR: {judge.id: "clone"}}

    renewed, fresh = store.renew_judge("Ada")
    assert (renewed.id, renewed.revoked) == (judge.id, None)
    assert store.find_judge_by_token(token) is None
    assert store.find_judge_by_token(fresh) == renewed
    assert not store.cast(vote(judge.id, "k2", OTHER)).repeated


def test_nobody_has_this_name(store: VoteStore) -> None:
    ada(store)
    for call in (store.revoke, store.renew_judge):
        with pytest.raises(InputError, match=r"Nobody called 'Bob'.*Invited: Ada"):
            call("Bob")


def test_an_expired_judge_cannot_vote(study: Path) -> None:
    now = datetime(2030, 1, 1, tzinfo=UTC)
    store = VoteStore(SQLiteDatabase(study / VOTES_FILE), "s", clock=lambda: now)
    judge, _ = store.add_judge("Ada", days=1)
    assert not store.cast(vote(judge.id)).repeated
    now += timedelta(days=1)
    with pytest.raises(NotAllowedError, match="expired"):
        store.cast(vote(judge.id, "k2"))
    assert store.cast(vote(judge.id)).repeated
    store.close()


def test_a_repeated_vote_gives_the_first_receipt(store: VoteStore) -> None:
    judge = ada(store)
    first = store.cast(vote(judge))
    again = store.cast(dataclasses.replace(vote(judge), seconds=3.5))
    assert (first.repeated, again.repeated) == (False, True)
    assert dataclasses.replace(again, repeated=False) == first
    assert len(store.votes_of(judge)) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"value": "not-clone"},
        {"item": OTHER},
        {"confidence": 0.5},
        {"reason": "because"},
        {"swapped": True},
        {"kind": VoteKind.SKIP, "value": None},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_key_is_for_one_vote(store: VoteStore, change: dict[str, Any]) -> None:
    judge = ada(store)
    store.cast(vote(judge))
    with pytest.raises(ConflictError, match="used for another"):
        store.cast(dataclasses.replace(vote(judge), **change))
    assert values(store) == {PAIR: {judge: "clone"}}


def test_a_key_is_of_one_judge(store: VoteStore) -> None:
    store.cast(vote(ada(store)))
    with pytest.raises(ConflictError):
        store.cast(vote(store.add_judge("Bob")[0].id))


@pytest.mark.parametrize(
    "change",
    [
        {"key": ""},
        {"key": "a:b"},
        {"key": "x" * 101},
        {"value": None},
        {"kind": VoteKind.SKIP},
        {"kind": VoteKind.UNDO},
        {"undoes": "k0"},
        {"confidence": 1.5},
        {"confidence": float("nan")},
        {"seconds": -1.0},
        {"seconds": float("inf")},
        {"reason": "x" * 10_001},
        {"reason": "a\0b"},
        {"reason": "\ud800"},
        {"item": ItemKey(ItemKind.PAIR, -1)},
        {"item": ItemKey(ItemKind.PAIR, 2**63)},
    ],
    ids=str,
)
def test_malformed_votes_are_refused(store: VoteStore, change: dict[str, Any]) -> None:
    judge = ada(store)
    with pytest.raises(InputError):
        store.cast(dataclasses.replace(vote(judge), **change))
    assert store.votes_of(judge) == ()


def test_roles(store: VoteStore) -> None:
    judge = ada(store)
    adjudicator = store.add_judge("Eve", JudgeRole.ADJUDICATOR)[0].id
    decision = Vote("d1", adjudicator, PAIR, "not-clone", VoteKind.ADJUDICATION, reason="no")
    store.cast(decision)
    for wrong in (dataclasses.replace(decision, key="d2", judge=judge), vote(adjudicator), vote("nobody")):
        with pytest.raises(NotAllowedError):
            store.cast(wrong)
    assert values(store) == {}
    assert store.adjudications()[PAIR].vote == decision


def test_the_latest_decision_counts(store: VoteStore) -> None:
    first, second = (store.add_judge(name, JudgeRole.ADJUDICATOR)[0].id for name in ("Eve", "Zoe"))
    store.cast(Vote("d1", second, PAIR, "clone", VoteKind.ADJUDICATION))
    store.cast(Vote("d2", first, PAIR, "not-clone", VoteKind.ADJUDICATION))
    assert store.adjudications()[PAIR].vote.value == "not-clone"
    store.undo(first, "d2")
    assert store.adjudications()[PAIR].vote.value == "clone"


def test_who_changes_their_mind_votes_again_or_undoes(store: VoteStore) -> None:
    judge = ada(store)
    store.cast(vote(judge, "k1"))
    store.cast(vote(judge, "k2", value="not-clone"))
    assert values(store) == {PAIR: {judge: "not-clone"}}
    first = store.undo(judge, "k2")
    assert values(store) == {PAIR: {judge: "clone"}}
    assert dataclasses.replace(store.undo(judge, "k2"), repeated=False) == first
    store.undo(judge, "k1")
    assert values(store) == {}
    assert store.votes_of(judge) == ()


def test_only_ones_own_votes_can_be_undone(store: VoteStore) -> None:
    judge = ada(store)
    store.cast(vote(judge))
    store.undo(judge, "k1")
    for judge_, key in ((store.add_judge("Bob")[0].id, "k1"), (judge, "nothing"), (judge, "undo:k1")):
        with pytest.raises(NotAllowedError, match="no vote of this judge"):
            store.undo(judge_, key)


def test_a_skip_is_no_vote(store: VoteStore) -> None:
    judge = ada(store)
    store.cast(vote(judge, value=None))
    assert values(store) == {}
    assert [one.vote.kind for one in store.votes_of(judge)] == [VoteKind.SKIP]


@given(
    reason=st.none() | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    confidence=st.none() | st.floats(0, 1),
    seconds=st.none() | st.floats(0, 1e9),
    swapped=st.booleans(),
    number=st.integers(0, 2**63 - 1),
    kind=st.sampled_from(ItemKind),
)
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_vote_comes_back_as_it_was(
    store: VoteStore,
    reason: str | None,
    confidence: float | None,
    seconds: float | None,
    swapped: bool,
    number: int,
    kind: ItemKind,
) -> None:
    count = len(store.judges())
    judge = store.add_judge(f"Ada {count} '; DROP TABLE votes; -- %s")[0].id
    given_vote = Vote(
        f"k{count}", judge, ItemKey(kind, number), "clone", VoteKind.VOTE, confidence, reason, swapped, seconds
    )
    receipt = store.cast(given_vote)
    (found,) = store.votes_of(judge)
    assert (found.vote, found.sequence, found.time) == (given_vote, receipt.sequence, receipt.time)


def test_two_boxes_of_one_study_see_each_other(study: Path, url: str | None, store: VoteStore) -> None:
    judge, token = store.add_judge("Ada")
    with open_vote_store(study, url) as other:
        assert other.secret == store.secret
        assert other.find_judge_by_token(token) == judge
        assert other.cast(vote(judge.id, "k1")).sequence == 1
        assert store.cast(vote(judge.id, "k2", OTHER)).sequence == 2
        assert store.cast(vote(judge.id, "k1")).repeated
        assert values(store) == values(other) == {PAIR: {judge.id: "clone"}, OTHER: {judge.id: "clone"}}


def test_a_box_opened_again_has_everything(study: Path, url: str | None) -> None:
    with open_vote_store(study, url) as store:
        judge = ada(store)
        store.cast(vote(judge))
    with open_vote_store(study, url) as store:
        assert values(store) == {PAIR: {judge: "clone"}}


def test_what_was_given_out_does_not_change(store: VoteStore) -> None:
    judge = ada(store)
    store.cast(vote(judge, "k1"))
    before = store.current_votes()
    store.cast(vote(judge, "k2", value="not-clone"))
    store.cast(vote(store.add_judge("Bob")[0].id, "k3"))
    assert {judge_: one.vote.value for judge_, one in before[PAIR].items()} == {judge: "clone"}


def test_the_votes_of_another_study(study: Path, tmp_path: Path) -> None:
    open_vote_store(study).close()
    write_study(tmp_path / "other", PLAN, subjects())
    (study / VOTES_FILE).rename(tmp_path / "other" / VOTES_FILE)
    with pytest.raises(InputError, match="another study"):
        open_vote_store(tmp_path / "other")


def test_votes_of_a_later_version(study: Path) -> None:
    open_vote_store(study).close()
    with sqlite3.connect(study / VOTES_FILE) as connection:
        connection.execute("UPDATE box SET value = '99' WHERE name = 'format'")
    with pytest.raises(InputError, match="format 99"):
        open_vote_store(study)


def _garbage(folder: Path) -> None:
    (folder / VOTES_FILE).write_bytes(b"no database at all" * 100)


def _folder(folder: Path) -> None:
    (folder / VOTES_FILE).mkdir()


@pytest.mark.parametrize("damage", [_garbage, _folder], ids=["garbage", "folder"])
def test_a_file_that_is_no_database(study: Path, damage: Callable[[Path], None]) -> None:
    damage(study)
    with pytest.raises(UnavailableError, match="cannot be opened"):
        open_vote_store(study)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such permissions")
def test_the_names_of_judges_are_for_the_owner_only(study: Path) -> None:
    with open_vote_store(study) as store:
        ada(store)
        assert {path.stat().st_mode & 0o077 for path in study.glob(f"{VOTES_FILE}*")} == {0}


def test_no_study_no_box(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Not a study folder"):
        open_vote_store(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("wrong", ["mysql://secret@host/votes", "votes", "", "postgresql://[::1/votes"])
def test_a_url_of_something_else(study: Path, wrong: str) -> None:
    with pytest.raises(InputError, match="PostgreSQL"):
        open_vote_store(study, wrong)


@pytest.mark.parametrize("end", ["?host=/nowhere", "?host=%zzhunter2", "?nothing=hunter2"])
def test_a_server_that_is_not_there_and_its_password(study: Path, end: str) -> None:
    pytest.importorskip("psycopg", reason="PostgreSQL's driver (the extra 'postgres') is not installed")
    with pytest.raises(UnavailableError, match="cannot be opened") as caught:
        open_vote_store(study, f"postgresql://judge:hunter2@/votes{end}")
    assert "hunter2" not in str(caught.value)


def test_two_studies_in_one_database(study: Path, tmp_path: Path, postgresql: Cluster) -> None:
    write_study(tmp_path / "other", dataclasses.replace(PLAN, title=study.as_posix()), subjects())
    with open_vote_store(study, postgresql.url) as store, open_vote_store(tmp_path / "other", postgresql.url) as other:
        judge, token = store.add_judge("Ada")
        store.cast(vote(judge.id))
        assert (other.judges(), other.current_votes()) == ((), {})
        assert other.find_judge_by_token(token) is None
        with pytest.raises(NotAllowedError):
            other.cast(vote(judge.id))


def test_without_the_driver(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtraError, match="clonetruth\\[postgres\\]"):
        open_vote_store(study, "postgresql://judge@/votes")
