"""Small benchmarks for the tests of the audit, described in a few lines each."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clonetruth.audit import AuditReport, Finding, audit_benchmark
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

CRITERION = "shares-functionality"
_KINDS = {"rule": JudgeKind.RULE, "llm": JudgeKind.LLM, "run": JudgeKind.EXECUTION}

WORDS = re.findall(
    r"\w+",
    """
    amber basin cedar delta ember fjord grove haven inlet joust kiosk lunar maple nacre ocean pearl quartz ridge slate
    tulip umber viola willow xenon yacht zephyr acorn birch coral dune
    """,
)


def function(seed: int, lines: int = 4, language: str = "java") -> str:
    """A function that shares hardly any words with the functions of other seeds."""
    names = [f"{WORDS[(seed * 7 + at * 3) % len(WORDS)]}{seed}x{at}" for at in range(2 * lines)]
    body = "\n".join(
        f"    int {one} = {other}({seed + at});"
        for at, (one, other) in enumerate(zip(names[::2], names[1::2], strict=True))
    )
    if language == "python":
        rows = "\n".join(f"    {one} = {other}({seed})" for one, other in zip(names[::2], names[1::2], strict=True))
        return f"def {names[0]}_of({names[1]}):\n{rows}\n    return {names[0]}\n"
    return f"int {names[0]}Of(int {names[1]}) {{\n{body}\n    return {names[0]};\n}}\n"


@dataclass
class Draft:
    """A benchmark under construction. Fragments and functionalities that are not described are made up."""

    language: str = "java"
    card: dict[str, Any] = field(default_factory=dict)
    fragments: dict[str, Fragment] = field(default_factory=dict)
    functionalities: dict[str, Functionality] = field(default_factory=dict)
    memberships: list[Membership] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    judges: dict[str, Judge] = field(default_factory=dict)
    judgements: list[Judgement] = field(default_factory=list)

    def fragment(self, identity: str, text: str | None = None, **more: Any) -> Draft:
        """Describe a fragment."""
        text = function(len(self.fragments) + 1, language=self.language) if text is None else text
        self.fragments[identity] = Fragment(identity, more.pop("language", self.language), text, **more)
        return self

    def member(self, identity: str, functionality: str, role: Role = Role.TAGGED_TRUE) -> Draft:
        """Put a fragment into a functionality."""
        self._add_fragment(identity)
        self.functionalities.setdefault(functionality, Functionality(functionality, functionality))
        self.memberships.append(Membership(identity, functionality, role))
        return self

    def pair(self, left: str, right: str, label: str | None = None, *answers: str, **more: Any) -> Draft:
        """Add a row with the rule's label and judgements: of people ("ada clone"), "llm clone" or "run not-clone"."""
        self._add_fragment(left)
        self._add_fragment(right)
        functionality = more.get("functionality")
        if functionality is not None:
            self.functionalities.setdefault(functionality, Functionality(functionality, functionality))
        self.pairs.append(Pair(left, right, **more))
        for answer in ([f"rule {label}"] if label else []) + list(answers):
            judge, value = answer.split(" ", 1)
            self._add_judge(judge)
            self.judgements.append(Judgement(judge, self._criterion, value, pair=len(self.pairs) - 1))
        return self

    def judgement(self, judge: str, value: str, fragment: str, functionality: str) -> Draft:
        """Add a judge's judgement on a fragment in a functionality."""
        self._add_judge(judge)
        self.judgements.append(
            Judgement(judge, "implements-functionality", value, fragment=fragment, functionality=functionality)
        )
        return self

    def create(self, folder: Path) -> Benchmark:
        """Make the benchmark in a folder."""
        plain = {
            "name": "draft",
            "version": "1",
            "description": "A small benchmark.",
            "licence": "MIT",
            "citation": "Nobody, 2026",
            "criterion": CRITERION,
            "languages": (self.language,),
        }
        dataset = Dataset(
            card=Card(**{**plain, **self.card}),
            fragments=self.fragments.values(),
            functionalities=self.functionalities.values(),
            memberships=self.memberships,
            pairs=self.pairs,
            judges=self.judges.values(),
            judgements=self.judgements,
        )
        return Benchmark.create(folder, dataset)

    @property
    def _criterion(self) -> str:
        return str(self.card.get("criterion", CRITERION))

    def _add_fragment(self, identity: str) -> None:
        if identity not in self.fragments:
            self.fragment(identity)

    def _add_judge(self, name: str) -> None:
        self.judges.setdefault(name, Judge(name, _KINDS.get(name, JudgeKind.PERSON), name))


def run(benchmark: Benchmark, *codes: str, **thresholds: float) -> AuditReport:
    """Audit with some rules and some changed thresholds (underscores stand for hyphens)."""
    numbers = {name.replace("_", "-"): value for name, value in thresholds.items()}
    return audit_benchmark(benchmark, select=codes, thresholds=numbers)


def findings(benchmark: Benchmark, code: str, **thresholds: float) -> list[Finding]:
    """What one rule finds."""
    report = run(benchmark, code, **thresholds)
    assert report.rules == (code,), report.not_run
    return list(report.findings)


def clean() -> Draft:
    """A benchmark on which every rule runs and none reports anything.

    Eight functionalities with words in their names, each in one of the three parts; every pair is judged by two people
    who agree with the label.
    """
    draft = Draft(language="c")
    number = 0
    for at, part in enumerate(("train", "train", "train", "valid", "valid", "test", "test", "test")):
        functionality = f"{WORDS[at]} {WORDS[at + 8]}"
        members = []
        for _ in range(4):
            number += 1
            identity = f"f{number}"
            text = function(number, language="c").replace("{", f"{{\n    use({WORDS[at]}, {WORDS[at + 8]});", 1)
            draft.fragment(identity, text, project=f"{part}-{number}")
            draft.member(identity, functionality)
            for judge in ("ada", "bob"):
                draft.judgement(judge, "major", identity, functionality)
            members.append(identity)
        for left in range(4):
            for right in range(left + 1, 4):
                types = ("T1", "T2", "ST3", "MT3")
                more = {"functionality": functionality, "claimed_part": part, "claimed_type": types[(left + right) % 4]}
                draft.pair(members[left], members[right], "clone", "ada clone", "bob clone", **more)
    for first, part in ((1, "train"), (5, "train"), (13, "valid"), (21, "test"), (25, "test")):
        for left in range(first, first + 4):
            for right in range(first + 4, first + 8):
                draft.pair(f"f{left}", f"f{right}", "not-clone", "ada not-clone", "bob not-clone", claimed_part=part)
    return draft
