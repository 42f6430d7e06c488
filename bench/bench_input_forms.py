"""How many programs of a benchmark have an inferred form of their standard input, and how many clones share it.

    python -m bench.bench_input_forms BENCHMARK LANGUAGE [--half] [--programs N]

Nothing runs. With `execution=yes`, `semantic` compares outputs for the same input only, and inputs that follow a form
are the same for programs of the same form.
"""

from __future__ import annotations

import argparse
import hashlib
from collections import defaultdict
from itertools import combinations
from pathlib import Path
from random import Random

from clonetruth.execution.inputs.grammar_texts import signature
from clonetruth.execution.inputs.stdin_grammar import infer_grammar
from clonetruth.store import open_benchmark

_SQL = """
    SELECT functionality, fragments.language, text FROM fragments JOIN memberships USING (fragment)
    ORDER BY functionality, fragment
"""


def main() -> None:
    """Count, and print a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmark", type=Path)
    parser.add_argument("language")
    parser.add_argument("--half", action="store_true", help="Only half of the problems, by a hash of their number.")
    parser.add_argument("--programs", type=int, default=12, help="The most of a problem, drawn at random.")
    given = parser.parse_args()
    by_problem: dict[int, list[str]] = defaultdict(list)
    rows = open_benchmark(given.benchmark).sql(_SQL).to_pylist()
    for row in rows:
        problem, text = row["functionality"], row["text"]
        if row["language"] != given.language:
            continue
        if not given.half or int(hashlib.sha256(str(problem).encode()).hexdigest(), 16) % 2:
            by_problem[problem].append(text)
    random = Random(0)
    programs = by_line = known = pairs = both = same = 0
    for texts in by_problem.values():
        drawn = random.sample(texts, min(len(texts), given.programs))
        grammars = [infer_grammar(text, given.language) for text in drawn]
        forms = [signature(one) if one.tokens else None for one in grammars]
        programs += len(drawn)
        known += sum(one is not None for one in forms)
        by_line += sum(one.by_line for one in grammars if one.tokens)
        for one, other in combinations(forms, 2):
            pairs += 1
            both += one is not None and other is not None
            same += one is not None and one == other
    print(
        f"{len(by_problem)} problems, {programs} programs, {known} with a form ({by_line} care for lines); "
        f"{pairs} clone pairs, {both} with two forms, {same} with the same"
    )


if __name__ == "__main__":
    main()
