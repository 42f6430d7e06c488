"""Which inputs a specification permits: stated by a source for each parameter, drawn at random, and checked.

| kind | values | entries |
| --- | --- | --- |
| `integer` | whole numbers | `min`, `max` |
| `number` | floating-point numbers | `min`, `max` |
| `boolean` | true and false | |
| `text` | texts that match an expression, made of pieces | `pieces`, `min`, `max` (number of pieces), `matches` |
| `list` | lists | `of` (a domain), `min`, `max` (length), `order` (`ascending`, or nothing) |
| `matrix` | lists of lists of the same length | `of`, `rows`, `columns` (each least and most) |
| `adjacency` | for each node of a graph the nodes that it leads to | `min`, `max` (nodes), `degree` |
| `index` | an index of an earlier list | `of` (name of the parameter) |
| `day` | a day of an earlier month | `year`, `month` (names of parameters) |
"""

from __future__ import annotations

import calendar
import json
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from clonetruth.execution.inputs.given import plain_of, value_of
from clonetruth.execution.values import Value
from clonetruth.parsing import parse_json

_SHORT = 4
_ATTEMPTS = 1000

_ENTRIES: Mapping[str, tuple[str, ...]] = {
    "integer": ("min", "max"),
    "number": ("min", "max"),
    "boolean": (),
    "text": ("pieces", "min", "max", "matches"),
    "list": ("of", "min", "max"),
    "matrix": ("of", "rows", "columns"),
    "adjacency": ("min", "max", "degree"),
    "index": ("of",),
    "day": ("year", "month"),
}


@dataclass(frozen=True)
class InputDomain:
    """The permitted arguments of a function.

    Attributes:
        parameters: the name and the domain of each parameter, in order.

    Example:
        >>> domain = read_domain('[{"name": "n", "domain": {"kind": "integer", "min": 1, "max": 3}}]')
        >>> domain.permits(({"int": "0"},)), domain.permits(({"int": "3"},))
        (False, True)
    """

    parameters: tuple[tuple[str, Mapping[str, Any]], ...] = field(hash=False)

    @property
    def text(self) -> str:
        """As `read_domain` reads it."""
        return json.dumps([{"name": name, "domain": domain} for name, domain in self.parameters], sort_keys=True)

    def permits(self, arguments: Sequence[Value]) -> bool:
        """Whether arguments lie in the domain."""
        try:
            return self.permits_plain([plain_of(one) for one in arguments])
        except ValueError:
            return False

    def permits_plain(self, arguments: Sequence[Any]) -> bool:
        """Whether arguments, as plain JSON, lie in the domain."""
        if len(self.parameters) != len(arguments):
            return False
        given = {name: value for (name, _), value in zip(self.parameters, arguments, strict=True)}
        return all(_permits(domain, given[name], given) for name, domain in self.parameters)

    def drawn(self, seed: int, likely: Sequence[int] = ()) -> Iterator[tuple[Value, ...]]:
        """Permitted arguments without end.

        Args:
            seed: the same seed gives the same.
            likely: numbers that matter, such as those in the code; they are drawn often where they are permitted.
        """
        rng = random.Random(f"{seed} {self.text}")
        while True:
            yield tuple(value_of(one) for one in self.draw_plain(rng, likely))

    def draw_plain(self, rng: random.Random, likely: Sequence[int] = ()) -> list[Any]:
        """One list of permitted arguments, as plain JSON; a domain may refer to the parameters before it."""
        earlier: dict[str, Any] = {}
        for name, domain in self.parameters:
            drawn = _draw(domain, rng, earlier)
            if domain["kind"] == "integer":
                # A number is often one of the code, or an element of a list before it.
                elements = [one for value in earlier.values() if isinstance(value, list) for one in value]
                matching = [one for one in (*likely, *elements) if _permits(domain, one, earlier)]
                drawn = rng.choice(matching) if matching and rng.random() < 0.4 else drawn
            earlier[name] = drawn
        return list(earlier.values())


def read_domain(text: str) -> InputDomain:
    """The domain that a JSON text says: a list with the `name` and the `domain` of each parameter.

    Raises:
        ValueError: it says none; the message says what is wrong.
    """
    return domain_of(parse_json(text))


def domain_of(said: Any) -> InputDomain:
    """The domain that a list of parameters says, each with a `name` and a `domain`.

    Raises:
        ValueError: it says none.
    """
    if not isinstance(said, list):
        raise ValueError("not a list of parameters")
    found: dict[str, Mapping[str, Any]] = {}
    for one in said:
        if not isinstance(one, dict) or not isinstance(one.get("name"), str) or "domain" not in one:
            raise ValueError("a parameter has a name and a domain")
        _check(one["domain"], one["name"], found)
        found[one["name"]] = one["domain"]
    if len(found) != len(said):
        raise ValueError("two parameters have the same name")
    made = InputDomain(tuple(found.items()))
    try:
        made.draw_plain(random.Random(0))
    except (TypeError, KeyError, ValueError, re.error) as error:
        raise ValueError(f"no input is permitted: {error}") from error
    return made


