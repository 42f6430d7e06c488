"""Rules for executed pairs: what counts as a difference, and how hard the search must have been to call a pair a clone.

The judge 'execution' keeps everything that it observed as evidence. So a policy can apply other rules than the default
ones to the same runs: `default:runs=50,coverage=0.8,count=value+output`. Judgements by other means stay as they are.
"""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.execution import DEFAULT_POLICY, Difference, DifferencePolicy
from clonetruth.judges import PairEvidence, read_evidence
from clonetruth.store import Benchmark

_KNOWN = ("runs", "outputs", "coverage", "count")
_FORM = "An example: default:runs=50,outputs=5,coverage=0.8,count=value+output"

_JUDGEMENTS_SQL = """
SELECT g.judge AS judge, g.criterion AS criterion, g.value AS value, g.pair AS pair, g.fragment AS fragment,
    g.functionality AS functionality, g.time AS time, g.sequence AS sequence,
    CASE WHEN j.kind = 'execution' AND g.pair IS NOT NULL THEN g.evidence END AS evidence
FROM judgements g
JOIN judges j ON g.judge = j.judge
JOIN asked a ON g.criterion = a.criterion
"""


def parse_rules(text: str) -> DifferencePolicy:
    """The rules that a text such as `runs=50,count=value+output` changes; the others are the default ones.

    Raises:
        InputError: a value is not permitted, or a rule is given twice.
        UnknownNameError: there is no such rule, or no such kind of difference.
    """
    given: dict[str, str] = {}
    for part in text.split(","):
        name, equals, value = (word.strip() for word in part.partition("="))
        if name not in _KNOWN:
            raise UnknownNameError.suggest("rule for executed pairs", name, _KNOWN)
        if not equals or not value or name in given:
            raise InputError(f"The rule '{name}' needs one value.", where=text, hint=_FORM)
        given[name] = value
    rules = DEFAULT_POLICY
    if "count" in given:
        rules = replace(rules, counted=frozenset(map(_difference, given["count"].split("+"))))
    if "coverage" in given:
        rules = replace(rules, coverage=_share(given["coverage"]))
    runs, outputs = (_whole(name, given[name]) if name in given else None for name in ("runs", "outputs"))
    return replace(rules, runs=runs or rules.runs, outputs=outputs or rules.outputs)


def _difference(name: str) -> Difference:
    if name not in list(Difference):
        raise UnknownNameError.suggest("kind of difference", name, list(Difference))
    return Difference(name)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise InputError(f"'{text}' is not a share from 0 to 1.", where="coverage", hint=_FORM)
    return share


def _whole(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 10**9):
        raise InputError(f"'{text}' is not a number from 1.", where=name, hint=_FORM)
    return int(text)


def rules_text(rules: DifferencePolicy) -> str:
    """The rules in a sentence, to be printed next to a number that rests on them."""
    counted = ", ".join(one for one in Difference if one in rules.counted)
    return (
        f"An executed pair without a difference is a clone from {rules.runs:,} runs, {rules.outputs:,} different "
        f"results (one run of code that takes no input) and {rules.coverage:.0%} of the code reached, where that is "
        f"measured; differences that count: "
        f"{counted}."
    )


def judgements_under(
    benchmark: Benchmark, criterion: str, rules: DifferencePolicy
) -> tuple[pa.Table, list[list[object]]]:
    """The judgements under a criterion, those by execution with the values that follow under the rules.

    Returns:
        The judgements without reasons and evidence, and the pairs that were executed with their values.
    """
    asked = pa.table({"criterion": pa.array([criterion], pa.string())})
    found = benchmark.sql(_JUDGEMENTS_SQL, asked=asked)
    values = found["value"].to_pylist()
    changed: list[list[object]] = []
    for row, (pair, evidence) in enumerate(zip(found["pair"].to_pylist(), found["evidence"].to_pylist(), strict=True)):
        if evidence is None:
            continue
        try:
            read = read_evidence(evidence)
        except ValueError:
            continue  # executed by others, who recorded no more than the answer
        if isinstance(read, PairEvidence):
            values[row] = str(read.value(rules))
            changed.append([row, pair, values[row]])
    column = found.schema.get_field_index("value")
    return found.set_column(column, "value", pa.array(values, pa.string())).drop_columns(["evidence"]), changed
