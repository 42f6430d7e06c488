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

    Finished stages are kept: run the same command again to continue after an interruption, or when the judges are done.
    No model is asked, and paid for, twice. The benchmark is FOLDER/benchmark. Exits with 1 if a stage waits for
    something.
    """

    output: Path = option(
        names=("-o",), setting=False, help="The output folder: new, or that of an earlier run to continue."
    )
    seed: int | None = option(
        None, setting=False, help="Random seed for stages whose recipe states none (default: their own)."
    )
    redo: bool = option(False, setting=False, help="Repeat the stages whose part of the recipe has changed.")
    until: str | None = option(None, setting=False, metavar="STAGE", help="Stop after this stage.")


@dataclass(frozen=True, kw_only=True)
class MakePlanOptions(_RecipeOptions, JsonOptions, command="make plan", function="plan_make"):
    """Show what a recipe would do, and what it would cost. Nothing is asked, run or written.

    What depends on an unfinished stage is unknown; with -o, finished stages are taken into account.
    """

    output: Path | None = option(
        None,
        names=("-o",),
        setting=False,
        help="The output folder, if the recipe was run already (default: a new one).",
    )


@dataclass(frozen=True, kw_only=True)
class MakeStatusOptions(HtmlOptions, JsonOptions, command="make status", function="show_make"):
    """Show the progress of `make run`: counts, cost and time of each stage, and what it waits for."""

    folder: Path = argument(help="The output folder of `make run`.")
