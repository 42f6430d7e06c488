"""The recipe: a benchmark with recovered functionalities, and a measurement of their quality.

What is recovered is a claim, never evidence: every recovered membership comes with a judgement of a rule that states
its confidence and its basis. This judgement also distinguishes it from a membership that the dataset published.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from clonetruth.build.derivation import DerivationPlan, DerivationRecord, derive
from clonetruth.build.functionalities.check import RecoveryResult, check_recovery
from clonetruth.build.functionalities.recovery import Recovery, RecoveryParameters, collect_known, recover
from clonetruth.build.recipe import BuildRecipe
from clonetruth.build.report import BuildReport, BuildStep, PublishedComparison
from clonetruth.errors import InputError
from clonetruth.model import Card, Judge, JudgeKind, Judgement, Manifest, Membership, MemberValue, Recipe
from clonetruth.options.build import RecoverFunctionalitiesOptions
from clonetruth.options.declaration import verb
from clonetruth.progress import Progress, no_progress
from clonetruth.store import Benchmark, BenchmarkWriter, build_manifest, open_benchmark
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

_REASON = "contains the functionality, as its purpose or among other things, according to the dataset's claims"
_FEW_MEMBERS = 3


@dataclass(frozen=True)
class RecoveryCheck:
    """The quality of recovery on a benchmark.

    Attributes:
        known: the number of fragments with a known functionality.
        fragments: the number of all fragments.
        check: coverage and accuracy.
        manifest: what produced the numbers.
    """

    known: int
    fragments: int
    check: RecoveryResult
    manifest: Manifest


@dataclass(frozen=True)
class RecoveredFunctionalities:
    """The outcome of `recover_functionalities`.

    Attributes:
        check: coverage and accuracy on hidden members; None without `check_folds`.
        build: the report of the new benchmark; None without `output`.
    """

    check: RecoveryCheck | None
    build: BuildReport | None


@verb(RecoverFunctionalitiesOptions)
def recover_functionalities(
    options: RecoverFunctionalitiesOptions, *, progress: Progress | None = None
) -> RecoveredFunctionalities:
    """Recover the functionalities of fragments from ids, pairs and texts, and measure how well that works.

    Args:
        progress: called as the work proceeds.

    Returns:
        The check, if `check_folds` is given, and the report of the new benchmark, if `output` is given.

    Raises:
        InputError: neither `output` nor `check_folds` is given, no functionality is known, too few to measure the
            confidence, nothing is recovered, or the output folder exists.

    Example:
        >>> found = clonetruth.recover_functionalities("my-benchmark", check_folds=2)
        >>> found.check.known, found.check.fragments
        (126, 188)
    """
    if options.output is None and options.check_folds is None:
        raise InputError("Give `output`, `check_folds`, or both.", where="output")
    benchmark = open_benchmark(options.benchmark, engine=options.engine, memory_limit=options.memory_limit)
    chosen = RecoveryParameters(
        others=options.with_,
        confidence=options.confidence,
        folds=options.check_folds or RecoveryParameters.folds,
        seed=options.seed,
        pairs=options.pairs,
        twins=options.twins,
    )
    report = progress or no_progress
    check = check_functionalities(benchmark, chosen, report) if options.check_folds else None
    build = build_functionalities(benchmark, options.output, chosen, report) if options.output else None
    return RecoveredFunctionalities(check, build)


def build_functionalities(
    parent: Benchmark, output: Path, options: RecoveryParameters, progress: Progress = no_progress
) -> BuildReport:
    """Copy a benchmark and add recovered functionalities to its fragments.

    Raises:
        InputError: no functionality is known, too few to measure the confidence, nothing is recovered, or the
            benchmark's functionalities were recovered before.
    """
    if RULE.id in parent.table("judges")["judge"].to_pylist():
        raise InputError(
            "The functionalities of this benchmark were already recovered.",
            where=parent.path,
            hint="Start from its parent.",
        )
    recovery = recover(parent, options, progress)
    if not recovery.assignments:
        raise InputError(
            "No functionality could be recovered.",
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
        tables={},
        order="made.parent",
        copies_pairs=True,
        judge_kinds=tuple(JudgeKind),
        add_rows=lambda writer: _add(writer, parent, recovery),
    )
    record = DerivationRecord(
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
            "Functionalities were recovered, not judged: results/build.json gives their measured quality.",
        ),
    )
    return derive(parent, output, card, plan, record)


def check_functionalities(
    benchmark: Benchmark,
    options: RecoveryParameters,
    progress: Progress = no_progress,
) -> RecoveryCheck:
    """Measure coverage and accuracy by hiding known members. Nothing is written.

    Args:
        benchmark: the benchmark.
        options: as for `build_functionalities`.
        progress: called as the work proceeds.
    """
    data = collect_known(benchmark, options, progress)
    parameters, _ = _recorded(options)
    name = f"{benchmark.card.name} {benchmark.card.version}"
    return RecoveryCheck(
        known=int(data.known[:, : data.own].any(axis=0).sum()),
        fragments=data.own,
        check=check_recovery(data, options.folds, options.seed, options.confidence, progress),
        manifest=build_manifest({name: benchmark.content_hash}, parameters, options.seed),
    )


def _recorded(options: RecoveryParameters) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The parameters to record, and the hashes of the benchmarks among the others."""
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
    """Write the new rows."""
    old = set(parent.table("functionalities")["id"].to_pylist())
    used = {one.functionality for one in recovery.assignments}
    known = recovery.data.functionalities
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
    data, holdout = recovery.data, recovery.holdout
    graph = data.graph
    ways = Counter(str(one.way) for one in recovery.assignments)
    texts = Counter[str]()
    for agreement in data.agreement:
        texts.update({"texts compared": agreement.compared, "texts the same": agreement.same})
    yield BuildStep(
        "known",
        True,
        {"fragments": int(data.known[:, : data.own].any(axis=0).sum()), **texts},
        "from the benchmark itself, or from others by the same id",
    )
    yield BuildStep(
        "ties",
        True,
        {
            "positive pairs": len(graph.positive),
            "negative pairs": len(graph.negative),
            "twins": len(graph.twins),
            "fragments of others": graph.count - data.own,
        },
    )
    yield BuildStep(
        "calibration",
        True,
        {
            "hidden": len(holdout.fragment),
            "assigned": int(holdout.assigned.sum()),
            "right": int((holdout.assigned & holdout.right).sum()),
        },
        "known members, hidden with all their twins, then recovered",
    )
    yield BuildStep(
        "recovered",
        True,
        {"fragments": len({one.fragment for one in recovery.assignments}), **dict(sorted(ways.items()))},
    )
    yield BuildStep("unknown", True, {"fragments": sum(recovery.unknown.values()), **recovery.unknown})


