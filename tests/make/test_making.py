"""A making: recipes, stages that are kept, and what stops it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import clonetruth
from clonetruth.cli import cli
from clonetruth.errors import InputError, UnknownNameError
from clonetruth.make import STAGES, StageState, read_recipe, recipe_names
from clonetruth.make.making_folder import MakingFolder
from clonetruth.make.recipe import parse_recipe

HEAD = '[make]\nname = "x"\ndescription = "y"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("make = ", "Not a valid TOML file"),
        ("[make]\n", "missing"),
        (HEAD, "The recipe has no stages"),
        (HEAD + "[other]\n", "unknown entry 'other'"),
        (HEAD + "[[stage]]\n", "does not say which stage it is"),
        (HEAD + '[[stage]]\nuse = "index"\npaths = [1]\n', r"index.paths\[0\]"),
        (HEAD + '[[stage]]\nuse = "index"\npaths = ["a"]\ncolour = 1\n', "unknown entry 'colour'"),
        (HEAD + '[[stage]]\nuse = "index"\npaths = []\n', "has no paths"),
        (HEAD + '[[stage]]\nuse = "tags"\n', "needs candidates, which no stage before it makes"),
        (HEAD + 'criterion = "odd"\n[[stage]]\nuse = "index"\npaths = ["a"]\n', "no criterion 'odd'"),
        (HEAD + '[[stage]]\nuse = "index"\nname = "a b"\npaths = ["a"]\n', "name of stage 1"),
        (
            HEAD
            + '[[stage]]\nuse = "index"\npaths = ["a"]\n[[stage]]\nuse = "search"\nfunctionalities = ["no.toml"]\n',
            "no such file",
        ),
    ],
)
def test_a_recipe_that_is_not_valid_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_recipe(text, Path())


def test_unknown_names_are_suggested() -> None:
    with pytest.raises(UnknownNameError, match="neither a file nor a recipe"):
        read_recipe("exampel")
    with pytest.raises(UnknownNameError, match="indx"):
        parse_recipe(HEAD + '[[stage]]\nuse = "indx"\n', Path())
    with pytest.raises(UnknownNameError, match="serch"):
        clonetruth.make_benchmark("example", output="x", until="serch")


def test_every_stage_is_described_and_every_shipped_recipe_can_be_read() -> None:
    for name, stage in STAGES.items():
        assert stage.name == name
        assert stage.description.endswith(".")
    assert "example" in recipe_names()
    for name in recipe_names():
        assert read_recipe(name).steps


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "making"
    assert clonetruth.make_benchmark("example", output=folder).finished
    return folder


def test_stages_that_are_done_are_kept(made: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in (made / "stages").rglob("*") if path.is_file()}
    report = clonetruth.make_benchmark("example", output=made)
    assert report == clonetruth.show_make(made)
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert [one.state for one in report.stages] == [StageState.DONE] * 6
    assert report.benchmark == made / "benchmark"


def test_a_changed_recipe_is_refused_and_redone_on_demand(made: Path, tmp_path: Path) -> None:
    text = read_recipe("example").text
    recipe = tmp_path / "changed.toml"
    recipe.write_text(text)
    folder = tmp_path / "making"
    clonetruth.make_benchmark(recipe, output=folder, until="search")
    recipe.write_text(text.replace("outside = 20", "outside = 10"))
    with pytest.raises(InputError, match="The recipe changed after the stage 'search' had begun or was done"):
        clonetruth.make_benchmark(recipe, output=folder)
    assert clonetruth.plan_make(recipe, output=folder).stage("search").state is StageState.OUTDATED
    report = clonetruth.make_benchmark(recipe, output=folder, redo=True, until="candidates")
    candidates = report.stage("candidates").report
    assert candidates is not None
    assert candidates.given["from outside"] == 10
    assert report.stage("rules").state is StageState.OPEN


def test_two_makers_on_one_folder_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "making"
    clonetruth.make_benchmark("example", output=folder, until="index")
    with MakingFolder(folder).journal(), pytest.raises(InputError, match="Another process is writing the journal"):
        clonetruth.make_benchmark("example", output=folder)


def test_another_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="not that of a making"):
        clonetruth.make_benchmark("example", output=tmp_path)
    with pytest.raises(InputError, match="No making has begun here"):
        clonetruth.show_make(tmp_path)
    with pytest.raises(InputError, match="parent folder does not exist"):
        clonetruth.make_benchmark("example", output=tmp_path / "a" / "b")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_stage_that_was_killed_leaves_no_half_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "making"
    with monkeypatch.context() as patch:
        patch.setattr(MakingFolder, "write_report", _killed)
        with pytest.raises(KeyboardInterrupt):
            clonetruth.make_benchmark("example", output=folder)
    assert list((folder / "stages").iterdir()) == []
    assert clonetruth.make_benchmark("example", output=folder).finished


def _killed(*unused: object) -> None:
    raise KeyboardInterrupt


def test_killed_after_the_benchmark_it_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "making"
    clonetruth.make_benchmark("example", output=folder, until="tags")
    with monkeypatch.context() as patch:
        patch.setattr(MakingFolder, "write_report", _killed)
        with pytest.raises(KeyboardInterrupt):
            clonetruth.make_benchmark("example", output=folder)
    assert (folder / "benchmark").exists()
    assert clonetruth.make_benchmark("example", output=folder).finished


WIDE = {"COLUMNS": "200"}


def test_the_commands_print_the_funnel_and_write_a_page(made: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    shown = CliRunner(env=WIDE).invoke(cli, ["make", "status", str(made), "--html", str(page)], catch_exceptions=False)
    assert "functions 107" in " ".join(shown.output.split())
    assert "How mined-example is made" in page.read_text(encoding="utf-8")
    planned = CliRunner(env=WIDE).invoke(cli, ["make", "plan", "example"], catch_exceptions=False)
    assert "unknown until there are functions" in " ".join(planned.output.split())
