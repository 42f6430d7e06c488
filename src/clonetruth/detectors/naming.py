"""How a detector is asked for: by its name, and perhaps parameters."""

from __future__ import annotations

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
