"""Evaluates detectors, from what a user gives to results: what `clonetruth evaluate` calls."""

from __future__ import annotations

import dataclasses
import os
import tempfile
import warnings
from collections.abc import Callable as Callable
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from clonetruth.code import available_cores
from clonetruth.detectors import Detector
from clonetruth.detectors.callables import as_detector
from clonetruth.errors import CloneTruthWarning, InputError
from clonetruth.evaluate.labels.correction import correct_locations, correct_run
from clonetruth.evaluate.labels.precision import tool_results
from clonetruth.evaluate.locations.evaluation import LocationOptions, StudyRequest, evaluate_locations
from clonetruth.evaluate.locations.matchers import parse_matcher
from clonetruth.evaluate.locations.reported import ReportFiles
from clonetruth.evaluate.locations.selection import Behaviour, Selection, SimilarityType
from clonetruth.evaluate.locations.study import ReportedStudyOptions
from clonetruth.evaluate.pairs.answers import evaluate_answers
from clonetruth.evaluate.pairs.comparison import PairedComparison
from clonetruth.evaluate.pairs.detector_scores import (
    LargestFunctionality,
    Scorer,
    is_detector_folder,
    is_scorer,
    scorer,
)
from clonetruth.evaluate.pairs.evaluation import Candidate, EvaluationRun, build_result
from clonetruth.evaluate.pairs.options import Missing, PairsOptions
from clonetruth.evaluate.results import Evaluation
from clonetruth.evaluate.retrieval import RetrievalOptions, evaluate_retrieval
from clonetruth.formats.predictions import Predictions as Predictions
from clonetruth.formats.predictions_in_memory import ArrowStream as ArrowStream
from clonetruth.formats.predictions_in_memory import Scores as Scores
from clonetruth.formats.predictions_in_memory import load_predictions
from clonetruth.formats.reports.registry import recognise_report
from clonetruth.formats.vectors import are_vectors, load_vectors
from clonetruth.options.declaration import verb
from clonetruth.options.evaluate import EvaluateOptions
from clonetruth.progress import Progress
from clonetruth.sources import import_dataset
from clonetruth.splits import Sampling
from clonetruth.stats.label_noise import CorrectionMethod
from clonetruth.store import Benchmark, open_benchmark
from clonetruth.store.results import Result

_PREDICTIONS = "predictions"


@verb(EvaluateOptions)
def evaluate_detector(options: EvaluateOptions, *, batch: bool = False, progress: Progress | None = None) -> Evaluation:
    """Measure a detector, with intervals, baselines, and what cannot be known.

    A candidate is one of

    - predictions for pairs: a file, an Arrow table, a pandas or Polars frame with the columns left, right and score or
      label, or a dict `{(left_id, right_id): score}`;
    - a detector: its name, a `Detector`, or a function `f(left: str, right: str) -> float` of two texts, which runs on
      the pairs of the benchmark;
    - a tool's report on a code base (BigCloneEval's CSV, NiCad, SourcererCC, jscpd, PMD, SARIF …), which is matched
      with the locations of the benchmark's fragments.

    With `task="retrieval"`, each fragment is a query, and the candidate's scores rank the others; a candidate may also
    be vectors: a file, an Arrow table or a frame with the columns id and vector.

    Without a candidate, the precision of the tools is measured whose reported pairs the benchmark has. Pairs without a
    verdict are in no number: unknown is never counted as known.

    On large benchmarks detectors run in several processes, which import the main module: a script must call this under
    ``if __name__ == "__main__"``, or with `processes=1`.

    Args:
        batch: whether functions score all pairs at once: `f(fragments, pairs) -> scores`, where `fragments` is an Arrow
            table with the columns key, language and text, and `pairs` one with the columns left and right.
        progress: called as the work proceeds.

    Returns:
        One result for each candidate. With one candidate, `evaluation["f1"]` is its F1; with several,
        `evaluation["name"]` is the result of one, and the notes of the later ones compare them with the earlier ones.

    Raises:
        InputError: a candidate cannot be read, nothing can be counted, predictions are missing and must not be, or an
            option does not fit the benchmark.
        UnknownNameError: there is no such detector, policy, matcher, report format or engine.

    Example:
        >>> def overlap(left, right):
        ...     one, other = set(left.split()), set(right.split())
        ...     return len(one & other) / len(one | other)
        >>> evaluation = clonetruth.evaluate_detector(overlap, on="my-benchmark", threshold=0.2)
        >>> round(evaluation["recall"].value, 3)
        0.033
        >>> group = "balanced-brackets/java"
        >>> scores = {(f"{group}/erase-pairs", f"{group}/expected-closers"): 0.9}
        >>> clonetruth.evaluate_detector(scores, on="my-benchmark", threshold=0.5)["recall"].value
        1.0
    """
    _check(options)
    if options.answers is not None:
        return Evaluation(tuple(_on_answers(options)))
    with _open(options) as benchmark:
        if not options.candidates and not options.detector:
            return Evaluation(tuple(tool_results(benchmark, options.policy, options.criterion)))
        if options.task == "retrieval":
            return Evaluation(tuple(_on_retrieval(options, benchmark, batch, progress)))
        paths = [one for one in options.candidates if isinstance(one, Path)]
        if len(paths) == len(options.candidates) and not options.detector and _are_reports(paths, options):
            return Evaluation(tuple(_on_locations(options, benchmark, progress)))
        return Evaluation(tuple(_on_pairs(options, benchmark, batch, progress)))


