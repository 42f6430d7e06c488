"""Stated rules: heuristics of a functionality file that tag candidates. A rule's tag is a claim, not evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from clonetruth.make.candidate_benchmark import searched_functionalities
from clonetruth.make.function_index import indexed_functions
from clonetruth.make.functionality_file import FunctionalityFile, StatedRule
from clonetruth.make.heuristic import Term, parse_heuristic
from clonetruth.make.stage import Stage, StageOutcome, StageWork
from clonetruth.model import Judge, JudgeKind, Judgement
from clonetruth.store import open_benchmark

CRITERION = "implements-functionality"

_CANDIDATES = """
SELECT x.id AS fragment, u.id AS functionality, x.language AS language, x.text AS text
FROM memberships m
JOIN fragments x ON m.fragment = x.fragment
JOIN functionalities u ON m.functionality = u.functionality
WHERE m.role = 'undecided'
ORDER BY x.fragment, u.functionality
"""
_KNOWN = "SELECT count(*) AS judgements FROM judgements g WHERE g.judge = '{judge}'"


@dataclass(frozen=True)
class RulesOptions:
    """The stage has no keys: the rules are in the functionality files."""


def rule_judge(rules: dict[str, list[dict[str, str]]]) -> Judge:
    """The judge that states the rules of some functionalities."""
    return Judge(
        "rule:stated",
        JudgeKind.RULE,
        "the stated rules of the functionality files",
        "The first rule whose heuristic a function matches tags it.",
        {"rules": rules},
    )


def apply_rules(text: str, wanted: FunctionalityFile) -> StatedRule | None:
    """The first rule that a function matches; None if none does, or it does not parse."""
    found = indexed_functions(text, wanted.language, lone=True)
    if not found:
        return None
    terms = found[0].terms
    for rule in wanted.rules:
        heuristic = parse_heuristic(rule.when)
        if heuristic.matches({term: _contains(terms, term) for term in heuristic.terms}):
            return rule
    return None


def _contains(terms: Mapping[str, int], term: Term) -> bool:
    if not term.prefix:
        return bool(terms.get(term.text, 0) & term.kind)
    return any(kinds & term.kind for text, kinds in terms.items() if text.startswith(term.text))


def _run(work: StageWork) -> StageOutcome:
    wanted = {one.id: one for one in searched_functionalities(work)}
    benchmark = open_benchmark(work.artefact("candidates"))
    judge = rule_judge(
        {
            one.id: [{"when": rule.when, "value": str(rule.value), "reason": rule.reason} for rule in one.rules]
            for one in wanted.values()
        }
    )
    rows = benchmark.sql(_CANDIDATES).to_pylist()
    judgements = []
    for row in rows:
        rule = apply_rules(row["text"], wanted[row["functionality"]])
        if rule is not None:
            judgements.append(
                Judgement(
                    judge.id,
                    CRITERION,
                    str(rule.value),
                    fragment=row["fragment"],
                    functionality=row["functionality"],
                    reason=rule.reason,
                    evidence=rule.when,
                )
            )
    known = benchmark.sql(_KNOWN.format(judge=judge.id))["judgements"][0].as_py()
    if judgements and not known:
        benchmark.append_judgements([judge], judgements)
    values = Counter(one.value for one in judgements)
    return StageOutcome(
        taken={"candidates": len(rows)},
        given={f"tagged {value}": count for value, count in sorted(values.items())},
        left_out={"no rule applies": len(rows) - len(judgements)},
        notes=("Tags of a rule are claims: by default they do not count as evidence.",),
    )


STAGE = Stage(
    name="rules",
    description="Tag candidates by the stated rules of the functionality files.",
    options=RulesOptions,
    run=_run,
    reads=("candidates",),
    appends_to=("candidates",),
)
