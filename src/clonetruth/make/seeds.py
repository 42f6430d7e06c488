"""Seeds: the functions that a model is asked about, from a benchmark or from source trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import md5
from itertools import zip_longest
from pathlib import PurePosixPath

import pyarrow as pa

from clonetruth.arrow_files import write_parquet
from clonetruth.code import extract, language
from clonetruth.code.files import extract_files, source_files
from clonetruth.errors import InputError
from clonetruth.make.function_index import text_digest
from clonetruth.make.stage import Stage, StageEstimate, StageOutcome, StageWork
from clonetruth.store import open_benchmark

SEEDS = pa.schema(
    [
        pa.field("seed", pa.string(), nullable=False),
        pa.field("language", pa.string(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
    ]
)

_FRAGMENTS = """
SELECT f.id AS seed, f.language AS language, f.text AS text
FROM fragments f
WHERE f.kind = 'function'
ORDER BY f.fragment
"""


@dataclass(frozen=True)
class SeedStageOptions:
    """The keys of the stage.

    Attributes:
        benchmark: a benchmark folder whose functions are seeds.
        benchmarks: further benchmark folders; the ids of their seeds begin with the name of the folder.
        paths: source trees whose functions are seeds.
        languages: only these languages (default: all).
        limit: maximum number of seeds of a language from each benchmark, drawn at random (default: all).
        least_lines: shorter functions are left out.
        most_characters: longer functions are left out: a model has a limit, too.
        seed: random seed of the draw.
    """

    benchmark: str | None = None
    benchmarks: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    limit: int | None = None
    least_lines: int = 3
    most_characters: int = 4000
    seed: int = 0


def _texts(work: StageWork) -> Iterator[tuple[str, str, str, str]]:
    """Where a function is from, its id, language and text."""
    options: SeedStageOptions = work.options
    given = [] if options.benchmark is None else [(options.benchmark, "")]
    for name, prefix in (*given, *((name, f"{PurePosixPath(name).name}:") for name in options.benchmarks)):
        for row in open_benchmark(work.path(name)).sql(_FRAGMENTS).to_pylist():
            yield name, f"{prefix}{row['seed']}", row["language"], row["text"]
    for path in options.paths:
        root = work.path(path)
        for file in extract_files(source_files([root], options.languages)):
            name = file.path.relative_to(root).as_posix() if root.is_dir() else file.path.name
            for one in file.functions:
                yield "", f"{name}:{one.first_line}-{one.last_line}", file.language, one.text


def _problem(name: str, text: str, options: SeedStageOptions) -> str | None:
    """Why a text is not a seed; None if it is one."""
    if len(text) > options.most_characters:
        return "too long"
    if sum(bool(line.strip()) for line in text.split("\n")) < options.least_lines:
        return "too short"
    extraction = extract(text, language(name), lone=True)
    if extraction.problems or not extraction.functions:
        return "does not parse"
    return None


def _run(work: StageWork) -> StageOutcome:
    options: SeedStageOptions = work.options
    wanted = {language(name).name for name in options.languages}
    left_out, kept, seen, taken = Counter[str](), list[dict[str, str]](), set[str](), 0
    origins: dict[str, str] = {}
    for origin, seed, name, text in _texts(work):
        if wanted and name not in wanted:
            continue
        taken += 1
        digest = text_digest(text)
        problem = "repeats another" if digest in seen else _problem(name, text, options)
        if problem is not None:
            left_out[problem] += 1
            continue
        seen.add(digest)
        kept.append({"seed": seed, "language": name, "text": text})
        origins[seed] = origin
    if options.limit is not None:
        drawn: list[list[dict[str, str]]] = []
        for name, origin in sorted({(one["language"], origins[one["seed"]]) for one in kept}):
            own = [one for one in kept if (one["language"], origins[one["seed"]]) == (name, origin)]
            own.sort(key=lambda one: md5(f"{one['seed']}{options.seed}".encode()).hexdigest())
            left_out["not drawn"] += max(len(own) - options.limit, 0)
            drawn.append(own[: options.limit])
        # In turn, so that the first N seeds are from all languages and benchmarks.
        kept = [one for turn in zip_longest(*drawn) for one in turn if one is not None]
    if not kept:
        raise InputError("There is no seed.", hint="Check the languages, and least_lines.")
    write_parquet(pa.Table.from_pylist(kept, schema=SEEDS), work.output / "seeds")
    counts = Counter(one["language"] for one in kept)
    return StageOutcome({"functions": taken}, {"seeds": len(kept)}, dict(left_out), details={"seeds": dict(counts)})


def _estimate(work: StageWork) -> StageEstimate:
    limit = work.options.limit
    return StageEstimate({} if limit is None else {"seeds of a language at most": limit})


def _check(options: SeedStageOptions) -> None:
    if options.benchmark is None and not options.benchmarks and not options.paths:
        raise InputError("The stage 'seeds' needs a benchmark or paths.")
    for name in options.languages:
        language(name)


STAGE = Stage(
    name="seeds",
    description="Choose the functions that a model is asked about.",
    options=SeedStageOptions,
    run=_run,
    writes=("seeds",),
    estimate=_estimate,
    check=_check,
)
