"""Detector specifications: a name, optionally followed by parameters (`jscpd:renaming=blind`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from clonetruth.errors import InputError


def split_parameters(text: str) -> tuple[str, dict[str, str]]:
    """Split a specification into the name and its parameters.

    >>> split_parameters("jscpd:renaming=blind,gap=3")
    ('jscpd', {'renaming': 'blind', 'gap': '3'})

    Raises:
        InputError: a parameter has no value, or is given twice.
    """
    name, _, rest = text.partition(":")
    parameters: dict[str, str] = {}
    for setting in filter(None, (part.strip() for part in rest.split(","))):
        key, sign, value = (part.strip() for part in setting.partition("="))
        if not (key and sign and value):
            raise InputError(
                f"'{setting}' is not a parameter setting.", where=text, hint=f"Write: {name.strip()}:name=value"
            )
        if key in parameters:
            raise InputError(f"The parameter '{key}' is set twice.", where=text)
        parameters[key] = value
    return name.strip(), parameters


def check_parameters(owner: str, permitted: Mapping[str, Collection[str]], values: Mapping[str, str]) -> None:
    """Check parameter settings.

    Args:
        owner: what the parameters belong to, for messages ("the tool 'jscpd'").
        permitted: the known parameters with their permitted values.
        values: the settings to check.

    Raises:
        InputError: an unknown parameter, or a value that it does not permit.
    """
    for name, value in values.items():
        if name not in permitted:
            known = ", ".join(permitted) or "none"
            raise InputError(f"{owner[:1].upper()}{owner[1:]} has no parameter '{name}'.", hint=f"Parameters: {known}.")
        if value not in permitted[name]:
            raise InputError(
                f"'{value}' is not a valid {name} for {owner}.", hint=f"Choose from: {', '.join(permitted[name])}."
            )
