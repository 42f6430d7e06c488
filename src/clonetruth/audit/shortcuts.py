"""Shortcuts (CT401–CT403): how well a linear model predicts the labels without looking at what the code does.

The model is a ridge logistic regression, cross-validated so that it is scored on groups that it has not seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.audit.context import AuditContext
from clonetruth.audit.finding import Details, Finding, Severity
from clonetruth.audit.papers import MISUSE, NAMES
from clonetruth.audit.rule import LEARNING, Need, RuleText, rule
from clonetruth.audit.texts import known_language
from clonetruth.code import name_tokens, subwords

Floats = npt.NDArray[np.float64]
Booleans = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]

FOLDS = 3
_RIDGE = 1.0
_STEPS = 15


@dataclass(frozen=True)
class ShortcutScore:
    """How well a model predicts the labels.

    Args:
        auc: the probability that a positive scores above a negative; 0.5 is guessing.
        f1: the F1 of “score ≥ 0.5”.
        right: number of pairs that were classified correctly.
        cases: number of pairs that were scored, each by a model that has not seen its groups.
    """

    auc: float
    f1: float
    right: int
    cases: int


def cross_validate(features: Floats, labels: Booleans, left: Integers, right: Integers) -> ShortcutScore | None:
    """Cross-validate a linear model on pairs.

    In each round one fold is held out. Pairs with both fragments in that fold are scored, by a model that was fitted
    on the pairs with no fragment in it; the other pairs are not used.

    Args:
        features: one row per pair.
        labels: whether the pair is a clone.
        left, right: the folds of its fragments, from 0 to `FOLDS` - 1.

    Returns:
        None if no fold has both classes for fitting and for scoring.
    """
    scores: list[Floats] = []
    truths: list[Booleans] = []
    for fold in range(FOLDS):
        test = (left == fold) & (right == fold)
        train = (left != fold) & (right != fold)
        if any(len(np.unique(labels[side])) < 2 for side in (test, train)):
            continue
        mean, spread = features[train].mean(axis=0), features[train].std(axis=0)
        spread[spread == 0] = 1
        weights = fit_logistic((features[train] - mean) / spread, labels[train])
        scores.append(_probability((features[test] - mean) / spread, weights))
        truths.append(labels[test])
    if not scores:
        return None
    score, truth = np.concatenate(scores), np.concatenate(truths)
    called = score >= 0.5
    hits, calls = int((called & truth).sum()), int(called.sum())
    f1 = 2 * hits / (calls + int(truth.sum()))
    # The area is computed within each fold, since scores of different models are not comparable.
    areas = [area_under_curve(one, other) for one, other in zip(scores, truths, strict=True)]
    auc = float(np.average(areas, weights=[len(one) for one in truths]))
    return ShortcutScore(auc, f1, int((called == truth).sum()), len(truth))


def fit_logistic(features: Floats, labels: Booleans) -> Floats:
    """Fit a ridge logistic regression with balanced classes by Newton's method; the last weight is the intercept."""
    design = _with_intercept(features)
    balance = np.where(labels, 0.5 / labels.mean(), 0.5 / (1 - labels.mean()))
    penalty = np.full(design.shape[1], _RIDGE)
    penalty[-1] = 1e-6
    weights = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        gradient = design.T @ (balance * (labels - chance)) - penalty * weights
        curvature = (design * (balance * np.maximum(chance * (1 - chance), 1e-6))[:, None]).T @ design
        step = np.linalg.solve(curvature + np.diag(penalty), gradient)
        weights = weights + step
        if np.abs(step).max() < 1e-4:
            break
    return weights


