"""`clonetruth study serve` as a user runs it."""

from __future__ import annotations

import socket
import sys
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from clonetruth.cli import cli
from clonetruth.errors import MissingExtraError
from tests.cli.running import run
from tests.studies.web.sample import without_checks, write_sample
from tests.studies.web.servers import ServerProcess


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return write_sample(tmp_path / "study", without_checks()).path


def test_serves_invited_judges_until_interrupted(study: Path) -> None:
    server = ServerProcess(study, 0, "--trusted-proxy", "127.0.0.1")
    try:
        invited = run("study", "invite", study, "Ada", "--base-url", server.address)
        link = Request(invited.out.strip(), headers={"X-Forwarded-Proto": "https"})
        with urlopen(link) as page:
            text, cookie = page.read().decode(), page.headers["Set-Cookie"]
    finally:
        code, out, err = server.interrupt()
    assert "Welcome, Ada" in text
    assert "Secure" in cookie, "a server with https stands in front"
    assert (code, err) == (0, "")
    assert "clonetruth study invite" in out, "nobody was invited when it began"
    assert out.endswith("Stopped. All votes are kept.\n")


def test_a_port_in_use_is_reported(study: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = run("study", "serve", study, "--port", port)
    assert ran.code == 3
    assert f"Cannot listen on 127.0.0.1 port {port}" in ran.err
    assert "--port 0" in ran.err


@pytest.mark.parametrize(("host", "port"), [("192.0.2.7", "8765"), ("no such host", "8765"), ("127.0.0.1", "70000")])
def test_an_address_of_another_machine_is_reported(study: Path, host: str, port: str) -> None:
    ran = run("study", "serve", study, "--host", host, "--port", port)
    assert ran.code == 3
    assert "Cannot listen on" in ran.err


def test_an_open_address_is_warned_of(study: Path) -> None:
    # The port is taken, so that nothing is served to the whole network during a test.
    with socket.create_server(("0.0.0.0", 0)) as taken:
        ran = run("study", "serve", study, "--host", "0.0.0.0", "--port", taken.getsockname()[1])
    assert "warning: everybody who can reach 0.0.0.0" in ran.err


def test_without_the_extra_the_extra_is_named(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("clonetruth.studies.web")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "starlette.applications", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'clonetruth\[web\]'"):
        cli.main(["study", "serve", str(study)], standalone_mode=False)


@pytest.mark.parametrize("name", ["missing", ""])
def test_what_is_no_study_is_not_served(tmp_path: Path, name: str) -> None:
    ran = run("study", "serve", tmp_path / name)
    assert ran.code == 3
    assert "Not a study folder." in ran.err
    assert list(tmp_path.iterdir()) == []
