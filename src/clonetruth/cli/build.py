"""`clonetruth build …`: benchmarks made of benchmarks, one verb for each recipe."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from clonetruth.cli.build_functionalities import functionalities
from clonetruth.cli.build_mutants import inject, mutants
from clonetruth.cli.build_output import show_report
from clonetruth.cli.engines import engine_options
from clonetruth.cli.output import json_option, show_json

Command = TypeVar("Command", bound=Callable[..., Any])

_path = click.Path(path_type=Path)
_benchmark = click.argument("folder", metavar="BENCHMARK", type=_path)
_seed = click.option("--seed", default=0, show_default=True, help="Another seed is another draw.")


def _shared(command: Command) -> Command:
    """What every verb takes: the place of the new benchmark, the engine, and JSON."""
    output = click.option("-o", "--output", required=True, type=_path, help="The benchmark folder to make.")
    return output(engine_options(json_option(command)))


@click.group()
def build() -> None:
    """Make a benchmark of another one, by a recipe that is recorded in it.

    Each step is counted; the report goes to results/build.json of the new folder.
    """


@build.command("bcb-pairs")
@_benchmark
@click.option("--true/--no-true", "true_pairs", default=True, help="Pairs within exemplars and tagged true.")
@click.option("--false/--no-false", "false_pairs", default=True, help="Exemplars × tagged false.")
@_shared
def bcb_pairs(**options: Any) -> None:
    """Make the pairs of a benchmark anew by BigCloneBench's own rule."""
    _run("bcb-pairs", options)


@build.command("confidence-bcb")
@_benchmark
@click.option("--judges", default=2, show_default=True, help="People who must agree on a tag; 1 leaves the step out.")
@click.option(
    "--agreement",
    type=click.Choice(("at-least", "unanimous")),
    default="at-least",
    show_default=True,
    help="Whether somebody may disagree with them.",
)
@click.option("--evidence", type=click.Choice(("judgements", "claims")), help="Where judges are known from.")
@click.option("--keep-exemplars/--judge-exemplars", default=True, help="Exemplars need no judges (the default).")
@click.option("--files", type=_path, help="Folder or archive of source files, for the expansion by the call graph.")
@click.option(
    "--scope", type=click.Choice(("file", "project")), default="file", show_default=True, help="Where calls may lead."
)
@click.option("--depth", type=int, help="How many calls deep to expand; all unless told.")
@click.option("--threshold", default=0.2, show_default=True, help="Line similarity above which a fragment is merged.")
@click.option("--no-merge", is_flag=True, help="Leave the merging out.")
@click.option(
    "--likeness",
    type=click.Choice(("measured", "claimed")),
    default="measured",
    show_default=True,
    help="Which line similarity: ours, or the source's.",
)
@click.option(
    "--reference",
    type=click.Choice(("exemplars", "merged")),
    default="exemplars",
    show_default=True,
    help="Similar to whom.",
)
@click.option("--expanded/--unexpanded", default=True, help="Measure the expanded texts (the default), or not.")
@click.option("--tagged-pairs", is_flag=True, help="Keep pairs of two fragments that are merely tagged true.")
@click.option("--cap", default=500, show_default=True, help="The most fragments of a functionality.")
@click.option("--no-cap", is_flag=True, help="Leave the cap out.")
@click.option(
    "--capped",
    type=click.Choice(("fragments", "sides")),
    default="fragments",
    show_default=True,
    help="What the cap counts: all fragments, or true and false ones each.",
)
@click.option(
    "--negatives",
    type=click.Choice(("all", "original")),
    default="all",
    show_default=True,
    help="Exemplars that stand in false pairs.",
)
@_seed
@_shared
def confidence_bcb(threshold: float, no_merge: bool, cap: int, no_cap: bool, **options: Any) -> None:
    """Make ConBigCloneBench (Li et al. 2023) of a BigCloneBench, step by step.

    Agreed tags, expansion by the call graph, merging with the exemplars, a cap, and pairs anew. What the paper leaves
    open is an option here, and is recorded.
    """
    limits = {"threshold": None if no_merge else threshold, "cap": None if no_cap else cap}
    _run("confidence-bcb", {**options, **limits})


@build.command()
@_benchmark
@click.option(
    "--at-least", "solutions", default=500, show_default=True, help="Accepted solutions that a problem needs."
)
@click.option("--cap", type=int, help="The most solutions of a problem, drawn by hash; all unless told.")
@click.option("--contradictory/--keep-contradictory", default=True, help="Leave out texts that are in two problems.")
@click.option("--copies/--keep-copies", default=True, help="Leave out further copies of a text in its problem.")
@click.option("--positives", type=int, help="The most pairs within problems, drawn by hash; all unless told.")
@click.option("--ratio", default=1.0, show_default=True, help="Pairs across problems for each pair within one.")
@_seed
@_shared
def contest(**options: Any) -> None:
    """Balance a contest source and pair it, by the recipe of GoogleCodeJam2 (Li et al. 2023).

    The pairs have no labels: the policy 'members' decides on them from what the online judge accepted.
    """
    _run("contest", options)


@build.command()
@click.argument("plan", type=_path)
@_benchmark
@click.option("--code", "codes", multiple=True, help="Apply the steps of this rule only; may be given several times.")
@_shared
def apply(plan: Path, codes: tuple[str, ...], **options: Any) -> None:
    """Apply the mechanical steps of PLAN, which `clonetruth audit --fix-plan` printed for this benchmark."""
    from clonetruth.build.fixes import read_plan

    _run("apply", {**options, "plan": read_plan(plan), "codes": codes})


@build.command("label-quality")
@click.argument("folder", metavar="JUDGED", type=_path)
@click.option("--threshold", default=0.2, show_default=True, help="Line similarity that divides the pairs.")
@click.option("--exemplars", type=_path, metavar="BENCHMARK", help="Divide by likeness to its exemplars instead.")
@engine_options
@json_option
def label_quality(
    folder: Path, threshold: float, exemplars: Path | None, engine: str | None, memory_limit: str | None, as_json: bool
) -> None:
    """Compare a dataset's clone labels with the judgements on them, above and below a line similarity.

    JUDGED is a benchmark of judged pairs, such as bcb406: does the threshold of ConBigCloneBench improve labels?
    """
    from clonetruth.build.label_quality import label_quality as measure
    from clonetruth.cli.build_output import show_label_quality
    from clonetruth.store import Benchmark, open_engine

    runs_on = open_engine(engine, memory_limit)
    examples = None if exemplars is None else Benchmark.open(exemplars, engine=runs_on)
    found = measure(Benchmark.open(folder, engine=runs_on), threshold, examples)
    if as_json:
        show_json(found)
    else:
        show_label_quality(found)


def _run(name: str, options: dict[str, Any]) -> None:
    """Take the shared options out, build, and print the report."""
    from clonetruth.build import RECIPES, read_options
    from clonetruth.store import Benchmark, open_engine

    folder, output, as_json = options.pop("folder"), options.pop("output"), options.pop("as_json")
    engine = open_engine(options.pop("engine"), options.pop("memory_limit"))
    recipe = RECIPES[name]
    report = recipe.build(Benchmark.open(folder, engine=engine), output, read_options(recipe.options, options))
    if as_json:
        show_json(report)
    else:
        show_report(report)


build.add_command(functionalities)
build.add_command(mutants)
build.add_command(inject)
