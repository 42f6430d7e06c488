"""Fixes: a fix plan of `clonetruth audit --fix-plan` becomes a derived benchmark without the findings.

All steps refer to the audited benchmark, so their order does not matter: what any step drops is dropped. A fragment is
dropped together with its pairs and memberships; the remaining pairs keep the source's claims and their judgements.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.audit.texts import read_bags
from clonetruth.budgets import read_text
from clonetruth.build.copies import text_digests
from clonetruth.build.derivation import DerivationPlan, DerivationRecord, derive
from clonetruth.build.recipe import BuildRecipe
from clonetruth.build.report import BuildReport, BuildStep
from clonetruth.code import overlap_groups
from clonetruth.errors import InputError
from clonetruth.model import JudgeKind, Recipe
from clonetruth.options.build import ApplyFixesOptions
from clonetruth.options.declaration import verb
from clonetruth.parsing import parse_json
from clonetruth.progress import no_progress
from clonetruth.splits.near_duplicates import connected
from clonetruth.store import Benchmark, open_benchmark

OPERATION = "apply"

_KEPT_PAIRS = """
SELECT p.pair AS parent, p.left AS left, p.right AS right, p.functionality AS functionality,
    CAST(NULL AS STRING) AS value, CAST(NULL AS STRING) AS reason
FROM pairs p
JOIN kept_fragments l ON p.left = l.fragment
JOIN kept_fragments r ON p.right = r.fragment
LEFT JOIN dropped d ON p.pair = d.pair
WHERE d.pair IS NULL
"""

_KEPT_FRAGMENTS = """
SELECT f.fragment AS fragment FROM fragments f LEFT JOIN gone g ON f.fragment = g.fragment
WHERE g.fragment IS NULL ORDER BY f.fragment
"""

_COPIES = """
SELECT fragment FROM (
    SELECT fragment, row_number() OVER (PARTITION BY digest ORDER BY fragment) AS place FROM digests
) numbered WHERE place > 1
"""

_COPIES_WITHIN = """
SELECT fragment FROM (
    SELECT m.fragment AS fragment,
        row_number() OVER (PARTITION BY m.functionality, d.digest ORDER BY m.fragment) AS place
    FROM memberships m JOIN digests d ON m.fragment = d.fragment
) numbered GROUP BY fragment HAVING min(place) > 1
"""
"""Copies that are not the first fragment with their text in any of their functionalities."""


@dataclass(frozen=True)
class FixParameters:
    """The plan to apply.

    Attributes:
        plan: the plan, as `clonetruth audit --fix-plan` prints it.
        codes: the rules whose steps to apply (default: all).
    """

    plan: Mapping[str, Any] = field(default_factory=dict)
    codes: tuple[str, ...] = ()


@dataclass
class _Removals:
    """What the steps remove, by key."""

    fragments: list[pa.Table] = field(default_factory=list)
    pairs: list[pa.Table] = field(default_factory=list)
    labels: list[pa.Table] = field(default_factory=list)


def read_plan(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a fix plan.

    Raises:
        InputError: the file cannot be read, or is not a fix plan.
    """
    path = Path(path)
    try:
        content = parse_json(read_text(path))
    except OSError as error:
        raise InputError(f"The plan cannot be read ({error.strerror or error}).", where=path) from error
    except ValueError as error:
        raise InputError(f"Not a valid JSON file: {error}", where=path) from error
    _check(content, path)
    return dict(content)


@verb(ApplyFixesOptions)
def apply_fixes(options: ApplyFixesOptions) -> BuildReport:
    """Apply the mechanical steps of an audit's fix plan, and write the result as a derived benchmark.

    Steps that need a choice are reported and skipped.

    Returns:
        The counts of each step, the balance before and after, and warnings; `path` is the new benchmark.

    Raises:
        InputError: the plan belongs to another benchmark, is not valid, or has no step that can be applied, or the
            output folder exists.

    Example:
        >>> clonetruth.apply_fixes("plan.json", "my-benchmark", output="my-fixed-benchmark")
        Traceback (most recent call last):
        clonetruth.errors.InputError: plan.json: The plan cannot be read (No such file or directory).
    """
    plan = options.plan if isinstance(options.plan, Mapping) else read_plan(options.plan)
    parent = open_benchmark(options.benchmark, engine=options.engine, memory_limit=options.memory_limit)
    return apply_plan(parent, options.output, FixParameters(plan, options.code))


