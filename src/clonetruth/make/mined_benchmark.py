"""The mined benchmark: tagged functions, paired as BigCloneBench pairs them, with every judgement that was made.

BigCloneBench labels these pairs by their tags, although nobody looked at them. Here they have no labels:
under the policy `members`, two functions are a clone only if judges say of both that the functionality is their main
purpose. The rule's labels are written on request. Pairs of functions from different functionalities have no label.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import md5
from itertools import combinations, product
from typing import Any

from clonetruth.arrow_files import read_parquet
from clonetruth.build.bcb_pairs import RULE
from clonetruth.errors import InputError
from clonetruth.make.candidate_benchmark import functionality_row, searched_functionalities
from clonetruth.make.candidate_search import FOUND_BY_HEURISTIC, FOUND_OUTSIDE
from clonetruth.make.copied_evidence import copied_judgements, copied_judges
from clonetruth.make.making_folder import BENCHMARK
from clonetruth.make.report import STAGE_FORMAT, make_lineage
from clonetruth.make.search_recall import SearchedStratum, search_recall
from clonetruth.make.stage import Stage, StageOutcome, StageWork
from clonetruth.model import Card, Fragment, FragmentKind, Judgement, Membership, Pair, Recipe, Role
from clonetruth.store import Benchmark, BenchmarkWriter, open_benchmark
from clonetruth.verdicts import judge_verdicts

_FRAGMENTS = """
SELECT f.id AS id, f.language AS language, f.text AS text, f.kind AS kind, f.name AS name, f.project AS project,
    f.path AS path, f.first_line AS first_line, f.last_line AS last_line
FROM fragments f
ORDER BY f.fragment
"""
_EXEMPLARS = """
SELECT x.id AS fragment, u.id AS functionality
FROM memberships m
JOIN fragments x ON m.fragment = x.fragment
JOIN functionalities u ON m.functionality = u.functionality
WHERE m.role = 'exemplar'
ORDER BY u.functionality, x.fragment
"""
_UNLABELLED = (
    "The pairs have no labels: the policy 'members' decides on them from what judges say of each function. "
    "'clonetruth build bcb-pairs' makes the pairs that BigCloneBench's rule would label."
)
_LABELLED = (
    "The labels follow BigCloneBench's rule: all pairs of functions that contain the functionality are called clones, "
    "and nobody looked at the pairs. Use the policy 'members' for what the evidence says."
)
_RECALL = "recall of the heuristics"


class PairLabels(StrEnum):
    """Whose labels the pairs have."""

    EVIDENCE = "evidence"
    BIGCLONEBENCH = "bigclonebench"


@dataclass(frozen=True)
class MinedOptions:
    """The keys of the stage.

    Attributes:
        labels: `evidence`: the pairs have no labels, and the judgements on their functions decide; `bigclonebench`: its
            rule labels them, although nobody looked at them, and the audit reports that (CT105, CT118).
        most_pairs: maximum number of true, and of false, pairs of a functionality, drawn by hash (default: all).
        across: number of pairs of functions from different functionalities, without a label.
        seed: random seed of the draws.
    """

    labels: PairLabels = PairLabels.EVIDENCE
    most_pairs: int | None = None
    across: int = 0
    seed: int = 0


@dataclass(frozen=True)
class _LabelledPair:
    left: str
    right: str
    functionality: str | None
    value: str | None
    reason: str


def _labelled(roles: Mapping[str, Mapping[str, Role]], options: MinedOptions) -> Iterator[_LabelledPair]:
    """The pairs of BigCloneBench's rule for each functionality, and those across functionalities."""
    for name, members in roles.items():
        exemplars = [one for one, role in members.items() if role is Role.EXEMPLAR]
        true = [one for one, role in members.items() if role in (Role.EXEMPLAR, Role.TAGGED_TRUE)]
        false = [one for one, role in members.items() if role is Role.TAGGED_FALSE]
        for value, pairs, reason in (
            ("clone", combinations(true, 2), "both are exemplars or tagged true"),
            ("not-clone", product(exemplars, false), "an exemplar and one tagged false"),
        ):
            for left, right in _drawn(pairs, options.most_pairs, options.seed):
                yield _LabelledPair(left, right, name, value, reason)
    names = sorted(roles)
    positive = {
        name: [one for one, role in roles[name].items() if role is not Role.TAGGED_FALSE and role is not Role.UNDECIDED]
        for name in names
    }
    # A function of both functionalities is no pair across them.
    across = (
        (left, right)
        for one, other in combinations(names, 2)
        for left, right in product(positive[one], positive[other])
        if roles[other].get(left) is not Role.TAGGED_TRUE and roles[one].get(right) is not Role.TAGGED_TRUE
    )
    if options.across:
        for left, right in _drawn(across, options.across, options.seed):
            yield _LabelledPair(left, right, None, None, "")


def _drawn(pairs: Iterator[tuple[str, str]], most: int | None, seed: int) -> list[tuple[str, str]]:
    listed = list(pairs)
    if most is None or len(listed) <= most:
        return listed
    return sorted(listed, key=lambda pair: md5(f"{pair[0]} {pair[1]} {seed}".encode()).hexdigest())[:most]


