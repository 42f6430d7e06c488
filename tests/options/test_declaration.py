"""Options declared once: values in the type of their field, clear errors, the same on both sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Any

import click
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.cli.verb import verb_command
from clonetruth.errors import InputError
from clonetruth.options import JsonOptions, Options, argument, option, verb
from clonetruth.options.declaration import WORD


class Colour(StrEnum):
    """An enumeration whose members are strings."""

    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, kw_only=True)
class PaintOptions(JsonOptions, command="paint", function="paint_walls"):
    """Paint walls."""

    walls: tuple[Path, ...] = argument((), metavar="WALL", help="The walls.")
    colour: str = option("red", choices=("red", "blue"), help="The colour.")
    coats: int = option(1, minimum=1, maximum=9, names=("-n",), old=("--layers",), help="Number of coats.")
    gloss: float | None = option(None, above=0, maximum=1, help="How glossy, in (0, 1].")
    tool: tuple[str, ...] = option((), commas=True, project=WORD, help="Tools to use.")
    primer: bool = option(True, help="Use a primer.")
    dry: bool = option(False, help="Only show what would be done.")
    mix: Mapping[str, object] | None = option(None, project=WORD, help="Parts of the mixture.")
    output: Path = option(names=("-o",), setting=False, help="Where to write.")
    loud: bool = option(False, terminal=True, help="Print more.")


@verb(PaintOptions)
def paint_walls(options: PaintOptions, *, twice: bool = False) -> tuple[PaintOptions, bool]:
    """Paint walls.

    Args:
        twice: paint them again.

    Returns:
        What was asked for.
    """
    return options, twice


def asked(*positions: Any, **words: Any) -> PaintOptions:
    return paint_walls(*positions, **{"output": "out", **words})[0]


def test_values_arrive_in_the_type_of_their_field() -> None:
    found = asked("north", colour=Colour.BLUE, coats=np.int64(2), gloss=1, tool="brush, roller", mix={"oil": 3})
    assert found.walls == (Path("north"),)
    assert found.colour == "blue"
    assert type(found.colour) is str
    assert (found.coats, type(found.coats)) == (2, int)
    assert (found.gloss, type(found.gloss)) == (1.0, float)
    assert found.tool == ("brush", "roller")
    assert found.mix == {"oil": 3}
    assert found.output == Path("out")


@pytest.mark.parametrize("walls", ["a", Path("a"), PurePosixPath("a"), ["a"], (Path("a"),), iter(["a"]).__iter__()])
def test_one_path_or_several_as_strings_or_paths(walls: Any) -> None:
    assert asked(list(walls) if hasattr(walls, "__next__") else walls).walls == (Path("a"),)


@given(st.lists(st.text(st.characters(categories=["L", "N"]), min_size=1), max_size=4))
def test_a_list_of_words_comes_back(words: list[str]) -> None:
    assert asked(tool=words).tool == tuple(words)
    assert asked(tool=",".join(words)).tool == tuple(words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"coats": "two"}, "coats: 'two' is not a whole number."),
        ({"coats": 1.5}, "coats: 1.5 is not a whole number."),
        ({"coats": True}, "coats: True is not a whole number."),
        ({"coats": float("nan")}, "coats: nan is not a whole number."),
        ({"coats": float("inf")}, "coats: inf is not a whole number."),
        ({"gloss": float("inf")}, "gloss: inf is not a finite number."),
        ({"coats": 10**400}, "coats: A number of 401 digits is too large."),
        ({"gloss": 10**400}, "gloss: A number of 401 digits is too large."),
        ({"coats": 0}, "coats: 0 is less than 1."),
        ({"coats": 10}, "coats: 10 is greater than 9."),
        ({"gloss": 0}, "gloss: 0 is not greater than 0."),
        ({"gloss": float("nan")}, "gloss: nan is not a finite number."),
        ({"colour": "green"}, "colour: 'green' is not one of 'red', 'blue'."),
        ({"colour": None}, "colour: The value must not be None."),
        ({"primer": 1}, "primer: 1 is not True or False."),
        ({"walls": [3]}, "walls: 3 is not a path."),
        ({"tool": 3}, "tool: 3 is not a string."),
        ({"mix": "oil"}, "mix: 'oil' is not a pair NAME=VALUE."),
    ],
    ids=str,
)
def test_a_wrong_value_is_named(words: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as raised:
        asked(**words)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("positions", "words", "message"),
    [
        ((), {"coat": 2, "output": "o"}, "has no option 'coat'. Did you mean 'coats'?"),
        ((), {"loud": True, "output": "o"}, "has no option 'loud'"),
        ((), {}, "needs 'output'"),
        (("a", "b"), {"output": "o"}, "takes at most 1 positional arguments (2 given)"),
        (("a",), {"walls": "b", "output": "o"}, "got multiple values for 'walls'"),
    ],
)
def test_wrong_calls_are_type_errors(positions: tuple[Any, ...], words: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError) as raised:
        paint_walls(*positions, **words)
    assert message in str(raised.value)


def test_an_options_object_is_taken_as_well() -> None:
    options = PaintOptions(output=Path("o"), coats=3)
    assert paint_walls(options, twice=True) == (options, True)


def test_the_signature_and_the_documentation_list_the_words() -> None:
    import inspect

    assert str(inspect.signature(paint_walls)).startswith("(walls: 'str | PathLike[str] | Sequence[")
    assert list(inspect.signature(paint_walls).parameters)[:3] == ["walls", "colour", "coats"]
    assert "loud" not in inspect.signature(paint_walls).parameters
    documentation = inspect.getdoc(paint_walls) or ""
    assert "    coats: Number of coats.\n" in documentation
    assert documentation.index("coats:") < documentation.index("twice:") < documentation.index("Returns:")


# --- the command line


def run(*arguments: str, cwd: Path | None = None) -> tuple[int, str, PaintOptions | None]:
    seen: list[PaintOptions] = []

    @verb_command(PaintOptions)
    def paint(options: PaintOptions) -> int:
        seen.append(options)
        return 1 if options.dry else 0

    ran = CliRunner().invoke(paint, list(arguments))
    return ran.exit_code, ran.output, seen[0] if seen else None


def test_the_command_line_gives_the_same_object_as_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, options = run(
        "a", "b", "--colour", "blue", "-n", "2", "--tool", "x,y", "--no-primer", "--mix", "oil=3", "-o", "out"
    )
    assert code == 0
    assert options == asked(["a", "b"], colour="blue", coats=2, tool=["x", "y"], primer=False, mix={"oil": "3"})
    assert run("-o", "out")[2] == asked()


def test_an_exit_code_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("--dry", "-o", "out")[0] == 1
    assert run()[0] == 2
    assert run("-o", "out", "--coats", "0")[0] == 2


def test_an_old_spelling_works_with_a_notice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    _, output, options = run("--layers", "3", "-o", "out")
    assert options is not None
    assert options.coats == 3
    assert "notice: --layers is now --coats" in output
    assert "--layers" not in run("--help")[1]


def test_the_help_is_the_docstring_and_the_declarations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = " ".join(run("--help")[1].split())
    assert "Paint walls." in text
    assert "-n, --coats INTEGER RANGE Number of coats. [default: 1; 1<=x<=9]" in text
    assert "--primer / --no-primer Use a primer." in text
    assert "[WALL]..." in text


# --- settings


@pytest.mark.parametrize(("file", "table"), [("pyproject.toml", "tool.clonetruth.paint"), ("clonetruth.toml", "paint")])
def test_settings_give_what_the_command_line_does_not(
    file: str, table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / file).write_text(
        f'[{table}]\ncoats = 4\ntool = "brush"\nprimer = false\n[{table}.mix]\noil = 2\n', encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    options = run("-o", "out")[2]
    assert options == asked(coats=4, tool="brush", primer=False, mix={"oil": "2"})
    overridden = run("-o", "out", "--coats", "5")[2]
    assert overridden is not None
    assert overridden.coats == 5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[paint]\ncoats = "many"\n', "The setting 'coats' cannot be used"),
        ("[paint]\noutput = 'x'\n", "has no setting 'output'"),
        ("[paint]\ncoat = 1\n", "has no setting 'coat'"),
        ("paint = 3\n", "'paint' is not a table"),
        ("[paint\n", "The settings cannot be read"),
    ],
)
def test_wrong_settings_are_input_errors_that_name_the_file(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "clonetruth.toml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    @verb_command(PaintOptions)
    def paint(options: PaintOptions) -> None: ...

    with pytest.raises(InputError, match=message) as raised:
        paint.main(["-o", "out"], standalone_mode=False)
    assert str(tmp_path / "clonetruth.toml") in str(raised.value)


def test_trust_is_asked_for_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "clonetruth.toml").write_text('[paint]\ntool = "a/b"\ncoats = 2\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run("-o", "out")[2] is None
    assert run("-o", "out", "--trust")[2] == asked(tool="a/b", coats=2)
    assert run("-o", "out", "--no-trust")[2] == asked(coats=2)
    assert run("--help")[0] == 0, "help does not depend on settings"


def test_a_base_class_has_no_command() -> None:
    assert Options.command == ""
    assert isinstance(verb_command(PaintOptions)(lambda options: None), click.Command)
