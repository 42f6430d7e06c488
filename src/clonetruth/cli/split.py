"""`clonetruth split`: fragments divided into train, valid and test so that nothing leaks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clonetruth.cli.engines import engine_options
from clonetruth.cli.output import json_option, progress_bar, show, show_json, show_table

if TYPE_CHECKING:
    from clonetruth.splits import Split, SplitOptions
    from clonetruth.store import Benchmark

_path = click.Path(path_type=Path)
_count = click.IntRange(min=1)


@dataclass(frozen=True)
class SplitCall:
    """The options of the command, as it was called."""

    folder: Path
    view: str | None
    seed: int
    ratio: str
    variant: str | None
    folds: int | None
    fold: int | None
    policy: str
    criterion: str | None
    near_duplicates: str
    one_class: bool
    min_fragments: int
    min_pairs: int
    train_pairs: int | None
    valid_pairs: int | None
    test_pairs: int | None
    clone_share: float | None
    balance: bool
    against: tuple[Path, ...]
    name: str | None
    replace: bool
    report: Path | None
    verify: str | None
    shift: str | None
    output: Path | None
    engine: str | None
    memory_limit: str | None
    as_json: bool

    def options(self) -> SplitOptions:
        """What the library is asked for."""
        from clonetruth.splits import Sampling, SplitOptions, read_ratio

        return SplitOptions(
            view=self.view or "",
            seed=self.seed,
            ratio=read_ratio(self.ratio),
            variant=self.variant,
            policy=self.policy,
            criterion=self.criterion,
            near_duplicates=self.near_duplicates == "together",
            both_classes=not self.one_class,
            min_fragments=self.min_fragments,
            min_pairs=self.min_pairs,
            folds=self.folds,
            fold=self.fold,
            sampling=Sampling(self.train_pairs, self.valid_pairs, self.test_pairs, self.clone_share, self.balance),
            against=tuple(str(path.absolute()) for path in self.against),
            label=self.name,
        )


@click.command()
@click.argument("folder", metavar="BENCHMARK", type=_path)
@click.option(
    "--view", metavar="NAME", help="How to divide: random, cross-project, cross-functionality … (docs/views.md)."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed is another split.")
@click.option("--ratio", default="3:1:1", show_default=True, help="train:valid:test; 4:0:1 for no valid.")
@click.option("--variant", metavar="NAME", help="A variant of the view: li2023 of cross-functionality.")
@click.option("--folds", type=int, help="Divide into so many folds; give --fold too.")
@click.option("--fold", type=int, help="The fold that is test, from 1; the next one is valid.")
@click.option("--policy", default="default", show_default=True, help="Whose verdicts count.")
@click.option("--criterion", help="What was asked of the judges; the card's criterion unless told.")
@click.option(
    "--near-duplicates",
    type=click.Choice(("together", "apart")),
    default="together",
    show_default=True,
    help="Whether near-duplicate texts stay on one side.",
)
@click.option("--one-class", is_flag=True, help="Permit parts without clones or without non-clones.")
@click.option("--min-fragments", type=click.IntRange(min=0), default=1, help="The fewest fragments of a part.")
@click.option("--min-pairs", type=click.IntRange(min=0), default=1, help="The fewest pairs of a part.")
@click.option("--train-pairs", type=_count, help="Draw at most so many pairs of train.")
@click.option("--valid-pairs", type=_count, help="Draw at most so many pairs of valid.")
@click.option("--test-pairs", type=_count, help="Draw at most so many pairs of test.")
@click.option("--clone-share", type=float, help="Draw pairs so that this share are clones.")
@click.option("--balance", is_flag=True, help="Draw as many pairs of each functionality, as far as they go.")
@click.option("--against", type=_path, multiple=True, help="A list of pairs, or a benchmark, that counts as seen.")
@click.option("--name", help="The split's name, instead of view and seed.")
@click.option("--replace", is_flag=True, help="Replace a split of that name.")
@click.option("--report", type=_path, help="Write the page of what the split changes.")
@click.option("--verify", metavar="SPLIT", help="Build a split again, compare, and do nothing else.")
@click.option("--shift", metavar="SPLIT", help="Write the page of a split that is there, to --output.")
@click.option("-o", "--output", type=_path, help="Where --shift writes its page.")
@engine_options
@json_option
def split(**options: Any) -> None:
    """Divide the fragments of a benchmark into train, valid and test so that nothing leaks.

    Writes splits/NAME.parquet into the benchmark. Pairs are in a part when both fragments are; none crosses. The
    leakage rules of the audit are run before anything is written.
    """
    from clonetruth.store import Benchmark, open_engine

    call = SplitCall(**options)
    asked = [name for name in ("view", "verify", "shift") if getattr(call, name) is not None]
    if len(asked) != 1:
        raise click.UsageError("Give one of --view, --verify and --shift.")
    if (call.output is not None) is not (call.shift is not None):
        raise click.UsageError("--shift and --output belong together.")
    benchmark = Benchmark.open(call.folder, engine=open_engine(call.engine, call.memory_limit))
    if call.verify is not None:
        _verify(benchmark, call.verify, as_json=call.as_json)
    elif call.shift is not None and call.output is not None:
        _write_page(benchmark, call.shift, call.output)
    else:
        _split(benchmark, call)


def _split(benchmark: Benchmark, call: SplitCall) -> None:
    from clonetruth.splits import split as run

    with progress_bar() as progress:
        made = run(benchmark, call.options(), progress, replace=call.replace)
    if call.as_json:
        show_json(made)
    else:
        _show(made)
    if call.report is not None:
        _write_page(benchmark, made.name, call.report)


def _show(made: Split) -> None:
    rows = [
        (name, one.fragments, one.pairs, one.clones, one.pairs - one.clones, one.functionalities)
        for name, one in made.parts.items()
    ]
    show_table(made.name, ("part", "fragments", "pairs", "clones", "non-clones", "functionalities"), rows)
    if made.left_out:
        show_table("Left out", ("because", "fragments"), list(made.left_out.items()))
    show(f"{made.crossing:,} pairs with a verdict are in no part.")
    show(f"The leakage rules {', '.join(made.rules)} found nothing.")
    if not made.options.near_duplicates:
        show("Near duplicates are apart, as asked: CT503 and CT504 were not run.")
    show(f"Digest: {made.digest}")
    show(f"Written: {made.path}")


def _verify(benchmark: Benchmark, name: str, *, as_json: bool) -> None:
    from clonetruth.splits import read_split, verify_split

    with progress_bar() as progress:
        verify_split(benchmark, name, progress)
    made = read_split(benchmark, name)
    if as_json:
        show_json({"name": name, "digest": made.digest, "same": True})
    else:
        show(f"Built again, {name} is the same: {made.digest}")


def _write_page(benchmark: Benchmark, name: str, path: Path) -> None:
    from clonetruth.code import available_cores
    from clonetruth.html import write
    from clonetruth.report.shift import shift_page
    from clonetruth.splits.shift import measure_shift

    with progress_bar() as progress:
        shift = measure_shift(benchmark, name, progress, processes=available_cores())
    click.echo(f"Written: {write(shift_page(shift), path)}", err=True)
