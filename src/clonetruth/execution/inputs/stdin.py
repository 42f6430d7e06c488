"""Standard inputs for programs: numbers and words in the layouts that contests use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

from clonetruth.execution.inputs.constants import Constants
from clonetruth.execution.inputs.quick_random import QuickRandom

_WORDS = ("abc", "hello", "a", "racecar", "A", "xyzzy", "ab ba", "12", "YES", "level")


def stdin_texts(constants: Constants, seed: int) -> Iterator[str]:
    """Inputs without end, layouts in turn: one number, several, a count and as many numbers, cases, words, a grid.

    Args:
        constants: of the code.
        seed: the same seed gives the same inputs.
    """
    random = QuickRandom(f"stdin {seed}")
    layouts = (_number, _numbers, _counted, _word, _cases, _counted_lines, _grid, _lines, _counted_words, _pairs)
    while True:
        for layout in layouts:
            yield layout(random, constants)


def _some(random: Random, constants: Constants) -> int:
    if constants.integers and random.random() < 0.1:
        return random.choice(constants.integers)
    return random.choice(
        [random.randint(1, 9), random.randint(0, 30), random.randint(-5, 100), random.randint(1, 1000)]
    )


def _number(random: Random, constants: Constants) -> str:
    return f"{_some(random, constants)}\n"


def _numbers(random: Random, constants: Constants) -> str:
    return " ".join(str(_some(random, constants)) for _ in range(random.randint(2, 4))) + "\n"


def _counted(random: Random, constants: Constants) -> str:
    count = random.randint(1, 7)
    return f"{count}\n{' '.join(str(_some(random, constants)) for _ in range(count))}\n"


def _word(random: Random, constants: Constants) -> str:
    return random.choice([*_WORDS, *constants.strings]) + "\n"


def _cases(random: Random, constants: Constants) -> str:
    """A number of cases, each a count and as many numbers."""
    cases = random.randint(1, 4)
    return f"{cases}\n" + "".join(_counted(random, constants) for _ in range(cases))


def _counted_lines(random: Random, constants: Constants) -> str:
    """A number of lines, each with the same number of numbers."""
    lines, width = random.randint(1, 5), random.randint(1, 3)
    rows = (" ".join(str(_some(random, constants)) for _ in range(width)) for _ in range(lines))
    return f"{lines}\n" + "".join(row + "\n" for row in rows)


def _grid(random: Random, constants: Constants) -> str:
    rows, columns = random.randint(1, 4), random.randint(1, 4)
    cells = (" ".join(str(random.randint(0, 9)) for _ in range(columns)) for _ in range(rows))
    return f"{rows} {columns}\n" + "".join(row + "\n" for row in cells)


def _lines(random: Random, constants: Constants) -> str:
    """Numbers, each on a line, with a zero at the end, as many old contests have it."""
    return "".join(f"{random.randint(1, 50)}\n" for _ in range(random.randint(1, 5))) + "0\n"


def _counted_words(random: Random, constants: Constants) -> str:
    count = random.randint(1, 4)
    return f"{count}\n" + "".join(random.choice(_WORDS) + "\n" for _ in range(count))


def _pairs(random: Random, constants: Constants) -> str:
    """Two numbers, and as many numbers as the first one says."""
    count = random.randint(1, 6)
    numbers = " ".join(str(_some(random, constants)) for _ in range(count))
    return f"{count} {random.randint(1, 10)}\n{numbers}\n"


def shrink_stdin(text: str, differs: Callable[[Sequence[str]], Sequence[bool]], rounds: int = 6) -> str:
    """A shorter input that still shows a difference: with fewer lines, and with smaller numbers."""
    for _ in range(rounds):
        candidates = sorted({one for one in _shorter(text) if one != text}, key=lambda one: (len(one), one))[:40]
        found = [one for one, does in zip(candidates, differs(candidates), strict=True) if does] if candidates else []
        if not found:
            break
        text = found[0]
    return text


def _shorter(text: str) -> Iterator[str]:
    lines = text.splitlines()
    for at in range(len(lines)):
        yield "\n".join([*lines[:at], *lines[at + 1 :]]) + "\n"
        words = lines[at].split()
        for place, word in enumerate(words):
            for less in ("0", "1", str(int(word) // 2)) if word.lstrip("-").isdigit() else ("a",):
                changed = " ".join([*words[:place], less, *words[place + 1 :]])
                yield "\n".join([*lines[:at], changed, *lines[at + 1 :]]) + "\n"
