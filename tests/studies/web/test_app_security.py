"""What keeps the pages safe, whatever is sent to them and whatever stands in a fragment."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clonetruth.errors import CloneTruthError
from clonetruth.store.votes import JudgeRole, UnavailableError, Vote
from clonetruth.studies.web.security import FORM_BYTES
from tests.report.wellformed import read
from tests.studies.web.sample import HOSTILE
from tests.studies.web.visitors import Page, ServedStudy, Visitor

FORM = "application/x-www-form-urlencoded"


def protected(page: Page) -> bool:
    policy = page.headers["content-security-policy"]
    return (
        "default-src 'none'" in policy
        and "frame-ancestors 'none'" in policy
        and "unsafe" not in policy
        and page.headers["x-content-type-options"] == "nosniff"
        and page.headers["referrer-policy"] == "no-referrer"
    )


def test_every_answer_is_protected(served: ServedStudy) -> None:
    ada = served.invite("Ada")
    pages = [ada.open("/judge"), ada.open(f"/enter/{ada.token}"), ada.enter(), ada.open("/nowhere")]
    pages.append(ada.send("/judge", {"value": "clone"}))
    assert [page.status for page in pages] == [401, 200, 200, 404, 403]
    assert all(protected(page) for page in pages)
    assert all(page.headers["cache-control"] == "no-store" for page in pages)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8765", "localhost.evil.example", "", "[::1", "x@y", "127.1.evil"]
)
@pytest.mark.parametrize("path", ["/judge", "/judge/", "/enter/x", "/assets/x", "//evil.example/"])
def test_other_hosts_are_refused_and_never_repeated(served: ServedStudy, host: str, path: str) -> None:
    """A page of another site that points its name at this machine (DNS rebinding) gets nothing."""
    ada = served.invite("Ada")
    ada.enter()
    refused = Page(ada.client.get(path, headers={"Host": host}, follow_redirects=False))
    assert refused.status == 400
    assert "location" not in refused.headers
    assert "evil" not in refused.text
    assert protected(refused)


@pytest.mark.parametrize(
    "host", ["study.example", "STUDY.example:443", "localhost:8765", "127.0.0.1:8765", "[::1]:80", "[::1]", "192.0.2.7"]
)
def test_own_names_and_addresses_are_answered(served: ServedStudy, host: str) -> None:
    ada = served.invite("Ada")
    for path, status in (("/judge", 401), ("/judge/", 404), ("/judge//", 404)):
        page = Page(ada.client.get(path, headers={"Host": host}, follow_redirects=False))
        assert page.status == status
        assert "location" not in page.headers
        assert host not in page.text


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS"])
def test_other_methods_are_refused(served: ServedStudy, method: str) -> None:
    page = Page(Visitor(served.app).client.request(method, "/judge"))
    assert page.status == 405
    assert protected(page)


def test_assets_are_ours_and_may_be_kept(served: ServedStudy) -> None:
    page = served.invite("Ada").enter()
    links = [link for link in read(page.text).links if link.startswith("/assets/")]
    assert len(links) == 4
    for link in links:
        asset = Visitor(served.app).open(link)
        assert asset.status == 200
        assert protected(asset)
        assert "immutable" in asset.headers["cache-control"]
    assert Visitor(served.app).open("/assets/..%2Fapp.py").status == 404


@pytest.mark.parametrize("form", ["", "wrong", "é"])
def test_a_form_of_another_site_is_refused(served: ServedStudy, form: str) -> None:
    ada = served.invite("Ada")
    page = ada.enter()
    assert ada.answer(page, "clone", form=form).status == 403
    assert served.votes("Ada") == []


def test_a_form_of_another_judge_is_refused(served: ServedStudy) -> None:
    ada, bob = served.invite("Ada"), served.invite("Bob")
    page = ada.enter()
    bob.enter()
    assert bob.answer(page, "clone").status == 403


@pytest.mark.parametrize(
    ("body", "content_type", "status"),
    [
        (b"{}", "application/json", 415),
        (b"", "multipart/form-data; boundary=x", 415),
        (b"reason=" + b"x" * FORM_BYTES, FORM, 413),
        (b"&".join(b"a%d=1" % n for n in range(100)), FORM, 400),
        (b"reason=\xff", FORM, 400),
    ],
    ids=["json", "multipart", "long", "many fields", "not text"],
)
def test_only_short_forms_are_taken(served: ServedStudy, body: bytes, content_type: str, status: int) -> None:
    ada = served.invite("Ada")
    ada.enter()
    response = ada.client.post("/judge", content=body, headers={"Content-Type": content_type})
    assert response.status_code == status


def test_a_database_that_fails_loses_no_vote_silently(served: ServedStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = served.invite("Ada")
    page = ada.enter()

    def fail(vote: Vote) -> None:
        raise UnavailableError("The disk is full.")

    with monkeypatch.context() as patched:
        patched.setattr(served.vote_store, "cast", fail)
        refused = ada.answer(page, "clone")
    assert refused.status == 503
    assert "Not saved" in refused.text
    assert "The disk is full." in refused.text
    assert ada.answer(page, "clone").status == 200
    assert len(served.votes("Ada")) == 1


def test_an_internal_error_reveals_nothing(served: ServedStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = served.invite("Ada")
    ada.enter()

    def fail() -> None:
        raise RuntimeError("the inside of the server")

    monkeypatch.setattr(served.vote_store, "judges", fail)
    page = ada.open("/judge")
    assert page.status == 500
    assert "inside" not in page.text
    assert protected(page)


def test_an_error_that_can_be_fixed_is_explained(served: ServedStudy, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = served.invite("Ada")
    ada.enter()

    def fail() -> None:
        raise CloneTruthError("The votes moved.", hint="Start the server again.")

    monkeypatch.setattr(served.vote_store, "judges", fail)
    page = ada.open("/judge")
    assert page.status == 400
    assert "The votes moved. Start the server again." in page.text


def test_whatever_is_sent_is_taken_or_refused(served: ServedStudy) -> None:
    ada = served.invite("Ada")
    form = ada.enter().form("/judge").fields
    texts = st.text(max_size=50) | st.sampled_from(["clone", "skip", "0.5", "-1", "1e400", form["item"], form["key"]])
    names = st.sampled_from(["key", "item", "value", "reason", "confidence", "seconds", "undoes", "kind"])

    @settings(max_examples=80)
    @given(st.dictionaries(names, texts), st.sampled_from(["/judge", "/judge/undo"]), texts, texts)
    def send(fields: dict[str, str], path: str, item: str, show: str) -> None:
        assert ada.send(path, {**form, **fields}).status in (200, 400, 403, 409)
        assert ada.open(f"/judge?{urlencode({'item': item, 'show': show})}").status == 200
        assert ada.open(f"/judge/feedback?{urlencode({'item': item})}").status == 200

    send()
    values = {vote.value for vote in served.votes("Ada")}
    assert values <= {"clone", "not-clone", "undecided", "major", "incomplete", "minor", "wrong", "test", None}


@pytest.mark.parametrize("view", ["fragments", "differences", "forms", "specification", "protocol"])
def test_a_hostile_fragment_stays_text(served: ServedStudy, view: str) -> None:
    ada = served.invite("Ada")
    page = ada.enter()
    while "txet siht" not in page.text:
        page = ada.answer(page, "skip")
    item = page.form("/judge").fields["item"]
    shown = ada.open(f"/judge?item={item}&show={view}")
    reader = read(shown.text)
    assert [problem for problem in reader.problems if "refers to" not in problem] == []
    assert not {"img", "style"} & set(reader.tags)
    assert reader.tags.count("script") == 2
    assert not set("\x00\x1b\x85\u200b\u200e\u202e\u202c") & set(shown.text)


def test_a_hostile_fragment_can_be_read(served: ServedStudy) -> None:
    ada = served.invite("Ada")
    page = ada.enter()
    while "txet siht" not in page.text:
        page = ada.answer(page, "skip")
    hiding = dict.fromkeys((0x85, 0x200B, 0x200E, 0x202E, 0x202C), 0xFFFD)
    for line in HOSTILE.translate({0x00: 0x2400, 0x1B: 0x241B, **hiding}).splitlines():
        assert line in page.code


def test_a_reason_that_is_markup_stays_text(served: ServedStudy) -> None:
    attack = "<script>alert(1)</script>"
    served.invite("Ada").judge_all("clone", reason=attack)
    served.invite("Bob").judge_all("not-clone", reason=attack)
    page = served.invite("Cleo", JudgeRole.ADJUDICATOR).enter()
    assert page.text.count("&lt;script&gt;alert(1)&lt;/script&gt;") == 2
    assert attack not in page.text
