"""The assumption that the papers warn of: members of different functionalities are not clones (CDLH, TBCCD).

Methods are divided into train, valid and test; within a part every two of them become a pair, a clone if they are
listed for the same functionality, and a non-clone otherwise. BigCloneBench supports neither label. The recipe makes
such a set on purpose, so that what the assumption does to a detector's number can be measured.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.build.derivation import DerivationPlan, DerivationRecord, derive
from clonetruth.build.recipe import BuildRecipe, recipe_parameters
from clonetruth.build.report import BuildReport, BuildStep, PublishedComparison
from clonetruth.errors import InputError
from clonetruth.model import Judge, JudgeKind, Recipe
from clonetruth.options.build import AssumedNegativesOptions
from clonetruth.options.declaration import verb
from clonetruth.stats.pair_numbers import count_within, draw, unrank_within
from clonetruth.store import Benchmark, open_benchmark

OPERATION = "assumed-negatives"

RULE = Judge(
    id="rule:assumed-negatives",
    kind=JudgeKind.RULE,
    name="The assumption that functionalities are disjoint",
    description=(
        "Every two methods of a part that are listed for one functionality are called a clone, and every two that are "
        "listed for different ones are called none. No pair was looked at, and the source supports neither label."
    ),
)

_METHODS = """
SELECT m.fragment AS fragment, min(m.functionality) AS functionality, count(DISTINCT m.functionality) AS listed,
    md5(concat(min(f.id), min(a.seed))) AS place
FROM memberships m
JOIN fragments f ON m.fragment = f.fragment
CROSS JOIN asked a
WHERE m.role IN ('exemplar', 'tagged-true')
GROUP BY m.fragment
ORDER BY place, fragment
"""

_LABEL = """
    CASE WHEN a.functionality = b.functionality THEN a.functionality ELSE NULL END AS functionality,
    CASE WHEN a.functionality = b.functionality THEN 'clone' ELSE 'not-clone' END AS value,
    CASE WHEN a.functionality = b.functionality THEN 'both are listed for one functionality'
        ELSE 'they are listed for different functionalities' END AS reason, a.part AS part
