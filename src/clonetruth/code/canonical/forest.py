"""The canonical trees of a batch of fragments, as arrays.

The walk in `trees` is the only loop over nodes; everything that follows is done for all nodes of a batch at once:

- operators become part of the node above them, `a > b` becomes `b < a`;
- `x = x + y` becomes `x += y`, `x += 1` and `x++` become an increment, a sign becomes part of a number;
- calls that read input or write output are named so, and well-known functions get one number in all languages;
- brackets, blocks, types and other nodes without meaning of their own disappear.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from clonetruth.code.canonical.kinds import kind_table
from clonetruth.code.canonical.labels import (
    COMMUTATIVE,
    CONTROL,
    DETAILS,
    ELEMENT,
    LENGTH,
    MINUS,
    MINUS_MINUS,
    PLUS,
    PLUS_PLUS,
    RANGE,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    Label,
)
from clonetruth.code.canonical.lexemes import LexemeTable
from clonetruth.code.canonical.trees import EMPTY_TREE, RawTree, TokenNumbers, read_tree
from clonetruth.code.language import Language

Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]

_LESS = 8


@dataclass(frozen=True, eq=False)
class Forest:
    """The canonical trees of a batch: all kept nodes, fragment by fragment, in preorder.

    Attributes:
        fragments: the number of fragments.
        fragment: the fragment of each node.
        code: what each node is: `label * DETAILS + detail`.
        parent: the position of each node's parent; -1 for a node at the top.
        slot: 1 and 2 for ordered operands, else 0.
        lexeme: the row of a leaf in `lexemes`, -1 for other nodes.
        negative: whether it is a number with a minus sign.
        start: where the node begins in the text of its fragment, in bytes.
        end: where it ends.
        levels: positions of the nodes by depth, the top first.
        token_fragment: the fragment of each token, tokens in order.
        token_lexeme: its row in `lexemes`.
        token_class: what it is (`TokenClass`).
        lexemes: the distinct texts.
    """

    fragments: int
    fragment: Integers
    code: Integers
    parent: Integers
    slot: Integers
    lexeme: Integers
    negative: Booleans
    start: Integers
    end: Integers
    levels: tuple[Integers, ...]
    token_fragment: Integers
    token_lexeme: Integers
    token_class: Integers
    lexemes: LexemeTable

    @cached_property
    def label(self) -> Integers:
        """The label of each node."""
        return self.code // DETAILS

    @cached_property
    def has_children(self) -> Booleans:
        """Whether a node has children."""
        inner = np.zeros(len(self.code) + 1, bool)
        inner[self.parent] = True
        return inner[:-1]

    @cached_property
    def is_control(self) -> Booleans:
        """Whether a node contains statements."""
        return _member(self.label, CONTROL)


class TokenClass:
    """The classes of tokens: what an abstraction level replaces."""

    SIGN, VARIABLE, TYPE, FUNCTION, MEMBER, NUMBER, STRING, WORD = range(8)


def read_forest(texts: Sequence[str], languages: Sequence[Language | None]) -> Forest:
    """Read the canonical trees of some fragments.

    Args:
        texts: the texts.
        languages: the language of each; None for an unknown one, of which nothing is read.
    """
    numbers = TokenNumbers()
    trees = [
        EMPTY_TREE if language is None else read_tree(text, language, numbers)
        for text, language in zip(texts, languages, strict=True)
    ]
    return _Reduction(trees, languages, LexemeTable.of(numbers.texts)).forest()


def _flat(parts: Sequence[Sequence[int]]) -> Integers:
    return np.concatenate([np.array(part, np.int64) for part in parts]) if parts else np.zeros(0, np.int64)


def _member(values: Integers, wanted: frozenset[Label]) -> Booleans:
    table = np.zeros(max(Label) + 2, bool)
    table[[int(one) for one in wanted]] = True
    return table[values]


class _Reduction:
    """Turns the trees of the grammars into canonical ones."""

    def __init__(self, trees: Sequence[RawTree], languages: Sequence[Language | None], lexemes: LexemeTable) -> None:
        self._trees, self._lexemes = trees, lexemes
        kinds = kind_table()
        sizes = np.array([len(tree.kinds) for tree in trees], np.int64)
        first = np.cumsum(sizes) - sizes
        own = np.repeat(first, sizes)
        offsets = np.array([0 if one is None else kinds.offset[one.name] for one in languages], np.int64)
        web = np.array([one is not None and one.name in ("javascript", "typescript", "tsx") for one in languages], bool)
        self.fragment = np.repeat(np.arange(len(trees)), sizes)
        kind = np.repeat(offsets, sizes) + _flat([tree.kinds for tree in trees])
        kind[(kind >= len(kinds.label)) | (_flat([tree.kinds for tree in trees]) >= 65_534)] = 0  # broken text
        self.kind = kind
        parent = _flat([tree.parents for tree in trees])
        self.parent = np.where(parent < 0, -1, parent + own)
        self.depth = _flat([tree.depths for tree in trees])
        self.start, self.end = _flat([tree.starts for tree in trees]), _flat([tree.ends for tree in trees])
        leaves = [np.array(tree.leaves, np.int64) + at for tree, at in zip(trees, first.tolist(), strict=True)]
        self.leaf = np.concatenate(leaves) if leaves else np.zeros(0, np.int64)
        self.lexeme = np.full(len(kind), -1, np.int64)
        self.lexeme[self.leaf] = _flat([tree.tokens for tree in trees])
        self.shift = np.array([tree.shift for tree in trees], np.int64)
        self._web = web[self.fragment]
        self.label = kinds.label[kind]
        self.detail = np.zeros(len(kind), np.int64)
        self.slot = np.zeros(len(kind), np.int64)
        self.gone = np.zeros(len(kind), bool)
        order = np.argsort(self.depth, kind="stable")
        self.by_depth = np.split(order, np.cumsum(np.bincount(self.depth))[:-1]) if len(order) else []

    def forest(self) -> Forest:
        if not len(self.leaf):
            empty = np.zeros(0, np.int64)
            none = np.zeros(0, bool)
            return Forest(len(self._trees), *(empty,) * 5, none, empty, empty, (), *(empty,) * 3, self._lexemes)
        classes = self._classify_leaves()
        self._operators()
        self._calls(classes)
        self._name_leaves(classes)
        self._drop()
        self._rewrite()
        return self._kept(classes)

    def _classify_leaves(self) -> Integers:
        """The class of each leaf, from its kind, its parent and its text."""
        kinds, lexemes, leaf = kind_table(), self._lexemes, self.leaf
        label, parent, lexeme = self.label[leaf], self.parent[leaf], self.lexeme[leaf]
        above = np.where(parent < 0, 0, self.kind[parent])
        by_label = np.full(max(Label) + 1, TokenClass.SIGN)
        by_label[Label.NAME] = TokenClass.VARIABLE
        by_label[Label.MEMBER_NAME] = TokenClass.MEMBER
        by_label[Label.TYPE] = TokenClass.TYPE
        by_label[Label.NUMBER] = TokenClass.NUMBER
        by_label[[Label.STRING, Label.CHARACTER]] = TokenClass.STRING
        classes: Integers = by_label[label]
        words = (classes == TokenClass.SIGN) & lexemes.is_word[lexeme]
        classes[words] = TokenClass.WORD
        names = classes == TokenClass.VARIABLE
        first = np.zeros(len(leaf), bool)
        first[parent >= 0] = leaf[parent >= 0] == parent[parent >= 0] + 1
        classes[names & kinds.type_context[above]] = TokenClass.TYPE
        classes[names & kinds.first_type[above] & first] = TokenClass.TYPE
        classes[names & (kinds.label[above] == Label.MEMBER) & ~first] = TokenClass.MEMBER
        classes[names & kinds.declarator[above]] = TokenClass.FUNCTION
        return classes

    def _operators(self) -> None:
        """Fold operators into the nodes above them, and number ordered operands."""
        lexemes, leaf = self._lexemes, self.leaf
        operator, parent = lexemes.operator[self.lexeme[leaf]], self.parent[leaf]
        held = (operator >= 0) & (parent >= 0)
        owner, operator, sign = parent[held], operator[held], self.lexeme[leaf[held]]
        above = self.label[owner]
        fits = (above == Label.BINARY) | (above == Label.UNARY) | (above == Label.ASSIGN)
        fits &= self.label[leaf[held]] == Label.CLEAR
        owner, operator, sign, above = owner[fits], operator[fits], sign[fits], above[fits]
        self.detail[owner] = operator
        update = (above == Label.ASSIGN) & lexemes.is_update[sign]
        self.label[owner[update]] = Label.UPDATE
        self.label[owner[operator == PLUS_PLUS]] = Label.INCREMENT
        self.label[owner[operator == MINUS_MINUS]] = Label.DECREMENT
        self.detail[owner[(operator == PLUS_PLUS) | (operator == MINUS_MINUS)]] = 0
        self.swapped = np.zeros(len(self.kind), bool)
        self.swapped[owner] = lexemes.is_swapped[sign]

    def _calls(self, classes: Integers) -> None:
        """Find the called names; calls that read and write, and those of well-known functions, are named."""
        kinds, lexemes = kind_table(), self._lexemes
        arguments = np.flatnonzero(kinds.arguments[self.kind])
        owner = self.parent[arguments]
        arguments, owner = arguments[owner >= 0], owner[owner >= 0]
        named = np.flatnonzero((classes == TokenClass.VARIABLE) | (classes == TokenClass.MEMBER))
        if not len(named):
            return
        at = np.searchsorted(self.leaf[named], arguments) - 1
        found = (at >= 0) & (self.leaf[named][np.maximum(at, 0)] > owner) & (self.label[owner] == Label.CALL)
        owner, callee, arguments = owner[found], named[at[found]], arguments[found]
        classes[callee] = TokenClass.FUNCTION
        lexeme = self.lexeme[self.leaf[callee]]
        self.detail[owner] = lexemes.known_function[lexeme]
        logs = lexemes.is_log[lexeme] & ~self._web[owner]
        self.label[owner[lexemes.is_read[lexeme]]] = Label.READ
        self.label[owner[lexemes.is_write[lexeme] & ~logs]] = Label.WRITE
        loops = owner[self.detail[owner] == RANGE]
        inside = self.parent[loops]
        counting = loops[(inside >= 0) & (self.label[inside] == Label.LOOP)]
        self.label[counting], self.detail[counting] = Label.BINARY, _LESS
        io = (self.label == Label.READ) | (self.label == Label.WRITE)
        self.detail[io] = 0
        # What is read from or written to does not matter: `System.out`, `fmt`, `scanner`.
        before = np.full(len(self.kind), -1, np.int64)
        before[owner] = np.where(io[owner], arguments, -1)
        inside = np.where(self.parent < 0, -1, before[self.parent])
        self.gone |= np.arange(len(self.kind)) < inside
        elements = owner[(self.detail[owner] == ELEMENT) & (self.label[owner] == Label.CALL)]
        self.label[elements], self.detail[elements] = Label.INDEX, 0
        # A member that is a length, without a call.
        member = np.flatnonzero((classes == TokenClass.MEMBER) | (classes == TokenClass.VARIABLE))
        holder = self.parent[self.leaf[member]]
        length = lexemes.known_function[self.lexeme[self.leaf[member]]] == LENGTH
        length &= (holder >= 0) & (self.label[holder] == Label.MEMBER) & (classes[member] == TokenClass.MEMBER)
        self.label[holder[length]], self.detail[holder[length]] = Label.CALL, LENGTH

    def _name_leaves(self, classes: Integers) -> None:
        leaf, lexemes = self.leaf, self._lexemes
        numbers = leaf[classes == TokenClass.NUMBER]
        self.detail[numbers] = lexemes.small_number[self.lexeme[numbers]] + 64 * lexemes.minus[self.lexeme[numbers]]
        truth = lexemes.truth[self.lexeme[leaf]]
        self.label[leaf[truth == 1]] = Label.TRUE
        self.label[leaf[truth == 2]] = Label.FALSE
        # Streams of C++: `cin >> x`, `cout << x`.
        streams = leaf[lexemes.is_stream[self.lexeme[leaf]]]
        node = self.parent[streams]
        self.gone[streams] = self.gone[leaf[truth == 3]] = True
        for _ in range(32):
            ok = node >= 0
            shifts = ok & (self.label[node] == Label.BINARY)
            shifts &= (self.detail[node] == SHIFT_LEFT) | (self.detail[node] == SHIFT_RIGHT)
            node = node[shifts]
            if not len(node):
                break
            self.label[node] = np.where(self.detail[node] == SHIFT_LEFT, Label.WRITE, Label.READ)
            self.detail[node] = 0
            inner, node = node, self.parent[node]
            # `cout << a << b` writes once.
            nested = (node >= 0) & (self.label[node] == Label.BINARY)
            nested &= (self.detail[node] == SHIFT_LEFT) | (self.detail[node] == SHIFT_RIGHT)
            self.label[inner[nested]] = Label.CLEAR

    def _drop(self) -> None:
        """Mark the subtrees that do not belong to the canonical tree: names of types and called functions."""
        kinds = kind_table()
        strings = self.label == Label.STRING
        inside = np.where(self.parent < 0, 0, self.kind[self.parent])
        documentation = strings & kinds.statement[inside]
        self.gone |= (self.label == Label.TYPE) | documentation

    def _rewrite(self) -> None:
        """`x = x + y` becomes `x += y`; `x += 1` an increment; a sign becomes part of a number."""
        keeps = self._keeps()
        ancestor = self._ancestors(keeps)
        rank, count = self._ranks(keeps, ancestor)
        first, second = self._operands(keeps, ancestor, rank)
        # -1
        negative = np.flatnonzero((self.label == Label.UNARY) & (self.detail == MINUS) & (count == 1))
        number = first[negative]
        folded = self.label[number] == Label.NUMBER
        negative, number = negative[folded], number[folded]
        self.label[negative], self.detail[negative] = Label.NUMBER, self.detail[number] + 64
        self.lexeme[negative] = self.lexeme[number]
        self.negative = (self.lexeme >= 0) & (self._lexemes.minus[self.lexeme] > 0) & (self.label == Label.NUMBER)
        self.negative[negative] = True
        self.gone[number] = True
        # x = x + y
        plain = np.flatnonzero((self.label == Label.ASSIGN) & (count == 2))
        target, value = first[plain], second[plain]
        binary = (self.label[value] == Label.BINARY) & (count[value] == 2)
        plain, target, value = plain[binary], target[binary], value[binary]
        again = first[value]
        same = self._same_text(target, again)
        plain, value, again = plain[same], value[same], again[same]
        self.label[plain], self.detail[plain] = Label.UPDATE, self.detail[value]
        second[plain] = second[value]
        self.label[value] = Label.CLEAR
        self.gone[again] = True
        # x += 1
        update = np.flatnonzero((self.label == Label.UPDATE) & (count == 2))
        step = second[update]
        one = (self.label[step] == Label.NUMBER) & (self.detail[step] == 2)
        for operator, label in ((PLUS, Label.INCREMENT), (MINUS, Label.DECREMENT)):
            rows = one & (self.detail[update] == operator)
            self.gone[step[rows]] = True
            self.label[update[rows]], self.detail[update[rows]] = label, 0
        self._slots(keeps, ancestor, rank)
        moved = second[plain][self.label[plain] == Label.UPDATE]
        self.slot[moved] = 2

    def _slots(self, keeps: Booleans, ancestor: Integers, rank: Integers) -> None:
        """Operands have an order, except those of commutative operators."""
        ordered = np.isin(self.label, [Label.ASSIGN, Label.UPDATE, Label.INDEX])
        commutative = np.zeros(DETAILS, bool)
        commutative[list(COMMUTATIVE)] = True
        ordered |= (self.label == Label.BINARY) & ~commutative[self.detail]
        mine = np.flatnonzero(keeps & (ancestor >= 0))
        mine = mine[ordered[ancestor[mine]]]
        slot = np.minimum(rank[mine], 1)
        self.slot[mine] = 1 + np.where(self.swapped[ancestor[mine]], 1 - slot, slot)

    def _same_text(self, one: Integers, other: Integers) -> Booleans:
        same: Booleans = (self.lexeme[one] >= 0) & (self.lexeme[one] == self.lexeme[other])
        length = self.end[one] - self.start[one]
        for at in np.flatnonzero(~same & (self.lexeme[one] < 0) & (length == self.end[other] - self.start[other])):
            source = self._trees[self.fragment[one[at]]].source
            a, b = one[at], other[at]
            same[at] = source[self.start[a] : self.end[a]] == source[self.start[b] : self.end[b]]
        return same

    def _keeps(self) -> Booleans:
        """The nodes of the canonical tree: what has a label, and is in no subtree that is gone."""
        gone = self.gone.copy()
        for nodes in self.by_depth[1:]:
            gone[nodes] |= gone[self.parent[nodes]] & (self.parent[nodes] >= 0)
        self._all_gone = gone
        kept: Booleans = (self.label != Label.CLEAR) & ~gone
        return kept

    def _ancestors(self, keeps: Booleans) -> Integers:
        """The nearest kept node above each node, -1 where there is none."""
        ancestor = np.full(len(self.kind), -1, np.int64)
        for nodes in self.by_depth[1:]:
            above = self.parent[nodes]
            ancestor[nodes] = np.where(above < 0, -1, np.where(keeps[above], above, ancestor[above]))
        return ancestor

    def _ranks(self, keeps: Booleans, ancestor: Integers) -> tuple[Integers, Integers]:
        """The position of each kept node among the children of its parent, and the number of children of each node."""
        nodes = np.flatnonzero(keeps & (ancestor >= 0))
        order = np.argsort(ancestor[nodes], kind="stable")
        nodes = nodes[order]
        owners = ancestor[nodes]
        count = np.bincount(owners, minlength=len(self.kind))
        starts = np.flatnonzero(np.diff(owners, prepend=-1))
        rank = np.zeros(len(self.kind), np.int64)
        rank[nodes] = np.arange(len(nodes)) - np.repeat(starts, np.diff(np.append(starts, len(nodes))))
        return rank, count

    def _operands(self, keeps: Booleans, ancestor: Integers, rank: Integers) -> tuple[Integers, Integers]:
        nodes = np.flatnonzero(keeps & (ancestor >= 0))
        sides = []
        for number in (0, 1):
            side = np.full(len(self.kind), -1, np.int64)
            own = nodes[rank[nodes] == number]
            side[ancestor[own]] = own
            sides.append(side)
        return sides[0], sides[1]

    def _kept(self, classes: Integers) -> Forest:
        keeps = self._keeps()
        names = np.zeros(len(self.kind), bool)
        names[self.leaf[classes == TokenClass.FUNCTION]] = True
        names[self.leaf[classes == TokenClass.TYPE]] = True
        keeps &= ~names
        ancestor = self._ancestors(keeps)
        place = np.cumsum(keeps) - 1
        nodes = np.flatnonzero(keeps)
        above = ancestor[nodes]
        code = self.label[nodes] * DETAILS + np.minimum(self.detail[nodes], DETAILS - 1)
        levels = tuple(place[level[keeps[level]]] for level in self.by_depth)
        shown = np.flatnonzero(~self._all_gone[self.leaf] | (classes == TokenClass.TYPE))
        shown = shown[~self._lexemes.is_punctuation[self.lexeme[self.leaf[shown]]]]
        leaf = self.leaf[shown]
        shift = self.shift[self.fragment[nodes]]
        return Forest(
            fragments=len(self._trees),
            fragment=self.fragment[nodes],
            code=code,
            parent=np.where(above < 0, -1, place[above]),
            slot=self.slot[nodes],
            lexeme=self.lexeme[nodes],
            negative=self.negative[nodes],
            start=self.start[nodes] - shift,
            end=self.end[nodes] - shift,
            levels=levels,
            token_fragment=self.fragment[leaf],
            token_lexeme=self.lexeme[leaf],
            token_class=classes[shown],
            lexemes=self._lexemes,
        )
