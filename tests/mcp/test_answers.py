"""What assistants are answered: few words, only of the project."""

from __future__ import annotations

from pathlib import Path

import pytest

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.mcp import ProjectAnswers
from clonetruth.mcp.answers import MAX_ANSWER, MAX_CODE
from clonetruth.options.mcp import McpOptions
from tests.find.clone_trees import FAMILY, PYTHON, RENAMED, SUM, java, plant


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return plant(tmp_path / "project", FAMILY)


@pytest.fixture
def answers(project: Path) -> ProjectAnswers:
    return ProjectAnswers(McpOptions(folder=project))


def test_similar_functions_are_a_line_each(answers: ProjectAnswers) -> None:
    lines = answers.find_similar_function(RENAMED).splitlines()
    assert lines[0].startswith("src/Renamed.java:2-11 Renamed.sumAbove: same code, 100% of tokens, ")
    assert lines[0].endswith("; identical")
    assert lines[-1].endswith(" searched, code read as java)")
    assert len(answers.find_similar_function(RENAMED, top=1).splitlines()) == 2
    nothing = answers.find_similar_function("def connect(host):\n    return open_socket(host).bind()")
    assert nothing.startswith("No similar function.")


def test_clones_of_a_folder_and_of_a_file(answers: ProjectAnswers, monkeypatch: pytest.MonkeyPatch) -> None:
    line = answers.find_clones().splitlines()[0]
    assert line.startswith("T1–T3 ")
    assert " src/Layout.java:2-12 Layout.sumAbove" in line
    assert answers.find_clones("src/One.java") == "no clones"
    monkeypatch.chdir(answers.folder / "src")
    assert ProjectAnswers(McpOptions(folder=answers.folder)).find_clones().splitlines()[0] == line


def test_code_and_places_are_compared(answers: ProjectAnswers) -> None:
    expected = "T2: 100% of tokens and 100% of lines alike without names and values; right compared with left: "
    expected += "renamed 2 names, 1 literal changed"
    assert answers.compare_code("src/One.java::sumAbove", "src/Renamed.java:2-11") == expected
    assert answers.compare_code("src/One.java:2-11", RENAMED) == expected
    assert answers.compare_code(SUM, RENAMED) == expected
    assert answers.compare_code(SUM, RENAMED, "java") == expected
    assert "Different languages (java, python)" in answers.compare_code("src/One.java::sumAbove", PYTHON, "python")
    assert "(right does not parse completely)" in answers.compare_code(SUM, SUM.replace("{", "(", 1))


@pytest.mark.parametrize("name", ["..", "../outside/Secret.java", "/etc/passwd", "src/link.java", "linked/Secret.java"])
def test_nothing_outside_is_read(answers: ProjectAnswers, project: Path, name: str) -> None:
    outside = plant(project.parent / "outside", {"Secret.java": java("Secret", SUM)})
    (project / "src/link.java").symlink_to(outside / "Secret.java")
    (project / "linked").symlink_to(outside, target_is_directory=True)
    with pytest.raises(InputError, match="below the folder"):
        answers.find_clones(name)
    if name != "..":
        for place in (name, f"{name}:1-3", f"{name}::sumAbove"):
            with pytest.raises(InputError, match="below the folder"):
                answers.compare_code(place, SUM)
    assert "link.java" not in answers.find_clones()


@pytest.mark.parametrize("place", ["src/Oen.java:1-3", "One.java:7", "src/Oen.java::sumAbove", "../x.py::A.b"])
def test_a_misspelt_place_is_not_compared_as_code(place: str, answers: ProjectAnswers) -> None:
    with pytest.raises(InputError, match="no such file in the project"):
        answers.compare_code(place, SUM)
    with pytest.raises(InputError, match="no such file in the project"):
        answers.compare_code(SUM, place)


@pytest.mark.parametrize("code", ["x = 1", "std::sort(a, b);", "label: f.x();", "a.b ? c.d : e.f", "A::b", "store.js"])
def test_code_on_one_line_is_code(code: str, answers: ProjectAnswers) -> None:
    assert answers.compare_code(code, code, "cpp").startswith("T1")


def test_only_functions_in_the_language_count_as_searched(answers: ProjectAnswers) -> None:
    assert "(0 functions searched, code read as go)" in answers.find_similar_function("func f() {}", "go")


def test_bad_questions(answers: ProjectAnswers) -> None:
    with pytest.raises(InputError, match=f"at most {MAX_CODE:,}"):
        answers.find_similar_function("x = 1\n" * MAX_CODE)
    with pytest.raises(InputError, match="no code"):
        answers.compare_code("", SUM)
    with pytest.raises(InputError, match="no such file or folder in the project"):
        answers.find_clones("nowhere")
    with pytest.raises(InputError, match="not the name of a file"):
        answers.find_clones("a\0b")
    with pytest.raises(InputError, match="not a file of source code"):
        answers.compare_code("src", SUM)
    with pytest.raises(UnknownNameError, match="klingon"):
        answers.find_similar_function(SUM, "klingon")
    with pytest.raises(InputError, match="no such folder"):
        ProjectAnswers(McpOptions(folder=Path("nowhere")))


def test_answers_are_short_and_visible(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"\x1b[31m{number}\u202e" + "x" * 200 for number in range(60)]
    plant(tmp_path, {f"{name}.java": java("One", SUM) for name in names})
    answers = ProjectAnswers(McpOptions(folder=tmp_path))
    for answer in (answers.find_similar_function(SUM, top=1_000_000), answers.find_clones(top=-5)):
        assert len(answer) <= MAX_ANSWER + 100
        assert not {"\x1b", "\u202e"} & set(answer)
    assert answers.find_clones().startswith("T1 54t "), "a line that is too long is cut, not left out"
    monkeypatch.setattr("clonetruth.mcp.answers.MAX_ANSWER", 2_000)
    assert answers.find_similar_function(SUM, top=1000).splitlines()[-1].endswith(" more lines; ask for less.")
