"""The rules in words: one at a time for the terminal, all of them for the documentation."""

from __future__ import annotations

from clonetruth.audit.registry import RULES
from clonetruth.audit.rule import AuditRule, Family

_INTRODUCTION = """\
# The rules of the audit

Generated from `src/clonetruth/truth/audit/` by `clonetruth.audit.rules_page`; a test compares.
[The audit](audit.md) says how to run it. `clonetruth audit --explain CODE` prints an entry of this page.
"""


def explain(code: str) -> AuditRule:
    """The rule of a code, in any case.

    Raises:
        UnknownNameError: there is none.
    """
    return RULES[code.upper()]


def rules_page() -> str:
    """The page of all rules, as Markdown."""
    parts = [_INTRODUCTION, "| code | name | severity | what |\n| --- | --- | --- | --- |"]
    rules = [RULES[code] for code in RULES]
    parts[-1] += "".join(
        f"\n| [{rule.code}](#{rule.code.lower()}) | {rule.name} | {rule.severity} | {rule.what} |" for rule in rules
    )
    for family in Family:
        own = [rule for rule in rules if rule.family is family]
        if own:
            parts.append(f"## {family.capitalize()}")
            parts += [_entry(rule) for rule in own]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _entry(rule: AuditRule) -> str:
    lines = [
        f"### {rule.code}",
        "",
        f"**{rule.name}** ({rule.severity}). {rule.what}",
        "",
        f"- Why it matters: {rule.why}",
        f"- Reference: {rule.reference}",
        f"- How to mend it: {rule.mending}",
        f"- Needs: {', '.join(rule.needs) or 'nothing but the card and the fragments'}",
        f"- Threatens: {', '.join(sorted(rule.threatens)) or 'no measurement, but the use of the data'}",
    ]
    if rule.thresholds:
        numbers = ", ".join(f"`{name}` = {value:g}" for name, value in rule.thresholds.items())
        lines.append(f"- Thresholds: {numbers}")
    return "\n".join(lines)
