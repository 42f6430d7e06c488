"""Agreement between judges: ratings, every coefficient with its interval and its table, and warnings about pitfalls."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from clonetruth.stats.agreement_coefficients import (
    COEFFICIENTS,
    Floats,
    Sums,
    cohen_expected,
    fleiss_expected,
    observed_agreement,
    read_sums,
    subject_features,
)
from clonetruth.stats.intervals import REPLICATES, percentile_interval, wilson

MISSING = -1
"""Marks a subject that a judge did not answer."""


@dataclass(frozen=True, eq=False)
class Ratings:
    """The answers of judges on subjects, with gaps.

    Attributes:
        judges: their names, one per column.
        categories: the possible answers, in order if they are ordinal.
        answers: one row per subject and one column per judge, holding the index of the category or `MISSING`.
    """

    judges: tuple[str, ...]
    categories: tuple[str, ...]
    answers: npt.NDArray[np.int64]

    @classmethod
    def of(
        cls,
        votes: Iterable[tuple[Hashable, str, str]],
        categories: Sequence[str],
        judges: Sequence[str] | None = None,
    ) -> Ratings:
        """Ratings from (subject, judge, answer).

        Answers outside the categories become gaps. If a judge answers a subject twice, the later answer counts.

        Args:
            votes: the answers.
            categories: the possible answers, in order if they are ordinal.
            judges: the judges, in column order (default: everyone who answered, sorted by name).
        """
        numbers = {category: number for number, category in enumerate(categories)}
        given = {(subject, judge): numbers.get(value, MISSING) for subject, judge, value in votes}
        names = tuple(sorted({judge for _, judge in given}) if judges is None else judges)
        columns = {judge: number for number, judge in enumerate(names)}
        rows: dict[Hashable, int] = {}
        for subject, judge in given:
            if judge in columns:
                rows.setdefault(subject, len(rows))
        answers = np.full((len(rows), len(names)), MISSING, np.int64)
        for (subject, judge), number in given.items():
            if judge in columns:
                answers[rows[subject], columns[judge]] = number
        return cls(names, tuple(categories), answers)

    @classmethod
    def of_table(cls, table: npt.ArrayLike, categories: Sequence[str] = ("clone", "not-clone")) -> Ratings:
        """Ratings of two judges from their contingency table; rows are the first judge's answers.

        Raises:
            ValueError: the table is not square with one row per category, or a count is not a whole number.
        """
        counts = np.asarray(table)
        size = len(categories)
        if counts.shape != (size, size) or (counts < 0).any() or (counts != counts.astype(np.int64)).any():
            raise ValueError(f"{counts.tolist()} is not a {size} × {size} table of counts")
        first, second = np.divmod(np.repeat(np.arange(size * size), counts.astype(np.int64).ravel()), size)
        return cls(("first", "second"), tuple(categories), np.stack([first, second], axis=1))

    def between(self, first: int, second: int) -> Ratings:
        """The answers of two judges only."""
        columns = [first, second]
        return Ratings(
            (self.judges[first], self.judges[second]), self.categories, np.ascontiguousarray(self.answers[:, columns])
        )

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """How many judges gave each answer: subjects × categories."""
        numbers = np.arange(len(self.categories))
        found: npt.NDArray[np.int64] = (self.answers[:, :, None] == numbers).sum(axis=1)
        return found

    @property
    def table(self) -> npt.NDArray[np.int64]:
        """The contingency table of two judges over the subjects that both answered; rows are the first judge's."""
        size = len(self.categories)
        both = self.answers[(self.answers != MISSING).all(axis=1)]
        return np.bincount(both[:, 0] * size + both[:, 1], minlength=size * size).reshape(size, size)


def _kinds(ratings: Ratings) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """One row of answers for each kind of subject, and the number of subjects of the kind.

    For two judges, subjects with the same two answers are of one kind. For more judges no coefficient depends on who
    gave an answer, so that subjects with the same number of each answer are of one kind. There are few kinds, however
    many subjects there are.
    """
    keys = ratings.answers + 1 if len(ratings.judges) == 2 else ratings.counts
    base = int(keys.max(initial=0)) + 1
    numbers = np.zeros(len(keys), np.int64)
    for column in keys.T:
        # Numbered anew after each column, so that the numbers cannot overflow.
        numbers = np.unique(numbers * base + column, return_inverse=True)[1]
    _, first, counts = np.unique(numbers, return_index=True, return_counts=True)
    return ratings.answers[first], counts


