"""The inputs of a search: made from types, each run once, with what the code assumes about them."""

from __future__ import annotations

import itertools
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from clonetruth.execution.harness.harness import CallInput
from clonetruth.execution.inputs.constants import Constants
from clonetruth.execution.inputs.domains import InputDomain
from clonetruth.execution.inputs.generation import generate, sort_key
from clonetruth.execution.inputs.lengths import ListLength, lengths_agree, with_lengths
from clonetruth.execution.inputs.library_values import has_choice, is_chosen
from clonetruth.execution.inputs.neighbours import neighbours
from clonetruth.execution.inputs.single_precision import with_single_precision
from clonetruth.execution.inputs.stdin import stdin_texts
from clonetruth.execution.inputs.types import InputType
from clonetruth.execution.values import COMPARING, Value, value_key

_SORTED = re.compile(r"binary.?search|sorted_?(list|arr|nums|seq)", re.IGNORECASE)
"""Names that say that a list is sorted."""
_SORTS = re.compile(r"\bsorted\s*\(|\w*sort\w*\s*\(|\.sort\b|OrderBy|Collections\.sort", re.IGNORECASE)
_BISECTED = re.compile(r"\bbisect\w*\s*\(\s*(\w+)")
_PLACE = r"(?:mid|middle|m|center|centre|guess_?index|half)\w*"
_HALVED = re.compile(rf"\b{_PLACE}\s*:?=[^=\n;]*(?:/\s*2\b|>>>?\s*1\b)", re.IGNORECASE)
_AT = rf"(?:\[\s*{_PLACE}\s*\]|\.(?:get|at|charAt|ElementAt)\(\s*{_PLACE}\s*\))"
_COMPARED = re.compile(rf"{_AT}[\w.()]*\s*(?:[<>]|[=!]=|\.compareTo)|(?:[<>]=?|[=!]==?)\s*[\w.]+{_AT}", re.IGNORECASE)
"""An element in the middle that decides where to go on."""
_BETWEEN = re.compile(rf"\b{_PLACE}\s*:?=[^=\n;]*\+[^=\n;]*(?:/\s*2\b|>>>?\s*1\b)", re.IGNORECASE)
_TAKEN = re.compile(rf"(?<![=!<>])(?<!pivot )(?<!pivot)=\s*[\w.]+{_AT}", re.IGNORECASE)
"""The same where the element gets a name first, if the middle is one between two places."""
_READS = re.compile(r"\b(raw_)?input\s*\(|\bstdin\b|\bScanner\b|\breadline\s*\(|\bscanf\s*\(|\bcin\s*>>|ReadLine\(")
_MOST_OTHERS = 6
_TRIED = 2_000
_STDINS = 97
_ROTATED = re.compile(r"rotat|circular|pivot", re.IGNORECASE)
SORTED = "lists are sorted (guessed from the code)"
"""A precondition that was guessed from the code."""
ROTATED = "lists are sorted, then rotated (guessed from the code)"
"""The same for code that searches rotated lists."""
STATED = "inputs are those that the source states"
"""The precondition that a stated domain is."""

Arguments = tuple[Value, ...]


def _search_sorted(texts: Sequence[str]) -> bool:
    """Whether code searches in lists that are sorted: by name, or by halves, comparing what is in the middle. Code that
    only divides a list, as a merge sort does, or sorts it itself, does not ask for that."""
    if any(map(_SORTED.search, texts)):
        return True
    if any(map(_SORTS.search, texts)):
        return False
    return any(
        (_HALVED.search(text) and _COMPARED.search(text))
        or (_BETWEEN.search(text) and _TAKEN.search(text))
        or _bisects(text)
        for text in texts
    )


def _is_ascii(value: Value) -> bool:
    """Whether all texts of a value have letters of ASCII alone."""
    if isinstance(value, str):
        return value.isascii()
    if isinstance(value, list):
        return all(map(_is_ascii, value))
    return not isinstance(value, dict) or all(map(_is_ascii, value.values()))


