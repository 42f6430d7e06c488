"""Evaluates against a list of answers, without a benchmark: what CodeXGLUE's evaluator does, with intervals."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.errors import InputError
from clonetruth.evaluate.measurement import measure
from clonetruth.evaluate.pairs.decisions import cautions, decide, stated_rule, undecided_rule
from clonetruth.evaluate.pairs.detector_scores import curves
from clonetruth.evaluate.pairs.options import PairsOptions
from clonetruth.evaluate.pairs.pair_set import PairSubjects
from clonetruth.evaluate.score_metrics import measure_scores
from clonetruth.formats.predictions import Predictions
from clonetruth.formats.predictions_in_memory import PredictionSource, load_predictions
from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.rates import RATES, Integers, cells
from clonetruth.store import build_manifest
from clonetruth.store.results import BenchmarkIdentity, Measurement, MeasurementGroup, PolicyUse, Result, ResultKind

POLICY = "answers-file"

UNKNOWABLE = (
    "Without the fragments there are no groups by type, language or size, no comparison with detectors that read code, "
    "and no code to inspect.",
    "Without the functionalities the intervals are by fragment alone: pairs of one functionality resemble each other, "
    "so the true uncertainty is likely larger. There is no average over functionalities.",
    "It is unknown who gave the answers, to which question, and how many of them are wrong.",
)
"""What a reader of such numbers must know."""


def evaluate_answers(
    predictions: PredictionSource,
    answers: PredictionSource,
    options: PairsOptions | None = None,
    *,
    name: str | None = None,
    strict: bool = False,
) -> Result:
    """Measure predictions against a list of answers, as CodeXGLUE's (``id1 TAB id2 TAB 0/1``).

    A pair that is listed twice in one order counts once, as in CodeXGLUE's evaluator; a pair with contradicting answers
    is unknown, and is not counted.

    Args:
        predictions: the predictions, as a file or in memory; scores need a threshold.
        answers: the answers, as a file or in memory.
        options: only `missing`, `threshold`, `confidence` and `seed` apply here.
        name: the name of the detector in the result (default: that of the predictions).
        strict: raise an error at the first bad row.

    Raises:
        InputError: predictions or answers cannot be read, or they have no pair in common.
    """
    chosen = options or PairsOptions()
    predicted = load_predictions(predictions, strict=strict)
    listed = load_predictions(answers, name="answers", strict=strict, repeats=True)
    subjects, unknown, strays = _join(predicted, listed)
    if strict and len(strays):
        raise InputError(
            f"{len(strays):,} predictions are for pairs without an answer.",
            where=predicted.origin.where(int(strays[0])),
            hint="Without `strict`, they are counted and left out.",
        )
    rule = stated_rule(subjects, chosen.threshold) or undecided_rule()
    decided = decide(subjects, rule, chosen.missing)
    outcomes = decided.outcomes
    headline = [
        one for one in measure(outcomes, chosen.confidence, chosen.seed) if rule.decides or one.name not in RATES
    ]
    digest = listed.digest()
    return Result(
        kind=ResultKind.PAIRS,
        detector=name or predicted.title,
        benchmark=BenchmarkIdentity(listed.origin.name, version=f"sha256:{digest[:16]}"),
        policy=PolicyUse(POLICY, None, len(outcomes), unknown, ("The file's answers are believed without evidence.",)),
        setting={"threshold": rule.name, "missing": str(chosen.missing), "confidence": chosen.confidence},
        headline=(
            *headline,
            *measure_scores(outcomes, chosen.confidence),
            *(class_macro(outcomes) if rule.decides else ()),
        ),
        manifest=build_manifest(
            {listed.origin.name: digest, predicted.origin.name: predicted.digest()},
            {
                "answers": listed.origin.name,
                "predictions": predicted.origin.name,
                "missing": str(chosen.missing),
                "threshold": rule.threshold,
                "confidence": chosen.confidence,
            },
            chosen.seed,
        ),
        baselines=(_always_yes(outcomes, chosen),) if rule.decides else (),
        curves=curves(outcomes),
        notes=(rule.sentence, *UNKNOWABLE),
        warnings=(
            *cautions(decided, rule, chosen.missing),
            *predicted.warnings(),
            *listed.warnings(),
            *([f"{unknown:,} answers contradict another one for their pair; they are not counted."] if unknown else []),
            *_stray_warnings(predicted, strays),
        ),
    )


def class_macro(outcomes: Outcomes) -> tuple[Measurement, ...]:
    """Precision, recall and F1 as the mean over both classes, as CodeXGLUE's evaluator first printed them.

    For the class of non-clones, "predicted" means "not called a clone". A number that is undefined for a class counts
    as 0 there; a class that occurs neither in the answers nor in the predictions is left out.
    """
    tp, fp, fn, tn = np.bincount(cells(outcomes.predicted, outcomes.truth), minlength=4).tolist()
    classes = [counts for counts in ((tp, fp, fn), (tn, fn, fp)) if sum(counts)]
    shares = {
        "precision": [(hit, hit + alarm) for hit, alarm, _ in classes],
        "recall": [(hit, hit + miss) for hit, _, miss in classes],
        "f1": [(2 * hit, 2 * hit + alarm + miss) for hit, alarm, miss in classes],
    }
    return tuple(
        Measurement(
            f"class-macro-{name}",
            sum(part / whole if whole else 0.0 for part, whole in of_class) / len(of_class),
            n=len(outcomes),
            note="mean over clones and non-clones, as CodeXGLUE's evaluator first printed it; undefined counts as 0",
        )
        for name, of_class in shares.items()
    )


def _join(predicted: Predictions, listed: Predictions) -> tuple[PairSubjects, int, Integers]:
    """Join answers and predictions.

    Returns:
        The answered pairs with their predictions, the number of answers that contradict another, and the lines of the
        predictions without an answer.
    """
    if listed.table["label"].null_count:
        raise InputError(
            "The answers are not decisions.",
            where=listed.origin.where(),
            hint="Give each pair the answer 1 (clone) or 0.",
        )
    left, right, predicted_left, predicted_right = _numbered(predicted, listed)
    keys = np.minimum(left, right) << 32 | np.maximum(left, right)
    truth = listed.table["label"].to_numpy().astype(bool)
    _, group = np.unique(keys, return_inverse=True)
    clones, rows = np.bincount(group, truth), np.bincount(group)
    clear = ((clones == 0) | (clones == rows))[group]
    _, first = np.unique(left << 32 | right, return_index=True)
    kept = np.zeros(len(keys), dtype=bool)
    kept[first] = True
    unknown = int(np.count_nonzero(kept & ~clear))
    chosen = np.flatnonzero(kept & clear)
    predicted_keys = np.minimum(predicted_left, predicted_right) << 32 | np.maximum(predicted_left, predicted_right)
    order = np.argsort(predicted_keys)
    at = order[np.minimum(np.searchsorted(predicted_keys[order], keys[chosen]), len(order) - 1)]
    found = predicted_keys[at] == keys[chosen]
    score = pc.fill_null(predicted.table["score"], np.nan).to_numpy()
    label = pc.fill_null(predicted.table["label"].cast(pa.int8()), -1).to_numpy()
    subjects = PairSubjects(
        pair=listed.table["line"].to_numpy()[chosen],
        left=left[chosen],
        right=right[chosen],
        pair_key=keys[chosen],
        truth=truth[chosen],
        cluster=np.full(len(chosen), -1, dtype=np.int64),
        score=np.where(found, score[at], np.nan),
        label=np.where(found, label[at], -1).astype(np.int8),
    )
    return subjects, unknown, predicted.table["line"].to_numpy()[~np.isin(predicted_keys, keys)]


def _stray_warnings(predicted: Predictions, lines: Integers) -> Iterator[str]:
    if len(lines):
        first = predicted.origin.place(int(lines[0]))
        yield f"{len(lines):,} predictions, the first {first}, are for pairs without an answer; they are not counted."


def _numbered(predicted: Predictions, listed: Predictions) -> Iterator[Integers]:
    """The ids of both as numbers: left and right of the answers, then of the predictions."""
    columns = [rows.table[side] for rows in (listed, predicted) for side in ("left", "right")]
    chunks = [chunk for column in columns for chunk in column.chunks]
    encoded = pa.chunked_array(chunks, pa.string()).dictionary_encode()
    codes = np.concatenate([chunk.indices.to_numpy() for chunk in encoded.chunks]).astype(np.int64)
    return iter(np.split(codes, np.cumsum([len(column) for column in columns])[:-1]))


def _always_yes(outcomes: Outcomes, options: PairsOptions) -> MeasurementGroup:
    yes = Outcomes(np.ones(len(outcomes), dtype=bool), outcomes.truth, left=outcomes.left, right=outcomes.right)
    clones = int(np.count_nonzero(outcomes.truth))
    found = measure(yes, options.confidence, options.seed)
    return MeasurementGroup("always-yes", found, len(outcomes), clones, "Calls every pair a clone.")
