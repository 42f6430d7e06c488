"""`clonetruth evaluate`: what a detector finds, and how certain that is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clonetruth.cli.output import (
    progress_bar,
    put,
    show,
    show_json,
    show_table,
    show_warning,
    show_written,
    styled,
)
from clonetruth.cli.verb import verb_command
from clonetruth.errors import InputError
from clonetruth.options.evaluate import EvaluateOptions

if TYPE_CHECKING:
    from clonetruth.store.results import Correction, Measurement, Result, Stratum


@verb_command(EvaluateOptions)
def evaluate(options: EvaluateOptions) -> None:
    """Evaluate, write and print the results."""
    from clonetruth.evaluate import evaluate_detector

    _check(options)
    with progress_bar() as progress:
        evaluation = evaluate_detector(options, progress=progress)
    written = _write(evaluation.results, options.output)
    for warning in evaluation.warnings:
        show_warning(warning)
    _print(evaluation.results, options)
    if options.html is not None:
        from clonetruth.html import write
        from clonetruth.report.evaluation import evaluation_page

        written.append(write(evaluation_page(evaluation.results), options.html))
    if not options.json and options.format == "table":
        for path in written:
            show_written(path)


def _check(options: EvaluateOptions) -> None:
    if not options.candidates and not options.detector and not options.on:
        raise click.UsageError("Give reports or predictions, or detectors to run with --detector.")
    if bool(options.on) == bool(options.answers):
        raise click.UsageError("Give either --on BENCHMARK or --answers FILE to measure against.")
    if options.answers and options.detector:
        raise click.UsageError("A list of answers has no code that a detector could read; give --on BENCHMARK.")


def _write(results: Sequence[Result], output: Path | None) -> list[Path]:
    """Write one result to a file, several into a folder."""
    from clonetruth.store.results import write_result

    if output is None:
        return []
    if len(results) == 1 and not output.is_dir():
        return [write_result(results[0], output)]
    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"The folder cannot be created ({error.strerror or error}).", where=output) from error
    return [write_result(result, output / f"{result.detector}.json") for result in results]


def _print(results: Sequence[Result], options: EvaluateOptions) -> None:
    if options.format == "bigcloneeval":
        for result in results:
            put(_original_text(result, options))
    elif options.json:
        shown = {result.detector: _json(result) for result in results}
        show_json(next(iter(shown.values())) if len(shown) == 1 else shown)
    else:
        for result in results:
            _show(result)


def _json(result: Result) -> object:
    """Locations in BigCloneEval's layout, for scripts that know it; everything else as the whole result.

    The metrics of retrieval are there by name too.
    """
    if result.recall:
        return result.recall[str(result.setting["behaviour"])]
    if result.kind != "retrieval":
        return result
    numbers = {one.name: {"value": one.value, "low": one.low, "high": one.high, "n": one.n} for one in result.headline}
    cutoffs = {name.removeprefix("recall-at-"): one for name, one in numbers.items() if name.startswith("recall-at-")}
    by_name = {"map_at_r": numbers["map-at-r"], "mrr": numbers["mrr"], "recall_at_k": cutoffs}
    return {**by_name, **result.to_dict()}


def _original_text(result: Result, options: EvaluateOptions) -> str:
    from clonetruth.evaluate.locations.published import published_text
    from clonetruth.evaluate.locations.selection import Behaviour
    from clonetruth.model import Functionality
    from clonetruth.store import Benchmark

    rows = []
    if options.on is not None and (options.on / "benchmark.json").exists():
        rows = Benchmark.open(options.on).table("functionalities").to_pylist()
    names = [Functionality(row["id"], row["name"], row["specification"], row["heuristic"]) for row in rows]
    return published_text(result, Behaviour(options.bigcloneeval), functionalities=names)


def _show(result: Result) -> None:
    from clonetruth.evaluate.operators import OPERATOR

    show([styled(result.detector), f" on {_benchmark_name(result)}"])
    for assumption in result.policy.assumptions:
        show(f"  Policy {result.policy.name}: {assumption}")
    counted = f"{result.policy.counted:,} pairs with a verdict, {result.policy.unknown:,} unknown and left out"
    if result.kind == "retrieval":
        counted = f"{result.setting['queries']:,} queries among {result.setting['fragments']:,} fragments"
    show_table(
        counted,
        ("metric", "value", "95 % interval", "of", *_other_heads(result)),
        [(one.name, *_numbers(one), *_other(result, one)) for one in result.headline],
    )
    for note in _interval_notes(result.headline):
        show(f"  {note}")
    for stratum in result.strata:
        if stratum.by == OPERATOR:
            _show_operators(stratum)
    if result.baselines:
        names = [one.name for one in result.baselines[0].measurements]
        rows = [(one.name, *(_value(number) for number in one.measurements)) for one in result.baselines]
        of = "queries" if result.kind == "retrieval" else "pairs"
        show_table(f"Trivial detectors on the same {of}", ("", *names), rows)
    if result.corrections:
        _show_corrections(result.corrections)
    for note in result.notes:
        show(f"  {note}")


def _show_corrections(corrections: Sequence[Correction]) -> None:
    """Show what the numbers become, one row for each method, and what each assumes."""
    from clonetruth.evaluate.labels.correction import split_assumptions

    names = list(dict.fromkeys(one.name for correction in corrections for one in correction.measurements))
    rows = []
    for correction in corrections:
        texts = {
            one.name: " ".join(text for text in _numbers(one)[:2] if text != "–") or "–"
            for one in correction.measurements
        }
        rows.append((correction.name, *(texts.get(name, "") for name in names)))
    show_table("Corrected for wrong labels", ("", *names), rows)
    for wrong in corrections[0].label_errors:
        labels = "clone" if wrong.name == "label-error" else "not-clone"
        value, interval, *_ = _numbers(wrong)
        counts = f"{wrong.successes:,.0f} of {wrong.n:,} judged"
        show(f"  Wrong labels '{labels}': {value} {interval} ({counts})")
    own, shared = split_assumptions(corrections)
    for correction, assumption in zip(corrections, own, strict=True):
        show(f"  {correction.name}: {assumption}{f' {correction.note}' if correction.note else ''}")
    if shared:
        show(f"  All: {shared}")


def _show_operators(stratum: Stratum) -> None:
    """Show which constructed pairs were found, by operator."""
    names = list(dict.fromkeys(one.name for group in stratum.groups for one in group.measurements))
    rows = []
    for group in stratum.groups:
        values = {one.name: _value(one) for one in group.measurements}
        rows.append((group.name, group.pairs, *(values.get(name, "") for name in names)))
    show_table("By the operator that made the pair", ("operator", "pairs", *names), rows)


def _benchmark_name(result: Result) -> str:
    version = result.benchmark.version
    part = f", part {result.part}" if result.part else ""
    return f"{result.benchmark.name}{f' {version}' if version else ''}{part}"


def _numbers(one: Measurement) -> tuple[str, str, int | None]:
    interval = "–" if one.low is None or one.high is None else f"{one.low:.4f} – {one.high:.4f}"
    return _value(one), interval, one.n


def _interval_notes(measurements: Sequence[Measurement]) -> Iterator[str]:
    """Which intervals hold for the tested functionalities only, and which numbers have none, with the reason."""
    scopes: dict[str, list[str]] = {}
    reasons: dict[str, list[str]] = {}
    for one in measurements:
        if one.scope is not None:
            scopes.setdefault(one.scope, []).append(one.name)
        elif one.value is not None and one.low is None and one.note is not None:
            reasons.setdefault(one.note, []).append(one.name)
    for scope, names in scopes.items():
        rest = [one.name for one in measurements if one.low is not None and one.name not in names]
        shorter = (
            f"All intervals but those of {_list(rest)}"
            if 0 < len(rest) < len(names)
            else f"The intervals of {_list(names)}"
        )
        yield f"{shorter if rest else 'All intervals'} hold for {scope} only, not for others."
    for reason, names in reasons.items():
        yield f"{_list(names)}: {reason}."


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _value(one: Measurement) -> str:
    return "–" if one.value is None else f"{one.value:.4f}"


def _other_heads(result: Result) -> Iterator[str]:
    if (behaviour := _other_behaviour(result)) is not None:
        yield behaviour


def _other(result: Result, one: Measurement) -> Iterator[str]:
    """The recall of the same class in the other behaviour of BigCloneEval."""
    if (behaviour := _other_behaviour(result)) is not None:
        cell = result.recall[behaviour]["overall"]["types"]["all"].get(one.name.removeprefix("recall-"))
        yield "" if cell is None or cell[2] is None else f"{cell[2]:.4f}" if cell[2] != "Infinity" else cell[2]


def _other_behaviour(result: Result) -> str | None:
    return next((name for name in result.recall if name != result.setting.get("behaviour")), None)
