"""ConBigCloneBench (Li et al., ISSRE 2023): BigCloneBench with agreed tags, expanded, merged, capped, paired again."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.build.balance import balance_of
from clonetruth.build.bcb_pairs import FALSE_PAIRS, TRUE_PAIRS
from clonetruth.build.derivation import DerivationPlan, DerivationRecord, derive
from clonetruth.build.exemplar_similarity import ExemplarSimilarity, Reference, similar_to_exemplars
from clonetruth.build.expansion import EXPANDED, Expansion, Scope, expand_fragments
from clonetruth.build.judged_tags import TagAgreement, TagEvidence, find_evidence, judged_tags
from clonetruth.build.recipe import BuildRecipe, read_options, recipe_parameters
from clonetruth.build.report import BuildReport, BuildStep, PublishedComparison
from clonetruth.build.roles import Roles, contradictions, read_roles
from clonetruth.errors import InputError
from clonetruth.model import Judge, JudgeKind, Recipe
from clonetruth.options.build import ConfidenceBcbOptions
from clonetruth.options.declaration import verb
from clonetruth.store import Benchmark, open_benchmark

# The choices of ConBigCloneBench: what the paper leaves open is a recorded option with a default.


class Capped(StrEnum):
    """What the cap counts."""

    FRAGMENTS = "fragments"  # all fragments of a functionality, as the paper says
    SIDES = "sides"  # those that have the functionality and those that do not, separately


class Negatives(StrEnum):
    """Which exemplars are used in false pairs."""

    ALL = "all"  # merged ones included
    ORIGINAL = "original"


@dataclass(frozen=True)
class ConfidenceBcbParameters:
    """How ConBigCloneBench is made, as the recipe records it; `ConfidenceBcbOptions` explains each choice.

    `threshold` and `cap` are None if their step is skipped.
    """

    judges: int = 2
    agreement: TagAgreement = TagAgreement.AT_LEAST
    evidence: TagEvidence | None = None
    keep_exemplars: bool = True
    files: Path | None = None
    scope: Scope = Scope.FILE
    depth: int | None = None
    threshold: float | None = 0.2
    likeness: ExemplarSimilarity = ExemplarSimilarity.MEASURED
    reference: Reference = Reference.EXEMPLARS
    expanded: bool = True
    tagged_pairs: bool = False
    cap: int | None = 500
    capped: Capped = Capped.FRAGMENTS
    negatives: Negatives = Negatives.ALL
    seed: int = 0

    def __post_init__(self) -> None:
        if self.judges < 1:
            raise InputError(f"The number of judges is {self.judges}.", hint="Choose 2 or more; 1 skips the step.")
        if self.depth is not None and self.depth < 1:
            raise InputError(f"The depth is {self.depth}.", hint="Choose 1 or more, or omit --files to skip the step.")
        if self.threshold is not None and not 0 <= self.threshold < 1:
            raise InputError(
                f"The threshold is {self.threshold:g}.", hint="It must be at least 0 and below 1, for example 0.2."
            )
        if self.cap is not None and self.cap < 2:
            raise InputError(f"A cap of {self.cap} leaves no pairs.", hint="Choose 2 or more.")


OPERATION = "confidence-bcb"

RULE = Judge(
    id="rule:confidence-bcb",
    kind=JudgeKind.RULE,
    name="ConBigCloneBench's pairing rule, applied by clonetruth",
    description=(
        "Pairs of an exemplar (or a fragment that was merged with the exemplars for its line similarity) and a "
        "fragment tagged true are called clones, pairs of an exemplar and one tagged false are called none. No pair "
        "was looked at."
    ),
)

_AGREED = """
SELECT r.fragment AS fragment, r.functionality AS functionality, r.role AS role
FROM roles r LEFT JOIN tags t ON r.fragment = t.fragment AND r.functionality = t.functionality
CROSS JOIN asked a
WHERE (r.role = 'exemplar' AND a.exemplars)
    OR (t.agreeing >= a.judges AND (t.dissenting = 0 OR NOT a.unanimous))
