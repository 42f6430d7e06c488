"""How a detector is asked for: by its name, and perhaps parameters."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from clonetruth.errors import InputError


def split_parameters(text: str) -> tuple[str, dict[str, str]]:
    """The name and the parameters of a wish.

    >>> split_parameters("jscpd:renaming=blind,gap=3")
    ('jscpd', {'renaming': 'blind', 'gap': '3'})

    Raises:
        InputError: a parameter without a value, or one that comes twice.
    """
    name, _, rest = text.partition(":")
    parameters: dict[str, str] = {}
    for setting in filter(None, (part.strip() for part in rest.split(","))):
        key, sign, value = (part.strip() for part in setting.partition("="))
        if not (key and sign and value):
            raise InputError(f"'{setting}' sets no parameter.", where=text, hint=f"Write: {name.strip()}:name=value")
        if key in parameters:
            raise InputError(f"The parameter '{key}' is set twice.", where=text)
        parameters[key] = value
    return name.strip(), parameters


def check_parameters(whose: str, permitted: Mapping[str, Collection[str]], values: Mapping[str, str]) -> None:
    """Refuse what cannot be set.

    Args:
        whose: whose parameters they are ("the tool 'jscpd'").
        permitted: the parameters that there are, with the values that each may have.
        values: what is to be set.

    Raises:
        InputError: there is no such parameter, or it cannot have that value.
    """
    for name, value in values.items():
        if name not in permitted:
            known = ", ".join(permitted) or "none"
            raise InputError(f"{whose[:1].upper()}{whose[1:]} has no parameter '{name}'.", hint=f"It has: {known}.")
        if value not in permitted[name]:
            raise InputError(f"'{value}' is no {name} of {whose}.", hint=f"Give one of: {', '.join(permitted[name])}.")
