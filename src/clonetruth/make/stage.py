"""Stages: the steps of a recipe. Each reads artefacts of earlier stages and writes its own, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clonetruth.errors import InputError
from clonetruth.progress import Progress, no_progress
from clonetruth.store import Engine

if TYPE_CHECKING:
    from clonetruth.make.recipe import MakeRecipe


class WaitingError(Exception):
    """A stage cannot be finished yet: somebody must do something first. What was done so far is kept.

    Args:
        what: what it waits for, as a sentence.
        cost: what it has cost so far; None if unknown or nothing.
    """

    def __init__(self, what: str, cost: float | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.cost = cost


@dataclass(frozen=True)
class StageOutcome:
    """What a stage did.

    Attributes:
        taken: what it took in, in numbers.
        given: what it gave out, in numbers.
        left_out: why the rest was left out, in numbers.
        cost: what its requests have cost in total; None if nothing was asked, or the price is unknown.
        notes: what a reader should know.
        details: tables of the report, as JSON values.
    """

    taken: Mapping[str, int] = field(default_factory=dict)
    given: Mapping[str, int] = field(default_factory=dict)
    left_out: Mapping[str, int] = field(default_factory=dict)
    cost: float | None = None
    notes: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class StageEstimate:
    """What a stage would do.

    Attributes:
        counts: what it would handle, in numbers.
        cost: the expected cost; None if it costs nothing, or is unknown.
        note: what cannot be known yet, or is worth knowing.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    cost: float | None = None
    note: str | None = None


@dataclass(frozen=True)
class StageWork:
    """What a stage works with.

    Attributes:
        name: the name of the stage in the recipe.
        key: identifies what it makes.
        recipe: the whole recipe.
        options: the keys of the stage, an instance of `Stage.options`.
        making: the folder of the making; what must survive a kill, such as paid answers, is kept there.
        artefacts: where the artefacts of earlier stages are, by name.
        output: the stage's own folder, which appears under its name when the stage is done; not there in a plan.
        engine: runs SQL.
        progress: progress callback.
    """

    name: str
    key: str
    recipe: MakeRecipe
    options: Any
    making: Path
    artefacts: Mapping[str, Path]
    output: Path
    engine: Engine
    progress: Progress = no_progress

    def artefact(self, name: str) -> Path:
        """Where an artefact of an earlier stage is."""
        return self.artefacts[name]

    def has(self, *names: str) -> bool:
        """Whether earlier stages have written all these artefacts."""
        return all(name in self.artefacts for name in names)

    @property
    def study(self) -> Path:
        """Where the study of the stage is: a changed recipe draws a new one, and leaves the votes of the old one."""
        return self.making / "studies" / f"{self.name}-{self.key[:8]}"

    def path(self, given: str) -> Path:
        """A path of the recipe: relative to the recipe's own folder.

        Raises:
            InputError: there is no such file or folder.
        """
        found = self.recipe.folder / Path(given).expanduser()
        if not found.exists():
            raise InputError("There is no such file or folder.", where=found, hint="The recipe names it.")
        return found


def _no_estimate(work: StageWork) -> StageEstimate:
    return StageEstimate()


def _no_files(options: Any) -> tuple[str, ...]:
    return ()


def _no_check(options: Any) -> None:
    return None


@dataclass(frozen=True)
class Stage:
    """A registered kind of stage.

    Attributes:
        name: its name in `STAGES`.
        description: what it does, in a sentence.
        options: the frozen dataclass of its keys in a recipe.
        run: does the work. Raises `WaitingError` if it cannot be finished yet.
        reads: the artefacts that it needs.
        writes: the artefacts that it makes, files or folders of that name in its output.
        appends_to: the artefacts of earlier stages that it adds to, as a judge adds to the candidates.
        effort: keys that change how long or how far it works, not what it makes: they may change in a making.
        estimate: what it would do and cost, from the artefacts that exist.
        files: the small files that its keys name, whose content counts as part of the recipe.
        check: refuses keys that cannot be followed (`InputError`), before anything runs.
    """

    name: str
    description: str
    options: type[Any]
    run: Callable[[StageWork], StageOutcome]
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    appends_to: tuple[str, ...] = ()
    effort: tuple[str, ...] = ()
    estimate: Callable[[StageWork], StageEstimate] = _no_estimate
    files: Callable[[Any], tuple[str, ...]] = _no_files
    check: Callable[[Any], None] = _no_check
