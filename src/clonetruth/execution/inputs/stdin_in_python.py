"""What programs of Python read from standard input."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from clonetruth.execution.inputs.stdin_items import (
    UNTIL_END,
    LineEnd,
    ReadItem,
    ReadKind,
    ReadToken,
    Repetition,
    simple_count,
)

_DEPTH = 5
_INPUT = r"(?:raw_input|input|(?:sys\.)?stdin\.readline|readline|sys\.stdin\.next|next)\s*\([^()]*\)"
_READER = re.compile(r"^def\s+(\w+)\s*\(\s*\)\s*:\s*return\s+([^\n]+)$", re.MULTILINE)
_READING_LAMBDA = re.compile(r"^(\w+)\s*=\s*lambda\s*:\s*([^\n]+)$", re.MULTILINE)


def items_in_python(text: str) -> list[ReadItem]:
    text = _with_readers(text)
    lines = [one for one in text.expandtabs(4).split("\n") if one.strip() and not one.lstrip().startswith("#")]
    functions: dict[str, tuple[int, int]] = {}
    for at, line in enumerate(lines):
        found = re.match(r"\s*def\s+(\w+)", line)
        if found:
            functions[found[1]] = at, _block_end(lines, at)
    return _python_block(lines, 0, len(lines), functions, ())


def _with_readers(text: str) -> str:
    """A text in which calls of short functions that only read are what these functions read."""
    for found in [*_READER.finditer(text), *_READING_LAMBDA.finditer(text)]:
        name, what = found.groups()
        if re.search(_INPUT, what):
            plain = what.replace("\\", r"\\")
            text = re.sub(rf"(?<![\w.]){name}\s*\(\s*\)(?!\s*:)", plain, text)
    alias = re.search(r"^(\w+)\s*=\s*(?:sys\.)?stdin\.readline\s*$", text, re.MULTILINE)
    return re.sub(rf"(?<![\w.]){alias[1]}\s*\(\s*\)", "input()", text) if alias and alias[1] != "input" else text


def _block_end(lines: Sequence[str], at: int) -> int:
    width = len(lines[at]) - len(lines[at].lstrip())
    for place in range(at + 1, len(lines)):
        if len(lines[place]) - len(lines[place].lstrip()) <= width:
            return place
    return len(lines)


def _python_block(
    lines: Sequence[str], start: int, end: int, functions: dict[str, tuple[int, int]], active: tuple[str, ...]
) -> list[ReadItem]:
    found: list[ReadItem] = []
    at = start
    while at < end:
        line = lines[at]
        if re.match(r"\s*(def|class)\s", line):
            at = _block_end(lines, at)
            continue
        loop = re.match(r"\s*(?:for\s+.+?\s+in\s+x?range\s*\((.*)\)\s*:|while\s+(.+):)", line)
        if loop:
            last = _block_end(lines, at)
            inner = _python_block(lines, at + 1, last, functions, active)
            count = _range(loop[1]) if loop[1] is not None else ""
            if re.search(_INPUT, loop[1] or ""):
                found += [ReadToken(ReadKind.INT, "cases"), LineEnd()]
                count = "cases"
            inline = line[loop.end() :]
            inner = [*_python_line(inline), *inner]
            if inner:
                found.append(Repetition(count, tuple(inner)))
            at = max(last, at + 1)
            continue
        whole = re.match(r"\s*for\s+(\w+)\s+in\s+(?:sys\.)?stdin\s*:", line)
        if whole:
            # As if each line were read by itself.
            last = _block_end(lines, at)
            inside = f"{line[whole.end() :]} {' '.join(lines[at + 1 : last])}"
            split = rf"[\w, ]+=[^=;:]*\b{whole[1]}\s*(?:\.strip\(\))?\s*\.split"
            taken = re.search(rf"{split}|\b(?:int|float)\(\s*{whole[1]}\b", inside)
            read = re.sub(rf"\b{whole[1]}\b", "input()", taken[0]) if taken else f"{whole[1]} = input()"
            found.append(Repetition(UNTIL_END, tuple(_python_line(read))))
            at = max(last, at + 1)
            continue
        found += _python_line(line)
        for name in re.findall(r"\b(\w+)\s*\(", line):
            if name in functions and name not in active and len(active) < _DEPTH:
                first, last = functions[name]
                found += _python_block(lines, first + 1, last, functions, (*active, name))
        at += 1
    return found


def _range(arguments: str) -> str:
    parts = [one.strip() for one in arguments.split(",")]
    if len(parts) == 1:
        return simple_count(parts[0])
    return simple_count(f"{parts[1]}-{parts[0]}" if parts[0] != "0" else parts[1])


def _python_line(line: str) -> Iterator[ReadItem]:
    """What one line of Python reads: every call reads a line."""
    for found in re.finditer(_INPUT, line):
        before, after = line[: found.start()], line[found.end() :]
        if re.match(r"\s*next\s*\(\s*\w", found[0]):
            continue
        target = re.match(r"\s*([\w\s,.\[\]()*]+?)\s*=(?!=)", line)
        names = [one.strip() for one in target[1].strip("()").split(",")] if target else []
        numeric = re.search(r"\b(?:int|long|float|eval)\b", before) is not None
        kind = ReadKind.FLOAT if "float" in before else ReadKind.INT if numeric else ReadKind.WORD
        repeated = re.search(r"\bfor\s+\w+\s+in\s+x?range\s*\(([^()]*(?:\([^()]*\))?[^()]*)\)", after)
        items: list[ReadItem]
        if ".split" in after[:20] or re.match(r"\s*(?:\.\w+\(\))*\s*\.split", after):
            if len(names) > 1 and not any(one.startswith("*") for one in names):
                items = [ReadToken(kind, re.sub(r"\W.*", "", one)) for one in names]
            else:
                items = [Repetition("", (ReadToken(kind, re.sub(r"\W.*", "", names[0]) if names else ""),))]
        elif numeric:
            items = [ReadToken(kind, re.sub(r"\W.*", "", names[0]) if names else "")]
        else:
            items = [ReadToken(ReadKind.LINE, names[0] if names else "")]
        items.append(LineEnd())
        if repeated:
            yield Repetition(_range(repeated[1]), tuple(items))
        else:
            yield from items
