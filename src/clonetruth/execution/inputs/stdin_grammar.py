"""What a program reads from standard input, inferred from its text: tokens, lines, and loops that read as often as a
number says that was read before.

The inference is a guess from the usual ways of reading. Whether an input that follows it is one that the program takes
shows when the program runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from clonetruth.execution.inputs.stdin_in_braces import items_in_braces, like_c
from clonetruth.execution.inputs.stdin_in_python import items_in_python
from clonetruth.execution.inputs.stdin_items import UNTIL_END, LineEnd, ReadItem, ReadKind, ReadToken, Repetition


@dataclass(frozen=True)
class InputGrammar:
    """What a program reads.

    Attributes:
        items: in this order.
        by_line: whether the program cares where lines end.
    """

    items: tuple[ReadItem, ...] = ()
    by_line: bool = False

    @property
    def tokens(self) -> int:
        """How many places of the text read something."""
        return sum(1 for one in _flat(self.items) if isinstance(one, ReadToken))

    @property
    def has_commands(self) -> bool:
        """Whether words of it decide what is done."""
        return any(isinstance(one, ReadToken) and bool(one.commands) for one in _flat(self.items))

    @property
    def is_open(self) -> bool:
        """Whether the program reads until the input ends."""
        last = next((one for one in reversed(self.items) if not isinstance(one, LineEnd)), None)
        return isinstance(last, Repetition) and last.count == UNTIL_END

    def __str__(self) -> str:
        return " ".join(map(_written, self.items))


def _flat(items: Sequence[ReadItem]) -> Iterator[ReadItem]:
    for one in items:
        yield one
        if isinstance(one, Repetition):
            yield from _flat(one.body)


def _written(item: ReadItem) -> str:
    if isinstance(item, LineEnd):
        return "/"
    if isinstance(item, ReadToken):
        named = item.commands and all(one.isalnum() for one in item.commands)
        kind = "|".join(item.commands) if named else str(item.kind)
        return f"{item.name}:{kind}" if item.name else kind
    return f"{item.count or '?'} × ({' '.join(map(_written, item.body))})"


def infer_grammar(text: str, language: str, *, lengths: str = "first") -> InputGrammar:
    """What a program reads, as far as its text says.

    Args:
        text: the program.
        language: its language.
        lengths: which number that was read before is the length of a list whose length nothing says: the `first` that
            no other list has, or the `last`.

    Example:
        >>> str(infer_grammar("n = int(input())\\na = list(map(int, input().split()))", "python"))
        'n:number / n × (a:number) /'
    """
    items = (
        items_in_python(text) if language == "python" else items_in_braces(like_c(text) if language == "go" else text)
    )
    made = _with_lengths(tuple(_with_commands(items, text)), lengths, ())
    counts = {name for one in _flat(made) if isinstance(one, Repetition) for name in _NAME.findall(one.count)}
    made = _with_counts(made, counts)
    return InputGrammar(made, any(isinstance(one, LineEnd) for one in _flat(made)))


_NAME = re.compile(r"[A-Za-z_]\w*")


def _with_commands(items: Sequence[ReadItem], text: str) -> Iterator[ReadItem]:
    """Words that are compared with texts are these, and the words behind one on its line what they are used as."""
    for one in items:
        if isinstance(one, ReadToken) and one.kind in (ReadKind.WORD, ReadKind.LETTER) and one.name:
            yield replace(one, commands=_compared(one.name, text))
        elif isinstance(one, Repetition) and not one.count and isinstance(one.body[0], ReadToken) and not one.body[1:]:
            words = one.body[0].name
            places = sorted({int(at) for at in re.findall(rf"\b{words}\s*\[\s*(\d)\s*\]", text)}) if words else []
            commands = [_compared(rf"{words}\s*\[\s*{at}\s*\]", text) for at in range(max(places, default=0) + 1)]
            if not any(commands):
                yield one
                continue
            for at, known in enumerate(commands):
                number = rf"(?:int|long|[pP]arse\w*|Atoi|ToInt\d*|Number|stoi|atoi)\s*\(\s*{words}\s*\[\s*{at}\s*\]"
                kind = ReadKind.INT if not known and re.search(number, text) else ReadKind.WORD
                yield ReadToken(kind, "", known)
        elif isinstance(one, Repetition):
            yield replace(one, body=tuple(_with_commands(one.body, text)))
        else:
            yield one


def _compared(what: str, text: str) -> tuple[str, ...]:
    """The texts that something is compared with, if there are several: a single one is rather where the input ends."""
    quoted = r"(?:\"([^\"\\\n]+)\"|'([^'\\\n]+)')"
    equals = r"\.\s*[eE]quals\w*\(\s*"
    ways = [rf"\b{what}\s*(?:===?\s*|{equals}){quoted}", rf"{quoted}\s*(?:===?\s*|{equals}){what}\b(?!\s*\[)"]
    ways.append(rf"\bstrcmp\(\s*{what}\s*,\s*{quoted}")
    if re.search(rf"\bswitch\s*\(?\s*{what}\s*\)?\s*\{{|\bmatch\s+{what}\s*:", text):
        ways.append(rf"\bcase\s+{quoted}\s*:")
    found = dict.fromkeys(a or b for way in ways for a, b in re.findall(way, text))
    return tuple(found) if len(found) > 1 and not any(map(str.isspace, found)) else ()


def _with_lengths(items: Sequence[ReadItem], lengths: str, outside: Sequence[str]) -> tuple[ReadItem, ...]:
    """Lists whose length nothing says have the length that a number says which was read before them."""
    found: list[ReadItem] = []
    known: list[str] = []
    lists = 0
    for one in items:
        if isinstance(one, ReadToken) and one.kind is ReadKind.INT and one.name:
            known.append(one.name)
        if not isinstance(one, Repetition):
            found.append(one)
            continue
        count = one.count
        names = known or list(outside)
        if not count and names:
            count = names[-1] if lengths == "last" else names[min(lists, len(names) - 1)]
            lists += 1
        # Rows of a table: the number behind that of the rows is that of the columns.
        behind = names[names.index(count) + 1 :] if count in names else []
        found.append(Repetition(count, _with_lengths(one.body, lengths, behind or names)))
    return tuple(found)


def _with_counts(items: Sequence[ReadItem], counts: set[str]) -> tuple[ReadItem, ...]:
    """What says how often something is read is a number."""
    found: list[ReadItem] = []
    for one in items:
        if isinstance(one, Repetition):
            found.append(Repetition(one.count, _with_counts(one.body, counts)))
        elif isinstance(one, ReadToken) and one.name in counts:
            found.append(ReadToken(ReadKind.INT, one.name))
        else:
            found.append(one)
    return tuple(found)
