"""Checks claims: what is known about a number in a paper, before anybody measures it again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from os import PathLike, fspath
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.evaluate.labels.correction import correct_reported, labels_of
from clonetruth.model import Card
from clonetruth.options.claims import ClaimOptions
from clonetruth.options.declaration import verb
from clonetruth.sources.registry import SOURCES
from clonetruth.store import Benchmark
from clonetruth.store.results import Correction, Measurement
from clonetruth.verdicts.judged_labels import JudgedLabels, label_types
from clonetruth.verdicts.published_samples import published_samples


@dataclass(frozen=True)
class KnownLeak:
    """A known leak between the parts of a set, and where it is published."""

    sets: tuple[str, ...]
    finding: str
    source: str


KNOWN_LEAKS: tuple[KnownLeak, ...] = (
    KnownLeak(
        sets=("codexglue-bcb", "graphmatch"),
        finding=(
            "The training and test parts share all functionalities. CodeBERT, fine-tuned on them, loses about 27 "
            "points of F1 on other functions of partly the same functionalities, and about 47 on other functionalities."
        ),
        source=(
            "T. Sonnekalb, B. Gruner, C.-A. Brust, P. Mäder: Generalizability of Code Clone Detection on CodeBERT. "
            "ASE 2022."
        ),
    ),
)


@dataclass(frozen=True)
class ReportedNumbers:
    """The numbers in a paper, between 0 and 1; None where it gives none."""

    precision: float | None = None
    recall: float | None = None
    f1: float | None = None

    def __post_init__(self) -> None:
        given = {name: getattr(self, name) for name in ("precision", "recall", "f1")}
        if all(value is None for value in given.values()):
            raise InputError("There is no number to check.", hint="Give --precision, --recall or --f1.")
        for name, value in given.items():
            if value is not None and not 0 <= value <= 1:
                hint = f"Write {value / 100:g} for {value:g} %." if 1 < value <= 100 else "Give a number from 0 to 1."
                raise InputError(f"A {name} of {value:g} is not between 0 and 1.", hint=hint)


@dataclass(frozen=True)
class ClaimedLabelQuality:
    """A judged sample of the labels that a number is based on.

    Attributes:
        error_rate: the share of wrong labels among those that say clone; undefined where none was judged.
        sample: what was sampled.
        criterion: what the judges were asked.
        judges: who judged.
        source: where the judgements are, or are published.
        note: what to know before using it.
        missed_rate: the share of wrong labels among those that say not a clone; None where none was judged.
    """

    error_rate: Measurement
    sample: str
    criterion: str
    judges: str
    source: str
    note: str | None = None
    missed_rate: Measurement | None = None

    @classmethod
    def of(cls, judged: JudgedLabels) -> ClaimedLabelQuality:
        """Describe a judged sample."""
        missed = None if judged.label.all() else judged.error(False)
        described = (judged.sample, judged.criterion, judged.judges, judged.source, judged.note)
        return cls(judged.error(True), *described, missed)


@dataclass(frozen=True, repr=False)
class Claim:
    """What is known about a claimed number.

    Attributes:
        on: the set, as it was given.
        card: the card of the set.
        reported: precision, recall and F1; the note of one says if it follows from the other two.
        contradiction: why the three numbers do not fit together; None where they do, or where not all are given.
        labels: judged samples of the set's labels; empty where none is known.
        leaks: known leaks between the parts of the set, with sources.
        corrections: the corrected numbers, one correction for each assumption, by the first of `labels`.
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

    def __repr__(self) -> str:
        numbers = ", ".join(f"{one.name} {one.value:.3f}" for one in self.reported if one.value is not None)
        return f"<Claim on {self.card.name}: {numbers}>"

    def _repr_html_(self) -> str:
        from clonetruth.html import Column, bullets, notebook
        from clonetruth.html.numbers import percent, percent_interval

        def shown(measurements: Sequence[Measurement]) -> list[str]:
            by_name = {one.name: one for one in measurements}
            texts = []
            for name in ("precision", "recall", "f1"):
                one = by_name.get(name)
                if one is None or one.value is None:
                    texts.append("–" if one is None else percent_interval(one.low, one.high, 1))
                else:
                    texts.append(percent(one.value, 1))
            return texts

        rows = [["reported", *shown(self.reported), "The set's labels are right."]]
        rows += [[one.name, *shown(one.measurements), one.assumption] for one in self.corrections]
        columns = [Column(""), Column("precision"), Column("recall"), Column("F1"), Column("if", "prose")]
        contradiction = [self.contradiction] if self.contradiction else []
        questions = [notebook.note("Ask the authors:"), bullets(self.questions)]
        return notebook.view(
            "Claim", *contradiction, notebook.table(columns, rows), *self.leaks, *questions, subtitle=self.card.name
        )


