"""Authentication: who can sign in, and which pages each role can open."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.store.votes import JudgeRole, open_vote_store
from clonetruth.studies.invitations import RateLimiter
from clonetruth.studies.web import is_loopback
from tests.studies.web.sample import without_checks, write_sample
from tests.studies.web.visitors import ServedStudy, Visitor, serve_study

JUDGE, ADJUDICATOR, OWNER = JudgeRole.JUDGE, JudgeRole.ADJUDICATOR, JudgeRole.OWNER

PATHS = {
    "/judge": JUDGE,
    "/judge/feedback": JUDGE,
    "/adjudicate": ADJUDICATOR,
    "/dashboard": OWNER,
    "/votes.csv": OWNER,
    "/votes.parquet": OWNER,
}
POSTS = {"/judge": JUDGE, "/judge/undo": JUDGE, "/adjudicate": ADJUDICATOR, "/adjudicate/undo": ADJUDICATOR}


@pytest.mark.parametrize("path", ["/", *PATHS])
def test_without_a_link_nobody_sees_a_page(served: ServedStudy, path: str) -> None:
    assert Visitor(served.app).open(path).status == 401


@pytest.mark.parametrize("path", [*POSTS, "/leave"])
def test_without_a_link_nobody_sends_a_form(served: ServedStudy, path: str) -> None:
    assert Visitor(served.app).send(path, {"value": "clone"}).status == 401


@pytest.mark.parametrize("role", JudgeRole)
def test_each_role_has_its_own_pages(served: ServedStudy, role: JudgeRole) -> None:
    visitor = served.invite("Ada", role)
    visitor.enter()
    for path, wanted in PATHS.items():
        assert visitor.open(path).status == (200 if role is wanted else 403), path
    for path, wanted in POSTS.items():
        if role is not wanted:
            assert visitor.send(path, {"form": "x"}).status == 403, path


@pytest.mark.parametrize(("role", "first"), [(JUDGE, "/judge"), (ADJUDICATOR, "/adjudicate"), (OWNER, "/dashboard")])
def test_a_link_leads_to_the_first_page_of_the_role(served: ServedStudy, role: JudgeRole, first: str) -> None:
    visitor = served.invite("Ada", role)
    page = visitor.enter()
    assert (page.status, page.path) == (200, first)
    assert visitor.token not in page.text


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_cookie_is_for_the_server_alone(served: ServedStudy, scheme: str) -> None:
    token = served.invite("Ada").token
    visitor = Visitor(served.app, token, scheme=scheme)
    attributes = visitor.open(f"/enter/{token}").headers["set-cookie"].lower().split("; ")
    assert {"httponly", "samesite=strict", "path=/"} <= set(attributes)
    assert ("secure" in attributes) is (scheme == "https")


def test_two_studies_on_one_host_have_two_cookies(served: ServedStudy, tmp_path: Path) -> None:
    write_sample(tmp_path / "other", without_checks())
    with serve_study(tmp_path / "other") as other:
        names = set()
        for one in (served, other):
            visitor = one.invite("Ada")
            visitor.enter()
            names |= set(visitor.client.cookies)
    assert len(names) == 2


def test_a_revoked_link_ends_at_once(served: ServedStudy) -> None:
    visitor = served.invite("Ada")
    page = visitor.enter()
    served.vote_store.revoke("Ada")
    for refused in (visitor.open("/judge"), visitor.answer(page, "clone"), visitor.enter()):
        assert refused.status == 403
        assert "revoked" in refused.text
    assert served.votes("Ada") == []


def test_an_expired_link_says_so(served: ServedStudy) -> None:
    _, token = served.vote_store.add_judge("Ada", days=1e-9)
    refused = Visitor(served.app, token).enter()
    assert refused.status == 403
    assert f"expired on {datetime.now(UTC):%d %B %Y}" in refused.text


def test_tokens_cannot_be_tried_at_will(tmp_path: Path) -> None:
    clock = [0.0]
    write_sample(tmp_path / "study", without_checks())
    with serve_study(tmp_path / "study", RateLimiter(burst=3, per_minute=1, clock=lambda: clock[0])) as served:
        guesser = Visitor(served.app, address="192.0.2.66")
        assert [guesser.open(f"/enter/guess-{n}").status for n in range(4)] == [401, 401, 401, 429]
        refused = guesser.open("/enter/another")
        assert 0 < int(refused.headers["retry-after"]) <= 61
        ada = served.invite("Ada")
        assert ada.enter().status == 200, "other addresses are not concerned"
        clock[0] += 61
        assert guesser.open("/enter/another").status == 401


def test_dead_links_do_not_block_others_at_the_same_address(tmp_path: Path) -> None:
    write_sample(tmp_path / "study", without_checks())
    with serve_study(tmp_path / "study", RateLimiter(burst=1, per_minute=1)) as served:
        ada, bob = served.invite("Ada"), served.invite("Bob")
        served.vote_store.revoke("Ada")
        assert [ada.enter().status for _ in range(5)] == [403] * 5
        assert bob.enter().status == 200


def test_a_forged_cookie_does_not_sign_in(served: ServedStudy) -> None:
    ada = served.invite("Ada")
    ada.enter()
    (name,) = ada.client.cookies
    stranger = Visitor(served.app)
    stranger.client.cookies.set(name, "forged")
    assert stranger.open("/judge").status == 401


def test_signing_out_forgets_the_cookie(served: ServedStudy) -> None:
    ada = served.invite("Ada")
    page = ada.enter()
    assert ada.send("/leave", page.form("/leave").fields).status == 200
    assert ada.open("/judge").status == 401
    assert ada.enter().status == 200


def test_a_new_link_ends_the_old_one_and_keeps_the_votes(served: ServedStudy) -> None:
    ada = served.invite("Ada")
    ada.answer(ada.enter(), "clone")
    _, token = served.vote_store.renew_judge("Ada", 30)
    assert ada.open("/judge").status == 401
    again = Visitor(served.app, token)
    assert "1 done" in again.enter().text


def test_a_study_without_texts_cannot_be_served(tmp_path: Path) -> None:
    study = write_sample(tmp_path / "study", without_checks(), texts=False)
    with (
        open_vote_store(study.path) as vote_store,
        pytest.raises(InputError, match="4 subjects have no text"),
    ):
        ServedStudy(study.path, vote_store)


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("localhost", True), ("::1", True), ("0.0.0.0", False), ("study.example", False)],
)
def test_what_counts_as_loopback(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback
