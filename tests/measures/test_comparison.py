"""Two fragments compared by their texts."""

from __future__ import annotations

from pathlib import Path

import pytest

import clonetruth
from clonetruth.errors import InputError, UnknownNameError
from clonetruth.model import Fragment

SUM = "int sum(int[] a) {\n    int s = 0;\n    for (int x : a) s += x;\n    return s;\n}\n"


def fragment(text: str, name: str = "a", language: str = "java") -> Fragment:
    return Fragment(name, language, text)


@pytest.mark.parametrize(
    ("text", "clone_type", "renaming"),
    [
        (SUM.replace("\n", "\n\n"), "T1", None),
        (SUM.replace("s", "t"), "T2", "consistent"),
        (SUM.replace("return s", "return a"), "T2", "blind"),
    ],
)
def test_texts_in_memory_have_a_type(text: str, clone_type: str, renaming: str | None) -> None:
    comparison = clonetruth.compare_fragments(fragment(SUM), fragment(text, "b"))
    assert (comparison.clone_type, comparison.renaming) == (clone_type, renaming)
    assert comparison.similarity_line == comparison.similarity_token == 1
    assert comparison.problem is None
    assert f"a and b: {clone_type}" in repr(comparison)
    assert "line similarity" in comparison._repr_html_()


def test_fragments_in_different_languages_have_no_type() -> None:
    comparison = clonetruth.compare_fragments(fragment(SUM), fragment(SUM, "b", "cs"))
    assert comparison.clone_type is None
    assert comparison.problem == "different languages"
    assert comparison.to_dict()["right"]["language"] == "csharp"
    assert "different languages" in repr(comparison)
    assert "different languages" in comparison._repr_html_()


def test_files_parts_of_files_and_fragments_of_a_benchmark(tmp_path: Path) -> None:
    file = tmp_path / "A.java"
    file.write_text(SUM, encoding="utf-8")
    whole = clonetruth.compare_fragments(file, str(file), rule="both")
    assert (whole.clone_type, whole.cut_rule, whole.left.text) == ("T1", "min", SUM)
    part = clonetruth.compare_fragments(f"{file}:2-3", file)
    assert part.left.text == "    int s = 0;\n    for (int x : a) s += x;"
    with pytest.raises(InputError, match="has the lines 1–5, not 3–9"):
        clonetruth.compare_fragments(f"{file}:3-9", file)
    with pytest.raises(UnknownNameError):
        clonetruth.compare_fragments(file, file, rule="maximum")


def test_broken_fragments_are_named() -> None:
    comparison = clonetruth.compare_fragments(fragment(SUM), fragment("int f( {", "broken"))
    assert comparison.facts["does not parse completely"] == "broken"
    assert set(comparison.normal_forms()) == {"type-1", "type-2-consistent", "type-2-blind"}


def test_gptclonebench_calls_fragments_in_different_languages_t4_without_a_similarity() -> None:
    comparison = clonetruth.compare_fragments(fragment(SUM), fragment(SUM, "b", "cs"), rule="gptclonebench")
    assert (comparison.clone_type, comparison.similarity_line, comparison.problem) == ("T4", None, None)
    assert "a and b: T4" in repr(comparison)
    assert "line similarity" not in comparison._repr_html_()
