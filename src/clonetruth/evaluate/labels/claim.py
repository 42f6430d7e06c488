"""Claims: what is known about a number in a paper, before anybody measures it again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.evaluate.labels.correction import bound_recall, correct_as_published, correct_independent
from clonetruth.evaluate.labels.judged_labels import judged_label_error
from clonetruth.evaluate.labels.known_quality import known_leaks, known_quality
from clonetruth.model import Card
from clonetruth.sources.registry import SOURCES
from clonetruth.store import Benchmark
from clonetruth.store.results import Correction, Measurement

_DECIMALS = 3
"""Numbers in papers have three figures; the corrections are calculated with as many."""


@dataclass(frozen=True)
class ReportedNumbers:
    """The numbers of a paper, as shares; None where it gives none."""

    precision: float | None = None
    recall: float | None = None
    f1: float | None = None

    def __post_init__(self) -> None:
        given = {name: getattr(self, name) for name in ("precision", "recall", "f1")}
        if all(value is None for value in given.values()):
            raise InputError("There is no number.", hint="Give --precision, --recall or --f1.")
        for name, value in given.items():
            if value is not None and not 0 <= value <= 1:
                hint = f"Write {value / 100:g} for {value:g} %." if 1 < value <= 100 else "It is between 0 and 1."
                raise InputError(f"A {name} of {value:g} is no share.", hint=hint)


@dataclass(frozen=True)
class ClaimedLabelQuality:
    """A judged sample of the labels that a number rests on."""

    error_rate: Measurement
    sample: str
    criterion: str
    judges: str
    source: str
    note: str | None = None


@dataclass(frozen=True)
class Claim:
    """What is known about a claimed number.

    Attributes:
        on: the set, as asked for.
        card: what to know of the set.
        reported: precision, recall and F1; one that follows from the other two is marked in its note.
        contradiction: why the three numbers do not fit together; None where they do, or where not all are given.
        labels: judged samples of the set's labels; empty where none is known.
        leaks: how the parts of the set tell of each other, with sources.
        corrections: what the numbers become, one for each assumption, by the first of `labels`.
        notes: what cannot be said, and why.
        questions: what to ask the authors.
    """

    on: str
    card: Card
    reported: tuple[Measurement, ...]
    contradiction: str | None
    labels: tuple[ClaimedLabelQuality, ...]
    leaks: tuple[str, ...]
    corrections: tuple[Correction, ...]
    notes: tuple[str, ...]
    questions: tuple[str, ...]


def examine_claim(numbers: ReportedNumbers, on: str, criterion: str | None = None) -> Claim:
    """What is known about numbers that were reported on a set.

    Args:
        numbers: as reported.
        on: a source's name, or a benchmark folder, whose own judgements are used if it has any.
        criterion: for a folder, what its judges were asked; unless told, the only one that they were asked.

    Raises:
        InputError: a number is no share, or the folder's judgements cannot be used.
        UnknownNameError: there is neither such a source nor such a folder.
    """
    folder = Path(on)
    benchmark = Benchmark.open(folder) if on not in SOURCES and folder.is_dir() else None
    card = SOURCES[on].card.card if benchmark is None else benchmark.card
    own = None if benchmark is None else judged_label_error(benchmark, criterion)
    labels: list[ClaimedLabelQuality] = []
    if own is not None:
        labels.append(
            ClaimedLabelQuality(own.error_rate, own.sample, own.criterion, own.judges, f"the judgements in {on}")
        )
    labels += [
        ClaimedLabelQuality(one.error_rate(), one.sample, one.criterion, one.judges, one.source, one.note)
        for one in known_quality(card.name)
    ]
    complete, derived = _completed(numbers)
    contradiction = _contradiction(numbers)
    return Claim(
        on=on,
        card=card,
        reported=tuple(
            Measurement(name, value, note="follows from the other two" if name == derived else None)
            for name in ("precision", "recall", "f1")
            if (value := getattr(complete, name)) is not None
        ),
        contradiction=contradiction,
        labels=tuple(labels),
        leaks=tuple(f"{one.finding} ({one.source})" for one in known_leaks(card.name)),
        corrections=tuple(_corrections(complete, labels)),
        notes=tuple(_notes(complete, labels, card)),
        questions=tuple(_questions(card, labels, contradiction)),
    )


def _completed(numbers: ReportedNumbers) -> tuple[ReportedNumbers, str | None]:
    """The third of the three numbers from the other two, where it can be had."""
    precision, recall, f1 = numbers.precision, numbers.recall, numbers.f1
    if precision is not None and recall is not None and f1 is None:
        return ReportedNumbers(precision, recall, _f1(precision, recall)), "f1"
    if precision is not None and f1 is not None and recall is None:
        other = _partner(precision, f1)
        return (ReportedNumbers(precision, other, f1), "recall") if other is not None else (numbers, None)
    if recall is not None and f1 is not None and precision is None:
        other = _partner(recall, f1)
        return (ReportedNumbers(other, recall, f1), "precision") if other is not None else (numbers, None)
    return numbers, None


def _f1(precision: float, recall: float) -> float | None:
    return 2 * precision * recall / (precision + recall) if precision + recall else None


def _partner(one: float, f1: float) -> float | None:
    """The recall that gives F1 with a precision, or the other way round; None where none does."""
    if 2 * one <= f1:
        return None
    other = f1 * one / (2 * one - f1)
    return other if other <= 1 else None


def _contradiction(numbers: ReportedNumbers) -> str | None:
    precision, recall, f1 = numbers.precision, numbers.recall, numbers.f1
    if f1 is None:
        return None
    if precision is None or recall is None:
        name, one = ("recall", recall) if precision is None else ("precision", precision)
        # F1 grows with both numbers, so that it is greatest where the other one is 1.
        if one is None or _range(f1)[0] <= (_f1(_range(one)[1], 1.0) or 0.0):
            return None
        return f"No share makes an F1 of {f1:g} with a {name} of {one:g}."
    # Rounding moves F1 between these two at most.
    (low_p, high_p), (low_r, high_r), (low, high) = map(_range, (precision, recall, f1))
    least, most = _f1(low_p, low_r) or 0.0, _f1(high_p, high_r) or 0.0
    if least <= high and low <= most:
        return None
    fits = _partner(precision, f1)
    instead = f"; or the recall is {fits:.3f}" if fits is not None else ""
    right = _f1(precision, recall)
    shown = "undefined" if right is None else f"{right:.3f}"
    return (
        f"A precision of {precision:g} and a recall of {recall:g} make an F1 of {shown}, and not {f1:g}{instead}. "
        "An F1 that was averaged over classes, functionalities or runs need not fit: ask."
    )


def _range(value: float) -> tuple[float, float]:
    """What a printed number may have been before it was rounded."""
    exponent = Decimal(repr(value)).as_tuple().exponent
    half = 0.5 * 10.0 ** (exponent if isinstance(exponent, int) else 0)
    return max(value - half, 0.0), min(value + half, 1.0)


def _corrections(numbers: ReportedNumbers, labels: Sequence[ClaimedLabelQuality]) -> Iterator[Correction]:
    if numbers.precision is None or numbers.recall is None or not labels:
        return
    rate = labels[0].error_rate
    for correct in (correct_independent, correct_as_published):
        yield correct(numbers.precision, numbers.recall, rate, decimals=_DECIMALS).to_correction()
    yield bound_recall(numbers.precision, numbers.recall, rate).to_correction()


def _notes(numbers: ReportedNumbers, labels: Sequence[ClaimedLabelQuality], card: Card) -> Iterator[str]:
    if not labels:
        yield f"No judged sample of the labels of {card.name} is known: how many are wrong is unknown, and not zero."
    elif numbers.precision is None or numbers.recall is None:
        yield "A correction needs precision and recall, or one of them and F1."
    for one in labels:
        if one.criterion != card.criterion:
            yield (
                f"The set's own labels are about '{card.criterion}'; the judges were asked '{one.criterion}': wrong "
                "means wrong for a claim about the latter."
            )
            return


def _questions(card: Card, labels: Sequence[ClaimedLabelQuality], contradiction: str | None) -> Iterator[str]:
    if contradiction is not None:
        yield "Which of precision, recall and F1 is misprinted, or over what was averaged?"
    yield f"A label here means '{card.criterion}'. Is that what the claim is about?"
    yield "What are precision and recall for each clone type, and for each functionality or problem?"
    if labels:
        yield "How many of the pairs that count as found have people judged, drawn how, and with what agreement?"
    else:
        yield "Has anybody judged a sample of the labels? Drawn how, and with what agreement?"
    yield "Where do the non-clones come from: were they judged, or assumed because two functions have different labels?"
    yield (
        "Which functions, near-identical texts and functionalities are both in the training and in the test part? What "
        "are the numbers on functionalities that were not trained on?"
    )
    yield "On which part was the threshold chosen?"
    yield "What do an identifier overlap and 'always a clone' reach on the same pairs?"
    yield "Over how many runs, with what spread? Are the predictions published, pair by pair?"
