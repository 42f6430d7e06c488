"""The registry of rules, their thresholds, and the generated page that explains them."""

from __future__ import annotations

from clonetruth.audit.rule import AuditRule, Family
from clonetruth.registry import Registry

_PACKAGE = "clonetruth.audit"

RULES: Registry[AuditRule] = Registry(
    "rule",
    {
        "CT101": f"{_PACKAGE}.claims:different_functionality",
        "CT102": f"{_PACKAGE}.claims:several_functionalities",
        "CT103": f"{_PACKAGE}.claims:negatives_between",
        "CT104": f"{_PACKAGE}.claims:negatives_of_rejected",
        "CT105": f"{_PACKAGE}.claims:never_judged",
        "CT106": f"{_PACKAGE}.judgements:one_judge",
        "CT107": f"{_PACKAGE}.judgements:ties",
        "CT108": f"{_PACKAGE}.contradictions:contradictory",
        "CT109": f"{_PACKAGE}.contradictions:repeated",
        "CT110": f"{_PACKAGE}.contradictions:self_pairs",
        "CT111": f"{_PACKAGE}.contradictions:non_transitive",
        "CT112": f"{_PACKAGE}.plausibility:cut_rules_differ",
        "CT113": f"{_PACKAGE}.plausibility:sizes_differ",
        "CT114": f"{_PACKAGE}.plausibility:missing_words",
        "CT115": f"{_PACKAGE}.plausibility:other_calls",
        "CT116": f"{_PACKAGE}.judgements:judges_disagree",
        "CT117": f"{_PACKAGE}.contradictions:identical_negatives",
        "CT118": f"{_PACKAGE}.claims:negatives_never_judged",
        "CT119": f"{_PACKAGE}.judgements:contradicts_itself",
        "CT201": f"{_PACKAGE}.fragments:unparsable",
        "CT202": f"{_PACKAGE}.fragments:wrong_range",
        "CT203": f"{_PACKAGE}.fragments:wrong_language",
        "CT204": f"{_PACKAGE}.duplicates:same_text",
        "CT205": f"{_PACKAGE}.duplicates:near_duplicates",
        "CT206": f"{_PACKAGE}.duplicates:same_text_elsewhere",
        "CT207": f"{_PACKAGE}.fragments:trivial",
        "CT208": f"{_PACKAGE}.fragments:beyond_window",
        "CT209": f"{_PACKAGE}.duplicates:stored_twice",
        "CT210": f"{_PACKAGE}.fragments:damaged_encoding",
        "CT211": f"{_PACKAGE}.fragments:without_text",
        "CT212": f"{_PACKAGE}.pretraining:known_to_models",
        "CT301": f"{_PACKAGE}.balance:largest_functionality",
        "CT302": f"{_PACKAGE}.balance:effective_number",
        "CT303": f"{_PACKAGE}.balance:squared_amplification",
        "CT304": f"{_PACKAGE}.classes:class_ratio",
        "CT305": f"{_PACKAGE}.classes:type_shares",
        "CT306": f"{_PACKAGE}.classes:biggest_as_detector",
        "CT307": f"{_PACKAGE}.classes:one_class",
        "CT401": f"{_PACKAGE}.shortcuts:lengths_only",
        "CT402": f"{_PACKAGE}.shortcuts:names_only",
        "CT403": f"{_PACKAGE}.shortcuts:vocabulary_only",
        "CT501": f"{_PACKAGE}.leakage:same_pair",
        "CT502": f"{_PACKAGE}.leakage:same_fragment",
        "CT503": f"{_PACKAGE}.leakage:same_text",
        "CT504": f"{_PACKAGE}.leakage:near_duplicate",
        "CT505": f"{_PACKAGE}.group_leakage:same_functionality",
        "CT506": f"{_PACKAGE}.group_leakage:same_project",
        "CT507": f"{_PACKAGE}.group_leakage:same_seed",
        "CT601": f"{_PACKAGE}.semantics:syntactic_pairs",
        "CT602": f"{_PACKAGE}.executions:counter_examples",
        "CT603": f"{_PACKAGE}.semantics:refuted_claims",
        "CT604": f"{_PACKAGE}.semantics:weak_members",
        "CT605": f"{_PACKAGE}.semantics:refuted_elsewhere",
        "CT606": f"{_PACKAGE}.judgements:studied_labels",
        "CT607": f"{_PACKAGE}.executions:undecided_pairs",
        "CT608": f"{_PACKAGE}.executions:weakly_confirmed",
        "CT701": f"{_PACKAGE}.licences:licence_missing",
        "CT702": f"{_PACKAGE}.licences:licence_restricts",
        "CT703": f"{_PACKAGE}.licences:against_terms",
        "CT801": f"{_PACKAGE}.representativeness:unlike_real_code",
        "CT802": f"{_PACKAGE}.representativeness:few_projects",
    },
    group="clonetruth.audit_rules",
    of=AuditRule,
)


def selected(select: tuple[str, ...], ignore: tuple[str, ...]) -> list[AuditRule]:
    """The rules whose codes begin with one of `select` (empty: all rules) and with none of `ignore`.

    Raises:
        UnknownNameError: no rule has a code that begins with one of the prefixes.
    """
    for prefix in (*select, *ignore):
        if not any(code.startswith(prefix.upper()) for code in RULES):
            _ = RULES[prefix]
    wanted = tuple(prefix.upper() for prefix in select) or ("",)
    unwanted = tuple(prefix.upper() for prefix in ignore)
    return [RULES[code] for code in RULES if code.startswith(wanted) and not (unwanted and code.startswith(unwanted))]


def thresholds() -> dict[str, float]:
    """The defaults of all thresholds by name."""
    return {name: value for code in RULES for name, value in RULES[code].thresholds.items()}


_INTRODUCTION = """\
# Audit rules

Generated from `src/clonetruth/audit/` by `python docs/generate.py`. [The audit](audit.md) explains how to run it;
`clonetruth audit --explain CODE` prints an entry of this page.
"""


def explain(code: str) -> AuditRule:
    """The rule with a code, in upper or lower case.

    Raises:
        UnknownNameError: there is no such rule.
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
        f"- How to fix it: {rule.fix}",
        f"- Needs: {', '.join(rule.needs) or 'only the card and the fragments'}",
        f"- Threatens: {', '.join(sorted(rule.threatens)) or 'no measurement, only the use of the data'}",
    ]
    if rule.thresholds:
        numbers = ", ".join(f"`{name}` = {value:g}" for name, value in rule.thresholds.items())
        lines.append(f"- Thresholds: {numbers}")
    return "\n".join(lines)
