"""Values of types that have few or well-known values: dates and times, paths, members of enumerations, choices."""

from __future__ import annotations

import math
from datetime import date, datetime, timedelta
from functools import cache
from random import Random

from clonetruth.execution.inputs.telling_values import FILE_NAMES
from clonetruth.execution.inputs.types import TEMPORAL, InputType
from clonetruth.execution.values import Value
from clonetruth.parsing import parse_json

LIBRARY_KINDS = (*TEMPORAL, "path", "enum", "choice")

_DATES = (
    "2024-01-31", "2024-02-29", "2023-12-31", "2024-03-01", "2000-01-01", "1999-12-31", "2023-02-28", "2024-12-30",
    "1970-01-01", "2026-11-18", "2100-03-01", "1900-02-28",
)  # fmt: skip
_TIMES = ("00:00:00", "12:30:00", "23:59:59", "09:05:07", "12:00:00", "00:00:01", "17:45:30.250000")
_TELLING = {
    "date": _DATES,
    "time": _TIMES,
    "datetime": tuple(f"{day}T{_TIMES[at % len(_TIMES)]}" for at, day in enumerate(_DATES)),
    "duration": ("0", "1", "60", "86400", "3600", "-1", "90", "604800", "0.5", "5400", "-86400", "31536000"),
    "path": (
        "a.txt",
        "folder/inner.txt",
        "archive.tar.gz",
        "/",
        "folder/deep/leaf.txt",
        ".",
        "../x",
        ".hidden",
        "name",
    ),
}
_NEAR = 4
_SPREAD = 40
_YEARS = (-30, -4, -1, 1, 1, 2, 4, 30)
_EQUAL = 0.2


def telling_value(kind: InputType, number: int) -> Value:
    """The value number n of a type, in turn."""
    if kind.members:
        return _member(kind, number % len(kind.members))
    values = _TELLING[kind.kind]
    return {kind.kind: values[number % len(values)]}


def random_value(kind: InputType, random: Random) -> Value:
    """Any value of a type."""
    match kind.kind:
        case "date":
            return {"date": _day(random).isoformat()}
        case "time":
            return {"time": _moment(random).time().isoformat()}
        case "datetime":
            return {"datetime": datetime.combine(_day(random), _moment(random).time()).isoformat()}
        case "duration":
            return {"duration": str(random.choice((1, 60, 3600, 86_400)) * random.randint(-3, _SPREAD))}
        case "path":
            return {"path": random.choice([*_TELLING["path"], *FILE_NAMES])}
        case _:
            return _member(kind, random.randrange(len(kind.members)))


def _day(random: Random) -> date:
    """Mostly near a few dates, so that two of them are not far apart: code may count the days between them."""
    days = _DATES[:_NEAR] if random.random() < 0.7 else _DATES
    return date.fromisoformat(random.choice(days)) + timedelta(days=random.randint(-_SPREAD, _SPREAD))


def near_value(value: Value, random: Random) -> Value:
    """A day that often has to do with another one: the same of another year or month, or one next to it; other values
    as they are."""
    kind = next((one for one in ("date", "datetime") if isinstance(value, dict) and one in value), None)
    if kind is None or not isinstance(value, dict) or random.random() < _EQUAL:
        return value
    moment = datetime.fromisoformat(value[kind])
    way = random.random()
    try:
        if way < 0.5:
            moment = moment.replace(year=moment.year + random.choice(_YEARS))
        elif way < 0.65:
            moment = moment.replace(month=random.randint(1, 12))
        if way > 0.3:
            moment += timedelta(days=random.randint(-1, 1))
    except (ValueError, OverflowError):  # the 30th of February, the year 10,000
        return value
    return {kind: (moment.date() if kind == "date" else moment).isoformat()}


def _moment(random: Random) -> datetime:
    return datetime(2000, 1, 1) + timedelta(seconds=random.randrange(86_400))


def _member(kind: InputType, number: int) -> Value:
    member = kind.members[number]
    if kind.kind == "enum":
        return {"enum": [kind.name, member]}
    value = parse_json(member)
    return value if isinstance(value, bool | str) else {"int": str(value)}


def is_chosen(kind: InputType, value: Value) -> bool:
    """Whether each value of a choice, wherever it is, is one of those permitted, each number without a sign has none,
    and each record has the keys that it must have."""
    if kind.kind == "choice":
        return value in all_values(kind)
    if kind.kind == "union":
        return any(is_chosen(one, value) for one in kind.inner)
    if not isinstance(value, dict) or not has_choice(kind):
        return True
    if kind.kind == "int" and "int" in value:
        return 0 <= int(value["int"]) < (1 << kind.bits if kind.bits else math.inf)
    ((_, content),) = value.items()
    match kind.kind:
        case "object":
            fields = dict(kind.fields)
            return all(is_chosen(fields[name], one) for name, one in content[1] if name in fields)
        case "record":
            present = {key: one for key, one in content if isinstance(key, str)}
            needed = {name for name, inner in kind.fields if not may_be_left_out(inner)}
            known = all(is_chosen(inner, present[name]) for name, inner in kind.fields if name in present)
            return known and needed <= present.keys() and len(present) == len(content)
        case "map":
            return all(is_chosen(kind.inner[0], key) and is_chosen(kind.inner[1], one) for key, one in content)
        case "tuple":
            return all(map(is_chosen, kind.inner, content))
        case "list" | "set" | "iterator":
            return all(is_chosen(kind.inner[0], one) for one in content)
    return True


def may_be_left_out(kind: InputType) -> bool:
    """Whether a field of this type may be absent."""
    return kind.kind == "default" or (kind.kind == "union" and any(one.kind == "default" for one in kind.inner))


@cache
def has_choice(kind: InputType) -> bool:
    """Whether a choice, a number without a sign, or a record with keys is somewhere in a type."""
    return (
        not kind.signed
        or kind.kind in ("choice", "record")
        or any(map(has_choice, (*kind.inner, *(one for _, one in kind.fields))))
    )


def all_values(kind: InputType) -> list[Value]:
    """All values of a type that has few; empty for other types."""
    found: list[Value] = [_member(kind, number) for number in range(len(kind.members))]
    if kind.kind == "bool":
        found = [False, True]
    return [*found, None] if found and kind.optional else found


def smaller_library_values(kind: str, content: str) -> list[Value]:
    """Values of the same kind that are easier to read."""
    match kind:
        case "date":
            found = ["2000-01-01", f"{content[:5]}01-01", f"{content[:8]}01"]
        case "datetime":
            found = ["2000-01-01T00:00:00", f"{content[:8]}01{content[10:]}", f"{content[:10]}T00:00:00"]
        case "time":
            found = ["00:00:00", f"{content[:6]}00"]
        case "duration":
            found = ["0", "1", "60", "86400"]
        case "path":
            found = ["a", "a.b", content.partition("/")[2]]
        case _:
            found = []
    return [{kind: one} for one in found if one]