"""

_ALL_PAIRS = f"""
SELECT a.fragment AS left, b.fragment AS right, {_LABEL}
FROM methods a
JOIN methods b ON a.part = b.part AND a.fragment < b.fragment
"""

_DRAWN_PAIRS = f"""
SELECT a.fragment AS left, b.fragment AS right, {_LABEL}
FROM drawn d
JOIN methods a ON d.left = a.fragment
JOIN methods b ON d.right = b.fragment
"""

_MEMBERSHIPS = """
SELECT DISTINCT m.fragment AS fragment, m.functionality AS functionality, m.role AS role
FROM memberships m
JOIN methods k ON m.fragment = k.fragment
WHERE m.role <> 'undecided'
ORDER BY functionality, fragment, role
"""

_LABEL_COUNTS = """
SELECT p.part AS part, p.value AS value, count(*) AS pairs
FROM ({pairs}) p
GROUP BY p.part, p.value
ORDER BY p.part, p.value
"""

_PARTS = ("train", "valid", "test")


@dataclass(frozen=True)
class AssumedNegativesParameters:
    """How many methods each part has, as the recipe records it; the defaults are those of the papers.

    Attributes:
        train: number of methods of the training part.
        valid: number of methods of the validation part.
        test: number of methods of the test part.
        pairs: maximum number of pairs of a part, drawn by hash; None for all.
        seed: random seed of the division.
    """

    train: int = 8134
    valid: int = 500
    test: int = 500
    pairs: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if min(self.train, self.valid, self.test) < 0 or max(self.train, self.valid, self.test) < 2:
            raise InputError("No part has two methods.", hint="Choose 2 or more for train, valid or test.")
        if self.pairs is not None and self.pairs < 1:
            raise InputError(f"The maximum number of pairs is {self.pairs}.", hint="Choose 1 or more.")


@verb(AssumedNegativesOptions)
def build_assumed_negatives(options: AssumedNegativesOptions) -> BuildReport:
    """Make the set that the papers warn of: members of different functionalities as non-clones (CDLH, TBCCD).

    Returns:
        The counts of each part, the papers' numbers next to ours, and warnings; `path` is the new benchmark.

    Raises:
        InputError: there are fewer methods than the parts ask for, or the output folder exists.

    Example:
        >>> report = clonetruth.build_assumed_negatives("my-benchmark", output="my-misuse", train=86, valid=20, test=20)
        >>> report.step("test").counts["not-clone"] > report.step("test").counts["clone"]
        True
    """
    parent = open_benchmark(options.benchmark, engine=options.engine, memory_limit=options.memory_limit)
    chosen = AssumedNegativesParameters(options.train, options.valid, options.test, options.pairs, options.seed)
    return derive_assumed_negatives(parent, options.output, chosen)


def derive_assumed_negatives(
    parent: Benchmark, output: Path, options: AssumedNegativesParameters | None = None
) -> BuildReport:
    """Make a benchmark whose labels rest on the assumption.

    Raises:
        InputError: there are fewer methods than the parts ask for.
    """
    options = options or AssumedNegativesParameters()
    asked = pa.table({"seed": pa.array([str(options.seed)], pa.string())})
    found = parent.sql(_METHODS, asked=asked)
    wanted = options.train + options.valid + options.test
    if found.num_rows < wanted:
        raise InputError(
            f"The parts ask for {wanted:,} methods, and {found.num_rows:,} are an exemplar or tagged true.",
            where=parent.path,
            hint="Give smaller parts: --train, --valid, --test.",
        )
    parts = ["test"] * options.test + ["valid"] * options.valid + ["train"] * options.train
    methods = found.slice(0, wanted).append_column("part", pa.array(parts, pa.string()))
    tables, pairs = {"methods": methods}, _ALL_PAIRS
    if options.pairs is not None:
        tables, pairs = {"methods": methods, "drawn": _draw(methods, options)}, _DRAWN_PAIRS
    steps = [
        BuildStep("methods", True, {"methods": found.num_rows, "kept": wanted}, "exemplars and tagged true, by hash")
    ]
    counts = parent.sql(_LABEL_COUNTS.format(pairs=pairs), **tables).to_pylist()
    for part in _PARTS:
        own = {row["value"]: row["pairs"] for row in counts if row["part"] == part}
        sizes = {"methods": getattr(options, part), "clone": own.get("clone", 0), "not-clone": own.get("not-clone", 0)}
        steps.append(BuildStep(part, bool(own), sizes, "all pairs" if options.pairs is None else "drawn by hash"))
    several = sum(count > 1 for count in methods["listed"].to_pylist())
    card = replace(
        parent.card,
        name=f"{parent.card.name}+{OPERATION}",
        description=f"{parent.card.description} Paired by the assumption that functionalities are disjoint.",
        criterion="shares-functionality",
        known_flaws=(
            "Made to measure a mistake: pairs of members of different functionalities are labelled as non-clones, "
            "which the source does not support. Do not use it as ground truth.",
            *parent.card.known_flaws,
        ),
    )
    return derive(
        parent,
        output,
        card,
        DerivationPlan(
            fragments=pa.table({"fragment": methods["fragment"]}).sort_by("fragment"),
            memberships=parent.sql(_MEMBERSHIPS, methods=methods),
            functionalities=parent.sql("SELECT functionality FROM functionalities ORDER BY functionality"),
            pairs=pairs,
            tables=dict(tables),
            rule=RULE,
            order="made.part, made.left, made.right",
            parts=True,
        ),
        DerivationRecord(
            recipe=Recipe(OPERATION, recipe_parameters(options)),
            steps=tuple(steps),
            comparisons=(
                PublishedComparison("methods of the training part", 8134, options.train),
                PublishedComparison("methods of the validation part", 500, options.valid),
                PublishedComparison("methods of the test part", 500, options.test),
            ),
            warnings=(
                "The labels are an assumption that the source does not support: use it to measure what that does.",
                *(
                    [f"{several:,} methods are listed for several functionalities; the first one labels them."]
                    if several
                    else []
                ),
            ),
            seed=options.seed,
        ),
    )


def _draw(methods: pa.Table, options: AssumedNegativesParameters) -> pa.Table:
    """At most the permitted number of pairs of each part, by number."""
    lefts, rights = [], []
    for part in _PARTS:
        keys = np.sort(methods.filter(pc.equal(methods["part"], part))["fragment"].to_numpy())
        sizes = np.array([len(keys)])
        total = count_within(sizes)
        chosen = np.sort(draw(total, min(options.pairs or total, total), options.seed))
        left, right, _ = unrank_within(chosen, np.array([0]), sizes)
        lefts.append(keys[left])
        rights.append(keys[right])
    return pa.table({"left": np.concatenate(lefts), "right": np.concatenate(rights)})


RECIPE = BuildRecipe(
    operation=OPERATION,
    description="The set that the papers warn of: members of different functionalities are called non-clones.",
    reference=(
        "J. Krinke, C. Ragkhitwetsagul. BigCloneBench Considered Harmful for Machine Learning. IWSC 2022. The sets: "
        "H. Wei, M. Li (CDLH), IJCAI 2017; H. Yu et al. (TBCCD), ICPC 2019."
    ),
    options=AssumedNegativesParameters,
    build=derive_assumed_negatives,
)
