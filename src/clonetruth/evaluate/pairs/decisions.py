"""From predictions to decisions: thresholds, and pairs without a prediction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from clonetruth.errors import InputError
from clonetruth.evaluate.pairs.options import Missing
from clonetruth.evaluate.pairs.pair_set import PairSubjects
from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.rates import Bools, Floats
from clonetruth.stats.thresholds import choose_threshold


@dataclass(frozen=True)
class DecisionRule:
    """How scores and labels become decisions.

    Attributes:
        name: the name of the rule, which comparable results share.
        threshold: the score from which a pair counts as a clone; None where labels decide, or nothing does.
        decides: whether there are decisions at all; without them, only metrics of scores are defined.
        sentence: the rule in words, with the threshold and where it comes from.
    """

    name: str
    threshold: float | None
    decides: bool
    sentence: str


def labels_rule() -> DecisionRule:
    """The detector's own decisions."""
    return DecisionRule("labels", None, True, "The detector's own decisions count.")


def given_rule(threshold: float) -> DecisionRule:
    """A threshold that the user gives."""
    return DecisionRule("given", threshold, True, f"Threshold: score ≥ {threshold:g}, as given.")


def default_rule(threshold: float) -> DecisionRule:
    """The default threshold of a detector."""
    return DecisionRule(
        "detector's default", threshold, True, f"Threshold: score ≥ {threshold:g}, the detector's own default."
    )


def held_out_rule(threshold: float, origin: str | None = None) -> DecisionRule:
    """The threshold that a learner chose on functionalities that it held out of its own training part.

    Args:
        threshold: the threshold.
        origin: on what it was chosen, where the detector says so.
    """
    name = "held-out functionalities of train and valid" if origin is None else "held-out functionalities of train"
    origin = origin or "chosen on held-out functionalities of the train and valid parts"
    return DecisionRule(name, threshold, True, f"Threshold: score ≥ {threshold:g}, {origin}.")


def training_rule(threshold: float, where: str) -> DecisionRule:
    """The threshold that a detector brings from its training on other data; the data it is tested on choose nothing."""
    return DecisionRule("training", threshold, True, f"Threshold: score ≥ {threshold:g}, from the training on {where}.")


def published_rule(threshold: float, *, by_test: bool) -> DecisionRule:
    """The threshold of a detector that was trained as a paper did: the paper's, or the best on the test part."""
    name, origin = ("test part", "the best on the test part, as published") if by_test else ("paper", "the paper's")
    return DecisionRule(name, threshold, True, f"Threshold: score ≥ {threshold:g}, {origin}.")


def undecided_rule() -> DecisionRule:
    """Scores without a threshold."""
    return DecisionRule(
        "none",
        None,
        False,
        "There is no threshold, so only metrics of scores are given. Give a threshold, or choose a part: the threshold "
        "is then chosen on the validation part.",
    )


def stated_rule(subjects: PairSubjects, threshold: float | None) -> DecisionRule | None:
    """The rule that is stated: the given threshold, or else the detector's own decisions; None without either.

    Raises:
        InputError: a threshold is given, and no pair has a score.
    """
    if threshold is not None:
        if np.isnan(subjects.score).all():
            if not (subjects.label >= 0).any():
                raise _no_prediction()
            raise InputError(
                "A threshold is given, and the predictions have no scores.", hint="Decisions need no threshold."
            )
        return given_rule(threshold)
    return labels_rule() if (subjects.label >= 0).any() else None


def validated_rule(validation: PairSubjects, metric: str) -> DecisionRule | None:
    """The threshold that is best on the validation part; None where that part has no scored clones or non-clones."""
    scored = validation.select(~np.isnan(validation.score))
    if not scored.truth.any() or scored.truth.all():
        return None
    chosen = choose_threshold(scored.score, scored.truth, metric=metric)
    sentence = f"Threshold: {chosen.rule}."
    return DecisionRule(f"best {metric} on the validation part", chosen.value, True, sentence)


@dataclass(frozen=True)
class Decisions:
    """Decisions on pairs, compared with the verdicts.

    Attributes:
        subjects: the pairs that count.
        outcomes: predictions and verdicts of the same pairs.
        missing: number of pairs without a prediction.
    """

    subjects: PairSubjects
    outcomes: Outcomes
    missing: int


def _no_prediction() -> InputError:
    return InputError(
        "No pair with a verdict has a prediction.",
        hint="Check the policy and the part, and that the predictions use the fragment ids of the benchmark.",
    )


def decide(subjects: PairSubjects, rule: DecisionRule, missing: Missing = Missing.EXCLUDE) -> Decisions:
    """Apply a rule to the predictions for pairs.

    Raises:
        InputError: predictions are missing and must not be, or there is nothing to count.
    """
    by_labels = rule.name == labels_rule().name
    known: Bools = subjects.label >= 0 if by_labels else ~np.isnan(subjects.score)
    lacking = int(np.count_nonzero(~known))
    if lacking and missing is Missing.REFUSE:
        raise InputError(
            f"{lacking:,} of {len(subjects):,} pairs with a verdict have no prediction.",
            where=f"row {subjects.pair[int(np.argmin(known))]} of the pairs",
            hint="Give every pair a prediction, or use --missing exclude or --missing not-clone.",
        )
    if missing is Missing.EXCLUDE:
        subjects, known = subjects.select(known), known[known]
    if not len(subjects):
        raise _no_prediction()
    if by_labels:
        predicted = subjects.label == 1
    elif rule.threshold is None:
        predicted = np.zeros(len(subjects), dtype=bool)
    else:
        predicted = known & (subjects.score >= rule.threshold)
    outcomes = Outcomes(
        predicted=predicted,
        truth=subjects.truth,
        score=_scores(subjects.score, known),
        cluster=subjects.cluster,
        left=subjects.left,
        right=subjects.right,
    )
    return Decisions(subjects, outcomes, lacking)


def cautions(decided: Decisions, rule: DecisionRule, missing: Missing) -> Iterator[str]:
    """What limits numbers that rest on these decisions, a sentence each."""
    if not rule.decides:
        yield rule.sentence
    if decided.missing:
        fate = "count as not clones" if missing is Missing.NOT_CLONE else "are left out of every number"
        yield f"{decided.missing:,} pairs with a verdict have no prediction; they {fate}."
    truth = decided.outcomes.truth
    if truth.all():
        yield "All pairs that count are clones: precision and specificity mean nothing."
    elif not truth.any():
        yield "No pair that counts is a clone: recall and precision mean nothing."


def _scores(score: Floats, known: Bools) -> Floats | None:
    """The scores for ranking; None unless every pair with a prediction has one. Pairs without one rank last."""
    absent = np.isnan(score)
    if absent[known].any() or absent.all():
        return None
    if not absent.any():
        return score
    return np.where(absent, min(0.0, float(score[~absent].min())), score)
