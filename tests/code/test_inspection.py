"""The verbs on source text, called from Python."""

from __future__ import annotations

from pathlib import Path

import pytest

import clonetruth
from clonetruth.code import LANGUAGES, Form
from clonetruth.errors import CloneTruthWarning, InputError, UnknownNameError
from clonetruth.options.code import FORMS

TEXT = "class A { int twice(int a) { return a + a; /* why */ } }\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "A.java"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_every_language_is_listed() -> None:
    assert {one.name: one.extensions for one in clonetruth.list_languages()} == {
        name: LANGUAGES[name].extensions for name in LANGUAGES
    }


def test_functions_come_from_files_and_folders(file: Path) -> None:
    steps: list[tuple[str, int, int]] = []
    (extracted,) = clonetruth.extract_functions(file.parent, progress=lambda *step: steps.append(step))
    assert extracted == clonetruth.extract_functions([str(file)])[0]
    assert [function.qualified_name for function in extracted.functions] == ["A.twice"]
    assert steps == [("Reading files", 1, 1)]


def test_one_file_is_tokenised_normalised_and_abstracted(file: Path) -> None:
    assert [token.text for token in clonetruth.tokenize_code(file)][:3] == ["class", "A", "{"]
    assert "ID (int ID)" in clonetruth.normalise_code(file, form="type-2-blind")
    assert "fun0(int var1)" in clonetruth.abstract_code(file, level=3)


def test_the_language_can_be_given(file: Path) -> None:
    odd = file.rename(file.with_suffix(".txt"))
    with pytest.raises(InputError, match="cannot be derived"):
        clonetruth.tokenize_code(odd)
    with pytest.raises(UnknownNameError, match="Did you mean 'java'"):
        clonetruth.tokenize_code(odd, language="jva")
    assert clonetruth.tokenize_code(odd, language="java")


def test_unreadable_files_are_measured_with_a_warning(file: Path) -> None:
    (file.parent / "B.java").write_bytes(b"\0\1\2")
    with pytest.warns(CloneTruthWarning, match=r"B\.java: .*binary"):
        (function,) = clonetruth.measure_code(file.parent)
    assert (function.name, function.first_line, function.metrics.noa) == ("A.twice", 1, 1)


def test_the_options_know_every_normal_form() -> None:
    assert tuple(Form) == FORMS
