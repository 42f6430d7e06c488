"""A long run of the fuzzer over every reader: `python -m bench.fuzz_readers [SEED] [INPUTS]`, minutes to hours."""

from __future__ import annotations

import sys

from tests.fuzzing import findings


def main() -> int:
    """Print each finding with the command that repeats it; 1 if there are any."""
    given = [int(one) for one in sys.argv[1:3]]
    seed, count = (*given, *(1, 300)[len(given) :])
    found = 0
    for finding in findings(seed * 1_000_000, count):
        found += 1
        print(finding, flush=True)
    print(f"{found} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
