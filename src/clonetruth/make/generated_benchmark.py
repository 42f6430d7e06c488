"""The generated benchmark: the pairs that the evidence bears out, each with that evidence."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from clonetruth.arrow_files import read_parquet
from clonetruth.errors import InputError
from clonetruth.make.copied_evidence import copied_judgements, copied_judges
from clonetruth.make.generated_pairs import CRITERION, RULE
from clonetruth.make.making_folder import BENCHMARK
from clonetruth.make.prompt_funnel import TITLE, prompt_funnel
from clonetruth.make.report import STAGE_FORMAT, make_lineage
from clonetruth.make.similarity_filter import GeneratedSet
from clonetruth.make.stage import Stage, StageOutcome, StageWork
from clonetruth.model import (
    CRITERIA,
    Card,
    Fragment,
    FragmentKind,
    Functionality,
    Judgement,
    Membership,
    Pair,
    PairValue,
    Recipe,
    Role,
    Subject,
    VerdictValue,
)
from clonetruth.store import Benchmark, BenchmarkWriter, open_benchmark
from clonetruth.verdicts import find_policy, judge_verdicts
from clonetruth.verdicts.policies import DEFAULT

_PAIRS = """
SELECT p.pair AS pair, l.id AS left_id, r.id AS right_id, u.id AS functionality, u.name AS seed,
    p.claimed_type AS claimed_type, p.claimed_similarity_line AS similarity, p.claimed_cut_rule AS cut_rule,
    l.language AS left_language, r.language AS right_language
FROM pairs p
JOIN fragments l ON p.left = l.fragment
JOIN fragments r ON p.right = r.fragment
JOIN functionalities u ON p.functionality = u.functionality
ORDER BY p.pair
"""
_SETS = """
SELECT g.pair AS pair, g.reason AS reason
FROM judgements g
WHERE g.pair IS NOT NULL AND g.judge = '{rule}'
ORDER BY g.sequence
"""
_ASKED = """
SELECT count(*) AS n
FROM judgements g
JOIN judges j ON g.judge = j.judge
WHERE g.pair IS NOT NULL AND g.criterion = '{criterion}' AND j.kind <> 'rule'
"""
_FRAGMENTS = """
SELECT f.id AS id, f.language AS language, f.text AS text, f.kind AS kind, f.name AS name, f.project AS project,
    f.path AS path
