"""Every command, given data in which every text is hostile: nothing of it reaches the terminal raw."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest

from clonetruth.cli import cli
from tests.cli import hostile
from tests.cli.hostile import CRITERION, HOSTILE, LINES, MARKUP, NAME, World, raw_characters
from tests.cli.running import call, run
from tests.execution.sandboxed import LACKING

ORIGIN = ("--policy", "origin")
ONE = ("--processes", "1")
RAN = 6 if LACKING else 1
"""The exit code of a difference, or of a sandbox that is not complete."""
NO_TEXTS = ("--option", "texts=none", "--option", "language=java")


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return hostile.build(tmp_path_factory.mktemp("hostile"))


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


PAPER = (
    f"We train on BigCloneBench {HOSTILE} with an F1 of 0.94.\n{LINES}\nThe threshold of BigCloneBench is 70 %.\n" * 20
)
BIBTEX = "@article{a, title = {TEXT}, author = {TEXT}, journal = {TEXT}, doi = {10.1/TEXT}}\n"

Arguments = Callable[[World, Path], tuple[object, ...]]

CASES: dict[str, list[tuple[int, Arguments]]] = {
    "info": [
        (0, lambda w, _: (w.benchmark, "--verify")),
        (0, lambda w, _: (w.benchmark, "--json")),
        (4, lambda w, _: (w.folder / HOSTILE,)),
    ],
    "classify": [(0, lambda w, _: (w.benchmark, "--rule", "mean", *ONE))],
    "verdicts": [(0, lambda w, _: (w.benchmark, *ORIGIN))],
    "sql": [
        (0, lambda w, _: (w.benchmark, "SELECT * FROM fragments, functionalities, judgements, judges LIMIT 2")),
        (0, lambda w, _: (w.benchmark, f"SELECT 1 AS \"{HOSTILE}\", '{LINES}' AS x")),
        (3, lambda w, _: (w.benchmark, f'SELECT "{HOSTILE}" FROM pairs')),
    ],
    "audit": [
        (0, lambda w, _: (w.benchmark, *ONE, "--select", "CT1,CT2,CT3,CT4")),
        (0, lambda w, o: (w.benchmark, *ONE, "--for", "precision", "-o", o / NAME, "--html", o / f"{NAME}.html")),
        (0, lambda w, _: (w.benchmark, *ONE, "--select", "CT1,CT2", "--json")),
        (0, lambda w, _: (w.benchmark, *ONE, "--select", "CT1,CT2", "--fix-plan")),
        (5, lambda w, _: ("--explain", HOSTILE)),
    ],
    "split": [(0, lambda w, _: (w.benchmark, "--view", "random", *ORIGIN, "--name", "s", "--replace"))],
    "study sample": [
        (0, lambda w, o: (w.benchmark, "-o", o / NAME, "--margin", "0.3", "--stratify", "functionality")),
        (3, lambda w, o: (w.benchmark, "-o", o / NAME, "--where", f'"{HOSTILE}" = 1')),
    ],
    "judge execute": [
        (3, lambda w, _: (w.benchmark, "--where", f'"{HOSTILE}" = 1')),
        (4, lambda w, _: (w.folder / HOSTILE,)),
    ],
    "study info": [(0, lambda w, _: (w.study,)), (0, lambda w, _: (w.study, "--json"))],
    "study invite": [(0, lambda w, _: (w.study, f"c{LINES}")), (3, lambda w, _: (w.study, "x", "--group", HOSTILE))],
    "study judges": [(0, lambda w, _: (w.study,)), (0, lambda w, _: (w.study, "--json"))],
    "study revoke": [(0, lambda w, _: (w.study, f"a{HOSTILE}")), (3, lambda w, _: (w.study, HOSTILE))],
    "study agree": [(0, lambda w, _: (w.study,)), (0, lambda w, _: (w.study, "--json"))],
    "study resolve": [(0, lambda w, _: (w.study, "--policy", "unanimous")), (0, lambda w, _: (w.study, "--json"))],
    "study estimate": [(0, lambda w, _: (w.study, "--policy", "majority"))],
    "study export": [(0, lambda w, _: (w.study, "--to", w.benchmark, "--names"))],
    "study withdraw": [(0, lambda w, _: (w.study, f"a{HOSTILE}")), (3, lambda w, _: (w.study, HOSTILE))],
    "study extend": [(0, lambda w, _: (w.study, w.benchmark, "--n", "3"))],
    "study blindness": [(0, lambda w, _: (w.study,))],
    "study specifications": [(0, lambda w, _: (w.study,)), (3, lambda w, _: (w.study, "--from", w.folder / HOSTILE))],
    "study review": [(3, lambda w, _: (w.study, "--against", HOSTILE))],
    "study llm": [
        (3, lambda w, _: (w.study, "--replay", w.predictions)),
        (0, lambda w, _: (w.study, "--model", HOSTILE, "--dry-run")),
    ],
    "evaluate": [
        (0, lambda w, o: (w.predictions, "--on", w.benchmark, *ORIGIN, "--html", o / f"{NAME}.html")),
        (0, lambda w, _: (w.predictions, "--on", w.benchmark, *ORIGIN, "--json")),
        (5, lambda w, _: ("--detector", HOSTILE, "--on", w.benchmark)),
    ],
    "leaderboard": [
        (0, lambda w, _: (w.result,)),
        (0, lambda w, _: (w.result, "--format", "markdown")),
        (0, lambda w, _: (w.result, "--json")),
    ],
    "report": [(0, lambda w, o: (w.result, "-o", o / f"{NAME}.html"))],
    "export": [
        (0, lambda w, o: (w.benchmark, "csv", "-o", o / NAME, *ORIGIN)),
        (0, lambda w, o: (w.benchmark, "huggingface", "-o", o / NAME, *ORIGIN)),
    ],
    "attach": [
        (
            0,
            lambda w, _: (
                *(w.benchmark, w.folder / "answers.jsonl", "--dry-run"),
                *("--criterion", CRITERION, "--judge", HOSTILE, "--judge-kind", "person"),
            ),
        ),
        (3, lambda w, _: (w.benchmark, w.folder / HOSTILE)),
    ],
    "import": [
        (0, lambda w, o: ("table", w.folder / "answers.jsonl", "-o", o / NAME, "--criterion", CRITERION, *NO_TEXTS)),
        (3, lambda w, o: ("folder", w.folder / "archive.zip", "-o", o / NAME)),
        (3, lambda w, o: ("auto", w.folder / "archive.zip", "-o", o / NAME)),
    ],
    "execution doctor": [(3, lambda w, _: ("--image", HOSTILE))],
    "sources": [(0, lambda w, _: ()), (5, lambda w, _: (HOSTILE,))],
    "detectors": [(0, lambda w, _: ())],
    "compare": [
        (0, lambda w, _: (w.file(0), w.sources / f"broken{NAME}.java")),
        (0, lambda w, _: (w.file(0), w.file(1), "--json")),
        (3, lambda w, _: (HOSTILE, HOSTILE)),
    ],
    "run": [
        (RAN, lambda w, _: (w.python("left"), w.python("right"))),
        (RAN, lambda w, _: (w.python("left"), w.python("right"), "--json")),
        (RAN, lambda w, o: (w.python("left"), w.python("right"), "--html", o / f"{NAME}.html")),
        (3, lambda w, _: (HOSTILE, HOSTILE)),
        (3, lambda w, _: (f"{w.python('left')}::{HOSTILE}", w.python("right"))),
        (5, lambda w, _: (w.python("left"), w.python("right"), "--count", HOSTILE)),
        (3, lambda w, _: ("--since", HOSTILE, w.sources)),
    ],
    "code functions": [(0, lambda w, _: (w.sources,)), (0, lambda w, _: (w.sources, "--json", "--text"))],
    "code tokens": [(0, lambda w, _: (w.sources / f"broken{NAME}.java",))],
    "code form": [(0, lambda w, _: (w.file(0),)), (0, lambda w, _: (w.file(0), "--json"))],
    "code abstract": [(0, lambda w, _: (w.file(0),))],
    "code metrics": [(0, lambda w, _: (w.sources,))],
    "code languages": [(0, lambda w, _: ())],
    "find": [
        (0, lambda w, _: (w.sources, *ONE)),
        (0, lambda w, _: (w.sources, *ONE, "--json")),
        (0, lambda w, _: (w.sources, *ONE, "--format", "sarif")),
        (0, lambda w, _: (w.sources, *ONE, "--format", "markdown")),
        (0, lambda w, _: (w.sources, *ONE, "--format", "compact")),
        (0, lambda w, _: (w.sources, *ONE, "--hints", "--blame")),
        (0, lambda w, _: (w.sources, *ONE, "--format", "gitlab")),
        (3, lambda w, _: (w.sources, *ONE, "--max-percent", f"{HOSTILE}=1")),
        (0, lambda w, o: (w.sources, *ONE, "-o", o / f"{NAME}.txt", "--html", o / f"{NAME}.html")),
        (5, lambda w, _: (w.sources, "--with", HOSTILE)),
        (2, lambda w, _: (w.sources, f"--{HOSTILE}")),
        (2, lambda w, _: (w.sources, "--top", LINES)),
    ],
    "trend": [(3, lambda w, _: (w.sources, "--since", HOSTILE)), (3, lambda w, _: (w.folder / HOSTILE,))],
    "mcp": [(3, lambda w, _: (w.folder / HOSTILE,))],
    "build mutants": [(0, lambda w, o: (w.sources, "-o", o / NAME, "--min-tokens", "10"))],
    "build functionalities": [(0, lambda w, _: (w.benchmark, "--check-folds", "2"))],
    "build label-quality": [(0, lambda w, _: (w.benchmark,))],
    "build assumed-negatives": [(3, lambda w, o: (w.benchmark, "-o", o / NAME))],
    "build bcb-pairs": [(0, lambda w, o: (w.benchmark, "-o", o / NAME))],
    "build inject": [(3, lambda w, o: (w.sources, "--fragments", w.benchmark, "-o", o / NAME))],
    "build confidence-bcb": [(3, lambda w, o: (w.benchmark, "-o", o / NAME))],
    "build contest": [(3, lambda w, o: (w.benchmark, "-o", o / NAME))],
    "build apply": [(3, lambda w, o: (w.folder / HOSTILE, w.benchmark, "-o", o / NAME))],
    "make run": [
        (0, lambda w, o: (w.recipe, "-o", o / NAME, "--until", "index")),
        (5, lambda w, o: (HOSTILE, "-o", o / NAME)),
        (3, lambda w, _: ("example", "-o", w.sources)),
    ],
    "make plan": [
        (0, lambda w, _: (w.recipe,)),
        (5, lambda w, _: (HOSTILE,)),
        (5, lambda w, _: (w.folder / "unknown.toml",)),
    ],
    "make status": [(3, lambda w, _: (w.folder / HOSTILE,))],
    "make evidence": [(3, lambda w, _: (w.folder / HOSTILE,)), (3, lambda w, _: ("--only", HOSTILE))],
    "benchmark": [(5, lambda w, _: (HOSTILE,)), (4, lambda w, _: ("tokens", "--on", w.folder / HOSTILE))],
    "reproduce": [(0, lambda w, _: ()), (5, lambda w, _: (HOSTILE,))],
    "literature collect": [
        (0, lambda _, o: (written(o / f"{NAME}.bib", BIBTEX.replace("TEXT", HOSTILE.replace("\\", ""))),)),
        (3, lambda w, _: (w.folder / HOSTILE,)),
    ],
    "literature check": [
        (0, lambda _, o: (written(o / f"{NAME}.txt", PAPER),)),
        (0, lambda _, o: (written(o / f"{NAME}.txt", PAPER), "--json")),
        (3, lambda w, _: (w.folder / HOSTILE,)),
    ],
    "literature ask": [(3, lambda w, o: (w.folder / HOSTILE, "--model", HOSTILE, "-o", o / NAME))],
    "literature pilot": [(3, lambda w, o: (w.folder / HOSTILE, "--model", HOSTILE, "-o", o / NAME))],
    "train": [(5, lambda w, o: (HOSTILE, "--on", w.benchmark, "-o", o / NAME))],
    "predict": [(3, lambda w, o: (w.folder / HOSTILE, "--on", w.benchmark, "-o", o / f"{NAME}.csv"))],
    "claim": [(5, lambda w, _: ("--on", HOSTILE, "--precision", "0.9"))],
    "tools run": [(5, lambda w, _: (HOSTILE, w.sources)), (7, lambda w, _: (f"command:{NAME}", w.sources))],
    "run-tool": [(5, lambda w, _: (HOSTILE, w.sources))],
}
ELSEWHERE = {
    "demo": "shows only the embedded benchmark",
    "matrix": "a slow test below",
    "study serve": "tests/cli/test_study_serve.py; its only text is the title",
}


def commands(group: click.Group, prefix: str = "") -> Iterator[str]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield from commands(command, f"{prefix}{name} ") if isinstance(command, click.Group) else [f"{prefix}{name}"]


def test_no_command_is_left_out() -> None:
    assert set(commands(cli)) == set(CASES) | set(ELSEWHERE)


@pytest.mark.parametrize(
    ("command", "code", "arguments"),
    [
        pytest.param(command, code, arguments, id=f"{command.replace(' ', '-')}-{number}")
        for command, cases in CASES.items()
        for number, (code, arguments) in enumerate(cases)
    ],
)
def test_nothing_reaches_the_terminal_raw(
    world: World, tmp_path: Path, command: str, code: int, arguments: Arguments
) -> None:
    given = arguments(world, tmp_path)
    ran = call(*command.split(), *given)
    assert ran.code == code, ran.err
    # Indentation in source text is the only other thing that may move the cursor.
    shown = (
        ran.out.replace("\t", "") if command in ("code form", "code abstract") and "--json" not in given else ran.out
    )
    assert raw_characters(shown + ran.err) == set()
    assert not [line for line in (shown + ran.err).splitlines() if line.startswith(("error: faked", "# faked"))]
    if "--json" in given:
        json.loads(ran.out)
    for page in tmp_path.rglob("*.md"):
        text = page.read_text(encoding="utf-8").rpartition("---\n")[2]  # without its metadata, which is not shown
        assert raw_characters(text) == set()
        assert "<b>" not in text.replace("\\<b>", "")


@pytest.mark.slow
def test_a_matrix_of_hostile_texts(world: World, tmp_path: Path) -> None:
    chosen = ("--detectors", "length", "--views", "random", "--seeds", "1", "-o", tmp_path / "matrix")
    ran = run("matrix", "--on", world.benchmark, *chosen, *ORIGIN)
    assert ran.code == 0, ran.err
    assert raw_characters(ran.out + ran.err) == set()


def test_markup_is_shown_as_it_is(world: World) -> None:
    assert f"{MARKUP}\\x1b[31m" in call("info", world.benchmark).out
    assert MARKUP in call("sources", HOSTILE).err


def test_json_has_the_exact_text(world: World) -> None:
    card = call("info", world.benchmark, "--json").json["card"]
    assert (card["name"], card["licence"]) == (LINES, HOSTILE)


def test_formats_for_programs_are_exact_in_a_pipe(world: World) -> None:
    out = call("leaderboard", world.result, "--format", "csv").out
    assert f"p{NAME}".replace('"', '""') in out


def test_settings_with_hostile_names(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(world.folder / "settings")
    ran = call("find", world.sources)
    assert ran.code == 3
    assert MARKUP in ran.err
    assert raw_characters(ran.out + ran.err) == set()


def test_a_terminal_gets_no_exact_text(world: World) -> None:
    main, side = pty.openpty()
    command = ["leaderboard", str(world.result), "--format", "csv"]
    with subprocess.Popen([sys.executable, "-m", "clonetruth", *command], stdout=side, stderr=side) as process:
        os.close(side)
        shown = b""
        # Linux reports the end of a terminal as an error.
        with contextlib.suppress(OSError):
            while piece := os.read(main, 65536):
                shown += piece
    os.close(main)
    assert process.returncode == 0
    assert MARKUP in shown.decode()
    assert raw_characters(shown.decode().replace("\r\n", "").replace("\t", "")) == set()
