"""`clonetruth make …`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import Options, argument, option
from clonetruth.options.shared import EngineOptions, HtmlOptions, JsonOptions


@dataclass(frozen=True, kw_only=True)
class _RecipeOptions(Options):
    """What is made."""

    recipe: str = argument(
        accepts="PathLike[str]", help="A recipe: a TOML file, or the name of a recipe that ships with clonetruth."
    )


@dataclass(frozen=True, kw_only=True)
class MakeRunOptions(
    _RecipeOptions, EngineOptions, HtmlOptions, JsonOptions, command="make run", function="make_benchmark"
):
    """Make a benchmark from nothing, by the stages of a recipe.

    Stages that are done are kept; run the same command again to go on after a stop, a kill, or a wait for judges. What
    was paid for is never asked again. The benchmark is FOLDER/benchmark. Exits with 1 if a stage waits for something.
    """

    output: Path = option(names=("-o",), setting=False, help="The folder of the making: new, or one to go on with.")
    seed: int | None = option(
        None, setting=False, help="Random seed of the stages that draw and do not state their own (default: theirs)."
    )
    redo: bool = option(False, setting=False, help="Make stages again whose part of the recipe has changed.")
    until: str | None = option(None, setting=False, metavar="STAGE", help="Stop after this stage.")


@dataclass(frozen=True, kw_only=True)
class MakePlanOptions(_RecipeOptions, JsonOptions, command="make plan", function="plan_make"):
    """Show what a recipe would do, and what it would cost. Nothing is asked, run or written.

    What depends on a stage that is not done yet is unknown; with -o, stages that are done are taken into account.
    """

    output: Path | None = option(
        None, names=("-o",), setting=False, help="The folder of the making, if it has begun (default: a new one)."
    )


@dataclass(frozen=True, kw_only=True)
class MakeStatusOptions(HtmlOptions, JsonOptions, command="make status", function="show_make"):
    """Show how far the making in a folder is: counts, cost and time of each stage, and what it waits for."""

    folder: Path = argument(help="The folder of the making.")
