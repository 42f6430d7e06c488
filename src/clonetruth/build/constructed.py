"""Pairs that are known by construction: what made them speaks as a judge, with what was checked as its evidence.

Decision 0010 says why that judge is one whose word counts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from clonetruth.code import CloneType
from clonetruth.model import Judge, JudgeKind, Judgement, Pair, PairValue
from clonetruth.store import BenchmarkWriter

CRITERION = "textual"
"""What the construction decides, and nothing else."""


@dataclass(frozen=True)
class Constructed:
    """A pair with its cause.

    Attributes:
        left, right: ids of its fragments.
        operator: the name of what made it.
        description: what that does, in a sentence.
        clone: whether it is a clone.
        measured: what was measured of both texts.
    """

    left: str
    right: str
    operator: str
    description: str
    clone: bool
    measured: CloneType

    def judge(self) -> Judge:
        """Who speaks for the construction."""
        return Judge(
            id=f"operator:{self.operator}",
            kind=JudgeKind.EXECUTION,
            name=self.operator,
            description=self.description,
            settings={"operator": self.operator},
        )

    def pair(self) -> Pair:
        """The pair as a row; of a non-clone no type is claimed."""
        return Pair(
            self.left,
            self.right,
            claimed_type=self.measured.name if self.clone else None,
            claimed_similarity_line=self.measured.similarity.line,
            claimed_similarity_token=self.measured.similarity.token,
            claimed_cut_rule=self.measured.cut_rule,
        )

    def judgement(self, row: int) -> Judgement:
        """What the construction says of the pair in a row."""
        return Judgement(
            judge=self.judge().id,
            criterion=CRITERION,
            value=PairValue.CLONE if self.clone else PairValue.NOT_CLONE,
            pair=row,
            reason=self.description,
            evidence=json.dumps({"type": self.measured.name, **asdict(self.measured.similarity)}),
        )


def write_constructed(writer: BenchmarkWriter, pairs: Sequence[Constructed]) -> None:
    """Write pairs and what is said of them to a benchmark that has no other pairs."""
    writer.add("pairs", [one.pair() for one in pairs])
    writer.add("judges", list({one.operator: one.judge() for one in pairs}.values()))
    writer.add("judgements", [one.judgement(row) for row, one in enumerate(pairs)])
