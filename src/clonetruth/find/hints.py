"""Refactoring hints: which parameters one function in place of a clone class would need.

The members of a class are aligned with its representative, statement by statement and token by token. A value, a called
function or a type that differs becomes a parameter; the same values at several places become one. Local names that are
renamed consistently need none. What a parameter cannot express is an obstacle: statements that only some members have,
another control flow, names that are mixed up. Nothing is run, and no types are inferred: a hint is where to start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from clonetruth.code import TokenKind, language, parse
from clonetruth.code.language import LITERALS
from clonetruth.code.names import NamePart, names_of
from clonetruth.find.clone_class import CloneClass, CloneMember, HintParameter, RefactoringHint
from clonetruth.find.clone_text import CloneStatement, read_text
from clonetruth.find.differences import aligned
from clonetruth.find.report import CloneReport

_CONTROL = frozenset(
    b"if else elif elsif unless for foreach while until do loop switch case default match when select return break "
    b"continue goto throw raise try except catch finally rescue ensure yield await defer with using lock synchronized "
    b"fallthrough go".split()
)
"""Keywords that decide what runs, and how often."""
_MEMBER = frozenset((b".", b"->", b"::", b"?.", b".?"))
_CALL = frozenset((b"(",))
_ASSIGNED = frozenset(b"= += -= *= /= %= **= //= &= |= ^= <<= >>= := ++ --".split())
_LITERAL_TYPES = {
    TokenKind.NUMBER: "number",
    TokenKind.STRING: "string",
    TokenKind.CHARACTER: "character",
    TokenKind.BOOLEAN: "boolean",
}


def with_hints(report: CloneReport) -> CloneReport:
    """Return a report whose classes have hints."""
    return replace(report, classes=tuple(replace(one, hint=hint_of(one)) for one in report.classes))


def hint_of(clone_class: CloneClass) -> RefactoringHint:
    """Return the hint of a class."""
    first, *others = clone_class.members
    if any(member.language != first.language for member in others):
        return RefactoringHint(obstacles=("the members are in different languages",))
    work = _Alignment(first)
    for member in others:
        work.add(member)
    return work.hint()


@dataclass
class _Statements:
    """The statements that a parameter cannot express, over all members."""

    differing: int = 0
    control: int = 0

    def note(self, left: CloneStatement | None, right: CloneStatement | None) -> None:
        if _control(left) == _control(right):
            self.differing += 1
        else:
            self.control += 1


def _control(statement: CloneStatement | None) -> list[bytes]:
    if statement is None:
        return []
    return [
        token
        for token, kind in zip(statement.tokens, statement.kinds, strict=True)
        if kind == TokenKind.KEYWORD and token in _CONTROL
    ]


@dataclass
class _Names:
    """The names of a member: those that it declares, and those that stand for nothing that could be passed."""

    own: frozenset[bytes]
    local: frozenset[bytes]
    kept: frozenset[bytes]

    @classmethod
    def of(cls, member: CloneMember) -> _Names:
        names = names_of(parse(member.text, language(member.language), lone=True))
        parts: dict[bytes, set[NamePart]] = {}
        for name in names:
            parts.setdefault(name.text.encode(), set()).add(name.part)
        own = member.name.rpartition(".")[2].encode() if member.name else b""
        return cls(
            own=frozenset((own,)),
            local=frozenset(name for name, found in parts.items() if NamePart.VARIABLE in found),
            kept=frozenset(name for name, found in parts.items() if found == {NamePart.KEPT}),
        )


@dataclass
class _Alignment:
    """The representative, with what the other members have in place of each of its tokens."""

    first: CloneMember
    others: int = 0
    values: dict[tuple[int, int], dict[int, bytes]] = field(default_factory=dict)
    unlike: _Statements = field(default_factory=_Statements)
    obstacles: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._statements = _statements(self.first)
        self._names = _Names.of(self.first)

    def add(self, member: CloneMember) -> None:
        """Align a member."""
        self.others += 1
        names = _Names.of(member)
        forth: dict[bytes, bytes] = {}
        back: dict[bytes, bytes] = {}
        mixed: set[bytes] = set()
        at = -1
        for left, right in aligned(self._statements, _statements(member)):
            at += left is not None
            if left is None or right is None or left.blind != right.blind:
                self.unlike.note(left, right)
                continue
            for position, (old, new) in enumerate(zip(left.tokens, right.tokens, strict=True)):
                is_member = position > 0 and left.tokens[position - 1] in _MEMBER
                if left.kinds[position] == TokenKind.IDENTIFIER and not is_member:
                    if old in self._names.own and new in names.own:
                        continue
                    if old in self._names.local and new in names.local:
                        if forth.setdefault(old, new) != new or back.setdefault(new, old) != old:
                            mixed.add(old)
                        continue
                if old != new:
                    self.values.setdefault((at, position), {})[self.others] = new
        if mixed:
            few = ", ".join(_shown(name) for name in sorted(mixed)[:3])
            self.obstacles.append(f"local names are not renamed consistently ({few})")

    def hint(self) -> RefactoringHint:
        """The hint, after all members were added."""
        grouped: dict[tuple[str, tuple[bytes, ...]], list[tuple[int, int]]] = {}
        obstacles = list(dict.fromkeys(self.obstacles))
        for (at, position), changed in sorted(self.values.items()):
            statement = self._statements[at]
            own = statement.tokens[position]
            kind, obstacle = self._kind(statement, position)
            vector = (own, *(changed.get(number, own) for number in range(1, self.others + 1)))
            if obstacle:
                text = f"{obstacle} ({' / '.join(map(_shown, dict.fromkeys(vector)))})"
                obstacles += [text] if text not in obstacles else []
            else:
                grouped.setdefault((kind, vector), []).append((at, position))
        parameters = tuple(
            HintParameter(kind, self._type(places[0]), tuple(map(_shown, vector)), len(places))
            for (kind, vector), places in grouped.items()
        )
        if self.unlike.control:
            obstacles.insert(0, f"the control flow differs in {_counted(self.unlike.control, 'statement')}")
        return RefactoringHint(parameters, self.unlike.differing, tuple(obstacles))

    def _kind(self, statement: CloneStatement, position: int) -> tuple[str, str]:
        """What a parameter for a token would be, and why there cannot be one."""
        token, kind = statement.tokens[position], statement.kinds[position]
        before = statement.tokens[position - 1] if position else b""
        after = statement.tokens[position + 1] if position + 1 < len(statement.tokens) else b""
        if kind in LITERALS:
            return "value", ""
        if kind == TokenKind.TYPE:
            return "type", ""
        if after in _CALL:
            return "function", ""
        if after in _ASSIGNED:
            return "value", "different names are assigned to"
        if token in self._names.local and before not in _MEMBER:
            return "value", "a local name of one is not local in another"
        if token in self._names.kept and before not in _MEMBER:
            return "value", "different labels, keywords or annotations"
        return "value", ""

    def _type(self, place: tuple[int, int]) -> str | None:
        return _LITERAL_TYPES.get(TokenKind(self._statements[place[0]].kinds[place[1]]))


def _statements(member: CloneMember) -> Sequence[CloneStatement]:
    return read_text((member.language, member.text)).statements


_SHOWN = 40
"""Characters that are shown of a value."""


def _shown(token: bytes) -> str:
    text = " ".join(token.decode("utf-8", errors="replace").split())
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _counted(count: int, what: str) -> str:
    return f"{count} {what if count == 1 else f'{what}s'}"
