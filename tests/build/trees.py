"""Small generated source trees, with functions that are not copies of each other."""

from __future__ import annotations

from pathlib import Path

from clonetruth.sources import import_dataset
from clonetruth.store import Benchmark
from tests.code.sample_functions import SAMPLE_FUNCTIONS

_ENDINGS = {"java": "java", "c": "c", "csharp": "cs", "python": "py", "javascript": "js"}
_AROUND = {"java": ("class Sample{} {{\n", "}\n"), "csharp": ("class Sample{}\n{{\n", "}\n")}
_CALLS = ("open", "read", "check", "close", "sum up", "sort", "merge", "split")


def function(language: str, number: int) -> str:
    """A distinct function: the specimen of the language with other names and unique statements."""
    words = _CALLS[number % len(_CALLS)].split()
    own = "".join(word.capitalize() for word in words)
    indent = "  " if language == "javascript" else "    "
    end = "" if language == "python" else ";"
    steps = [
        f"{indent}step{own}{place}({', '.join(['dropped'] * (1 + (number >> place & 1)))}){end}\n" for place in range(6)
    ]
    text = (
        SAMPLE_FUNCTIONS[language].replace("select", f"select{own}{number}").replace("Select", f"Select{own}{number}")
    )
    head, report, tail = text.partition(f"{indent}report(" if language != "csharp" else f"{indent}Report(")
    return head + "".join(steps) + report + tail


def write_file(path: Path, language: str, functions: list[str]) -> None:
    """A source file with functions, in a class if the language needs one."""
    before, after = _AROUND.get(language, ("", ""))
    indent = "    " if before else ""
    texts = ["".join(f"{indent}{line}".rstrip() + "\n" for line in text.split("\n")) for text in functions]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(before.format(path.stem) + "\n".join(texts) + after, encoding="utf-8")


def tree(folder: Path, language: str = "java", files: int = 4, functions: int = 3, first: int = 0) -> Path:
    """A folder of source files; the functions are numbered from `first`."""
    for place in range(files):
        numbers = range(first + place * functions, first + (place + 1) * functions)
        write_file(
            folder / f"part{place}.{_ENDINGS[language]}", language, [function(language, number) for number in numbers]
        )
    return folder


def imported(folder: Path, source: Path) -> Benchmark:
    """The functions of a source tree as a benchmark."""
    return Benchmark.open(import_dataset("folder", [source], output=folder, option={"name": "tree"}).path)
