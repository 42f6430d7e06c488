"""`clonetruth benchmark`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clonetruth.cli.output import (
    Lines,
    progress_bar,
    put,
    screen_width,
    show,
    show_note,
    show_table,
    show_written,
    styled,
)
from clonetruth.cli.verb import verb_command
from clonetruth.options.benchmark_detector import BenchmarkDetectorOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clonetruth.store.results import Measurement, Result

_METRICS = {
    "f1": "F1",
    "precision": "precision",
    "recall": "recall",
    "specificity": "specificity",
    "roc-auc": "ROC AUC",
    "matched-accuracy": "matched",
}
_FEW = {"f1": "F1", "specificity": "specific.", "roc-auc": "ROC AUC", "matched-accuracy": "matched"}
"""The metrics that are shown where lines are short; the JSON has all of them."""
_WIDE = 160
"""Characters of a line that holds all numbers with their intervals."""
_CHANCE = 0.5
_TITLES = {
    "language": "By language (core)",
    "language pair": "Across languages",
    "difficulty": "By difficulty of the near miss (core)",
    "stratum": "By stratum",
    "view": "By view (core, test part)",
}


@verb_command(BenchmarkDetectorOptions)
def benchmark(options: BenchmarkDetectorOptions) -> None:
    """Print the card of a detector."""
    from clonetruth.evaluate import benchmark_detector
    from clonetruth.store.results import result_text, write_result

    with progress_bar() as progress:
        result = benchmark_detector(options, progress=progress)
    written = []
    if options.output is not None:
        written.append(write_result(result, options.output))
    if options.badge is not None:
        from clonetruth.html.badge import badge
        from clonetruth.store.records import write_text

        auc = result["roc-auc"]
        text = f"AUC {_number(auc.value)}{_interval(auc)}"
        written.append(write_text(badge("TrueClones", text, auc.value), options.badge))
    if options.json:
        put(result_text(result))
        return
    show_card(result)
    for path in written:
        show_written(path)


def show_card(result: Result) -> None:
    """Print a card, with all its numbers where lines are long enough."""
    draw = result.manifest.configuration.get("draw")
    seed = "as it ships" if draw is None else f"draw with seed {draw}"
    show([styled(result.detector), f" on {result.benchmark.name} {result.benchmark.version} ({seed})"])
    wide = screen_width() >= _WIDE
    rows = [_row("core", result.policy.counted, result.headline, wide=wide)]
    show_table("The core set: clones and non-clones of the same similarity", _heads("", wide=wide), rows)
    show(_conclusion(result["roc-auc"]))
    for stratum in result.strata:
        rows = [_row(one.name, one.pairs, one.measurements, wide=wide) for one in stratum.groups]
        show_table(_TITLES.get(stratum.by, stratum.by), _heads(stratum.by, wide=wide), rows)
        for note in dict.fromkeys(one.note for one in stratum.groups if one.note):
            show(f"{', '.join(one.name for one in stratum.groups if one.note == note)}: {note}.")
    if not wide:
        show(f"Precision and recall need lines of {_WIDE} characters, or --json.")
    for line in (*result.notes, *result.warnings):
        show_note(line)
    show(f"Benchmark {(result.benchmark.content_hash or '')[:12]}, scores {result.manifest.inputs['scores'][:12]}.")


def _conclusion(auc: Measurement) -> str:
    """What the ROC AUC of the core set says."""
    low, high = (auc.value if one is None else one for one in (auc.low, auc.high))
    if auc.value is None or low is None or high is None:
        return "The ROC AUC is not known."
    if low <= _CHANCE <= high:
        return "ROC AUC: at chance. The scores do not separate clones from non-clones that look the same."
    side = "above" if low > _CHANCE else "below"
    return f"ROC AUC: {side} chance, which is {_CHANCE}."


def _heads(first: str, *, wide: bool) -> tuple[str, ...]:
    return (first, "pairs", *(_METRICS if wide else _FEW).values())


def _row(name: str, pairs: int | None, measurements: Sequence[Measurement], *, wide: bool) -> tuple[object, ...]:
    by_name = {one.name: one for one in measurements}
    return (name, pairs, *(_shown(by_name.get(metric), wide=wide) for metric in (_METRICS if wide else _FEW)))


def _shown(one: Measurement | None, *, wide: bool) -> str | Lines:
    """A number with its interval behind it, or below it."""
    if one is None:
        return "–"
    if wide or one.low is None or one.high is None:
        return f"{_number(one.value)}{_interval(one)}"
    return Lines((_number(one.value), f"{one.low:.2f}–{one.high:.2f}"))


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _interval(one: Measurement) -> str:
    return "" if one.low is None or one.high is None else f" [{one.low:.2f}, {one.high:.2f}]"
