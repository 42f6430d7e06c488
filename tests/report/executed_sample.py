"""What `judge execute` found on a small benchmark, made without running anything."""

from __future__ import annotations

from pathlib import Path

from clonetruth.execution import (
    BehaviourComparison,
    CallInput,
    Code,
    Difference,
    Observation,
    Reason,
    Strength,
    Witness,
)
from clonetruth.execution.results import ExecutedSide
from clonetruth.judges import ExecutionReport, FragmentEvidence, FragmentTestRun, PairEvidence, PairRun
from clonetruth.judges.execution_evidence import EQUAL_TEXTS
from clonetruth.judges.execution_tasks import SelectedFragment, SelectedPair
from clonetruth.model import MemberValue
from tests.judges.executed import make_benchmark
from tests.report.sample import HOSTILE

SIDE = ExecutedSide("python", "total")
STRENGTH = Strength(runs=180, normal=170, outputs=40, left_coverage=1.0, right_coverage=0.9)


def _different(inputs: int) -> BehaviourComparison:
    seen = (Observation({"int": "1"}), Observation({"int": "2"}, output=HOSTILE * 10))
    witness = Witness(CallInput(({"list": [{"int": "-1"}]},)), *seen, (Difference.VALUE,))
    return BehaviourComparison(SIDE, SIDE, (witness,), {Difference.VALUE: inputs}, STRENGTH, types=("list of int",))


def executed_report(folder: Path, criterion: str = "equivalent-behaviour") -> ExecutionReport:
    """A report with each kind of outcome, long lines and hostile texts."""
    body = "".join(f"    value_{line} = a_rather_long_name_of_a_function({line}, {line})\n" for line in range(12))
    found = [
        ("clone", _different(170)),
        ("clone", _different(3)),
        ("not-clone", BehaviourComparison(SIDE, SIDE, strength=STRENGTH)),
        ("clone", BehaviourComparison(SIDE, SIDE, strength=STRENGTH)),
        (None, BehaviourComparison(SIDE, SIDE, strength=Strength(proof=EQUAL_TEXTS))),
        ("clone", BehaviourComparison(SIDE, SIDE, reason=Reason.SYMBOL, detail=HOSTILE)),
    ]
    pairs = [
        PairRun(
            SelectedPair(
                number,
                f"left/{number}{HOSTILE}",
                f"right/{number}",
                label,
                Code(f"def total(a):\n{body}    return {number}  # {HOSTILE}", "python"),
                Code(f"def total(b):\n{body}    return -{number}\n", "python"),
            ),
            PairEvidence(
                str(number),
                comparison,
                {"runs": 200, "seconds": 20.0, "seed": 0, "given_inputs": 0},
                {"clonetruth": "1", "python": "Python 3.11.2"},
                "2026-01-01T00:00:00+00:00",
            ),
        )
        for number, (label, comparison) in enumerate(found)
    ]
    fragments = [
        FragmentTestRun(
            SelectedFragment("f", "sum", Code("def f(): pass", "python")),
            FragmentEvidence("f", MemberValue.WRONG, 2, 1, "call 3: another value", {}, "2026-01-01T00:00:00+00:00"),
        )
    ]
    benchmark = make_benchmark(folder, criterion=criterion)
    return ExecutionReport(benchmark, tuple(pairs), tuple(fragments), ran=6, kept=1, added=7, seconds=3.0)
