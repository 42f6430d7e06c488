"""The funnel of a generation by prompt and language: what became of the answers that each prompt got."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from statistics import mean
from typing import Any

from clonetruth.arrow_files import read_parquet
from clonetruth.code import language
from clonetruth.make.answer_parsing import SnippetFate
from clonetruth.make.stage import StageWork
from clonetruth.model import PairValue

TITLE = "by prompt and language of the seed"
_NEEDED = ("seeds", "answers", "snippets", "filtered")


def answer_path(model: str, prompt: str, snippet: str) -> str:
    """The path of a piece of an answer: the model, the prompt, and the piece."""
    return f"{model}/{prompt}/{snippet}"


def prompt_of_path(path: str | None) -> str | None:
    """The prompt in such a path; None if there is none. The name of a model may have slashes in it."""
    parts = PurePosixPath(path or "").parts
    return parts[-2] if len(parts) > 1 else None


def prompt_funnel(work: StageWork, pairs: Iterable[tuple[str, str | None, bool]]) -> dict[str, dict[str, Any]]:
    """What became of the answers to each prompt about seeds of each language; nothing without such answers.

    Args:
        work: the stage that asks, with the artefacts of those before it.
        pairs: the piece of each pair that was judged, what the evidence says of the pair, and whether it is accepted
            as what the prompt asked for.
    """
    if not work.has(*_NEEDED):
        return {}
    seeds, answers, snippets, filtered = (read_parquet(work.artefact(name)).to_pylist() for name in _NEEDED)
    languages = {row["seed"]: row["language"] for row in seeds}
    models = len({row["model"] for row in answers}) > 1
    counts: dict[tuple[str, ...], Counter[str]] = {}
    similarities: dict[tuple[str, ...], list[float]] = defaultdict(list)

    def group(row: Mapping[str, Any]) -> tuple[str, ...]:
        title = language(languages[row["seed"]]).title
        return (*((row["model"],) if models else ()), row["prompt"], title)

    for row in answers:
        counts.setdefault(group(row), Counter())["answers"] += 1
    groups = {}
    for row in snippets:
        groups[row["snippet"]] = group(row)
        counts[group(row)]["functions"] += row["fate"] == SnippetFate.ACCEPTED
    for row in filtered:
        if row["similarity"] is not None:
            similarities[groups[row["snippet"]]].append(row["similarity"])
    for snippet, verdict, accepted in pairs:
        own = counts[groups[snippet]]
        own["pairs"] += 1
        own[verdict or "undecided"] += 1
        own["accepted"] += accepted
    return {
        ", ".join(name): {
            **{column: own[column] for column in ("answers", "functions", "pairs")},
            "mean similarity": round(100 * mean(known), 1) if (known := similarities[name]) else None,
            "no difference": own[PairValue.CLONE],
            "different": own[PairValue.NOT_CLONE],
            "undecided": own["undecided"],
            "accepted": own["accepted"],
        }
        for name, own in sorted(counts.items())
    }
