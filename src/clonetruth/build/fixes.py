"""Mending: a fix plan of `clonetruth audit --fix-plan` becomes a derived benchmark without the findings.

All steps speak of the benchmark that was audited, so their order does not matter: what any of them drops is dropped.
A fragment goes with its pairs and memberships; pairs keep what the source claims of them, and judgements go along.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.audit.texts import read_bags
from clonetruth.build.derivation import DerivationPlan, DerivationRecipe, derive
from clonetruth.build.expansion import text_digests
from clonetruth.build.recipe import BuildRecipe
from clonetruth.build.report import BuildReport, BuildStep
from clonetruth.code import overlap_groups
from clonetruth.errors import InputError
from clonetruth.model import JudgeKind, Recipe
from clonetruth.progress import no_progress
from clonetruth.splits.near_duplicates import connected
from clonetruth.store import Benchmark

OPERATION = "apply"

_KEPT_PAIRS = """
SELECT p.pair AS parent, p.left AS left, p.right AS right, p.functionality AS functionality,
    CAST(NULL AS STRING) AS value, CAST(NULL AS STRING) AS reason
FROM pairs p
JOIN staying l ON p.left = l.fragment
JOIN staying r ON p.right = r.fragment
LEFT JOIN dropped d ON p.pair = d.pair
WHERE d.pair IS NULL
"""

_STAYING = """
SELECT f.fragment AS fragment FROM fragments f LEFT JOIN gone g ON f.fragment = g.fragment
WHERE g.fragment IS NULL ORDER BY f.fragment
"""

_TWINS = """
SELECT fragment FROM (
    SELECT fragment, row_number() OVER (PARTITION BY digest ORDER BY fragment) AS place FROM digests
) numbered WHERE place > 1
"""

_TWINS_WITHIN = """
SELECT fragment FROM (
    SELECT m.fragment AS fragment,
        row_number() OVER (PARTITION BY m.functionality, d.digest ORDER BY m.fragment) AS place
    FROM memberships m JOIN digests d ON m.fragment = d.fragment
) numbered GROUP BY fragment HAVING min(place) > 1
"""
"""Copies that another fragment stands for in every functionality that they are in."""


@dataclass(frozen=True)
class FixOptions:
    """Which plan to apply.

    Attributes:
        plan: the plan, as `clonetruth audit --fix-plan` prints it.
        codes: the rules whose steps to apply; all unless told.
    """

    plan: Mapping[str, Any] = field(default_factory=dict)
    codes: tuple[str, ...] = ()


@dataclass
class _Losses:
    """What the steps take away, by key."""

    fragments: list[pa.Table] = field(default_factory=list)
    pairs: list[pa.Table] = field(default_factory=list)
    labels: list[pa.Table] = field(default_factory=list)


def read_plan(path: Path) -> dict[str, Any]:
    """Read a fix plan.

    Raises:
        InputError: the file is no plan.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"The plan cannot be read ({error.strerror or error}).", where=path) from error
    except ValueError as error:
        raise InputError(f"This is no JSON: {error}", where=path) from error
    _check(content, path)
    return dict(content)


def apply_plan(parent: Benchmark, output: Path, options: FixOptions) -> BuildReport:
    """Apply the mechanical steps of a fix plan; those that need a choice are told, and left out.

    Raises:
        InputError: the plan is of another benchmark, damaged, or has nothing that can be applied.
    """
    _check(options.plan, "the plan")
    if options.plan["content_hash"] != parent.content_hash:
        raise InputError(
            f"The plan is of another benchmark ('{options.plan['benchmark']}', {options.plan['content_hash'][:12]}…).",
            where=parent.path,
            hint="Audit this benchmark, and apply its own plan.",
        )
    losses, steps, applied = _Losses(), [], []
    for step in options.plan["steps"]:
        if options.codes and step["code"] not in options.codes:
            continue
        name = f"{step['code']} {step['operation']}"
        handler = _OPERATIONS.get(step["operation"])
        keys = handler(parent, step, losses) if handler else None
        if keys is None:
            steps.append(BuildStep(name, False, {}, f"not mechanical: {step['says']}"))
        else:
            applied.append(dict(step))
            steps.append(BuildStep(name, True, {"found": keys}, step["says"]))
    if not applied:
        raise InputError(
            "The plan has no step that can be applied.",
            where=parent.path,
            hint="Steps that need a choice, such as a split, have verbs of their own (clonetruth split).",
        )
    staying = parent.sql(_STAYING, gone=_keys(losses.fragments, "fragment"))
    dropped = _keys(losses.pairs, "pair")
    memberships = parent.sql("SELECT m.* FROM memberships m JOIN staying s ON m.fragment = s.fragment", staying=staying)
    plan = DerivationPlan(
        fragments=staying,
        memberships=memberships,
        functionalities=parent.sql("SELECT functionality FROM functionalities ORDER BY functionality"),
        pairs=_KEPT_PAIRS,
        extra={"staying": staying, "dropped": dropped},
        order="made.parent",
        copied=True,
        kinds=tuple(JudgeKind),
        silenced=_keys(losses.labels, "pair"),
    )
    if not staying.num_rows:
        raise InputError("Nothing would be left.", where=parent.path, hint="Apply fewer steps (--code).")
    kept = parent.sql(f"SELECT count(*) AS n FROM ({_KEPT_PAIRS}) made", **plan.extra)["n"][0].as_py()
    whole = {
        "fragments dropped": parent.counts["fragments"] - staying.num_rows,
        "pairs dropped": parent.counts["pairs"] - kept,
    }
    story = DerivationRecipe(Recipe(OPERATION, {"steps": applied}), (*steps, BuildStep("in all", True, whole)))
    card = replace(parent.card, name=f"{parent.card.name}+mended")
    return derive(parent, output, card, plan, story)


