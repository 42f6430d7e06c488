"""`clonetruth study invite | revoke | judges` as a user runs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.store.study import write_study
from clonetruth.store.votes import VOTES_FILE, ItemKey, ItemKind, Vote, open_vote_store
from tests.postgresql import Cluster
from tests.store.test_study import PLAN, subjects

from .running import run


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return write_study(tmp_path / "study", PLAN, subjects()).path


def test_invite_list_revoke_renew(study: Path) -> None:
    done = run("study", "invite", study, "Ada", "--base-url", "https://study.example.org")
    assert done.code == 0
    link = done.out.strip()
    assert link.startswith("https://study.example.org/enter/")
    assert "Ada, judge, until" in done.err

    token = link.rpartition("/")[2]
    with open_vote_store(study) as box:
        judge = box.find_judge_by_token(token)
        assert judge is not None
        box.cast(Vote("k1", judge.id, ItemKey(ItemKind.PAIR, 0), "clone", seconds=12))
    listed = run("study", "judges", study)
    assert all(word in listed.out for word in ("Ada", judge.id, f"until {judge.expires:%Y-%m-%d}"))
    assert token not in listed.out

    assert "Their votes stay" in run("study", "revoke", study, "Ada").out
    (row,) = run("study", "judges", study, "--json").json
    assert (row["access"], row["done"], row["median_seconds"]) == ("revoked", 1, 12)

    renewed = run("study", "invite", study, "Ada", "--renew", "--days", "2", "--json").json
    assert renewed["judge"]["judge"] == judge.id
    assert renewed["link"].rpartition("/")[2] != token
    (row,) = run("study", "judges", study, "--json").json
    assert (row["access"], row["done"]) == ("active", 1)


def test_nobody_yet(study: Path) -> None:
    assert "Nobody is invited yet" in run("study", "judges", study).out
    assert run("study", "judges", study, "--json").json == []


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("revoke", "{study}", "Bob"), 3, "Nobody called 'Bob'"),
        (("invite", "{study}", "Bob", "--renew"), 3, "Nobody called 'Bob'"),
        (("invite", "{study}", "Bob", "--days", "0"), 3, "days"),
        (("invite", "{study}", "Bob", "--group", "red"), 3, "no group 'red'"),
        (("invite", "{study}", "Bob", "--base-url", "here"), 3, "not the address"),
        (("invite", "{study}", "Bob", "--role", "king"), 2, "king"),
        (("invite", "{study}/nothing", "Bob"), 3, "Not a study folder"),
        (("judges", "{study}", "--votes", "mysql://host"), 3, "PostgreSQL"),
    ],
)
def test_errors_are_explained(study: Path, arguments: tuple[str, ...], code: int, words: str) -> None:
    done = run("study", *(argument.format(study=study) for argument in arguments))
    assert (done.code, done.out) == (code, "")
    assert words in done.err


def test_the_database_of_votes_may_come_from_the_environment(study: Path) -> None:
    done = run("study", "judges", study, env={"CLONETRUTH_VOTES": "mysql://host"})
    assert (done.code, "PostgreSQL" in done.err) == (3, True)


def test_votes_in_postgresql(study: Path, postgresql: Cluster) -> None:
    link = run("study", "invite", study, "Ada", "--votes", postgresql.url).out.strip()
    assert [row["name"] for row in run("study", "judges", study, "--votes", postgresql.url, "--json").json] == ["Ada"]
    with open_vote_store(study, postgresql.url) as box:
        assert box.find_judge_by_token(link.rpartition("/")[2]) == box.judges()[0]
    assert not (study / VOTES_FILE).exists()
