"""GPTCloneBench's folder layout, as the source `gptclonebench` reads it.

A file holds two functions of one language with two blank lines between them, in `true_semantic_clones` by language,
prompt and type, or in `false_semantic_clones` if it is a syntactic clone. A pair across languages is a file of
`java_to_other` or `cs_to_other`. The layout has no place for pairs that behave differently.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from clonetruth.code import Form, Language, SequenceTable, form_lines, language
from clonetruth.formats.crosslanguage import parse_cross_language
from clonetruth.report.export_selection import ExportSelection
from clonetruth.sources.pair_files import two_functions

_NAMES = {"csharp": "cs"}
_ACROSS = {"java": "java_to_other", "csharp": "cs_to_other"}
_FENCES = {"python": "python", "c": "c", "cpp": "cpp", "csharp": "csharp", "java": "java"}
_FALSE = "false_semantic_clones"
_PREFIXES = {_FALSE: "Gpt_false_pair_", **dict.fromkeys(_ACROSS.values(), "GptD_Clone")}
_PROMPT = re.compile(r"prompt_\d+")
_SYNTACTIC, _TYPE_3 = 0.75, 0.5
_NO_PLACE = "the layout has no place for pairs that are not clones"
_NO_LANGUAGE = "the layout has no place for these two languages"
_NOT_SEPARABLE = "the layout cannot hold a text, because it could not be read back"

_FRAGMENTS = "SELECT f.fragment AS fragment, f.language AS language, f.text AS text, f.path AS path FROM fragments f"


def write_gptclonebench_export(selection: ExportSelection, folder: Path) -> None:
    """GPTCloneBench: one file for each pair, in the folders of the stand-alone and cross-language clones."""
    fragments = {row["fragment"]: row for row in selection.benchmark.sql(_FRAGMENTS).to_pylist()}
    prompts: dict[str, int] = {}
    numbers = Counter[str]()
    for row in selection.pairs():
        left, right = fragments[row["left_key"]], fragments[row["right_key"]]
        syntactic = row["claimed_type"] == "T1/T2" and selection.verdicts.criterion == "semantic-not-syntactic"
        if not row["label"] and not syntactic:
            selection.leave_out(row, _NO_PLACE)
            continue
        if left["language"] == right["language"]:
            own = language(left["language"])
            place, text = _stand_alone(row, left, right, own, prompts), _two(left["text"], right["text"], own)
        elif left["language"] in _ACROSS and right["language"] in _FENCES:
            own = language(left["language"])
            place, text = _ACROSS[own.name], _across(left["text"], right["text"], right["language"])
        else:
            selection.leave_out(row, _NO_LANGUAGE)
            continue
        if text is None:
            selection.leave_out(row, _NOT_SEPARABLE)
            continue
        numbers[place] += 1
        # The names differ between the folders, as in the original: each folder can also be read alone.
        name = f"{_PREFIXES.get(place, 'Clone_')}{numbers[place]}{own.extensions[0]}"
        path = folder / place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")


def _stand_alone(
    row: Mapping[str, Any], left: Mapping[str, Any], right: Mapping[str, Any], own: Language, prompts: dict[str, int]
) -> str:
    """The folder of a pair in one language."""
    kind = row["claimed_type"]
    if kind not in ("T3", "T4", "T1/T2"):
        sides = [form_lines(one["text"], own, Form.BLIND) for one in (left, right)]
        similarity = float(SequenceTable(sides).ratios(np.array([0]), np.array([1]))[0])
        kind = "T1/T2" if similarity > _SYNTACTIC else "T3" if similarity >= _TYPE_3 else "T4"
    if kind == "T1/T2":
        return _FALSE
    return f"true_semantic_clones/{_NAMES.get(own.name, own.name)}/{_prompt(right['path'], prompts)}/{kind}"


def _prompt(path: str | None, prompts: dict[str, int]) -> str:
    """The folder of a prompt: as the path states it, else numbered in the order of appearance."""
    parts = PurePosixPath(path or "").parts
    stated = next((part for part in parts if _PROMPT.fullmatch(part)), None)
    name = "/".join(parts[:-1])
    return stated or f"prompt_{prompts.setdefault(name, len(prompts) + 1)}"


def _two(left: str, right: str, own: Language) -> str | None:
    """Two functions as a file; None if they could not be separated again."""
    text = f"{left.strip(chr(10))}\n\n\n{right.strip(chr(10))}\n"
    found = two_functions(text, own)
    same = found is not None and [part.text for part in found] == [left.strip("\n"), right.strip("\n")]
    return text if same else None


def _across(left: str, right: str, other: str) -> str | None:
    """A function and its translation as a file; None if they could not be separated again."""
    seed, block = left.strip("\n"), right.strip("\n")
    text = f"#input\n{seed}\n\n\n#====================\n#gpt output=============\n\n```{_FENCES[other]}\n{block}\n```\n"
    found = parse_cross_language(text)
    same = (
        found is not None
        and found.seed.text == seed
        and [(one.language, one.text) for one in found.blocks] == [(other, block)]
    )
    return text if same else None
