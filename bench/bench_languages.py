"""How real code is read in a language: `python -m bench.bench_languages LANGUAGE FOLDER`.

Prints a row for the table in `docs/languages.md`: files, lines, the share of lines that do not parse, files with any
such line, the functions that the grammar finds, those that a plain regular expression finds, and clone classes.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import clonetruth
from clonetruth.code import extract, language
from clonetruth.code.languages import languages_of_path
from clonetruth.code.source import decode
from clonetruth.errors import InputError

LARGEST = 500_000
_BRACED = r"\([^;{}]*\)[^;{}()=]*\{"
PLAIN = {
    "rust": r"\bfn\s+\w+",
    "php": r"\bfunction\s+&?\w+\s*\(",
    "ruby": r"^[ \t]*def\s",
    "bash": r"^[ \t]*(?:function\s+[\w:.-]+|[\w:.-]+[ \t]*\(\))",
    "lua": r"\bfunction\s+[\w.:]+\s*\(",
    "kotlin": r"\bfun\s+(?:<[^>]*>\s*)?(?:[\w.<>?]+\.)?\w+\s*\(",
    "scala": r"\bdef\s+\w+",
    "swift": r"\b(?:func\s+[^\s(]+|init[?!]?\s*\(|deinit\b)",
    "dart": r"^[ \t]*[\w<>?, ]+\s\w+" + _BRACED,
    "objc": r"^[-+][ \t]*\([^;{]*\{|^(?!\s|if|for|while|switch)[\w \t*]+" + _BRACED,
    "sql": r"(?i)\bcreate\s+(?:or\s+replace\s+)?(?:function|view|table)\b",
    "vue": r"\bfunction\s+\w+\s*\(|^\s+(?:async\s+)?\w+\s*\([\w\s,{}=]*\)\s*\{",
    "svelte": r"\bfunction\s+\w+\s*\(",
}
"""What most declarations of a function look like."""


def main(name: str, folder: Path) -> None:
    """Print the row of a language."""
    own = language(name)
    files = lines = broken_files = functions = plain = 0
    broken = 0.0
    pattern = re.compile(PLAIN.get(name, r"(?!)"), re.MULTILINE)
    for path in sorted(folder.rglob("*")):
        if own not in languages_of_path(path) or not path.is_file() or path.stat().st_size > LARGEST:
            continue
        text = decode(path.read_bytes()).text
        found = extract(text, own)
        count = text.count("\n") + 1
        files, lines, functions = files + 1, lines + count, functions + len(found.functions)
        plain += len(pattern.findall(text))
        broken += found.parsed.broken_share * count
        broken_files += bool(found.problems)
    if not files:
        raise InputError(f"There is no {own.title} file.", where=folder)
    report = clonetruth.find_clones(folder, language=[name], index=False, processes=1)
    print(
        f"| {own.title} | {files:,} | {lines:,} | {broken / lines:.2%} | {broken_files:,} | {functions:,} | {plain:,} "
        f"| {report.classes_found:,} |"
    )
    for one in report.classes[:5]:
        members = ", ".join(f"{Path(member.path).name}:{member.first_line} {member.name}" for member in one.members[:3])
        print(f"    {one.weakest} {len(one.members)} × {one.members[0].tokens} tokens: {members}")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
