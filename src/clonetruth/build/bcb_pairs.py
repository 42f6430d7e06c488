"""BigCloneBench's own rule: pairs from exemplars and tagged fragments (Svajlenko et al. 2014).

For a functionality f with exemplars X, fragments tagged true P and tagged false N, all pairs within X ∪ P are true
clones, and all pairs of X × N are false ones. Nobody inspected a pair: the labels are a rule's claim.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from clonetruth.build.derivation import DerivationPlan, DerivationRecord, derive
from clonetruth.build.recipe import BuildRecipe, recipe_parameters
from clonetruth.build.report import BuildReport, BuildStep
from clonetruth.build.roles import contradictions, read_roles
from clonetruth.model import Judge, JudgeKind, Recipe
from clonetruth.options.build import BcbPairsOptions
from clonetruth.options.declaration import verb
from clonetruth.store import Benchmark, open_benchmark

OPERATION = "bcb-pairs"

RULE = Judge(
    id="rule:bcb-pairs",
    kind=JudgeKind.RULE,
    name="BigCloneBench's pairing rule, applied by clonetruth",
    description=(
        "Every pair of fragments that are exemplars or tagged true is called a clone; every pair of an exemplar and "
        "a fragment tagged false is called none. No pair was looked at."
    ),
)

TRUE_PAIRS = """
SELECT a.fragment AS left, b.fragment AS right, a.functionality AS functionality, 'clone' AS value,
    CASE
        WHEN a.role = 'exemplar' AND b.role = 'exemplar' THEN 'two exemplars'
        WHEN a.role = 'exemplar' OR b.role = 'exemplar' THEN 'an exemplar and one tagged true'
        ELSE 'two tagged true'
    END AS reason
FROM roles a
JOIN roles b ON a.functionality = b.functionality AND a.fragment < b.fragment
WHERE a.role <> 'tagged-false' AND b.role <> 'tagged-false'
"""
"""All pairs within X ∪ P of `roles` (`fragment`, `functionality`, `role`)."""

FALSE_PAIRS = """
SELECT x.fragment AS left, n.fragment AS right, x.functionality AS functionality, 'not-clone' AS value,
    'an exemplar and one tagged false' AS reason
FROM roles x
JOIN roles n ON x.functionality = n.functionality
WHERE x.role = 'exemplar' AND n.role = 'tagged-false'
"""
"""All pairs of X × N."""

_ROLE_COUNTS = """
SELECT functionality,
    sum(CASE WHEN role = 'exemplar' THEN 1 ELSE 0 END) AS exemplars,
    sum(CASE WHEN role = 'tagged-true' THEN 1 ELSE 0 END) AS positives,
    sum(CASE WHEN role = 'tagged-false' THEN 1 ELSE 0 END) AS negatives
FROM roles GROUP BY functionality
"""


@dataclass(frozen=True)
class BcbPairsParameters:
    """Which of the rule's pairs to make, as the recipe records it.

    Attributes:
        true_pairs: the pairs within X ∪ P.
        false_pairs: the pairs of X × N.
    """

    true_pairs: bool = True
    false_pairs: bool = True


def count_true_pairs(exemplars: int, positives: int) -> int:
    """The number of true pairs of a functionality: all within X ∪ P."""
    both = exemplars + positives
    return both * (both - 1) // 2


def count_false_pairs(exemplars: int, negatives: int) -> int:
    """The number of false pairs of a functionality: X × N."""
    return exemplars * negatives


@verb(BcbPairsOptions)
def build_bcb_pairs(options: BcbPairsOptions) -> BuildReport:
    """Replace the pairs of a benchmark by those of BigCloneBench's rule. Its own pairs and labels are left out.

    Returns:
        The counts of each step, the balance before and after, and warnings; `path` is the new benchmark.

    Raises:
        InputError: there are no roles or no exemplars, the rule makes no pair, or the output folder exists.

    Example:
        >>> report = clonetruth.build_bcb_pairs("my-benchmark", output="my-pairs")
        >>> report.step("roles").counts
        {'exemplar': 126, 'tagged-true': 0, 'tagged-false': 62}
    """
    parent = open_benchmark(options.benchmark, engine=options.engine, memory_limit=options.memory_limit)
    return derive_bcb_pairs(parent, options.output, BcbPairsParameters(options.true, options.false))


def derive_bcb_pairs(parent: Benchmark, output: Path, options: BcbPairsParameters | None = None) -> BuildReport:
    """Replace the pairs of a benchmark by those of BigCloneBench's rule. Its own pairs and labels are left out.

    Raises:
        InputError: there are no roles or no exemplars, or the rule makes no pair.
    """
    options = options or BcbPairsParameters()
    roles = read_roles(parent)
    counts = parent.sql(_ROLE_COUNTS, roles=roles.table).to_pylist()
    true = sum(count_true_pairs(row["exemplars"], row["positives"]) for row in counts) if options.true_pairs else 0
    false = sum(count_false_pairs(row["exemplars"], row["negatives"]) for row in counts) if options.false_pairs else 0
    texts = [
        text for text, included in ((TRUE_PAIRS, options.true_pairs), (FALSE_PAIRS, options.false_pairs)) if included
    ]
    plan = DerivationPlan(
        fragments=parent.sql("SELECT fragment FROM fragments ORDER BY fragment"),
        memberships=roles.table,
        functionalities=parent.sql("SELECT functionality FROM functionalities ORDER BY functionality"),
        pairs=" UNION ALL ".join(texts),
        tables={"roles": roles.table},
        rule=RULE,
    )
    record = DerivationRecord(
        recipe=Recipe(OPERATION, recipe_parameters(options)),
        steps=(
            BuildStep("roles", True, {role: roles.count(role) for role in ("exemplar", "tagged-true", "tagged-false")}),
            BuildStep("true pairs", options.true_pairs, {"pairs": true}, "all pairs within exemplars and tagged true"),
            BuildStep("false pairs", options.false_pairs, {"pairs": false}, "exemplars × tagged false"),
        ),
        warnings=(*roles.warnings, *contradictions(parent, roles)),
    )
    card = replace(
        parent.card,
        name=f"{parent.card.name}+{OPERATION}",
        description=f"{parent.card.description} Its pairs were made again by BigCloneBench's rule.",
        criterion="shares-functionality",
    )
    return derive(parent, output, card, plan, record)


RECIPE = BuildRecipe(
    operation=OPERATION,
    description="BigCloneBench's own rule: all pairs within exemplars and tagged true, and exemplars × tagged false.",
    reference="J. Svajlenko et al. Towards a Big Data Curated Benchmark of Inter-Project Code Clones. ICSME 2014.",
    options=BcbPairsParameters,
    build=derive_bcb_pairs,
)
