"""The features of each view, as hashes, for all fragments of a batch at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np
import numpy.typing as npt

from clonetruth.code.canonical.forest import Forest, TokenClass
from clonetruth.code.canonical.labels import DETAILS, JUMPS, Label

Integers = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]
Booleans = npt.NDArray[np.bool_]

Features = tuple[Integers, Hashes]
"""The fragment of each feature, and its hash."""

VIEWS = (
    "tokens",
    "tokens without variables",
    "tokens without types",
    "tokens without names",
    "3-grams of tokens",
    "3-grams without variables",
    "3-grams without types",
    "3-grams without names",
    "nodes",
    "nodes in nodes",
    "nodes in nodes in nodes",
    "subtrees of height 2",
    "subtrees of height 3",
    "expressions",
    "roles of variables",
    "definitions and uses",
    "control flow",
    "numbers",
    "strings",
    "calls and types",
    "words in names",
    "operators",
    "statements",
    "input and output",
)
"""The views, in the order of all arrays."""

_A, _B, _C, _D = (
    np.uint64(one) for one in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)
)
_HALF = np.uint64(31)

_NO_NAME = {
    TokenClass.VARIABLE: 0x11,
    TokenClass.TYPE: 0x22,
    TokenClass.FUNCTION: 0x33,
    TokenClass.MEMBER: 0x33,
    TokenClass.NUMBER: 0x44,
    TokenClass.STRING: 0x55,
}
_ABSTRACTED = (
    (),
    (TokenClass.VARIABLE,),
    (TokenClass.VARIABLE, TokenClass.TYPE, TokenClass.STRING),
    tuple(_NO_NAME),
)
"""The classes of tokens that each level replaces by their class."""


def mixed(values: Hashes) -> Hashes:
    """Scramble hashes, so that sums of them are hashes of sets."""
    one = values * _A
    return (one ^ (one >> _HALF)) * _B


def view_features(forest: Forest) -> Iterator[Features]:
    """The features of each view, in the order of `VIEWS`."""
    yield from _token_views(forest)
    yield from _TreeViews(forest).all()


def statement_hashes(forest: Forest) -> tuple[Integers, Hashes]:
    """The positions of statements and conditions in a forest, with hashes that equal ones share."""
    trees = _TreeViews(forest)
    nodes = np.flatnonzero(trees.is_statement)
    return nodes, trees.whole[nodes]


def token_grams(forest: Forest) -> Features:
    """Runs of one, two and three tokens, as they are written."""
    owner = forest.token_fragment
    tokens = mixed(forest.lexemes.hash[forest.token_lexeme].astype(np.uint64) + np.uint64(1))
    return _joined((owner, tokens), _grams(owner, tokens, 2), _grams(owner, tokens, 3))


def _token_views(forest: Forest) -> Iterator[Features]:
    owner, lexemes = forest.token_fragment, forest.lexemes
    plain = lexemes.hash[forest.token_lexeme].astype(np.uint64)
    operator = lexemes.operator[forest.token_lexeme]
    levels: list[Hashes] = []
    for level, replaced in enumerate(_ABSTRACTED):
        table = np.zeros(8, np.uint64)
        for one in replaced:
            table[one] = _NO_NAME[one]
        stand_in = table[forest.token_class]
        hashes = np.where(stand_in > 0, stand_in, plain)
        if level == len(_ABSTRACTED) - 1:
            # Signs and words that mean the same in several languages are one.
            hashes = np.where((operator >= 0) & (stand_in == 0), operator.astype(np.uint64) + np.uint64(0x100), hashes)
        levels.append(mixed(hashes + np.uint64(1)))
    for hashes in levels:
        yield owner, hashes
    for hashes in levels:
        yield _grams(owner, hashes, 3)


def _grams(owner: Integers, items: Hashes, length: int) -> Features:
    """Runs of consecutive items of one fragment."""
    count = len(items) - length + 1
    if count <= 0:
        return owner[:0], items[:0]
    inside = owner[:count] == owner[length - 1 :]
    run = items[:count].copy()
    for at in range(1, length):
        run = mixed(run + items[at : at + count] * _C)
    return owner[:count][inside], run[inside]


def _joined(*features: Features) -> Features:
    return np.concatenate([one[0] for one in features]), np.concatenate([one[1] for one in features])


class _TreeViews:
    """The views of canonical trees."""

    def __init__(self, forest: Forest) -> None:
        self._forest = forest
        self._owner, self._parent, self._label = forest.fragment, forest.parent, forest.label
        self._code = forest.code.astype(np.uint64)
        self._slot = forest.slot.astype(np.uint64)
        self._below = np.flatnonzero(forest.parent >= 0)

    def all(self) -> Iterator[Features]:
        views: tuple[Callable[[], Features], ...] = (
            self._nodes,
            self._edges,
            self._paths,
            lambda: self._subtrees(2),
            lambda: self._subtrees(3),
            self._expressions,
            self._roles,
            self._definitions,
            self._control_flow,
            self._numbers,
            self._strings,
            self._calls,
            self._words,
            self._operators,
            self._statements,
            self._input_output,
        )
        for view in views:
            yield view()

    @cached_property
    def _edge(self) -> Hashes:
        """A hash of each node with its parent; of a top node, of itself."""
        above: Hashes = np.where(self._parent >= 0, self._code[self._parent], np.uint64(0))
        joined: Hashes = self._code * _C + above * _D + self._slot
        return mixed(joined)

    @cached_property
    def _control(self) -> tuple[Integers, Integers]:
        """The nearest node above each that contains statements (-1: none), and the number of loops around it."""
        forest = self._forest
        nearest, loops = np.full(len(self._owner), -1, np.int64), np.zeros(len(self._owner), np.int64)
        is_loop = (self._label == Label.LOOP).astype(np.int64)
        for nodes in forest.levels:
            nodes = nodes[self._parent[nodes] >= 0]
            above = self._parent[nodes]
            nearest[nodes] = np.where(forest.is_control[above], above, nearest[above])
            loops[nodes] = loops[above] + is_loop[above]
        return nearest, loops

    @cached_property
    def whole(self) -> Hashes:
        """A hash of the subtree of each node."""
        total = np.zeros(len(self._owner), np.uint64)
        whole = np.zeros(len(self._owner), np.uint64)
        for nodes in reversed(self._forest.levels):
            whole[nodes] = mixed(self._code[nodes] * _C + total[nodes])
            inner = nodes[self._parent[nodes] >= 0]
            np.add.at(total, self._parent[inner], mixed(whole[inner] + self._slot[inner] * _D))
        return whole

    def _nodes(self) -> Features:
        return self._owner, mixed(self._code)

    def _edges(self) -> Features:
        return self._owner[self._below], self._edge[self._below]

    def _paths(self) -> Features:
        nodes = self._below[self._parent[self._parent[self._below]] >= 0]
        return self._owner[nodes], mixed(self._edge[nodes] * _C + self._edge[self._parent[nodes]])

    @cached_property
    def _heights(self) -> list[Hashes]:
        """Hashes of the subtrees of each node, cut below a height."""
        inner, above = self._below, self._parent[self._below]
        slot = self._slot[inner] * _D
        heights = [mixed(self._code)]
        for _ in range(3):
            total = np.zeros(len(self._code), np.uint64)
            np.add.at(total, above, mixed(heights[-1][inner] + slot))
            heights.append(mixed(self._code * _C + total))
        return heights

    def _subtrees(self, height: int) -> Features:
        nodes = np.flatnonzero(self._forest.has_children)
        return self._owner[nodes], self._heights[height - 1][nodes]

    @cached_property
    def is_statement(self) -> Booleans:
        """Whether a node is a statement, or the condition of one: the parts of functions, loops and branches."""
        forest = self._forest
        above = self._parent
        inside = np.where(above >= 0, forest.is_control[above], True)
        found: Booleans = forest.has_children & ~forest.is_control & inside & (self._label != Label.PARAMETERS)
        return found

    def _expressions(self) -> Features:
        nodes = np.flatnonzero(self._forest.has_children & ~self._forest.is_control & ~self.is_statement)
        nodes = nodes[self._label[nodes] != Label.PARAMETERS]
        # Conditions and right sides count as expressions, whatever statement they are in.
        conditions = np.flatnonzero(self.is_statement & (self._label == Label.BINARY))
        nodes = np.concatenate([nodes, conditions])
        return self._owner[nodes], self.whole[nodes]

    def _statements(self) -> Features:
        nodes = np.flatnonzero(self.is_statement)
        jumps = np.zeros(DETAILS, bool)
        jumps[[int(one) for one in JUMPS]] = True
        bare = np.flatnonzero(jumps[self._label] & ~self._forest.has_children)
        nearest, _ = self._control
        alone = self._owner[nodes], self.whole[nodes]
        around = np.where(nearest[nodes] >= 0, self._label[nearest[nodes]], 0).astype(np.uint64)
        return _joined(
            alone,
            (self._owner[nodes], mixed(self.whole[nodes] + around * _D)),
            (self._owner[bare], mixed(self._code[bare])),
        )

    @cached_property
    def _variables(self) -> tuple[Integers, Booleans]:
        """The nodes that name a variable, by variable, and whether each is the first of its variable."""
        forest = self._forest
        nodes = np.flatnonzero((self._label == Label.NAME) & (forest.lexeme >= 0))
        key = self._owner[nodes] * (len(forest.lexemes.hash) + 1) + forest.lexeme[nodes]
        order = np.argsort(key, kind="stable")
        key = key[order]
        return nodes[order], np.diff(key, prepend=-1) != 0

    def _roles(self) -> Features:
        """What is done with each variable: a set of up to 16 uses."""
        nodes, first = self._variables
        if not len(nodes):
            return nodes, nodes.astype(np.uint64)
        above = self._parent[nodes]
        label = np.where(above >= 0, self._label[above], 0)
        detail = np.where(above >= 0, self._forest.code[above] % DETAILS, 0)
        slot = self._forest.slot[nodes]
        higher = np.where(above >= 0, self._parent[above], -1)
        in_loop = (higher >= 0) & (self._label[higher] == Label.LOOP)
        _, loops = self._control
        compares = (detail >= 6) & (detail <= 9)
        assigns = (label == Label.ASSIGN) & (slot == 1)
        steps = (label == Label.INCREMENT) | (label == Label.DECREMENT)
        uses = (
            assigns & (loops[nodes] == 0),
            assigns & (loops[nodes] > 0),
            (label == Label.UPDATE) & (slot == 1),
            steps & ~in_loop,
            steps & in_loop,
            label == Label.PARAMETERS,
            label == Label.READ,
            label == Label.WRITE,
            (label == Label.INDEX) & (slot == 2),
            (label == Label.INDEX) & (slot == 1),
            (label == Label.BINARY) & compares & in_loop,
            (label == Label.BINARY) & compares & ~in_loop,
            (label == Label.BINARY) & ~compares,
            (label == Label.CALL) | (label == Label.MEMBER) | (label == Label.NEW),
            label == Label.RETURN,
            ((label == Label.ASSIGN) | (label == Label.UPDATE)) & (slot == 2),
        )
        flags = np.zeros(len(nodes), np.int64)
        for bit, use in enumerate(uses):
            flags |= use.astype(np.int64) << bit
        starts = np.flatnonzero(first)
        masks = np.bitwise_or.reduceat(flags, starts).astype(np.uint64)
        owner = self._owner[nodes[starts]]
        return _joined((owner, mixed(masks + np.uint64(1 << 40))), (self._owner[nodes], mixed(flags.astype(np.uint64))))

    def _definitions(self) -> Features:
        """Each use of a variable with the use before it, and with the last definition."""
        nodes, first = self._variables
        if not len(nodes):
            return nodes, nodes.astype(np.uint64)
        above = self._parent[nodes]
        label = np.where(above >= 0, self._label[above], 0)
        slot = self._forest.slot[nodes]
        defines = np.isin(label, [Label.ASSIGN, Label.UPDATE, Label.INCREMENT, Label.DECREMENT]) & (slot < 2)
        defines |= np.isin(label, [Label.PARAMETERS, Label.READ, Label.LOOP])
        context = self._edge[nodes]
        at = np.arange(len(nodes))
        group = np.maximum.accumulate(np.where(first, at, 0))
        last = np.maximum.accumulate(np.where(defines | first, at, 0))
        earlier = np.concatenate([[0], last[:-1]])
        later = np.flatnonzero(~first & (earlier >= group))
        higher: Hashes = np.where(above >= 0, self._edge[above], np.uint64(0))
        chain = np.flatnonzero(~first)
        return _joined(
            (self._owner[nodes[later]], mixed(context[later] * _C + context[earlier[later]])),
            (self._owner[nodes[chain]], mixed(context[chain] * _D + context[chain - 1] + np.uint64(1))),
            (self._owner[nodes], mixed(context * _C + higher * _D)),
        )

    def _control_flow(self) -> Features:
        nearest, loops = self._control
        forest = self._forest
        jumps = np.zeros(DETAILS, bool)
        jumps[[int(one) for one in (*JUMPS, Label.READ, Label.WRITE, Label.CALL)]] = True
        nodes = np.flatnonzero(forest.is_control | jumps[self._label])
        depth = np.minimum(loops[nodes], 3).astype(np.uint64)
        label = self._label[nodes].astype(np.uint64)
        around = np.where(nearest[nodes] >= 0, self._label[nearest[nodes]], 0).astype(np.uint64)
        item = mixed(label * _C + depth)
        nested = mixed(label * _C + around * _D + depth)
        owner = self._owner[nodes]
        main = np.flatnonzero(label != int(Label.CALL))
        return _joined(
            (owner, item),
            (owner, nested),
            _grams(owner, nested, 2),
            _grams(owner[main], item[main], 3),
            _grams(owner[main], item[main], 4),
        )

    def _numbers(self) -> Features:
        forest = self._forest
        nodes = np.flatnonzero((self._label == Label.NUMBER) & (forest.lexeme >= 0))
        value = forest.lexemes.value[forest.lexeme[nodes]].astype(np.uint64)
        return self._owner[nodes], mixed(value + forest.negative[nodes] * _D)

    def _strings(self) -> Features:
        forest = self._forest
        at = np.flatnonzero(forest.token_class == TokenClass.STRING)
        whole = forest.token_fragment[at], mixed(forest.lexemes.hash[forest.token_lexeme[at]].astype(np.uint64))
        return _joined(whole, self._parts(at, np.uint64(7)))

    def _calls(self) -> Features:
        forest = self._forest
        kinds = forest.token_class
        at = np.flatnonzero((kinds == TokenClass.FUNCTION) | (kinds == TokenClass.TYPE) | (kinds == TokenClass.MEMBER))
        lexeme = forest.token_lexeme[at]
        names = forest.token_fragment[at], mixed(forest.lexemes.hash[lexeme].astype(np.uint64))
        known = at[forest.lexemes.known_function[lexeme] > 0]
        number = forest.lexemes.known_function[forest.token_lexeme[known]].astype(np.uint64)
        return _joined(names, (forest.token_fragment[known], mixed(number + np.uint64(1 << 50))))

    def _words(self) -> Features:
        kinds = self._forest.token_class
        names = (TokenClass.VARIABLE, TokenClass.FUNCTION, TokenClass.MEMBER, TokenClass.TYPE)
        return self._parts(np.flatnonzero(np.isin(kinds, names)), np.uint64(0))

    def _parts(self, at: Integers, salt: np.uint64) -> Features:
        """The words inside tokens."""
        forest, lexemes = self._forest, self._forest.lexemes
        lexeme = forest.token_lexeme[at]
        counts = lexemes.part_count[lexeme]
        ends = np.cumsum(counts)
        total = int(ends[-1]) if len(ends) else 0
        rows = np.arange(total) + np.repeat(lexemes.part_start[lexeme] - (ends - counts), counts)
        return np.repeat(forest.token_fragment[at], counts), mixed(lexemes.parts[rows].astype(np.uint64) + salt)

    def _operators(self) -> Features:
        computes = np.isin(
            self._label, [Label.BINARY, Label.UNARY, Label.UPDATE, Label.INCREMENT, Label.DECREMENT, Label.INDEX]
        )
        nodes = np.flatnonzero(computes)
        below = self._below[computes[self._parent[self._below]]]
        kind = self._label[below].astype(np.uint64)
        operand = mixed(self._code[self._parent[below]] * _C + kind * _D + self._slot[below])
        return _joined((self._owner[nodes], mixed(self._code[nodes])), (self._owner[below], operand))

    def _input_output(self) -> Features:
        _, loops = self._control
        moves = np.isin(self._label, [Label.READ, Label.WRITE, Label.LOOP, Label.RETURN])
        nodes = np.flatnonzero(moves)
        depth = np.minimum(loops[nodes], 3).astype(np.uint64)
        children = np.bincount(self._parent[self._below], minlength=len(self._owner))
        width = np.where(self._label[nodes] == Label.LOOP, 0, np.minimum(children[nodes], 4)).astype(np.uint64)
        owner, label = self._owner[nodes], self._label[nodes].astype(np.uint64)
        item = mixed(label * _C + depth)
        wide = mixed(label * _C + depth * _D + width)
        return _joined(
            (owner, item), (owner, wide), _grams(owner, item, 2), _grams(owner, item, 3), _grams(owner, item, 4)
        )
