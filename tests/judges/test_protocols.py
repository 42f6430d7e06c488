"""Protocols from files, and those that cannot be followed."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.judges import Order, find_protocol
from clonetruth.judges.protocols import KRINKE, KRINKE_SWAPPED

OWN = """
name = "own"
criterion = "same-main-purpose"
prompt = "Same purpose? {left} {right} ANSWER: YES, NO or NO-IDEA"
system = "Be brief."
orders = ["given", "swapped"]
runs = 3

[answers]
YES = "clone"
NO = "not-clone"
NO-IDEA = "undecided"

[parameters]
seed = 7
"""


def read(text: str, folder: Path) -> None:
    path = folder / "own.toml"
    path.write_text(text, encoding="utf-8")
    find_protocol(str(path), folder)


def test_by_name(tmp_path: Path) -> None:
    assert find_protocol("krinke", tmp_path) is KRINKE
    assert KRINKE_SWAPPED.orders == (Order.GIVEN, Order.SWAPPED)
    with pytest.raises(UnknownNameError, match="Did you mean 'krinke'"):
        find_protocol("krinky", tmp_path)


def test_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN)
    found = find_protocol(str(path), tmp_path)
    assert (found.name, found.criterion, found.system, found.runs) == ("own", "same-main-purpose", "Be brief.", 3)
    assert found.orders == (Order.GIVEN, Order.SWAPPED)
    assert found.answers == {"YES": "clone", "NO": "not-clone", "NO-IDEA": "undecided"}
    assert found.parameters == {"seed": 7}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("name", "nom", "unknown entry 'nom'"),
        ('name = "own"\n', "", "missing"),
        ("runs = 3", 'runs = "3"', "protocol.runs"),
        ("runs = 3", "runs = 0", "at least 1"),
        ("same-main-purpose", "beauty", "no criterion 'beauty'"),
        ("{left}", "left", "lacks the placeholder {left}"),
        ("purpose?", "{purpose}", "unknown placeholder {purpose}"),
        ('"clone"', '"twin"', "'YES' = 'twin'"),
        ("YES =", "yes =", "'yes' = 'clone'"),
        ('"not-clone"\nNO-IDEA = "undecided"', '"clone"', "at least two different answers"),
        ('["given", "swapped"]', "[]", "orders are empty"),
        ('["given", "swapped"]', '["given", "given"]', "repeated"),
        ('["given", "swapped"]', '["sideways"]', "sideways"),
        ("seed = 7", "n = 5", "'n' cannot be set"),
        ("seed = 7", "seed = 2026-01-01", "as JSON"),
        ("seed = 7", "seed = nan", "as JSON"),
        ("seed = 7", "seed = ", "Not valid TOML"),
    ],
)
def test_an_invalid_protocol_is_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in OWN
    with pytest.raises(InputError) as caught:
        read(OWN.replace(old, new), tmp_path)
    assert message in str(caught.value)
    assert "own.toml" in str(caught.value)


def test_a_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        find_protocol(str(tmp_path / "none.toml"), tmp_path)


def test_a_method_has_no_sides(tmp_path: Path) -> None:
    text = textwrap.dedent(
        """
        name = "method"
        criterion = "implements-functionality"
        prompt = "{text} does {functionality}?"
        orders = ["swapped"]
        answers = { YES = "major", NO = "wrong" }
        """
    )
    with pytest.raises(InputError, match="do not apply to methods"):
        read(text, tmp_path)
    read(text.replace("swapped", "given"), tmp_path)