def _check(options: EvaluateOptions) -> None:
    if not options.candidates and not options.detector and options.on is None:
        raise InputError("There is nothing to evaluate.", where="candidates", hint="Give predictions or a detector.")
    if (options.on is None) is (options.answers is None):
        raise InputError(
            "Give either a benchmark or a list of answers to measure against.", where="on", hint="on=… or answers=…"
        )
    if options.judged is not None and options.on is None:
        raise InputError(
            "A list of answers does not say whose labels it has, so judgements cannot be matched with it.",
            where="judged",
            hint="Give a benchmark: on=…",
        )
    if options.task == "retrieval" and (options.answers is not None or not (options.candidates or options.detector)):
        raise InputError(
            "Retrieval needs a benchmark, and vectors, predictions or a detector.",
            where="task",
            hint="on=…, detector=…",
        )
    if options.answers is not None and options.detector:
        raise InputError(
            "A list of answers has no code that a detector could read.", where="answers", hint="Give a benchmark."
        )


@contextmanager
def _open(options: EvaluateOptions) -> Iterator[Benchmark]:
    """The benchmark to measure on; a dataset's own files are imported for as long as the evaluation lasts."""
    on: Path | Benchmark | None = options.on
    assert on is not None
    if isinstance(on, Benchmark) or (on / "benchmark.json").exists():
        yield open_benchmark(on, engine=options.engine, memory_limit=options.memory_limit)
        return
    with tempfile.TemporaryDirectory(prefix="clonetruth-benchmark-") as folder:
        imported = import_dataset("auto", [on], output=Path(folder, "benchmark"), strict=options.strict)
        skipped = [f"{count:,} rows of the benchmark were skipped: {why}" for why, count in imported.reasons.items()]
        unused = [f"{count:,} files were not used: {why}" for why, count in imported.files.reasons.items()]
        for text in (*skipped, *unused):
            warnings.warn(text, CloneTruthWarning, stacklevel=4)
        yield open_benchmark(imported.path, engine=options.engine, memory_limit=options.memory_limit)


# Lists of answers.


def _on_answers(options: EvaluateOptions) -> Iterator[Result]:
    sources: tuple[Any, ...] = options.candidates
    answers: Any = options.answers
    for at, source in enumerate(sources):
        predictions = _predictions(source, at, options)
        name = _name(options, at, source)
        yield evaluate_answers(predictions, answers, _pairs_options(options), name=name, strict=options.strict)


def _predictions(source: Any, at: int, options: EvaluateOptions) -> Predictions:
    """The predictions of a candidate; those in memory need a name."""
    name = options.name[at] if at < len(options.name) else _PREDICTIONS
    several = len(options.candidates) > 1 and at >= len(options.name)
    return load_predictions(source, name=f"{name}-{at + 1}" if several else name, strict=options.strict)


