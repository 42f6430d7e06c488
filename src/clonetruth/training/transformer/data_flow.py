"""The data flow of a fragment: where the value of each occurrence of a variable comes from.

After the extractor of GraphCodeBERT's authors, with one set of rules for all languages, over the syntax tree. What is
assigned comes from the variables on the other side; any other occurrence comes from the latest assignments before it,
or from the first occurrence of its name. Alternatives start from the same values, and what follows them comes from all
of them; a loop is read twice. Occurrences without any edge are left out.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

import tree_sitter

from clonetruth.code import Language, parse
from clonetruth.code.language import TokenKind

_LOOPS = frozenset((b"for", b"foreach", b"while", b"until", b"do", b"repeat", b"loop"))
_BRANCHES = frozenset((b"if", b"elif", b"elsif", b"elseif", b"unless"))
_ASSIGNS = frozenset(b"= := <-".split())
_UPDATES = frozenset(b"+= -= *= /= %= //= **= &= |= ^= <<= >>= >>>= &&= ||= ??= ++ --".split())
_OVER = frozenset(b"in of : <- as".split())
"""What stands between the variable of a loop and what it runs over."""
_ARMS = ("consequence", "body", "alternative")
_MEMBERS = frozenset((b".", b"->", b"::", b"?."))
_NOT_VARIABLES = ("type_identifier", "field_identifier", "property_identifier", "label", "package", "namespace")
_NOT_ASSIGNED = ("argument", "type", "modifier", "annotation", "attribute")
_MOST_LEAVES = 10_000
"""Leaves that are read. A model reads at most a few thousand subword tokens, and a leaf has at least one."""
_DEEPEST_LOOP, _DEEPEST = 8, 100
"""Levels of loops that are read twice, and of loops and alternatives that are followed at all."""


@dataclass(frozen=True)
class DataFlow:
    """The variables of a fragment.

    Attributes:
        spans: first and last character (exclusive) of each occurrence.
        sources: for each occurrence, the numbers of the occurrences that its value comes from.
    """

    spans: tuple[tuple[int, int], ...]
    sources: tuple[tuple[int, ...], ...]


_Values = dict[bytes, frozenset[int]]
"""Where the value of each name was assigned last: more than one place after alternatives."""


@dataclass(frozen=True)
class _Assignment:
    """What is assigned: all variables from `start` to `end` (bytes), from those of the other span."""

    start: int
    end: int
    value_start: int
    value_end: int
    update: bool
    """Whether the value before counts, too."""


@dataclass(eq=False)
class _Region:
    """A part of the text (bytes) whose order of execution is not that of the text."""

    start: int
    end: int
    loop: bool = False
    choice: bool = False
    arm: bool = False
    complete: bool = False
    """Of a choice: whether one of the alternatives is always taken."""
    parts: list[_Region] = field(default_factory=list)


@dataclass(frozen=True)
class _Variable:
    name: bytes
    start: int
    assignment: _Assignment | None
    """The one that this is a target of."""


def data_flow(text: str, language: Language) -> DataFlow:
    """The data flow of a text, whether or not it parses."""
    parsed = parse(text, language, lone=True)
    source = parsed.source
    leaves: list[tree_sitter.Node] = []
    assignments: list[_Assignment] = []
    whole = _Region(parsed.start, parsed.end)
    for node in _walk(parsed.tree, parsed.start, parsed.end, whole):
        if node.child_count:
            assignments += _assignments(node)
        elif node.end_byte > node.start_byte and "comment" not in node.type:
            leaves.append(node)
            if len(leaves) == _MOST_LEAVES:
                break
    variables = _variables(leaves, assignments, source, language)
    flow = _Flow(variables)
    flow.follow(whole, {}, 0)
    sources = [sorted(one - {at}) for at, one in enumerate(flow.sources)]
    used = {at for at, one in enumerate(sources) if one}.union(*sources)
    number = {at: place for place, at in enumerate(sorted(used))}
    places = _characters(source, parsed.start, [variables[at].start for at in number])
    return DataFlow(
        tuple(
            (place, place + len(variables[at].name.decode(errors="replace")))
            for at, place in zip(number, places, strict=True)
        ),
        tuple(tuple(number[other] for other in sources[at]) for at in number),
    )


def _walk(tree: tree_sitter.Tree, first: int, last: int, whole: _Region) -> Iterator[tree_sitter.Node]:
    """All nodes inside the text in preorder. Loops and choices become parts of `whole` on the way."""
    waiting = [(tree.root_node, whole, 0)]
    while waiting:
        node, region, depth = waiting.pop()
        if node.end_byte <= first or node.start_byte >= last:
            continue
        children = node.children
        if first <= node.start_byte and node.end_byte <= last:
            yield node
            if depth < _DEEPEST and (own := _region(node, children)) is not None:
                region.parts.append(own)
                region, depth = own, depth + 1
        arms = {part.start: part for part in region.parts if part.arm} if region.choice else {}
        waiting += [(child, arms.get(child.start_byte, region), depth) for child in reversed(children)]


def _region(node: tree_sitter.Node, children: list[tree_sitter.Node]) -> _Region | None:
    if len(children) < 2 or children[0].child_count:
        return None
    word = children[0].text or b""
    if word in _LOOPS:
        return _Region(node.start_byte, node.end_byte, loop=True)
    if word not in _BRANCHES:
        return None
    arms = [child for at, child in enumerate(children) if node.field_name_for_child(at) in _ARMS]
    if not arms:
        # Without fields: the condition, what it guards, and the alternatives.
        arms = [child for child in children[1:] if child.is_named and child.type not in ("else", "comment")][1:]
    if not arms:
        return None
    found = _Region(node.start_byte, node.end_byte, choice=True)
    found.complete = any(child.type in ("else", "else_clause") for child in children[1:]) or (
        len(arms) > 1 and not arms[-1].type.startswith(("elif", "elsif", "else_if"))
    )
    found.parts = [_Region(arm.start_byte, arm.end_byte, arm=True) for arm in arms]
    return found


def _assignments(node: tree_sitter.Node) -> Iterator[_Assignment]:
    """The assignment that a node is, if it is one."""
    if any(part in node.type for part in ("argument", "pair", "attribute")):
        return
    loops_over = "for" in node.type or "range" in node.type or "generator" in node.type
    children = node.children
    for at, child in enumerate(children):
        word = (child.text or b"") if not child.child_count and child.end_byte - child.start_byte <= 4 else b""
        if word not in _ASSIGNS and word not in _UPDATES and not (loops_over and word in _OVER):
            continue
        before = [one for one in children[:at] if one.is_named and not _is_none(one, node)]
        after = [one for one in children[at + 1 :] if one.is_named]
        if word in (b"++", b"--"):
            for one in (before or after)[:1]:
                yield _Assignment(one.start_byte, one.end_byte, one.end_byte, one.end_byte, True)
        elif before and after:
            target, value = ((before[0], before[-1]), (after[0], after[0]))
            if word == b"as":
                # PHP says first what it runs over.
                target, value = (after[0], after[0]), (before[0], before[-1])
            text = node.text or b""
            left = text[target[0].start_byte - node.start_byte : target[1].end_byte - node.start_byte]
            part_of = any(mark in left for mark in (b"[", b".", b"->")) and not left.startswith((b"[", b"{"))
            yield _Assignment(
                target[0].start_byte,
                # Of an element or member, the object is what changes.
                target[0].end_byte if part_of else target[1].end_byte,
                value[0].start_byte,
                value[1].end_byte,
                part_of or word in _UPDATES,
            )
        return


def _is_none(child: tree_sitter.Node, parent: tree_sitter.Node) -> bool:
    """Whether a node before an assignment is a type, a modifier or the like."""
    return any(part in child.type for part in _NOT_ASSIGNED) or parent.child_by_field_name("type") == child


def _variables(
    leaves: list[tree_sitter.Node], assignments: list[_Assignment], source: bytes, language: Language
) -> list[_Variable]:
    words = [source[leaf.start_byte : leaf.end_byte] for leaf in leaves]
    kinds = language.kind_of.kinds(words)
    starts = sorted(assignments, key=lambda one: (one.start, -one.end))
    found: list[_Variable] = []
    open_ones: list[_Assignment] = []
    taken: set[_Assignment] = set()
    for at, (leaf, word, kind) in enumerate(zip(leaves, words, kinds, strict=True)):
        while starts and starts[0].start <= leaf.start_byte:
            open_ones.append(starts.pop(0))
        open_ones = [one for one in open_ones if one.end > leaf.start_byte]
        before, after = words[at - 1] if at else b"", words[at + 1] if at + 1 < len(words) else b""
        is_name = kind == TokenKind.IDENTIFIER and not leaf.type.endswith(_NOT_VARIABLES)
        if not is_name or after == b"(" or before in _MEMBERS or _names_a_type(leaf):
            continue
        own = open_ones[-1] if open_ones else None
        if own is not None and own.update:
            # `a[i] = x` changes a, and reads i.
            own = None if own in taken else own
            taken |= {own} if own is not None else set()
        found.append(_Variable(word, leaf.start_byte, own))
    return found


def _names_a_type(leaf: tree_sitter.Node) -> bool:
    """C# and others have one kind of node for names of variables and of types."""
    parent = leaf.parent
    return parent is not None and ("type" in parent.type or parent.child_by_field_name("type") == leaf)


