"""`clonetruth execution doctor`, as users see it."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

import clonetruth
from clonetruth.cli import cli
from clonetruth.errors import InputError
from clonetruth.execution.sandbox import Bubblewrap, Layer
from clonetruth.execution.toolchains import TOOLCHAINS

complete = all(one.missing is None for one in Bubblewrap().layers() if one.needed)


def doctor(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["execution", "doctor", *arguments])


@pytest.mark.skipif(not complete, reason="the sandbox is not complete")
def test_languages_are_asked_inside() -> None:
    found = json.loads(doctor("--json").stdout)
    assert found["complete"]
    assert [one["language"] for one in found["languages"]] == list(TOOLCHAINS)
    python = found["languages"][0]
    assert python["version"].startswith("Python 3")
    assert all(one["install"] for one in found["languages"] if one["missing"])


def test_without_a_layer_nothing_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = (Layer("bubblewrap", "the program 'bwrap' is not installed", "apt-get install bubblewrap"),)
    monkeypatch.setattr(Bubblewrap, "layers", lambda self: gone)
    done = doctor()
    assert "apt-get install bubblewrap" in done.stdout
    assert "Languages" not in done.stdout
    assert type(done.exception).__name__ == "MissingExtraError"


def test_containers_are_not_verified() -> None:
    state = clonetruth.examine_execution(sandbox="podman", image="toolchains")
    assert not state.verified
    with pytest.raises(InputError, match="needs an image"):
        clonetruth.examine_execution(sandbox="docker")
    with pytest.raises(InputError, match="is for containers"):
        clonetruth.examine_execution(image="toolchains")
