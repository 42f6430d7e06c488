"""Standard inputs that follow a grammar: counts agree with what they count, small ones first."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random

from clonetruth.execution.inputs.stdin_grammar import InputGrammar
from clonetruth.execution.inputs.stdin_items import UNTIL_END, LineEnd, ReadItem, ReadKind, ReadToken, Repetition

_MOST_TOKENS = 400
_MOST_WORDS, _MOST_REPEATED, _MOST_ENDS = 2_000, 50, 20
_SAFE = re.compile(r"[\w+\-*/()]{1,40}")


class ValueRange(StrEnum):
    """Which numbers an input has. Contests rarely allow the last three, and never say so in the program."""

    TINY = "1 to 3"
    SMALL = "1 to 10"
    MEDIUM = "1 to 100"
    ZERO = "zero"
    NEGATIVE = "negative"
    HUGE = "huge"

    @property
    def is_likely(self) -> bool:
        """Whether most problems allow such numbers."""
        return self in (ValueRange.TINY, ValueRange.SMALL, ValueRange.MEDIUM)


_DRAWS: Mapping[ValueRange, Callable[[Random], int]] = {
    ValueRange.TINY: lambda random: random.randint(1, 3),
    ValueRange.SMALL: lambda random: random.randint(1, 10),
    ValueRange.MEDIUM: lambda random: random.randint(1, 100),
    ValueRange.ZERO: lambda random: random.choice((0, 0, 1, 2)),
    ValueRange.NEGATIVE: lambda random: random.randint(-10, 5),
    ValueRange.HUGE: lambda random: random.randint(10**6, 10**9),
}


@dataclass(frozen=True)
class GrammarText:
    """An input.

    Attributes:
        text: what is read.
        numbers: the numbers that were read into variables, the first value of each.
        lists: the lists that were read into variables, the first of each.
        likely: whether most problems would allow it.
    """

    text: str
    numbers: Mapping[str, int] = field(default_factory=dict, hash=False)
    lists: Mapping[str, Sequence[int]] = field(default_factory=dict, hash=False)
    likely: bool = True


@dataclass
class GrammarWriter:
    """Writes inputs that follow a grammar.

    Attributes:
        grammar: what a program reads.
        random: decides values.
        letters: of words.
        guess: what stands for a count that is not known: 0 for two, 1 for the number that was read last, 2 for the one
            before it, 3 for one.
    """

    grammar: InputGrammar
    random: Random
    letters: str = "abc"
    guess: int = 0

    def __post_init__(self) -> None:
        self._counts = set(_counted(self.grammar.items))
        self._lengths = set(_lengths(self.grammar.items)) - {""}

    def write(self, values: ValueRange, size: int) -> GrammarText:
        """An input.

        Args:
            values: its numbers.
            size: how large counts are, at least 1.
        """
        self._values, self._size = values, size
        self._numbers: dict[str, int] = {}
        self._first: dict[str, int] = {}
        self._lists: dict[str, list[int]] = {}
        self._order: list[int] = []
        self._lines: list[list[str]] = [[]]
        self._left = _MOST_TOKENS
        self._commands: dict[tuple[str, ...], list[str]] = {}
        self._items(self.grammar.items, outermost=True)
        lines = [" ".join(one) for one in self._lines]
        while lines and not lines[-1]:
            lines.pop()
        text = "".join(f"{one}\n" for one in lines)
        return GrammarText(text, self._first, self._lists, values.is_likely)

    def _items(self, items: Sequence[ReadItem], *, outermost: bool = False) -> None:
        for one in items:
            if self._left <= 0:
                return
            if isinstance(one, LineEnd):
                self._lines.append([])
            elif isinstance(one, ReadToken):
                self._token(one)
            else:
                self._repeat(one)

    def _token(self, one: ReadToken) -> None:
        self._left -= 1
        if one.kind is ReadKind.INT:
            is_count = one.name in self._counts or one.name in self._lengths
            number = self._count() if is_count else _DRAWS[self._values](self.random)
            if one.name:
                self._numbers.pop(one.name, None)
                self._numbers[one.name] = number
                self._first.setdefault(one.name, number)
            self._order.append(number)
            self._lines[-1].append(str(number))
        elif one.kind is ReadKind.FLOAT:
            self._lines[-1].append(f"{_DRAWS[self._values](self.random) / 2:.1f}")
        elif one.commands or one.kind is ReadKind.LETTER:
            self._lines[-1].append(self._command(one) if one.commands else self.random.choice(self.letters))
        else:
            last = next(reversed(self._numbers), "")
            length = self.random.randint(1, 2 + 2 * self._size)
            if last in self._lengths and last not in self._counts:
                length = max(self._numbers[last], 1)
            self._lines[-1].append("".join(self.random.choice(self.letters) for _ in range(length)))

    def _command(self, one: ReadToken) -> str:
        """One of the commands, all of which come before one comes again."""
        left = self._commands.setdefault(one.commands, [])
        if not left:
            left += self.random.sample(one.commands, len(one.commands))
        return left.pop()

    def _count(self) -> int:
        if self._values is ValueRange.ZERO and self.random.random() < 0.3:
            return 0
        return self.random.randint(1, 1 + self._size)

    def _repeat(self, one: Repetition) -> None:
        count = min(max(self._evaluated(one.count), 0), 20)
        single = len(one.body) == 1 and isinstance(one.body[0], ReadToken)
        apart = not self.grammar.by_line and bool(self._lines[-1])
        if apart:
            self._lines.append([])
        start = len(self._order)
        for _ in range(count):
            self._items(one.body)
            is_word = single and isinstance(one.body[0], ReadToken) and one.body[0].kind is not ReadKind.INT
            if not self.grammar.by_line and self._lines[-1] and (not single or is_word):
                self._lines.append([])
        if single and isinstance(one.body[0], ReadToken) and one.body[0].kind is ReadKind.INT:
            self._lists.setdefault(one.body[0].name, self._order[start:])
            self._first.pop(one.body[0].name, None)
        if not self.grammar.by_line and self._lines[-1]:
            self._lines.append([])

    def _evaluated(self, expression: str) -> int:
        """The value of a count; a guess if a name in it was not read."""
        if expression == UNTIL_END:
            return self.random.randint(1, 2 + 2 * self._size)
        value = _counted_as(expression, self._numbers)
        if value is not None:
            return value
        known = [*self._numbers.values()]
        guesses = (2, known[-1] if known else 3, known[-2] if len(known) > 1 else 2, 1)
        return guesses[self.guess % len(guesses)]


def _counted_as(expression: str, numbers: Mapping[str, int]) -> int | None:
    """The value of a count; None if it cannot be computed from numbers that were read."""
    if not _SAFE.fullmatch(expression) or "**" in expression or "//" in expression:
        return None
    if not set(re.findall(r"[A-Za-z_]\w*", expression)) <= numbers.keys():
        return None
    filled = re.sub(r"[A-Za-z_]\w*", lambda found: str(numbers[found[0]]), expression)
    try:
        return _computed(filled.replace("/", "//"))
    except (ValueError, ArithmeticError):
        return None


def follows(grammar: InputGrammar, text: str) -> bool:
    """Whether a text has the form that a grammar says, to its last word: as many numbers and words, in the same places.
    Where lines end does not matter, nor how often something is read of which the grammar does not say how often.

    Example:
        >>> from clonetruth.execution.inputs.stdin_grammar import infer_grammar
        >>> total = infer_grammar("n = int(input())\\na = list(map(int, input().split()))", "python")
        >>> follows(total, "2\\n5 7\\n"), follows(total, "2\\n5\\n"), follows(total, "5 7\\n1\\n")
        (True, False, False)
    """
    words = text.split()
    if len(words) > _MOST_WORDS:
        return False
    return any(at == len(words) for at, _ in _ends(grammar.items, words, 0, {}))


def _ends(
    items: Sequence[ReadItem], words: Sequence[str], at: int, numbers: Mapping[str, int]
) -> Iterator[tuple[int, Mapping[str, int]]]:
    """Where reading can end that begins at a word, with the numbers that were read."""
    if not items:
        yield at, numbers
        return
    one, rest = items[0], items[1:]
    if isinstance(one, LineEnd):
        yield from _ends(rest, words, at, numbers)
    elif isinstance(one, ReadToken):
        if at < len(words) and _is_word(one.kind, words[at]):
            known = {**numbers, one.name: int(words[at])} if one.kind is ReadKind.INT else numbers
            # A line has one word or more.
            last = len(words) if one.kind is ReadKind.LINE else at + 1
            for end in range(at + 1, last + 1):
                yield from _ends(rest, words, end, known)
    else:
        count = _counted_as(one.count, numbers)
        counts = range(_MOST_REPEATED) if count is None else [count]
        for often in counts:
            before = [(at, numbers)]
            for _ in range(min(often, len(words) + 1)):
                before = list(itertools.islice((end for b in before for end in _ends(one.body, words, *b)), _MOST_ENDS))
            if not before:
                return
            for end, known in before:
                yield from _ends(rest, words, end, known)


def _is_word(kind: ReadKind, word: str) -> bool:
    if kind is ReadKind.INT:
        return re.fullmatch(r"[+-]?\d{1,18}", word) is not None
    return kind is not ReadKind.FLOAT or re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", word) is not None


def _computed(expression: str) -> int:
    """The value of an expression of whole numbers.

    Raises:
        ValueError: it is not one.
    """
    tokens = re.findall(r"\d+|//|[+\-*()]", expression)
    if "".join(tokens) != expression:
        raise ValueError(expression)

    def total() -> int:
        value = product()
        while tokens and tokens[0] in "+-":
            value = value + product() if tokens.pop(0) == "+" else value - product()
        return value

    def product() -> int:
        value = atom()
        while tokens and tokens[0] in ("*", "//"):
            value = value * atom() if tokens.pop(0) == "*" else value // atom()
        return value

    def atom() -> int:
        token = tokens.pop(0) if tokens else ""
        if token == "(":
            value = total()
            if not tokens or tokens.pop(0) != ")":
                raise ValueError(expression)
            return value
        if token in "+-" and token:
            return atom() if token == "+" else -atom()
        if not token.isdigit():
            raise ValueError(expression)
        return int(token)

    found = total()
    if tokens:
        raise ValueError(expression)
    return found


def _counted(items: Sequence[ReadItem]) -> Iterator[str]:
    """The variables that say how often something is read."""
    for one in items:
        if isinstance(one, Repetition):
            yield from re.findall(r"[A-Za-z_]\w*", one.count)
            yield from _counted(one.body)


def _lengths(items: Sequence[ReadItem]) -> Iterator[str]:
    """The variables that may say how long the word behind them is."""
    last = ""
    for one in items:
        if isinstance(one, ReadToken):
            if one.kind is ReadKind.INT:
                last = one.name
            elif one.kind in (ReadKind.WORD, ReadKind.LINE) and not one.commands:
                yield last
        elif isinstance(one, Repetition):
            last = ""
            yield from _lengths(one.body)


def signature(grammar: InputGrammar) -> str:
    """A grammar without names and lines: equal for programs that read the same tokens.

    Example:
        >>> from clonetruth.execution.inputs.stdin_grammar import infer_grammar
        >>> signature(infer_grammar('int main() { int n; cin >> n; while (n--) { int a; cin >> a; } }', "cpp"))
        'number 0×(number)'
    """
    places: dict[str, int] = {}

    def written(items: Sequence[ReadItem]) -> str:
        said: list[str] = []
        for one in items:
            if isinstance(one, ReadToken):
                said.append(str(ReadKind.WORD if one.kind in (ReadKind.LINE, ReadKind.LETTER) else one.kind))
                places[one.name] = len(places)
            elif isinstance(one, Repetition):
                count = re.sub(r"[A-Za-z_]\w*", lambda found: str(places.get(found[0], "?")), one.count) or "?"
                said.append(f"{count}×({written(one.body)})")
        return " ".join(said)

    return written(grammar.items)
