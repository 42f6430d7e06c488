"""Clients that waste the server's time, against `clonetruth study serve` as a process and with real sockets."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest

from clonetruth.store.votes import open_vote_store
from clonetruth.studies.web.connections import LIMITS, ConnectionLimits
from tests.studies.web.sample import without_checks, write_sample
from tests.studies.web.servers import ServerProcess, running_server
from tests.studies.web.visitors import Page

QUICK = replace(LIMITS, head_seconds=0.6, body_seconds=0.6, send_seconds=0.6, idle_seconds=0.8)
PAIRS = 60


class OnlineJudge:
    """A judge who votes over HTTP."""

    def __init__(self, address: str, token: str) -> None:
        self.client = httpx2.Client(base_url=address, timeout=20)
        link = f"/enter/{token}"
        self.client.post(link, data=Page(self.client.get(link)).form(link).fields)

    def vote(self) -> None:
        """Vote on the next pair."""
        form = Page(self.client.get("/judge")).form("/judge")
        assert self.client.post("/judge", data={**form.fields, "value": "clone"}).status_code == 303


@contextmanager
def connected(address: str, sent: bytes) -> Iterator[socket.socket]:
    """A connection on which something was sent."""
    host, _, port = address.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(sent)
        yield connection


def seconds_until_closed(connection: socket.socket, poke: Callable[[], object] = lambda: None) -> float:
    """How long the server keeps a connection, although the client keeps poking it."""
    begin = time.monotonic()
    connection.settimeout(0.1)
    while time.monotonic() - begin < 10:
        try:
            poke()
            if not connection.recv(65536):
                break
        except TimeoutError:
            continue
        except OSError:
            break
    return time.monotonic() - begin


REQUEST = b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\n"
FORM = b"POST /judge HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
STALLS = {
    "nothing": (b"", b""),
    "half a line": (b"GET /jud", b"g"),
    "half the headers": (REQUEST, b"X: y\r\n"),
    "a slow body": (FORM + b"Content-Length: 60000\r\n\r\n", b"a"),
    "a slow chunked body": (FORM + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
    "idle after a response": (REQUEST + b"\r\n", b""),
    "a slow second request": (REQUEST + b"\r\n" + REQUEST, b"X: y\r\n"),
    "a body that nobody needs": (REQUEST + b"Content-Length: 9999999\r\n\r\n", b"a"),
}


@pytest.mark.parametrize(("first", "then"), STALLS.values(), ids=STALLS)
def test_a_stalled_connection_is_closed(tmp_path: Path, first: bytes, then: bytes) -> None:
    write_sample(tmp_path / "study", without_checks())
    with (
        running_server(tmp_path / "study", QUICK) as (_, address),
        connected(address, first) as connection,
    ):
        assert 0.3 < seconds_until_closed(connection, lambda: connection.sendall(then)) < 5


def test_a_client_that_does_not_read_is_dropped(tmp_path: Path) -> None:
    write_sample(tmp_path / "study", without_checks())
    with running_server(tmp_path / "study", QUICK) as (_, address), ExitStack() as open_until_the_end:
        connection = open_until_the_end.enter_context(connected(address, b""))
        connection.settimeout(5)
        # Responses pile up until the buffers of the network are full, because nobody reads them.
        for _ in range(10_000):
            try:
                connection.sendall((REQUEST + b"\r\n") * 100)
            except ConnectionError:
                return
        pytest.fail("the server took a million requests without being read")


def test_judges_vote_while_connections_are_stalled(tmp_path: Path) -> None:
    """More stalled connections than the server keeps, of every kind, from the judge's own address."""
    folder = write_sample(tmp_path / "study", without_checks(), pairs=PAIRS).path
    limits = replace(LIMITS, connections=100)
    with running_server(folder, limits) as (served, address), ExitStack() as stalled:
        judge = OnlineJudge(address, served.invite("Ada").token)
        kinds = list(STALLS.values())
        for number in range(300):
            stalled.enter_context(connected(address, kinds[number % len(kinds)][0]))
            if number % 30 == 0:
                judge.vote()
        for _ in range(10):
            judge.vote()
        assert len(served.votes("Ada")) == 20


@pytest.mark.slow
def test_a_served_study_survives_more_connections_than_it_keeps(tmp_path: Path) -> None:
    folder = write_sample(tmp_path / "study", without_checks(), pairs=PAIRS).path
    with open_vote_store(folder) as box:
        _, token = box.add_judge("Ada")
    server = ServerProcess(folder)
    with ExitStack() as stalled:
        judge = OnlineJudge(server.address, token)
        for number in range(LIMITS.connections + 100):
            stalled.enter_context(connected(server.address, list(STALLS.values())[number % len(STALLS)][0]))
        for _ in range(20):
            judge.vote()
        code, _, err = server.interrupt()
    assert code == 0
    assert "Traceback" not in err
    assert len(err.splitlines()) <= 3, "a flood does not fill the log"