def _check(domain: Any, name: str, earlier: Mapping[str, Any]) -> None:
    kind = domain.get("kind") if isinstance(domain, dict) else None
    if not isinstance(kind, str) or kind not in _ENTRIES:
        raise ValueError(f"{name}: unknown kind of domain {kind!r}; known: {', '.join(_ENTRIES)}")
    missing = [one for one in _ENTRIES[kind] if one not in domain]
    if missing:
        raise ValueError(f"{name}: {kind} needs {', '.join(missing)}")
    if kind in ("list", "matrix"):
        _check(domain["of"], name, earlier)
    referred = {"index": ("of",), "day": ("year", "month")}.get(kind, ())
    unknown = [domain[one] for one in referred if domain[one] not in earlier]
    if unknown:
        raise ValueError(f"{name}: there is no earlier parameter {unknown[0]!r}")


def _draw(domain: Mapping[str, Any], rng: random.Random, earlier: Mapping[str, Any]) -> Any:
    match domain["kind"]:
        case "integer":
            return _draw_integer(domain["min"], domain["max"], rng)
        case "number":
            return round(rng.uniform(domain["min"], domain["max"]), rng.randint(0, 3))
        case "boolean":
            return rng.random() < 0.5
        case "text":
            return _draw_text(domain, rng)
        case "list":
            # Most edge cases are short lists.
            longest = rng.choice((min(_SHORT, domain["max"]), domain["max"]))
            count = rng.randint(domain["min"], max(longest, domain["min"]))
            # Use a narrow range now and then, so that elements repeat.
            narrow = rng.random() < 0.4
            values = [_draw(_narrowed(domain["of"]) if narrow else domain["of"], rng, earlier) for _ in range(count)]
            return sorted(values) if domain.get("order") == "ascending" else values
        case "matrix":
            columns = rng.randint(*domain["columns"])
            rows = rng.randint(*domain["rows"])
            return [[_draw(domain["of"], rng, earlier) for _ in range(columns)] for _ in range(rows)]
        case "adjacency":
            nodes = rng.randint(domain["min"], domain["max"])
            degree = rng.randint(1, domain["degree"])
            return [[rng.randrange(nodes) for _ in range(rng.randint(0, degree))] for _ in range(nodes)]
        case "index":
            return rng.randrange(len(earlier[domain["of"]]))
        case _:
            return rng.randint(1, _month_length(domain, earlier))


def _draw_text(domain: Mapping[str, Any], rng: random.Random) -> str:
    for _ in range(_ATTEMPTS):
        count = rng.randint(domain["min"], domain["max"])
        text = "".join(rng.choice(domain["pieces"]) for _ in range(count))
        if re.fullmatch(domain["matches"], text):
            return text
    raise ValueError("hardly any text of these pieces matches")


def _draw_integer(low: int, high: int, rng: random.Random) -> int:
    way = rng.random()
    if way < 0.1:
        return rng.choice((low, high))
    if way < 0.4 and low <= 30 and high >= -30:
        return rng.randint(max(low, -30), min(high, 30))
    return rng.randint(low, high)


def _narrowed(domain: Mapping[str, Any]) -> Mapping[str, Any]:
    if domain["kind"] != "integer" or domain["min"] > 3 or domain["max"] < -3:
        return domain
    return {"kind": "integer", "min": max(domain["min"], -3), "max": min(domain["max"], 3)}


def _permits(domain: Mapping[str, Any], value: Any, given: Mapping[str, Any]) -> bool:
    match domain["kind"]:
        case "integer":
            return type(value) is int and domain["min"] <= value <= domain["max"]
        case "number":
            return type(value) in (int, float) and domain["min"] <= value <= domain["max"]
        case "boolean":
            return isinstance(value, bool)
        case "text":
            return isinstance(value, str) and re.fullmatch(domain["matches"], value) is not None
        case "index":
            whole = given[domain["of"]]
            return type(value) is int and isinstance(whole, list) and 0 <= value < len(whole)
        case "day":
            return type(value) is int and 1 <= value <= _month_length(domain, given)
        case _:
            return isinstance(value, list) and _permits_list(domain, value, given)


def _permits_list(domain: Mapping[str, Any], value: list[Any], given: Mapping[str, Any]) -> bool:
    if domain["kind"] == "list":
        fits = domain["min"] <= len(value) <= domain["max"] and all(_permits(domain["of"], one, given) for one in value)
        return fits and (domain.get("order") != "ascending" or value == sorted(value))
    if not all(isinstance(row, list) for row in value):
        return False
    if domain["kind"] == "adjacency":
        return domain["min"] <= len(value) <= domain["max"] and all(
            len(row) <= domain["degree"] and all(type(node) is int and 0 <= node < len(value) for node in row)
            for row in value
        )
    (fewest, most), (narrowest, widest) = domain["rows"], domain["columns"]
    widths = {len(row) for row in value}
    return (
        fewest <= len(value) <= most
        and len(widths) <= 1
        and all(narrowest <= width <= widest for width in widths)
        and all(_permits(domain["of"], item, given) for row in value for item in row)
    )


def _month_length(domain: Mapping[str, Any], given: Mapping[str, Any]) -> int:
    year, month = given[domain["year"]], given[domain["month"]]
    if type(year) is not int or type(month) is not int or not (1 <= year <= 9999 and 1 <= month <= 12):
        return 0
    return calendar.monthrange(year, month)[1]
