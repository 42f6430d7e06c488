"""CPU seconds of TrueClones' evidence by language: ``python -m bench.bench_trueclones_languages [--only ID]``.

--language NAME measures only some languages. --plain measures C# twice, with the compiler that is loaded once and with
one that is started for every fragment, one after the other. Processes that were killed are not counted, which most of
JavaScript's are.
"""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from bench.bench_execution import cpu_below
from bench.measurement import machine
from clonetruth.execution import Harnesses
from clonetruth.execution.harness.csharp import CSharpHarness
from clonetruth.execution.sandbox import Bubblewrap
from clonetruth.make.trueclones.evidence import examine_folder
from clonetruth.sources.functionality_folders import FunctionalityFolder, read_folders
from clonetruth.sources.trueclones import data_folder

LANGUAGES = ("python", "java", "javascript", "cpp", "csharp")


def seconds(folders: list[FunctionalityFolder], name: str) -> tuple[int, float]:
    """How many fragments of a language were executed, and the CPU seconds that took."""
    count, before = 0, cpu_below()
    with Harnesses(Bubblewrap()) as harnesses:
        for folder in folders:
            own = replace(folder, sources=tuple(one for one in folder.sources if one.language == name))
            found = examine_folder(own, harnesses)
            if found.problems:
                raise SystemExit(f"{folder.id}: {found.problems}")
            count += len(own.sources)
        return count, cpu_below().since(before)


def main() -> None:
    """Print a line for each language."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=data_folder())
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--language", action="append", default=[], choices=LANGUAGES)
    parser.add_argument("--plain", action="store_true")
    arguments = parser.parse_args()
    folders = list(read_folders(arguments.folder, arguments.only))
    rows = [(one, False) for one in arguments.language or LANGUAGES]
    rows += [("csharp", True)] if arguments.plain else []
    print(f"({machine()})\n\n| language | fragments | CPU seconds | each |\n| --- | --- | --- | --- |")
    for name, plain in rows:
        with ExitStack() as stack:
            if plain:
                stack.enter_context(patch.object(CSharpHarness, "_staying", lambda *unused: None))
            count, used = seconds(folders, name)
        shown = f"{name}, a compiler for every fragment" if plain else name
        print(f"| {shown} | {count} | {used:.1f} | {used / max(count, 1):.2f} |", flush=True)


if __name__ == "__main__":
    main()