_TWO_JUDGES = frozenset({"cohen_kappa", "prevalence_index", "bias_index"})
_ONE_KIND = 0.8
"""At or above this share of a single answer, chance agreement is so high that kappa falls far below the agreement."""
_FEW_SUBJECTS = 10
"""With fewer subjects, bootstrap draws say little about others."""
_FAR_BELOW = 0.3
"""Difference between agreement and kappa at which the reader is warned."""

COEFFICIENT_NAMES: Mapping[str, str] = {
    "agreement": "observed agreement",
    "expected": "expected by chance",
    "cohen_kappa": "Cohen's kappa",
    "fleiss_kappa": "Fleiss' kappa",
    "krippendorff_alpha": "Krippendorff's alpha",
    "krippendorff_alpha_ordinal": "Krippendorff's alpha, ordinal",
    "gwet_ac1": "Gwet's AC1",
    "pabak": "PABAK",
    "prevalence_index": "prevalence index",
    "bias_index": "bias index",
}
"""Display names of the numbers of an `Agreement`, in display order."""


@dataclass(frozen=True)
class AgreementInterval:
    """The interval of a coefficient, and the method behind it."""

    low: float
    high: float
    method: str


@dataclass(frozen=True)
class Agreement:
    """How far judges agree. An undefined number is None, and `undefined` says why.

    Attributes:
        judges: the judges.
        categories: the possible answers, in the order of the table.
        subjects: number of subjects with at least two answers; the others say nothing about agreement.
        votes: number of answers within the categories.
        agreed: number of unanimous subjects, by answer.
        differ: number of subjects whose judges differ.
        table: contingency table of two judges; rows are the first judge's answers. None for more than two.
        coincidences: Krippendorff's coincidence matrix, for any number of judges.
        agreement: share of pairs of judges who gave the same answer, averaged over subjects.
        expected: agreement expected by chance: Cohen's for two judges, Fleiss' for more.
        cohen_kappa: for two judges.
        fleiss_kappa: for any number of judges.
        krippendorff_alpha: for nominal answers.
        krippendorff_alpha_ordinal: for ordinal answers.
        gwet_ac1: robust against a rare answer.
        pabak: kappa as if all answers were equally frequent.
        prevalence_index: for two judges and two answers, the difference between the shares of the two agreements.
        bias_index: for two judges and two answers, the difference between the shares of the two disagreements.
        intervals: by the name of the number.
        undefined: by the name of the number, why it has no value or no interval.
        warnings: what a reader must know before using the numbers.
        between: for more than two judges, the same for every two judges who share subjects.
    """

    judges: tuple[str, ...]
    categories: tuple[str, ...]
    subjects: int
    votes: int
    agreed: Mapping[str, int]
    differ: int
    table: tuple[tuple[int, ...], ...] | None
    coincidences: tuple[tuple[float, ...], ...]
    agreement: float | None
    expected: float | None
    cohen_kappa: float | None
    fleiss_kappa: float | None
    krippendorff_alpha: float | None
    krippendorff_alpha_ordinal: float | None
    gwet_ac1: float | None
    pabak: float | None
    prevalence_index: float | None
    bias_index: float | None
    intervals: Mapping[str, AgreementInterval]
    undefined: Mapping[str, str]
    warnings: tuple[str, ...]
    between: tuple[Agreement, ...] = ()


