"""The recipe: a benchmark with recovered functionalities, and the measurement of how good they are.

What is recovered is a claim, never evidence: beside every recovered membership stands a judgement of a rule, with its
confidence and what it rests on, which is how it is told from one that the dataset published.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from clonetruth.build.derivation import DerivationPlan, DerivationRecipe, derive
from clonetruth.build.functionalities.check import IntervalOf, RecoveryResult, check
from clonetruth.build.functionalities.recovery import Recovery, RecoveryOptions, gather, recover
from clonetruth.build.recipe import BuildRecipe
from clonetruth.build.report import BuildReport, BuildStep, PublishedComparison
from clonetruth.errors import InputError
from clonetruth.model import Card, Judge, JudgeKind, Judgement, Manifest, Membership, MemberValue, Recipe
from clonetruth.progress import Progress, no_progress
from clonetruth.store import Benchmark, BenchmarkWriter, build_manifest
from clonetruth.store.hashing import hash_file

OPERATION = "functionalities"
CRITERION = "implements-functionality"

RULE = Judge(
    id="rule:recovered-functionality",
    kind=JudgeKind.RULE,
    name="Functionalities recovered by clonetruth",
    description=(
        "The functionality was taken over from a fragment with the same id, or inferred from positive and negative "
        "pairs and from texts that are nearly the same. Nobody looked at the fragment."
    ),
)

_REASON = "contains the functionality, as its purpose or among other things, as far as the dataset's claims tell"
_FEW = 3


@dataclass(frozen=True)
class RecoveryCheck:
    """How good recovery is on a benchmark.

    Attributes:
        known: fragments of the benchmark whose functionality is known.
        fragments: all its fragments.
        check: coverage and accuracy.
        manifest: what produced the numbers.
    """

    known: int
    fragments: int
    check: RecoveryResult
    manifest: Manifest


def build_functionalities(
    parent: Benchmark, output: Path, options: RecoveryOptions, progress: Progress = no_progress
) -> BuildReport:
    """Make a copy of a benchmark in which fragments have recovered functionalities.

    Raises:
        InputError: nothing is known to start from, too little to measure the confidence, nothing is recovered, or
            the benchmark's functionalities were recovered before.
    """
    if RULE.id in parent.table("judges")["judge"].to_pylist():
        raise InputError(
            "The functionalities of this benchmark were recovered before.",
            where=parent.path,
            hint="Start from the benchmark that it was made of.",
        )
    recovery = recover(parent, options, progress)
    if not recovery.assignments:
        raise InputError(
            "Nothing could be recovered.",
            where=parent.path,
            hint="; ".join(f"{why}: {count:,}" for why, count in recovery.unknown.items()),
        )
    parameters, hashes = _recorded(options)
    plan = DerivationPlan(
        fragments=parent.sql("SELECT fragment FROM fragments ORDER BY fragment"),
        memberships=parent.sql("SELECT fragment, functionality, role FROM memberships"),
        functionalities=parent.sql("SELECT functionality FROM functionalities ORDER BY functionality"),
        pairs=(
            'SELECT pair AS parent, p."left" AS "left", p."right" AS "right", functionality, '
            "CAST(NULL AS STRING) AS value, CAST(NULL AS STRING) AS reason FROM pairs p"
        ),
        extra={},
        order="made.parent",
        copied=True,
        kinds=tuple(JudgeKind),
        added=lambda writer: _add(writer, parent, recovery),
    )
    story = DerivationRecipe(
        recipe=Recipe(OPERATION, parameters, hashes),
        steps=tuple(_steps(recovery)),
        comparisons=tuple(_comparisons(parent.card, recovery)),
        warnings=tuple(_warnings(recovery)),
        seed=options.seed,
    )
    card = replace(
        parent.card,
        name=f"{parent.card.name}+{OPERATION}",
        description=f"{parent.card.description} Functionalities were recovered from ids, pairs and texts.",
        known_flaws=(
            *parent.card.known_flaws,
            "Functionalities were recovered, not judged: see results/build.json for what was measured of them.",
        ),
    )
    return derive(parent, output, card, plan, story)


def check_functionalities(
    benchmark: Benchmark,
    options: RecoveryOptions,
    interval: IntervalOf,
    progress: Progress = no_progress,
) -> RecoveryCheck:
    """Measure coverage and accuracy by hiding known members. Nothing is written.

    Args:
        benchmark: the benchmark.
        options: as for building.
        interval: makes an interval from successes and trials of clusters (`evaluate.intervals.clustered`).
        progress: told of the work.
    """
    material = gather(benchmark, options, progress)
    parameters, _ = _recorded(options)
    name = f"{benchmark.card.name} {benchmark.card.version}"
    return RecoveryCheck(
        known=int(material.known[:, : material.own].any(axis=0).sum()),
        fragments=material.own,
        check=check(material, options.folds, options.seed, options.confidence, interval, progress),
        manifest=build_manifest({name: benchmark.content_hash}, parameters, options.seed),
    )


def _recorded(options: RecoveryOptions) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The options for the record, and the hashes of the benchmarks among the others."""
    hashes = [Benchmark.open(path).content_hash if path.is_dir() else hash_file(path) for path in options.others]
    others = [{"name": path.name, "hash": digest} for path, digest in zip(options.others, hashes, strict=True)]
    parameters = {
        "others": others,
        "confidence": options.confidence,
        "folds": options.folds,
        "seed": options.seed,
        "pairs": options.pairs,
        "twins": options.twins,
    }
    parents = (digest for path, digest in zip(options.others, hashes, strict=True) if path.is_dir())
    return parameters, tuple(parents)


