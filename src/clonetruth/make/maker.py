"""`clonetruth make`: runs the stages of a recipe, one after the other, and goes on where it was."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from clonetruth import __version__
from clonetruth.errors import InputError, UnknownNameError
from clonetruth.make.making_folder import BENCHMARK, MakingFolder, MakingJournal
from clonetruth.make.recipe import MakeRecipe, StageStep, read_recipe, with_seed
from clonetruth.make.report import MakeReport, StageProgress, StageReport, StageState
from clonetruth.make.stage import StageEstimate, StageWork, WaitingError
from clonetruth.options.declaration import verb
from clonetruth.options.make import MakePlanOptions, MakeRunOptions, MakeStatusOptions
from clonetruth.progress import Progress, no_progress
from clonetruth.store import Engine, open_engine
from clonetruth.store.atomic import new_folder


@verb(MakeRunOptions)
def make_benchmark(options: MakeRunOptions, *, progress: Progress | None = None) -> MakeReport:
    """Make a benchmark by the stages of a recipe, or go on with one that has begun.

    Args:
        progress: called as the work goes on.

    Returns:
        What each stage did, and what the making waits for.

    Raises:
        InputError: the recipe is not valid or was changed, another maker works in the folder, or a stage fails.
        UnknownNameError: there is no such recipe or stage.

    Example:
        >>> report = clonetruth.make_benchmark("example", output="my-making")
        >>> report.finished
        True
    """
    recipe = read_recipe(options.recipe)
    if options.seed is not None:
        recipe = with_seed(recipe, options.seed, options.recipe)
    if options.until is not None and options.until not in (names := [one.name for one in recipe.steps]):
        raise UnknownNameError.suggest("stage of this recipe", options.until, names)
    folder = MakingFolder(options.output)
    folder.begin()
    engine = open_engine(options.engine, options.memory_limit)
    with folder.journal() as journal:
        _refuse_changes(folder, recipe, options.redo)
        folder.keep_recipe(recipe)
        _Maker(folder, recipe, journal, engine, progress or no_progress).run(options.until)
    return folder.progress(recipe)


@verb(MakePlanOptions)
def plan_make(options: MakePlanOptions) -> MakeReport:
    """Show what a recipe would do and cost. Nothing is asked, run or written.

    Returns:
        The stages, each with an estimate.

    Raises:
        InputError: the recipe is not valid.
        UnknownNameError: there is no such recipe or stage.

    Example:
        >>> [stage.name for stage in clonetruth.plan_make("example").stages][:2]
        ['index', 'search']
    """
    recipe = read_recipe(options.recipe)
    folder = MakingFolder(options.output or Path())
    if options.output is not None and folder.exists:
        found = folder.progress(recipe)
    else:
        steps = recipe.steps
        stages = tuple(StageProgress(one.name, one.stage.name, one.stage.description, StageState.OPEN) for one in steps)
        found = MakeReport(recipe.card.name, None, stages)
    engine = open_engine()
    estimated = []
    for step, stage in zip(recipe.steps, found.stages, strict=True):
        estimate = None
        if stage.state is not StageState.DONE:
            artefacts = _artefacts(folder, recipe, step)
            work = StageWork(step.name, step.key, recipe, step.options, folder.path, artefacts, folder.path, engine)
            missing = [name for name in step.stage.reads if not work.has(name)]
            estimate = (
                StageEstimate(note=f"unknown until there are {', '.join(missing)}")
                if missing
                else step.stage.estimate(work)
            )
        estimated.append(replace(stage, estimate=estimate))
    return replace(found, stages=tuple(estimated))


@verb(MakeStatusOptions)
def show_make(options: MakeStatusOptions) -> MakeReport:
    """Show how far the making in a folder is.

    Returns:
        The stages with their counts, cost and time, and what the making waits for.

    Raises:
        InputError: no making has begun in the folder.

    Example:
        >>> _ = clonetruth.make_benchmark("example", output="shown-making", until="search")
        >>> clonetruth.show_make("shown-making").stage("search").state.value
        'done'
    """
    folder = MakingFolder(options.folder)
    return folder.progress(folder.recipe())


class _Maker:
    """One call: runs what is not done."""

    def __init__(
        self, folder: MakingFolder, recipe: MakeRecipe, journal: MakingJournal, engine: Engine, progress: Progress
    ) -> None:
        self._folder = folder
        self._recipe = recipe
        self._journal = journal
        self._engine = engine
        self._progress = progress

    def run(self, until: str | None) -> None:
        for step in self._recipe.steps:
            if self._folder.report(step) is None and not self._run(step):
                return
            if step.name == until:
                return

    def _run(self, step: StageStep) -> bool:
        """Run a stage; whether it is done."""
        self._journal.note(step.name, "began", key=step.key)
        if BENCHMARK in step.stage.writes:
            # A maker that was killed between the benchmark and the report of its stage.
            self._folder.remove(step)
        started, processor = time.monotonic(), _processor_seconds()
        try:
            with new_folder(self._folder.output(step)) as output:
                outcome = step.stage.run(
                    StageWork(
                        name=step.name,
                        key=step.key,
                        recipe=self._recipe,
                        options=step.options,
                        making=self._folder.path,
                        artefacts=_artefacts(self._folder, self._recipe, step),
                        output=output,
                        engine=self._engine,
                        progress=self._progress,
                    )
                )
                report = StageReport(
                    name=step.name,
                    use=step.stage.name,
                    key=step.key,
                    taken=outcome.taken,
                    given=outcome.given,
                    left_out=outcome.left_out,
                    cost=outcome.cost,
                    seconds=round(time.monotonic() - started, 3),
                    cpu_seconds=round(_processor_seconds() - processor, 3),
                    time=datetime.now(UTC).isoformat(timespec="seconds"),
                    version=__version__,
                    notes=outcome.notes,
                    details=outcome.details,
                )
                self._folder.write_report(report, output)
        except WaitingError as waiting:
            self._journal.note(step.name, "waiting", **{"for": waiting.what, "cost": waiting.cost})
            return False
        self._journal.note(step.name, "done", given=dict(report.given), cost=report.cost)
        return True


def _artefacts(folder: MakingFolder, recipe: MakeRecipe, until: StageStep) -> dict[str, Path]:
    """Where the artefacts of the stages before one are; of two of a name, the later one."""
    found: dict[str, Path] = {}
    for step in recipe.steps:
        if step.name == until.name:
            break
        for name in step.stage.writes:
            path = folder.benchmark if name == BENCHMARK else folder.output(step) / name
            if folder.exists and path.exists():
                found[name] = path
    return found


def _refuse_changes(folder: MakingFolder, recipe: MakeRecipe, redo: bool) -> None:
    """Refuse a recipe that differs from what was made; with `redo`, remove the output of what changed."""
    begun = folder.begun(recipe)
    changed = [
        step
        for step in recipe.steps
        if ((report := folder.report(step)) is not None and report.key != step.key) or begun[step.name] - {step.key}
    ]
    if changed and not redo:
        raise InputError(
            f"The recipe changed after the stage '{changed[0].name}' had begun or was done.",
            where=folder.path,
            hint="Choose another folder, or give --redo to make it and what follows again; paid answers are kept.",
        )
    for step in _to_remove(recipe, changed):
        folder.remove(step)


def _to_remove(recipe: MakeRecipe, changed: Sequence[StageStep]) -> list[StageStep]:
    """What must be made again: what changed, everything after it, and what a changed stage has added to."""
    if not changed:
        return []
    first = recipe.steps.index(changed[0])
    added = {name for step in recipe.steps[first:] for name in step.stage.appends_to}
    for number, step in enumerate(recipe.steps[:first]):
        if added & set(step.stage.writes):
            first = min(first, number)
    return list(recipe.steps[first:])


def _processor_seconds() -> float:
    return sum(os.times()[:4])
