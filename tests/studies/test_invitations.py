"""Invitations: links, groups of the protocol, and the roster that an owner sees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pytest

from clonetruth.errors import InputError
from clonetruth.store.study import Study, write_study
from clonetruth.store.study_protocol import JudgeGroup, Protocol
from clonetruth.store.study_tables import CHECKS
from clonetruth.store.votes import ItemKey, ItemKind, JudgeRole, Vote, VoteKind, VoteStore, open_vote_store
from clonetruth.studies import Invitee, create_invitation, judge_statuses, renew_invitation
from clonetruth.studies.overview import Access
from tests.store.test_study import PLAN, subjects

GROUPED = Protocol("grouped", "Clones?", groups=(JudgeGroup("red", 0.5), JudgeGroup("blue", 0.5)), panel="panel")
URL = "https://study.example.org"


@pytest.fixture
def study(tmp_path: Path) -> Study:
    protocol = replace(PLAN.protocol, training=1, attention=1)
    check = {"left_language": "java", "left_text": "a", "right_language": "java", "right_text": "a", "feedback": "same"}
    checks = [
        {"check": 0, "kind": "training", "expected": "clone", **check},
        {"check": 1, "kind": "attention", "expected": "clone", **check},
    ]
    table = pa.Table.from_pylist(checks, schema=CHECKS)
    return write_study(tmp_path / "study", replace(PLAN, protocol=protocol), subjects(), checks=table)


@pytest.fixture
def vote_store(study: Study) -> Iterator[VoteStore]:
    with open_vote_store(study.path) as opened:
        yield opened


@pytest.mark.parametrize("base", [URL, f"{URL}/", f"{URL}/clones/"])
def test_a_link_holds_the_token(study: Study, vote_store: VoteStore, base: str) -> None:
    invitation = create_invitation(vote_store, study.plan.protocol, Invitee("Ada"), base)
    place, _, token = invitation.link.rpartition("/enter/")
    assert place == base.rstrip("/")
    assert vote_store.find_judge_by_token(token) == invitation.judge


def test_a_renewed_link_ends_the_old_one(study: Study, vote_store: VoteStore) -> None:
    old = create_invitation(vote_store, study.plan.protocol, Invitee("Ada", JudgeRole.OWNER), URL)
    new = renew_invitation(vote_store, "Ada", 3, URL)
    assert new.judge.role is JudgeRole.OWNER
    assert vote_store.find_judge_by_token(old.link.rpartition("/")[2]) is None
    assert vote_store.find_judge_by_token(new.link.rpartition("/")[2]) == new.judge


@pytest.mark.parametrize("base", ["", "study.example.org", "ftp://x", "https://", "https://x?y=1", "https://x#y"])
def test_an_address_that_cannot_be_served(study: Study, vote_store: VoteStore, base: str) -> None:
    with pytest.raises(InputError, match="not the address"):
        create_invitation(vote_store, study.plan.protocol, Invitee("Ada"), base)
    with pytest.raises(InputError, match="not the address"):
        renew_invitation(vote_store, "Ada", 30, base)
    assert vote_store.judges() == ()


@pytest.mark.parametrize(
    ("role", "group", "protocol", "message"),
    [
        ("judge", None, GROUPED, r"needs a group.*red, blue"),
        ("judge", "green", GROUPED, r"no group 'green'.*red, blue"),
        ("judge", "panel", GROUPED, r"no group 'panel'"),
        ("judge", "red", Protocol("plain", "Clones?"), r"no group 'red'.*Leave the group out"),
        ("adjudicator", "red", GROUPED, r"no group 'red'.*panel"),
        ("owner", "panel", GROUPED, r"no group 'panel'.*Leave the group out"),
    ],
)
def test_groups_that_do_not_fit(
    vote_store: VoteStore, role: str, group: str | None, protocol: Protocol, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        create_invitation(vote_store, protocol, Invitee("Ada", JudgeRole(role), group), URL)


@pytest.mark.parametrize(
    ("role", "group"), [("judge", "red"), ("adjudicator", "panel"), ("adjudicator", None), ("owner", None)]
)
def test_groups_that_fit(vote_store: VoteStore, role: str, group: str | None) -> None:
    assert create_invitation(vote_store, GROUPED, Invitee("Ada", JudgeRole(role), group), URL).judge.group == group


def test_the_roster(study: Study, vote_store: VoteStore) -> None:
    ada, bob, eve = (
        vote_store.add_judge(name, role)[0].id
        for name, role in (("Ada", JudgeRole.JUDGE), ("Bob", JudgeRole.JUDGE), ("Eve", JudgeRole.ADJUDICATOR))
    )
    for number, (item, value) in enumerate(
        (
            (ItemKey(ItemKind.CHECK, 0), "not-clone"),
            (ItemKey(ItemKind.CHECK, 1), "not-clone"),
            (ItemKey(ItemKind.PAIR, 0), "clone"),
            (ItemKey(ItemKind.PAIR, 1), "clone"),
        )
    ):
        vote_store.cast(Vote(f"a{number}", ada, item, value, seconds=float(number)))
    vote_store.cast(Vote("s", ada, ItemKey(ItemKind.PAIR, 2), None, VoteKind.SKIP))
    for number in (0, 1):
        vote_store.cast(Vote(f"b{number}", bob, ItemKey(ItemKind.PAIR, number), "not-clone"))
    vote_store.cast(Vote("e", eve, ItemKey(ItemKind.PAIR, 0), "clone", VoteKind.ADJUDICATION))
    vote_store.revoke("Bob")

    found = {one.name: one for one in judge_statuses(study, vote_store)}
    one = found["Ada"]
    assert (one.judge, one.done, one.left, one.skipped) == (ada, 4, 1, 1)
    assert (one.attention, one.attentive, one.median_seconds) == (1, 0, 1.5)
    assert one.last == vote_store.votes_of(ada)[-1].time
    assert (found["Bob"].access, found["Bob"].left) == (Access.REVOKED, 0)
    assert (found["Eve"].done, found["Eve"].left, found["Eve"].access) == (1, 1, Access.ACTIVE)
    later = judge_statuses(study, vote_store, datetime.now(UTC) + timedelta(days=31))
    assert [one.access for one in later] == [Access.EXPIRED, Access.REVOKED, Access.EXPIRED]
