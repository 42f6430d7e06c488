"""Which function of two whole files to call: one that shows what was changed.

Two versions of a file often differ in one function of many. Calling one that has nothing to do with the change would
show nothing, so the functions to call are those that no other calls and that are changed or lead to a change.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from clonetruth.code import extract, language
from clonetruth.execution.harness.harness import Code

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_LANGUAGES = ("java", "c", "cpp", "csharp", "go")
"""Languages whose harness takes the function that this names."""
_BY_USE = ("c", "cpp")
"""Languages whose harness calls the function that uses most of the others, and not the last one."""
_READS = re.compile(r"\bSystem\s*\.\s*in\b|\bMain\s*\(|\bmain\s*\(\s*(?:void|int\b[^)]*)?\)")
"""A program, which is run as a whole."""
_MOST_ENTRIES = 4


@dataclass(frozen=True)
class _File:
    functions: dict[str, str]
    calls: dict[str, frozenset[str]]

    def roots(self) -> list[str]:
        """Functions that no other calls, in their order."""
        called = {name for by, names in self.calls.items() for name in names if name != by}
        return [one for one in self.functions if one not in called]

    def default_root(self, language_name: str) -> str:
        """What the harness calls: in C and C++ the one that uses most of the others, else the last of them."""
        roots = self.roots() or list(self.functions)
        return (
            roots[-1] if language_name not in _BY_USE else max(reversed(roots), key=lambda one: len(self.leads_to(one)))
        )

    def leads_to(self, start: str) -> set[str]:
        """A function with all that it calls, directly or not."""
        found, waiting = {start}, [start]
        while waiting:
            new = self.calls.get(waiting.pop(), frozenset()) - found
            found |= new
            waiting += new
        return found


def changed_entries(left: Code, right: Code) -> tuple[str | None, ...]:
    """What to call to see how two files differ: functions that both have, that no other calls, and that are changed or
    lead to a change. Only one, the last, unless the files have the same functions: then they are versions of one file,
    and each changed function may show the difference. None stands for the function that is called by default.

    Example:
        >>> old = "class A { int f(int a) { return a; } int g(int a) { return 2; } }"
        >>> changed_entries(Code(old, "java"), Code(old.replace("return a", "return -a"), "java"))
        ('f',)
    """
    if left.language != right.language or left.language not in _LANGUAGES or left.entry or right.entry:
        return (None,)
    files = [_read(one) for one in (left, right)]
    if any(len(one.functions) < 2 for one in files) or any(_READS.search(one.text) for one in (left, right)):
        return (None,)
    one, other = files
    roots = [name for name in one.roots() if name in other.functions and name in other.roots()]
    makers: list[str] = []
    if left.language == "go":
        # What a constructor makes is seen by its methods; its fields are nobody else's affair.
        makers = [name for name in roots if all(_makes_object(name, side.text) for side in (left, right))]
        roots = [name for name in roots if name not in makers]
    differing = {
        name for name in {*one.functions, *other.functions} if one.functions.get(name) != other.functions.get(name)
    }
    shared = differing & one.functions.keys() & other.functions.keys()
    telling = [name for name in roots if (one.leads_to(name) | other.leads_to(name)) & (shared or differing)]
    if differing & set(makers):
        telling = roots
    if not roots or not telling:
        return (None,)
    by_default = {file.default_root(left.language) for file in files}
    first = (
        telling[-1]
        if left.language not in _BY_USE
        else max(reversed(telling), key=lambda name: len(one.leads_to(name)))
    )
    # What other harnesses call by default depends on more than this.
    chosen = None if by_default == {first} and left.language in ("java", "c") else first
    if one.functions.keys() != other.functions.keys():
        return (chosen,)
    others = [name for name in reversed(telling) if name != first]
    return (chosen, *others[: _MOST_ENTRIES - 1])


def _makes_object(name: str, text: str) -> bool:
    """Whether a function of Go is a constructor by its name, of a type that has methods."""
    made = re.match(r"[nN]ew([A-Z]\w*)", name)
    return made is not None and re.search(rf"\bfunc\s*\(\s*\w*\s*\*?\s*{made[1]}\b", text) is not None


def namesake(code: Code, name: str) -> str | None:
    """A function of a text that no other calls and that has a name, apart from the size of letters and underscores: if
    another text is called by that name, it is the counterpart. None if there is none, or if the entry is given.

    Example:
        >>> namesake(Code("def add_two(a): return a + 2\\ndef other(a): return a", "python"), "addTwo")
        'add_two'
    """
    wanted = _plain(name)
    if code.entry is not None or not wanted or wanted not in code.text.replace("_", "").casefold():
        return None
    return next((one for one in reversed(_read(code).roots()) if _plain(one) == wanted), None)


def same_name(left: str, right: str) -> bool:
    """Whether two names are the same, apart from the size of letters and underscores, and from their classes."""
    return _plain(left) == _plain(right)


def _plain(name: str) -> str:
    return re.split(r"\.|::", name)[-1].replace("_", "").casefold()


def _read(code: Code) -> _File:
    functions: dict[str, str] = {}
    bodies: dict[str, str] = {}
    for one in extract(code.text, language(code.language)).functions:
        *owners, name = re.split(r"\.|::", one.qualified_name)
        if not name.isidentifier() or (owners and owners[-1] == name):
            continue
        plain = " ".join(_COMMENT.sub(" ", one.text).split())
        if name == "main" and "String" in plain.partition("{")[0]:
            continue
        functions[name] = functions.get(name, "") + "".join(plain.split())
        bodies[name] = bodies.get(name, "") + (one.text if code.language == "python" else plain.partition("{")[2])
    calls = {
        name: frozenset(other for other in functions if re.search(rf"(?<!\w){re.escape(other)}\s*\(", text))
        for name, text in bodies.items()
    }
    return _File(functions, calls)
