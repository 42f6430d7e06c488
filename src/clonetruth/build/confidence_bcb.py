"""ConBigCloneBench (Li et al., ISSRE 2023): BigCloneBench of agreed tags, expanded, merged, capped and paired anew."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.build.balance import balance_of
from clonetruth.build.bcb_pairs import FALSE_PAIRS, TRUE_PAIRS
from clonetruth.build.derivation import DerivationPlan, DerivationRecipe, derive
from clonetruth.build.exemplar_similarity import ExemplarSimilarity, Reference, alike
from clonetruth.build.expansion import GROWN, Expansion, Scope, expand_fragments
from clonetruth.build.judged_tags import TagAgreement, TagEvidence, find_evidence, judged_tags
from clonetruth.build.recipe import BuildRecipe, parameters_of
from clonetruth.build.report import BuildReport, BuildStep, PublishedComparison
from clonetruth.build.roles import Roles, contradictions, read_roles
from clonetruth.errors import InputError
from clonetruth.model import Judge, JudgeKind, Recipe
from clonetruth.store import Benchmark

# The choices of ConBigCloneBench: what the paper leaves open is an option with a default, and is recorded.


class Capped(StrEnum):
    """What the cap counts."""

    FRAGMENTS = "fragments"  # all of a functionality, as the paper's words say
    SIDES = "sides"  # those that have the functionality, and those that do not, each


class Negatives(StrEnum):
    """Which exemplars stand in false pairs."""

    ALL = "all"  # those that were merged, too
    ORIGINAL = "original"


@dataclass(frozen=True)
class ConfidenceOptions:
    """How ConBigCloneBench is made.

    Attributes:
        judges: step 1: the people who must agree on a tag; 1 leaves the step out.
        agreement: whether somebody may disagree with them.
        evidence: where the judges are known from; what is there unless told.
        keep_exemplars: exemplars need no judges: they were written as examples, not tagged.
        files: step 2: a folder or archive of the source files; without it the step is left out.
        scope: where called functions are looked for.
        depth: how many calls deep; all unless told.
        threshold: step 3: the line similarity above which a tagged fragment joins the exemplars; None leaves it out.
        likeness: which line similarity.
        reference: similar to whom.
        expanded: the similarity is that of the expanded texts (the order of the paper's steps).
        tagged_pairs: keep pairs between two fragments that are merely tagged true.
        cap: step 4: the most fragments of a functionality; None leaves it out.
        capped: what the cap counts.
        negatives: step 5: which exemplars stand in false pairs.
        seed: of the draw in step 4.
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
            raise InputError(f"{self.judges} judges cannot agree.", hint="1 leaves the step out.")
        if self.depth is not None and self.depth < 1:
            raise InputError(f"Calls cannot be followed {self.depth} deep.", hint="Leave --files out instead.")
        if self.threshold is not None and not 0 <= self.threshold < 1:
            raise InputError(f"The threshold is {self.threshold:g}.", hint="It must lie in [0, 1), e.g. 0.2.")
        if self.cap is not None and self.cap < 2:
            raise InputError(f"A cap of {self.cap} leaves no pair.", hint="Choose 2 or more.")


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
"""The exemplars first, since without them a functionality has no pairs; then by hash."""


@dataclass
class _Work:
    """The roles on their way through the steps, with what is told of each."""

    parent: Benchmark
    options: ConfidenceOptions
    roles: pa.Table
    steps: list[BuildStep] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    parameters: dict[str, Any] = field(default_factory=dict)
    expansion: Expansion | None = None

    def skip(self, name: str, why: str) -> None:
        """Note that a step is left out."""
        self.steps.append(BuildStep(name, False, {}, why))

    def done(self, name: str, counts: dict[str, int], note: str | None = None) -> None:
        """Note what a step did."""
        self.steps.append(BuildStep(name, True, counts, note))

    def asked(self, **values: object) -> pa.Table:
        """One row of choices for a query."""
        return pa.table({name: [value] for name, value in values.items()})


def build_confidence_bcb(parent: Benchmark, output: Path, options: ConfidenceOptions | None = None) -> BuildReport:
    """Make ConBigCloneBench of a BigCloneBench. Each step can be left out, and is counted.

    Raises:
        InputError: roles, exemplars, judges or files are missing, or no functionality survives.
    """
    options = options or ConfidenceOptions()
    given = read_roles(parent)
    work = _Work(parent, options, given.table, parameters=parameters_of(options), warnings=list(given.warnings))
    _keep_agreed(work)
    _expand(work)
    _merge(work)
    _cap(work)
    _drop_without_pairs(work)
    roles = work.roles
    plan = _plan(work)
    work.done("pairs", _pair_counts(parent, plan))
    work.warnings += contradictions(parent, Roles(roles, 0, ()))
    story = DerivationRecipe(
        recipe=Recipe(OPERATION, work.parameters),
        steps=tuple(work.steps),
        comparisons=_comparisons(roles),
        warnings=tuple(work.warnings),
        seed=options.seed,
    )
    card = replace(
        parent.card,
        name=f"{parent.card.name}+{OPERATION}",
        description=f"{parent.card.description} Repaired by the recipe of ConBigCloneBench (Li et al. 2023).",
        criterion="shares-functionality",
        known_flaws=(
            *parent.card.known_flaws,
            "Its labels are a rule's, as before: fewer of them, and not shown to be better (docs/build.md).",
        ),
    )
    return derive(parent, output, card, plan, story)


def _keep_agreed(work: _Work) -> None:
    options = work.options
    if options.judges == 1:
        work.skip("agreed tags", "one judge is enough")
        return
    evidence = options.evidence or find_evidence(work.parent)
    work.parameters["evidence"] = str(evidence)
    tags = judged_tags(work.parent, work.roles, evidence)
    kept = work.parent.sql(
        _AGREED,
        roles=work.roles,
        tags=tags,
        asked=work.asked(
            judges=options.judges,
            exemplars=options.keep_exemplars,
            unanimous=options.agreement is TagAgreement.UNANIMOUS,
        ),
    )
    before, after = _by_role(work.roles), _by_role(kept)
    counts = {"judged": tags.num_rows, "kept": kept.num_rows, "dropped": work.roles.num_rows - kept.num_rows}
    counts |= {f"dropped, {role}": before[role] - after[role] for role in sorted(before)}
    work.roles = kept
    work.done("agreed tags", counts, f"judges known from {evidence}")
    _refuse_empty(work, f"no tag has {options.judges} judges who agree", "--judges 1 keeps all tags")


def _expand(work: _Work) -> None:
    options = work.options
    if options.files is None:
        work.skip("expansion", "no source files were given")
        return
    fragments = pa.table({"fragment": pc.unique(work.roles["fragment"])})
    work.expansion = expand_fragments(work.parent, fragments, options.files, options.scope, options.depth)
    work.parameters["files_digest"] = work.expansion.digest
    work.done(
        "expansion",
        dict(work.expansion.counts),
        "a fragment keeps its id and its tags; judgements of its pairs do not stay",
    )
    if not work.expansion.counts[GROWN]:
        work.warnings.append("No fragment was expanded: are these the files that the fragments come from?")


def _merge(work: _Work) -> None:
    options, roles = work.options, work.roles
    original = pc.equal(roles["role"], "exemplar")
    if options.threshold is None:
        work.roles = roles.append_column("original", original)
        work.skip("merging", "no threshold was given")
        return
    grown = work.expansion.texts if work.expansion is not None and options.expanded else None
    texts = dict(zip(grown["fragment"].to_pylist(), grown["text"].to_pylist(), strict=True)) if grown else {}
    merged = alike(work.parent, roles, options.threshold, options.likeness, options.reference, texts)
    keys = zip(roles["fragment"].to_pylist(), roles["functionality"].to_pylist(), strict=True)
    is_merged = pa.array([key in merged for key in keys], pa.bool_())
    new_role = pc.if_else(is_merged, "exemplar", roles["role"])
    work.roles = roles.set_column(2, "role", new_role).append_column("original", original)
    exemplars = int(pc.sum(original).as_py() or 0)
    tagged = _by_role(work.roles)["tagged-true"]
    work.done("merging", {"exemplars before": exemplars, "merged": len(merged), "still tagged true": tagged})


def _cap(work: _Work) -> None:
    options = work.options
    if options.cap is None:
        work.skip("cap", "no cap was given")
        return
    before = work.roles
    sides = options.capped is Capped.SIDES
    work.roles = work.parent.sql(
        _CAPPED, roles=before, asked=work.asked(cap=options.cap, sides=sides, seed=options.seed)
    )
    larger = sum(size > options.cap for size in Counter(before["functionality"].to_pylist()).values())
    work.done(
        "cap",
        {"dropped": before.num_rows - work.roles.num_rows, "functionalities above the cap": larger},
        f"the cap of {options.cap:,} counts {options.capped}",
    )


def _drop_without_pairs(work: _Work) -> None:
    """A functionality lasts where an exemplar and another fragment that was tagged true are left."""
    roles = work.roles
    has_exemplar = set(roles.filter(pc.equal(roles["role"], "exemplar"))["functionality"].to_pylist())
    was_tagged = pc.and_(pc.invert(roles["original"]), pc.not_equal(roles["role"], "tagged-false"))
    lasting = has_exemplar & set(roles.filter(was_tagged)["functionality"].to_pylist())
    work.roles = roles.filter(pc.is_in(roles["functionality"], pa.array(sorted(lasting), pa.int64())))
    _refuse_empty(work, "no functionality has an exemplar and a fragment tagged true left", "Leave out a step")


def _plan(work: _Work) -> DerivationPlan:
    roles, options = work.roles, work.options
    fragments = pa.table({"fragment": pc.unique(roles["fragment"])})
    if work.expansion is not None:
        fragments = fragments.join(work.expansion.texts, "fragment", join_type="left outer")
    original = options.negatives is Negatives.ORIGINAL
    true = TRUE_PAIRS if options.tagged_pairs else f"{TRUE_PAIRS} AND (a.role = 'exemplar' OR b.role = 'exemplar')"
    false = f"{FALSE_PAIRS} AND x.original" if original else FALSE_PAIRS
    return DerivationPlan(
        fragments=fragments,
        memberships=roles.select(["fragment", "functionality", "role"]),
        functionalities=pa.table({"functionality": pc.unique(roles["functionality"])}),
        pairs=f"{true} UNION ALL {false}",
        extra={"roles": roles},
        rule=RULE,
    )


def _pair_counts(parent: Benchmark, plan: DerivationPlan) -> dict[str, int]:
    rows = parent.sql(
        f"SELECT reason, count(*) AS pairs FROM ({plan.pairs}) made GROUP BY reason ORDER BY reason", **plan.extra
    )
    return dict(zip(rows["reason"].to_pylist(), rows["pairs"].to_pylist(), strict=True))


def _by_role(roles: pa.Table) -> Counter[str]:
    return Counter(roles["role"].to_pylist())


def _refuse_empty(work: _Work, what: str, hint: str) -> None:
    if not work.roles.num_rows:
        raise InputError(f"Nothing is left after a step: {what}.", where=work.parent.path, hint=f"{hint}.")


def _comparisons(roles: pa.Table) -> tuple[PublishedComparison, ...]:
    ours = balance_of("fragments", list(Counter(roles["functionality"].to_pylist()).values()))
    spread = (
        "the paper calls it a variance; it is a standard deviation, and of sizes up to 500 with this mean it could be "
        "157.7 at most: the paper did not cap all fragments of a functionality at 500"
    )
    return (
        PublishedComparison("functionalities", 21, ours.functionalities, "the figure's axis shows 22"),
        PublishedComparison("fragments", 9323, ours.total, "counted once in each functionality"),
        PublishedComparison("mean fragments of a functionality", 444.0, ours.mean),
        PublishedComparison("spread of the fragments of a functionality", 256.6, ours.deviation, spread),
    )


RECIPE = BuildRecipe(
    operation=OPERATION,
    description="ConBigCloneBench: agreed tags, expanded by calls, merged with exemplars, capped, paired anew.",
    reference=(
        "H. Li et al. Assessing and Improving Dataset and Evaluation Methodology in Deep Learning for Code Clone "
        "Detection. ISSRE 2023."
    ),
    options=ConfidenceOptions,
    build=build_confidence_bcb,
)