MALFORMED = {
    "not HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    "NUL": b"GET /\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "encoded NUL": b"GET /enter/%00%1b%5b31m HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "control characters": b"GET /\x1b[31m HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a long address": b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a long header": REQUEST + b"X: " + b"a" * 100_000 + b"\r\n\r\n",
    "many headers": REQUEST + b"X: y\r\n" * 50_000 + b"\r\n",
    "a bad chunk": FORM + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nvalue\r\n",
    "a huge chunk": FORM + b"Transfer-Encoding: chunked\r\n\r\n" + b"f" * 5000 + b"\r\n",
    "a bad length": FORM + b"Content-Length: -1\r\n\r\n",
    "two lengths": FORM + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\na",
    "length and chunks": FORM + b"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "too much": FORM + b"Content-Length: 200000\r\n\r\n" + b"a" * 200_000,
    "old HTTP": b"GET /judge HTTP/1.0\r\n\r\n",
    "very old HTTP": b"GET /judge\r\n\r\n",
    "no host": b"GET /judge HTTP/1.1\r\n\r\n",
    "two hosts": REQUEST + b"Host: evil.example\r\n\r\n",
    "another host": b"GET /judge HTTP/1.1\r\nHost: \x1b[31mevil\r\n\r\n",
    "a proxy request": b"GET http://evil.example/judge HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a tunnel": b"CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "an upgrade": REQUEST + b"Connection: upgrade\r\nUpgrade: websocket\r\n\r\n",
}


def status(address: str, sent: bytes) -> int:
    """The status of the response to some bytes."""
    with connected(address, b"") as connection:
        with suppress(ConnectionError):  # refused before everything was sent
            connection.sendall(sent)
        found = re.match(rb"HTTP/1\.1 (\d+) ", connection.recv(65536))
        assert found is not None
        return int(found[1])


def test_malformed_requests_are_refused_quietly(tmp_path: Path) -> None:
    folder = write_sample(tmp_path / "study", without_checks()).path
    with open_vote_store(folder) as box:
        ada, token = box.add_judge("Ada Lovelace")
    server = ServerProcess(folder)
    answers = {name: status(server.address, sent) for name, sent in MALFORMED.items()}
    # Somebody leaves in the middle of a form.
    with connected(server.address, FORM + b"Content-Length: 100\r\n\r\nvalue="):
        pass
    judge = OnlineJudge(server.address, token)
    judge.vote()
    for number in range(30):
        assert judge.client.get(f"/enter/guess-{number}").status_code in (401, 429)
    code, out, err = server.interrupt()
    assert {name: answer for name, answer in answers.items() if not 400 <= answer < 500} == {}
    assert code == 0
    assert "Traceback" not in err
    assert all(character.isprintable() or character == "\n" for character in err)
    for secret in (token, "Ada", "Lovelace", "clone\n", "guess-", "/judge"):
        assert secret not in out + err
    lines = [line.split(" ", 2)[2] for line in err.splitlines()]
    assert sorted(lines) == sorted(
        [
            "Refused a request for the host '' (see --public-url).",
            "Invalid HTTP request received.",
            f"{ada.id} (judge) signed in.",
            "Many unknown links were tried from one address.",
        ]
    )


@pytest.mark.parametrize("size", [LIMITS.head_bytes + 5000, 100_000, 1_000_000])
def test_long_headers_are_refused_however_they_arrive(tmp_path: Path, size: int) -> None:
    """They may arrive in a single packet, which is larger than what they may be."""
    write_sample(tmp_path / "study", without_checks())
    with running_server(tmp_path / "study", LIMITS) as (_, address):
        assert status(address, REQUEST + b"X: " + b"a" * (LIMITS.head_bytes - 1000) + b"\r\n\r\n") == 404
        assert status(address, REQUEST + b"X: " + b"a" * size + b"\r\n\r\n") == 400


@pytest.mark.parametrize(("proxies", "status"), [((), 429), (("127.0.0.0/8",), 401)], ids=["nobody", "this machine"])
def test_forwarded_addresses_are_believed_from_stated_proxies(
    tmp_path: Path, proxies: tuple[str, ...], status: int
) -> None:
    folder = write_sample(tmp_path / "study", without_checks()).path
    with running_server(folder, ConnectionLimits(), proxies) as (_, address), httpx2.Client(base_url=address) as client:
        for number in range(21):
            last = client.get(f"/enter/{number}", headers={"X-Forwarded-For": f"198.51.100.{number}"})
    assert last.status_code == status
