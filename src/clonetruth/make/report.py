"""What a making did: one report for each stage, kept with its output, and the funnel of all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clonetruth.make.stage import StageEstimate, StageOutcome, StageWork
from clonetruth.store.datasheet import FUNNEL
from clonetruth.store.records import RecordFormat

if TYPE_CHECKING:
    from clonetruth.make.recipe import StageStep


class StageState(StrEnum):
    """How far a stage is."""

    DONE = "done"
    WAITING = "waiting"
    OPEN = "open"
    OUTDATED = "outdated"


@dataclass(frozen=True)
class StageReport:
    """What a stage did; the file `stage.json` of its output.

    Attributes:
        name: its name in the recipe.
        use: the registered stage.
        key: identifies what it made.
        taken: what it took in, in numbers.
        given: what it gave out, in numbers.
        left_out: why the rest was left out, in numbers.
        cost: what its requests have cost; None if nothing was asked, or the price is unknown.
        seconds: how long the last attempt took.
        cpu_seconds: the processor time of that attempt, child processes included.
        time: when it ended, in ISO 8601.
        version: the version of clonetruth.
        notes: what a reader should know.
        details: further tables, as JSON values.
    """

    name: str
    use: str
    key: str
    taken: Mapping[str, int]
    given: Mapping[str, int]
    left_out: Mapping[str, int]
    cost: float | None
    seconds: float
    cpu_seconds: float
    time: str
    version: str
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)


STAGE_FORMAT = RecordFormat(StageReport, "clonetruth-make-stage", 1, "stage report", "clonetruth make run")


def make_lineage(work: StageWork, outcome: StageOutcome | None = None, *, tables: Sequence[str] = ()) -> dict[str, Any]:
    """How the benchmark of a stage was made: every choice, and what each stage did.

    Args:
        work: the stage that writes the benchmark.
        outcome: what is known of this stage itself, while the benchmark is written (default: nothing).
        tables: which of its details the datasheet shows.
    """
    steps: list[dict[str, Any]] = []
    for step in work.recipe.steps:
        if step.name == work.name:
            if outcome is not None:
                shown = {name: outcome.details[name] for name in tables if outcome.details.get(name)}
                steps.append({**_lineage_step(step, outcome), "tables": shown})
            break
        path = work.making / "stages" / step.name / "stage.json"
        if path.is_file():
            steps.append(_lineage_step(step, STAGE_FORMAT.read(path)))
    return {**work.recipe.parameters, FUNNEL: steps}


def _lineage_step(step: StageStep, found: StageReport | StageOutcome) -> dict[str, Any]:
    return {
        "step": step.name,
        "does": step.stage.description,
        "in": dict(found.taken),
        "out": dict(found.given),
        "left out": dict(found.left_out),
        "notes": list(found.notes),
    }


@dataclass(frozen=True)
class StageProgress:
    """A stage of a making.

    Attributes:
        name: its name in the recipe.
        use: the registered stage.
        description: what it does.
        state: how far it is.
        report: what it did, if it is done.
        waits_for: what it waits for.
        estimate: what it would do, if that was asked for.
    """

    name: str
    use: str
    description: str
    state: StageState
    report: StageReport | None = None
    waits_for: str | None = None
    estimate: StageEstimate | None = None


@dataclass(frozen=True)
class MakeReport:
    """How far a making is.

    Attributes:
        name: the name of the benchmark.
        folder: the folder of the making; None in the plan of a new one.
        stages: the stages in order.
        benchmark: the benchmark, once it is made.
    """

    name: str
    folder: Path | None
    stages: tuple[StageProgress, ...]
    benchmark: Path | None = None

    @property
    def finished(self) -> bool:
        """Whether all stages are done."""
        return all(one.state is StageState.DONE for one in self.stages)

    @property
    def waits_for(self) -> str | None:
        """What the first stage that waits is waiting for."""
        return next((one.waits_for for one in self.stages if one.state is StageState.WAITING), None)

    @property
    def cost(self) -> float | None:
        """The cost of all stages with a known cost; None if there is none."""
        costs = [one.report.cost for one in self.stages if one.report is not None and one.report.cost is not None]
        return sum(costs) if costs else None

    def stage(self, name: str) -> StageProgress:
        """A stage by its name."""
        return next(one for one in self.stages if one.name == name)
