"""Recorded answers: GPTCloneBench's published cross-language files, in place of asking a model."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

import pyarrow as pa

from clonetruth.arrow_files import write_parquet
from clonetruth.code import decode, language_of_path
from clonetruth.errors import InputError
from clonetruth.formats.trees import read_tree
from clonetruth.make.generation import ANSWERS
from clonetruth.make.prompts import PromptGoal
from clonetruth.make.seeds import SEEDS
from clonetruth.make.stage import Stage, StageOutcome, StageWork

_FILE = re.compile(
    r"\A\s*#input[ \t]*\n(?P<seed>.*?)^#=+\s*#gpt output=*[ \t]*$(?P<answer>.*)\Z", re.DOTALL | re.MULTILINE
)
_MODEL = re.compile(r"Gpt(\d)", re.IGNORECASE)
_TARGETS = {"csharp": ("python", "c", "java"), "java": ("python", "c", "csharp")}


@dataclass(frozen=True)
class RecordedOptions:
    """The keys of the stage.

    Attributes:
        paths: folders or archives of GPTCloneBench's cross-language files.
    """

    paths: tuple[str, ...]


def split_recorded(text: str) -> tuple[str, str] | None:
    """The input function and the answer in a recorded file; None if it does not have the form."""
    match = _FILE.match(text.replace("\r\n", "\n"))
    return None if match is None else (match["seed"].strip("\n"), match["answer"].strip("\n"))


def _run(work: StageWork) -> StageOutcome:
    seeds: dict[str, dict[str, str]] = {}
    answers: list[dict[str, Any]] = []
    left_out = Counter[str]()
    for given in work.options.paths:
        for member in read_tree(work.path(given)):
            name = PurePosixPath(member.name)
            own = language_of_path(name.name)
            if own is None or own.name not in _TARGETS:
                left_out["other files"] += 1
                continue
            parts = split_recorded(decode(member.read()).text)
            if parts is None:
                left_out["without the marks of a recorded answer"] += 1
                continue
            model = _MODEL.match(name.name)
            seeds[str(name)] = {"seed": str(name), "language": own.name, "text": parts[0]}
            answers.append(
                {
                    "seed": str(name),
                    "prompt": f"{own.name}-to-others",
                    "wants": str(PromptGoal.TRANSLATION),
                    "languages": ",".join(_TARGETS[own.name]),
                    "expected": len(_TARGETS[own.name]),
                    "model": f"gpt-{model[1]}" if model else "unknown",
                    "run": 1,
                    "text": parts[1],
                    "refused": False,
                }
            )
    if not answers:
        raise InputError("There is no recorded answer.", where=", ".join(work.options.paths))
    write_parquet(pa.Table.from_pylist(list(seeds.values()), schema=SEEDS), work.output / "seeds")
    write_parquet(pa.Table.from_pylist(answers, schema=ANSWERS), work.output / "answers")
    return StageOutcome(
        taken={"files": len(answers) + left_out.total()},
        given={"answers": len(answers), "seeds": len(seeds)},
        left_out=dict(left_out),
    )


STAGE = Stage(
    name="recorded",
    description="Take recorded answers of models, in place of asking.",
    options=RecordedOptions,
    run=_run,
    writes=("seeds", "answers"),
)
