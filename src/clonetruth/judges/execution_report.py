"""What `judge execute` found: the funnel from pairs to agreement with the label, and every pair with its evidence."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from clonetruth.execution import BehaviourVerdict, Reason
from clonetruth.judges.execution_evidence import FragmentEvidence, PairEvidence, describe_witness
from clonetruth.judges.execution_tasks import SelectedFragment, SelectedPair
from clonetruth.model import Card, MemberValue, PairValue
from clonetruth.store import Benchmark

_DENYING = ("equivalent-behaviour",)
_CLAIMING = (*_DENYING, "semantic-not-syntactic")
"""The criteria under which a clone is said to behave the same."""


_DECIDING = (BehaviourVerdict.DIFFERENT, BehaviourVerdict.NO_DIFFERENCE_FOUND, BehaviourVerdict.PROVED_EQUAL)


@dataclass(frozen=True)
class PairRun:
    """A pair with what running it showed."""

    selected: SelectedPair
    evidence: PairEvidence

    @property
    def agrees(self) -> bool | None:
        """Whether the judgement is what the label says; None if one of them says nothing."""
        value = self.evidence.value()
        if self.selected.label is None or value is PairValue.UNDECIDED:
            return None
        return self.selected.label == value

    @property
    def verdict(self) -> BehaviourVerdict:
        """What is known of both behaviours."""
        return self.evidence.comparison.verdict


@dataclass(frozen=True)
class FragmentTestRun:
    """A fragment with what the tests of its source showed."""

    selected: SelectedFragment
    evidence: FragmentEvidence


@dataclass(frozen=True, repr=False)
class ExecutionReport:
    """What `judge_by_execution` found.

    Attributes:
        benchmark: the benchmark, with the judgements.
        pairs: all pairs that were asked for.
        fragments: the fragments that their source has tests for.
        ran: number of pairs and fragments that were run now.
        kept: number of those that were run before, with the same versions and settings.
        added: number of judgements that are new in the benchmark.
        seconds: how long the runs took.
    """

    benchmark: Benchmark = field(repr=False)
    pairs: tuple[PairRun, ...]
    fragments: tuple[FragmentTestRun, ...]
    ran: int
    kept: int
    added: int
    seconds: float

    @property
    def card(self) -> Card:
        """The benchmark's card."""
        return self.benchmark.card

    @property
    def equal_texts(self) -> int:
        """Number of pairs of equal texts, which are not run."""
        return sum(one.evidence.has_equal_texts for one in self.pairs)

    @property
    def executed(self) -> int:
        """Number of pairs of which at least one input ran on both sides."""
        return sum(one.evidence.was_executed for one in self.pairs)

    @property
    def verdicts(self) -> dict[BehaviourVerdict, int]:
        """Number of pairs with each verdict; without pairs of equal texts."""
        found = Counter(one.verdict for one in self.pairs if not one.evidence.has_equal_texts)
        return {verdict: found[verdict] for verdict in BehaviourVerdict}

    @property
    def decided(self) -> int:
        """Number of pairs that are decided by running them."""
        return sum(count for verdict, count in self.verdicts.items() if verdict is not BehaviourVerdict.UNDECIDED)

    @property
    def reasons(self) -> dict[Reason, int]:
        """Why pairs are undecided, the most frequent reason first."""
        found = Counter(reason for one in self.pairs if (reason := one.evidence.comparison.why_undecided))
        return dict(found.most_common())

    @property
    def labelled(self) -> int:
        """Number of pairs with a label that running them decided."""
        return sum(one.agrees is not None for one in self.pairs if not one.evidence.has_equal_texts)

    @property
    def agreeing(self) -> int:
        """Number of those whose label running them confirms."""
        return sum(one.agrees is True for one in self.pairs if not one.evidence.has_equal_texts)

    @property
    def funnel(self) -> list[tuple[str, int]]:
        """From all pairs to those whose label the runs confirm, as names and numbers."""
        return [
            ("pairs", len(self.pairs)),
            ("equal texts, not run", self.equal_texts),
            ("executed: an input ran on both sides", self.executed),
            ("decided by running", self.decided),
            *((f"  {verdict.replace('-', ' ')}", self.verdicts[verdict]) for verdict in _DECIDING),
            ("decided, with a label", self.labelled),
            ("label confirmed", self.agreeing),
        ]

    @property
    def confusion(self) -> dict[str, dict[str, int]]:
        """Number of pairs by label and value."""
        found = Counter((one.selected.label or "no label", str(one.evidence.value())) for one in self.pairs)
        labels = sorted({label for label, _ in found})
        return {label: {str(value): found[label, str(value)] for value in PairValue} for label in labels}

    @property
    def disagreements(self) -> list[PairRun]:
        """The pairs whose label contradicts what was observed; clones with a witness first, the clearest first."""
        found = [one for one in self.pairs if one.agrees is False]
        return sorted(found, key=_clarity)

    @property
    def tested(self) -> dict[MemberValue, int]:
        """Number of fragments with each result of their source's tests."""
        found = Counter(one.evidence.value for one in self.fragments)
        return {value: found[value] for value in (MemberValue.MAJOR, MemberValue.WRONG, MemberValue.UNDECIDED)}

    @property
    def caution(self) -> str | None:
        """What the label means, if it does not say that both behave the same."""
        criterion = self.card.criterion
        if criterion in _DENYING:
            return None
        if criterion in _CLAIMING:
            return f"Labels answer '{criterion}': a pair labelled not-clone may well behave the same."
        return f"Labels answer '{criterion}', which does not say that both behave the same."

    def to_dict(self) -> dict[str, Any]:
        """As JSON: the counts, and the disagreements in words."""
        return {
            "benchmark": {"name": self.card.name, "version": self.card.version, "criterion": self.card.criterion},
            "pairs": len(self.pairs),
            "equal_texts": self.equal_texts,
            "executed": self.executed,
            "decided": self.decided,
            "verdicts": dict(self.verdicts),
            "reasons": dict(self.reasons),
            "labelled": self.labelled,
            "agreeing": self.agreeing,
            "confusion": self.confusion,
            "tested_fragments": dict(self.tested),
            "ran": self.ran,
            "kept": self.kept,
            "added": self.added,
            "seconds": round(self.seconds, 3),
            "caution": self.caution,
            "disagreements": [
                {
                    "pair": one.selected.pair,
                    "left": one.selected.left_id,
                    "right": one.selected.right_id,
                    "label": one.selected.label,
                    "verdict": one.verdict,
                    "witness": describe_witness(one.evidence.comparison) if one.evidence.comparison.witness else None,
                }
                for one in self.disagreements
            ],
        }

    def __repr__(self) -> str:
        return (
            f"<ExecutionReport of {self.card.name}: {len(self.pairs):,} pairs, {self.executed:,} executed, "
            f"{self.decided:,} decided>"
        )


def _clarity(one: PairRun) -> tuple[int, float, int]:
    """Claimed clones first, then by the share of inputs on which both differ, in any way that counts."""
    found = one.evidence.comparison
    differing = max((count for kind, count in found.counts.items() if kind in found.policy.counted), default=0)
    share = differing / found.strength.runs if found.strength.runs else 0.0
    return (0 if one.selected.label == PairValue.CLONE else 1, -share, one.selected.pair)
