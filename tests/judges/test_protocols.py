"""Protocols from files, and those that cannot be followed."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.judges import Order, find_protocol
from clonetruth.judges.protocols import SIMILARITY, SIMILARITY_SWAPPED, protocol_from_log
from tests.judges.logs import PROMPT, UNSURE, block, write_log

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
    assert find_protocol("similarity", tmp_path) is SIMILARITY
    assert SIMILARITY_SWAPPED.orders == (Order.GIVEN, Order.SWAPPED)
    with pytest.raises(UnknownNameError, match="Did you mean 'similarity'"):
        find_protocol("similarly", tmp_path)
    with pytest.raises(InputError, match="--protocol-from LOG"):
        find_protocol("krinke", tmp_path)


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


def test_a_recorded_log_gives_its_prompt(tmp_path: Path) -> None:
    sides = ("a.java", "int a() { return {left}; }"), ("b.java", "int b;")
    log = write_log(
        tmp_path / "run.log", block(*sides, "ANSWER: YES-SIMILAR"), block(*sides[::-1], "ANSWER: DONT-KNOW")
    )
    found = protocol_from_log(log)
    assert found.prompt == PROMPT.replace("{language}", "Java")
    assert found.answers == {"YES-SIMILAR": "clone", "NO-NOT-SIMILAR": "not-clone", "DONT-KNOW": "undecided"}
    # A placeholder within a snippet is text, not a second place for the other side.
    assert found.render({"left": "{right}", "right": "x"}).count("{right}") == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [(("Are these", "Are those"), "prompts of different wording"), (('"""', "'''"), "no complete prompt")],
)
def test_a_log_without_one_prompt_is_refused(change: tuple[str, str], message: str, tmp_path: Path) -> None:
    one = block(("a", "int a;"), ("b", "int b;"), UNSURE)
    log = write_log(tmp_path / "run.log", one.replace(*change) if "complete" in message else one, one.replace(*change))
    with pytest.raises(InputError, match=message):
        protocol_from_log(log)
