"""Authentication: who can sign in, and which pages each role can open."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from clonetruth.errors import InputError
from clonetruth.store.votes import JudgeRole, open_vote_store
from clonetruth.studies.invitations import RateLimiter
from clonetruth.studies.web import is_loopback
from clonetruth.studies.web.security import form_token
from tests.studies.web.sample import without_checks, write_sample
from tests.studies.web.visitors import Page, ServedStudy, Visitor, serve_study

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
    link = f"/enter/{token}"
    page = visitor.open(link)
    signed_in = visitor.client.post(link, data=page.form(link).fields, follow_redirects=False)
    for cookies in (page.headers.get_list("set-cookie"), signed_in.headers.get_list("set-cookie")[:1]):
        (cookie,) = cookies
        attributes = cookie.lower().split("; ")
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


@pytest.fixture
def clock() -> list[float]:
    return [0.0]


@pytest.fixture
def strict(tmp_path: Path, clock: list[float]) -> Iterator[ServedStudy]:
    """A study that tolerates three unknown links."""
    write_sample(tmp_path / "study", without_checks())
    with serve_study(tmp_path / "study", RateLimiter(burst=3, per_minute=1, clock=lambda: clock[0])) as served:
        yield served


def test_tokens_cannot_be_tried_at_will(strict: ServedStudy, clock: list[float]) -> None:
    guesser = Visitor(strict.app, address="192.0.2.66")
    assert [guesser.open(f"/enter/guess-{n}").status for n in range(4)] == [401, 401, 401, 429]
    refused = guesser.open("/enter/another")
    assert 0 < int(refused.headers["retry-after"]) <= 61
    ada = strict.invite("Ada")
    assert ada.enter().status == 200, "other addresses are not concerned"
    clock[0] += 61
    assert guesser.open("/enter/another").status == 401


@pytest.mark.parametrize("role", JudgeRole)
def test_a_stranger_cannot_lock_anybody_out(strict: ServedStudy, role: JudgeRole) -> None:
    """Judges and the stranger share an address, as behind a proxy or in one office."""
    before, after = strict.invite("Ada", role), strict.invite("Bob", role)
    page = before.enter()
    stranger = Visitor(strict.app)
    (name,) = before.client.cookies
    stranger.client.cookies.set(name, "guessed")
    tried = [stranger.open(path).status for path in ("/judge", *(f"/enter/guess-{n}" for n in range(25)))]
    assert tried[:3] == [401] * 3
    assert set(tried[3:]) == {429}
    assert before.open(page.path).status == 200, "a signed-in person goes on"
    assert after.enter().status == 200, "a valid link signs in"
    if role is JUDGE:
        assert before.answer(page, "clone").status == 200


@pytest.mark.parametrize("address", ["2001:db8:1:2::{:x}", "::ffff:192.0.2.66"])
def test_a_client_has_one_count_whatever_its_address_says(strict: ServedStudy, address: str) -> None:
    tried = [Visitor(strict.app, address=address.format(n + 1)).open(f"/enter/{n}").status for n in range(5)]
    assert tried == [401, 401, 401, 429, 429]
    assert Visitor(strict.app, address="2001:db8:1:3::1").open("/enter/x").status == 401


def fetched(site: str, mode: str, dest: str) -> dict[str, str]:
    """What a browser says about a request."""
    return {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}


FOREIGN = [
    fetched("cross-site", "no-cors", "image"),
    fetched("cross-site", "no-cors", "script"),
    fetched("cross-site", "navigate", "iframe"),
    fetched("cross-site", "navigate", "embed"),
    fetched("same-site", "no-cors", "image"),
    fetched("cross-site", "cors", "empty"),
    {**fetched("none", "navigate", "document"), "Sec-Purpose": "prefetch;prerender"},
    {"Purpose": "prefetch"},
]


@pytest.mark.parametrize("headers", FOREIGN, ids=lambda headers: " ".join(headers.values()))
def test_other_sites_neither_count_nor_sign_in(strict: ServedStudy, headers: dict[str, str]) -> None:
    ada, eve = strict.invite("Ada"), strict.invite("Eve")
    page = ada.enter()
    for path in [f"/enter/{eve.token}", *(f"/enter/guess-{n}" for n in range(10)), "/judge"]:
        refused = ada.client.get(path, headers=headers)
        assert refused.status_code == 403
        assert "set-cookie" not in refused.headers
    assert ada.open("/enter/unknown").status == 401, "none of them counted"
    assert ada.answer(page, "clone").status == 200
    assert len(strict.votes("Ada")) == 1


def test_following_a_link_changes_nothing_before_the_button(served: ServedStudy) -> None:
    """Another site can make the browser open a page, also somebody else's link, but cannot press its button."""
    ada, eve = served.invite("Ada"), served.invite("Eve")
    page = ada.enter()
    link = f"/enter/{eve.token}"
    opened = Page(ada.client.get(link, headers=fetched("cross-site", "navigate", "document")))
    assert opened.status == 200
    assert "This browser is signed in as Ada." in opened.words
    assert ada.answer(page, "clone").status == 200
    assert (len(served.votes("Ada")), served.votes("Eve")) == (1, [])


@pytest.mark.parametrize("headers", [{}, fetched("cross-site", "navigate", "document")], ids=["old browser", "browser"])
def test_a_form_of_another_site_does_not_sign_in(served: ServedStudy, headers: dict[str, str]) -> None:
    ada, eve = served.invite("Ada"), served.invite("Eve")
    page = ada.enter()
    link = f"/enter/{eve.token}"
    # Eve knows the form that she gets herself, and what a missing cookie would give.
    for form in (eve.open(link).form(link).fields, {"form": form_token("")}, {"form": ""}):
        refused = ada.client.post(link, data=form, headers=headers, follow_redirects=False)
        assert refused.status_code == 403
        assert "set-cookie" not in refused.headers
    assert ada.client.post("/leave", headers=headers).status_code in (403, 415)
    assert ada.answer(page, "clone").status == 200
    assert len(served.votes("Ada")) == 1


def test_opening_ones_own_link_again_leads_on(served: ServedStudy) -> None:
    ada = served.invite("Ada")
    ada.enter()
    assert ada.enter().path == "/judge"


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
