"""Python functions printed by tokens and by trees: ``python -m bench.bench_indent_printer FOLDER…``.

Every function of 100 characters or more in the Python files of each folder is printed both ways. Prints a row per
folder: functions that tokens can print, those that differ from the tree, and the CPU seconds of both ways on them.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from bench.measurement import machine
from clonetruth.code import decode, extract, language
from clonetruth.code.indent_printer import printed_by_tokens
from clonetruth.code.parse_guard import CostlyTextError
from clonetruth.code.parsing import parse
from clonetruth.code.pretty import pretty

_SHORTEST = 100


def row(folder: Path) -> str:
    """Compare the functions below a folder, and return a line of the table."""
    python = language("python")
    functions = printed = different = 0
    tokens = trees = 0.0
    for path in sorted(folder.rglob("*.py")):
        try:
            found = extract(decode(path.read_bytes()).text, python).functions
        except (OSError, CostlyTextError):
            continue
        for text in (one.text for one in found if len(one.text) >= _SHORTEST):
            functions += 1
            started = time.process_time()
            fast = printed_by_tokens(text, python)
            between = time.process_time()
            if fast is None:
                continue
            different += fast != pretty(parse(text, python, lone=True))
            tokens, trees = tokens + between - started, trees + time.process_time() - between
            printed += 1
    return f"| {folder.name} | {functions:,} | {printed:,} | {different:,} | {tokens:.1f} | {trees:.1f} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    print(machine())
    print("| code | functions | printed by tokens | different | CPU s, tokens | CPU s, trees |")
    print("| --- | --: | --: | --: | --: | --: |")
    for folder in parser.parse_args().folders:
        print(row(folder), flush=True)


if __name__ == "__main__":
    main()
