"""Every verb is one call from Python and one command, with the same words, defaults and help."""

from __future__ import annotations

import dataclasses
import doctest
import inspect
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click
import pytest

import clonetruth
from clonetruth.cli import cli
from clonetruth.cli.verb import VerbCommand
from clonetruth.options import Option, Options
from clonetruth.options.reference import python_type
from clonetruth.public import FORMER, OBJECTS, VERBS
from tests.conftest import ROOT
from tests.execution.sandboxed import LACKING

ALIASES = {"run-tool"}
"""Former commands, which print a notice and do what the new one does."""


def commands(group: click.Group = cli, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        elif name not in ALIASES:
            yield " ".join((*path, name)), command


COMMANDS = dict(commands())


def options_of(command: str) -> type[Options]:
    found = COMMANDS[command]
    assert isinstance(found, VerbCommand), "the command is derived from an options object"
    return found.options_type


def function_of(command: str) -> Any:
    name = options_of(command).function
    return getattr(import_module(VERBS[name]), name)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_and_its_function_name_each_other(command: str) -> None:
    options_type = options_of(command)
    assert options_type.command == command
    assert options_type.function in VERBS
    function = getattr(clonetruth, options_type.function)
    assert function.options_type is options_type
    assert function.__name__ == options_type.function


def test_every_function_has_a_command() -> None:
    assert sorted(options_of(command).function for command in COMMANDS) == sorted(VERBS)


@pytest.mark.parametrize("command", COMMANDS)
def test_words_defaults_and_help_are_the_same_on_both_sides(command: str) -> None:
    options = {one.name: one for one in options_of(command).declared()}
    parameters = {one.name: one for one in COMMANDS[command].params if not (one.name or "").startswith("_old_")}
    assert parameters.pop("trust"), "settings are the command line's: Python does not read them"
    assert set(parameters) == set(options), "the command line has exactly the declared options"
    signature = inspect.signature(function_of(command))
    for name, one in options.items():
        parameter = parameters[name]
        if isinstance(parameter, click.Option):
            assert one.flag in parameter.opts
            assert parameter.help == one.declaration.help
        assert default_of(parameter, one) == expected_default(one)
        if one.declaration.terminal:
            assert name not in signature.parameters, "what is about printing is not a parameter in Python"
            continue
        python = signature.parameters[name]
        assert python.default == (inspect.Parameter.empty if one.required else one.default)
        assert python.annotation == python_type(one)
        documentation = inspect.getdoc(function_of(command)) or ""
        assert f"    {name}: {one.declaration.help}" in documentation


def default_of(parameter: click.Parameter, one: Option) -> object:
    default = parameter.to_info_dict()["default"]
    if one.many or one.kind is dict:
        return tuple(default or ())
    return default


def expected_default(one: Option) -> object:
    if one.many and (one.declaration.argument or one.required):
        return ()
    if one.kind is dict:
        return ()
    return None if one.required else one.default


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_has_a_sentence(command: str) -> None:
    options_type = options_of(command)
    assert (options_type.__doc__ or "").strip().splitlines()[0].endswith((".", "?"))
    for one in options_type.declared():
        assert one.declaration.help.endswith((".", "?", ")")), f"{command} {one.flag}"
        assert one.declaration.help[0].isupper() or not one.declaration.help[0].isalpha()


def test_the_package_lists_its_names() -> None:
    names = {name for name in dir(clonetruth) if not name.startswith("_")}
    assert names == {*VERBS, *OBJECTS}
    for name in names:
        assert getattr(clonetruth, name).__doc__, f"{name} has a docstring"


def test_former_names_warn() -> None:
    for former, name in FORMER.items():
        with pytest.warns(DeprecationWarning, match=name):
            assert getattr(clonetruth, former) is getattr(clonetruth, name)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert callable(clonetruth.find_clones)


def test_no_function_hides_a_package() -> None:
    packages = {path.name for path in (ROOT / "src" / "clonetruth").iterdir()}
    assert not packages & {*VERBS, *OBJECTS}


def test_importing_the_package_imports_nothing_else() -> None:
    script = "import sys, clonetruth; print(sorted(m for m in sys.modules if m.startswith('clonetruth')))"
    ran = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert ran.stdout.strip() == "['clonetruth', 'clonetruth.public']"


@pytest.fixture(scope="module")
def workplace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the examples may use: the embedded benchmark in my-benchmark/, two copies of a function in src/ of a git
    repository, a paper."""
    folder = tmp_path_factory.mktemp("examples")
    clonetruth.import_dataset("embedded", (), output=folder / "my-benchmark")
    (folder / "src").mkdir()
    for name in ("orders", "invoices"):
        (folder / "src" / f"{name}.py").write_text(TOTAL.replace("order", name), encoding="utf-8")
    git = ["git", "-C", str(folder), "-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    dates = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), "2024-02-01T12:00Z")
    for command in (["init", "--quiet"], ["add", "src"], ["commit", "--quiet", "--message", "Totals"]):
        subprocess.run([*git, *command], check=True, env={**os.environ, **dates})
    (folder / "paper.txt").write_text("Our detector is evaluated on BigCloneBench. " * 9, encoding="utf-8")
    record = "@article{{key{0}, title = {{Clones of clones}}, year = 2024}}\n"
    (folder / "scopus.bib").write_text(record.format(1) + record.format(2), encoding="utf-8")
    return folder


TOTAL = """
def total(orders, rate):
    net = 0
    for order in orders:
        if order.price is not None and order.count > 0:
            net = net + order.price * order.count
    tax = net * rate
    if tax < 0:
        raise ValueError("a tax cannot be negative")
    return round(net + tax, 2)
"""


EXAMPLES = [pytest.param(name, marks=pytest.mark.slow) if name == "run_demo" else name for name in VERBS]
"""The demo takes half a minute, and tests/cli runs it as well."""


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_run(name: str, workplace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in ("run_code", "make_evidence") and LACKING:
        pytest.skip(f"the sandbox is not complete: {LACKING}")
    monkeypatch.chdir(workplace)
    monkeypatch.setenv("XDG_CACHE_HOME", str(workplace / "cache"))
    found = doctest.DocTestFinder(recurse=False).find(getattr(clonetruth, name), name, globs={"clonetruth": clonetruth})
    examples = [example for one in found for example in one.examples]
    assert examples, "the docstring has an example"
    printed: list[str] = []
    for one in found:
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(one, out=printed.append)
    assert printed == []


def test_wrong_words_are_named() -> None:
    misspelt: dict[str, Any] = {"min_token": 3}
    mistyped: dict[str, Any] = {"min_tokens": "many"}
    with pytest.raises(TypeError, match=r"has no option 'min_token'\. Did you mean 'min_tokens'"):
        clonetruth.find_clones("src", **misspelt)
    with pytest.raises(clonetruth.CloneTruthError, match="min_tokens: 'many' is not a whole number"):
        clonetruth.find_clones("src", **mistyped)


def test_options_can_be_replaced_and_compared() -> None:
    from clonetruth.options.find import FindOptions

    one = FindOptions.from_words("src", min_tokens=30)
    assert one == FindOptions.from_words(["src"], min_tokens=30)
    assert dataclasses.replace(one, min_tokens=50) != one
