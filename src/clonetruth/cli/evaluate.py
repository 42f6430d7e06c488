"""`clonetruth evaluate`: what a detector finds, and how sure one can be."""

from __future__ import annotations

import dataclasses
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clonetruth.cli.engines import engine_options
from clonetruth.cli.evaluate_call import EvaluateCall
from clonetruth.cli.output import json_option, progress_bar, show_warning
from clonetruth.errors import InputError
from clonetruth.progress import Progress

if TYPE_CHECKING:
    from clonetruth.evaluate.locations.evaluation import StudyRequest
    from clonetruth.evaluate.locations.reported import ReportFiles
    from clonetruth.store import Benchmark
    from clonetruth.store.results import Result

_PREDICTIONS = "predictions"
_SIMILARITIES = {"avg": "average"}
_path = click.Path(path_type=Path)
_size = click.IntRange(min=0)


def _filter(*names: str, what: str) -> Callable[[Any], Any]:
    return click.option(*names, type=_size, default=None, help=what)


def _similarity(context: click.Context, parameter: click.Parameter, value: str) -> str:
    return _SIMILARITIES.get(value.lower(), value.lower())


@click.command()
@click.argument("reports", nargs=-1, type=_path, metavar="[REPORT]...")
@click.option("--on", type=_path, help="The benchmark folder; or a dataset's own files, imported for this run.")
@click.option("--answers", type=_path, help="A list of answers instead of a benchmark: left id, right id, 0 or 1.")
@click.option(
    "--detector", "detectors", multiple=True, help="A detector of `clonetruth detectors` to run on the pairs."
)
@click.option("--name", "names", multiple=True, help="What the detector is called; for several, in their order.")
@click.option("--reader", help="The format of the reports (see docs/reports.md), or 'predictions'; recognised else.")
@click.option("--together", is_flag=True, help="The reports are parts of one.")
@click.option("--root", help="The folder that the tool was run on, to be cut off the paths in its report.")
@click.option("--strict", is_flag=True, help="Refuse a report with a bad row, instead of leaving the row out.")
@click.option(
    "--bigcloneeval",
    "behaviour",
    type=click.Choice(["repaired", "as-shipped"]),
    default="repaired",
    show_default=True,
    help="Numbers as BigCloneEval documents them, or of the published program with its defects.",
)
@click.option(
    "-m",
    "--matcher",
    "--matcher-coverage",
    "matcher",
    default="coverage:0.7",
    show_default=True,
    help="coverage:0.7[,line=2|,ratio=0.8], exact, near:2, subsume:line=3, subsume:ratio=0.2.",
)
@_filter("--min-lines", "--mil", "--minimum-lines", what="Lines of the smaller function, at least.")
@_filter("--max-lines", "--mal", "--maximum-lines", what="Lines of the larger function, at most.")
@_filter(
    "--min-pretty-lines",
    "--mip",
    "--min-pretty",
    "--minimum-pretty",
    what="The same of pretty-printed lines, at least.",
)
@_filter(
    "--max-pretty-lines", "--map", "--max-pretty", "--maximum-pretty", what="The same of pretty-printed lines, at most."
)
@_filter("--min-tokens", "--mit", "--minimum-tokens", what="Tokens of the smaller function, at least.")
@_filter("--max-tokens", "--mat", "--maximum-tokens", what="Tokens of the larger function, at most.")
@_filter("--min-judges", "-j", "--mij", "--minimum-judges", what="Judges, at least.")
@_filter("--min-confidence", "--mic", "--minimum-confidence", what="Agreement of the judges, at least.")
@click.option(
    "--min-similarity", "-s", "--mis", "--minimum-similarity", type=int, default=0, help="Show no rows below, 0 to 100."
)
@click.option(
    "--similarity",
    "--st",
    "--similarity-type",
    "similarity",
    type=click.Choice(["both", "line", "token", "average", "avg"], case_sensitive=False),
    default="both",
    show_default=True,
    callback=_similarity,
    help="Which published similarity sorts pairs; both means the smaller one.",
)
@click.option("--policy", default="default", show_default=True, help="For pairs: how judgements become verdicts.")
@click.option("--criterion", help="For pairs: what the judges were asked.")
@click.option("--part", help="For pairs: measure this part only ('test').")
@click.option("--view", help="For pairs: the split that the part is of; the source's own parts unless told.")
@click.option("--validation", type=_path, help="For pairs: predictions for the validation part.")
@click.option("--threshold", type=float, help="For pairs: the score from which a pair is a clone.")
@click.option("--threshold-metric", default="f1", show_default=True, help="For pairs: what to choose a threshold for.")
@click.option(
    "--missing",
    type=click.Choice(["exclude", "not-clone", "refuse"]),
    default="exclude",
    show_default=True,
    help="For pairs: what becomes of pairs without a prediction.",
)
@click.option(
    "--correction",
    type=click.Choice(["independent", "as-published", "bounds", "prediction-powered", "none"]),
    default=None,
    help="For pairs: correct for wrong labels in this way only; in every way unless told.",
)
@click.option(
    "--judged", type=_path, help="For pairs: a benchmark with judgements that show how many labels are wrong."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of what is random.")
@click.option(
    "--study", type=_path, help="For reports: write the sample that would settle the precision, to be judged."
)
@click.option("--margin", type=float, default=0.05, show_default=True, help="The margin that the sample is for.")
@click.option("-o", "--output", type=_path, help="The result to write (JSON); for several, a folder.")
@click.option("--page", type=_path, help="A page of the results to write (HTML).")
@click.option(
    "--format",
    "layout",
    type=click.Choice(["table", "bigcloneeval"]),
    default="table",
    show_default=True,
    help="bigcloneeval prints the text report of the original.",
)
@engine_options
@json_option
def evaluate(**options: Any) -> None:
    """Measure a detector, with intervals, baselines, and what cannot be known.

    REPORT is what a tool wrote about a code base (BigCloneEval's CSV, NiCad, SourcererCC, jscpd, PMD, SARIF …), matched
    with the places of the benchmark's fragments; or predictions for pairs (left, right, score or label). Without any,
    the precision of the tools whose reported pairs the benchmark holds, from their judgements.
    """
    from clonetruth.cli.evaluate_output import print_results, write_results

    call = EvaluateCall(**options)
    _check(call)
    with progress_bar() as progress, _benchmark(call) as benchmark:
        results = list(_results(call, benchmark, progress))
        written = write_results(results, call.output)
        for result in results:
            for warning in result.warnings:
                show_warning(f"{result.detector}: {warning}")
        print_results(results, call, benchmark)
    if call.page is not None:
        from clonetruth.html import write
        from clonetruth.report.evaluation import evaluation_page

        written.append(write(evaluation_page(results), call.page))
    if not call.as_json and call.layout == "table":
        for path in written:
            click.echo(f"Written: {path}")


def _check(call: EvaluateCall) -> None:
    if not call.reports and not call.detectors and not call.on:
        raise click.UsageError("Give reports or predictions, or detectors to run with --detector.")
    if bool(call.on) == bool(call.answers):
        raise click.UsageError("Say what to measure against: either --on BENCHMARK, or --answers FILE.")
    if call.answers and call.detectors:
        raise click.UsageError("A list of answers has no code that a detector could look at; give --on BENCHMARK.")


@contextmanager
def _benchmark(call: EvaluateCall) -> Iterator[Benchmark | None]:
    """The benchmark to measure on; of a dataset's own files, one that lasts as long as the evaluation."""
    from clonetruth.sources import import_dataset
    from clonetruth.store import Benchmark
    from clonetruth.store.engine import open_engine

    if call.on is None:
        yield None
        return
    engine = open_engine(call.engine, memory_limit=call.memory_limit)
    if (call.on / "benchmark.json").exists():
        yield Benchmark.open(call.on, engine=engine)
        return
    with tempfile.TemporaryDirectory(prefix="clonetruth-benchmark-") as folder:
        imported = import_dataset("auto", [call.on], Path(folder, "benchmark"))
        for reason, count in imported.reasons.items():
            show_warning(f"{count:,} rows of the benchmark were skipped: {reason}")
        yield Benchmark.open(imported.path, engine=engine)


def _results(call: EvaluateCall, benchmark: Benchmark | None, progress: Progress) -> Iterator[Result]:
    if benchmark is None:
        yield from _answered(call)
        return
    if not call.reports and not call.detectors:
        from clonetruth.evaluate.labels.precision import tool_results

        yield from tool_results(benchmark, call.policy, call.criterion)
        return
    if call.detectors or call.reader == _PREDICTIONS or not _are_reports(call):
        yield from _paired(call, benchmark, progress)
        return
    from clonetruth.evaluate.locations.evaluation import evaluate_locations

    for at, report in enumerate(_reports(call)):
        name = call.name(at, _stem(report.paths[0]))
        yield evaluate_locations(
            benchmark, report, name, call.location_options(), study=_study(call, name), progress=progress
        )


def _study(call: EvaluateCall, name: str) -> StudyRequest | None:
    from clonetruth.evaluate.locations.evaluation import StudyRequest
    from clonetruth.evaluate.locations.study import ReportedStudyOptions

    if call.study is None:
        return None
    path = call.study if len(call.reports) == 1 or call.together else call.study / name
    options = ReportedStudyOptions(
        title=f"Precision of {name}", criterion=call.criterion, margin=call.margin, seed=call.seed
    )
    return StudyRequest(path, options)


def _answered(call: EvaluateCall) -> Iterator[Result]:
    from clonetruth.evaluate.pairs.answers import evaluate_answers

    assert call.answers is not None
    for at, path in enumerate(call.reports):
        yield evaluate_answers(
            path, call.answers, call.pair_options(), name=call.name(at, _stem(path)), strict=call.strict
        )


def _paired(call: EvaluateCall, benchmark: Benchmark, progress: Progress) -> Iterator[Result]:
    from clonetruth.detectors import DETECTORS
    from clonetruth.evaluate.labels.label_correction import CorrectionMethod, corrections
    from clonetruth.evaluate.pairs.comparison import PairedComparison
    from clonetruth.evaluate.pairs.evaluation import Candidate, EvaluationRun, result_of
    from clonetruth.formats.predictions import read_predictions
    from clonetruth.store import Benchmark

    validation = read_predictions(call.validation, strict=call.strict) if call.validation else None
    contestants = [
        Candidate(read_predictions(path, strict=call.strict), validation, call.name(at, _stem(path)))
        for at, path in enumerate(call.reports)
    ]
    contestants += [Candidate(DETECTORS[name]) for name in call.detectors]
    sample = Benchmark.open(call.judged) if call.judged else None
    ways = (
        tuple(CorrectionMethod)
        if call.correction is None
        else tuple(way for way in CorrectionMethod if way == call.correction)
    )
    trials: list[EvaluationRun] = []
    for contestant in contestants:
        trial = EvaluationRun.run(benchmark, contestant, call.pair_options(), progress)
        result = result_of(trial, progress)
        made = corrections(trial, result, sample=sample, ways=ways) if ways else ()
        # Is it better than those before? Of the same pairs, the same draws.
        compared = [note for other in trials for note in PairedComparison.between(trial, other).notes()]
        trials.append(trial)
        yield dataclasses.replace(result, corrections=made, notes=(*result.notes, *compared))


def _are_reports(call: EvaluateCall) -> bool:
    """Whether the files report locations; what no report format recognises is taken as predictions."""
    from clonetruth.formats.reports.registry import recognise_report

    if call.reader:
        return True
    try:
        recognise_report(call.reports)
    except InputError:
        return False
    return True


def _reports(call: EvaluateCall) -> Iterator[ReportFiles]:
    """The reports, each with its files."""
    from clonetruth.evaluate.locations.reported import ReportFiles
    from clonetruth.formats.reports.registry import recognise_report

    format_ = recognise_report(call.reports, call.reader)
    groups: Sequence[tuple[Path, ...]] = [(path,) for path in call.reports]
    if call.together or (len(call.reports) > 1 and format_.recognise(call.reports)):
        groups = [call.reports]
    for paths in groups:
        yield ReportFiles(paths, format_, strict=call.strict, root=call.root)


def _stem(path: Path) -> str:
    return path.name.partition(".")[0] or path.name
