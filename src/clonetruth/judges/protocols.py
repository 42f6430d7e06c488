"""The protocols of an LLM judge by name, in a study's own words, or from a file."""

from __future__ import annotations

import tomllib
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.judges.protocol import LLMProtocol, check_protocol
from clonetruth.judges.study_words import method_protocol, pair_protocol
from clonetruth.registry import Registry
from clonetruth.store.records import WrongShapeError, build_record
from clonetruth.store.study import read_study

PROTOCOLS: Registry[LLMProtocol] = Registry(
    "protocol",
    {
        "krinke": "clonetruth.judges.krinke:KRINKE",
        "krinke-swapped": "clonetruth.judges.krinke:KRINKE_SWAPPED",
    },
    group="clonetruth.llm_protocols",
)

OF_A_STUDY = {"study": pair_protocol, "study-methods": method_protocol}
"""Protocols whose words are those of the study that is judged."""


def find_protocol(given: str, folder: Path) -> LLMProtocol:
    """A protocol by its name, or from a TOML file with the fields of `LLMProtocol`.

    Args:
        given: a name in `PROTOCOLS` or `OF_A_STUDY`, or the path of a file that ends in `.toml`.
        folder: the study folder.

    Raises:
        UnknownNameError: there is no such protocol.
        InputError: the file cannot be read, or it is no protocol that can be followed.
    """
    if given in OF_A_STUDY:
        return OF_A_STUDY[given](read_study(folder))
    return _read(Path(given)) if given.endswith(".toml") else PROTOCOLS[given]


def _read(path: Path) -> LLMProtocol:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"The protocol cannot be read ({error.strerror or error}).", where=path) from error
    except ValueError as error:
        raise InputError(f"This is no TOML: {error}", where=path) from error
    try:
        protocol = build_record(LLMProtocol, content, "protocol")
    except WrongShapeError as error:
        raise InputError(f"This is no protocol: {error}.", where=path, hint="docs/llm-judge.md has one.") from error
    check_protocol(protocol, path)
    return protocol
