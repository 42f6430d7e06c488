"""What the files around functions cost: ``python -m bench.bench_project_files FOLDER [--functions 40]``.

Runs functions of a Python package, evenly spaced, on the generic inputs, in one sandbox, with all files of the package
around each. Prints how many ran, and the CPU seconds of everything, the sandbox included. Run it with the sources of
two versions, one after the other, to compare them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bench.bench_find_run import adopt_orphans, cpu_of_children
from bench.measurement import machine, own_cpu
from clonetruth.code import language
from clonetruth.detectors.finder import FinderOptions
from clonetruth.execution import Code, Harnesses
from clonetruth.execution.doctor import open_sandbox
from clonetruth.execution.output_digests import output_fingerprint
from clonetruth.execution.project_files import files_around
from clonetruth.find.functions import functions_of
from clonetruth.options.find import FindOptions


def functions(folder: Path) -> list[tuple[Path, str]]:
    """The functions of a package that have a name of their own in their file."""
    found = []
    for path in sorted(folder.rglob("*.py")):
        parts = functions_of([path.read_bytes()], language("python"), FinderOptions(None, 25, 1)).parts
        names = [name for part in parts for name in part.name]
        found += [(path, name) for name in names if names.count(name) == 1]
    return found


def main() -> None:
    """Run them, and print the cost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--functions", type=int, default=40, help="Number of functions.")
    asked = parser.parse_args()
    adopt_orphans()
    every = functions(asked.folder)
    chosen = every[:: max(1, len(every) // asked.functions)][: asked.functions]
    before, ran, size = own_cpu(), 0, 0
    with Harnesses(open_sandbox(FindOptions())) as harnesses:
        for path, name in chosen:
            own, files = files_around(path, "python")
            size = max(size, len(files))
            ran += output_fingerprint(Code(path.read_text(), "python", name, own, files), harnesses).normal > 0
    spent = own_cpu() - before + cpu_of_children()
    print(f"{machine()}: {ran} of {len(chosen)} functions ran, up to {size} files around them, {spent:.1f} CPU seconds")


if __name__ == "__main__":
    main()
