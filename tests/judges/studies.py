"""Small studies for a model to judge."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from clonetruth.model import CRITERIA
from clonetruth.store import build_manifest
from clonetruth.store.study import StudyPlan, StudyStratum, write_study
from clonetruth.store.study_judgements import read_study_judgements
from clonetruth.store.study_protocol import Protocol
from clonetruth.store.study_tables import FUNCTIONALITIES, METHODS, SUBJECTS

_SORT = {"id": "2", "name": "Sort", "specification": "Put numbers in order.", "exemplars": []}


def fragment(number: int, side: str) -> str:
    """A text that no other subject has."""
    return f"int {side}{number}(int a) {{\n    return a + {number};\n}}"


def make_study(
    path: Path, pairs: int = 3, *, methods: int = 0, criterion: str = "functionally-similar", **columns: Any
) -> Path:
    """A study with a number of pairs and methods in Java; `columns` replaces columns of all pairs."""
    rows = [
        {
            "subject": number,
            "stratum": "all",
            "weight": 1.0,
            "extra": False,
            "left_id": f"l{number}",
            "left_language": "java",
            "left_text": fragment(number, "left"),
            "right_id": f"r{number}",
            "right_language": "java",
            "right_text": fragment(number, "right"),
            **columns,
        }
        for number in range(pairs)
    ]
    plan = StudyPlan(
        title="Alike?",
        criterion=criterion,
        protocol=Protocol("plain", "Are they alike?", answers=CRITERIA[criterion].values),
        population="the pairs of a test",
        population_size=pairs,
        confidence=0.95,
        margin=None,
        allocation="all",
        seed=1,
        strata=(StudyStratum("all", pairs, pairs, 0),),
        manifest=build_manifest({}, {}, 1),
    )
    write_study(
        path,
        plan,
        pa.Table.from_pylist(rows, schema=SUBJECTS),
        methods=pa.Table.from_pylist([_method(number) for number in range(methods)], schema=METHODS),
        functionalities=pa.Table.from_pylist([_SORT], schema=FUNCTIONALITIES),
    )
    return path


def _method(number: int) -> dict[str, Any]:
    return {
        "method": number,
        "fragment_id": f"m{number}",
        "functionality": "2",
        "language": "java",
        "text": fragment(number, "method"),
        "stratum": "all",
        "weight": 1.0,
        "extra": False,
    }


def judgements(study: Path) -> list[dict[str, Any]]:
    """All judgements of a study."""
    rows: list[dict[str, Any]] = read_study_judgements(study)[1].to_pylist()
    return rows
