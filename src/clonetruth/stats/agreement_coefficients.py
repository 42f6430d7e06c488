"""Chance-corrected agreement coefficients, as functions of sums over subjects (docs/agreement.md).

A coefficient needs only a few numbers per subject, which add up over subjects. One definition therefore serves the
sample itself and every bootstrap draw, whose sums are a matrix product. Undefined values (0 / 0) are NaN here; the
public functions turn them into None.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums over subjects; every array may have leading axes, one entry per draw.

    Attributes:
        pairable: number of subjects with at least two answers.
        rated: number of subjects with at least one answer.
        agreeing: sum over pairable subjects of the share of pairs of judges who gave the same answer.
        shares: sum over rated subjects of the share of judges who gave each answer.
        coincidences: Krippendorff's coincidence matrix: ordered pairs of answers within a subject, each subject
            weighted by its number of answers.
        table: contingency table of two judges over the subjects that both answered; zeros for more judges.
    """

    pairable: Floats
    rated: Floats
    agreeing: Floats
    shares: Floats
    coincidences: Floats
    table: Floats


def subject_features(answers: npt.NDArray[np.int64], categories: int) -> Floats:
    """What each subject adds to the sums: one row per subject, to be summed and passed to `read_sums`."""
    counts = (answers[:, :, None] == np.arange(categories)).sum(axis=1).astype(np.float64)
    number = counts.sum(axis=1)
    pairable, rated = number > 1, number > 0
    others = np.where(pairable, number - 1, 1)
    # Ordered pairs of answers of two different judges.
    pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(categories)
    coincidences = pairs / others[:, None, None] * pairable[:, None, None]
    alike = np.trace(coincidences, axis1=1, axis2=2) / np.maximum(number, 1)
    shares = counts / np.maximum(number, 1)[:, None]
    table = np.zeros((len(answers), categories, categories))
    if answers.shape[1] == 2:
        both = np.flatnonzero(pairable)
        table[both, answers[both, 0], answers[both, 1]] = 1
    return np.concatenate(
        [
            np.stack([pairable, rated, alike], axis=1),
            shares,
            coincidences.reshape(len(answers), categories**2),
            table.reshape(len(answers), categories**2),
        ],
        axis=1,
    )


def read_sums(sums: Floats, categories: int) -> Sums:
    """Split summed features into named sums."""
    square = (*sums.shape[:-1], categories, categories)
    ends = np.cumsum([3, categories, categories**2])
    first, shares, coincidences, table = np.split(sums, ends, axis=-1)
    return Sums(
        pairable=first[..., 0],
        rated=first[..., 1],
        agreeing=first[..., 2],
        shares=shares,
        coincidences=coincidences.reshape(square),
        table=table.reshape(square),
    )


def _divide(part: Floats, whole: Floats) -> Floats:
    """Division, with NaN for division by zero."""
    # Rounding may leave a denominator that should be zero slightly off it.
    sound = np.abs(whole) > 1e-12
    quotient: Floats = np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=sound)
    return quotient


def _beyond_chance(observed: Floats, expected: Floats) -> Floats:
    return _divide(observed - expected, 1 - expected)


def observed_agreement(sums: Sums) -> Floats:
    """The share of pairs of judges who gave the same answer, averaged over the subjects with at least two answers."""
    return _divide(sums.agreeing, sums.pairable)


def cohen_expected(sums: Sums) -> Floats:
    """For two judges: Σ p₁ₖ p₂ₖ, from each judge's own answer frequencies."""
    both = sums.table.sum(axis=(-2, -1))
    return _divide((sums.table.sum(axis=-1) * sums.table.sum(axis=-2)).sum(axis=-1), both**2)


def cohen_kappa(sums: Sums) -> Floats:
    """Cohen (1960), for two judges: (pₒ − pₑ) / (1 − pₑ) with each judge's own answer frequencies."""
    return _beyond_chance(observed_agreement(sums), cohen_expected(sums))


def fleiss_expected(sums: Sums) -> Floats:
    """Σ pₖ², where pₖ is the share of answer k, averaged over subjects."""
    shares = _divide(sums.shares, np.broadcast_to(sums.rated[..., None], sums.shares.shape))
    squares: Floats = (shares**2).sum(axis=-1)
    return squares


def fleiss_kappa(sums: Sums) -> Floats:
    """Fleiss (1971), with Gwet's (2014) extension to subjects with different numbers of answers."""
    return _beyond_chance(observed_agreement(sums), fleiss_expected(sums))


def gwet_ac1(sums: Sums) -> Floats:
    """Gwet (2008): expected agreement is Σ pₖ(1 − pₖ) / (q − 1) over q categories."""
    shares = _divide(sums.shares, np.broadcast_to(sums.rated[..., None], sums.shares.shape))
    expected = (shares * (1 - shares)).sum(axis=-1) / (shares.shape[-1] - 1)
    return _beyond_chance(observed_agreement(sums), expected)


def pabak(sums: Sums) -> Floats:
    """Byrt, Bishop and Carlin (1993): kappa as if all q answers were equally frequent, (q pₒ − 1) / (q − 1)."""
    observed = observed_agreement(sums)
    return _beyond_chance(observed, np.full_like(observed, 1 / sums.shares.shape[-1]))


def krippendorff_alpha(sums: Sums) -> Floats:
    """Krippendorff (2011) for nominal categories: any two different answers are equally far apart."""
    categories = sums.coincidences.shape[-1]
    return _alpha(sums.coincidences, np.ones((categories, categories)) - np.eye(categories))


def krippendorff_alpha_ordinal(sums: Sums) -> Floats:
    """Krippendorff (2011) for ordinal categories: distance is the squared number of answers in between."""
    marginals = sums.coincidences.sum(axis=-1)
    # Answers up to the middle of each category: the distance between two categories is the difference of these.
    middle = np.cumsum(marginals, axis=-1) - marginals / 2
    return _alpha(sums.coincidences, (middle[..., :, None] - middle[..., None, :]) ** 2)


def _alpha(coincidences: Floats, distances: Floats) -> Floats:
    marginals = coincidences.sum(axis=-1)
    total = marginals.sum(axis=-1)
    observed = (coincidences * distances).sum(axis=(-2, -1))
    expected = (marginals[..., :, None] * marginals[..., None, :] * distances).sum(axis=(-2, -1))
    return 1 - _divide((total - 1) * observed, expected)


COEFFICIENTS: Mapping[str, Callable[[Sums], Floats]] = {
    "cohen_kappa": cohen_kappa,
    "fleiss_kappa": fleiss_kappa,
    "krippendorff_alpha": krippendorff_alpha,
    "krippendorff_alpha_ordinal": krippendorff_alpha_ordinal,
    "gwet_ac1": gwet_ac1,
    "pabak": pabak,
}
"""The chance-corrected coefficients by name."""
