"""Evaluation against a file of answers, with no benchmark at all: what CodeXGLUE's evaluator does, with intervals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

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
from clonetruth.formats.predictions import Predictions, read_predictions
from clonetruth.stats.outcomes import Outcomes
from clonetruth.stats.rates import RATES, Integers, cells
from clonetruth.store import build_manifest
from clonetruth.store.hashing import hash_file
from clonetruth.store.results import BaselineGroup, BenchmarkIdentity, Measurement, PolicyUse, Result, ResultKind

POLICY = "answers-file"

UNKNOWABLE = (
    "Without the fragments: no groups by type, language or size, no detectors that read code to compare with, and no "
    "code to look at.",
    "Without the functionalities: pairs of one functionality resemble each other, which an interval by fragments alone "
    "does not see in full; the true uncertainty is likely larger. No average over functionalities.",
    "Nothing is known of who gave the answers, to which question, and how many of them are wrong.",
)
"""What a reader of such numbers must be told."""


def evaluate_answers(
    predictions: str | Path,
    answers: str | Path,
    options: PairsOptions | None = None,
    *,
    name: str | None = None,
    strict: bool = False,
) -> Result:
    """Measure predictions against a list of answers, as CodeXGLUE's (``id1 TAB id2 TAB 0/1``).

    A pair that is listed twice in one order counts once, as in CodeXGLUE's evaluator; one that is listed with different
    answers is unknown, and counts for nothing.

    Args:
        predictions: the file of predictions; scores need a threshold.
        answers: the file of answers.
        options: of these, `missing`, `threshold`, `confidence` and `seed` have a meaning here.
        name: what the detector is called; the name of the file unless told.
        strict: refuse a file with a bad row.

    Raises:
        InputError: a file cannot be used, or they have no pair in common.
    """
    chosen = options or PairsOptions()
    said = read_predictions(predictions, strict=strict)
    listed = read_predictions(answers, strict=strict, repeats=True)
    subjects, unknown, strays = _meet(said, listed)
    rule = stated_rule(subjects, chosen.threshold) or undecided_rule()
    decided = decide(subjects, rule, chosen.missing)
    outcomes = decided.outcomes
    headline = [
        one for one in measure(outcomes, chosen.confidence, chosen.seed) if rule.decides or one.name not in RATES
    ]
    digest = hash_file(listed.path)
    return Result(
        kind=ResultKind.PAIRS,
        detector=name or said.title,
        benchmark=BenchmarkIdentity(listed.path.name, version=f"sha256:{digest[:16]}"),
        policy=PolicyUse(POLICY, None, len(outcomes), unknown, ("The file's answers are believed without evidence.",)),
        setting={"threshold": rule.name, "missing": str(chosen.missing), "confidence": chosen.confidence},
        headline=(
            *headline,
            *measure_scores(outcomes, chosen.confidence),
            *(class_macro(outcomes) if rule.decides else ()),
        ),
        manifest=build_manifest(
            {listed.path.name: digest, said.path.name: hash_file(said.path)},
            {
                "answers": listed.path.name,
                "predictions": said.path.name,
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
            *said.warnings(),
            *listed.warnings(),
            *([f"{unknown:,} pairs are answered both ways; they count for nothing."] if unknown else []),
            *([f"{strays:,} predictions are for pairs without an answer; they count for nothing."] if strays else []),
        ),
    )


def class_macro(outcomes: Outcomes) -> tuple[Measurement, ...]:
    """Precision, recall and F1 as the mean over both classes, as CodeXGLUE's evaluator first printed them.

    For the class of non-clones, "predicted" means "not called a clone". What is undefined for a class counts as 0
    there, and a class that neither answers nor predictions know is left out.
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


def _meet(said: Predictions, listed: Predictions) -> tuple[PairSubjects, int, int]:
    """The answered pairs with what is predicted of them, the rows without a clear answer, and what nobody asked."""
    if listed.table["label"].null_count:
        raise InputError(
            "The answers are no decisions.", where=listed.path, hint="Give each pair the answer 1 (clone) or 0."
        )
    left, right, said_left, said_right = _numbered(said, listed)
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
    said_keys = np.minimum(said_left, said_right) << 32 | np.maximum(said_left, said_right)
    order = np.argsort(said_keys)
    place = np.minimum(np.searchsorted(said_keys[order], keys[chosen]), len(order) - 1)
    at = order[place]
    found = said_keys[at] == keys[chosen]
    score = pc.fill_null(said.table["score"], np.nan).to_numpy()
    label = pc.fill_null(said.table["label"].cast(pa.int8()), -1).to_numpy()
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
    return subjects, unknown, int(np.count_nonzero(~np.isin(said_keys, keys)))


def _numbered(said: Predictions, listed: Predictions) -> Iterator[Integers]:
    """The ids of both files as numbers: left and right of the answers, then of the predictions."""
    columns = [file.table[side] for file in (listed, said) for side in ("left", "right")]
    chunks = [chunk for column in columns for chunk in column.chunks]
    encoded = pa.chunked_array(chunks, pa.string()).dictionary_encode()
    codes = np.concatenate([chunk.indices.to_numpy() for chunk in encoded.chunks]).astype(np.int64)
    return iter(np.split(codes, np.cumsum([len(column) for column in columns])[:-1]))


def _always_yes(outcomes: Outcomes, options: PairsOptions) -> BaselineGroup:
    yes = Outcomes(np.ones(len(outcomes), dtype=bool), outcomes.truth, left=outcomes.left, right=outcomes.right)
    clones = int(np.count_nonzero(outcomes.truth))
    found = measure(yes, options.confidence, options.seed)
    return BaselineGroup("always-yes", found, len(outcomes), clones, "Calls every pair a clone.")