@verb(ClaimOptions)
def check_claim(options: ClaimOptions) -> Claim:
    """Check a number in a paper: what is known about it, before anybody measures it again.

    Returns:
        How good the labels of the set are, what leaks in it, what the number becomes when wrong labels are taken into
        account, and what to ask the authors.

    Raises:
        InputError: there is no number, a number is not between 0 and 1, or the folder's judgements cannot be used.
        UnknownNameError: there is neither such a source nor such a folder.

    Example:
        >>> claim = clonetruth.check_claim("codexglue-bcb", precision=0.998, recall=0.883)
        >>> [correction.name for correction in claim.corrections]
        ['independent', 'bounds', 'as-published']
    """
    numbers = ReportedNumbers(options.precision, options.recall, options.f1)
    if (options.pairs is None) is not (options.clones is None):
        raise InputError("--pairs and --clones must be given together.", hint="How many pairs are labelled clones?")
    if options.pairs is not None and options.clones is not None and not 0 < options.clones <= options.pairs:
        raise InputError(f"{options.clones:,} of {options.pairs:,} pairs cannot be labelled clones.")
    given: str | PathLike[str] | Benchmark = options.on
    on = str(given.path) if isinstance(given, Benchmark) else fspath(given)
    benchmark = given if isinstance(given, Benchmark) else None
    if benchmark is None and on not in SOURCES and Path(on).is_dir():
        benchmark = Benchmark.open(Path(on))
    card = SOURCES[on].card.card if benchmark is None else benchmark.card
    judged = _judged(benchmark, card, options.criterion)
    labels = [ClaimedLabelQuality.of(one) for one in judged]
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
        leaks=tuple(f"{one.finding} ({one.source})" for one in KNOWN_LEAKS if card.name in one.sets),
        corrections=tuple(_corrections(complete, judged, options, label_types(benchmark) if benchmark else None)),
        notes=tuple(_notes(complete, labels, card, options)),
        questions=tuple(_questions(card, labels, contradiction)),
    )


def _completed(numbers: ReportedNumbers) -> tuple[ReportedNumbers, str | None]:
    """Compute the third of the three numbers from the other two, where that is possible."""
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
        # F1 grows with both numbers, so it is greatest where the other one is 1.
        if one is None or _range(f1)[0] <= (_f1(_range(one)[1], 1.0) or 0.0):
            return None
        return f"An F1 of {f1:g} is impossible with a {name} of {one:g}."
    # Rounding can move F1 between these two at most.
    (low_p, high_p), (low_r, high_r), (low, high) = map(_range, (precision, recall, f1))
    least, most = _f1(low_p, low_r) or 0.0, _f1(high_p, high_r) or 0.0
    if least <= high and low <= most:
        return None
    fits = _partner(precision, f1)
    instead = f"; or the recall is {fits:.3f}" if fits is not None else ""
    right = _f1(precision, recall)
    shown = "undefined" if right is None else f"{right:.3f}"
    return (
        f"A precision of {precision:g} and a recall of {recall:g} make an F1 of {shown}, not {f1:g}{instead}. "
        "An F1 that was averaged over classes, functionalities or runs need not fit: ask the authors."
    )


def _range(value: float) -> tuple[float, float]:
    """The range of values that a printed number may have been rounded from."""
    exponent = Decimal(repr(value)).as_tuple().exponent
    half = 0.5 * 10.0 ** (exponent if isinstance(exponent, int) else 0)
    return max(value - half, 0.0), min(value + half, 1.0)


def _judged(benchmark: Benchmark | None, card: Card, criterion: str | None) -> list[JudgedLabels]:
    """The judged samples of the labels, the one to correct by first."""
    published = [one for one in published_samples(card.name) if criterion in (None, one.criterion)]
    if benchmark is None:
        return published
    first = labels_of(benchmark, criterion=criterion)
    if isinstance(first, str):
        return []
    return [first, *(one for one in published if one.source != first.source)]


def _corrections(
    numbers: ReportedNumbers, judged: Sequence[JudgedLabels], options: ClaimOptions, types: Mapping[str, int] | None
) -> Iterator[Correction]:
    if numbers.precision and numbers.recall and judged:
        counts = (options.pairs, options.clones)
        yield from correct_reported(judged[0], numbers.precision, numbers.recall, *counts, types)


def _notes(
    numbers: ReportedNumbers, labels: Sequence[ClaimedLabelQuality], card: Card, options: ClaimOptions
) -> Iterator[str]:
    if not labels:
        yield f"No judged sample of the labels of {card.name} is known: the share of wrong labels is unknown, not zero."
    elif numbers.precision is None or numbers.recall is None:
        yield "A correction needs precision and recall, or one of them and F1."
    elif not numbers.precision or not numbers.recall:
        yield "No labelled pair was found: there is nothing to correct."
    elif options.pairs is None or options.clones is None:
        yield (
            "The intervals hold the sampling error of the judged pairs only, and the share of clones and errors among "
            "the labels 'not a clone' cannot be taken into account: give --pairs and --clones for both."
        )
    for one in labels:
        if one.criterion != card.criterion:
            yield (
                f"The set's own labels are about '{card.criterion}'; the judges were asked '{one.criterion}': a label "
                "is wrong here if it is wrong for a claim about the latter."
            )
            return


def _questions(card: Card, labels: Sequence[ClaimedLabelQuality], contradiction: str | None) -> Iterator[str]:
    if contradiction is not None:
        yield "Which of precision, recall and F1 is misprinted, or what was averaged over?"
    yield f"A label here means '{card.criterion}'. Is that what the claim is about?"
    yield "What are precision and recall for each clone type, and for each functionality or problem?"
    if labels:
        yield "How many of the found pairs were judged by people? How were they drawn, and did the judges agree?"
    else:
        yield "Has anybody judged a sample of the labels? How was it drawn, and did the judges agree?"
    yield "Where do the non-clones come from: were they judged, or assumed because two functions have different labels?"
    yield (
        "Which functions, near-identical texts and functionalities are in both the training and the test part? What "
        "are the numbers on functionalities that were not trained on?"
    )
    yield "On which part was the threshold chosen?"
    yield "What do an identifier overlap and 'always a clone' achieve on the same pairs?"
    yield "How many runs are there, and how much do they differ? Are the predictions published, pair by pair?"
