"""The roles of columns in a table of pairs: named by options, or recognised by their usual names."""

from __future__ import annotations

import dataclasses
import difflib
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clonetruth.code import language as language_named
from clonetruth.errors import InputError
from clonetruth.model import CRITERIA, Card, Judge, JudgeKind, PairValue

USUAL: Mapping[str, tuple[str, ...]] = {
    "left": ("left", "id1", "left_id"),
    "right": ("right", "id2", "right_id"),
    "label": ("label", "is_clone"),
    "left_text": ("left_text", "func1", "code1"),
    "right_text": ("right_text", "func2", "code2"),
    "left_language": ("left_language",),
    "right_language": ("right_language",),
    "functionality": ("functionality",),
    "part": ("part",),
    "type": ("claimed_type",),
    "similarity_line": ("claimed_similarity_line",),
    "similarity_token": ("claimed_similarity_token",),
}
"""The usual names of each column, used if no option names it."""

TRUE_WORDS = "1,true,t,yes,y,clone"
FALSE_WORDS = "0,-1,false,f,no,n,not-clone,non-clone,notclone"


@dataclass(frozen=True)
class Columns:
    """The columns by role; None for those that the table does not have.

    At least the ids or the texts of both sides are present; without ids, fragments are identified by their text.
    """

    left: str | None = None
    right: str | None = None
    label: str | None = None
    left_text: str | None = None
    right_text: str | None = None
    left_language: str | None = None
    right_language: str | None = None
    functionality: str | None = None
    part: str | None = None
    type: str | None = None
    similarity_line: str | None = None
    similarity_token: str | None = None


NAMES = tuple(field.name for field in dataclasses.fields(Columns))


def choose_columns(options: Mapping[str, Any], there: Collection[str], where: object) -> Columns:
    """The columns that options name, and those with usual names.

    Args:
        options: column names by role.
        there: the names of the table's columns.
        where: the table, for messages.

    Raises:
        InputError: a column is missing, or the columns of the fragments are unknown.
    """
    chosen: dict[str, str] = {}
    for meaning in NAMES:
        asked = options.get(meaning)
        if asked is not None and asked not in there:
            raise InputError(
                f"There is no column '{asked}'.", where=where, hint=f"Columns: {', '.join(sorted(map(str, there)))}."
            )
        name = asked or next((usual for usual in USUAL[meaning] if usual in there), None)
        if name is not None:
            chosen[meaning] = name
    for left, right in (("left", "right"), ("left_text", "right_text"), ("left_language", "right_language")):
        if (left in chosen) != (right in chosen):
            raise InputError(f"Only one of the columns {left} and {right} is present.", where=where)
    if "left" not in chosen and "left_text" not in chosen:
        raise InputError(
            "The columns of the pairs are unknown.",
            where=where,
            hint=f"Name them: --left, --right, --label. Columns: {', '.join(sorted(map(str, there)))}.",
        )
    return Columns(**chosen)


@dataclass(frozen=True)
class Meaning:
    """The meaning of a table's labels, and its card.

    Args:
        language: the language of all fragments; None if columns hold it.
        criterion: the criterion of the labels.
        values: the verdict for each value of the label column.
        cut_rule: the rule that divided claimed types by similarity.
        card: the benchmark's card.
        judge: the judge to whom the labels are attributed.
    """

    language: str | None
    criterion: str
    values: Mapping[str, PairValue]
    cut_rule: str | None
    card: Card
    judge: Judge


_CARD_OPTIONS = ("version", "licence", "citation", "description")
MEANING_OPTIONS = (
    "language",
    "criterion",
    "true",
    "false",
    "cut_rule",
    "name",
    *_CARD_OPTIONS,
)


def choose_meaning(options: Mapping[str, Any], card: Card) -> Meaning:
    """The meaning of a table's labels, from the options of the import.

    Args:
        options: the import's options.
        card: the defaults.

    Raises:
        InputError: an option has an invalid value.
    """
    known = ", ".join(name for name, one in CRITERIA.items() if set(one.values) == set(PairValue))
    if options.get("criterion") is None:
        raise InputError(
            "The table does not say what its labels mean.",
            hint=f"State the question that the labels answer: --criterion NAME. Known: {known}.",
        )
    criterion = str(options["criterion"])
    if criterion not in CRITERIA or set(CRITERIA[criterion].values) != set(PairValue):
        raise InputError(f"The criterion '{criterion}' does not apply to labels of pairs.", hint=f"Known: {known}.")
    values: dict[str, PairValue] = {}
    for option, usual, value in (("true", TRUE_WORDS, PairValue.CLONE), ("false", FALSE_WORDS, PairValue.NOT_CLONE)):
        for word in str(options.get(option, usual)).lower().split(","):
            if values.setdefault(word.strip(), value) is not value:
                raise InputError(f"The label '{word.strip()}' cannot be both true and false.")
    name = str(options.get("name", card.name))
    language = options.get("language")
    language = language_named(str(language)).name if language else None
    described = {key: str(options.get(key, getattr(card, key))) for key in _CARD_OPTIONS}
    return Meaning(
        language=language,
        criterion=criterion,
        values=values,
        cut_rule=None if options.get("cut_rule") is None else str(options["cut_rule"]),
        card=dataclasses.replace(
            card,
            name=name,
            criterion=criterion,
            languages=(language,) if language else card.languages,
            version=described["version"],
            licence=described["licence"],
            citation=described["citation"],
            description=described["description"],
        ),
        judge=Judge(f"rule:{name}", JudgeKind.RULE, f"The labels of {name}", "As the table's label column says."),
    )


def claimed_number(value: object) -> float | None:
    """A number that a source claims; None for an empty cell, NaN for anything else, which the import then lists."""
    word = str(value).strip() if value is not None else ""
    if not word:
        return None
    try:
        return float(word)
    except ValueError:
        return math.nan


def check_options(options: Mapping[str, Any], known: Sequence[str]) -> None:
    """Refuse options that a source does not have.

    Raises:
        InputError: an option is unknown; the hint suggests a similar name.
    """
    for name in options:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"Did you mean '{near[0]}'? " if near else ""
            raise InputError(f"There is no option '{name}'.", hint=f"{hint}Known: {', '.join(sorted(known))}.")
