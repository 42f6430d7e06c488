"""`clonetruth run` as a process: what it says, its exit codes, and what it does with bad input."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from clonetruth.execution.sandbox import bubblewrap
from tests.cli.running import call, run
from tests.execution.sandboxed import needs_sandbox

SUM = "def total(a):\n    return sum(a)\n"
ABSOLUTE = "def total(a):\n    return sum(abs(x) for x in a)\n"
LOOP = "def add_up(a):\n    n = 0\n    for x in a:\n        n += x\n    return n\n"
CLASSES = """
class A:
    def f(self, x):
        return x + 1

class B:
    def f(self, x):
        return x + 2
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    texts = {"old.py": SUM, "new.py": ABSOLUTE, "loop.py": LOOP, "classes.py": CLASSES, "odd.py": "def total(:\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@needs_sandbox
def test_a_difference_is_shown_with_its_input(folder: Path) -> None:
    ran = run("run", "old.py", "new.py", cwd=folder)
    assert ran.code == 1, ran.err
    lines = ran.out.splitlines()
    assert lines[0] == "Different: they return different values."
    assert lines[1].split() == ["left", "total([-1])", "returns", "-1"]
    assert lines[2].split() == ["right", "total([-1])", "returns", "1"]
    assert "inputs that ran on both sides" in ran.out


@needs_sandbox
def test_no_difference_is_zero_and_undecided_is_not(folder: Path) -> None:
    same = run("run", "old.py", "loop.py::add_up", cwd=folder)
    assert same.code == 0, same.err
    assert same.out.startswith("No difference found with ")
    broken = run("run", "old.py", "odd.py", cwd=folder)
    assert broken.code == 11
    assert broken.out.startswith("Undecided: the right code does not parse")


@needs_sandbox
def test_json_has_the_verdict_at_the_top(folder: Path) -> None:
    different = call("run", "old.py", "new.py", "--json").json
    assert different["verdict"] == "different"
    assert different["reason"] is None
    assert different["witness"]["call"]["arguments"] == [{"list": [{"int": "-1"}]}]
    assert different["witness"]["left_call"] == "total([-1])"
    assert different["strength"]["runs"] >= 10
    assert different["manifest"]["versions"]["python"].startswith("Python 3")
    assert different["manifest"]["inputs"].keys() == {"old.py", "new.py"}
    undecided = call("run", "old.py", "odd.py", "--json").json
    assert (undecided["verdict"], undecided["reason"]) == ("undecided", "does not parse")
    assert undecided["witness"] is None


@needs_sandbox
def test_what_counts_is_an_option(folder: Path) -> None:
    (folder / "loud.py").write_text("def total(a):\n    print(a)\n    return sum(a)\n", encoding="utf-8")
    assert call("run", "old.py", "loud.py").code == 1
    quiet = call("run", "old.py", "loud.py", "--count", "value,exception")
    assert quiet.code == 0
    assert "output (" in quiet.out, "a difference that does not count is still counted"


@needs_sandbox
def test_a_needle_is_found_with_an_input_of_the_user(folder: Path) -> None:
    (folder / "needle.py").write_text(
        "def total(a):\n    return 0 if sum(a) == 7 * 11 * 13 * 10007 else sum(a)\n", encoding="utf-8"
    )
    (folder / "inputs.jsonl").write_text('[[10017007]]\n{"arguments": [{"list": [{"int": "1"}]}]}\n', encoding="utf-8")
    assert call("run", "old.py", "needle.py").code == 0
    found = call("run", "old.py", "needle.py", "--inputs", "inputs.jsonl", "--json")
    assert found.code == 1
    assert found.json["witness"]["right"]["returned"] == {"int": "0"}
    (folder / "inputs.jsonl").write_text("[1, 2]\n", encoding="utf-8")
    wrong = call("run", "old.py", "needle.py", "--inputs", "inputs.jsonl")
    assert wrong.code == 3
    assert "An input has 2 arguments, and the code takes 1." in wrong.err


@needs_sandbox
def test_a_page_is_written(folder: Path) -> None:
    ran = call("run", "old.py", "new.py", "--html", "page.html")
    assert (ran.code, ran.out) == (1, "Written: page.html\n")
    assert "total([-1])" in (folder / "page.html").read_text(encoding="utf-8")


BAD = {
    "a missing file": (("nowhere.py", "old.py"), 3, "nowhere.py: Cannot read the file"),
    "no such function": (("old.py::sum", "new.py"), 3, "There is no function 'sum'."),
    "an ambiguous name": (
        ("classes.py::f", "new.py"),
        3,
        "2 functions are named 'f': A.f (lines 3-4), B.f",
    ),
    "an empty range": (("old.py:2-1", "new.py"), 3, "The file has the lines 1–2, not 2–1."),
    "a range beyond the end": (("old.py:1-99", "new.py"), 3, "The file has the lines 1–2, not 1–99."),
    "a binary file": (("old.py", "binary.py"), 3, "This is a binary file"),
    "an unknown extension": (("old.py", "notes.txt"), 3, "The language cannot be derived"),
    "an unknown language": (("old.py", "new.py", "--language", "klingon"), 5, "There is no language 'klingon'."),
    "an unknown kind": (("old.py", "new.py", "--count", "values"), 5, "Did you mean 'value'?"),
    "the same file": (("old.py", "./old.py"), 3, "Both are the same piece of code."),
    "the same function": (("old.py::total", "old.py:1-2"), 3, "Both are the same piece of code."),
    "one file": (("old.py",), 3, "Two pieces of code are needed."),
    "three files": (("old.py", "new.py", "loop.py"), 3, "Only two pieces of code can be compared."),
    "inputs that are not": (("old.py", "new.py", "--inputs", "notes.txt"), 3, "notes.txt:1: Not an input"),
    "no repository": (("--since", "HEAD"), 3, "not a git repository"),
    "an image without a container": (("old.py", "new.py", "--image", "x"), 3, "An image is for containers."),
    "no runs": (("old.py", "new.py", "--runs", "0"), 2, "0 is not in the range"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_named(folder: Path, case: str) -> None:
    (folder / "binary.py").write_bytes(b"\0\1\2")
    (folder / "notes.txt").write_text("words\n", encoding="utf-8")
    arguments, code, words = BAD[case]
    ran = call("run", *arguments, "--html", "page.html")
    assert (ran.code, ran.out) == (code, "")
    assert words in " ".join(ran.err.split())
    assert not (folder / "page.html").exists()


def test_a_missing_sandbox_is_an_error_that_says_what_to_install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name, **more: None if name == "bwrap" else real(name, **more))
    bubblewrap._layers.cache_clear()
    try:
        ran = call("run", "old.py", "new.py")
    finally:
        bubblewrap._layers.cache_clear()
    assert (ran.code, ran.out) == (6, "")
    assert "apt-get install bubblewrap" in ran.err