def _add(writer: BenchmarkWriter, parent: Benchmark, recovery: Recovery) -> None:
    """Write what is new."""
    old = set(parent.table("functionalities")["id"].to_pylist())
    used = {one.functionality for one in recovery.assignments}
    known = recovery.material.functionalities
    writer.add("functionalities", [one for one in known if one.id in used - old])
    stated = {
        (row["fragment"], row["functionality"])
        for row in parent.sql(
            "SELECT f.id AS fragment, g.id AS functionality FROM memberships m "
            "JOIN fragments f ON m.fragment = f.fragment JOIN functionalities g ON m.functionality = g.functionality"
        ).to_pylist()
    }
    new = [one for one in recovery.assignments if (one.fragment, one.functionality) not in stated]
    writer.add("memberships", (Membership(one.fragment, one.functionality, one.role) for one in new))
    writer.add("judges", [RULE])
    writer.add("judgements", _judgements(recovery))


def _judgements(recovery: Recovery) -> Iterator[Judgement]:
    for one in recovery.assignments:
        yield Judgement(
            judge=RULE.id,
            criterion=CRITERION,
            value=MemberValue.MINOR,
            fragment=one.fragment,
            functionality=one.functionality,
            confidence=one.confidence,
            reason=f"{_REASON} ({one.way})",
            evidence=one.evidence,
        )


def _steps(recovery: Recovery) -> Iterator[BuildStep]:
    material, trials = recovery.material, recovery.trials
    ties = material.ties
    ways = Counter(str(one.way) for one in recovery.assignments)
    texts = Counter[str]()
    for agreement in material.agreement:
        texts.update({"texts compared": agreement.compared, "texts the same": agreement.same})
    yield BuildStep(
        "known",
        True,
        {"fragments": int(material.known[:, : material.own].any(axis=0).sum()), **texts},
        "to the benchmark itself, or to others by the same id",
    )
    yield BuildStep(
        "ties",
        True,
        {
            "positive pairs": len(ties.positive),
            "negative pairs": len(ties.negative),
            "twins": len(ties.twins),
            "fragments of others": ties.count - material.own,
        },
    )
    yield BuildStep(
        "calibration",
        True,
        {
            "hidden": len(trials.fragment),
            "assigned": int(trials.assigned.sum()),
            "right": int((trials.assigned & trials.right).sum()),
        },
        "known members, hidden with all their twins, and recovered",
    )
    yield BuildStep(
        "recovered",
        True,
        {"fragments": len({one.fragment for one in recovery.assignments}), **dict(sorted(ways.items()))},
    )
    yield BuildStep("unknown", True, {"fragments": sum(recovery.unknown.values()), **recovery.unknown})


def _comparisons(card: Card, recovery: Recovery) -> Iterator[PublishedComparison]:
    if card.name == "codexglue-bcb":
        own = recovery.material.own
        share = 100 * (own - sum(recovery.unknown.values())) / own
        yield PublishedComparison(
            "fragments with a functionality, in per cent",
            60,
            round(share, 1),
            "Sonnekalb et al. 2022, from BigCloneBench's clone pairs; no accuracy was given",
        )


def _warnings(recovery: Recovery) -> Iterator[str]:
    material = recovery.material
    given = {one.functionality for one in recovery.assignments}
    few = [
        one.id
        for row, one in enumerate(material.functionalities)
        if one.id in given and material.known[row].sum() < _FEW
    ]
    if few:
        yield (
            f"{len(few):,} functionalities rest on fewer than {_FEW} known members ({', '.join(few)}): the confidence "
            "of their fragments is that of all."
        )


RECIPE = BuildRecipe(
    operation=OPERATION,
    description="Functionalities that a dataset dropped, recovered from shared ids, pairs and texts.",
    reference="T. Sonnekalb et al. Generalizability of Code Clone Detection on CodeBERT. ASE 2022.",
    options=RecoveryOptions,
    build=build_functionalities,
)