def area_under_curve(scores: Floats, labels: Booleans) -> float:
    """The area under the ROC curve; ties count half."""
    _, place, count = np.unique(scores, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(count) - (count - 1) / 2)[place]
    positives = int(labels.sum())
    negatives = len(labels) - positives
    return float((ranks[labels].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def _with_intercept(features: Floats) -> Floats:
    return np.hstack([features, np.ones((len(features), 1))])


def _probability(features: Floats, weights: Floats) -> Floats:
    chance: Floats = 1 / (1 + np.exp(-np.clip(_with_intercept(features) @ weights, -30, 30)))
    return chance


_VOCABULARY = 150
_LEAST_FUNCTIONALITIES = 2 * FOLDS


@dataclass(frozen=True)
class _Sample:
    """Labelled pairs of both classes, each up to half of `shortcut-pairs`, with the folds of their fragments."""

    left: Integers
    right: Integers
    labels: Booleans
    fold_left: Integers
    fold_right: Integers
    grouped_by: str

    @property
    def fragments(self) -> Integers:
        return np.unique(np.concatenate([self.left, self.right]))


def _sample(context: AuditContext) -> _Sample:
    most = int(context.threshold("shortcut-pairs")) // 2
    tables = [
        context.sql(
            f"""
            SELECT f.left_fragment AS left_fragment, f.right_fragment AS right_fragment, f.label AS label,
                a.digest AS left_digest, b.digest AS right_digest
            FROM facts f
            JOIN text_facts a ON f.left_fragment = a.fragment
            JOIN text_facts b ON f.right_fragment = b.fragment
            WHERE f.label = '{label}' AND f.left_fragment <> f.right_fragment
            ORDER BY md5(concat(CAST(f.pair AS STRING), '/shortcut')), f.pair LIMIT {most}
            """
        )
        for label in ("clone", "not-clone")
    ]
    table = pa.concat_tables(tables)
    left, right = table["left_fragment"].to_numpy(), table["right_fragment"].to_numpy()
    labels = np.array(table["label"].to_pylist()) == "clone"
    folds, grouped_by = _functionality_folds(context)
    if folds is None:
        # Copies of a text stay in one fold, or the check would leak like the data that it checks.
        sides = [table[f"{side}_digest"].to_numpy() % FOLDS for side in ("left", "right")]
    else:
        sides = [folds[left], folds[right]]
    return _Sample(left, right, labels, sides[0], sides[1], grouped_by)


def _functionality_folds(context: AuditContext) -> tuple[Integers | None, str]:
    """The fold of every fragment by its functionality; None if there are too few functionalities."""
    rows = context.rows(
        "SELECT functionality, count(*) AS n FROM members GROUP BY functionality ORDER BY n DESC, functionality"
    )
    if len(rows) < _LEAST_FUNCTIONALITIES:
        return None, "fragment"
    loads = [0] * FOLDS
    fold_of: dict[int, int] = {}
    for row in rows:
        fold_of[row["functionality"]] = lightest = loads.index(min(loads))
        loads[lightest] += row["n"]
    table = context.sql("SELECT fragment, min(functionality) AS functionality FROM members GROUP BY fragment")
    # A fragment without a functionality has no fold, and its pairs are left out.
    folds = np.full(context.benchmark.counts["fragments"], -1, dtype=np.int64)
    folds[table["fragment"].to_numpy()] = [fold_of[key] for key in table["functionality"].to_pylist()]
    return folds, "functionality"


def _check(context: AuditContext, name: str, features: Callable[[_Sample], Floats]) -> Iterator[Finding]:
    sample = _sample(context)
    if sample.labels.all() or not sample.labels.any():
        return
    score = cross_validate(features(sample), sample.labels, sample.fold_left, sample.fold_right)
    if score is None or score.cases < context.threshold("shortcut-cases"):
        return
    beyond = score.auc >= context.threshold("shortcut-auc")
    yield Finding(
        f"{name} alone reach an AUC of {score.auc:.2f} and an F1 of {score.f1:.2f}: a detector must beat this",
        score.right,
        score.cases,
        details=(
            Details(
                f"A linear model on {name}",
                ("measure", "value"),
                (
                    ("AUC", round(score.auc, 3)),
                    ("F1", round(score.f1, 3)),
                    ("pairs scored", score.cases),
                    (f"cross-validated by {sample.grouped_by}, folds", FOLDS),
                ),
            ),
        ),
        severity=None if beyond else Severity.INFO,
    )


@rule(
    "CT401",
    Severity.WARNING,
    RuleText(
        name="lengths-only",
        what="How well the lengths of the two fragments alone separate clones from non-clones; a warning if the AUC is "
        "at least `shortcut-auc`. The model uses a sample of `shortcut-pairs` pairs, and at least `shortcut-cases` "
        "must be scored.",
        why="If clones simply have similar lengths, a model finds them without reading the code.",
        reference=MISUSE,
        fix="Sample negatives with the same lengths as the positives, and report this baseline with every result.",
        needs=(Need.LABELS, Need.TEXTS),
        threatens=LEARNING,
        thresholds={"shortcut-auc": 0.75, "shortcut-pairs": 20_000, "shortcut-cases": 100},
    ),
)
def lengths_only(context: AuditContext) -> Iterator[Finding]:
    def features(sample: _Sample) -> Floats:
        table = context.sql("SELECT fragment, tokens, lines, characters FROM text_facts")
        sizes = np.zeros((context.benchmark.counts["fragments"], 3))
        columns = [table[name].to_numpy() for name in ("tokens", "lines", "characters")]
        sizes[table["fragment"].to_numpy()] = np.log1p(np.stack(columns, axis=1))
        one, other = sizes[sample.left], sizes[sample.right]
        return np.hstack([np.abs(one - other), np.minimum(one, other), np.maximum(one, other)])

    yield from _check(context, "lengths", features)


@rule(
    "CT402",
    Severity.WARNING,
    RuleText(
        name="names-only",
        what="How well shared identifiers alone separate clones from non-clones; a warning if the AUC is at least "
        "`shortcut-auc`.",
        why="Clones in BigCloneBench share names: a linear model on identifiers alone matched the state of the art, "
        "and the published models dropped when names were abstracted.",
        reference=f"{NAMES}; {MISUSE}",
        fix="Also evaluate on abstracted code (`clonetruth code abstract`), and report this baseline.",
        needs=(Need.LABELS, Need.TEXTS),
        threatens=LEARNING,
    ),
)
def names_only(context: AuditContext) -> Iterator[Finding]:
    def features(sample: _Sample) -> Floats:
        names = _names(context, sample)
        parts = {key: frozenset(part for name in found for part in subwords(name)) for key, found in names.items()}
        return np.hstack([_word_similarity(sample, names), _word_similarity(sample, parts)])

    yield from _check(context, "shared identifiers", features)


@rule(
    "CT403",
    Severity.WARNING,
    RuleText(
        name="vocabulary-only",
        what="How well the presence of single frequent words separates clones from non-clones; a warning if the AUC is "
        "at least `shortcut-auc`.",
        why="“Both mention ftp” finds the clones of a functionality without looking at what the code does.",
        reference=NAMES,
        fix="Evaluate across functionalities, and report this baseline.",
        needs=(Need.LABELS, Need.TEXTS),
        threatens=LEARNING,
    ),
)
def vocabulary_only(context: AuditContext) -> Iterator[Finding]:
    def features(sample: _Sample) -> Floats:
        found = _names(context, sample)
        parts = {key: {part for name in names for part in subwords(name)} for key, names in found.items()}
        frequency = Counter(part for words in parts.values() for part in words)
        # A word that most or hardly any fragments have is not informative.
        informative = [(count, part) for part, count in frequency.items() if 0.005 <= count / len(parts) <= 0.5]
        vocabulary = [part for _, part in sorted(informative, key=lambda item: (-item[0], item[1]))[:_VOCABULARY]]
        return _presence(sample, parts, vocabulary)

    yield from _check(context, "single words", features)


def _names(context: AuditContext, sample: _Sample) -> dict[int, frozenset[str]]:
    """The identifiers of every fragment of the sample."""
    wanted = pa.table({"fragment": sample.fragments})
    table = context.sql(
        "SELECT f.fragment AS fragment, f.language AS language, f.text AS text FROM fragments f "
        "JOIN wanted w ON f.fragment = w.fragment",
        wanted=wanted,
    )
    return {
        row["fragment"]: frozenset(
            name.decode("utf-8", errors="replace") for name in name_tokens(row["text"], known_language(row["language"]))
        )
        for row in table.to_pylist()
    }


def _word_similarity(sample: _Sample, words: dict[int, frozenset[str]]) -> Floats:
    """The Jaccard index, the rarity-weighted cosine, and the log number of shared words of each pair."""
    frequency = Counter(word for found in words.values() for word in found)
    rarity = {word: log(len(words) / count) for word, count in frequency.items()}
    norm = {key: sqrt(sum(rarity[word] ** 2 for word in found)) for key, found in words.items()}
    rows = np.zeros((len(sample.left), 3))
    for number, (one, other) in enumerate(zip(sample.left.tolist(), sample.right.tolist(), strict=True)):
        shared = words[one] & words[other]
        weight = sum(rarity[word] ** 2 for word in shared)
        rows[number] = (
            len(shared) / max(len(words[one] | words[other]), 1),
            weight / max(norm[one] * norm[other], 1e-9),
            log(1 + len(shared)),
        )
    return rows


def _presence(sample: _Sample, words: dict[int, set[str]], vocabulary: Sequence[str]) -> Floats:
    """For each word of the vocabulary: whether both fragments have it, and whether exactly one has."""
    keys = sample.fragments
    has = np.array([[word in words[key] for word in vocabulary] for key in keys.tolist()], dtype=bool)
    one, other = has[np.searchsorted(keys, sample.left)], has[np.searchsorted(keys, sample.right)]
    return np.hstack([one & other, one ^ other]).astype(float)
