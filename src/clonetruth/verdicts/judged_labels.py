"""Judged samples of labels: which labels they are about, and which evaluated pairs they cover.

A judged sample shows how many labels of a set are wrong. It can correct a number only if it is about the same labels:
from the same source, under a criterion that a label of that kind can be right or wrong about, and of the same clone
type. Everything else is refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.model import CRITERIA, JudgeKind, PairValue, Subject
from clonetruth.stats.label_noise import LabelGroup
from clonetruth.stats.rates import Bools, Integers
from clonetruth.stats.survey import SampledShare, estimate_stratified
from clonetruth.store import Benchmark
from clonetruth.store.results import Measurement
from clonetruth.store.study_estimate import StudyEstimate, read_estimates
from clonetruth.verdicts.policies import DEFAULT, EVIDENCE, ORIGIN, judge_verdicts

_PURPOSE = frozenset({"shares-functionality", "same-main-purpose", "functionally-similar"})
"""Criteria about what code is for. A label under one of them can be checked under another, which is then stated; a
label under any other criterion can only be checked under the same one."""

LABEL_FAMILIES: Mapping[str, frozenset[str]] = {
    "BigCloneBench": frozenset(
        {
            *("bigclonebench", "bigclonebench-functions", "astnn", "toma", "zhengly1", "codexglue-bcb"),
            *("absbigclonebench", "conbigclonebench", "graphmatch", "bcb-extract", "bcb406", "iwsc100"),
        }
    ),
}
"""Sources whose labels, or whose judged pairs, come from one dataset."""

_ASKED_SQL = """
SELECT DISTINCT g.kind AS kind, j.criterion AS criterion
FROM judgements j JOIN judges g ON j.judge = g.judge
ORDER BY kind, criterion
"""

_JUDGED_SQL = """
SELECT p.pair AS pair, e.verdict AS verdict, p.claimed_type AS clone_type,
    CASE WHEN l.verdict IN ('clone', 'not-clone') THEN l.verdict
        WHEN r.speaks = 0 AND p.claimed_type IS NOT NULL THEN 'clone' END AS label
