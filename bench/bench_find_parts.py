"""Where `clonetruth find` spends its CPU time: ``python -m bench.bench_find_parts LANGUAGE=FOLDER… [--runs N]``.

Each run is a new process without an index and with one worker, whose output is JSON. It looks at its own stack every
4 ms of CPU time (`signal.ITIMER_PROF`); a sample belongs to the part of the innermost function in the table below. The
times are those of the run with the least CPU time. A sample that falls into native code is taken when that returns.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

from bench.bench_find_speed import COMPILED, tree
from bench.measurement import machine

_PARTS = {
    "start-up and imports": ("<frozen importlib._bootstrap>:_load_unlocked", "startup.py:start_arrow_without_pandas"),
    "walk": ("clones.py:targets",),
    "lexing: regular expression, look-up of each match": ("vocabulary.py:_found", "vocabulary.py:lists"),
    "lexing: positions in arrays": ("vocabulary.py:lex",),
    "describing distinct tokens": ("vocabulary.py:_analyse",),
    "masking template strings and regular expressions": ("outline.py:masked", "javascript_outline.py:masked"),
    "parsing functions that tokens do not decide": ("features.py:_loose_by_grammar",),
    "parsing files that tokens do not decide": ("functions.py:functions_by_trees",),
    "functions": ("functions.py:functions_by_tokens",),
    "features": ("features.py:features_of",),
    "reading files, tables": ("search.py:_read",),
    "comparing: join of `tokens`": ("token_overlap.py:matches",),
    "comparing: the rest": ("search.py:all_pairs",),
    "classes, printing and explaining members": ("outcome.py:report",),
    "JSON": ("find_output.py:clones_text", "find.py:_put"),
}
_SAMPLER = r"""
import collections, json, os, runpy, signal, sys, time
part_of, samples = json.loads(sys.argv[1]), collections.Counter()
def sample(number, frame):
    while frame is not None:
        code = frame.f_code
        part = part_of.get(f"{os.path.basename(code.co_filename)}:{code.co_name}")
        if part is not None:
            samples[part] += 1
            return
        frame = frame.f_back
    samples["the rest"] += 1
def end(status):
    signal.setitimer(signal.ITIMER_PROF, 0)
    print(json.dumps([time.process_time(), samples]), file=sys.stderr)
    sys.stderr.flush()
    leave(status)
leave, os._exit = os._exit, end
signal.signal(signal.SIGPROF, sample)
signal.setitimer(signal.ITIMER_PROF, 0.004, 0.004)
sys.argv[:2] = ["clonetruth"]
try:
    runpy.run_module("clonetruth", run_name="__main__")
finally:
    end(0)
"""


def profile(language: str, folder: Path) -> tuple[float, dict[str, float]]:
    """The CPU seconds of a run, and of its parts."""
    names = {name: part for part, names in _PARTS.items() for name in names}
    options = ["--language", language, "--format", "json", "--processes", "1", "--no-index"]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(COMPILED)}
    command = [sys.executable, "-c", _SAMPLER, json.dumps(names), "find", *options, str(folder)]
    errors = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment).stderr
    cpu, samples = json.loads(errors.splitlines()[-1])
    # Samples that fall into a long native call are lost, so that they are shares of the CPU time.
    total = sum(samples.values())
    return cpu, {part: cpu * samples.get(part, 0) / total for part in (*_PARTS, "the rest")}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=tree, metavar="LANGUAGE=FOLDER")
    parser.add_argument("--runs", type=int, default=3, help="runs for each tree")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    best = {folder.name: min(profile(name, folder) for _ in range(options.runs)) for name, folder in options.trees}
    print(f"{machine()}, load {load:.0f} to {os.getloadavg()[0]:.0f}\n")
    print(f"| part | {' | '.join(best)} |", "| --- |" + " --: |" * len(best), sep="\n")
    for part in (*_PARTS, "the rest"):
        print(f"| {part} | {' | '.join(f'{parts[part]:.2f}' for _, parts in best.values())} |")
    print(f"| **all** | {' | '.join(f'{cpu:.2f}' for cpu, _ in best.values())} |")


if __name__ == "__main__":
    main()
