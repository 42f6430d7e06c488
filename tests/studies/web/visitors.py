"""People who visit the pages of a study, without a browser: they follow links and fill in the forms that are there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

from httpx2 import Response
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from clonetruth.store.study import read_study
from clonetruth.store.votes import JudgeRole, Vote, VoteStore, open_vote_store
from clonetruth.studies.invitations import RateLimiter
from clonetruth.studies.web import create_app


@dataclass
class Form:
    """A form of a page: where it is sent, its fields, and the values of its buttons."""

    action: str
    fields: dict[str, str] = field(default_factory=dict)
    answers: list[str] = field(default_factory=list)
    participants: list[str] = field(default_factory=list)


class _FormReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(given["action"]))
        elif tag == "input" and given.get("type") == "hidden":
            self.forms[-1].fields[given["name"]] = given["value"]
        elif tag == "input" and given.get("name", "").startswith("participant-"):
            self.forms[-1].participants.append(given["name"])
        elif tag == "button" and given.get("name") == "value":
            self.forms[-1].answers.append(given["value"])


class Page:
    """An answer of the server.

    Attributes:
        status: its status.
        headers: its headers.
        text: the document.
        path: where it came from in the end, with its parameters.
    """

    def __init__(self, response: Response) -> None:
        self.status = response.status_code
        self.headers = response.headers
        self.text = response.text
        self.content = response.content
        self.path = response.url.raw_path.decode()

    def form(self, action: str) -> Form:
        """The form of the page that is sent to an address."""
        reader = _FormReader()
        reader.feed(self.text)
        return next(form for form in reader.forms if form.action == action)

    @property
    def words(self) -> str:
        """The page as it is read: without tags, and with single spaces."""
        return re.sub(r"[ \n]+", " ", unescape(re.sub(r"<[^>]*>", " ", self.text)))

    @property
    def code(self) -> str:
        """The fragments that the page shows, as a reader sees them."""
        found = re.findall(r"<pre.*?</pre>", self.text, re.DOTALL)
        return unescape(re.sub(r"<[^>]*>", "", "".join(found)))


class Visitor:
    """Somebody with a browser and perhaps a personal link."""

    def __init__(self, app: ASGIApp, token: str = "", *, address: str = "192.0.2.1", scheme: str = "http") -> None:
        self.client = TestClient(
            app, f"{scheme}://study.example", client=(address, 50000), raise_server_exceptions=False
        )
        self.token = token

    def open(self, path: str) -> Page:
        """Follow a link."""
        return Page(self.client.get(path))

    def enter(self) -> Page:
        """Follow the personal link, press its button, and go where it leads."""
        link = f"/enter/{self.token}"
        page = self.open(link)
        return self.send(link, page.form(link).fields) if page.path == link and page.status == 200 else page

    def send(self, path: str, fields: Mapping[str, str]) -> Page:
        """Send a form, whatever is in it."""
        return Page(self.client.post(path, data=dict(fields)))

    def answer(self, page: Page, value: str, action: str = "/judge", **fields: str) -> Page:
        """Press an answer button on a page."""
        return self.send(action, {**page.form(action).fields, "value": value, **fields})

    def judge_all(self, pair: str = "clone", method: str = "major", **fields: str) -> list[Page]:
        """Enter and judge everything that waits, pairs and methods alike; the pages that were judged."""
        judged = []
        page = self.enter()
        while "Nothing left to judge" not in page.text:
            judged.append(page)
            page = self.answer(page, pair if "not-clone" in page.form("/judge").answers else method, **fields)
            page = self.open("/judge") if page.path.startswith("/judge/feedback") else page
        return judged

    def undo(self, page: Page, action: str = "/judge/undo") -> Page:
        """Press the button that takes back."""
        return self.send(action, page.form(action).fields)


class ServedStudy:
    """A study that is served, with people who are invited.

    Args:
        folder: the study.
        vote_store: where its votes are kept.
        limiter: limits the number of unknown links.
    """

    def __init__(self, folder: Path, vote_store: VoteStore, limiter: RateLimiter | None = None) -> None:
        self.folder = folder
        self.vote_store = vote_store
        self.app = create_app(read_study(folder), vote_store, limiter, hosts=["study.example"])

    def invite(self, name: str, role: JudgeRole = JudgeRole.JUDGE, group: str | None = None) -> Visitor:
        """Invite somebody who has not followed the link yet."""
        return Visitor(self.app, self.vote_store.add_judge(name, role, group)[1])

    def votes(self, name: str) -> list[Vote]:
        """What stands of somebody's votes, skips and decisions."""
        judge = next(judge.id for judge in self.vote_store.judges() if judge.name == name)
        return [cast.vote for cast in self.vote_store.votes_of(judge)]


@contextmanager
def serve_study(folder: Path, limiter: RateLimiter | None = None) -> Iterator[ServedStudy]:
    """The study of a folder, served."""
    with open_vote_store(folder) as vote_store:
        yield ServedStudy(folder, vote_store, limiter)
