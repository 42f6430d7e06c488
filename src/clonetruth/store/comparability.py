"""Which results may stand in one column or picture: those that differ in nothing but the detector."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from clonetruth.store.results import Result, ResultKind

_UNSTATED = "not stated"


def conditions(result: Result) -> dict[str, str]:
    """Everything that must be equal for two results to be comparable, as names and texts.

    The state of the judgements is left out on purpose: a vote more does not make older results incomparable.
    """
    benchmark, policy = result.benchmark, result.policy
    fixed = {
        "kind": result.kind.value,
        "benchmark": benchmark.name,
        "version": benchmark.version,
        "content hash": benchmark.content_hash,
        "policy": policy.name,
        "criterion": policy.criterion,
        "view": result.view,
        "part": result.part,
        # A detector that says nothing of some pairs was measured on others than one that speaks of all.
        "pairs": f"{policy.counted:,}" if result.kind is ResultKind.PAIRS else None,
    }
    return {name: _text(value) for name, value in [*fixed.items(), *sorted(result.setting.items())]}


def stated(result: Result) -> dict[str, str]:
    """The conditions of a result that it says anything of."""
    return {name: text for name, text in conditions(result).items() if text != _UNSTATED}


def comparable_groups(results: Sequence[Result]) -> list[list[Result]]:
    """Results that may stand beside each other, group by group, in the order of their first ones."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(json.dumps(conditions(result), sort_keys=True), []).append(result)
    return list(groups.values())


def differing_conditions(groups: Sequence[Mapping[str, str]]) -> dict[str, list[str]]:
    """The conditions that are not equal everywhere, each with its text for every one of `groups`."""
    names = dict.fromkeys(name for one in groups for name in one)
    rows = {name: [one.get(name, _UNSTATED) for one in groups] for name in names}
    return {name: texts for name, texts in rows.items() if len(set(texts)) > 1}


def _text(value: Any) -> str:
    if value is None:
        return _UNSTATED
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
