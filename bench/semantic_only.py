"""What only `semantic` finds in a code base: `python -m bench.semantic_only FOLDER… [--sample 50] [--threshold 0.98]`.

Reads the functions of source trees, searches them as `find --with semantic` does, and takes out every pair that one
of the classical finders reports at its own threshold. Prints how many pairs
remain, and a random sample of them as Markdown, for a person to judge.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from clonetruth.code import extract, language, language_of_path, lexed_tokens, read_source
from clonetruth.detectors import DETECTORS, FINDERS
from clonetruth.detectors.detector import FRAGMENTS, PAIRS
from clonetruth.detectors.semantic import SEMANTIC
from clonetruth.progress import no_progress

TOKENS = 50
"""Functions with fewer tokens are skipped, as `find` does."""


@dataclass(frozen=True)
class _Function:
    place: str
    language: str
    text: str


def main() -> None:
    """Search, compare and print a sample."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--threshold", type=float, default=SEMANTIC.find_threshold)
    parser.add_argument("--sample", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found = [one for folder in given.folders for one in functions(folder)]
    start = time.process_time()
    comparison = SEMANTIC.compare([(one.language.encode(), one.text.encode(errors="replace")) for one in found])
    matches = list(comparison.matches(given.threshold, no_progress))
    left, right, score = (
        np.concatenate([getattr(one, name) for one in matches]) for name in ("left", "right", "score")
    )
    print(
        f"{len(found):,} functions, {len(left):,} pairs from {given.threshold:g}, "
        f"{time.process_time() - start:.0f} s of CPU"
    )
    new = ~classical(found, left, right)
    print(f"{int(new.sum()):,} pairs that no classical finder reports at its own threshold")
    rows = np.flatnonzero(new)
    for number, row in enumerate(np.random.default_rng(given.seed).permutation(rows)[: given.sample].tolist(), 1):
        print(f"\n### {number}. score {score[row]:.3f}")
        for side in (found[left[row]], found[right[row]]):
            print(f"\n{side.place}\n```\n{side.text}\n```")


def functions(folder: Path) -> Iterator[_Function]:
    """The functions of a folder's files, each text once; tests are left out."""
    seen: set[str] = set()
    for path in sorted(folder.rglob("*")):
        own = language_of_path(path)
        if own is None or not path.is_file() or {"test", "tests"} & set(path.relative_to(folder).parts):
            continue
        for one in extract(read_source(path).text, language(own.name)).functions:
            if one.text not in seen and sum(1 for _ in lexed_tokens(one.text, own)) >= TOKENS:
                seen.add(one.text)
                yield _Function(f"{path.relative_to(folder)}:{one.first_line}", own.name, one.text)


def classical(
    found: list[_Function], left: npt.NDArray[np.int64], right: npt.NDArray[np.int64]
) -> npt.NDArray[np.bool_]:
    """Which pairs a classical finder reports."""
    fragments = pa.table(
        [pa.array(range(len(found))), [one.language for one in found], [one.text for one in found]], schema=FRAGMENTS
    )
    pairs = pa.table([np.arange(len(left)), left, right], schema=PAIRS)
    reported = np.zeros(len(left), bool)
    for name in FINDERS:
        detector = DETECTORS[name]
        if name == "semantic" or detector.default_threshold is None:
            continue
        scores = np.nan_to_num(detector.score(fragments, pairs).to_numpy(zero_copy_only=False))
        own = scores >= detector.default_threshold
        print(f"  {name} reports {int(own.sum()):,} of them")
        reported |= own
    return reported


if __name__ == "__main__":
    main()