# Pairs: predictions and detectors.


def _on_pairs(
    options: EvaluateOptions, benchmark: Benchmark, batch: bool, progress: Progress | None
) -> Iterator[Result]:
    judged = None if options.judged is None else open_benchmark(options.judged)
    methods = _methods(options)
    runs: list[EvaluationRun] = []
    for candidate in list(_candidates(options, batch)):
        run = EvaluationRun.run(benchmark, candidate, _pairs_options(options), progress)
        if options.strict:
            for stray in (one for predictions in candidate.predictions for one in run.pair_set.strays(predictions)):
                raise InputError(stray, hint="Without `strict`, they are counted and left out.")
        result = build_result(run, progress)
        corrected, warned = correct_run(run, result, judged=judged, criterion=options.judged_criterion, methods=methods)
        # Is it better than the earlier ones, on the same pairs?
        compared = [note for other in runs for note in PairedComparison.between(run, other).notes()]
        runs.append(run)
        yield dataclasses.replace(
            result, corrections=corrected, notes=(*result.notes, *compared), warnings=(*result.warnings, *warned)
        )


def _methods(options: EvaluateOptions) -> tuple[CorrectionMethod, ...]:
    return tuple(one for one in CorrectionMethod if options.correction in (None, one))


def _candidates(options: EvaluateOptions, batch: bool) -> Iterator[Candidate]:
    validation: Any = options.validation
    chosen_on = None
    if validation is not None:
        chosen_on = load_predictions(validation, name="validation", strict=options.strict)
    sources: tuple[Any, ...] = (*options.candidates, *options.detector)
    for at, source in enumerate(sources):
        name = _name(options, at, source)
        detector = _detector(source, options, batch, is_name=at >= len(options.candidates))
        if detector is not None:
            yield Candidate(detector, name=name)
        else:
            yield Candidate(_predictions(source, at, options), chosen_on, name)


def _detector(source: Any, options: EvaluateOptions, batch: bool, *, is_name: bool) -> Scorer | None:
    """The detector that a candidate is; None for predictions."""
    if isinstance(source, str | os.PathLike):
        text = os.fspath(source)
        # A file of that name comes first: it was there before the detector.
        is_detector = is_detector_folder(text) or (is_scorer(text) and not Path(text).exists())
        return scorer(text, {"device": options.device}) if is_name or is_detector else None
    if isinstance(source, Predictions | ArrowStream | Mapping):
        return None
    if callable(getattr(source, "score", None)):
        detector: Detector = source
        return detector
    return as_detector(source, batch=batch)


def _name(options: EvaluateOptions, at: int, source: Any) -> str | None:
    """The name of a candidate in the result; None for its own."""
    if at < len(options.name):
        return options.name[at]
    return _stem(source) if isinstance(source, Path) else None


def _stem(path: Path) -> str:
    return path.name.partition(".")[0] or path.name


def _pairs_options(options: EvaluateOptions) -> PairsOptions:
    return PairsOptions(
        policy=options.policy,
        criterion=options.criterion,
        part=options.part,
        view=options.view,
        missing=Missing(options.missing),
        threshold=options.threshold,
        threshold_metric=options.threshold_metric,
        seed=options.seed,
        processes=options.processes or available_cores(),
        sampling=_sampling(options),
        all_pairs=options.all_pairs,
    )


def _sampling(options: EvaluateOptions) -> Sampling:
    """Which pairs are drawn, where the benchmark stores none."""
    sampling = Sampling(test_pairs=options.drawn_pairs, clone_share=options.clone_share)
    if options.view is not None and (sampling.draws or options.all_pairs):
        raise InputError(
            "A split records how pairs are drawn within its parts.",
            where="view",
            hint="Make a split with other options: `clonetruth split … --test-pairs … --clone-share …`.",
        )
    return sampling


# Retrieval: vectors, predictions and detectors.


