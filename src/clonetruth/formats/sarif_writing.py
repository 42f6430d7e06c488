"""SARIF 2.1.0, written: one run of one tool, with rules, results and what could not be read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
_ROOT = "SRCROOT"
"""What relative paths are relative to: whoever reads the file knows where that is."""


@dataclass(frozen=True)
class SarifRule:
    """What a result may be about.

    Attributes:
        id: its stable name.
        name: its name for people, one word.
        summary: what it finds, in a sentence.
        help: why it matters and what to do, in Markdown that reads as plain text too.
    """

    id: str
    name: str
    summary: str
    help: str


@dataclass(frozen=True)
class SarifPlace:
    """A piece of a file, with what is said of it. Lines are 1-based and inclusive."""

    path: str
    first_line: int
    last_line: int
    message: str


@dataclass(frozen=True)
class SarifResult:
    """Something that was found.

    Attributes:
        rule: the rule's id.
        level: `error`, `warning` or `note`.
        message: what was found, in plain text.
        places: the main place, then the related ones.
        fingerprints: what stays the same while the code moves, by name and version (``clone/v1``).
        is_new: whether it is known to be new; None where nobody asked.
    """

    rule: str
    level: str
    message: str
    places: Sequence[SarifPlace]
    fingerprints: dict[str, str]
    is_new: bool | None = None


def sarif_text(
    tool: dict[str, str],
    rules: Sequence[SarifRule],
    results: Iterable[SarifResult],
    unread: Iterable[tuple[str, str]] = (),
) -> str:
    """A SARIF file.

    Args:
        tool: `name`, `version` and the like: the strings that a tool component may have.
        rules: all rules that results may name.
        results: what was found.
        unread: path and reason of files that could not be looked at.
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
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _rule(rule: SarifRule) -> dict[str, Any]:
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.summary},
        "help": {"text": rule.help, "markdown": rule.help},
    }


def _result(result: SarifResult, rule: int) -> dict[str, Any]:
    main, *related = result.places
    written: dict[str, Any] = {
        "ruleId": result.rule,
        "ruleIndex": rule,
        "level": result.level,
        "message": {"text": result.message},
        "locations": [_location(main)],
        "relatedLocations": [{"id": number, **_location(place)} for number, place in enumerate(related, start=1)],
        "partialFingerprints": result.fingerprints,
    }
    if result.is_new is not None:
        written["baselineState"] = "new" if result.is_new else "unchanged"
    return written


def _location(place: SarifPlace) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": _artifact(place.path),
            "region": {"startLine": place.first_line, "endLine": place.last_line},
        },
        "message": {"text": place.message},
    }


def _artifact(path: str) -> dict[str, str]:
    if PurePosixPath(path).is_absolute():
        return {"uri": f"file://{quote(path)}"}
    return {"uri": quote(path), "uriBaseId": _ROOT}
