"""Writer for SARIF 2.1.0: one run of one tool, with rules, results and unread files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from clonetruth.json_text import json_text

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "SRCROOT"
"""The base of relative paths; the reader of the file knows its location."""


@dataclass(frozen=True)
class SarifRule:
    """A rule that results refer to.

    Attributes:
        id: the stable id.
        name: the display name, one word.
        summary: one sentence on what the rule finds.
        help: why it matters and what to do, in Markdown that is also readable as plain text.
    """

    id: str
    name: str
    summary: str
    help: str


@dataclass(frozen=True)
class SarifLocation:
    """A range of lines in a file, with a message. Lines are 1-based and inclusive."""

    path: str
    first_line: int
    last_line: int
    message: str


@dataclass(frozen=True)
class SarifResult:
    """One result.

    Attributes:
        rule: the rule's id.
        level: `error`, `warning` or `note`.
        message: what was found, in plain text.
        locations: the main location, then the related ones.
        fingerprints: values that stay the same when the code moves, by name and version (``clone/v1``).
        state: how it compares with a baseline: `new`, `updated` or `unchanged`; None without a baseline.
    """

    rule: str
    level: str
    message: str
    locations: Sequence[SarifLocation]
    fingerprints: dict[str, str]
    state: str | None = None


def sarif_text(
    tool: dict[str, str],
    rules: Sequence[SarifRule],
    results: Iterable[SarifResult],
    unread: Iterable[tuple[str, str]] = (),
) -> str:
    """The text of a SARIF file.

    Args:
        tool: `name`, `version` and other string properties of a SARIF tool component.
        rules: all rules that results refer to.
        results: the results.
        unread: path and reason of each file that could not be read.
    """
    numbers = {rule.id: number for number, rule in enumerate(rules)}
    run = {
        "tool": {"driver": {**tool, "rules": [_rule(rule) for rule in rules]}},
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [
                    {
                        "level": "warning",
                        "message": {"text": why},
                        "locations": [{"physicalLocation": {"artifactLocation": _artifact(path)}}],
                    }
                    for path, why in unread
                ],
            }
        ],
        "columnKind": "unicodeCodePoints",
        "results": [_result(result, numbers[result.rule]) for result in results],
    }
    document = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return json_text(document) + "\n"


def _rule(rule: SarifRule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.summary},
        "help": {"text": rule.help, "markdown": rule.help},
    }


def _result(result: SarifResult, rule: int) -> dict[str, Any]:
    main, *related = result.locations
    written: dict[str, Any] = {
        "ruleId": result.rule,
        "ruleIndex": rule,
        "level": result.level,
        "message": {"text": result.message},
        "locations": [_location(main)],
        "relatedLocations": [{"id": number, **_location(location)} for number, location in enumerate(related, start=1)],
        "partialFingerprints": result.fingerprints,
    }
    if result.state is not None:
        written["baselineState"] = result.state
    return written


def _location(location: SarifLocation) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": _artifact(location.path),
            "region": {"startLine": location.first_line, "endLine": location.last_line},
        },
        "message": {"text": location.message},
    }


def _artifact(path: str) -> dict[str, str]:
    if PurePosixPath(path).is_absolute():
        return {"uri": f"file://{quote(path)}"}
    return {"uri": quote(path), "uriBaseId": _ROOT}
