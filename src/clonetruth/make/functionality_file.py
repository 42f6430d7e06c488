"""Functionality files: what is mined. One TOML file each: name, specification, exemplars, heuristic, tests, rules."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from clonetruth.budgets import read_text
from clonetruth.code import extract, language
from clonetruth.errors import InputError
from clonetruth.execution.literal_calls import calls_of_json, write_calls
from clonetruth.make.heuristic import Heuristic, parse_heuristic
from clonetruth.model import FunctionalityTest, MemberValue
from clonetruth.parsing import parse_toml
from clonetruth.store.records import WrongShapeError, build_record

_SHIPPED = files("clonetruth.make") / "recipes" / "functionalities"


@dataclass(frozen=True)
class StatedRule:
    """A rule that tags a candidate.

    Attributes:
        when: the heuristic that a candidate must match.
        value: what is then said of it.
        reason: why, in a sentence.
    """

    when: str
    value: MemberValue
    reason: str


@dataclass(frozen=True)
class FunctionalityFile:
    """A functionality that is mined.

    Attributes:
        id: the name of the file.
        name: its name.
        specification: what an implementation must do.
        heuristic: the search heuristic.
        language: the language of its exemplars, and of the functions that are searched.
        exemplars: functions that implement it, one text each.
        calls: tests: arguments and result of each call.
        rules: stated rules, the first that applies counts.
    """

    id: str
    name: str
    specification: str
    heuristic: str
    language: str = "java"
    exemplars: tuple[str, ...] = ()
    calls: tuple[tuple[tuple[Any, ...], Any], ...] = ()
    rules: tuple[StatedRule, ...] = ()

    @property
    def search(self) -> Heuristic:
        """The heuristic, read."""
        return parse_heuristic(self.heuristic, f"functionality {self.id}")

    @property
    def test(self) -> FunctionalityTest | None:
        """The tests as a benchmark holds them; None if there are none."""
        cases = [[list(arguments), result] for arguments, result in self.calls]
        calls = write_calls(calls_of_json(cases))
        return None if calls is None else FunctionalityTest(self.id, calls=calls)


@dataclass(frozen=True)
class _Content:
    name: str
    specification: str
    heuristic: str
    language: str = "java"
    exemplars: tuple[str, ...] = ()
    rules: tuple[StatedRule, ...] = ()


def functionality_names() -> list[str]:
    """The functionalities that ship with clonetruth."""
    return sorted(Path(one.name).stem for one in _SHIPPED.iterdir() if one.name.endswith(".toml"))


def read_functionality(name: str, folder: Path) -> FunctionalityFile:
    """Read a functionality: a TOML file, or the name of one that ships.

    Args:
        name: the file, relative to a folder, or the name.
        folder: the folder.

    Raises:
        InputError: it is neither, or not a valid functionality.
    """
    if name in functionality_names():
        return parse_functionality(read_text(Path(str(_SHIPPED / f"{name}.toml"))), name, name)
    path = folder / name
    if not path.is_file():
        raise InputError(
            f"'{name}' is neither a file nor a functionality that ships.",
            where=path,
            hint=f"Known: {', '.join(functionality_names())}.",
        )
    return parse_functionality(read_text(path), path.stem, path)


def parse_functionality(text: str, id: str, where: object) -> FunctionalityFile:
    """Read the text of a functionality file.

    Raises:
        InputError: it is not valid TOML, an entry is missing or wrong, the heuristic or a rule does not parse, or an
            exemplar is not one function.
    """
    try:
        content = parse_toml(text)
    except ValueError as error:
        raise InputError(f"Not a valid TOML file: {error}", where=where) from error
    calls = content.pop("calls", [])
    try:
        read = build_record(_Content, content, "functionality")
    except WrongShapeError as error:
        raise InputError(f"Not a functionality: {error}.", where=where, hint="See docs/mining.md.") from error
    shaped = isinstance(calls, list) and all(
        isinstance(one, list) and len(one) == 2 and isinstance(one[0], list) for one in calls
    )
    if not shaped:
        raise InputError("`calls` is not a list of [arguments, result].", where=where, hint="calls = [[[2, 3], 5]]")
    found = FunctionalityFile(
        id,
        read.name,
        read.specification,
        read.heuristic,
        language(read.language).name,
        read.exemplars,
        tuple((tuple(arguments), result) for arguments, result in calls),
        read.rules,
    )
    parse_heuristic(found.heuristic, str(where))
    for rule in found.rules:
        parse_heuristic(rule.when, f"{where}, rule '{rule.reason}'")
    for number, exemplar in enumerate(found.exemplars, 1):
        extraction = extract(exemplar, language(found.language), lone=True)
        if not extraction.functions or extraction.problems:
            raise InputError(f"Exemplar {number} is not a function in {found.language}.", where=where)
    return found