FROM pairs p
CROSS JOIN rule r
JOIN evidence e ON p.pair = e.pair
LEFT JOIN labels l ON p.pair = l.pair
WHERE e.verdict <> 'unknown'
ORDER BY p.pair
"""
"""The label is the claim of the dataset's own rule; without a rule, a pair with a claimed clone type is labelled a
clone."""

_TYPES_SQL = "SELECT p.pair AS pair, p.claimed_type AS clone_type FROM pairs p JOIN drawn d ON p.pair = d.pair"

_LABEL_TYPES_SQL = """
SELECT coalesce(p.claimed_type, '') AS clone_type, count(*) AS labels
FROM pairs p JOIN labels l ON p.pair = l.pair
WHERE l.verdict = 'clone'
GROUP BY coalesce(p.claimed_type, '')
ORDER BY clone_type
"""

_NO_LABELS = pa.table({"pair": pa.array([], pa.int64()), "verdict": pa.array([], pa.string())})


@dataclass(frozen=True, eq=False)
class JudgedLabels:
    """Labels that were judged.

    Attributes:
        name: the set that they belong to.
        criterion: what the judges were asked.
        sample: what was sampled, in words.
        judges: who judged.
        source: where the judgements are, or are published.
        label: for each judged label, whether it says clone.
        clone: whether the verdict is clone.
        clone_type: the clone type that the source claims; an empty string for none.
        pair: its key in the benchmark; -1 where it is unknown.
        stratum: the stratum that it was drawn from.
        populations: number of pairs in each stratum; None if nobody recorded how the pairs were drawn.
        note: what to know before using it.
    """

    name: str
    criterion: str
    sample: str
    judges: str
    source: str
    label: Bools
    clone: Bools
    clone_type: Sequence[str]
    pair: Integers
    stratum: Sequence[str]
    populations: Mapping[str, int] | None = None
    note: str | None = None

    @property
    def types(self) -> tuple[str, ...]:
        """The clone types of the judged clone labels; empty where some have none."""
        found = {kind for kind, label in zip(self.clone_type, self.label, strict=True) if label}
        return () if "" in found else tuple(sorted(found))

    @property
    def drawn(self) -> str:
        """How the judged pairs were drawn, or what must be assumed about it, in a sentence."""
        if self.populations is not None:
            return "The judged pairs were drawn at random with recorded probabilities."
        return f"This assumes that the judged pairs are a random sample of the {self.sample}."

    def members(self, label: bool, clone_type: str | None = None) -> Bools:
        """Which of the judged pairs have this label, and this clone type."""
        inside: Bools = np.equal(self.label, label)
        return inside if clone_type is None else inside & np.equal(np.array(self.clone_type, np.str_), clone_type)

    def share(self, members: Bools) -> SampledShare:
        """The share of clones among all pairs like the members."""
        return estimate_stratified(self.stratum, self.populations, self.clone, members, finite=False)

    def error(self, label: bool, confidence: float = 0.95) -> Measurement:
        """The share of wrong labels among those that say clone, or that say not a clone."""
        members, wrong = self.members(label), self.clone != self.label
        share = estimate_stratified(self.stratum, self.populations, wrong, members)
        interval = share.interval(confidence)
        return Measurement(
            name="label-error" if label else "label-error-not-clone",
            value=share.value,
            low=interval.low if interval else None,
            high=interval.high if interval else None,
            successes=float(np.count_nonzero(wrong & members)),
            n=int(np.count_nonzero(members)),
            method="Clopper–Pearson"
            if self.populations is None
            else "Clopper–Pearson, with the effective number of trials of the stratified sample",
            note=None if self.populations is None else "Weighted: the value is not successes / n.",
        )

    @property
    def errors(self) -> tuple[Measurement, ...]:
        """The share of wrong labels of each kind that was judged."""
        return tuple(self.error(label) for label in (True, False) if (self.label == label).any())


def judged_labels(
    benchmark: Benchmark, criterion: str | None = None, *, of: Benchmark | None = None
) -> JudgedLabels | str:
    """The judged labels in a benchmark.

    A study that was exported to the benchmark records how its pairs were drawn, so its labels are used. Otherwise all
    labelled pairs with a verdict from people, LLMs or executions are.

    Args:
        benchmark: the benchmark with the judgements.
        criterion: what the judges were asked (default: the only criterion that fits the labels).
        of: the benchmark whose labels are in question (default: the same one).

    Returns:
        The judged labels; or, where there are none, the reason in a sentence.

    Raises:
        InputError: the judgements are about labels of another source or under a criterion that does not fit; or the
            judges were asked several questions, and none was chosen.
    """
    if of is not None:
        _check_source(benchmark, of)
    asked = {(row["kind"], row["criterion"]) for row in benchmark.sql(_ASKED_SQL).to_pylist()}
    claimed = (of or benchmark).card.criterion
    chosen = _criterion(benchmark, {name for kind, name in asked if kind in EVIDENCE}, claimed, criterion)
    if chosen is None:
        return (
            f"nobody judged pairs of {benchmark.card.name} under a criterion that its labels ('{claimed}') can be "
            "checked by"
        )
    for estimate in read_estimates(benchmark.path):
        if estimate.criterion == chosen and estimate.drawn is not None and estimate.drawn.pair:
            return _studied(benchmark, estimate)
    speaks = (JudgeKind.RULE, benchmark.card.criterion) in asked
    rows = benchmark.sql(
        _JUDGED_SQL,
        labels=judge_verdicts(benchmark, ORIGIN.name).path if speaks else _NO_LABELS,
        evidence=judge_verdicts(benchmark, DEFAULT.name, chosen).path,
        rule=pa.table({"speaks": [int(speaks)]}),
    ).to_pylist()
    labelled = [row for row in rows if row["label"] is not None]
    if not labelled:
        return f"no judged pair of {benchmark.card.name} has a label of the dataset"
    types = sorted({row["clone_type"] or "" for row in labelled if row["label"] == PairValue.CLONE})
    kinds = f"{', '.join(types)} pairs" if types and "" not in types and len(types) <= 3 else "pairs"
    return JudgedLabels(
        name=benchmark.card.name,
        criterion=chosen,
        sample=f"{kinds} that {_owner(benchmark)} labels",
        judges="people, LLMs and executions, by majority",
        source=f"the judgements in {benchmark.path}",
        label=np.array([row["label"] == PairValue.CLONE for row in labelled]),
        clone=np.array([row["verdict"] == PairValue.CLONE for row in labelled]),
        clone_type=[row["clone_type"] or "" for row in labelled],
        pair=np.array([row["pair"] for row in labelled], np.int64),
        stratum=[""] * len(labelled),
    )


def label_types(benchmark: Benchmark) -> Mapping[str, int] | None:
    """How many clone labels a benchmark has of each claimed clone type; None where its rule labels none."""
    asked = benchmark.sql(_ASKED_SQL).to_pylist()
    if {"kind": JudgeKind.RULE, "criterion": benchmark.card.criterion} not in asked:
        return None
    rows = benchmark.sql(_LABEL_TYPES_SQL, labels=judge_verdicts(benchmark, ORIGIN.name).path).to_pylist()
    return {row["clone_type"]: row["labels"] for row in rows} or None


def _studied(benchmark: Benchmark, estimate: StudyEstimate) -> JudgedLabels:
    drawn = estimate.drawn
    assert drawn is not None
    if len({len(column) for column in (drawn.pair, drawn.stratum, drawn.label, drawn.verdict)}) > 1:
        raise InputError(
            f"The estimate of the study '{estimate.title}' is damaged: its columns differ in length.",
            where=benchmark.path,
            hint="Export the study again: clonetruth study export.",
        )
    found = benchmark.sql(_TYPES_SQL, drawn=pa.table({"pair": pa.array(drawn.pair, pa.int64())})).to_pylist()
    types = {row["pair"]: row["clone_type"] or "" for row in found}
    return JudgedLabels(
        name=benchmark.card.name,
        criterion=estimate.criterion,
        sample=f"labels among {estimate.population}",
        judges=f"the judges of the study '{estimate.title}', by the policy '{estimate.policy}'",
        source=f"the study in {benchmark.path}",
        label=np.array([label == PairValue.CLONE for label in drawn.label]),
        clone=np.array([verdict == PairValue.CLONE for verdict in drawn.verdict]),
        clone_type=[types.get(pair, "") for pair in drawn.pair],
        pair=np.array(drawn.pair, np.int64),
        stratum=drawn.stratum,
        populations=drawn.populations,
    )


def _owner(benchmark: Benchmark) -> str:
    """Whose labels a benchmark has: the dataset that its source belongs to, or itself."""
    name = benchmark.card.name
    return next((family for family, names in LABEL_FAMILIES.items() if name in names), name)


def _check_source(judged: Benchmark, of: Benchmark) -> None:
    names, theirs = ({one.name for one in benchmark.lineage() if one.name} for benchmark in (judged, of))
    hashes = ({one.content_hash for one in benchmark.lineage()} for benchmark in (judged, of))
    if names & theirs or set.intersection(*hashes):
        return
    if any(names & family and theirs & family for family in LABEL_FAMILIES.values()):
        return
    raise InputError(
        f"The judgements of {judged.card.name} are not about the labels of {of.card.name}.",
        where=judged.path,
        hint="Give judgements on labels of the same source, or judge a sample of them: clonetruth study sample.",
    )


def _criterion(benchmark: Benchmark, asked: set[str], claimed: str, wanted: str | None) -> str | None:
    """What the judges were asked. Judgements on fragments can make a pair a clone, but not deny it."""
    pairs = {name for name in asked if name in CRITERIA and CRITERIA[name].subject is Subject.PAIR}
    fitting = sorted(name for name in pairs if name == claimed or {name, claimed} <= _PURPOSE)
    hint = f"Criteria that fit and were judged: {', '.join(fitting) or 'none'}."
    if wanted is None:
        if len(fitting) > 1:
            raise InputError(
                "The judges of the benchmark were asked several questions.",
                where=benchmark.path,
                hint=f"Choose one with --criterion or --judged-criterion: {', '.join(fitting)}.",
            )
        return fitting[0] if fitting else None
    if wanted not in CRITERIA:
        raise InputError(f"There is no criterion '{wanted}'.", hint=hint)
    if wanted not in fitting:
        reason = (
            f"Judgements under '{wanted}' cannot show whether a label under '{claimed}' is right."
            if wanted in pairs or wanted not in asked
            else f"Judgements under '{wanted}' are about single fragments, and cannot deny a pair."
        )
        raise InputError(reason, where=benchmark.path, hint=hint)
    return wanted


# Matching with evaluated pairs.


@dataclass(frozen=True)
class LabelCell:
    """Evaluated pairs with the same label and clone type (empty for none).

    Attributes:
        label: whether they are labelled clones.
        clone_type: their clone type.
        predicted: number of them that are predicted to be clones.
        others: number of the others.
        effect: see `LabelGroup.effect`.
    """

    label: bool
    clone_type: str
    predicted: float
    others: float
    effect: float | None = None


@dataclass(frozen=True)
class MatchedLabels:
    """Evaluated pairs with the share of clones among them.

    Attributes:
        judged: the judged sample.
        groups: the pairs in groups that the sample distinguishes.
        assumptions: what must hold for the shares to be about these pairs, in sentences.
        kinds: for each group, its label and clone type; None for all types.
    """

    judged: JudgedLabels
    groups: tuple[LabelGroup, ...]
    assumptions: tuple[str, ...]
    kinds: tuple[tuple[bool, str | None], ...] = field(default=())


def match_labels(judged: JudgedLabels, cells: Sequence[LabelCell], decisions: Integers | None = None) -> MatchedLabels:
    """Match a judged sample with evaluated pairs, by label and clone type.

    Labels that nobody judged are taken as right, and the assumptions say so.

    Args:
        judged: the judged sample.
        cells: the evaluated pairs.
        decisions: for each judged pair, 1 if the detector predicts a clone, 0 if not, -1 if unknown.
    """
    assumptions = [judged.drawn]
    typed = bool(judged.types) and any(one.clone_type for one in cells if one.label and one.predicted + one.others)
    if judged.types and not typed:
        assumptions.append(
            f"The evaluated clone labels have no clone type: they are taken to be of the judged kind "
            f"({', '.join(judged.types)})."
        )
    kinds = sorted({(one.label, one.clone_type if typed and one.label else None) for one in cells}, key=str)
    groups: list[LabelGroup] = []
    believed: list[tuple[bool, str | None]] = []
    for label, clone_type in kinds:
        inside = [one for one in cells if one.label == label and (clone_type is None or one.clone_type == clone_type)]
        predicted, others = sum(one.predicted for one in inside), sum(one.others for one in inside)
        effect = max((one.effect for one in inside if one.effect is not None), default=None)
        members = judged.members(label, clone_type)
        if not members.any():
            groups.append(replace(LabelGroup.believed(label, predicted, others), effect=effect))
            if predicted + others:
                believed.append((label, clone_type))
            continue
        yes, no = (None if decisions is None else judged.share(members & (decisions == one)) for one in (1, 0))
        groups.append(LabelGroup(label, predicted, others, judged.share(members), yes, no, effect=effect))
    if believed:
        assumptions.append(f"Labels that nobody judged are taken as right: {_listed(believed)}.")
    return MatchedLabels(judged, tuple(groups), tuple(assumptions), tuple(kinds))


def _listed(kinds: Sequence[tuple[bool, str | None]]) -> str:
    types = [clone_type or "unknown" for label, clone_type in kinds if label and clone_type is not None]
    texts = ["'not-clone'"] if any(not label for label, _ in kinds) else []
    if any(label for label, _ in kinds):
        texts.append(f"'clone' of the types {', '.join(types)}" if types else "'clone'")
    return " and ".join(texts)