def _on_retrieval(
    options: EvaluateOptions, benchmark: Benchmark, batch: bool, progress: Progress | None
) -> Iterator[Result]:
    sources: tuple[Any, ...] = (*options.candidates, *options.detector)
    for at, source in enumerate(sources):
        name = _name(options, at, source)
        if are_vectors(source):
            vectors = load_vectors(source, name=name or "vectors")
            yield evaluate_retrieval(benchmark, vectors, _retrieval_options(options), name=name, progress=progress)
            continue
        detector = _detector(source, options, batch, is_name=at >= len(options.candidates))
        if isinstance(detector, LargestFunctionality):
            raise InputError(f"'{detector.name}' scores the pairs of a benchmark, and cannot search.", where="detector")
        scored = detector or _predictions(source, at, options)
        yield evaluate_retrieval(benchmark, scored, _retrieval_options(options), name=name, progress=progress)


def _retrieval_options(options: EvaluateOptions) -> RetrievalOptions:
    ranks = [text for text in options.recall_at if not text.isdecimal()]
    if ranks:
        raise InputError(f"'{ranks[0]}' is not a rank.", where="recall_at", hint="For example 1,10,100.")
    return RetrievalOptions(
        policy=options.policy,
        criterion=options.criterion,
        view=options.view,
        part=options.part,
        queries=options.queries,
        recall_at=tuple(map(int, options.recall_at)),
        similarity=options.vector_similarity,
        refuse_missing=options.missing == Missing.REFUSE,
        seed=options.seed,
        processes=options.processes or available_cores(),
    )


# Locations: reports of tools.


def _are_reports(paths: Sequence[Path], options: EvaluateOptions) -> bool:
    """Whether files are reports of locations; files that no report format recognises are predictions.

    Raises:
        InputError: the files are empty, which may mean either.
    """
    if options.reader is not None:
        return options.reader != _PREDICTIONS
    if all(path.is_file() and not path.stat().st_size for path in paths):
        hint = "If a tool reported nothing, name the format of its report: --reader NAME."
        raise InputError("The file is empty.", where=paths[0], hint=hint)
    try:
        recognise_report(paths)
    except InputError:
        return False
    return True


def _on_locations(options: EvaluateOptions, benchmark: Benchmark, progress: Progress | None) -> Iterator[Result]:
    judged = None if options.judged is None else open_benchmark(options.judged)
    for at, report in enumerate(_reports(options)):
        name = _name(options, at, report.paths[0]) or ""
        study = _study(options, name)
        result = evaluate_locations(benchmark, report, name, _location_options(options), study=study, progress=progress)
        corrected, warned = correct_locations(
            result, benchmark, judged=judged, criterion=options.judged_criterion, methods=_methods(options)
        )
        yield dataclasses.replace(result, corrections=corrected, warnings=(*result.warnings, *warned))


def _reports(options: EvaluateOptions) -> Iterator[ReportFiles]:
    """The reports, each with its files."""
    format_ = recognise_report(options.candidates, options.reader)
    groups: Sequence[tuple[Path, ...]] = [(path,) for path in options.candidates]
    if options.together or (len(options.candidates) > 1 and format_.recognise(options.candidates)):
        groups = [options.candidates]
    for paths in groups:
        yield ReportFiles(paths, format_, strict=options.strict, root=options.root)


def _study(options: EvaluateOptions, name: str) -> StudyRequest | None:
    if options.study is None:
        return None
    path = options.study if len(options.candidates) == 1 or options.together else options.study / name
    sampling = ReportedStudyOptions(
        title=f"Precision of {name}", criterion=options.criterion, margin=options.margin, seed=options.seed
    )
    return StudyRequest(path, sampling)


def _location_options(options: EvaluateOptions) -> LocationOptions:
    filters = [field.name for field in dataclasses.fields(Selection) if field.name != "similarity"]
    similarity = "average" if options.similarity == "avg" else options.similarity
    return LocationOptions(
        selection=Selection(
            **{name: getattr(options, name) for name in filters}, similarity=SimilarityType(similarity)
        ),
        matcher=parse_matcher(options.matcher),
        behaviour=Behaviour(options.bigcloneeval),
    )
