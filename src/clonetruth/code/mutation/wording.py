"""The words of new code: names, comments, statements. All are drawn, none is in the fragment already."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from clonetruth.code.language import Language
from clonetruth.code.mutation.specimen import Specimen

_NOUNS = [
    "account",
    "amount",
    "anchor",
    "bucket",
    "candidate",
    "channel",
    "counter",
    "cursor",
    "delta",
    "element",
    "entry",
    "factor",
    "figure",
    "group",
    "handle",
    "holder",
    "image",
    "item",
    "journal",
    "kernel",
    "ledger",
    "margin",
    "member",
    "moment",
    "origin",
    "outcome",
    "parcel",
    "portion",
    "quota",
    "record",
    "region",
    "sample",
    "segment",
    "share",
    "signal",
    "source",
    "station",
    "summary",
    "target",
    "ticket",
    "total",
    "track",
    "union",
    "value",
    "vector",
    "weight",
    "window",
]
_VERBS = [
    "announce",
    "check",
    "count",
    "mark",
    "measure",
    "note",
    "observe",
    "record",
    "register",
    "report",
    "review",
    "trace",
    "update",
    "verify",
]
_REMARKS = [
    "see above",
    "as agreed",
    "for later",
    "holds here",
    "in this order",
    "kept on purpose",
    "once only",
    "usual case",
]


def fresh_names(specimen: Specimen, rng: Random, *, capital: bool = False) -> Iterator[str]:
    """Names that the fragment does not have, each once."""
    taken = set(specimen.taken)
    while True:
        words = rng.sample(_NOUNS, 2)
        snake = specimen.language.name in ("c", "python")
        name = "_".join(words) if snake and not capital else words[0] + words[1].capitalize()
        name = name[0].upper() + name[1:] if capital else name
        if name not in taken:
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


def fresh_statement(specimen: Specimen, rng: Random) -> bytes:
    """A call of a function that is not in the fragment, with variables of it."""
    verb, noun = rng.choice(_VERBS), rng.choice(_NOUNS)
    function = f"{verb}_{noun}" if specimen.language.name in ("c", "python") else verb + noun.capitalize()
    variables = rng.sample(specimen.variables, min(len(specimen.variables), rng.randint(0, 2)))
    end = "" if specimen.language.indent_blocks else ";"
    return f"{function}({', '.join(variables)}){end}".encode()
