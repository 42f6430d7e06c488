"""Names and specifications of functionalities: supplied, edited before the first vote, required for methods."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clonetruth.errors import InputError
from clonetruth.model import Functionality
from clonetruth.store.study import Study, read_study, study_identity
from clonetruth.store.votes import ItemKey, ItemKind, Vote, open_vote_store
from clonetruth.studies import edit_specifications, sample_study
from clonetruth.studies.serving import serve_study
from clonetruth.studies.specifications import (
    FunctionalityText,
    parse_specifications,
    read_specifications,
    require_specifications,
    specifications_toml,
)
from clonetruth.studies.web.subjects import SubjectQuestions
from tests.cli.running import run
from tests.studies.example_studies import SIZES, labelled_benchmark

TOML = '[copy]\nname = "Copy a file"\nspecification = "Copies a file."\n\n[sort]\nspecification = "Sorts numbers."\n'


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """A study of methods whose functionalities have no specification, as most imported datasets."""
    benchmark = labelled_benchmark(
        tmp_path / "benchmark", functionalities=[Functionality(name, f"functionality {name}") for name in SIZES]
    )
    return sample_study(benchmark, output=tmp_path / "study", n=60, methods=True)


def test_methods_are_not_asked_about_without_a_specification(study: Study, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Missing: copy \(functionality copy\), hash .*, sort"):
        serve_study(study, port=0)
    (tmp_path / "some.toml").write_text(TOML, encoding="utf-8")
    edit_specifications(study.path, file=tmp_path / "some.toml")
    with pytest.raises(InputError, match=r"Missing: hash \(functionality hash\)\. "):
        serve_study(study.path, port=0)
    (tmp_path / "rest.csv").write_text("functionality,specification\nhash,Computes a hash.\n", encoding="utf-8")
    texts = edit_specifications(study.path, file=tmp_path / "rest.csv")
    assert {one.id: (one.name, one.specification) for one in texts} == {
        "copy": ("Copy a file", "Copies a file."),
        "hash": ("functionality hash", "Computes a hash."),
        "sort": ("functionality sort", "Sorts numbers."),
    }
    require_specifications(read_study(study.path))


def test_an_edit_is_recorded_and_keeps_the_votes(study: Study, tmp_path: Path) -> None:
    with open_vote_store(study.path) as store:
        store.add_judge("Ada")
    before, identity = study.plan.specifications, study_identity(study.path)
    (tmp_path / "some.toml").write_text(TOML, encoding="utf-8")
    edit_specifications(study, file=tmp_path / "some.toml")
    changed = read_study(study.path)
    assert changed.plan.specifications != before
    assert study_identity(study.path) == identity
    with open_vote_store(study.path) as store:
        assert [judge.name for judge in store.judges()] == ["Ada"]
    question = SubjectQuestions(changed).ask(ItemKey(ItemKind.METHOD, 0), False)
    assert question.task is not None
    assert question.task.name in {"Copy a file", "functionality hash", "functionality sort"}


def test_nothing_changes_after_the_first_vote(study: Study, tmp_path: Path) -> None:
    with open_vote_store(study.path) as store:
        judge, _ = store.add_judge("Ada")
        store.cast(Vote("one", judge.id, ItemKey(ItemKind.PAIR, 0), "clone"))
    (tmp_path / "some.toml").write_text(TOML, encoding="utf-8")
    with pytest.raises(InputError, match="after the first vote"):
        edit_specifications(study, file=tmp_path / "some.toml")
    assert edit_specifications(study.path)[0].specification is None
    require_specifications(study)  # a study that has begun is continued


def test_a_study_is_drawn_with_specifications(tmp_path: Path) -> None:
    benchmark = labelled_benchmark(tmp_path / "benchmark")
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "copy.md").write_text("# Copy files\n\nCopies the\nwhole file.\n", encoding="utf-8")
    (folder / "hash.txt").write_text("Hashes.\n", encoding="utf-8")
    study = sample_study(benchmark, output=tmp_path / "study", n=60, specifications=folder)
    texts = {one.id: (one.name, one.specification) for one in edit_specifications(study)}
    assert texts == {
        "copy": ("Copy files", "Copies the\nwhole file."),
        "hash": ("Hash", "Hashes."),
        "sort": ("Sort", "Must sort."),
    }
    assert study.plan.specifications is not None


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.toml", "[copy", "Not a valid TOML file"),
        ("a.toml", "copy = 3", "'copy' needs the texts"),
        ("a.toml", '[copy]\ntext = "x"', "'copy' needs the texts"),
        ("a.toml", '[kopy]\nname = "x"', "None of the functionalities is in the study"),
        ("a.csv", "id,name\ncopy,x\n", "needs the columns functionality"),
        ("a.csv", "", "needs the columns functionality"),
    ],
)
def test_wrong_files_are_refused(study: Study, tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        edit_specifications(study, file=tmp_path / name)
    assert edit_specifications(study.path)[0].specification is None


def test_missing_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_specifications(tmp_path / "none.toml")
    with pytest.raises(InputError, match="no texts"):
        read_specifications(tmp_path)


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20).map(str.strip)


@given(name=TEXTS.filter(bool), specification=TEXTS, key=TEXTS.filter(bool))
def test_what_the_editor_shows_is_read_back(name: str, specification: str, key: str) -> None:
    shown = specifications_toml([FunctionalityText(key, name, specification or None, 0)])
    assert parse_specifications(shown, "the editor") == {key: (name, specification or None)}


def test_the_command_line_edits_in_an_editor(study: Study, tmp_path: Path) -> None:
    editor = tmp_path / "editor.sh"
    editor.write_text(
        '#!/bin/sh\nsed -i "s/specification = \\"\\"/specification = \\"Written.\\"/" "$1"\n', encoding="utf-8"
    )
    editor.chmod(0o755)
    shown = run("study", "specifications", study.path, "--edit", "--json", env={"EDITOR": str(editor)})
    assert shown.code == 0, shown.err
    assert {one["specification"] for one in shown.json} == {"Written."}
    listed = run("study", "specifications", study.path)
    assert "Written." in listed.out
