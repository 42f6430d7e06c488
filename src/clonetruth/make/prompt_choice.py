"""The choice of prompts after a pilot, recorded: mean similarity and tags by prompt and language, and what was kept."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import mean
from typing import Any

from clonetruth.arrow_files import read_parquet
from clonetruth.code import language
from clonetruth.errors import UnknownNameError
from clonetruth.make.generated_benchmark import pair_verdicts
from clonetruth.make.stage import Stage, StageOutcome, StageWork, WaitingError
from clonetruth.model import PairValue
from clonetruth.store import open_benchmark

_ANSWERS = """
SELECT p.pair AS pair, r.id AS snippet
FROM pairs p
JOIN fragments r ON p.right = r.fragment
ORDER BY p.pair
"""


@dataclass(frozen=True)
class PromptChoiceOptions:
    """The keys of the stage.

    Attributes:
        keep: the prompts that are kept; without any, the stage shows its table and waits for the choice.
        because: why these, for the record.
        criteria: the criteria under which the pilot's pairs were tagged.
    """

    keep: tuple[str, ...] = ()
    because: str = ""
    criteria: tuple[str, ...] = ("semantic-not-syntactic", "equivalent-behaviour", "functionally-similar")


def _table(work: StageWork) -> dict[str, dict[str, Any]]:
    """Functions, mean similarity in per cent, and tags, by prompt and language."""
    options: PromptChoiceOptions = work.options
    snippets = {row["snippet"]: row for row in read_parquet(work.artefact("snippets")).to_pylist()}
    candidates = open_benchmark(work.artefact("candidates"))
    verdicts = pair_verdicts(candidates, options.criteria)
    tags = {row["snippet"]: verdicts.get(row["pair"]) for row in candidates.sql(_ANSWERS).to_pylist()}
    groups: dict[tuple[str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for row in read_parquet(work.artefact("filtered")).to_pylist():
        one = snippets[row["snippet"]]
        groups[one["prompt"], one["language"]].append(row)
    table: dict[str, dict[str, Any]] = {}
    for (prompt, name), rows in sorted(groups.items()):
        known = [row["similarity"] for row in rows if row["similarity"] is not None]
        said = Counter(tags.get(row["snippet"]) for row in rows)
        table[f"{prompt}, {language(name).title}"] = {
            "seeds": len({row["seed"] for row in rows}),
            "functions": len(rows),
            "mean similarity": round(100 * mean(known), 2) if known else None,
            "tagged true": said[str(PairValue.CLONE)],
            "tagged false": said[str(PairValue.NOT_CLONE)],
        }
    return table


def _run(work: StageWork) -> StageOutcome:
    options: PromptChoiceOptions = work.options
    asked = {row["prompt"] for row in read_parquet(work.artefact("answers")).to_pylist()}
    for name in options.keep:
        if name not in asked:
            raise UnknownNameError.suggest("prompt of this making", name, sorted(asked))
    table = _table(work)
    if not options.keep:
        shown = "; ".join(
            f"{name}: similarity {row['mean similarity']}, {row['tagged true']} true, {row['tagged false']} false"
            for name, row in table.items()
        )
        raise WaitingError(f"Choose prompts with keep = […], and say why with because = '…'. The pilot: {shown}.")
    choice = {"kept": list(options.keep), "because": options.because, "pilot": table}
    text = json.dumps(choice, indent=2, ensure_ascii=False) + "\n"
    (work.output / "prompt-choice").write_text(text, encoding="utf-8")
    return StageOutcome(
        taken={"prompts": len(asked)},
        given={"kept": len(options.keep)},
        left_out={"not kept": len(asked) - len(options.keep)},
        notes=(f"Kept: {', '.join(options.keep)}. {options.because}".strip(),),
        details={"the pilot, by prompt and language": table},
    )


STAGE = Stage(
    name="prompt-choice",
    description="Record which prompts a pilot keeps, with similarity and tags by prompt and language.",
    options=PromptChoiceOptions,
    run=_run,
    reads=("answers", "snippets", "filtered", "candidates"),
    writes=("prompt-choice",),
)
