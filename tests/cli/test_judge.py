"""`clonetruth judge execute` as a process: what it says, what it leaves, and what it does with bad input."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.execution.sandbox import Layer, bubblewrap
from tests.cli.running import call, run
from tests.execution.sandboxed import needs_sandbox
from tests.judges.executed import ABSOLUTE, BROKEN, LOOP, SUM, make_benchmark, values


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_benchmark(tmp_path / "b", [(SUM, LOOP, "clone"), (SUM, ABSOLUTE, "clone"), (LOOP, BROKEN, None)])
    return tmp_path / "b"


@needs_sandbox
def test_the_funnel_is_printed_and_the_judgements_are_added(folder: Path) -> None:
    ran = run("judge", "execute", folder, "--runs", "30", "--jobs", "1", "--html", folder.parent / "page.html")
    assert ran.code == 0, ran.err
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert "decided by running 2 66.7 %" in lines
    assert "label confirmed 1 33.3 %" in lines
    assert "does not parse 1" in lines
    assert "Left: total([-1]) returns -1." in ran.out.replace("\n", " ")
    assert lines[-1].startswith("3 run in")
    assert lines[-1].endswith("0 kept, 3 judgements added.")
    assert values(folder) == {0: "clone", 1: "not-clone", 2: "undecided"}
    assert "run with the same inputs" not in ran.out
    assert "tiny, executed" in (folder.parent / "page.html").read_text(encoding="utf-8")
    again = call("judge", "execute", folder, "--runs", "30", "--jobs", "1", "--json").json
    assert (again["ran"], again["kept"], again["added"]) == (0, 3, 0)
    assert again["confusion"]["clone"] == {"clone": 1, "not-clone": 1, "undecided": 0}
    # The verdicts of a policy rest on it at once.
    counts = call("verdicts", folder, "--policy", "default:runs=10000", "--json").json["counts"]
    assert counts == {"clone": 0, "not-clone": 1, "unknown": 2}


def test_bad_input_is_an_error_in_a_sentence(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = call("judge", "execute", folder, "--where", "label =")
    assert wrong.code == 3
    assert "not valid SQL" in wrong.err
    assert call("judge", "execute", folder / "nothing").code == 4
    assert call("judge", "execute", folder, "--runs", "0").code != 0
    layer = Layer("bubblewrap", missing="not installed", install="apt-get install bubblewrap")
    monkeypatch.setattr(bubblewrap, "_layers", lambda: (layer,))
    refused = call("judge", "execute", folder)
    assert refused.code == 6
    assert "apt-get install bubblewrap" in refused.err
    assert not (folder / "execution").exists()


@needs_sandbox
def test_compare_runs_both(tmp_path: Path) -> None:
    (tmp_path / "old.py").write_text(SUM)
    (tmp_path / "new.py").write_text(ABSOLUTE)
    page = tmp_path / "page.html"
    found = call("compare", tmp_path / "old.py", tmp_path / "new.py", "--run", "--json", "--html", page).json
    assert found["behaviour"]["verdict"] == "different"
    text = page.read_text(encoding="utf-8")
    assert "What both do" in text
    assert "total([-1])" in text
    assert call("compare", tmp_path / "old.py", tmp_path / "new.py", "--json").json["behaviour"] is None
