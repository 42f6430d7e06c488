"""Which functions changed since a git revision."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from clonetruth.code.pieces import read_piece
from clonetruth.execution.changes import changed_functions


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def test_files_that_only_declare_types_are_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("a.py", "a.pyi", "b.ts", "b.d.ts", "c.d.mts")
    monkeypatch.chdir(tmp_path)
    git(tmp_path, "init", "-q")
    for step in (1, 2):
        for name in names:
            is_python = ".py" in name
            text = f"def f(a):\n    return {step}\n" if is_python else f"export function f(a) {{ return {step} }}\n"
            (tmp_path / name).write_text(text)
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-qm", "step")
    found = changed_functions("HEAD~1")
    assert [one.name for one in found.functions] == ["a.py::f", "b.ts::f"]
    assert found.outside == ()


CPP = "class Counter { public: int add(int n) { return n; } };\nint add(int a, int b) { return a + b; }\n"
PYTHON = """from typing import overload
class T:
    @property
    def x(self):
        return self._x
    @x.setter
    def x(self, value):
        self._x = value
@overload
def f(a: int) -> int: ...
@overload
def f(a: str) -> str: ...
def f(a):
    return a
"""


@pytest.mark.parametrize(
    ("file", "text", "name", "function", "first_line"),
    [
        ("a.cpp", CPP, "Counter::add", "Counter.add", 1),
        ("a.cpp", CPP, "Counter.add", "Counter.add", 1),
        ("a.cpp", CPP, "add", "add", 2),
        ("a.py", PYTHON, "f", "f", 13),
        ("a.py", PYTHON, "T.x", "T.x", 3),
    ],
)
def test_a_name_stands_for_the_function_that_runs(
    tmp_path: Path, file: str, text: str, name: str, function: str, first_line: int
) -> None:
    (tmp_path / file).write_text(text)
    piece = read_piece(f"{tmp_path / file}::{name}")
    assert (piece.function, piece.first_line) == (function, first_line)


BEFORE = {
    "shop.py": "def total(a, b=0):\n    return sum(a) * (100 + b) // 100\n\n\ndef label(a):\n    return f'{a:04}'\n",
    "text.py": "def shout(text):\n    return text.upper() + '!'\n\n\ndef kept(a):\n    return a\n",
    "other.py": "def one(a):\n    return a\n",
}
AFTER = {
    "shop.py": "def with_tax(a, b=0):\n    return sum(a) * (100 + b) // 100\n\n\ndef named(a):\n    return f'{a:05}'\n",
    "text.py": "def kept(a):\n    return a\n",
    "other.py": "def one(a):\n    return a\n\n\ndef shout(a):\n    return a.upper() + '?'\n\n\ndef new():\n    pass\n",
}


def test_functions_are_followed_to_other_names_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    git(tmp_path, "init", "-q")
    for texts in (BEFORE, AFTER):
        for name, text in texts.items():
            (tmp_path / name).write_text(text)
        git(tmp_path, "add", "-A")
        git(tmp_path, "commit", "-qm", "step")
    found = changed_functions("HEAD~1")
    assert {one.name: str(one.kind) for one in found.functions} == {
        "other.py::shout (was text.py::shout)": "changed",
        "other.py::new": "added",
        "shop.py::with_tax (was shop.py::total)": "name or place",
        "shop.py::named (was shop.py::label)": "changed",
    }
    # A function that comes or goes does not change what is around it.
    assert found.outside == ()