def apply_plan(parent: Benchmark, output: Path, options: FixParameters) -> BuildReport:
    """Apply the mechanical steps of a fix plan; steps that need a choice are reported and skipped.

    Raises:
        InputError: the plan belongs to another benchmark, is not valid, or has no step that can be applied.
    """
    _check(options.plan, "the plan")
    if options.plan["content_hash"] != parent.content_hash:
        raise InputError(
            f"The plan belongs to the benchmark '{options.plan['benchmark']}' ({options.plan['content_hash'][:12]}…).",
            where=parent.path,
            hint="Audit this benchmark and apply its own plan.",
        )
    removals, steps, applied = _Removals(), [], []
    for step in options.plan["steps"]:
        if options.codes and step["code"] not in options.codes:
            continue
        name = f"{step['code']} {step['operation']}"
        handler = _OPERATIONS.get(step["operation"])
        keys = handler(parent, step, removals) if handler else None
        if keys is None:
            steps.append(BuildStep(name, False, {}, f"not mechanical: {step['says']}"))
        else:
            applied.append(dict(step))
            steps.append(BuildStep(name, True, {"found": keys}, step["says"]))
    if not applied:
        raise InputError(
            "The plan has no step that can be applied.",
            where=parent.path,
            hint="Steps that need a choice, such as a split, have their own commands (clonetruth split).",
        )
    kept_fragments = parent.sql(_KEPT_FRAGMENTS, gone=_keys(removals.fragments, "fragment"))
    dropped = _keys(removals.pairs, "pair")
    memberships = parent.sql(
        "SELECT m.* FROM memberships m JOIN kept_fragments s ON m.fragment = s.fragment", kept_fragments=kept_fragments
    )
    plan = DerivationPlan(
        fragments=kept_fragments,
        memberships=memberships,
        functionalities=parent.sql("SELECT functionality FROM functionalities ORDER BY functionality"),
        pairs=_KEPT_PAIRS,
        tables={"kept_fragments": kept_fragments, "dropped": dropped},
        order="made.parent",
        copies_pairs=True,
        judge_kinds=tuple(JudgeKind),
        unlabelled=_keys(removals.labels, "pair"),
    )
    if not kept_fragments.num_rows:
        raise InputError("The plan would drop every fragment.", where=parent.path, hint="Apply fewer steps (--code).")
    kept_pairs = parent.sql(f"SELECT count(*) AS n FROM ({_KEPT_PAIRS}) made", **plan.tables)["n"][0].as_py()
    total = {
        "fragments dropped": parent.counts["fragments"] - kept_fragments.num_rows,
        "pairs dropped": parent.counts["pairs"] - kept_pairs,
    }
    record = DerivationRecord(Recipe(OPERATION, {"steps": applied}), (*steps, BuildStep("in all", True, total)))
    # The name is part of the content hash, so it stays as it always was.
    card = replace(parent.card, name=f"{parent.card.name}+mended")
    return derive(parent, output, card, plan, record)


def _check(content: Any, where: object) -> None:
    is_plan = isinstance(content, Mapping) and isinstance(content.get("content_hash"), str)
    steps = content.get("steps") if is_plan else None
    if not isinstance(steps, list) or not all(
        isinstance(step, Mapping) and {"code", "operation", "says", "sql", "parameters"} <= step.keys()
        for step in steps
    ):
        raise InputError("Not a fix plan.", where=where, hint="Make one with `clonetruth audit BENCHMARK --fix-plan`.")


def _keys(tables: list[pa.Table], name: str) -> pa.Table:
    """The keys of all tables, each once."""
    parts = [table[name].combine_chunks().cast(pa.int64()) for table in tables]
    return pa.table({name: pc.unique(pa.chunked_array(parts, pa.int64()))})


def _select(parent: Benchmark, step: Mapping[str, Any], key: str) -> pa.Table | None:
    if step["sql"] is None:
        return None
    rows = parent.untrusted_sql(str(step["sql"]))
    if key not in rows.column_names or not pa.types.is_integer(rows.schema.field(key).type):
        raise InputError(f"The SQL of the step does not select the key '{key}'.", where=step["code"])
    return rows


def _drop_pairs(parent: Benchmark, step: Mapping[str, Any], removals: _Removals) -> int | None:
    rows = _select(parent, step, "pair")
    if rows is None:
        return None
    removals.pairs.append(rows)
    return int(rows.num_rows)


def _drop_fragments(parent: Benchmark, step: Mapping[str, Any], removals: _Removals) -> int | None:
    rows = _select(parent, step, "fragment")
    if rows is None:
        return None
    removals.fragments.append(rows)
    return int(rows.num_rows)


def _unlabel_pairs(parent: Benchmark, step: Mapping[str, Any], removals: _Removals) -> int | None:
    rows = _select(parent, step, "pair")
    if rows is None:
        return None
    removals.labels.append(rows)
    return int(rows.num_rows)


def _deduplicate(parent: Benchmark, step: Mapping[str, Any], removals: _Removals) -> int:
    parameters = step["parameters"]
    if "overlap" in parameters:
        rows = _near_duplicates(parent, float(parameters["overlap"]), int(parameters.get("words", 1)))
    else:
        text = _COPIES_WITHIN if parameters.get("within") == "functionality" else _COPIES
        rows = parent.sql(text, digests=text_digests(parent))
    removals.fragments.append(rows)
    return int(rows.num_rows)


def _near_duplicates(parent: Benchmark, overlap: float, words: int) -> pa.Table:
    """All fragments of a chain of near duplicates except the first."""
    groups = overlap_groups(read_bags(parent, no_progress), overlap, minimum=words)
    fragments = np.arange(len(groups.bag), dtype=np.int64)
    bag = np.where(groups.bag < 0, fragments, groups.bag)
    first = connected(
        len(fragments),
        np.concatenate([fragments, groups.pairs.left]),
        np.concatenate([bag, groups.pairs.right]),
    )
    return pa.table({"fragment": pa.array(np.flatnonzero(first != fragments), pa.int64())})


_OPERATIONS: Mapping[str, Callable[[Benchmark, Mapping[str, Any], _Removals], int | None]] = {
    "drop-pairs": _drop_pairs,
    "drop-fragments": _drop_fragments,
    "unlabel-pairs": _unlabel_pairs,
    "deduplicate-texts": _deduplicate,
}


RECIPE = BuildRecipe(
    operation=OPERATION,
    description="Apply the mechanical steps of an audit's fix plan: drop, deduplicate, remove labels.",
    reference="docs/audit.md",
    options=FixParameters,
    build=apply_plan,
)