FROM fragments f
ORDER BY f.fragment
"""


@dataclass(frozen=True)
class GeneratedOptions:
    """The keys of the stage.

    Attributes:
        criteria: the criteria whose judgements decide on a pair; if they contradict each other, it is undecided.
        policies: how the judgements under a criterion become verdicts (default: `default`, the majority); for
            GPTCloneBench's groups of judges `adjudicated`.
        syntactic: keep syntactic clones, as GPTCloneBench does: they are labelled as what they are.
        unknown: keep pairs that nobody has decided on; they have no label, and their verdict stays unknown.
        refuted: keep pairs that turned out not to be what the model was asked for, without the label of the process:
            a claimed clone that behaves differently is a hard negative, too.
    """

    criteria: tuple[str, ...] = ("equivalent-behaviour", "functionally-similar")
    policies: Mapping[str, str] = field(default_factory=dict)
    syntactic: bool = True
    unknown: bool = False
    refuted: bool = False


def pair_verdicts(
    candidates: Benchmark, criteria: Collection[str], policies: Mapping[str, str] | None = None
) -> dict[int, str | None]:
    """What the evidence says of each pair: a clone or not, by the criteria that decide; None if they contradict.

    Args:
        candidates: the benchmark of the candidates.
        criteria: the criteria that count.
        policies: how judgements under a criterion become verdicts (default: the policy `default`).
    """
    said: dict[int, set[str]] = defaultdict(set)
    for criterion in criteria:
        if not candidates.sql(_ASKED.format(criterion=criterion))["n"][0].as_py():
            continue
        found = judge_verdicts(candidates, (policies or {}).get(criterion, DEFAULT.name), criterion)
        for row in read_parquet(found.path).to_pylist():
            if row["verdict"] != VerdictValue.UNKNOWN:
                said[row["pair"]].add(row["verdict"])
    return {pair: next(iter(values)) if len(values) == 1 else None for pair, values in said.items()}


def _fate(which: GeneratedSet, verdict: str | None, options: GeneratedOptions) -> str:
    """Why a pair is kept or left out."""
    if which is GeneratedSet.SYNTACTIC and not options.syntactic:
        return "syntactic clone"
    if verdict is None:
        return "kept" if options.unknown or which is GeneratedSet.SYNTACTIC else "undecided"
    # Who was asked for clones that are not syntactic confirms a syntactic one by a no.
    asked_for_semantic = set(options.criteria) == {CRITERION}
    refused = which is GeneratedSet.DIFFERENT or (which is GeneratedSet.SYNTACTIC and asked_for_semantic)
    wanted = PairValue.NOT_CLONE if refused else PairValue.CLONE
    return "kept" if verdict == wanted else "refuted"


def _run(work: StageWork) -> StageOutcome:
    options: GeneratedOptions = work.options
    candidates = open_benchmark(work.artefact("candidates"))
    said = pair_verdicts(candidates, options.criteria, options.policies)
    claims = candidates.sql(_SETS.format(rule=RULE.id)).to_pylist()
    sets = {row["pair"]: GeneratedSet(row["reason"]) for row in claims}
    rows = candidates.sql(_PAIRS).to_pylist()
    kept: list[dict[str, Any]] = []
    fates: dict[str, Counter[str]] = defaultdict(Counter)
    decided = Counter[str]()
    verdicts = {row["pair"]: said.get(row["pair"]) for row in rows}
    judged: list[tuple[str, str | None, bool]] = []
    for row in rows:
        which, verdict = sets[row["pair"]], verdicts[row["pair"]]
        fate = _fate(which, verdict, options)
        accepted = fate == "kept" and verdict is not None and which is not GeneratedSet.SYNTACTIC
        judged.append((row["right_id"], verdict, accepted))
        fates[str(which)][fate] += 1
        if fate == "refuted" and options.refuted:
            kept.append({**row, "refuted": True})
        if which in (GeneratedSet.SEMANTIC, GeneratedSet.CROSS_LANGUAGE) and verdict is not None:
            decided[verdict] += 1
        kept += [row] if fate == "kept" else []
    if not kept:
        raise InputError(
            "The evidence bears out no pair.", hint="Add judges (execution, study, llm-judge), or keep unknown pairs."
        )
    left_out = Counter[str]()
    for counts in fates.values():
        left_out.update({name: count for name, count in counts.items() if name != "kept"})
    refuted = left_out.pop("refuted", 0) if options.refuted else 0
    semantic = sum(fates[one]["kept"] for one in (GeneratedSet.SEMANTIC, GeneratedSet.CROSS_LANGUAGE))
    outcome = StageOutcome(
        taken={"pairs": len(rows)},
        given={
            "pairs": len(kept),
            "clones": semantic,
            "hard negatives": fates[GeneratedSet.DIFFERENT]["kept"],
            "syntactic": fates[GeneratedSet.SYNTACTIC]["kept"],
            **({"refuted": refuted} if options.refuted else {}),
        },
        left_out=dict(left_out),
        details={
            TITLE: prompt_funnel(work, judged),
            "what became of the pairs": {name: dict(counts) for name, counts in fates.items()},
            "effort per accepted pair": _effort(work, semantic + fates[GeneratedSet.DIFFERENT]["kept"]),
            "claimed clones that the evidence decides": {
                "confirmed": decided[PairValue.CLONE],
                "refuted": decided[PairValue.NOT_CLONE],
                "share refuted": decided[PairValue.NOT_CLONE] / decided.total() if decided.total() else None,
            },
        },
    )
    _write(work, candidates, kept, verdicts, outcome)
    return outcome


def _effort(work: StageWork, accepted: int) -> dict[str, float | None]:
    reports = [STAGE_FORMAT.read(path) for path in sorted((work.making / "stages").glob("*/stage.json"))]
    costs = [one.cost for one in reports if one.cost is not None]
    seconds = sum(one.cpu_seconds for one in reports)
    return {
        "cost": sum(costs) / accepted if costs and accepted else None,
        "CPU seconds": seconds / accepted if accepted else None,
    }


def _write(
    work: StageWork,
    candidates: Benchmark,
    kept: Sequence[Mapping[str, Any]],
    verdicts: Mapping[int, str | None],
    outcome: StageOutcome,
) -> None:
    decided = {number for number, row in enumerate(kept) if verdicts[row["pair"]] is not None}
    refuted = {number for number, row in enumerate(kept) if row.get("refuted")}
    made = work.recipe.card
    wanted = {side for row in kept for side in (row["left_id"], row["right_id"])}
    card = Card(
        name=made.name,
        version=made.version,
        description=made.description,
        licence=made.licence,
        citation=made.citation,
        criterion=candidates.card.criterion,
        languages=tuple(sorted({row[f"{side}_language"] for row in kept for side in ("left", "right")})),
        known_flaws=(
            *made.known_flaws,
            "One side of every pair was written by a language model, whose successors may know it.",
            "Pairs of one seed resemble each other: split by functionality, which is the seed.",
            *([_selection(outcome.left_out)] if outcome.left_out else []),
        ),
    )
    recipe = Recipe("make", make_lineage(work, outcome, tables=(TITLE,)))
    seeds = dict.fromkeys((row["functionality"], row["seed"]) for row in kept)
    with BenchmarkWriter(
        work.making / BENCHMARK, card, recipe=recipe, parents=[candidates], engine=work.engine
    ) as writer:
        writer.add("functionalities", (Functionality(id, seed, "What the seed does.") for id, seed in seeds))
        writer.add(
            "fragments",
            (
                Fragment(**{**row, "kind": FragmentKind(row["kind"])})
                for row in candidates.sql(_FRAGMENTS).to_pylist()
                if row["id"] in wanted
            ),
        )
        writer.add(
            "memberships",
            dict.fromkeys(Membership(row["left_id"], row["functionality"], Role.EXEMPLAR) for row in kept),
        )
        writer.add(
            "pairs",
            (
                Pair(
                    row["left_id"],
                    row["right_id"],
                    row["functionality"],
                    claimed_type=row["claimed_type"],
                    claimed_similarity_line=row["similarity"],
                    claimed_cut_rule=row["cut_rule"],
                )
                for row in kept
            ),
        )
        writer.add("judges", copied_judges(candidates))
        pairs = {(row["left_id"], row["right_id"]): number for number, row in enumerate(kept)}
        writer.add(
            "judgements",
            (
                _as_evidence_permits(one, decided, refuted)
                for one in copied_judgements(candidates, pairs)
                if one.fragment is None or one.fragment in wanted
            ),
        )


def _selection(left_out: Mapping[str, int]) -> str:
    counts = ", ".join(f"{name} {count:,}" for name, count in left_out.items())
    return (
        f"What the evidence does not bear out was left out ({counts}): what remains is easier to judge than what was "
        "written."
    )


def _as_evidence_permits(one: Judgement, decided: Collection[int | None], refuted: Collection[int | None]) -> Judgement:
    """A judgement as the benchmark holds it: the process labels no pair that nobody has decided on, or otherwise."""
    if one.judge != RULE.id or (one.pair in decided and one.pair not in refuted):
        return one
    why = "the evidence refutes it" if one.pair in refuted else "no judge has decided on the pair"
    return replace(one, value=str(PairValue.UNDECIDED), reason=f"{one.reason}: {why}")


def _check(options: GeneratedOptions) -> None:
    for name in options.criteria:
        if name not in CRITERIA or CRITERIA[name].subject is not Subject.PAIR:
            raise InputError(f"'{name}' is not a criterion on pairs.", hint=f"Known: {', '.join(CRITERIA)}.")
    for name, policy in options.policies.items():
        if name not in options.criteria:
            raise InputError(f"The policy of '{name}' is given, which is not one of the criteria.")
        find_policy(policy)


STAGE = Stage(
    name="generated",
    description="Write the benchmark: the pairs that the evidence bears out, with that evidence.",
    options=GeneratedOptions,
    run=_run,
    reads=("candidates",),
    writes=(BENCHMARK,),
    check=_check,
)