@dataclass(eq=False)
class _Waiting:
    """A variable that gets its value when the other side has been read."""

    number: int
    assignment: _Assignment


class _Flow:
    """Follows the execution of a text, and notes the sources of each occurrence."""

    def __init__(self, variables: list[_Variable]) -> None:
        self._variables = variables
        self._starts = [one.start for one in variables]
        self._waiting: list[_Waiting] = []
        self.sources: list[set[int]] = [set() for _ in variables]

    def follow(self, region: _Region, values: _Values, loops: int) -> _Values:
        """Read a region; return the values after it."""
        if region.loop and loops < _DEEPEST_LOOP:
            values = self._once(region, values, loops + 1)
            # What is inside has been read twice already.
            return self._once(region, values, _DEEPEST_LOOP)
        return self._once(region, values, loops)

    def _once(self, region: _Region, values: _Values, loops: int) -> _Values:
        at, ends = region.start, list[_Values]()
        for part in region.parts:
            if part.arm and ends:
                # Each alternative starts from the values after the condition.
                ends.append(self.follow(part, dict(values), loops))
            elif part.arm:
                values = self._read(at, part.start, values)
                ends.append(self.follow(part, dict(values), loops))
            else:
                values = self.follow(part, self._read(at, part.start, values), loops)
            at = part.end
        if ends:
            if not region.complete:
                ends.append(values)
            values = {}
            for one in ends:
                for name, places in one.items():
                    values[name] = values.get(name, frozenset()) | places
        return self._read(at, region.end, values)

    def _read(self, start: int, end: int, values: _Values) -> _Values:
        """Read the occurrences from one byte up to another, in order."""
        for number in range(bisect_left(self._starts, start), bisect_left(self._starts, end)):
            variable = self._variables[number]
            self._assign(variable.start, values)
            own, known = variable.assignment, values.get(variable.name)
            for waiting in self._waiting[-_DEEPEST:]:
                if waiting.assignment.value_start <= variable.start < waiting.assignment.value_end:
                    self.sources[waiting.number].add(number)
            if known is not None and (own is None or own.update):
                self.sources[number] |= known
            if own is None:
                if known is None:
                    values[variable.name] = frozenset((number,))
            elif own.value_end <= own.start:
                # The value stands before its variable.
                self._take(number, own)
                values[variable.name] = frozenset((number,))
            else:
                self._waiting.append(_Waiting(number, own))
        self._assign(end, values)
        return values

    def _take(self, number: int, own: _Assignment) -> None:
        first, last = bisect_left(self._starts, own.value_start), bisect_left(self._starts, own.value_end)
        self.sources[number].update(range(first, last))

    def _assign(self, now: int, values: _Values) -> None:
        """Values that are complete before this byte become those of their variables."""
        done = [one for one in self._waiting if max(one.assignment.value_end, one.assignment.end) <= now]
        if done:
            self._waiting = [one for one in self._waiting if one not in done]
            for one in done:
                values[self._variables[one.number].name] = frozenset((one.number,))


def _characters(source: bytes, start: int, places: list[int]) -> Iterator[int]:
    """The positions of bytes of the source, in characters of the text. `places` rise."""
    characters = 0
    for place in places:
        characters += len(source[start:place].decode(errors="replace"))
        start = place
        yield characters
