"""Looking up functions as `clonetruth mcp` does: CPU seconds, memory, and whether a changed copy finds its original.

    python -m bench.bench_function_index [FOLDER]

For a sample of the functions of a folder (by default the source of clonetruth), two questions are asked: the function
with all its names replaced, and the first half of its lines as it is. The share of questions whose first answer, or one
of whose five answers, is the function itself (or one with the same code) is printed.
"""

from __future__ import annotations

import random
import re
import sys
import time
from pathlib import Path

from bench.measurement import machine, peak_memory
from clonetruth.code import Function, Language, TokenKind, discover, extract, language, read_source
from clonetruth.find.function_index import FunctionIndex

_SAMPLE, _SEED, _LEAST_LINES = 100, 1, 8
_NAME = re.compile(r"\b[A-Za-z_]\w*\b")


def renamed(function: Function, own: Language) -> str:
    """The function with other names, each replaced by the same one everywhere."""
    new: dict[str, str] = {}

    def replaced(found: re.Match[str]) -> str:
        is_name = own.kind_of[found[0].encode()] == TokenKind.IDENTIFIER
        return new.setdefault(found[0], f"q{len(new)}z") if is_name else found[0]

    return _NAME.sub(replaced, function.text)


def main(folder: Path) -> None:
    """Print the table."""
    begin = time.process_time()
    index = FunctionIndex(folder)
    index.refresh()
    reading = time.process_time() - begin
    pool = []
    for file in discover([folder]).files:
        own = language(file.language)
        pool += [
            (file.language, one)
            for one in extract(read_source(file.path).text, own).functions
            if one.last_line - one.first_line + 1 >= _LEAST_LINES
        ]
    sample = random.Random(_SEED).sample(pool, min(_SAMPLE, len(pool)))
    print(machine())
    print(f"{len(index):,} functions: {reading:.1f} CPU s to read")
    for what in ("names replaced", "first half"):
        first = among = asked = 0
        begin = time.process_time()
        for name, function in sample:
            lines = function.text.splitlines()
            code = (
                renamed(function, language(name))
                if what == "names replaced"
                else "\n".join(lines[: len(lines) // 2 + 1])
            )
            found = [one.name for one in index.similar(code, name).functions]
            asked += 1
            first += found[:1] == [function.qualified_name]
            among += function.qualified_name in found
        seconds = (time.process_time() - begin) / asked
        print(f"{what}: first {first} of {asked}, among five {among} of {asked}; {seconds:.2f} CPU s a question")
    print(f"{peak_memory():.2f} GB of memory")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "src/clonetruth"))
