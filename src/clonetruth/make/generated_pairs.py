"""Generated pairs as a benchmark that judges can work on: a seed and what a model wrote, with the process's claim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clonetruth.arrow_files import read_parquet
from clonetruth.code import extract, language
from clonetruth.errors import InputError
from clonetruth.make.prompt_funnel import answer_path
from clonetruth.make.similarity_filter import GeneratedSet
from clonetruth.make.stage import Stage, StageOutcome, StageWork
from clonetruth.model import (
    Card,
    Fragment,
    FragmentKind,
    Functionality,
    Judge,
    JudgeKind,
    Judgement,
    Membership,
    Pair,
    PairValue,
    Recipe,
    Role,
)
from clonetruth.store import BenchmarkWriter

CRITERION = "semantic-not-syntactic"
RULE = Judge(
    "rule:generated",
    JudgeKind.RULE,
    "the process that generated the pair",
    "A model was asked for a clone of the seed: a clone if its text differs enough from the seed, and none if it is a "
    "syntactic clone. If it was asked for other behaviour, none. Nobody looked at the pair.",
)
_VALUES = {
    GeneratedSet.SEMANTIC: PairValue.CLONE,
    GeneratedSet.CROSS_LANGUAGE: PairValue.CLONE,
    GeneratedSet.SYNTACTIC: PairValue.NOT_CLONE,
    GeneratedSet.DIFFERENT: PairValue.NOT_CLONE,
}
_TYPE_4 = 0.5


@dataclass(frozen=True)
class GeneratedPairsOptions:
    """The keys of the stage.

    Attributes:
        sets: the sets that judges get.
    """

    sets: tuple[GeneratedSet, ...] = tuple(GeneratedSet)


def seed_functionality(seed: str) -> str:
    """The functionality of a seed and everything that was written from it."""
    return f"seed:{seed}"


def _fragment(id: str, text: str, name: str, project: str, functions: int = 1, path: str | None = None) -> Fragment:
    found = extract(text, language(name), lone=True).functions
    kind = FragmentKind.FUNCTION if functions == 1 else FragmentKind.MULTI_FUNCTION
    return Fragment(id, name, text, kind, name=found[0].name if found else None, project=project, path=path)


def _run(work: StageWork) -> StageOutcome:
    options: GeneratedPairsOptions = work.options
    seeds = {row["seed"]: row for row in read_parquet(work.artefact("seeds")).to_pylist()}
    snippets = {row["snippet"]: row for row in read_parquet(work.artefact("snippets")).to_pylist()}
    every = read_parquet(work.artefact("filtered")).to_pylist()
    rows = [row for row in every if row["set"] in options.sets]
    if not rows:
        raise InputError(
            f"No pair is left of {len(snippets):,} pieces of code in the answers.",
            where=work.making,
            hint="'clonetruth make status' shows what became of the answers, and what the filter left out.",
        )
    made = work.recipe.card
    card = Card(
        name=f"{made.name}-candidates",
        version=made.version,
        description="Seeds, each with what a model wrote from it. The labels are those of the process.",
        licence=made.licence,
        citation=made.citation,
        criterion=CRITERION,
        languages=tuple(sorted({snippets[row["snippet"]]["language"] for row in rows})),
        known_flaws=("The labels are the process's claim: a model was asked for it.",),
    )
    used = dict.fromkeys(row["seed"] for row in rows)
    recipe = Recipe("make candidates", work.recipe.parameters)
    with BenchmarkWriter(work.output / "candidates", card, recipe=recipe, engine=work.engine) as writer:
        writer.add(
            "functionalities",
            (Functionality(seed_functionality(one), one, "What the seed does.") for one in used),
        )
        writer.add("fragments", (_fragment(one, seeds[one]["text"], seeds[one]["language"], "seeds") for one in used))
        writer.add("fragments", _written(rows, snippets))
        writer.add("memberships", (Membership(one, seed_functionality(one), Role.EXEMPLAR) for one in used))
        writer.add(
            "memberships",
            (Membership(row["snippet"], seed_functionality(row["seed"]), Role.UNDECIDED) for row in rows),
        )
        writer.add("pairs", map(_pair, rows))
        writer.add("judges", [RULE])
        writer.add(
            "judgements",
            (
                Judgement(RULE.id, CRITERION, str(_VALUES[GeneratedSet(row["set"])]), number, reason=row["set"])
                for number, row in enumerate(rows)
            ),
        )
    return StageOutcome(
        taken={"pairs": len(every)},
        given={"pairs": len(rows), "seeds": len(used)},
        left_out={"other sets": len(every) - len(rows)} if len(every) > len(rows) else {},
    )


def _written(rows: Sequence[Mapping[str, Any]], snippets: Mapping[str, Mapping[str, Any]]) -> Iterator[Fragment]:
    for row in rows:
        one = snippets[row["snippet"]]
        yield _fragment(
            one["snippet"],
            one["text"],
            one["language"],
            one["model"],
            one["functions"],
            path=answer_path(one["model"], one["prompt"], one["snippet"]),
        )


def _pair(row: Mapping[str, Any]) -> Pair:
    similarity = row["similarity"]
    claimed = None
    if row["set"] == GeneratedSet.SEMANTIC:
        claimed = "T3" if similarity is not None and similarity >= _TYPE_4 else "T4"
    elif row["set"] != GeneratedSet.DIFFERENT:
        claimed = "T1/T2" if row["set"] == GeneratedSet.SYNTACTIC else "T4"
    return Pair(
        row["seed"],
        row["snippet"],
        seed_functionality(row["seed"]),
        claimed_type=claimed,
        claimed_similarity_line=similarity,
        claimed_cut_rule=None if claimed is None else "gptclonebench",
    )


STAGE = Stage(
    name="generated-pairs",
    description="Put seeds and answers side by side, as a benchmark that judges can work on.",
    options=GeneratedPairsOptions,
    run=_run,
    reads=("seeds", "snippets", "filtered"),
    writes=("candidates",),
)
