"""Protocols by name and from files."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.model import CRITERIA
from clonetruth.store.study_protocol import JudgeGroup, check_protocol
from clonetruth.studies import choose_protocol, protocol_names


@pytest.mark.parametrize("name", protocol_names())
def test_every_protocol_is_valid(name: str) -> None:
    chosen = choose_protocol(name)
    assert chosen.protocol.name == name
    assert chosen.protocol.definition.strip()
    check_protocol(chosen.protocol, chosen.criterion)
    assert set(chosen.protocol.answers) <= set(CRITERIA[chosen.criterion].values)


def test_the_groups_of_gptclonebench() -> None:
    protocol = choose_protocol("gptclonebench").protocol
    assert [group.name for group in protocol.groups] == ["one", "two", "three"]
    assert (protocol.overlap, protocol.panel) == (2, "panel")


def test_a_protocol_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        """
        name = "mine"
        criterion = "same-goals"
        question = "The same goals?"
        answers = ["agree", "disagree"]
        overlap = 3
        panel = "elders"
        groups = [{ name = "a", share = 0.25 }, { name = "b", share = 0.75 }]
        """,
        encoding="utf-8",
    )
    chosen = choose_protocol(str(file))
    assert (chosen.criterion, chosen.protocol.answers) == ("same-goals", ("agree", "disagree"))
    assert chosen.protocol.groups == (JudgeGroup("a", 0.25), JudgeGroup("b", 0.75))


HEAD = 'name = "x"\nquestion = "?"\ncriterion = '


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "Not a valid TOML file"),
        ('name = "x"', "has no 'criterion'"),
        (f'{HEAD}"beauty"', "not a criterion for pairs"),
        (f'{HEAD}"implements-functionality"', "not a criterion for pairs"),
        (f'{HEAD}"textual"\nanswers = ["clone"]', "at least two"),
        (f'{HEAD}"textual"\ncolour = "red"', "unknown entry 'colour'"),
        (f'{HEAD}"textual"\noverlap = "two"', "protocol.overlap"),
        (f'{HEAD}"textual"\ngroups = [{{ name = "a", share = 0.5 }}]', "add up to 1"),
    ],
)
def test_invalid_protocol_files(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        choose_protocol(str(file))


def test_an_unknown_name() -> None:
    with pytest.raises(UnknownNameError, match="krinke"):
        choose_protocol("krinkle")


def test_a_binary_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot be read"):
        choose_protocol(str(file))
