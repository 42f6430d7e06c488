"""Both similarities of every pair of a BigCloneBench-sized set: ``python -m bench.bench_similarity [FUNCTIONS.ZIP]``.

8.6 million pairs of the real functions in `functions.zip`, drawn as in BigCloneBench: the functions are divided into 43
functionalities, of which the largest has 54 % of all pairs, and pairs are drawn within functionalities. Prints pairs
per second on all cores with cached forms, the ratio to `difflib.SequenceMatcher` on the same pairs (CPU seconds per
pair, on a sample), memory, and the growth from 10^4 to 10^7 pairs.
"""

from __future__ import annotations

import difflib
import re
import sys
import zipfile
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench.measurement import machine, measure, peak_memory
from clonetruth.code import FormTable, FragmentForms, available_cores, decode, fragment_forms, language, map_parallel

PAIRS = 8_600_000
FUNCTIONALITIES = 43
LARGEST = 0.54
DIFFLIB_SAMPLE = 200

Integers = npt.NDArray[np.int64]


def read_functions(path: Path) -> list[str]:
    """The functions of TBCCD's `functions.zip`."""
    with zipfile.ZipFile(path) as archive:
        parts = re.split(rb"FUNCTION_ID:\t\d+\r\n", archive.read("functions.txt"))
    return [decode(part).text for part in parts[1:]]


def draw_pairs(functions: int, count: int, seed: int = 1) -> tuple[Integers, Integers]:
    """Pairs within functionalities; pair counts grow with the square of a functionality's size."""
    random = np.random.default_rng(seed)
    shares = np.array([LARGEST, *((1 - LARGEST) * random.dirichlet(np.ones(FUNCTIONALITIES - 1)))])
    sizes = np.sqrt(shares) / np.sqrt(shares).sum()
    bounds = np.concatenate([[0], np.cumsum(sizes)]) * functions
    members = random.permutation(functions)
    drawn = random.multinomial(count, shares)
    left, right = [], []
    for number, pairs in enumerate(drawn):
        low, high = int(bounds[number]), max(int(bounds[number]) + 2, int(bounds[number + 1]))
        left.append(members[random.integers(low, high, pairs) % functions])
        right.append(members[random.integers(low, high, pairs) % functions])
    order = random.permutation(count)
    return np.concatenate(left)[order], np.concatenate(right)[order]


def batch_forms(_: None, texts: list[str]) -> list[FragmentForms]:
    """The forms of a batch of Java functions."""
    java = language("java")
    return [fragment_forms(text, java) for text in texts]


def difflib_similarities(forms: list[FragmentForms], left: Integers, right: Integers) -> None:
    """Both similarities, computed by the standard library."""
    for a, b in zip(left, right, strict=True):
        for one, other in ((forms[a].tokens, forms[b].tokens), (forms[a].lines, forms[b].lines)):
            matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
            sum(block.size for block in matcher.get_matching_blocks())


def main(path: Path) -> None:
    """Measure and print."""
    cores = available_cores()
    texts = read_functions(path)
    print(f"# Similarity, {machine()}, {len(texts):,} functions")
    batches = [texts[start : start + 200] for start in range(0, len(texts), 200)]
    made = measure(lambda: [form for batch in map_parallel(batch_forms, None, batches, cores) for form in batch])
    forms = made.result
    print(f"forms of all functions, once: {made.wall:.1f} s, {made.cpu:.1f} CPU s")
    table = FormTable(forms)

    left, right = draw_pairs(len(forms), PAIRS)
    done = measure(lambda: table.measure(left, right, processes=cores))
    rate = PAIRS / done.wall
    print(f"{PAIRS:,} pairs, both similarities: {done.wall:.1f} s, {done.cpu:.1f} CPU s, {rate:,.0f} pairs per second")
    print(f"peak memory: {peak_memory():.2f} GB")

    slow = measure(lambda: difflib_similarities(forms, left[:DIFFLIB_SAMPLE], right[:DIFFLIB_SAMPLE]))
    ratio = (slow.cpu / DIFFLIB_SAMPLE) / (done.cpu / PAIRS)
    print(f"difflib on the same pairs: {slow.cpu / DIFFLIB_SAMPLE * 1e3:.2f} CPU ms per pair, ratio {ratio:,.0f} : 1")

    print("growth (CPU µs per pair):", end="")
    for exponent in (4, 5, 6, 7):
        count = 10**exponent
        some = draw_pairs(len(forms), count, seed=exponent)
        grown = measure(partial(table.measure, *some, processes=cores))
        print(f"  10^{exponent}: {grown.cpu / count * 1e6:.2f}", end="", flush=True)
    print()


if __name__ == "__main__":
    default = Path(__file__).resolve().parents[2] / "shared" / "data" / "bigclonebench" / "functions.zip"
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else default)