def _run(work: StageWork) -> StageOutcome:
    options: MinedOptions = work.options
    candidates = open_benchmark(work.artefact("candidates"))
    tags = read_parquet(work.artefact("tags")).to_pylist()
    roles: dict[str, dict[str, Role]] = defaultdict(dict)
    for row in candidates.sql(_EXEMPLARS).to_pylist():
        roles[row["functionality"]][row["fragment"]] = Role.EXEMPLAR
    for row in tags:
        roles[row["functionality"]].setdefault(row["fragment"], Role(row["contains"]))
    pairs = list(_labelled(roles, options))
    if not pairs:
        raise InputError("The tags make no pair.", hint="No candidate was tagged: add judges, or count other kinds.")
    path = work.making / BENCHMARK
    recalls = _recalls(work, tags)
    labels = Counter(one.value for one in pairs)
    several = Counter(one for members in roles.values() for one, role in members.items() if role is Role.TAGGED_TRUE)
    outcome = StageOutcome(
        taken={"tagged": sum(row["contains"] != Role.UNDECIDED for row in tags)},
        given={
            "pairs": len(pairs),
            "clones by BigCloneBench's rule": labels["clone"],
            "non-clones by that rule": labels["not-clone"],
            "across functionalities": labels[None],
        },
        details={
            _RECALL: recalls,
            "functions in several functionalities": {"functions": sum(count > 1 for count in several.values())},
        },
    )
    _write(work, candidates, roles, pairs, outcome)
    evidence = {f"{value} by the evidence": count for value, count in _by_evidence(open_benchmark(path)).items()}
    return replace(outcome, given={**outcome.given, **evidence})


def _by_evidence(benchmark: Benchmark) -> dict[str, int]:
    try:
        counts = judge_verdicts(benchmark, policy="members", criterion="implements-functionality").counts
    except InputError:
        return {}  # only rules have spoken
    return {str(value): count for value, count in counts.items()}


def _write(
    work: StageWork,
    candidates: Benchmark,
    roles: Mapping[str, Mapping[str, Role]],
    pairs: Sequence[_LabelledPair],
    outcome: StageOutcome,
) -> None:
    labelled = work.options.labels is PairLabels.BIGCLONEBENCH
    wanted = {one for pair in pairs for one in (pair.left, pair.right)}
    wanted |= {one for members in roles.values() for one in members}
    made = work.recipe.card
    flaws = [_searched(name, one) for name, one in outcome.details[_RECALL].items()]
    functionalities = searched_functionalities(work)
    card = Card(
        name=made.name,
        version=made.version,
        description=made.description,
        licence=made.licence,
        citation=made.citation,
        criterion="shares-functionality",
        languages=tuple(sorted({one.language for one in functionalities})),
        known_flaws=(*made.known_flaws, _LABELLED if labelled else _UNLABELLED, *flaws),
    )
    rows: dict[tuple[str, str], int] = {}
    for number, one in enumerate(pairs):
        rows.setdefault((one.left, one.right), number)
    recipe = Recipe("make", make_lineage(work, outcome, tables=(_RECALL,)))
    with BenchmarkWriter(
        work.making / BENCHMARK, card, recipe=recipe, parents=[candidates], engine=work.engine
    ) as writer:
        writer.add("functionalities", map(functionality_row, functionalities))
        fragments = (row for row in candidates.sql(_FRAGMENTS).to_pylist() if row["id"] in wanted)
        writer.add("fragments", (Fragment(**{**row, "kind": FragmentKind(row["kind"])}) for row in fragments))
        writer.add(
            "memberships",
            (Membership(one, name, role) for name, members in roles.items() for one, role in members.items()),
        )
        writer.add("pairs", (Pair(one.left, one.right, one.functionality) for one in pairs))
        writer.add("judges", [*([RULE] if labelled else []), *copied_judges(candidates)])
        writer.add(
            "judgements",
            (
                Judgement(RULE.id, "shares-functionality", one.value, number, reason=one.reason)
                for number, one in enumerate(pairs)
                if labelled and one.value is not None
            ),
        )
        writer.add("judgements", copied_judgements(candidates, rows))
        writer.add_tests(test for one in functionalities if (test := one.test) is not None)


def _recalls(work: StageWork, tags: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, float | int | None]]:
    """The recall of each heuristic: the search counted all functions, the judges a sample of both parts."""
    report = STAGE_FORMAT.read(work.artefact("found").parent / "stage.json")
    found: dict[str, dict[str, float | int | None]] = {}
    for name, counts in report.details["functionalities"].items():
        strata = [
            SearchedStratum(
                population,
                sum(row["contains"] != Role.UNDECIDED for row in own),
                sum(row["contains"] == Role.TAGGED_TRUE for row in own),
            )
            for population, found_by in (
                (counts["distinct"], FOUND_BY_HEURISTIC),
                (counts["not matched"], FOUND_OUTSIDE),
            )
            for own in ([row for row in tags if row["functionality"] == name and row["found_by"] == found_by],)
        ]
        recall = search_recall(strata[0], strata[1])
        found[name] = {
            "matched": strata[0].population,
            "judged": strata[0].judged,
            "true": strata[0].true,
            "not matched": strata[1].population,
            "judged outside": strata[1].judged,
            "true outside": strata[1].true,
            "recall": recall.estimate,
            "low": recall.low,
            "high": recall.high,
        }
    return found


def _searched(name: str, recall: Mapping[str, float | int | None]) -> str:
    """What the card says of the functions that the heuristic of a functionality misses."""
    low, high = recall["low"] or 0.0, recall["high"] or 0.0
    found = f"Candidates for '{name}' were found by a search heuristic; implementations that it misses are not here."
    if not recall["judged outside"]:
        return f"{found} How many it misses is unknown: no function that it does not match was judged."
    return (
        f"{found} Of {recall['judged outside']:,} judged functions that it does not match, "
        f"{recall['true outside']:,} implement it: its recall is between {low:.2%} and {high:.0%}."
    )


STAGE = Stage(
    name="mined",
    description="Write the benchmark: tagged functions in pairs, and the evidence on them.",
    options=MinedOptions,
    run=_run,
    reads=("candidates", "tags", "found"),
    writes=(BENCHMARK,),
)
