"""Contest programs, executed: ``python -m bench.bench_execution_programs DATA [--part final] [--pairs 50]``.

DATA is a folder with `clcdsa/clcdsa_subset.jsonl.xz`, `gcj/data.jsonl.gz` and `poj104/poj104.jsonl.xz`, as published.
From each, pairs of the same problem and as many of different problems are drawn; in CLCDSA the two are in different
languages. Problems are in two halves by the digest of their names: `--part build` for developing, `--part final` for
measuring. Prints what running the pairs found. ``--output FILE`` writes each comparison as a line of JSON.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import lzma
import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.bench_behaviour import Row, read_gcj, read_poj104
from bench.bench_execution import Executed, execute
from bench.measurement import machine
from clonetruth.execution import Reason, SearchBudget

_LANGUAGES = {"java": "java", "py": "python", "cpp": "cpp", "cs": "csharp", "c": "c"}


def read_clcdsa(path: Path) -> list[Row]:
    """The programs in five languages."""
    with lzma.open(path, "rt") as file:
        rows = [json.loads(line) for line in file]
    return [(one["problem"], _LANGUAGES[one["language"]], one["code"]) for one in rows]


SOURCES: Mapping[str, tuple[str, Callable[[Path], list[Row]]]] = {
    "clcdsa": ("clcdsa/clcdsa_subset.jsonl.xz", read_clcdsa),
    "gcj": ("gcj/data.jsonl.gz", read_gcj),
    "poj104": ("poj104/poj104.jsonl.xz", lambda path: read_poj104(path, 1, 104)),
}


def of_part(rows: Sequence[Row], part: str) -> list[Row]:
    """The programs of one half of the problems."""
    wanted = 0 if part == "build" else 1
    return [one for one in rows if int(hashlib.md5(f"half {one[0]}".encode()).hexdigest(), 16) % 2 == wanted]


def draw_pairs(rows: Sequence[Row], count: int, seed: int, *, across: bool) -> Iterator[dict[str, Any]]:
    """As many pairs of one problem as of two problems."""
    chance = random.Random(f"pairs {seed}")
    problems: dict[str, list[Row]] = defaultdict(list)
    for row in sorted(set(rows)):
        problems[row[0]].append(row)
    names = sorted(problems)
    for label in ("same problem", "other problem"):
        found: set[tuple[str, str]] = set()
        while len(found) < count:
            first = chance.choice(names)
            second = first if label == "same problem" else chance.choice([one for one in names if one != first])
            left, right = chance.choice(problems[first]), chance.choice(problems[second])
            if left[2] == right[2] or (left[2], right[2]) in found or (across and left[1] == right[1]):
                continue
            found.add((left[2], right[2]))
            yield {
                "pair": len(found),
                "label": label,
                "left_language": left[1],
                "left_text": left[2],
                "right_language": right[1],
                "right_text": right[2],
                "problems": f"{first} {second}",
            }


def report(name: str, done: Sequence[Executed]) -> Iterator[str]:
    """Rows of the table of results, and reasons for what is undecided."""
    for label in ("same problem", "other problem"):
        mine = [one for one in done if one.label == label]
        verdicts = Counter(str(one.comparison["verdict"]) for one in mine)
        different, same = verdicts["different"], verdicts["no-difference-found"]
        inferred = sum(one.comparison["why"] == Reason.CONFIRMATION for one in mine)
        cpu = sum(one.cpu for one in mine) / max(len(mine), 1)
        yield (
            f"| {name} | {label} | {len(mine)} | {sum(one.ran for one in mine)} | {different + same} | {different} | "
            f"{same} | {inferred} | {cpu:.1f} |"
        )
    for label in ("same problem", "other problem"):
        reasons = Counter(one.comparison["why"] for one in done if one.label == label and one.comparison["why"])
        yield f"<!-- {name}, {label}, undecided: {', '.join(f'{why} {n}' for why, n in reasons.most_common())} -->"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--source", action="append", choices=tuple(SOURCES), default=[])
    parser.add_argument("--part", choices=("build", "final"), default="build")
    parser.add_argument("--pairs", type=int, default=50, help="of the same problem, and as many of different ones")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--runs", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=40.0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    budget = SearchBudget(runs=given.runs, seconds=given.seconds, seed=given.seed)
    print(f"Problems for {given.part}, seed {given.seed}, {given.runs} inputs ({machine()})\n")
    print(
        "| source | pairs of | pairs | executed | decided | different | no difference found | "
        "different on an inferred form | CPU s a pair |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
    for name in given.source or SOURCES:
        place, read = SOURCES[name]
        rows = of_part(read(given.data / place), given.part)
        pairs = list(draw_pairs(rows, given.pairs, given.seed, across=name == "clcdsa"))
        started, done = time.monotonic(), []
        for number, one in enumerate(execute(pairs, budget, given.workers)):
            done.append(one)
            if given.output:
                with given.output.open("a") as file:
                    said = {"source": name, "number": number, "pair": one.pair, "label": one.label, "cpu": one.cpu}
                    file.write(json.dumps({**said, **one.comparison}) + "\n")
        print("\n".join(report(name, done)), flush=True)
        print(f"<!-- {time.monotonic() - started:.0f} s by the clock -->", flush=True)


if __name__ == "__main__":
    main()
