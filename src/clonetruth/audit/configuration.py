"""The audit's configuration: `[tool.clonetruth.audit]` in pyproject.toml, or `[audit]` in clonetruth.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clonetruth.audit.finding import Severity
from clonetruth.errors import InputError
from clonetruth.formats.settings import read_settings


@dataclass(frozen=True)
class AuditConfiguration:
    """What a project wants of its audits. Options of the command line go first.

    Args:
        select: codes or beginnings of codes.
        ignore: codes or beginnings of codes.
        fail_on: the severity from which an audit fails.
        thresholds: numbers of rules by name.
        path: the file that it was read from.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: Severity | None = None
    thresholds: Mapping[str, float] = field(default_factory=dict)
    path: Path | None = None


def read_configuration(start: Path) -> AuditConfiguration:
    """The nearest configuration, looking in a folder and the folders around it; an empty one where there is none.

    Raises:
        InputError: the file is no TOML, or has keys or values that nothing understands.
    """
    found = read_settings("audit", start)
    return _checked(found.path, found.values) if found else AuditConfiguration()


def _checked(path: Path, section: Mapping[str, Any]) -> AuditConfiguration:
    unknown = sorted(set(section) - {"select", "ignore", "fail-on", "thresholds"})
    if unknown:
        raise InputError(
            f"The audit has no setting '{unknown[0]}'.", where=path, hint="Known: select, ignore, fail-on, thresholds."
        )
    for name in ("select", "ignore"):
        if not _is_list_of(section.get(name, []), str):
            raise InputError(f"'{name}' must be a list of codes.", where=path)
    thresholds = section.get("thresholds", {})
    if not isinstance(thresholds, dict) or not _is_list_of(list(thresholds.values()), int, float):
        raise InputError("'thresholds' must be a table of numbers.", where=path)
    fail_on = section.get("fail-on")
    if fail_on is not None and fail_on not in list(Severity):
        raise InputError(f"'{fail_on}' is no severity.", where=path, hint=f"Known: {', '.join(Severity)}.")
    return AuditConfiguration(
        select=tuple(section.get("select", ())),
        ignore=tuple(section.get("ignore", ())),
        fail_on=None if fail_on is None else Severity(fail_on),
        thresholds=thresholds,
        path=path,
    )


def _is_list_of(value: object, *kinds: type) -> bool:
    return isinstance(value, list) and all(isinstance(one, kinds) and not isinstance(one, bool) for one in value)
