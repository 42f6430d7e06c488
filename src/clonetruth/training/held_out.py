"""Training examples of `semantic`: pairs of functionalities that neither the background nor the projection contains.

What is learned must hold for functionalities that nobody has seen. So every training example is made as a test example
will be: some functionalities are held out, the background (how common features are, the cohort) and the projection come
from the others, and the pairs among the held-out ones are the examples. This is repeated with other functionalities.
Functionalities are what the benchmark says of the training fragments, or else what the labels say: fragments that are
clones of each other, directly or through others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from clonetruth.code.canonical import ViewCounts
from clonetruth.detectors.semantic import Background, LearnedProjection, SemanticFragments, shipped_model
from clonetruth.detectors.semantic.background import project
from clonetruth.detectors.semantic.behaviour import FragmentOutputs, OutputFrequencies
from clonetruth.errors import InputError
from clonetruth.progress import Progress, no_progress
from clonetruth.training.trainer import Booleans, Floats, Integers
from clonetruth.training.view_weights import ViewWeights

if TYPE_CHECKING:
    from clonetruth.execution.output_digests import OutputFingerprint

COHORT = 300
"""Fragments of the training part with which every fragment is compared."""
NEAREST = 0.3
"""The share of them that counts: those that a fragment resembles most in a view."""
_LEAST_FRAGMENTS = 100
"""With fewer training fragments, the shipped background serves."""
_KNOWN = 0.9
"""The share of the valid part's own fragments with a functionality of the train part, from which its view counts as one
that tests known functionalities."""
_ROUNDS = 6
"""How often functionalities are held out."""
_HELD_OUT = 1 / 3
"""The share of functionalities that a round holds out."""
_HALF = 8.0
"""A known functionality with this number of fragments is held out half as often as a large one."""
_DRAWN = 100
"""Pairs that are drawn for each that a round needs: with many functionalities few of them are clones."""
_MAX_EXAMPLES = 9_000
"""Training examples; more do not help, since functionalities count, not pairs."""
_LEAST_LEARNED = 10
"""Functionalities of at least two fragments that a projection is learned from; fewer do not say what varies within
others."""
_SHIPPED_COUNT = 10
"""The number of functionalities for which the shipped examples count: with more own ones, fewer of them are added."""
_LEARNED_FROM = 4_000
"""Fragments from which a projection is learned, at most."""


@dataclass(frozen=True, eq=False)
class LabelledCounts:
    """Fragments with their features, and labelled pairs of them.

    Attributes:
        counts: the features of the fragments.
        languages: their languages.
        left: the row of each pair's left side.
        right: the row of each pair's right side.
        truth: whether each pair is a clone.
        outputs: what each fragment gives for generic inputs, if they were run.
        known: the functionality of each fragment, if the benchmark says it.
        only_valid: the fragments that the valid part has and the train part has not (default: none).
    """

    counts: ViewCounts
    languages: Sequence[str]
    left: Integers
    right: Integers
    truth: Booleans
    outputs: Sequence[OutputFingerprint] | None = None
    known: Integers | None = None
    only_valid: Booleans | None = None

    @property
    def tests_known(self) -> bool:
        """Whether the valid part has further fragments of functionalities of the train part, as the test part will."""
        if self.known is None or self.only_valid is None or not self.only_valid.any():
            return False
        return bool(np.isin(self.known[self.only_valid], self.known[~self.only_valid]).mean() >= _KNOWN)

    def background_rows(self) -> Integers:
        """The fragments that the background is made of.

        Where functionalities are known ones, fragments of the valid part stay outside: compared with the background as
        those of the test part will be, they can choose a threshold.
        """
        if self.only_valid is None or not self.tests_known:
            return np.arange(len(self.counts))
        return np.flatnonzero(~self.only_valid)

    def frequencies(self, rows: Integers) -> OutputFrequencies | None:
        """How common outputs are among some fragments, if fragments were run."""
        return None if self.outputs is None else OutputFrequencies.of([self.outputs[row] for row in rows.tolist()])

    @property
    def knows_classes(self) -> bool:
        """Whether the benchmark says the functionality of each fragment, and all labels agree with it."""
        return self.known is not None and bool(
            np.array_equal(self.known[self.left] == self.known[self.right], self.truth)
        )

    def functionality(self) -> Integers:
        """The functionality of each fragment: as it is known, or the fragments that clone pairs connect.

        Where labels differ from the known functionalities, clones are something else than what functionalities share.
        """
        if self.known is not None and self.knows_classes:
            return np.unique(self.known, return_inverse=True)[1]
        above = list(range(len(self.counts)))

        def top(one: int) -> int:
            while above[one] != one:
                above[one] = one = above[above[one]]
            return one

        for a, b in zip(self.left[self.truth].tolist(), self.right[self.truth].tolist(), strict=True):
            above[top(a)] = top(b)
        return np.unique([top(one) for one in range(len(above))], return_inverse=True)[1]


@dataclass(frozen=True, eq=False)
class _HeldPairs:
    """Functionalities that are held out once, and labelled pairs among them.

    Attributes:
        held: which functionalities are held out.
        left: the fragment of each pair's left side.
        right: the fragment of each pair's right side.
        truth: whether each pair is a clone.
    """

    held: Booleans
    left: Integers
    right: Integers
    truth: Booleans


@dataclass(frozen=True, eq=False)
class _Round:
    """Pairs of functionalities that were held out, compared with a background of the others.

    Attributes:
        pairs: the pairs.
        background: made of the fragments of the other functionalities.
        similarities: of each pair in each view.
    """

    pairs: _HeldPairs
    background: Background
    similarities: Floats

    @classmethod
    def of(cls, data: LabelledCounts, pairs: _HeldPairs, background: Background) -> _Round:
        used, place = np.unique(np.concatenate([pairs.left, pairs.right]), return_inverse=True)
        names = [data.languages[row] for row in used.tolist()]
        own = SemanticFragments.of(data.counts.take(used), names, background)
        found, _ = own.similarities(place[: len(pairs.left)], place[len(pairs.left) :])
        return cls(pairs, background, found.astype(np.float64))

    def learning(self, data: LabelledCounts, functionality: Integers, weights: Floats, seed: int) -> _Round:
        """The same, with a projection learned from the functionalities that were not held out."""
        others = _others(functionality, self.pairs.held)
        background = learned_background(self.background, data.counts.take(others), functionality[others], weights, seed)
        return _Round.of(data, self.pairs, background)


@dataclass(frozen=True, eq=False)
class HeldOutExamples:
    """Pairs of held-out functionalities, as similarities.

    Attributes:
        similarities: of each pair in each view.
        truth: whether it is a clone.
        fold: the fold of each side's functionality: a model that was not fitted to either predicts the pair.
        weights: the weights of the views without a learned vector, by which one may be learned; None if none is.
        said: what its outputs say, and where something is known of them; None if fragments were not run.
    """

    similarities: Floats
    truth: Booleans
    fold: Integers
    weights: Floats | None
    said: tuple[Floats, Booleans] | None = None

    @classmethod
    def of(
        cls,
        data: LabelledCounts,
        seed: int,
        progress: Progress = no_progress,
        *,
        learns: bool = True,
        lifts: bool = True,
    ) -> HeldOutExamples:
        """Make examples, with the share of clones that the data have.

        Args:
            data: fragments and labelled pairs.
            seed: decides which functionalities are held out when.
            progress: receives progress reports.
            learns: with a learned projection, if it helps.
            lifts: features count by what they say, not by their rarity (`feature_lift`).
        """
        functionality = data.functionality()
        total = int(functionality.max()) + 1
        random = np.random.default_rng([seed, 17])
        folds = random.permutation(total) % fold_count(total)
        known = functionality if lifts else None
        rounds = []
        for number, pairs in enumerate(_rounds(data, functionality, random, progress)):
            others = _others(functionality, pairs.held)
            rounds.append(_Round.of(data, pairs, training_background(data, others, known, seed + number)))
        truth = np.concatenate([one.pairs.truth for one in rounds]) if rounds else np.zeros(0, bool)
        if not truth.any() or truth.all():
            raise InputError(
                "The training pairs have too few functionalities: held out, they give no clones or no others.",
                where="training",
                hint="Give pairs of at least three functionalities.",
            )
        left, right = (
            functionality[np.concatenate([getattr(one.pairs, side) for one in rounds])] for side in ("left", "right")
        )
        x = np.concatenate([one.similarities for one in rounds])
        weights = None
        if learns and len(data.counts) >= _LEAST_FRAGMENTS and _shared(functionality) >= _LEAST_LEARNED:
            learned = []
            for number, one in enumerate(rounds):
                # The pairs of what this round holds out are no part of what it learns.
                outside = ~one.pairs.held[left] & ~one.pairs.held[right]
                learned.append(one.learning(data, functionality, _weights(x[outside], truth[outside]), seed + number))
                progress("Learning", 1, len(rounds))
            if all(one.background.projection is not None for one in learned):
                more = np.concatenate([one.similarities for one in learned])
                fold = np.stack([folds[left], folds[right]], axis=1)
                prior = shipped_model().fitted.weights
                with_it, without = (ViewWeights.held_out_f1(one, truth, fold, prior) for one in (more, x))
                if with_it > without:
                    weights, x = _weights(x, truth), more
        fold = np.stack([folds[left], folds[right]], axis=1)
        kept = _with_share(truth, float(data.truth.mean()), random)
        said = None
        if data.outputs is not None:
            parts = [_output_columns(data, one.pairs, _others(functionality, one.pairs.held)) for one in rounds]
            said = np.concatenate([one for one, _ in parts])[kept], np.concatenate([one for _, one in parts])[kept]
        return cls(x[kept], truth[kept], fold[kept], weights, said)

    def with_shipped(self, data: LabelledCounts, seed: int) -> HeldOutExamples:
        """The same and examples that ship, where the data have few functionalities.

        None are added to examples with a learned vector, which those that ship do not have, and to those that were
        compared with the shipped background, from whose fragments no lifts are known.

        Args:
            data: the fragments and pairs of which these examples were made.
            seed: decides which of those that ship are taken.
        """
        if self.weights is not None or len(data.counts) < _LEAST_FRAGMENTS:
            return self
        shipped, random = shipped_model().examples, np.random.default_rng([seed, 43])
        most = len(self.truth) * min(1.0, _SHIPPED_COUNT / max(_shared(data.functionality()), 1))
        kept = _with_share(shipped.truth, float(data.truth.mean()), random)
        kept = np.sort(random.permutation(kept)[: round(most)])
        said = self.said
        if said is not None:
            # What their outputs say is not known: they count as fragments that do not run.
            columns, known = said
            more = np.zeros((len(kept), columns.shape[1]))
            said = np.concatenate([columns, more]), np.append(known, np.zeros(len(kept), bool))
        return HeldOutExamples(
            np.concatenate([self.similarities, shipped.similarities[kept]]),
            np.concatenate([self.truth, shipped.truth[kept]]),
            np.concatenate([self.fold, int(self.fold.max()) + 1 + shipped.fold[kept]]),
            self.weights,
            said,
        )


def _shared(functionality: Integers) -> int:
    """The number of functionalities with at least two fragments."""
    return int((np.bincount(functionality) > 1).sum())


def _rounds(
    data: LabelledCounts, functionality: Integers, random: np.random.Generator, progress: Progress
) -> Iterator[_HeldPairs]:
    """What each round holds out, and pairs among it: drawn where functionalities are known, else those of the data."""
    sizes = np.bincount(functionality)
    total, classes = len(sizes), data.knows_classes
    most = min(max(2, round(total * _HELD_OUT)), total)
    # A functionality of a few fragments gives few pairs, and is held out more seldom.
    chance = sizes / (sizes + _HALF)
    for _ in range(_ROUNDS):
        held = np.zeros(total, bool)
        if classes:
            held[random.choice(total, most, replace=False, p=chance / chance.sum())] = True
        else:
            held[random.permutation(total)[:most]] = True
        progress("Making examples", 1, _ROUNDS)
        pairs = _drawn(data, functionality, held, random) if classes else _given(data, functionality, held, random)
        if len(pairs.truth):
            yield pairs


def _given(data: LabelledCounts, functionality: Integers, held: Booleans, random: np.random.Generator) -> _HeldPairs:
    """Pairs of the data among functionalities that are held out."""
    inside = held[functionality]
    rows = np.flatnonzero(inside[data.left] & inside[data.right])
    rows = np.sort(random.permutation(rows)[: _MAX_EXAMPLES // _ROUNDS])
    return _HeldPairs(held, data.left[rows], data.right[rows], data.truth[rows])


def _drawn(data: LabelledCounts, functionality: Integers, held: Booleans, random: np.random.Generator) -> _HeldPairs:
    """Pairs of the fragments of functionalities that are held out, with the share of clones of the data.

    The pairs of the data may be few or none between two functionalities: those of its parts are drawn apart.
    """
    rows = np.flatnonzero(held[functionality])
    size, wanted = len(rows), _MAX_EXAMPLES // _ROUNDS
    if size * (size - 1) // 2 <= _DRAWN * wanted:
        left, right = np.triu_indices(size, 1)
    else:
        sides = np.sort(random.integers(0, size, (_DRAWN * wanted, 2)), axis=1)
        left, right = np.divmod(np.unique((sides @ [size, 1])[sides[:, 0] < sides[:, 1]]), size)
    left, right = rows[left], rows[right]
    truth = functionality[left] == functionality[right]
    kept = _with_share(truth, float(data.truth.mean()), random)
    kept = np.sort(random.permutation(kept)[:wanted])
    return _HeldPairs(held, left[kept], right[kept], truth[kept])


def _others(functionality: Integers, held: Booleans) -> Integers:
    """The fragments of functionalities that are not held out.

    A fragment that no clone pair names may belong to one that is: it is left out, unless too few would remain.
    """
    others = np.flatnonzero(~held[functionality])
    sure = others[np.bincount(functionality)[functionality[others]] > 1]
    return sure if len(sure) >= _LEAST_FRAGMENTS else others


def _output_columns(data: LabelledCounts, pairs: _HeldPairs, others: Integers) -> tuple[Floats, Booleans]:
    """What the outputs of pairs say, by how common they are among other fragments; and where something is known."""
    frequencies = data.frequencies(others)
    if data.outputs is None or frequencies is None:
        raise ValueError("fragments were not run")
    return FragmentOutputs.of(data.outputs, frequencies).columns(pairs.left, pairs.right)


def _weights(similarities: Floats, truth: Booleans) -> Floats:
    """How much each view says; all the same where there are no examples of both kinds."""
    if not truth.any() or truth.all():
        return np.ones(similarities.shape[1])
    return ViewWeights.fitted(similarities, truth)


def learned_background(
    background: Background, counts: ViewCounts, functionality: Integers, weights: Floats, seed: int
) -> Background:
    """A background with a projection that was learned from its fragments, if they suffice.

    Args:
        background: the background, made of the fragments.
        counts: their features.
        functionality: that of each.
        weights: the weight of each view.
        seed: decides which fragments are used, where there are too many.
    """
    rows = np.sort(np.random.default_rng([seed, 31]).permutation(len(counts))[:_LEARNED_FROM])
    vectors = project(counts.take(rows), background.weights)
    # A view in which fragments hardly differ is stretched, as it is where it is compared alone.
    cohort = replace(background.cohort, share=1.0)
    spread = cohort.moments(cohort.vectors, None, "")[1].mean(axis=0)
    scaled = weights / (spread + 0.02)
    return background.with_projection(LearnedProjection.of(vectors, functionality[rows], scaled, seed))


def fold_count(functionalities: int) -> int:
    """The number of folds for a number of functionalities."""
    return max(2, min(5, functionalities // 2))


def _with_share(truth: Booleans, share: float, random: np.random.Generator) -> Integers:
    """Rows with a share of clones: of the class that is too frequent, some are left out."""
    clones, others = random.permutation(np.flatnonzero(truth)), random.permutation(np.flatnonzero(~truth))
    wanted = round(len(others) * share / (1 - share)) if share < 1 else len(clones)
    if wanted < len(clones):
        clones = clones[: max(wanted, 1)]
    else:
        others = others[: max(1, round(len(clones) * (1 - share) / share))]
    return np.sort(np.concatenate([clones, others]))


def training_background(data: LabelledCounts, rows: Integers, functionality: Integers | None, seed: int) -> Background:
    """A background of some fragments; the shipped one where the training part is small.

    Args:
        data: fragments.
        rows: those that make the background.
        functionality: that of every fragment, if features are to count by what they say.
        seed: decides which become the cohort.
    """
    shipped = shipped_model()
    if len(data.counts) < _LEAST_FRAGMENTS:
        return shipped.background
    chosen = np.sort(np.random.default_rng([seed, 3]).permutation(len(rows))[:COHORT])
    names = [data.languages[row] for row in rows.tolist()]
    known = None if functionality is None else functionality[rows]
    return Background.of(data.counts.take(rows), names, chosen, shipped.frequencies, known, NEAREST)