def _bisects(text: str) -> bool:
    """Whether `bisect` searches in a parameter, and not in a list that the code makes."""
    head = text.partition(":\n")[0]
    return any(re.search(rf"\b{name}\b", head) for name in _BISECTED.findall(text))


@dataclass
class InputStream:
    """Inputs for two pieces of code.

    Attributes:
        texts: the code of both, whose constants are used.
        seed: the same seed gives the same inputs.
        types: of the arguments.
        others: further types that both sides take.
        fewest: the types of the arguments without all those that have a default; None if none has.
        precondition: what is assumed about the inputs; None if nothing is.
        only_small: whether only small values are made, for code that is slow.
        domain: the inputs that a specification permits; None if none is stated.
        names: arguments that stand for constants of the file around the code, or for functions that are missing, by
            their place.
        lengths: what says how long lists are, for each side.
        single: types of arguments whose numbers have single precision on one side alone.
        only_ascii: whether texts have no other letters: a side that takes them as bytes has several for one of these.
    """

    texts: tuple[str, str]
    seed: int
    types: tuple[InputType, ...] = ()
    others: list[tuple[InputType, ...]] = field(default_factory=list)
    fewest: tuple[InputType, ...] | None = None
    precondition: str | None = None
    only_small: bool = False
    domain: InputDomain | None = None
    names: Mapping[int, str] = field(default_factory=dict)
    lengths: Sequence[Sequence[ListLength]] = ()
    single: list[list[InputType | None]] = field(default_factory=list)
    only_ascii: bool = False
    _seen: set[bytes] = field(default_factory=set, repr=False)
    _stdins: list[str] = field(default_factory=list, repr=False)
    _made: dict[object, tuple[list[Arguments], Iterator[Arguments]]] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self._constants = Constants(self.texts)
        self._choosing: tuple[tuple[InputType, ...], bool] = (), False
        self._reads = any(_READS.search(text) for text in self.texts)

    def new_texts(self, count: int) -> list[CallInput]:
        """Standard inputs for programs that read numbers and words."""
        return [CallInput(stdin=one) for one in itertools.islice(stdin_texts(self._constants, self.seed), count)]

    def generated(self, types: Sequence[InputType]) -> Iterator[Arguments]:
        """Arguments of these types, without end; if a domain is stated, permitted ones of any type."""
        made = self._remembered(tuple(types))
        if self.domain is None:
            return made
        permitted = filter(self.domain.permits, itertools.islice(made, _TRIED))
        # Alternately made for the code, whose constants matter, and drawn from the domain.
        both = itertools.zip_longest(
            permitted, itertools.islice(self.domain.drawn(self.seed, self._constants.written), _TRIED)
        )
        return (one for pair in both for one in pair if one is not None)

    def _remembered(self, types: tuple[InputType, ...]) -> Iterator[Arguments]:
        """Arguments from the first one on, each of which is made only once."""
        key = (types, self.only_small)
        if key not in self._made:
            made = generate(types, self._constants, self.seed, only_small=self.only_small, names=self.names)
            self._made[key] = [], made
        known, rest = self._made[key]
        for at in itertools.count():
            if at == len(known):
                one = next(rest, None)
                if one is None:
                    return
                known.append(one)
            yield known[at]

    def best(self, count: int) -> list[CallInput]:
        """New inputs of the best types."""
        return self.fresh(map(self.prepared, self.generated(self.types)), count)

    def mixed(self, count: int) -> Iterator[Arguments]:
        """Inputs of the best types, and a third of others that both sides take, too."""
        best = map(self.prepared, self.generated(self.types))
        further = [
            map(partial(self.evened, types=types), self.generated(types)) for types in self.others[:_MOST_OTHERS]
        ]
        for number in range(count):
            stream = further[number // 3 % len(further)] if further and number % 3 == 2 else best
            one = next(stream, None)
            if one is not None:
                yield one

    def left_out(self) -> list[tuple[InputType, ...]]:
        """Types that leave out an argument with a default, which the best types pass."""
        passed = sum(one.kind == "default" for one in self.types)
        others = self.others if self.fewest is None else [self.fewest, *self.others]
        fewer = [one for one in others if sum(kind.kind == "default" for kind in one) > passed]
        return list(dict.fromkeys(fewer))[:2]

    def near(self, telling: Iterable[Arguments]) -> Iterator[Arguments]:
        """Arguments that differ a little from others: from each in turn."""
        each = (neighbours(one, self._constants, self.types) for one in telling)
        rounds = itertools.chain.from_iterable(itertools.zip_longest(*each))
        return (self.prepared(tuple(less)) for less in rounds if less is not None)

    def fresh(self, arguments: Iterable[Arguments], count: int) -> list[CallInput]:
        """Inputs that have not been given out yet."""
        found: list[CallInput] = []
        for one in arguments:
            key = value_key(one)
            if key not in self._seen and self.permits(one):
                self._seen.add(key)
                found.append(self.call(one))
            if len(found) >= count:
                break
        return found

    def permits(self, arguments: Arguments) -> bool:
        """Whether the stated domain permits arguments, and each choice is one of its values."""
        if self._choosing[0] is not self.types:
            self._choosing = self.types, any(map(has_choice, self.types))
        chosen = not self._choosing[1] or all(map(is_chosen, self.types, arguments))
        permitted = chosen and (self.domain is None or self.domain.permits(arguments))
        return permitted and self.is_expressible(arguments)

    def forget(self) -> None:
        """As if no input had been given out, and nothing were known."""
        self.types, self._seen = (), set()
        self.precondition = None if self.domain is None else STATED

    def call(self, arguments: Arguments) -> CallInput:
        """An input with something to read, if the code reads."""
        if not self._reads:
            return CallInput(arguments)
        if not self._stdins:
            self._stdins = list(itertools.islice(stdin_texts(self._constants, self.seed), _STDINS))
        return CallInput(arguments, self._stdins[len(self._seen) % _STDINS])

    def assume(self) -> None:
        """Guess a precondition, if none is stated."""
        if self.domain is not None:
            self.precondition = STATED
            return
        lists = [at for at, one in enumerate(self.types) if one.kind == "list" and not one.inner[0].inner]
        if lists and _search_sorted(self.texts):
            self.precondition = ROTATED if any(_ROTATED.search(text) for text in self.texts) else SORTED

    def evened(self, arguments: Arguments, types: Sequence[InputType]) -> Arguments:
        """Arguments with lists whose lengths both sides can be given, and numbers that both can hold."""
        for one in self.lengths:
            arguments = with_lengths(one, types, arguments)
        for kinds in self.single:
            arguments = with_single_precision(kinds, arguments)
        return arguments

    def is_expressible(self, arguments: Arguments) -> bool:
        """Whether both sides can be given the same."""
        if self.only_ascii and not all(map(_is_ascii, arguments)):
            return False
        return all(lengths_agree(one, arguments) for one in self.lengths)

    def prepared(self, arguments: Arguments) -> Arguments:
        """Arguments that fulfil the precondition, and that both sides can be given."""
        arguments = self.evened(arguments, self.types)
        if self.precondition not in (SORTED, ROTATED) or len(arguments) != len(self.types):
            return arguments
        ways = [one["function"] for one in arguments if isinstance(one, dict) and "function" in one]
        step = -1 if any(role in COMPARING and results == [False] for role, results in ways) else 1
        return tuple(
            {"list": self._in_order(one["list"])[::step]}
            if isinstance(one, dict) and "list" in one and not kind.inner[0].inner
            else one
            for one, kind in zip(arguments, self.types, strict=True)
        )

    def _in_order(self, elements: list[Value]) -> list[Value]:
        found = sorted(elements, key=sort_key)
        # By how much follows from the elements, so that the same input is always prepared alike.
        by = zlib.crc32(repr(elements).encode()) % len(found) if found and self.precondition == ROTATED else 0
        return found[by:] + found[:by]