def measure_agreement(
    ratings: Ratings,
    *,
    confidence: float = 0.95,
    replicates: int = REPLICATES,
    seed: int = 0,
    between: bool = True,
) -> Agreement:
    """Every coefficient of agreement, with its interval.

    The observed agreement has a Wilson interval; the chance-corrected coefficients have percentile intervals from a
    bootstrap over subjects. If judges agree on every subject, no draw shows a disagreement; the interval then reaches
    down to the coefficient with as many disagreements as Wilson's bound permits.

    Args:
        ratings: the answers.
        confidence: confidence level of the intervals.
        replicates: number of bootstrap replicates.
        seed: random seed.
        between: also measure every two judges (`judge_pairs` has their tables in much less time).
    """
    size, two = len(ratings.categories), len(ratings.judges) == 2
    answers, weights = _kinds(ratings)
    sums = read_sums(weights @ subject_features(answers, size), size)
    values = {name: _number(coefficient(sums)) for name, coefficient in COEFFICIENTS.items()}
    values["agreement"] = _number(observed_agreement(sums))
    values["expected"] = _number(cohen_expected(sums) if two else fleiss_expected(sums))
    values["prevalence_index"], values["bias_index"] = _indices(sums, size) if two else (None, None)
    intervals, without = _intervals(answers, weights, size, values, confidence, replicates, seed)
    counts = replace(ratings, answers=answers).counts
    several = counts.sum(axis=1) > 1
    unanimous = several & ((counts > 0).sum(axis=1) == 1)
    subjects = int(weights[several].sum())
    return Agreement(
        judges=ratings.judges,
        categories=ratings.categories,
        subjects=subjects,
        votes=int((ratings.answers != MISSING).sum()),
        agreed=dict(
            zip(ratings.categories, (weights[unanimous] @ (counts[unanimous] > 0)).astype(int).tolist(), strict=True)
        ),
        differ=subjects - int(weights[unanimous].sum()),
        table=tuple(tuple(row) for row in ratings.table.tolist()) if two else None,
        coincidences=tuple(tuple(row) for row in sums.coincidences.tolist()),
        **values,
        intervals=intervals,
        undefined={**without, **_undefined(values, len(ratings.judges), size, subjects)},
        warnings=tuple(_warnings(values, sums, subjects)),
        between=()
        if two or not between
        else tuple(
            measure_agreement(pair, confidence=confidence, replicates=replicates, seed=seed)
            for pair in (ratings.between(*two) for two in combinations(range(len(ratings.judges)), 2))
            if (pair.answers != MISSING).all(axis=1).any()
        ),
    )


@dataclass(frozen=True)
class JudgePair:
    """Two judges who share subjects.

    Attributes:
        judges: the two.
        subjects: number of subjects that both answered.
        table: their contingency table; rows are the first judge's answers.
        agreement: share of the subjects to which they gave the same answer.
        cohen_kappa: None if it is undefined.
    """

    judges: tuple[str, str]
    subjects: int
    table: tuple[tuple[int, ...], ...]
    agreement: float | None
    cohen_kappa: float | None


def judge_pairs(ratings: Ratings) -> tuple[JudgePair, ...]:
    """The tables of every two judges who share subjects, all at once."""
    size, judges = len(ratings.categories), len(ratings.judges)
    # The answers in the order of subjects, then judges: the others on a subject stand at a few places behind.
    subject, judge = np.nonzero(ratings.answers != MISSING)
    value = ratings.answers[subject, judge]
    shape = (judges, judges, size, size)
    tables = np.zeros(shape, np.int64)
    most = int(np.bincount(subject).max(initial=0))
    for places in range(1, most):
        here = np.flatnonzero(subject[places:] == subject[:-places])
        there = here + places
        cells = np.ravel_multi_index((judge[here], judge[there], value[here], value[there]), shape)
        tables += np.bincount(cells, minlength=tables.size).reshape(shape)
    pairs = np.argwhere(tables.any(axis=(2, 3)))
    if not len(pairs):
        return ()
    each = tables[pairs[:, 0], pairs[:, 1]].astype(np.float64)
    total = each.sum(axis=(1, 2))
    alike = np.trace(each, axis1=1, axis2=2)
    # Cohen's kappa needs nothing of the sums but these.
    sums = Sums(pairable=total, rated=total, agreeing=alike, shares=each.sum(axis=2), coincidences=each, table=each)
    kappas, agreements = COEFFICIENTS["cohen_kappa"](sums), observed_agreement(sums)
    return tuple(
        JudgePair(
            (ratings.judges[one], ratings.judges[other]),
            int(total[number]),
            tuple(tuple(row) for row in each[number].astype(int).tolist()),
            _number(agreements[number]),
            _number(kappas[number]),
        )
        for number, (one, other) in enumerate(pairs.tolist())
    )


def _number(value: Floats) -> float | None:
    return None if np.isnan(value) else float(value)


def _indices(sums: Sums, size: int) -> tuple[float | None, float | None]:
    """Prevalence and bias index of a 2 × 2 table (Byrt, Bishop and Carlin 1993)."""
    total = float(sums.table.sum())
    if size != 2 or not total:
        return None, None
    (both, first), (second, neither) = sums.table.tolist()
    return abs(both - neither) / total, abs(first - second) / total


