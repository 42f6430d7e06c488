"""`clonetruth study sample` and `study info`: the sample, and how it was drawn."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clonetruth.cli.engines import engine_options
from clonetruth.cli.output import json_option, progress_bar, show_json
from clonetruth.cli.study_output import show_study

if TYPE_CHECKING:
    from clonetruth.store import Benchmark
    from clonetruth.store.study import Study
    from clonetruth.studies import SampleOptions

_path = click.Path(path_type=Path)


@click.command()
@click.argument("folder", metavar="BENCHMARK", type=_path)
@click.option("-o", "--output", required=True, type=_path, help="The study folder to make.")
@click.option(
    "--where", default=None, metavar="CONDITION", help="Draw from the pairs for which this SQL condition holds."
)
@click.option("--policy", default="origin", show_default=True, help="Whose verdict 'verdict' is in the condition.")
@click.option("--criterion", default=None, help="What that policy reads; the benchmark's own criterion unless told.")
@click.option("--rule", default=None, help="Whose measures 'clone_type' and similarities are, where there are several.")
@click.option("--stratify", multiple=True, metavar="COLUMN", help="Draw from each value of a column; may be repeated.")
@click.option("--confidence", default=0.95, show_default=True, help="Of the interval that the size is planned for.")
@click.option("--margin", default=0.05, show_default=True, help="Half the width of that interval.")
@click.option("--n", "size", type=click.IntRange(min=1), default=None, help="Draw so many, whatever the margin.")
@click.option(
    "--allocation",
    type=click.Choice(("largest-remainder", "round", "neyman")),
    default="largest-remainder",
    show_default=True,
    help="How the sample is shared out among strata.",
)
@click.option("--cover", is_flag=True, help="Draw at least one pair of each stratum; those are marked as extra.")
@click.option("--methods", is_flag=True, help="Put the methods of the pairs before the judges, too.")
@click.option(
    "--protocol", default=None, help="A protocol's name, or a TOML file; asks the card's criterion unless told."
)
@click.option("--title", default=None, help="Its name for people.")
@click.option("--seed", default=0, show_default=True, help="Another seed is another sample.")
@engine_options
@json_option
def sample(
    folder: Path,
    output: Path,
    where: str | None,
    policy: str,
    criterion: str | None,
    rule: str | None,
    stratify: tuple[str, ...],
    confidence: float,
    margin: float,
    size: int | None,
    allocation: str,
    cover: bool,
    methods: bool,
    protocol: str | None,
    title: str | None,
    seed: int,
    engine: str | None,
    memory_limit: str | None,
    as_json: bool,
) -> None:
    """Draw a sample of a benchmark's pairs for judges.

    The size is what the margin needs, with the finite-population correction. docs/studies.md lists the columns that a
    condition may speak of, among them label, verdict, clone_type, functionality, left_language.
    """
    from clonetruth.stats.sample_size import Allocation
    from clonetruth.store import Benchmark, open_engine
    from clonetruth.studies import PopulationOptions, SampleOptions, choose_protocol

    benchmark = Benchmark.open(folder, engine=open_engine(engine, memory_limit))
    options = SampleOptions(
        protocol=choose_protocol(protocol or benchmark.card.criterion),
        population=PopulationOptions(where, policy, criterion, rule, stratify),
        title=title,
        confidence=confidence,
        margin=margin,
        size=size,
        allocation=Allocation(allocation),
        cover=cover,
        methods=methods,
        seed=seed,
    )
    _show(_drawn(benchmark, output, options), as_json)


def _drawn(benchmark: Benchmark, output: Path, options: SampleOptions) -> Study:
    """Draw; known pairs come from the embedded benchmark where the protocol wants such."""
    from clonetruth.sources import embedded
    from clonetruth.studies import draw_study

    protocol = options.protocol.protocol
    with progress_bar() as progress, tempfile.TemporaryDirectory(prefix="clonetruth-known-") as scratch:
        wanted = protocol.training or protocol.attention
        known = embedded.build(Path(scratch) / "embedded") if wanted else None
        return draw_study(benchmark, output, options, known=known, progress=progress)


@click.command()
@click.argument("folder", metavar="STUDY", type=_path)
@json_option
def info(folder: Path, as_json: bool) -> None:
    """What a study asks, of what, and how its sample was drawn."""
    from clonetruth.store.study import read_study

    _show(read_study(folder), as_json)


def _show(study: Study, as_json: bool) -> None:
    if as_json:
        tables = ("subjects", "methods", "functionalities", "checks")
        counts = {name: getattr(study, name).num_rows for name in tables}
        show_json({"path": study.path, "plan": study.plan, **counts})
    else:
        show_study(study)
