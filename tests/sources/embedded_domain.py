"""Permitted inputs of the embedded benchmark's functionalities: random generation and validation.

Every parameter in a `functionality.toml` has a `domain`: a small description of the values it may take. From
it this module draws random permitted arguments (for the property tests) and checks whether given arguments
are permitted (so that no shared input lies outside the specification). `docs/embedded-benchmark.md`
documents the kinds.
"""

from __future__ import annotations

import calendar
import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from clonetruth.sources.embedded import Parameter


def draw_arguments(parameters: Sequence[Parameter], rng: random.Random) -> list[Any]:
    """One permitted argument list; a parameter's domain may refer to the parameters before it."""
    earlier: dict[str, Any] = {}
    for parameter in parameters:
        earlier[parameter.name] = _draw(parameter.domain, rng, earlier)
    return list(earlier.values())


def permits(parameters: Sequence[Parameter], arguments: Sequence[Any]) -> bool:
    """Whether the arguments lie in the domains of the parameters."""
    if len(parameters) != len(arguments):
        return False
    given = {parameter.name: value for parameter, value in zip(parameters, arguments, strict=True)}
    return all(_permits(parameter.domain, given[parameter.name], given) for parameter in parameters)


def conforms(value: Any, type_name: str) -> bool:
    """Whether a JSON value has a language-neutral type."""
    if type_name.startswith("list<"):
        element = type_name.removeprefix("list<").removesuffix(">")
        return isinstance(value, list) and all(conforms(item, element) for item in value)
    if type_name in ("int", "long"):
        bits = 31 if type_name == "int" else 63
        return type(value) is int and -(2**bits) <= value < 2**bits
    return type(value) is {"bool": bool, "string": str}[type_name]


def _draw(domain: Mapping[str, Any], rng: random.Random, earlier: Mapping[str, Any]) -> Any:
    match domain["kind"]:
        case "integer":
            return _draw_integer(domain["min"], domain["max"], rng)
        case "text":
            while True:
                count = rng.randint(domain["min"], domain["max"])
                text = "".join(rng.choice(domain["pieces"]) for _ in range(count))
                if re.fullmatch(domain["matches"], text):
                    return text
        case "list":
            # Most edge cases are short lists.
            longest = rng.choice((min(4, domain["max"]), domain["max"]))
            count = rng.randint(domain["min"], longest)
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
        case "day":
            return rng.randint(1, _month_length(domain, earlier))
        case kind:
            raise ValueError(f"unknown kind of domain: {kind}")


def _draw_integer(low: int, high: int, rng: random.Random) -> int:
    way = rng.random()
    if way < 0.1:
        return rng.choice((low, high))
    if way < 0.4:
        return rng.randint(max(low, -30), min(high, 30))
    return rng.randint(low, high)


def _narrowed(domain: Mapping[str, Any]) -> Mapping[str, Any]:
    if domain["kind"] != "integer":
        return domain
    return {"kind": "integer", "min": max(domain["min"], -3), "max": min(domain["max"], 3)}


def _permits(domain: Mapping[str, Any], value: Any, given: Mapping[str, Any]) -> bool:
    match domain["kind"]:
        case "integer":
            return type(value) is int and domain["min"] <= value <= domain["max"]
        case "text":
            return isinstance(value, str) and re.fullmatch(domain["matches"], value) is not None
        case "list":
            ordered = domain.get("order") != "ascending" or value == sorted(value)
            fits = domain["min"] <= len(value) <= domain["max"]
            return ordered and fits and all(_permits(domain["of"], item, given) for item in value)
        case "matrix":
            (fewest, most), (narrowest, widest) = domain["rows"], domain["columns"]
            widths = {len(row) for row in value}
            return (
                fewest <= len(value) <= most
                and len(widths) <= 1
                and all(narrowest <= width <= widest for width in widths)
                and all(_permits(domain["of"], item, given) for row in value for item in row)
            )
        case "adjacency":
            return domain["min"] <= len(value) <= domain["max"] and all(
                len(row) <= domain["degree"] and all(0 <= node < len(value) for node in row) for row in value
            )
        case "index":
            return type(value) is int and 0 <= value < len(given[domain["of"]])
        case "day":
            return type(value) is int and 1 <= value <= _month_length(domain, given)
        case kind:
            raise ValueError(f"unknown kind of domain: {kind}")


def _month_length(domain: Mapping[str, Any], given: Mapping[str, Any]) -> int:
    return calendar.monthrange(given[domain["year"]], given[domain["month"]])[1]
