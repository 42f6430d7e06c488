"""Texts that the regular expressions of code match, and some that they just miss.

Code that reads log lines or versions with an expression does nothing with any other text, so that two ways of reading
would seem equal. Expressions of all languages are read with Python's parser: what it does not know gives no texts.
"""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

# Without types: type checkers know these two modules, or do not, by their version.
code: Any = importlib.import_module("re._constants")
parser: Any = importlib.import_module("re._parser")

_QUOTED = re.compile(
    r"""(\b[rR]|@)?(?:("{3}|'{3})((?:(?!\2)[^\\]|\\.){0,2000}?)\2|(["'])((?:(?!\4)[^\\\n]|\\.){0,300}?)\4)""", re.DOTALL
)
_SLASHED = re.compile(
    r"(?:^|[=(,:!&|?\[;{}]|\breturn)\s*/((?:[^/\\\n\[*]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*)/"
)
_EXPRESSION = re.compile(r"\\[dDwWsSb.]|\(\?|\[[^\]]+\][+*{?]?|\.[*+]|[)\w][*+?]\)?|\{\d+(?:,\d*)?\}|^\^|\$$")
_MOST_EXPRESSIONS, _EACH, _LONGEST_EXPRESSION = 6, 8, 300
_MORE = 3
"""How many times more than it must an expression repeats something."""
_LONGEST, _MOST_STEPS = 80, 2000
_SURROGATE = re.compile("[\ud800-\udfff]")
"""Half a character, which no text of a file or a terminal has."""
_ANY = "abz AB.09_-:/ "
_OF_KIND = {
    "CATEGORY_DIGIT": "0123456789", "CATEGORY_NOT_DIGIT": "aZ -.", "CATEGORY_SPACE": "  \t",
    "CATEGORY_NOT_SPACE": "aB3.-", "CATEGORY_WORD": "abzAZ059_", "CATEGORY_NOT_WORD": " -.,!",
}  # fmt: skip


def matching_texts(sources: Iterable[str]) -> tuple[str, ...]:
    """Texts for the regular expressions that are written in pieces of code; the same code gives the same ones."""
    found: dict[str, None] = {}
    for number, expression in enumerate(dict.fromkeys(one for text in sources for one in _expressions(text))):
        if number == _MOST_EXPRESSIONS:
            break
        random = Random(expression)
        tree = _parsed(expression)
        if tree is not None and expression.endswith("$"):
            # The end of a text is also before its last line break, for some ways of matching.
            found[_text(tree, random) + "\n"] = None
        for _ in range(_EACH if tree is not None else 0):
            text = _text(tree, random)
            found[text] = None
            if random.random() < 0.5:  # one that is longer, or lacks something
                at = random.randrange(len(text) + 1)
                found[random.choice((text + random.choice((" ", "x", "1", "\n")), text[:at] + text[at + 1 :]))] = None
    return tuple(found)


def _expressions(source: str) -> Iterator[str]:
    for raw, _, long, _, short in _QUOTED.findall(source):
        text = long or short
        if 1 < len(text) <= _LONGEST_EXPRESSION and _EXPRESSION.search(text):
            yield text if raw else re.sub(r"\\([\\\"'])", r"\1", text)
    for text in _SLASHED.findall(source):
        if _EXPRESSION.search(text):
            yield text


def _parsed(expression: str) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return parser.parse(re.sub(r"\(\?<(?=[A-Za-z])", "(?P<", expression).replace(r"\/", "/"))
    except (re.error, OverflowError, RecursionError):
        return None


def _text(tree: Any, random: Random) -> str:
    made = _Text(random)
    made.add(tree)
    return _SURROGATE.sub("", "".join(made.pieces))[:_LONGEST]


class _Text:
    """A text that an expression matches, made from left to right; what looks around is not followed.

    Repetitions in repetitions would take a host's time and memory: what does not fit any more is left out.
    """

    def __init__(self, random: Random) -> None:
        self.random = random
        self.pieces: list[str] = []
        self._room, self._steps = _LONGEST, _MOST_STEPS
        self._groups: dict[int, str] = {}

    def add(self, tree: Any) -> None:
        """Add the text of a part of an expression."""
        random = self.random
        for kind, given in tree:
            self._steps -= 1
            if self._steps < 0 or self._room <= 0:
                return
            if kind is code.LITERAL:
                self._write(chr(given))
            elif kind is code.NOT_LITERAL:
                self._write(random.choice([one for one in _ANY if one != chr(given)]))
            elif kind is code.ANY:
                self._write(random.choice(_ANY))
            elif kind is code.IN:
                self._write(_character(given, random))
            elif kind in (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT):
                least, most, repeated = given
                for _ in range(random.randint(least, min(int(most), least + _MORE)) if least < _LONGEST else 0):
                    if self._steps < 0:
                        return
                    self.add(repeated)
            elif kind is code.SUBPATTERN:
                begin = len(self.pieces)
                self.add(given[-1])
                if given[0] is not None:
                    self._groups[given[0]] = "".join(self.pieces[begin:])
            elif kind is code.BRANCH:
                self.add(random.choice(given[1]))
            elif kind is code.ATOMIC_GROUP:
                self.add(given)
            elif kind is code.GROUPREF:
                self._write(self._groups.get(given, ""))

    def _write(self, text: str) -> None:
        self.pieces.append(text)
        self._room -= len(text)


def _character(choices: Any, random: Random) -> str:
    """A character of a class, such as `[^a-z_]`."""
    if choices[0][0] is code.NEGATE:
        refused = re.compile("[" + "".join(map(_as_written, choices[1:])) + "]")
        return random.choice([one for one in _ANY if not refused.match(one)] or ["\N{SNOWMAN}"])
    kind, given = random.choice(choices)
    if kind is code.RANGE:
        return chr(random.choice((given[0], given[1], random.randint(*given))))
    return chr(given) if kind is code.LITERAL else random.choice(_OF_KIND.get(str(given), "a"))


_CATEGORIES = {"DIGIT": r"\d", "SPACE": r"\s", "WORD": r"\w", "NOT_DIGIT": r"\D", "NOT_SPACE": r"\S", "NOT_WORD": r"\W"}


def _as_written(choice: Any) -> str:
    kind, given = choice
    if kind is code.RANGE:
        return f"{re.escape(chr(given[0]))}-{re.escape(chr(given[1]))}"
    return re.escape(chr(given)) if kind is code.LITERAL else _CATEGORIES[str(given).removeprefix("CATEGORY_")]
