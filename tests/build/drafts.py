"""Small benchmarks with roles, tags and files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from clonetruth.model import (
    Card,
    Dataset,
    Fragment,
    Functionality,
    Judge,
    JudgeKind,
    Judgement,
    Membership,
    Pair,
    Role,
)
from clonetruth.store import Benchmark

PEOPLE = ("ann", "bob", "cem")


@dataclass
class Draft:
    """A benchmark in the making, in the manner of BigCloneBench."""

    fragments: list[Fragment] = field(default_factory=list)
    memberships: list[Membership] = field(default_factory=list)
    judgements: list[Judgement] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    claims: list[dict[str, int]] = field(default_factory=list)
    judges: list[Judge] = field(default_factory=list)

    def member(
        self,
        identity: str,
        functionality: str,
        role: Role,
        *tags: str,
        text: str | None = None,
        path: str | None = None,
        lines: tuple[int, int] | None = None,
        project: str | None = None,
    ) -> Draft:
        """A fragment in a functionality; each tag is the answer of one more person."""
        if identity not in {fragment.id for fragment in self.fragments}:
            first, last = lines or (None, None)
            content = f"void m{identity}() {{ int a = {len(self.fragments)}; go(a); }}" if text is None else text
            self.fragments.append(
                Fragment(identity, "java", content, project=project, path=path, first_line=first, last_line=last)
            )
        self.memberships.append(Membership(identity, functionality, role))
        for person, tag in zip(PEOPLE, tags, strict=False):
            self.judgements.append(
                Judgement(person, "implements-functionality", tag, fragment=identity, functionality=functionality)
            )
        return self

    def functionality(self, name: str, exemplars: int, positives: int, negatives: int) -> Draft:
        """A functionality with fragments of each role, each tagged by two people who agree."""
        for number in range(exemplars):
            self.member(f"{name}-x{number}", name, Role.EXEMPLAR)
        for number in range(positives):
            self.member(f"{name}-p{number}", name, Role.TAGGED_TRUE, "minor", "minor")
        for number in range(negatives):
            self.member(f"{name}-n{number}", name, Role.TAGGED_FALSE, "wrong", "wrong")
        return self

    def create(self, path: Path) -> Benchmark:
        """The benchmark folder."""
        names = dict.fromkeys(one.functionality for one in self.memberships)
        card = Card(
            name="draft",
            version="1",
            description="A draft.",
            licence="MIT",
            citation="Nobody",
            criterion="shares-functionality",
            languages=("java",),
        )
        claims: Sequence[pa.RecordBatch] = (
            [
                pa.RecordBatch.from_pydict(
                    {
                        "clone": [True] * len(self.claims),
                        "min_judges": pa.array([row["judges"] for row in self.claims], pa.int32()),
                        "min_confidence": pa.array([row["confidence"] for row in self.claims], pa.int32()),
                    }
                )
            ]
            if self.claims
            else []
        )
        return Benchmark.create(
            path,
            Dataset(
                card=card,
                fragments=self.fragments,
                functionalities=[Functionality(name, f"name of {name}") for name in names],
                memberships=self.memberships,
                pairs=self.pairs,
                judges=[*self.judges, *(Judge(person, JudgeKind.PERSON, person) for person in PEOPLE)],
                judgements=self.judgements,
                claims=claims,
            ),
        )


RULE = Judge("rule:lists", JudgeKind.RULE, "The lists")
TEXTS = {
    "a": "void a() { int first = 1; go(first); }",
    "twin": "void a()  {  int first = 1;\n go(first); }",
    "b": "void b() { while (open()) { read(); close(); } }",
    "empty": "",
}


def flawed(folder: Path) -> Benchmark:
    """Two equal texts, one missing; one pair both clone and non-clone, one repeated, one of a fragment with itself."""
    draft = Draft(judges=[RULE])
    for name, text in TEXTS.items():
        draft.member(name, "f", Role.TAGGED_TRUE, "minor", text=text)
    rows = [("a", "b", "clone"), ("b", "a", "not-clone"), ("b", "twin", "clone"), ("b", "b", "clone")]
    rows += [("a", "empty", "clone"), ("a", "twin", "clone"), ("twin", "a", "clone")]
    for number, (left, right, value) in enumerate(rows):
        draft.pairs.append(Pair(left, right, "f", claimed_type="T1", claimed_part="train"))
        draft.judgements.append(Judgement(RULE.id, "shares-functionality", value, pair=number))
        draft.claims.append({"judges": number, "confidence": 1})
    return draft.create(folder)
