"""Fifty judges at once, while the server is killed and started again: a confirmed vote is there, once."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

import httpx2
import pytest

from clonetruth.store.votes import open_vote_store
from tests.postgresql import Cluster
from tests.studies.web.sample import without_checks, write_sample
from tests.studies.web.servers import ServerProcess
from tests.studies.web.visitors import Page

JUDGES = 50
OVERLAP = 30
KILLS = (30, 90)
"""After how many confirmed votes the server is killed."""


def insist(request: Callable[[], httpx2.Response]) -> Page:
    """Repeat a request until it is answered, as somebody does who presses the button again."""
    while True:
        try:
            return Page(request())
        except httpx2.TransportError:
            time.sleep(0.05)


def judge_all(address: str, token: str, confirmed: list[str]) -> None:
    """Judge until nothing is left. Every third vote is sent twice even when it was confirmed."""
    with httpx2.Client(base_url=address, timeout=60) as client:
        entrance = insist(partial(client.get, f"/enter/{token}")).form(f"/enter/{token}")
        insist(partial(client.post, entrance.action, data=entrance.fields))
        for number in count():
            page = insist(partial(client.get, "/judge"))
            if "Nothing left to judge" in page.text:
                return
            form = page.form("/judge")
            vote = {**form.fields, "value": form.answers[number % 2], "seconds": str(number)}
            for _ in range(2 if number % 3 == 0 else 1):
                answer = insist(partial(client.post, "/judge", data=vote))
                assert (answer.status, answer.headers["location"]) == (303, "/judge")
            confirmed.append(vote["key"])


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str | None:
    """Where votes are kept; the server learns it from its environment."""
    if request.param == "sqlite":
        return None
    server: Cluster = request.getfixturevalue("postgresql")
    monkeypatch.setenv("CLONETRUTH_VOTES", server.url)
    return server.url


@pytest.mark.slow
def test_nothing_is_lost_or_doubled(tmp_path: Path, url: str | None) -> None:
    folder = tmp_path / "study"
    study = write_sample(folder, replace(without_checks(), overlap=OVERLAP))
    with open_vote_store(folder, url) as box:
        tokens = {judge.id: token for judge, token in (box.add_judge(f"Judge {n}") for n in range(JUDGES))}
    confirmed: list[str] = []
    server = ServerProcess(folder)
    address, port = server.address, server.port
    with ThreadPoolExecutor(JUDGES) as pool:
        working = [pool.submit(judge_all, address, token, confirmed) for token in tokens.values()]
        for kill in KILLS:
            while len(confirmed) < kill and not all(one.done() for one in working):
                time.sleep(0.01)
            server.kill()
            server = ServerProcess(folder, port)
        for one in working:
            one.result()
    server.interrupt()

    with open_vote_store(folder, url) as box:
        cast = [one for judge in tokens for one in box.votes_of(judge)]
        voters = {item: len(votes) for item, votes in box.current_votes().items()}
    assert sorted(one.vote.key for one in cast) == sorted(confirmed)
    assert sorted(one.sequence for one in cast) == list(range(1, len(cast) + 1))
    assert len(voters) == study.subjects.num_rows + study.methods.num_rows
    # Judges who looked at one subject in the same moment may give it more votes than were asked for.
    assert all(OVERLAP <= votes <= JUDGES for votes in voters.values())
    assert len(cast) == sum(voters.values())
