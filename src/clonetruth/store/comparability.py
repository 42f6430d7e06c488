"""Which results are comparable: those that differ only in the detector."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from clonetruth.store.results import Result, ResultKind

_UNSTATED = "not stated"


def conditions(result: Result) -> dict[str, str]:
    """Everything that must be equal for two results to be comparable, by name.

    The state of the judgements is left out on purpose: one more vote does not make older results incomparable.
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
        # A detector that skips some pairs was measured on a different set than one that covers all.
        "pairs": f"{policy.counted:,}" if result.kind is ResultKind.PAIRS else None,
    }
    return {name: _text(value) for name, value in [*fixed.items(), *sorted(result.setting.items())]}


def stated_conditions(result: Result) -> dict[str, str]:
    """The conditions that a result states."""
    return {name: text for name, text in conditions(result).items() if text != _UNSTATED}


def comparable_groups(results: Sequence[Result]) -> list[list[Result]]:
    """Groups of comparable results, in the order of their first members."""
    groups: dict[str, list[Result]] = {}
    for result in results:
        groups.setdefault(json.dumps(conditions(result), sort_keys=True), []).append(result)
    return list(groups.values())


def differing_conditions(groups: Sequence[Mapping[str, str]]) -> dict[str, list[str]]:
    """The conditions that differ between groups, each with its value in every group."""
    names = dict.fromkeys(name for one in groups for name in one)
    rows = {name: [one.get(name, _UNSTATED) for one in groups] for name in names}
    return {name: texts for name, texts in rows.items() if len(set(texts)) > 1}


def _text(value: Any) -> str:
    if value is None:
        return _UNSTATED
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
