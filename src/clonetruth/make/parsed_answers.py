"""The stage that finds the code in answers, and keeps account of every answer and every piece."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from clonetruth.arrow_files import read_parquet, write_parquet
from clonetruth.code import available_cores, map_parallel
from clonetruth.make.answer_parsing import AnswerContext, AnswerFate, ParsedAnswer, SnippetFate, parse_answer
from clonetruth.make.stage import Stage, StageOutcome, StageWork

SNIPPETS = pa.schema(
    [
        pa.field("snippet", pa.string(), nullable=False),
        pa.field("seed", pa.string(), nullable=False),
        pa.field("prompt", pa.string(), nullable=False),
        pa.field("wants", pa.string(), nullable=False),
        pa.field("model", pa.string(), nullable=False),
        pa.field("run", pa.int32(), nullable=False),
        pa.field("language", pa.string(), nullable=False),
        pa.field("fate", pa.string(), nullable=False),
        pa.field("functions", pa.int32(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
    ]
)
FATES = pa.schema(
    [
        pa.field("seed", pa.string(), nullable=False),
        pa.field("prompt", pa.string(), nullable=False),
        pa.field("model", pa.string(), nullable=False),
        pa.field("run", pa.int32(), nullable=False),
        pa.field("fate", pa.string(), nullable=False),
        pa.field("expected", pa.int32(), nullable=False),
        pa.field("obtained", pa.int32(), nullable=False),
        pa.field("missing", pa.string(), nullable=False),
    ]
)
_BATCH = 50
_PARALLEL_FROM = 200


@dataclass(frozen=True)
class ParseOptions:
    """The keys of the stage.

    Attributes:
        most_unexplained: a larger share of answers that cannot be explained is noted in the report.
        processes: number of worker processes (default: all cores).
    """

    most_unexplained: float = 0.01
    processes: int | None = None


def _parse_batch(shared: None, batch: list[tuple[str, AnswerContext]]) -> list[ParsedAnswer]:
    return [parse_answer(text, context) for text, context in batch]


def _context(row: Mapping[str, Any], seed: Mapping[str, str]) -> AnswerContext:
    return AnswerContext(
        seed["text"],
        seed["language"],
        tuple(row["languages"].split(",")),
        cut_off=row["finish"] == "length",
        refused=bool(row["refused"]) or row["finish"] == "content_filter",
    )


def _run(work: StageWork) -> StageOutcome:
    options: ParseOptions = work.options
    seeds = {row["seed"]: row for row in read_parquet(work.artefact("seeds")).to_pylist()}
    answers = read_parquet(work.artefact("answers")).to_pylist()
    tasks = [(row["text"], _context(row, seeds[row["seed"]])) for row in answers]
    batches = (tasks[at : at + _BATCH] for at in range(0, len(tasks), _BATCH))
    processes = options.processes or (available_cores() if len(tasks) > _PARALLEL_FROM else 1)
    parsed: list[ParsedAnswer] = []
    for batch in map_parallel(_parse_batch, None, batches, processes):
        parsed += batch
        work.progress("answers", len(batch), len(tasks))
    pairs = list(zip(answers, parsed, strict=True))
    snippets = [row for number, (answer, one) in enumerate(pairs) for row in _snippets(number, answer, one)]
    write_parquet(pa.Table.from_pylist(snippets, schema=SNIPPETS), work.output / "snippets")
    fates = [_fate(answer, one) for answer, one in pairs]
    write_parquet(pa.Table.from_pylist(fates, schema=FATES), work.output / "fates")
    counts = Counter(one.fate for one in parsed)
    unexplained = counts[AnswerFate.UNEXPLAINED] / len(parsed)
    accepted = sum(row["fate"] == SnippetFate.ACCEPTED for row in snippets)
    expected = sum(row["expected"] for row in answers)
    notes: tuple[str, ...] = (f"{expected:,} functions were expected, {accepted:,} obtained.",)
    if unexplained > options.most_unexplained:
        notes += (f"{unexplained:.1%} of the answers are unexplained, more than {options.most_unexplained:.1%}.",)
    return StageOutcome(
        taken={"answers": len(answers)},
        given={"snippets": accepted},
        left_out={
            str(fate): count
            for fate, count in Counter(row["fate"] for row in snippets).items()
            if fate != SnippetFate.ACCEPTED
        },
        notes=notes,
        details={
            "answers": {group: dict(Counter(row["fate"] for row in rows)) for group, rows in _grouped(fates).items()},
            "expected and obtained": {
                group: {"expected": sum(row["expected"] for row in rows), "obtained": sum(r["obtained"] for r in rows)}
                for group, rows in _grouped(fates).items()
            },
        },
    )


def _grouped(rows: Iterable[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(f"{row['model']}, {row['prompt']}", []).append(row)
    return groups


def _snippets(number: int, answer: Mapping[str, Any], parsed: ParsedAnswer) -> list[dict[str, Any]]:
    shared = {name: answer[name] for name in ("seed", "prompt", "wants", "model", "run")}
    return [
        {
            "snippet": f"answer-{number + 1}.{place + 1}",
            **shared,
            "language": one.language,
            "fate": str(one.fate),
            "functions": one.functions,
            "text": one.text,
        }
        for place, one in enumerate(parsed.snippets)
    ]


def _fate(answer: Mapping[str, Any], parsed: ParsedAnswer) -> dict[str, Any]:
    return {
        **{name: answer[name] for name in ("seed", "prompt", "model", "run", "expected")},
        "fate": str(parsed.fate),
        "obtained": len(parsed.accepted),
        "missing": ",".join(parsed.missing),
    }


STAGE = Stage(
    name="parse",
    description="Find the code in the answers; every answer is kept with what became of it.",
    options=ParseOptions,
    run=_run,
    reads=("seeds", "answers"),
    writes=("snippets", "fates"),
    effort=("processes",),
)
