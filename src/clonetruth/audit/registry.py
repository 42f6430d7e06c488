"""The rules: one function each, one line here."""

from __future__ import annotations

from clonetruth.audit.rule import AuditRule, Family
from clonetruth.registry import Registry

# The rules in words: one at a time for the terminal, all of them for the documentation.

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


_ROOM = "clonetruth.audit"

RULES: Registry[AuditRule] = Registry(
    "rule",
    {
        "CT101": f"{_ROOM}.claims:different_functionality",
        "CT102": f"{_ROOM}.claims:several_functionalities",
        "CT103": f"{_ROOM}.claims:negatives_between",
        "CT104": f"{_ROOM}.claims:negatives_of_rejected",
        "CT105": f"{_ROOM}.claims:never_judged",
        "CT106": f"{_ROOM}.judging:one_judge",
        "CT107": f"{_ROOM}.judging:ties",
        "CT108": f"{_ROOM}.contradictions:contradictory",
        "CT109": f"{_ROOM}.contradictions:repeated",
        "CT110": f"{_ROOM}.contradictions:self_pairs",
        "CT111": f"{_ROOM}.contradictions:non_transitive",
        "CT112": f"{_ROOM}.plausibility:cut_rules_differ",
        "CT113": f"{_ROOM}.plausibility:sizes_differ",
        "CT114": f"{_ROOM}.plausibility:missing_words",
        "CT115": f"{_ROOM}.plausibility:other_calls",
        "CT116": f"{_ROOM}.judging:judges_disagree",
        "CT117": f"{_ROOM}.contradictions:identical_negatives",
        "CT118": f"{_ROOM}.claims:negatives_never_judged",
        "CT201": f"{_ROOM}.fragments:unparsable",
        "CT202": f"{_ROOM}.fragments:wrong_range",
        "CT203": f"{_ROOM}.fragments:wrong_language",
        "CT204": f"{_ROOM}.duplicates:same_text",
        "CT205": f"{_ROOM}.duplicates:near_duplicates",
        "CT206": f"{_ROOM}.duplicates:same_text_elsewhere",
        "CT207": f"{_ROOM}.fragments:trivial",
        "CT208": f"{_ROOM}.fragments:beyond_window",
        "CT209": f"{_ROOM}.duplicates:stored_twice",
        "CT210": f"{_ROOM}.fragments:damaged_encoding",
        "CT211": f"{_ROOM}.fragments:without_text",
        "CT301": f"{_ROOM}.balance:largest_functionality",
        "CT302": f"{_ROOM}.balance:effective_number",
        "CT303": f"{_ROOM}.balance:squared_amplification",
        "CT304": f"{_ROOM}.classes:class_ratio",
        "CT305": f"{_ROOM}.classes:type_shares",
        "CT306": f"{_ROOM}.classes:biggest_as_detector",
        "CT307": f"{_ROOM}.classes:one_class",
        "CT401": f"{_ROOM}.shortcuts:lengths_only",
        "CT402": f"{_ROOM}.shortcuts:names_only",
        "CT403": f"{_ROOM}.shortcuts:vocabulary_only",
        "CT501": f"{_ROOM}.leakage:same_pair",
        "CT502": f"{_ROOM}.leakage:same_fragment",
        "CT503": f"{_ROOM}.leakage:same_text",
        "CT504": f"{_ROOM}.leakage:near_duplicate",
        "CT505": f"{_ROOM}.kinship:same_functionality",
        "CT506": f"{_ROOM}.kinship:same_project",
        "CT507": f"{_ROOM}.kinship:same_seed",
        "CT601": f"{_ROOM}.semantics:syntactic_pairs",
        "CT602": f"{_ROOM}.semantics:counter_examples",
        "CT603": f"{_ROOM}.semantics:refuted_claims",
        "CT604": f"{_ROOM}.semantics:weak_members",
        "CT605": f"{_ROOM}.semantics:refuted_elsewhere",
        "CT606": f"{_ROOM}.studied:studied_labels",
        "CT701": f"{_ROOM}.rights:licence_missing",
        "CT702": f"{_ROOM}.rights:licence_restricts",
        "CT703": f"{_ROOM}.rights:against_terms",
        "CT801": f"{_ROOM}.representativeness:unlike_real_code",
        "CT802": f"{_ROOM}.representativeness:few_projects",
    },
    group="clonetruth.audit_rules",
)


def selected(select: tuple[str, ...], ignore: tuple[str, ...]) -> list[AuditRule]:
    """The rules whose codes begin with one of `select` (all where it is empty) and with none of `ignore`.

    Raises:
        UnknownNameError: a code or beginning that fits no rule.
    """
    for prefix in (*select, *ignore):
        if not any(code.startswith(prefix.upper()) for code in RULES):
            _ = RULES[prefix]
    wanted = tuple(prefix.upper() for prefix in select) or ("",)
    unwanted = tuple(prefix.upper() for prefix in ignore)
    return [RULES[code] for code in RULES if code.startswith(wanted) and not (unwanted and code.startswith(unwanted))]


def thresholds() -> dict[str, float]:
    """The numbers of all rules by name, with their defaults."""
    return {name: value for code in RULES for name, value in RULES[code].thresholds.items()}
