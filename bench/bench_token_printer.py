"""Functions printed by tokens and by trees: ``python -m bench.bench_token_printer LANGUAGE=FOLDER… [--show N]``.

Every function of 100 characters or more in the files of a language below each folder is printed both ways. Prints a row
per folder: functions that tokens can print, those that differ from the tree, those of them whose tree has errors, and
the CPU seconds of both ways on them. ``--show N`` prints the first N functions that differ, and that tokens cannot
print.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from bench.bench_find_speed import tree
from bench.measurement import machine
from clonetruth.code import ExtractOptions, decode, extract, language
from clonetruth.code.forms import TOKEN_PRINTERS
from clonetruth.code.parse_guard import CostlyTextError
from clonetruth.code.parsing import parse
from clonetruth.code.pretty import pretty

_SHORTEST = 100


def row(name: str, folder: Path, show: int) -> str:
    """Compare the functions below a folder, and return a line of the table."""
    read, printer = language(name), TOKEN_PRINTERS[name]
    functions = printed = different = broken = 0
    tokens = trees = 0.0
    shown = {"different": show, "left to the tree": show}
    for path in sorted(one for one in folder.rglob("*") if one.suffix in read.extensions and one.is_file()):
        try:
            found = extract(decode(path.read_bytes()).text, read, ExtractOptions(callbacks=read.callbacks)).functions
        except (OSError, CostlyTextError):
            continue
        for text in (one.text for one in found if len(one.text) >= _SHORTEST):
            functions += 1
            started = time.process_time()
            fast = printer(text, read)
            between = time.process_time()
            what = "left to the tree"
            if fast is not None:
                parsed = parse(text, read, lone=True)
                slow = pretty(parsed)
                tokens, trees = tokens + between - started, trees + time.process_time() - between
                printed += 1
                if fast == slow:
                    continue
                different += 1
                broken += parsed.tree.root_node.has_error
                what = "different"
            shown[what] -= 1
            if shown[what] >= 0:
                print(f"--- {what}: {path}\n{text}")
    cells = f"{functions:,} | {printed:,} | {different:,} | {broken:,} | {tokens:.1f} | {trees:.1f}"
    return f"| {read.title}, {folder.name} | {cells} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trees", nargs="+", type=tree, metavar="LANGUAGE=FOLDER")
    parser.add_argument("--show", type=int, default=0, metavar="N")
    options = parser.parse_args()
    print(machine())
    print("| code | functions | printed by tokens | different | of these broken | CPU s, tokens | CPU s, trees |")
    print("| --- | --: | --: | --: | --: | --: | --: |", flush=True)
    for name, folder in options.trees:
        print(row(name, folder, options.show), flush=True)


if __name__ == "__main__":
    main()
