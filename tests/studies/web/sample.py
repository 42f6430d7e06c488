"""A sample study: four pairs, of which one is hostile, a method, a training and an attention check."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from clonetruth.model import JudgeKind
from clonetruth.store.manifest import build_manifest
from clonetruth.store.study import Study, StudyPlan, StudyStratum, write_study
from clonetruth.store.study_judgements import append_study_judgements
from clonetruth.store.study_protocol import Protocol
from clonetruth.store.study_tables import CHECKS

HOSTILE = (
    "// </script></code></pre><script>document.title = 'taken'</script>\n"
    "// <img src=x onerror=\"document.title = 'taken'\"> <style>* { display: none }</style>\n"
    'String s = "\u202etxet siht\u202c \x1b[31mred\x1b[0m \x00nul\u200e\u200b\x85";\n'
    + f"int[] a = {{{'1, ' * 2000}}};\n"
)
"""A hostile fragment: tags, characters that hide or turn the text, terminal codes, NUL, a very long line."""

SUM_LOOP = """int sum(int[] numbers) {
    int total = 0;
    for (int number : numbers) {
        total += number;
    }
    return total;
}
"""
SUM_STREAM = """int sum(int[] numbers) {
    return java.util.Arrays.stream(numbers).sum();
}
"""
LARGEST = """int largest(int[] numbers) {
    int best = numbers[0];
    for (int number : numbers) {
        best = Math.max(best, number);
    }
    return best;
}
"""
SHORT = "int one() { return 1; }\n"

SECRETS = ("left-file", "right-file", "stratum-name", "claimed", "0.8125", "47114711471")
"""What a judge must never see: paths, strata, labels, scores, keys of the benchmark. Each stands in the sample."""

PROTOCOL = Protocol(
    name="sample",
    question="Do these two methods have the same main purpose?",
    definition="# What counts\n\nBoth **must** do the same. <b>Not</b> bold.",
    overlap=2,
    training=1,
    attention=1,
    show_llm=True,
)


def contradict(folder: Path, name: str, explanation: str, numbers: tuple[int, ...]) -> None:
    """A model calls some pairs no clones, with an explanation."""
    judges = pa.table({"judge": ["llm:m"], "kind": [JudgeKind.LLM], "name": [name], "settings": ["{}"]})
    rows = [
        {
            "judge": "llm:m",
            "subject_kind": "pair",
            "subject": number,
            "criterion": "same-main-purpose",
            "value": "not-clone",
            "reason": explanation,
        }
        for number in numbers
    ]
    append_study_judgements(folder, judges, pa.Table.from_pylist(rows))


_PAIRS = ((SUM_LOOP, SUM_STREAM), (SUM_LOOP, LARGEST), (LARGEST, SHORT), (HOSTILE, SUM_LOOP))


def _pair(number: int, left: str, right: str) -> dict[str, Any]:
    return {
        "subject": number,
        "stratum": "stratum-name",
        "weight": 10.0,
        "extra": False,
        "pair": 47_114_711_471,
        "score": 0.8125,
        "functionality": "f1",
        "label": "clone",
        "left_id": f"left-file-{number}",
        "left_path": f"left-file-{number}.java",
        "left_language": "java",
        "left_text": left,
        "right_id": f"right-file-{number}",
        "right_path": f"right-file-{number}.java",
        "right_language": "java",
        "right_text": right,
    }


def _check(number: int, kind: str) -> dict[str, Any]:
    return {
        "check": number,
        "kind": kind,
        "left_language": "java",
        "left_text": SHORT,
        "right_language": "java",
        "right_text": f"{SHORT}// twin {number}\n",
        "expected": "clone",
        "feedback": "They differ in a comment only.",
        "functionality": "Give one",
        "specification": "Always 1.",
    }


def write_sample(
    folder: Path,
    protocol: Protocol = PROTOCOL,
    *,
    criterion: str = "same-main-purpose",
    methods: bool = True,
    pairs: int = 4,
    texts: bool = True,
    checks: pa.Table | None = None,
) -> Study:
    """Write the study into a new folder.

    Args:
        folder: where.
        protocol: the protocol.
        criterion: what is asked of a pair.
        methods: whether a method is judged too; all methods, if the protocol has sittings.
        pairs: how many of the pairs; more than four repeat them.
        texts: whether the texts of the pairs are in the study.
        checks: the checks (default: as many as the protocol asks for).
    """
    plan = StudyPlan(
        title="A study of sums",
        criterion=criterion,
        protocol=protocol,
        population="the pairs of the sample",
        population_size=pairs * 10,
        confidence=0.95,
        margin=0.05,
        allocation="largest-remainder",
        seed=7,
        strata=(StudyStratum("stratum-name", pairs * 10, pairs, 0),),
        manifest=build_manifest({"sample": "abc"}, {}, 7),
    )
    rows = [_pair(number, *_PAIRS[number % len(_PAIRS)]) for number in range(pairs)]
    if not texts:
        rows = [{**row, "left_text": None} for row in rows]
    judged = [("left-file-0", SUM_LOOP)]
    if protocol.sitting:
        judged = [(row[f"{side}_id"], row[f"{side}_text"]) for row in rows for side in ("left", "right")]
    judged_methods = [
        {
            "method": number,
            "fragment_id": name,
            "functionality": "f1",
            "language": "java",
            "text": text,
            "stratum": "stratum-name",
            "weight": 10.0,
            "extra": False,
        }
        for number, (name, text) in enumerate(judged)
    ]
    functionality = {"id": "f1", "name": "Add numbers", "specification": "Adds them all up.", "exemplars": [SUM_LOOP]}
    if checks is None:
        kinds = ["training"] * protocol.training + ["attention"] * protocol.attention
        checks = pa.Table.from_pylist([_check(number, kind) for number, kind in enumerate(kinds)], schema=CHECKS)
    return write_study(
        folder,
        plan,
        pa.Table.from_pylist(rows),
        methods=pa.Table.from_pylist(judged_methods) if methods else None,
        functionalities=pa.Table.from_pylist([functionality]),
        checks=checks if checks.num_rows else None,
    )


def without_checks(protocol: Protocol = PROTOCOL) -> Protocol:
    """The protocol without training and attention checks."""
    return replace(protocol, training=0, attention=0)
