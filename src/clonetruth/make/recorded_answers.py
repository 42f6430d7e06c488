"""Recorded answers in place of asking a model: GPTCloneBench's published files.

A cross-language file holds the function and the whole answer. A stand-alone pair file holds the function and one
function of an answer, in a folder that names the prompt; what a "false" pair was asked by is not recorded.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from hashlib import md5
from pathlib import PurePosixPath
from typing import Any

import pyarrow as pa

from clonetruth.arrow_files import write_parquet
from clonetruth.code import Language, decode, language_of_path
from clonetruth.errors import InputError
from clonetruth.formats.trees import read_tree
from clonetruth.make.function_index import text_digest
from clonetruth.make.generation import ANSWERS
from clonetruth.make.prompts import PromptGoal
from clonetruth.make.seeds import SEEDS
from clonetruth.make.stage import Stage, StageOutcome, StageWork
from clonetruth.sources.gptclonebench import kind_of
from clonetruth.sources.pair_files import two_functions

_FILE = re.compile(
    r"\A\s*#input[ \t]*\n(?P<seed>.*?)^#=+\s*#gpt output=*[ \t]*$(?P<answer>.*)\Z", re.DOTALL | re.MULTILINE
)
_MODEL = re.compile(r"Gpt(\d)", re.IGNORECASE)
_TARGETS = {"csharp": ("python", "c", "java"), "java": ("python", "c", "csharp")}


@dataclass(frozen=True)
class RecordedOptions:
    """The keys of the stage.

    Attributes:
        paths: folders or archives of GPTCloneBench's cross-language files, or of its stand-alone pair files.
        limit: maximum number of answers of a model to a prompt, drawn at random (default: all).
        seed: random seed of the draw.
    """

    paths: tuple[str, ...]
    limit: int | None = None
    seed: int = 0


def split_recorded(text: str) -> tuple[str, str] | None:
    """The input function and the answer in a recorded file; None if it does not have the form."""
    match = _FILE.match(text.replace("\r\n", "\n"))
    return None if match is None else (match["seed"].strip("\n"), match["answer"].strip("\n"))


def _translation(name: PurePosixPath, own: Language, text: str) -> tuple[dict[str, str], dict[str, Any]] | str:
    """The seed and the answer of a cross-language file, or why there is none."""
    parts = split_recorded(text)
    if own.name not in _TARGETS:
        return "other files"
    if parts is None:
        return "without the marks of a recorded answer"
    model = _MODEL.match(name.name)
    return {"seed": str(name), "language": own.name, "text": parts[0]}, {
        "prompt": f"{own.name}-to-others",
        "wants": str(PromptGoal.TRANSLATION),
        "languages": ",".join(_TARGETS[own.name]),
        "expected": len(_TARGETS[own.name]),
        "model": f"gpt-{model[1]}" if model else "unknown",
        "text": parts[1],
    }


def _pair(name: PurePosixPath, own: Language, text: str) -> tuple[dict[str, str], dict[str, Any]] | str:
    """The seed and the answer of a stand-alone pair file, or why there is none."""
    parts = two_functions(text, own)
    if parts is None:
        return "without exactly two functions"
    seed, answer = (part.text.strip("\n") for part in parts)
    prompt = next((part.replace("_", "-") for part in name.parts if part.startswith("prompt_")), "prompt-unknown")
    return {"seed": f"{own.name}-{text_digest(seed)[:16]}", "language": own.name, "text": seed}, {
        "prompt": prompt,
        "wants": str(PromptGoal.CLONE),
        "languages": own.name,
        "expected": 1,
        "model": "gpt-3",
        "text": answer,
    }


def _run(work: StageWork) -> StageOutcome:
    options: RecordedOptions = work.options
    seeds: dict[str, dict[str, str]] = {}
    answers: list[dict[str, Any]] = []
    left_out, files = Counter[str](), 0
    for given in options.paths:
        root = work.path(given)
        for member in read_tree(root):
            files += 1
            name = PurePosixPath(member.name)
            own = language_of_path(name.name)
            kind = kind_of(name if root.is_file() else PurePosixPath(root.name, name))
            read = _pair if kind in ("true", "false") else _translation
            found = "other files" if own is None else read(name, own, decode(member.read()).text)
            if isinstance(found, str):
                left_out[found] += 1
                continue
            seed, answer = found
            seeds[seed["seed"]] = seed
            answers.append({"seed": seed["seed"], "refused": False, "file": str(name), **answer})
    if not answers:
        raise InputError("There is no recorded answer.", where=", ".join(options.paths))
    answers = _drawn(answers, options)
    left_out.update({"not drawn": files - left_out.total() - len(answers)})
    kept = dict.fromkeys(one["seed"] for one in answers)
    write_parquet(pa.Table.from_pylist([seeds[one] for one in kept], schema=SEEDS), work.output / "seeds")
    write_parquet(pa.Table.from_pylist(_numbered(answers), schema=ANSWERS), work.output / "answers")
    return StageOutcome(
        taken={"files": files},
        given={"answers": len(answers), "seeds": len(kept)},
        left_out={reason: count for reason, count in left_out.items() if count},
        details={"answers": dict(Counter(f"{one['model']}, {one['prompt']}" for one in answers))},
    )


def _drawn(answers: list[dict[str, Any]], options: RecordedOptions) -> list[dict[str, Any]]:
    """At most `limit` answers of each model to each prompt, by hash; in the order of the files."""
    if options.limit is None:
        return answers
    places = sorted(
        range(len(answers)), key=lambda at: md5(f"{answers[at]['file']}{options.seed}".encode()).hexdigest()
    )
    counts, kept = Counter[tuple[str, str]](), []
    for at in places:
        group = (answers[at]["model"], answers[at]["prompt"])
        counts[group] += 1
        kept += [at] if counts[group] <= options.limit else []
    return [answers[at] for at in sorted(kept)]


def _numbered(answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of the answers, with the number of the run: the first answer to a question, the second …"""
    runs, rows = Counter[tuple[str, str, str]](), []
    for one in answers:
        question = (one["seed"], one["prompt"], one["model"])
        runs[question] += 1
        rows.append({**{name: value for name, value in one.items() if name != "file"}, "run": runs[question]})
    return rows


def _check(options: RecordedOptions) -> None:
    if not options.paths:
        raise InputError("The stage 'recorded' needs paths.")
    if options.limit is not None and options.limit < 1:
        raise InputError("The limit must be at least 1.")


STAGE = Stage(
    name="recorded",
    description="Take recorded answers of models, in place of asking.",
    options=RecordedOptions,
    run=_run,
    writes=("seeds", "answers"),
    check=_check,
)
