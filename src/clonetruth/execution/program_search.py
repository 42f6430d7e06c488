"""Searches an input on which two programs differ, among inputs that programs of their kind are given.

What both read is inferred from their texts. A grammar is believed if a program comes to an end with inputs that follow
it, does the same if something is added behind them, and something else if the last word is missing. A difference on an
input that no problem is likely to allow (zero, negative or huge numbers), or that a simple condition separates from all
inputs on which both do the same, is recorded as `domain`, which does not count by default. Any other difference on an
input of an inferred form is `inferred`, unless an input that somebody gave has that form, too.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

from clonetruth.execution.comparison import Difference, compare_calls
from clonetruth.execution.harness.harness import CallInput, Observation
from clonetruth.execution.inputs.constants import Constants
from clonetruth.execution.inputs.grammar_texts import GrammarText, GrammarWriter, ValueRange, follows, signature
from clonetruth.execution.inputs.stdin import stdin_texts
from clonetruth.execution.inputs.stdin_grammar import InputGrammar, infer_grammar
from clonetruth.execution.inputs.stdin_items import ReadKind
from clonetruth.execution.paired_runs import Observed, PairedRuns

_GUESSES, _FORMS = 3, 4
_PROBES = 3
_TURNS = 6
_LEAST_HOLD = 0.3
_LEAST_COUNT = 8
_LIKELY = (ValueRange.TINY, ValueRange.SMALL, ValueRange.MEDIUM)
_UNLIKELY = (ValueRange.ZERO, ValueRange.NEGATIVE, ValueRange.HUGE)


@dataclass(frozen=True)
class _Form:
    """A grammar with a guess for counts that it does not say, and which sides take inputs of that form."""

    grammar: InputGrammar
    guess: int
    owner: int
    taken: tuple[bool, bool] = (False, False)


@dataclass
class ProgramSearch:
    """Runs two programs with inputs that follow what they read.

    Attributes:
        runs: runs both sides, and remembers.
        texts: of the two programs.
        seed: of the inputs.
        reads: whether the programs may read something; what reads nothing does the same with every input.
        shows_inferred: whether a difference counts on an input of an inferred form. Then somebody sees it, and decides
            whether equal elements or one element alone are permitted; that numbers are in order is still assumed.
        precondition: what is assumed about the input, for people to read; None if nothing is.
        is_guess: whether the form of the input is not known, so that a difference shows nothing.
        is_confirmed: whether an input that somebody gave, and that both take, has the form of the others. One on which
            other solutions agree does not say which other inputs are permitted.
        given: the standard inputs that were given.
    """

    runs: PairedRuns
    texts: tuple[str, str]
    seed: int = 0
    reads: bool = True
    shows_inferred: bool = False
    precondition: str | None = None
    is_guess: bool = False
    is_confirmed: bool = False
    given: set[str] = field(default_factory=set)
    _written: dict[str, GrammarText] = field(default_factory=dict)
    _rejected: set[str] = field(default_factory=set)

    def run(self, given: Sequence[CallInput], count: int) -> None:
        """Run inputs: those that are given, then those that follow a grammar, else layouts that contests use."""
        self.given = {one.stdin for one in given}
        self.runs.run_batch(given)
        forms = self._forms()
        best = self._best(forms)
        if best is None:
            self.is_guess = self.reads
            generic = stdin_texts(Constants(self.texts), self.seed)
            self.runs.run_batch([CallInput(stdin=next(generic)) for _ in range(count)])
            return
        self.precondition = f"the input has the form {best.grammar}"
        self.is_confirmed = any(
            one.is_normal and other.is_normal and follows(best.grammar, call.stdin)
            for call, one, other in self.runs.log
            if call.stdin in self.given and not call.agreed
        )
        share = max(count - len(self.runs.log), 0)
        self.runs.run_batch(self._inputs(best, share * 3 // 4, _LIKELY))
        if not any(print_differently(one, other) for _, one, other in self.runs.log):
            self.runs.run_batch(self._inputs(best, share // 4, _UNLIKELY))

    def kinds(self, observed: Observed, found: frozenset[Difference]) -> frozenset[Difference]:
        """The kinds of differences that an input shows, if it is one that the programs are made for; `domain`
        otherwise. A missing package does not count as a difference."""
        call, *sides = observed
        if any(isinstance(one, Observation) and one.missing for one in sides):
            return frozenset()
        is_outside = call.stdin in self._rejected or (self.is_guess and call.stdin not in self.given)
        if found and is_outside:
            return frozenset({Difference.DOMAIN})
        is_inferred = self.reads and not self.is_confirmed and call.stdin not in self.given
        return frozenset({Difference.INFERRED}) if is_inferred and found - {Difference.FORMAT} else found

    def judge_domain(self) -> None:
        """Decide which inputs are outside of what the programs are likely made for."""
        differing, agreeing = [], []
        for call, one, other in self.runs.log:
            written = self._written.get(call.stdin)
            if written is None:
                continue
            differs = print_differently(one, other)
            if not written.likely:
                self._rejected.add(call.stdin)
            elif differs:
                differing.append(written)
            elif one.is_normal and other.is_normal:
                agreeing.append(written)
        if not differing or len(agreeing) < _LEAST_COUNT:
            return
        one_sided = [
            call.stdin
            for call, one, other in self.runs.log
            if one.is_normal != other.is_normal and call.stdin in self._written
        ]
        # Where both take other inputs of this form, one that only one of them takes is probably not meant.
        self._rejected.update(one_sided)
        differing = [one for one in differing if one.text not in self._rejected]
        for condition in _conditions([*agreeing, *differing]):
            kept = sum(map(condition.holds, agreeing))
            share = kept / (len(agreeing) + len(differing))
            if differing and not any(map(condition.holds, differing)) and kept >= _LEAST_COUNT and share >= _LEAST_HOLD:
                if self.shows_inferred and not condition.is_relation:
                    return
                self.precondition = f"{self.precondition}, {condition.name}"
                self._rejected.update(one.text for one in differing)
                return

    # -- forms ------------------------------------------------------------------------------------------------------

    def _forms(self) -> list[_Form]:
        """Forms to try: what the one that reads by lines reads comes first, since others do not care."""
        found: list[_Form] = []
        for owner, (text, side) in enumerate(zip(self.texts, (self.runs.left, self.runs.right), strict=True)):
            grammars = [infer_grammar(text, side.code.language, lengths=one) for one in ("first", "last")]
            for number, grammar in enumerate(dict.fromkeys(grammars)):
                guesses = _GUESSES if "?" in str(grammar) else 1
                found += [
                    _Form(grammar, guess, owner) for guess in range(guesses) if grammar.tokens and not number * guess
                ]
        # A whole number is a decimal number for a program that reads one; the other way round it is not an input.
        found.sort(key=lambda one: (one.guess, not one.grammar.by_line, str(one.grammar).count(ReadKind.FLOAT)))
        return found[:_FORMS]

    def _best(self, forms: Sequence[_Form]) -> _Form | None:
        """The form that both take; else that of one, if each takes its own; None if neither is believed."""
        probes: list[tuple[_Form, str, str, str]] = []
        for number, form in enumerate(forms):
            writer = self._writer(form, f"probe {number}")
            for at in range(_PROBES):
                # What prints nothing but for one of its commands needs several.
                turns = _TURNS if form.grammar.has_commands else 1
                text = max((writer.write(_LIKELY[at % 2 + 1], turns + 1 + at).text for _ in range(turns)), key=len)
                probes.append((form, *probes_of(text, is_open=form.grammar.is_open)))
        calls = [CallInput(stdin=text) for _, *texts in probes for text in texts]
        seen = self._observed(calls)
        tried: dict[int, list[tuple[bool, bool, bool, bool]]] = {}
        for at, (form, *_) in enumerate(probes):
            trio = seen[at * 3 : at * 3 + 3]
            if len(trio) == 3:
                sides = zip(*(pair for _, *pair in trio), strict=True)
                is_open = probes[at][0].grammar.is_open
                left, right = (takes_and_notices(*three, is_open=is_open) for three in sides)
                tried.setdefault(forms.index(form), []).append((*left, *right))
        judged = []
        for number, fits in tried.items():
            form = forms[number]
            takes = all(one[0] for one in fits), all(one[2] for one in fits)
            notices = any(one[1] for one in fits), any(one[3] for one in fits)
            # What is last need not matter to both; where both take the whole, one that notices is enough.
            taken = (True, True) if all(takes) and any(notices) else (takes[0] and notices[0], takes[1] and notices[1])
            judged.append(_Form(form.grammar, form.guess, form.owner, taken))
        both = [one for one in judged if all(one.taken)]
        own = [one for one in judged if one.taken[one.owner]]
        if both or not own:
            return both[0] if both else None
        # Each takes its own form and not that of the other, or one takes no form that is known, though it runs: they
        # read different things, unless the two forms are the same.
        first = own[0]
        runs = any(ends_well(pair[1 - first.owner]) for _, *pair in seen)
        others = [signature(one.grammar) for one in forms if one.owner != first.owner]
        return first if runs and signature(first.grammar) not in others else None

    def _observed(self, calls: Sequence[CallInput]) -> list[Observed]:
        """Probes: they do not count, because most are not inputs."""
        found: list[Observed] = []
        rest = list(calls)
        while rest and not self.runs.is_over and self.runs.late < 4:
            done = self.runs.run_both(rest)
            if not done:
                break
            found += done
            rest = rest[len(done) :]
        self.runs.late = 0
        return found

    def _writer(self, form: _Form, purpose: str) -> GrammarWriter:
        return GrammarWriter(form.grammar, Random(f"{purpose} {self.seed}"), letters_of(self.texts), form.guess)

    def _inputs(self, form: _Form, count: int, ranges: Sequence[ValueRange]) -> list[CallInput]:
        writer = self._writer(form, f"inputs {ranges[0]}")
        found: list[CallInput] = []
        for number in range(count * 3):
            written = writer.write(ranges[number % len(ranges)], 1 + number * 6 // max(count, 1) % 6)
            if written.text not in self._written:
                self._written[written.text] = written
                found.append(CallInput(stdin=written.text))
            if len(found) >= count:
                break
        return found


def print_differently(one: Observation, other: Observation) -> bool:
    """Whether two programs did different things with one input: they print something else, or one fails."""
    found = compare_calls(one, other) or frozenset()
    return bool(found & {Difference.OUTPUT, Difference.EXCEPTION, Difference.TYPE_ERROR})


def probes_of(text: str, *, is_open: bool = False) -> tuple[str, str, str]:
    """An input, the same without its last word, and with something behind it: its last line again if it is open."""
    shortened = text.rstrip().rpartition(text.split()[-1])[0] if text.split() else ""
    return text, shortened, text + (text.splitlines(keepends=True)[-1] if is_open and text else "7\n7 7\n")


def takes_and_notices(
    plain: Observation, short: Observation, long: Observation, *, is_open: bool = False
) -> tuple[bool, bool]:
    """Whether a program takes an input and ignores what is behind it, and whether it notices that the end is missing;
    of what it did with `probes_of` the input. One that is open goes on with what is behind it."""
    takes = ends_well(plain) and (ends_well(long) if is_open else long.is_normal and long.output == plain.output)
    return takes, not short.is_normal or short.output != plain.output


def ends_well(observed: Observation) -> bool:
    """Whether a program came to an end and printed something."""
    return observed.is_normal and bool(observed.output.strip())


def letters_of(texts: Sequence[str]) -> str:
    """Letters of words: those that the programs name, if they name several."""
    named = {one for text in texts for one in re.findall(r"'([A-Za-z.#?*+\-01])'|\"([A-Za-z.#?*])\"", text)}
    found = "".join(sorted({a or b for a, b in named}))
    plain = [one for one in found if one.isalpha()] or list(found)
    if len(plain) >= 2 and not {"a", "z"} <= set(plain) and not {"A", "Z"} <= set(plain):
        return "".join(plain[:6])
    return "ABC" if "'A'" in "".join(texts) else "abc"


@dataclass(frozen=True)
class _Condition:
    """A condition that a problem may state about its input.

    Attributes:
        name: what people read.
        holds: whether an input fulfils it.
        is_relation: whether it is about two numbers, which problems nearly always state.
    """

    name: str
    holds: Callable[[GrammarText], bool]
    is_relation: bool = False


def _conditions(inputs: Sequence[GrammarText]) -> Iterator[_Condition]:
    """Simple conditions, the likeliest first."""
    numbers = list(dict.fromkeys(name for one in inputs for name in one.numbers))[:6]
    lists = list(dict.fromkeys(name for one in inputs for name in one.lists))[:3]
    for name in numbers:
        yield from (_at_least(name, least) for least in (2, 3))
    for a, b in itertools.permutations(numbers, 2):
        yield _compared(a, b, strictly=False)
        yield _compared(a, b, strictly=True)
    for name in lists:
        yield _of_list(f"{name} is sorted", name, lambda one: list(one) == sorted(one))
        yield _of_list(f"{name} has no element twice", name, lambda one: len(set(one)) == len(one))
        yield _of_list(f"{name} has at least two elements", name, lambda one: len(one) >= 2)
        yield from (_bounded(name, other) for other in numbers)
    for name in numbers:
        yield from (_parity(name, odd) for odd in (False, True))


def _at_least(name: str, least: int) -> _Condition:
    return _Condition(f"{name} >= {least}", lambda one: one.numbers.get(name, 0) >= least)


def _compared(a: str, b: str, *, strictly: bool) -> _Condition:
    more = 1 if strictly else 0
    said = f"{a} < {b}" if strictly else f"{a} <= {b}"
    return _Condition(said, lambda one: one.numbers.get(a, 0) + more <= one.numbers.get(b, 0), True)


def _of_list(said: str, name: str, holds: Callable[[Sequence[int]], bool]) -> _Condition:
    return _Condition(said, lambda one: holds(one.lists.get(name, ())))


def _bounded(name: str, other: str) -> _Condition:
    said = f"no element of {name} is above {other}"
    return _Condition(said, lambda one: max(one.lists.get(name, ()), default=0) <= one.numbers.get(other, 0), True)


def _parity(name: str, odd: bool) -> _Condition:
    return _Condition(f"{name} is {'odd' if odd else 'even'}", lambda one: one.numbers.get(name, 0) % 2 == odd)