def _check(content: Any, where: object) -> None:
    shape = isinstance(content, Mapping) and isinstance(content.get("content_hash"), str)
    steps = content.get("steps") if shape else None
    if not isinstance(steps, list) or not all(
        isinstance(step, Mapping) and {"code", "operation", "says", "sql", "parameters"} <= step.keys()
        for step in steps
    ):
        raise InputError(
            "This is no fix plan.", where=where, hint="`clonetruth audit BENCHMARK --fix-plan` prints one."
        )


def _keys(tables: list[pa.Table], name: str) -> pa.Table:
    """The keys of all tables, each once."""
    parts = [table[name].combine_chunks().cast(pa.int64()) for table in tables]
    return pa.table({name: pc.unique(pa.chunked_array(parts, pa.int64()))})


def _selected(parent: Benchmark, step: Mapping[str, Any], key: str) -> pa.Table | None:
    if step["sql"] is None:
        return None
    found = parent.sql(str(step["sql"]))
    if key not in found.column_names or not pa.types.is_integer(found.schema.field(key).type):
        raise InputError(f"The step's SQL does not give keys '{key}'.", where=step["code"])
    return found


def _drop_pairs(parent: Benchmark, step: Mapping[str, Any], losses: _Losses) -> int | None:
    found = _selected(parent, step, "pair")
    if found is None:
        return None
    losses.pairs.append(found)
    return int(found.num_rows)


def _drop_fragments(parent: Benchmark, step: Mapping[str, Any], losses: _Losses) -> int | None:
    found = _selected(parent, step, "fragment")
    if found is None:
        return None
    losses.fragments.append(found)
    return int(found.num_rows)


def _unlabel_pairs(parent: Benchmark, step: Mapping[str, Any], losses: _Losses) -> int | None:
    found = _selected(parent, step, "pair")
    if found is None:
        return None
    losses.labels.append(found)
    return int(found.num_rows)


def _deduplicate(parent: Benchmark, step: Mapping[str, Any], losses: _Losses) -> int:
    parameters = step["parameters"]
    if "overlap" in parameters:
        found = _near_duplicates(parent, float(parameters["overlap"]), int(parameters.get("words", 1)))
    else:
        text = _TWINS_WITHIN if parameters.get("within") == "functionality" else _TWINS
        found = parent.sql(text, digests=text_digests(parent))
    losses.fragments.append(found)
    return int(found.num_rows)


def _near_duplicates(parent: Benchmark, overlap: float, words: int) -> pa.Table:
    """All fragments of a chain of near duplicates but the first."""
    groups = overlap_groups(read_bags(parent, no_progress), overlap, minimum=words)
    everyone = np.arange(len(groups.bag), dtype=np.int64)
    bag = np.where(groups.bag < 0, everyone, groups.bag)
    first = connected(
        len(everyone),
        np.concatenate([everyone, groups.pairs.left]),
        np.concatenate([bag, groups.pairs.right]),
    )
    return pa.table({"fragment": pa.array(np.flatnonzero(first != everyone), pa.int64())})


_OPERATIONS: Mapping[str, Callable[[Benchmark, Mapping[str, Any], _Losses], int | None]] = {
    "drop-pairs": _drop_pairs,
    "drop-fragments": _drop_fragments,
    "unlabel-pairs": _unlabel_pairs,
    "deduplicate-texts": _deduplicate,
}


RECIPE = BuildRecipe(
    operation=OPERATION,
    description="Applies the mechanical steps of an audit's fix plan: drops, deduplicates, takes labels away.",
    reference="docs/audit.md",
    options=FixOptions,
    build=apply_plan,
)