ORDER BY r.functionality, r.fragment
"""

_CAPPED = """
WITH ranked AS (
    SELECT r.fragment AS fragment, r.functionality AS functionality, r.role AS role, r.original AS original,
        row_number() OVER (
            PARTITION BY r.functionality,
                CASE WHEN a.sides AND r.role = 'tagged-false' THEN 1 ELSE 0 END
            ORDER BY CASE WHEN r.original THEN 0 ELSE 1 END, md5(concat(f.id, CAST(a.seed AS STRING))), f.id
        ) AS place
    FROM roles r JOIN fragments f ON r.fragment = f.fragment
    CROSS JOIN asked a
)
SELECT c.fragment AS fragment, c.functionality AS functionality, c.role AS role, c.original AS original
FROM ranked c CROSS JOIN asked a
WHERE c.place <= a.cap
ORDER BY c.functionality, c.fragment
"""
"""Exemplars first, because without them a functionality has no pairs; then by hash."""


@dataclass
class _State:
    """The roles between the steps, and the report so far."""

    parent: Benchmark
    options: ConfidenceBcbParameters
    roles: pa.Table
    steps: list[BuildStep] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    parameters: dict[str, Any] = field(default_factory=dict)
    expansion: Expansion | None = None

    def skip(self, name: str, why: str) -> None:
        """Record a skipped step."""
        self.steps.append(BuildStep(name, False, {}, why))

    def done(self, name: str, counts: dict[str, int], note: str | None = None) -> None:
        """Record a completed step."""
        self.steps.append(BuildStep(name, True, counts, note))

    def parameter_table(self, **values: object) -> pa.Table:
        """One row of parameters for a query."""
        return pa.table({name: [value] for name, value in values.items()})


@verb(ConfidenceBcbOptions)
def build_confidence_bcb(options: ConfidenceBcbOptions) -> BuildReport:
    """Make ConBigCloneBench from a BigCloneBench. Each step can be skipped, and is counted.

    Returns:
        The counts of each step, the balance before and after, published numbers next to ours, and warnings.

    Raises:
        InputError: roles, exemplars, judges or files are missing, an option is not valid, no functionality remains, or
            the output folder exists.

    Example:
        >>> clonetruth.build_confidence_bcb("my-benchmark", output="my-confidence-bcb", judges=1)
        Traceback (most recent call last):
        clonetruth.errors.InputError: my-benchmark: A step leaves nothing: no functionality still has an exemplar ...
    """
    names = {field.name for field in fields(ConfidenceBcbParameters)}
    chosen = {name: value for name, value in vars(options).items() if name in names}
    chosen["threshold"] = options.threshold if options.merge else None
    parent = open_benchmark(options.benchmark, engine=options.engine, memory_limit=options.memory_limit)
    return derive_confidence_bcb(parent, options.output, read_options(ConfidenceBcbParameters, chosen))


def derive_confidence_bcb(
    parent: Benchmark, output: Path, options: ConfidenceBcbParameters | None = None
) -> BuildReport:
    """Make ConBigCloneBench from a BigCloneBench. Each step can be skipped, and is counted.

    Raises:
        InputError: roles, exemplars, judges or files are missing, or no functionality remains.
    """
    options = options or ConfidenceBcbParameters()
    roles_read = read_roles(parent)
    state = _State(
        parent, options, roles_read.table, parameters=recipe_parameters(options), warnings=list(roles_read.warnings)
    )
    _keep_agreed(state)
    _expand(state)
    _merge(state)
    _cap(state)
    _drop_without_pairs(state)
    roles = state.roles
    plan = _plan(state)
    state.done("pairs", _pair_counts(parent, plan))
    state.warnings += contradictions(parent, Roles(roles, 0, ()))
    record = DerivationRecord(
        recipe=Recipe(OPERATION, state.parameters),
        steps=tuple(state.steps),
        comparisons=_comparisons(roles),
        warnings=tuple(state.warnings),
        seed=options.seed,
    )
    card = replace(
        parent.card,
        name=f"{parent.card.name}+{OPERATION}",
        description=f"{parent.card.description} Repaired by the recipe of ConBigCloneBench (Li et al. 2023).",
        criterion="shares-functionality",
        known_flaws=(
            *parent.card.known_flaws,
            "Its labels are still a rule's: fewer of them, and not shown to be better (docs/build.md).",
        ),
    )
    return derive(parent, output, card, plan, record)


def _keep_agreed(state: _State) -> None:
    options = state.options
    if options.judges == 1:
        state.skip("agreed tags", "one judge is enough")
        return
    evidence = options.evidence or find_evidence(state.parent)
    state.parameters["evidence"] = str(evidence)
    tags = judged_tags(state.parent, state.roles, evidence)
    kept = state.parent.sql(
        _AGREED,
        roles=state.roles,
        tags=tags,
        asked=state.parameter_table(
            judges=options.judges,
            exemplars=options.keep_exemplars,
            unanimous=options.agreement is TagAgreement.UNANIMOUS,
        ),
    )
    before, after = _by_role(state.roles), _by_role(kept)
    counts = {"judged": tags.num_rows, "kept": kept.num_rows, "dropped": state.roles.num_rows - kept.num_rows}
    counts |= {f"dropped, {role}": before[role] - after[role] for role in sorted(before)}
    state.roles = kept
    state.done("agreed tags", counts, f"judges known from {evidence}")
    _refuse_empty(state, f"no tag has {options.judges} agreeing judges", "--judges 1 keeps all tags")


def _expand(state: _State) -> None:
    options = state.options
    if options.files is None:
        state.skip("expansion", "no source files were given")
        return
    fragments = pa.table({"fragment": pc.unique(state.roles["fragment"])})
    state.expansion = expand_fragments(state.parent, fragments, options.files, options.scope, options.depth)
    state.parameters["files_digest"] = state.expansion.digest
    state.done(
        "expansion",
        dict(state.expansion.counts),
        "a fragment keeps its id and its tags, but not the judgements on its pairs",
    )
    if not state.expansion.counts[EXPANDED]:
        state.warnings.append("No fragment was expanded: check that the fragments come from these files.")


def _merge(state: _State) -> None:
    options, roles = state.options, state.roles
    original = pc.equal(roles["role"], "exemplar")
    if options.threshold is None:
        state.roles = roles.append_column("original", original)
        state.skip("merging", "no threshold was given")
        return
    expanded = state.expansion.texts if state.expansion is not None and options.expanded else None
    texts = dict(zip(expanded["fragment"].to_pylist(), expanded["text"].to_pylist(), strict=True)) if expanded else {}
    merged = similar_to_exemplars(state.parent, roles, options.threshold, options.likeness, options.reference, texts)
    keys = zip(roles["fragment"].to_pylist(), roles["functionality"].to_pylist(), strict=True)
    is_merged = pa.array([key in merged for key in keys], pa.bool_())
    new_role = pc.if_else(is_merged, "exemplar", roles["role"])
    state.roles = roles.set_column(2, "role", new_role).append_column("original", original)
    exemplars = int(pc.sum(original).as_py() or 0)
    tagged = _by_role(state.roles)["tagged-true"]
    state.done("merging", {"exemplars before": exemplars, "merged": len(merged), "still tagged true": tagged})


def _cap(state: _State) -> None:
    options = state.options
    if options.cap is None:
        state.skip("cap", "no cap was given")
        return
    before = state.roles
    sides = options.capped is Capped.SIDES
    state.roles = state.parent.sql(
        _CAPPED, roles=before, asked=state.parameter_table(cap=options.cap, sides=sides, seed=options.seed)
    )
    larger = sum(size > options.cap for size in Counter(before["functionality"].to_pylist()).values())
    state.done(
        "cap",
        {"dropped": before.num_rows - state.roles.num_rows, "functionalities above the cap": larger},
        f"the cap of {options.cap:,} counts {options.capped}",
    )


def _drop_without_pairs(state: _State) -> None:
    """Keep the functionalities that still have an exemplar and another fragment that was tagged true."""
    roles = state.roles
    has_exemplar = set(roles.filter(pc.equal(roles["role"], "exemplar"))["functionality"].to_pylist())
    was_tagged = pc.and_(pc.invert(roles["original"]), pc.not_equal(roles["role"], "tagged-false"))
    kept = has_exemplar & set(roles.filter(was_tagged)["functionality"].to_pylist())
    state.roles = roles.filter(pc.is_in(roles["functionality"], pa.array(sorted(kept), pa.int64())))
    _refuse_empty(state, "no functionality still has an exemplar and a fragment tagged true", "Skip a step")


def _plan(state: _State) -> DerivationPlan:
    roles, options = state.roles, state.options
    fragments = pa.table({"fragment": pc.unique(roles["fragment"])})
    if state.expansion is not None:
        fragments = fragments.join(state.expansion.texts, "fragment", join_type="left outer")
    original = options.negatives is Negatives.ORIGINAL
    true = TRUE_PAIRS if options.tagged_pairs else f"{TRUE_PAIRS} AND (a.role = 'exemplar' OR b.role = 'exemplar')"
    false = f"{FALSE_PAIRS} AND x.original" if original else FALSE_PAIRS
    return DerivationPlan(
        fragments=fragments,
        memberships=roles.select(["fragment", "functionality", "role"]),
        functionalities=pa.table({"functionality": pc.unique(roles["functionality"])}),
        pairs=f"{true} UNION ALL {false}",
        tables={"roles": roles},
        rule=RULE,
    )


def _pair_counts(parent: Benchmark, plan: DerivationPlan) -> dict[str, int]:
    rows = parent.sql(
        f"SELECT reason, count(*) AS pairs FROM ({plan.pairs}) made GROUP BY reason ORDER BY reason", **plan.tables
    )
    return dict(zip(rows["reason"].to_pylist(), rows["pairs"].to_pylist(), strict=True))


def _by_role(roles: pa.Table) -> Counter[str]:
    return Counter(roles["role"].to_pylist())


def _refuse_empty(state: _State, what: str, hint: str) -> None:
    if not state.roles.num_rows:
        raise InputError(f"A step leaves nothing: {what}.", where=state.parent.path, hint=f"{hint}.")


def _comparisons(roles: pa.Table) -> tuple[PublishedComparison, ...]:
    ours = balance_of("fragments", list(Counter(roles["functionality"].to_pylist()).values()))
    spread = (
        "the paper calls it a variance; it is a standard deviation, and with sizes up to 500 and this mean it could "
        "be at most 157.7: the paper did not cap all fragments of a functionality at 500"
    )
    return (
        PublishedComparison("functionalities", 21, ours.functionalities, "the figure's axis shows 22"),
        PublishedComparison("fragments", 9323, ours.total, "counted once per functionality"),
        PublishedComparison("mean fragments of a functionality", 444.0, ours.mean),
        PublishedComparison("spread of the fragments of a functionality", 256.6, ours.deviation, spread),
    )


RECIPE = BuildRecipe(
    operation=OPERATION,
    description="ConBigCloneBench: agreed tags, expanded by calls, merged with exemplars, capped, paired again.",
    reference=(
        "H. Li et al. Assessing and Improving Dataset and Evaluation Methodology in Deep Learning for Code Clone "
        "Detection. ISSRE 2023."
    ),
    options=ConfidenceBcbParameters,
    build=derive_confidence_bcb,
)
