"""The folder of a making: the recipe, a journal, the outputs of its stages, and in the end the benchmark.

FOLDER/recipe.toml         the recipe, as it was last run
FOLDER/making.jsonl        one line for each stage that began, ended or waits; locked by the maker that runs
FOLDER/stages/NAME/        the output of a stage; appears whole when it is done
FOLDER/parts/NAME-KEY/     what a stage that takes long has done so far; removed when it is done
FOLDER/llm/*.jsonl         every answer that was paid for
FOLDER/studies/NAME/       the studies for people and language models
FOLDER/benchmark/          the benchmark
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from clonetruth.budgets import read_bytes, read_text
from clonetruth.errors import InputError
from clonetruth.judges.line_file import LineFile
from clonetruth.make.recipe import MakeRecipe, StageStep, parse_recipe
from clonetruth.make.report import STAGE_FORMAT, MakeReport, StageProgress, StageReport, StageState
from clonetruth.parsing import parse_json
from clonetruth.store.records import write_text

_RECIPE, _JOURNAL, _REPORT = "recipe.toml", "making.jsonl", "stage.json"
_HEADER = {"schema": "clonetruth-making", "schema_version": 1}
BENCHMARK = "benchmark"


class MakingFolder:
    """The folder of a making.

    Args:
        path: the folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def exists(self) -> bool:
        """Whether a making has begun here."""
        return (self.path / _JOURNAL).is_file()

    @property
    def benchmark(self) -> Path:
        """Where the benchmark is, or will be."""
        return self.path / BENCHMARK

    def begin(self) -> None:
        """Create the folder, unless a making has begun here.

        Raises:
            InputError: there is something else, or the parent folder is missing.
        """
        if self.exists:
            return
        if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise InputError(
                "The folder is not that of a making.", where=self.path, hint="Choose a new or an empty folder."
            )
        if not self.path.absolute().parent.is_dir():
            raise InputError("The parent folder does not exist.", where=self.path.parent, hint="Create it first.")
        self.path.mkdir(exist_ok=True)

    @contextmanager
    def journal(self) -> Iterator[MakingJournal]:
        """The journal, open for appending. Only one maker at a time can have it.

        Raises:
            InputError: another maker works in this folder, or the journal is damaged.
        """
        with LineFile(self.path / _JOURNAL, _HEADER, "the journal of this making") as file:
            yield MakingJournal(file)

    def keep_recipe(self, recipe: MakeRecipe) -> None:
        """Write the recipe into the folder, with the folder that its paths are relative to."""
        write_text(f"# paths are relative to: {recipe.folder}\n{recipe.text}", self.path / _RECIPE)
        for name in ("stages", "studies"):
            (self.path / name).mkdir(exist_ok=True)

    def recipe(self) -> MakeRecipe:
        """The recipe that was last run here.

        Raises:
            InputError: no making has begun here, or its recipe is damaged.
        """
        if not self.exists or not (self.path / _RECIPE).is_file():
            raise InputError("No making has begun here.", where=self.path, hint="Start one: clonetruth make run")
        text = read_text(self.path / _RECIPE)
        first, _, rest = text.partition("\n")
        return parse_recipe(rest, Path(first.partition(": ")[2]), self.path / _RECIPE)

    def output(self, step: StageStep) -> Path:
        """The output of a stage."""
        return self.path / "stages" / step.name

    def report(self, step: StageStep) -> StageReport | None:
        """What a stage did; None if it is not done.

        Raises:
            InputError: the report is damaged.
        """
        path = self.output(step) / _REPORT
        return STAGE_FORMAT.read(path) if path.is_file() else None

    def write_report(self, report: StageReport, output: Path) -> None:
        """Write what a stage did into its output."""
        (output / _REPORT).write_text(STAGE_FORMAT.text(report), encoding="utf-8")

    def remove(self, step: StageStep) -> None:
        """Remove the output of a stage. Answers that were paid for, and studies, are elsewhere and stay."""
        shutil.rmtree(self.output(step), ignore_errors=True)
        if BENCHMARK in step.stage.writes:
            shutil.rmtree(self.benchmark, ignore_errors=True)

    def _events(self) -> Iterator[dict[str, Any]]:
        for line in read_bytes(self.path / _JOURNAL, "member").split(b"\n")[1:-1]:
            yield parse_json(line)

    def begun(self, recipe: MakeRecipe) -> dict[str, set[str]]:
        """For each stage that adds to an earlier artefact: the keys under which it may have added to what is there."""
        found: dict[str, set[str]] = {step.name: set() for step in recipe.steps}
        steps = {step.name: step.stage for step in recipe.steps}
        for record in self._events():
            stage = steps.get(record["stage"])
            if stage is None or record["event"] != "began":
                continue
            if stage.appends_to:
                found[record["stage"]].add(record["key"])
            for name, other in steps.items():
                if set(stage.writes) & set(other.appends_to):
                    found[name].clear()
        return found

    def waiting(self) -> dict[str, str]:
        """What each stage waits for, by its name, as the journal says."""
        found: dict[str, str] = {}
        for record in self._events():
            found.pop(record["stage"], None)
            if record["event"] == "waiting":
                found[record["stage"]] = str(record["for"])
        return found

    def progress(self, recipe: MakeRecipe) -> MakeReport:
        """How far the making is."""
        waiting = self.waiting() if self.exists else {}
        stages = tuple(self._progress(step, waiting) for step in recipe.steps)
        made = self.benchmark if (self.benchmark / "benchmark.json").is_file() else None
        return MakeReport(recipe.card.name, self.path, stages, made)

    def _progress(self, step: StageStep, waiting: dict[str, str]) -> StageProgress:
        report = self.report(step)
        state, waits_for = StageState.OPEN, None
        if report is not None:
            state = StageState.DONE if report.key == step.key else StageState.OUTDATED
        elif step.name in waiting:
            state, waits_for = StageState.WAITING, waiting[step.name]
        return StageProgress(step.name, step.stage.name, step.stage.description, state, report, waits_for)


class MakingJournal:
    """The journal of a making, open for appending."""

    def __init__(self, file: LineFile) -> None:
        self._file = file

    def note(self, stage: str, event: str, **more: Any) -> None:
        """Append what happened to a stage."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        self._file.append({"stage": stage, "event": event, "time": now, **more})
