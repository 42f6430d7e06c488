"""Type-2 edits: names, types and literals."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

from clonetruth.code.language import TokenKind
from clonetruth.code.mutation.edit_sites import NAMES, Edit, Edits, EditSites, draw, fresh_names, fresh_word
from clonetruth.code.mutation.operator import Relation, operator
from clonetruth.code.names import NamePart
from clonetruth.code.tokens import Token

_STRING = re.compile(r"(?s)(?P<before>\w{0,3}(?P<quote>\"\"\"|'''|[\"'`]))(?P<content>.*)(?P<after>(?P=quote)\w*)")
_OWN = (NamePart.VARIABLE, NamePart.FUNCTION)
_ACCESS = frozenset({".", "?.", "->", "::"})
_NUMBER = re.compile(r"(?:0|[1-9][0-9]*)(?![0-9xXbBoO_])")


@operator("mSRI", Relation.CONSISTENT)
def rename_one(sites: EditSites, rng: Random) -> Edits:
    """A variable, or the function itself, gets another name wherever it occurs."""
    return _renamed(sites, draw(_own_names(sites), rng), rng)


@operator("mSRI_A", Relation.CONSISTENT)
def rename_all(sites: EditSites, rng: Random) -> Edits:
    """All variables and the function itself get other names."""
    return _renamed(sites, _own_names(sites), rng)


@operator("mSRT", Relation.CONSISTENT)
def rename_type(sites: EditSites, rng: Random) -> Edits:
    """A type becomes another one wherever it occurs."""
    types = sorted({token.text for token in sites.tokens if token.kind is TokenKind.TYPE})
    return _renamed(sites, draw(types, rng), rng, capital=True)


@operator("mARI", Relation.BLIND)
def rename_once(sites: EditSites, rng: Random) -> Edits:
    """A name that occurs several times is another one at one occurrence."""
    counts = Counter(token.text for token in _names(sites))
    candidates = [token for token in _names(sites) if counts[token.text] > 1]
    return [_replaced(token, next(fresh_names(sites, rng))) for token in draw(candidates, rng)]


@operator("mRL_N", Relation.CONSISTENT)
def change_number(sites: EditSites, rng: Random) -> Edits:
    """A number becomes another one."""
    numbers = [token for token in sites.tokens if token.kind is TokenKind.NUMBER and _NUMBER.match(token.text)]
    return [_replaced(token, _NUMBER.sub(str(rng.randint(1, 99)), token.text, count=1)) for token in draw(numbers, rng)]


@operator("mRL_S", Relation.CONSISTENT)
def change_string(sites: EditSites, rng: Random) -> Edits:
    """A string has another content."""
    strings = [
        (token, match)
        for token in sites.tokens
        if token.kind is TokenKind.STRING and (match := _STRING.fullmatch(token.text))
    ]
    return [
        _replaced(token, "".join((match["before"], fresh_word(rng, match["content"]), match["after"])))
        for token, match in draw(strings, rng)
    ]


def _names(sites: EditSites) -> list[Token]:
    own = sites.language.own_names
    return [token for token in sites.tokens if token.kind in NAMES and token.text.encode() not in own]


def _own_names(sites: EditSites) -> list[str]:
    """The names of variables and functions that the fragment declares, in order of appearance.

    A name that also stands for something else is left out: a member of another object or scope (``other.size()``,
    ``std::max``), a key, a keyword of a call, a type. Consistent renaming goes by name, not by role: a name changes
    everywhere or nowhere.
    """
    accessed = {
        name.start: before.text.encode() in sites.language.own_names
        for before, access, name in zip(sites.tokens, sites.tokens[1:], sites.tokens[2:], strict=False)
        if access.text in _ACCESS
    }
    plain = {name.start for name in sites.names if name.part in _OWN and not name.shorthand}
    bound = {token.text for token in _names(sites) if not accessed.get(token.start, token.start in plain)}
    own = (name.text for name in sites.names if name.declared and name.part in _OWN)
    return list(dict.fromkeys(name for name in own if name not in bound))


def _renamed(sites: EditSites, wanted: list[str], rng: Random, *, capital: bool = False) -> Edits:
    new = dict(zip(wanted, fresh_names(sites, rng, capital=capital), strict=False))
    return [_replaced(token, new[token.text]) for token in _names(sites) if token.text in new]


def _replaced(token: Token, text: str) -> Edit:
    return Edit(token.start, token.start + len(token.text.encode()), text.encode())
