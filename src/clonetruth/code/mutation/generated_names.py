"""The words of new code: names, comments, statements. All are drawn, none is in the fragment already."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from clonetruth.code.language import Language
from clonetruth.code.mutation.edit_sites import EditSites

_NOUN_LIST = (
    "account amount anchor bucket candidate channel counter cursor delta element entry factor figure group "
    "handle holder image item journal kernel ledger margin member moment origin outcome parcel portion quota "
    "record region sample segment share signal source station summary target ticket total track union value "
    "vector weight window"
)
_VERB_LIST = "announce check count mark measure note observe record register report review trace update verify"
_REMARK_LIST = "see above; as agreed; for later; holds here; in this order; kept on purpose; once only; usual case"
_NOUNS, _VERBS, _REMARKS = _NOUN_LIST.split(), _VERB_LIST.split(), _REMARK_LIST.split("; ")
_SNAKE = ("c", "python")
"""Languages in which words are joined by an underscore."""


def fresh_names(specimen: EditSites, rng: Random, *, capital: bool = False) -> Iterator[str]:
    """Names that the fragment does not have, each once."""
    taken = set(specimen.taken)
    snake = specimen.language.name in _SNAKE and not capital
    while True:
        first, second = rng.sample(_NOUNS, 2)
        name = f"{first}_{second}" if snake else first + second.capitalize()
        name = name[0].upper() + name[1:] if capital else name
        while name in taken:
            name += str(rng.randint(0, 9))
        taken.add(name)
        yield name


def fresh_word(rng: Random, other_than: str) -> str:
    """A word that is another than one."""
    return rng.choice([noun for noun in _NOUNS if noun != other_than])


def line_comment(language: Language, rng: Random) -> bytes:
    """A comment that ends with its line."""
    remark = rng.choice(_REMARKS).encode()
    return next(
        comment for comment in (b"// " + remark, b"# " + remark) if re.fullmatch(language.lexicon.comment, comment)
    )


def block_comment(language: Language, rng: Random) -> bytes | None:
    """A comment that may stand between two tokens; None where the language has none."""
    comment = b"/* %s */" % rng.choice(_REMARKS).encode()
    return comment if re.fullmatch(language.lexicon.comment, comment, re.DOTALL) else None


def fresh_statement(specimen: EditSites, rng: Random) -> bytes:
    """A call of a function that is not in the fragment, with variables of it."""
    verb, noun = rng.choice(_VERBS), rng.choice(_NOUNS)
    function = f"{verb}_{noun}" if specimen.language.name in _SNAKE else verb + noun.capitalize()
    variables = rng.sample(specimen.variables, min(len(specimen.variables), rng.randint(0, 2)))
    end = "" if specimen.language.indent_blocks else ";"
    return f"{function}({', '.join(variables)}){end}".encode()
