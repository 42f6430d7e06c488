"""The evidence of a judgement by execution: everything that was observed, as JSON in the judgement's `evidence`.

The value of a judgement follows from it under a policy of what counts, so that another policy needs no other run. Long
outputs and values are cut; what makes two of them different is recorded next to them.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from clonetruth.execution import BehaviourComparison, BehaviourVerdict, DifferencePolicy, Observation, Witness
from clonetruth.execution.description import describe_call, describe_observation, describe_verdict
from clonetruth.execution.results import comparison_from_dict
from clonetruth.execution.values import Value
from clonetruth.model import Judge, JudgeKind, MemberValue, PairValue
from clonetruth.parsing import parse_json

JUDGE = Judge(
    id="execution",
    kind=JudgeKind.EXECUTION,
    name="Execution",
    description=(
        "Runs both fragments of a pair with the same inputs in a sandbox, or a fragment with the tests of its source. "
        "The evidence of each judgement records the inputs, what was observed, how hard was looked, and the versions "
        "of what ran it. A later judgement replaces an earlier one."
    ),
)
PAIR_CRITERION = "equivalent-behaviour"
FRAGMENT_CRITERION = "implements-functionality"
EQUAL_TEXTS = "the texts are equal"
"""What is proved about a pair of equal texts, which is not run."""

_SCHEMA, _VERSION = "clonetruth-execution", 1
_TEXT, _EXAMPLES = 2_000, 3

_VALUES = {
    BehaviourVerdict.DIFFERENT: PairValue.NOT_CLONE,
    BehaviourVerdict.NO_DIFFERENCE_FOUND: PairValue.CLONE,
    BehaviourVerdict.PROVED_EQUAL: PairValue.CLONE,
    BehaviourVerdict.UNDECIDED: PairValue.UNDECIDED,
}


@dataclass(frozen=True)
class PairEvidence:
    """What running a pair showed, and what ran it.

    Attributes:
        key: identifies the texts, the settings and the versions: the same key is not run again.
        comparison: what was observed.
        settings: how it was searched: runs, seconds, seed, number of given inputs.
        versions: of clonetruth and of what ran the code.
        time: when it was run, in ISO 8601.
    """

    key: str
    comparison: BehaviourComparison
    settings: Mapping[str, Any]
    versions: Mapping[str, str]
    time: str

    @property
    def record(self) -> dict[str, Any]:
        """As JSON, in parsed form."""
        said = {"schema": _SCHEMA, "schema_version": _VERSION, **vars(self)}
        return {**said, "comparison": self.comparison.to_dict()}

    @property
    def text(self) -> str:
        """As JSON, for the column `evidence`."""
        return json.dumps(self.record)

    @property
    def has_equal_texts(self) -> bool:
        """Whether nothing was run, because the texts are equal."""
        return self.comparison.strength.proof == EQUAL_TEXTS

    @property
    def was_executed(self) -> bool:
        """Whether at least one input ran on both sides."""
        return self.comparison.strength.runs > 0

    def value(self, policy: DifferencePolicy | None = None) -> PairValue:
        """The answer that follows, under another policy than the recorded one if one is given."""
        found = self.comparison if policy is None else self.comparison.under(policy)
        return _VALUES[found.verdict]

    @property
    def reason(self) -> str:
        """The verdict in words, with the witness."""
        found, said = self.comparison, describe_verdict(self.comparison)
        return said if found.witness is None else f"{said} {describe_witness(found)}"


@dataclass(frozen=True)
class FragmentEvidence:
    """What the tests of a source showed about a fragment.

    Attributes:
        key: as in `PairEvidence`.
        value: the answer.
        passed: number of tests that passed.
        failed: number of tests that failed.
        detail: the first failure, or why nothing can be said.
        versions: of clonetruth and of what ran the code.
        time: when it was run, in ISO 8601.
    """

    key: str
    value: MemberValue
    passed: int
    failed: int
    detail: str
    versions: Mapping[str, str]
    time: str

    @property
    def record(self) -> dict[str, Any]:
        """As JSON, in parsed form."""
        return {"schema": _SCHEMA, "schema_version": _VERSION, **vars(self)}

    @property
    def text(self) -> str:
        """As JSON, for the column `evidence`."""
        return json.dumps(self.record)

    @property
    def reason(self) -> str:
        """The result in words."""
        if self.value is MemberValue.UNDECIDED:
            return f"Undecided: {self.detail}."
        if not self.failed:
            return f"Passes {self.passed} of {self.passed} tests of the source."
        detail = f": {self.detail}" if self.detail else ""
        return f"Fails {self.failed} of {self.passed + self.failed} tests of the source{detail}."


ExecutionEvidence = PairEvidence | FragmentEvidence


def describe_witness(found: BehaviourComparison) -> str:
    """The input on which both differ, with what both did."""
    assert found.witness is not None
    left, right = found.left, found.right
    did = (
        f"{describe_call(left, found.witness.call)} {describe_observation(left, found.witness.left)}",
        f"{describe_call(right, found.witness.call)} {describe_observation(right, found.witness.right)}",
    )
    return f"Left: {did[0][:_TEXT]}. Right: {did[1][:_TEXT]}."


def read_evidence(text: str) -> ExecutionEvidence:
    """The evidence that `text` of one of the classes wrote.

    Raises:
        ValueError: it is something else.
    """
    return evidence_from_record(parse_json(text))


def evidence_from_record(record: object) -> ExecutionEvidence:
    """The evidence in parsed JSON; see `read_evidence`.

    Raises:
        ValueError: it is something else.
    """
    said = dict(record) if isinstance(record, dict) else {}
    if said.pop("schema", None) != _SCHEMA:
        raise ValueError("not the evidence of an execution")
    version = said.pop("schema_version", None)
    if not isinstance(version, int) or version > _VERSION:
        raise ValueError(f"evidence of a newer version ({version})")
    try:
        if "comparison" in said:
            return PairEvidence(**{**said, "comparison": comparison_from_dict(said["comparison"])})
        return FragmentEvidence(**{**said, "value": MemberValue(said["value"])})
    except TypeError as error:
        raise ValueError(f"not the evidence of an execution: {error}") from error


def without_bulk(found: BehaviourComparison) -> BehaviourComparison:
    """A comparison whose long texts and values are cut, and with few examples: for storing."""
    examples = ((call, _cut(one), _cut(other)) for call, one, other in found.examples if _is_short(call.arguments))
    return replace(
        found,
        witnesses=tuple(_cut_witness(one) for one in found.witnesses),
        examples=tuple(one for one in examples if len(one[0].stdin) <= _TEXT)[:_EXAMPLES],
        detail=found.detail[:_TEXT],
    )


def _cut_witness(witness: Witness) -> Witness:
    return replace(witness, left=_cut(witness.left), right=_cut(witness.right))


def _cut(seen: Observation) -> Observation:
    output = seen.output if len(seen.output) <= _TEXT else f"{seen.output[:_TEXT]}…"
    changed = seen.changed if seen.changed is None else tuple(_cut_value(one) for one in seen.changed)
    return dataclasses.replace(seen, output=output, returned=_cut_value(seen.returned), changed=changed, reached=())


def _cut_value(value: Value) -> Value:
    if _is_short(value):
        return value
    if isinstance(value, str):
        return f"{value[:_TEXT]}…"
    return {"cut": next(iter(value))} if isinstance(value, dict) else value


def _is_short(value: object) -> bool:
    return len(json.dumps(value)) <= 2 * _TEXT