def _intervals(
    answers: npt.NDArray[np.int64],
    weights: npt.NDArray[np.int64],
    size: int,
    values: Mapping[str, float | None],
    confidence: float,
    replicates: int,
    seed: int,
) -> tuple[dict[str, AgreementInterval], dict[str, str]]:
    """The intervals, and the reasons where there is none. A row of answers stands for `weights` subjects."""
    features = subject_features(answers, size)
    sums = read_sums(weights @ features, size)
    share = wilson(float(sums.agreeing), float(sums.pairable), confidence) if values["agreement"] is not None else None
    found = {"agreement": AgreementInterval(share.low, share.high, "Wilson")} if share else {}
    without: dict[str, str] = {}
    # Subjects with equal answers are drawn together: the number of each kind in a draw is multinomial.
    kinds, which = np.unique(features, axis=0, return_inverse=True)
    counts = np.bincount(which.ravel(), weights, len(kinds)).astype(np.int64)
    if share is None:
        return found, without
    if share.high == 1:
        doubted = read_sums(_with_dissent(answers, weights, size, 1 - share.low), size)
        lows = {name: _number(coefficient(doubted)) for name, coefficient in COEFFICIENTS.items()}
        bounds = {name: low for name, low in lows.items() if low is not None and values[name] is not None}
        return found | {name: AgreementInterval(low, 1.0, "Wilson's bound") for name, low in bounds.items()}, without
    if sums.pairable < _FEW_SUBJECTS:
        names = [name for name in COEFFICIENTS if values[name] is not None]
        return found, dict.fromkeys(names, f"No interval: fewer than {_FEW_SUBJECTS} subjects with two answers.")
    drawn = np.random.default_rng(seed).multinomial(counts.sum(), counts / counts.sum(), replicates) @ kinds
    for name, coefficient in COEFFICIENTS.items():
        if values[name] is None:
            continue
        interval = percentile_interval(coefficient(read_sums(drawn, size)), confidence, float(sums.pairable))
        if interval is None:
            without[name] = "No interval: undefined in many bootstrap draws."
        elif interval.low == interval.high:
            without[name] = "No interval: all bootstrap draws give the same value."
        else:
            found[name] = AgreementInterval(interval.low, interval.high, f"bootstrap over subjects, {replicates} draws")
    return found, without


def _with_dissent(answers: npt.NDArray[np.int64], weights: npt.NDArray[np.int64], size: int, share: float) -> Floats:
    """Summed features as if, in a share of the subjects, one of the judges gave another answer."""
    dissent = []
    for judge in range(answers.shape[1]):
        for shift in range(1, size):
            other = answers.copy()
            given = other[:, judge] != MISSING
            other[given, judge] = (other[given, judge] + shift) % size
            dissent.append(weights @ subject_features(other, size))
    agreed: Floats = (1 - share) * (weights @ subject_features(answers, size)) + share * np.mean(dissent, axis=0)
    return agreed


def _undefined(values: Mapping[str, float | None], judges: int, categories: int, subjects: int) -> dict[str, str]:
    reasons = {}
    for name, value in values.items():
        if value is not None:
            continue
        if subjects == 0:
            reasons[name] = "No subject was answered by two judges."
        elif name in _TWO_JUDGES and judges != 2:
            reasons[name] = f"Defined for two judges only; there are {judges}."
        elif name in ("prevalence_index", "bias_index"):
            reasons[name] = f"Defined for two answers only; there are {categories}."
        else:
            reasons[name] = "All answers are the same: 0 / 0."
    return reasons


def _warnings(values: Mapping[str, float | None], sums: Sums, subjects: int) -> list[str]:
    agreement, kappa = values["agreement"], values["cohen_kappa"]
    kappa = values["fleiss_kappa"] if kappa is None else kappa
    if agreement is None or kappa is None:
        return []
    largest = float(sums.shares.max() / sums.rated)
    warnings = []
    if largest >= _ONE_KIND and agreement - kappa >= _FAR_BELOW:
        warnings.append(
            f"{largest:.0%} of the answers are the same, which alone makes kappa low: the judges agree on "
            f"{agreement:.1%} of the subjects, and kappa is {kappa:.2f} (the kappa paradox). Report the agreement, the "
            f"table and AC1 ({values['gwet_ac1']:.2f}) with it."
        )
    if subjects < 30:
        warnings.append(f"Only {subjects} subjects have two or more answers: the intervals are rough.")
    return warnings
