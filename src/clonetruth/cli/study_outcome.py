"""What comes of a study: agree, resolve, estimate, export."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from clonetruth.cli.engines import engine_options
from clonetruth.cli.output import json_option, show, show_json
from clonetruth.cli.study_judges import votes_option
from clonetruth.cli.study_output import show_agreement, show_estimate, show_resolution

if TYPE_CHECKING:
    from clonetruth.store.study import Study
    from clonetruth.studies import Resolution
    from clonetruth.studies.resolution import Votes

_path = click.Path(path_type=Path)
_study = click.argument("folder", metavar="STUDY", type=_path)
_policy = click.option(
    "--policy", default="adjudicated", show_default=True, help="How answers become a verdict: adjudicated, majority …"
)


@click.command()
@click.argument("folder", metavar="STUDY|BENCHMARK", type=_path)
@click.option("--criterion", default=None, help="What was asked of the pairs; needed where several things were.")
@click.option("--judges", multiple=True, metavar="JUDGE", help="Id or name of a judge, * for any; may be repeated.")
@click.option("--against", default=None, metavar="POLICY", help="Compare with a policy's verdicts: final, majority …")
@click.option("--of", default=None, metavar="JUDGE", help="Only the pairs that this judge, such as a tool, speaks of.")
@click.option("--undecided", is_flag=True, help="Count 'undecided' as an answer of its own.")
@click.option("--confidence", default=0.95, show_default=True, help="Of the intervals.")
@votes_option
@engine_options
@json_option
def agree(
    folder: Path,
    criterion: str | None,
    judges: tuple[str, ...],
    against: str | None,
    of: str | None,
    undecided: bool,
    confidence: float,
    url: str | None,
    engine: str | None,
    memory_limit: str | None,
    as_json: bool,
) -> None:
    """How far judges agree, on pairs and on methods: kappa and its kin, each with an interval."""
    from clonetruth.store import Benchmark, open_engine
    from clonetruth.store.study import is_study, read_study
    from clonetruth.studies.agreement import AgreementOptions, agreement_of_benchmark, agreement_of_study

    options = AgreementOptions(criterion, judges, against, of, undecided, confidence)
    if is_study(folder):
        found = agreement_of_study(read_study(folder), options, _ballots(folder, url))
    else:
        found = agreement_of_benchmark(Benchmark.open(folder, engine=open_engine(engine, memory_limit)), options)
    if as_json:
        show_json(found)
    else:
        show_agreement(found)


@click.command()
@_study
@_policy
@votes_option
@json_option
def resolve(folder: Path, policy: str, url: str | None, as_json: bool) -> None:
    """What the judges of a study conclude of each subject, and which ones are open."""
    from clonetruth.store.study import read_study

    study = read_study(folder)
    found = _resolved(study, policy, url)
    if as_json:
        show_json(
            {"policy": found.policy, "criterion": found.criterion, "assumptions": found.assumptions} | _rows(found)
        )
    else:
        show_resolution(study, found)


@click.command()
@_study
@_policy
@click.option("--confidence", type=float, default=None, help="Of the intervals; as planned unless told.")
@votes_option
@json_option
def estimate(folder: Path, policy: str, confidence: float | None, url: str | None, as_json: bool) -> None:
    """What share of the benchmark's labels is wrong, by a study: overall and for each functionality."""
    from clonetruth.store.study import read_study
    from clonetruth.studies import estimate_labels

    study = read_study(folder)
    found = estimate_labels(study, _resolved(study, policy, url), confidence)
    if as_json:
        show_json(found)
    else:
        show_estimate(found)


@click.command()
@_study
@click.option("--to", "target", required=True, type=_path, metavar="BENCHMARK", help="The benchmark that was sampled.")
@_policy
@click.option("--names", is_flag=True, help="Keep the names of people, who must have agreed; pseudonyms unless told.")
@votes_option
@json_option
def export(folder: Path, target: Path, policy: str, names: bool, url: str | None, as_json: bool) -> None:
    """Add the judgements of a study to its benchmark, and what it found of the labels. Twice adds nothing twice."""
    from clonetruth.store import Benchmark
    from clonetruth.store.study import read_study
    from clonetruth.studies import estimate_labels, export_study, resolve_study

    study = read_study(folder)
    votes = _ballots(folder, url, names=names)
    estimated = estimate_labels(study, resolve_study(study, policy, votes))
    found = export_study(study, Benchmark.open(target), votes=votes, estimate=estimated, names=names)
    if as_json:
        show_json(found)
        return
    show(
        f"{found.added:,} judgements of {found.judges:,} judges added to {found.benchmark}; "
        f"{found.known:,} were there already."
    )
    if found.left_out:
        show(f"{found.left_out:,} judgements are on pairs that the benchmark does not have, and were left out.")
    show(f"Written: {found.estimate}")


def _ballots(folder: Path, url: str | None, *, names: bool = False) -> Votes:
    from clonetruth.store.votes import read_votes

    return read_votes(folder, url, names=names)


def _resolved(study: Study, policy: str, url: str | None) -> Resolution:
    from clonetruth.studies import resolve_study

    return resolve_study(study, policy, _ballots(study.path, url))


def _rows(found: Resolution) -> dict[str, object]:
    """The verdicts as JSON has them."""
    parts = {"pairs": found.pairs, "methods": found.methods}
    return {
        name: None
        if part is None
        else {
            "counts": part.counts,
            "judged": part.judged,
            "open": part.open,
            "verdicts": part.verdicts.to_pylist(),
        }
        for name, part in parts.items()
    }