def _comparisons(card: Card, recovery: Recovery) -> Iterator[PublishedComparison]:
    if card.name == "codexglue-bcb":
        own = recovery.data.own
        share = 100 * (own - sum(recovery.unknown.values())) / own
        yield PublishedComparison(
            "fragments with a functionality, in per cent",
            60,
            round(share, 1),
            "Sonnekalb et al. 2022, from BigCloneBench's clone pairs; no accuracy reported",
        )


def _warnings(recovery: Recovery) -> Iterator[str]:
    data = recovery.data
    given = {one.functionality for one in recovery.assignments}
    few = [
        one.id
        for row, one in enumerate(data.functionalities)
        if one.id in given and data.known[row].sum() < _FEW_MEMBERS
    ]
    if few:
        yield (
            f"{len(few):,} functionalities have fewer than {_FEW_MEMBERS} known members ({', '.join(few)}): the "
            "confidence of their fragments is the average over all functionalities."
        )


RECIPE = BuildRecipe(
    operation=OPERATION,
    description="Recover functionalities that a dataset dropped, from shared ids, pairs and texts.",
    reference="T. Sonnekalb et al. Generalizability of Code Clone Detection on CodeBERT. ASE 2022.",
    options=RecoveryParameters,
    build=build_functionalities,
)
