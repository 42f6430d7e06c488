"""Registries: lazy, extensible, and helpful about typing errors."""

from __future__ import annotations

import pytest

from clonetruth.errors import CloneTruthError, InputError, MissingExtraError, UnknownNameError
from clonetruth.registry import Registry


@pytest.fixture
def shelf() -> Registry[object]:
    return Registry("thing", {"join": "os.path:join", "missing": "no_such_module:x"}, aliases={"glue": "join"})


def test_nothing_is_loaded_until_it_is_asked_for(shelf: Registry[object]) -> None:
    assert list(shelf) == ["join", "missing"]
    assert len(shelf) == 2
    assert "missing" in shelf
    with pytest.raises(ModuleNotFoundError):
        shelf["missing"]


def test_an_object_is_loaded_once_and_by_any_of_its_names(shelf: Registry[object]) -> None:
    import os.path

    assert shelf["join"] is shelf["glue"] is os.path.join
    assert "glue" in shelf
    assert "glue" not in list(shelf)


def test_a_typing_error_gets_a_suggestion(shelf: Registry[object]) -> None:
    with pytest.raises(UnknownNameError) as caught:
        shelf["joim"]
    assert "There is no thing 'joim'." in str(caught.value)
    assert "Did you mean 'join'?" in str(caught.value)
    with pytest.raises(UnknownNameError, match=r"Known: join, missing\."):
        shelf["zzz"]


def test_errors_say_what_where_and_what_to_do() -> None:
    error = InputError("It is odd.", where="file.txt:3", hint="Fix it.")
    assert str(error) == "file.txt:3: It is odd. Fix it."
    assert str(InputError("It is odd.")) == "It is odd."
    assert "pip install 'clonetruth[web]'" in str(MissingExtraError.extra("Serving a study", "web"))


def test_exit_codes_are_stable() -> None:
    kinds = [kind for kind in CloneTruthError.__subclasses__() if kind.__module__ == CloneTruthError.__module__]
    assert {kind.__name__: kind.exit_code for kind in kinds} == {
        "InputError": 3,
        "BenchmarkError": 4,
        "UnknownNameError": 5,
        "MissingExtraError": 6,
        "ToolError": 7,
        "OperatingSystemError": 8,
        "OutOfMemoryError": 9,
        "UnexpectedError": 10,
    }
