"""Permitted inputs of the embedded benchmark's functionalities, and the types of its values.

Every parameter in a `functionality.toml` has a `domain`: a small description of the values it may take, which
`clonetruth.execution.inputs.domains` draws from and checks. `docs/embedded-benchmark.md` documents the kinds.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from clonetruth.execution.inputs.domains import InputDomain
from clonetruth.sources.functionality_folders import Parameter


def draw_arguments(parameters: Sequence[Parameter], rng: random.Random) -> list[Any]:
    """One permitted argument list."""
    return _domain(parameters).draw_plain(rng)


def permits(parameters: Sequence[Parameter], arguments: Sequence[Any]) -> bool:
    """Whether the arguments lie in the domains of the parameters."""
    return _domain(parameters).permits_plain(arguments)


def _domain(parameters: Sequence[Parameter]) -> InputDomain:
    return InputDomain(tuple((one.name, one.domain) for one in parameters))


def conforms(value: Any, type_name: str) -> bool:
    """Whether a JSON value has a language-neutral type."""
    if type_name.startswith("list<"):
        element = type_name.removeprefix("list<").removesuffix(">")
        return isinstance(value, list) and all(conforms(item, element) for item in value)
    if type_name in ("int", "long"):
        bits = 31 if type_name == "int" else 63
        return type(value) is int and -(2**bits) <= value < 2**bits
    return type(value) is {"bool": bool, "string": str}[type_name]
