"""Licences (CT701–CT703): whether a dataset may be used and shared, according to its card."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clonetruth.audit.context import AuditContext
from clonetruth.audit.finding import Example, Finding, Severity
from clonetruth.audit.papers import DATASHEETS
from clonetruth.audit.rule import RuleText, rule

_MISSING = re.compile(r"none stated|unknown|not stated|no licen[cs]e|unspecified", re.IGNORECASE)
_RESTRICTS = re.compile(
    r"non-?commercial|\bNC\b|-NC\b|no ?derivatives|\bND\b|-ND\b|C-UDA|research (use|purposes) only", re.IGNORECASE
)
_FORBIDS = r"(?:against|violat\w+|not permit\w*|forbid\w*|prohibit\w*|do not allow)"
_TERMS = re.compile(
    rf"{_FORBIDS}[^.]{{0,60}}\bterms\b|\bterms\b[^.]{{0,60}}{_FORBIDS}|\bscraped\b|\bAtCoder\b", re.IGNORECASE
)


def _card_texts(context: AuditContext) -> list[str]:
    card = context.benchmark.card
    return [card.licence, card.description, *card.known_flaws]


@rule(
    "CT701",
    Severity.WARNING,
    RuleText(
        name="licence-missing",
        what="The card states no licence.",
        why="Without a licence nobody may copy or change the data, and a release that contains it may have to be "
        "withdrawn.",
        reference=DATASHEETS,
        fix="Ask the authors for a licence; until then publish ids and a script instead of the texts.",
        threatens=frozenset(),
    ),
)
def licence_missing(context: AuditContext) -> Iterator[Finding]:
    licence = context.benchmark.card.licence.strip()
    if not licence or _MISSING.search(licence):
        yield Finding(
            "the card states no licence" + (f": “{licence}”" if licence else ""),
            1,
            1,
            (Example((context.benchmark.card.name,), licence or "no licence"),),
        )


@rule(
    "CT702",
    Severity.INFO,
    RuleText(
        name="licence-restricts",
        what="The licence forbids commercial use or modification, or restricts what the data may be used for.",
        why="You may not be allowed to publish a derived benchmark, and a company may not be allowed to train on it.",
        reference=DATASHEETS,
        fix="Publish recipes (ids and operations) instead of a derived copy.",
        threatens=frozenset(),
    ),
)
def licence_restricts(context: AuditContext) -> Iterator[Finding]:
    licence = context.benchmark.card.licence
    if _RESTRICTS.search(licence):
        yield Finding(
            f"the licence restricts use: “{licence}”", 1, 1, (Example((context.benchmark.card.name,), licence),)
        )


@rule(
    "CT703",
    Severity.WARNING,
    RuleText(
        name="against-terms",
        what="The card says that texts were collected against the terms of use of the site that they come from.",
        why="Submissions belong to the users who wrote them, and some sites forbid collecting them.",
        reference=DATASHEETS,
        fix="Share submission ids instead of the texts.",
        threatens=frozenset(),
    ),
)
def against_terms(context: AuditContext) -> Iterator[Finding]:
    warnings = [text for text in _card_texts(context) if _TERMS.search(text)]
    if warnings:
        name = context.benchmark.card.name
        yield Finding(
            "the card warns about the terms of use of the site that the texts come from",
            len(warnings),
            None,
            tuple(Example((name,), text) for text in warnings[:3]),
        )
