"""Pygments' lexers, several times as fast: only the rules that can match at a character are tried there.

Pygments tries the rules of a state one after the other, some fifteen for a token. Most of them begin with another
character than the next one of the text, which their regular expressions tell beforehand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from importlib import import_module
from typing import Any, ClassVar

from pygments.lexer import Lexer, RegexLexer
from pygments.lexers import find_lexer_class_by_name
from pygments.token import Error, Whitespace, _TokenType
from pygments.util import ClassNotFound

Rule = tuple[Callable[[str, int], re.Match[str] | None], Any, Any]
"""As Pygments keeps it: how to match, what the match is, and the change of state."""

_CATEGORIES = {"SPACE": r"\s", "DIGIT": r"\d", "WORD": r"\w", "NOT_SPACE": r"\S", "NOT_DIGIT": r"\D", "NOT_WORD": r"\W"}
# These flags do not change which characters an expression can begin with.
_HARMLESS_FLAGS = re.UNICODE | re.MULTILINE | re.DOTALL | re.VERBOSE
# Rules are remembered for characters below this one: a text could contain all others of Unicode.
_REMEMBERED_BELOW = "\u0100"
_LARGE_SET = 64


@cache
def lexer_class(language: str) -> type[Lexer] | None:
    """The lexer of a language by its name in lower case; None if Pygments has none."""
    try:
        found = find_lexer_class_by_name(language)
    except ClassNotFound:
        return None
    # Behind the lexer's own methods, and before those of `RegexLexer`.
    return type(found.__name__, (found, RulesByCharacter), {}) if issubclass(found, RegexLexer) else found


class RulesByCharacter(RegexLexer):
    """The loop of `RegexLexer`, with fewer rules to try. It yields the same tokens."""

    _tokens: dict[str, Sequence[Rule]]
    # For each state: its rules, and those of them that can match at a character.
    _states: ClassVar[dict[str, tuple[Sequence[Rule], dict[str, Sequence[Rule]]]]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._states = {}

    def get_tokens_unprocessed(
        self, text: str, stack: Iterable[str] = ("root",)
    ) -> Iterator[tuple[int, _TokenType, str]]:
        """Yield the position, type and text of each token."""
        position, states = 0, list(stack)
        rules, by_character = self._state(states[-1])
        end = len(text)
        while True:
            character = text[position] if position < end else ""
            candidates = by_character.get(character)
            if candidates is None:
                candidates = [rule for rule in rules if can_begin(rule[0], character)]
                if character < _REMEMBERED_BELOW:
                    by_character[character] = candidates
            for rule in candidates:
                found = rule[0](text, position)
                if found is not None:
                    break
            else:
                if not character:
                    return
                if character == "\n":
                    states = ["root"]
                    rules, by_character = self._state("root")
                yield position, Whitespace if character == "\n" else Error, character
                position += 1
                continue
            _, action, change = rule
            if type(action) is _TokenType:
                yield position, action, found.group()
            elif action is not None:
                yield from action(self, found)
            position = found.end()
            if change is not None:
                _change(states, change)
                rules, by_character = self._state(states[-1])

    def _state(self, name: str) -> tuple[Sequence[Rule], dict[str, Sequence[Rule]]]:
        rules = self._tokens[name]
        known = self._states.get(name)
        if known is None or known[0] is not rules:
            known = self._states[name] = rules, {}
        return known


def _change(states: list[str], change: tuple[str, ...] | int | str) -> None:
    """Change the stack of states; one always stays."""
    if isinstance(change, int):
        del states[1 if abs(change) >= len(states) else change :]
        return
    for state in change if isinstance(change, tuple) else (change,):
        if state != "#pop":
            states.append(states[-1] if state == "#push" else state)
        elif len(states) > 1:
            states.pop()


def can_begin(match: Callable[[str, int], re.Match[str] | None], character: str) -> bool:
    """Whether a rule may match a text that begins with a character ("" for the end of the text); True if unknown."""
    pattern = getattr(match, "__self__", None)
    if not isinstance(pattern, re.Pattern) or pattern.flags & ~_HARMLESS_FLAGS:
        return True
    firsts = _firsts(pattern)
    return firsts is None or (character != "" and any(test(character) for test in firsts))


Test = Callable[[str], bool]
"""Whether a character can be the first of a match."""


@cache
def _firsts(pattern: re.Pattern[str]) -> list[Test] | None:
    """Tests of the first character of a match; None if they are unknown, or if the match can be empty."""
    tests: list[Test] = []
    try:
        parsed = import_module("re._parser").parse(pattern.pattern, pattern.flags)
        return tests if _takes_one(parsed, tests) else None
    except (ImportError, NotImplementedError):
        return None


def _takes_one(items: Iterable[tuple[Any, Any]], tests: list[Test]) -> bool:
    """Whether a parsed expression always takes a character; adds the tests of the first one."""
    for operation, value in items:
        name = str(operation)
        if name in ("AT", "ASSERT", "ASSERT_NOT"):
            takes = False
        elif name == "IN" and len(value) > _LARGE_SET:
            raise NotImplementedError("testing a set of this size costs more than trying the rule")
        elif name in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
            tests.append(partial(_is_in, value if name == "IN" else [(operation, value)]))
            takes = True
        elif name == "BRANCH":
            takes = min([_takes_one(branch, tests) for branch in value[1]])
        elif name == "SUBPATTERN" and not value[1] and not value[2]:
            takes = _takes_one(value[3], tests)
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            takes = _takes_one(value[2], tests) and value[0] > 0
        else:
            raise NotImplementedError(name)
        if takes:
            return True
    return False


def _is_in(members: Sequence[tuple[Any, Any]], character: str) -> bool:
    """Whether a character belongs to a parsed set."""
    found = negated = False
    for operation, value in members:
        match str(operation):
            case "NEGATE":
                negated = True
            case "LITERAL":
                found |= ord(character) == value
            case "NOT_LITERAL":
                found |= ord(character) != value
            case "RANGE":
                found |= value[0] <= ord(character) <= value[1]
            case "CATEGORY":
                found |= re.match(_CATEGORIES[str(value).removeprefix("CATEGORY_")], character) is not None
            case "ANY":
                found = True
            case _:
                # Neither a member nor excluded: the rule is tried.
                return True
    return found is not negated
