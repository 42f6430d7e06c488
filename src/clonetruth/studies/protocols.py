"""Study protocols: the published ones, a plain one for each criterion, and a user's own TOML file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import pyarrow as pa

from clonetruth.budgets import read_text
from clonetruth.errors import InputError, UnknownNameError
from clonetruth.model import CRITERIA, Criterion, Subject
from clonetruth.parsing import parse_toml
from clonetruth.store.records import WrongShapeError, build_record
from clonetruth.store.study_protocol import Protocol, check_protocol
from clonetruth.store.study_tables import CHECKS, CheckKind

_FILES = files("clonetruth.studies") / "protocol_files"


@dataclass(frozen=True)
class ChosenProtocol:
    """A protocol, and the criterion that it asks about."""

    criterion: str
    protocol: Protocol


def protocol_names() -> list[str]:
    """The names of the known protocols: published ones, and a plain one for each criterion on pairs."""
    published = sorted(Path(file.name).stem for file in _FILES.iterdir() if file.name.endswith(".toml"))
    return [*published, *(name for name, one in CRITERIA.items() if one.subject is Subject.PAIR)]


def choose_protocol(name: str | os.PathLike[str]) -> ChosenProtocol:
    """Choose a protocol by its name, or read one from a TOML file.

    Raises:
        UnknownNameError: `name` is neither a known protocol nor a file.
        InputError: the file is not valid TOML, or not a protocol.
    """
    wanted = os.fspath(name)
    published = _FILES / f"{wanted}.toml"
    if wanted in protocol_names() and published.is_file():
        return _read(published.read_text(encoding="utf-8"), wanted)
    criterion = CRITERIA.get(wanted)
    if criterion is not None and criterion.subject is Subject.PAIR:
        return ChosenProtocol(criterion.name, _plain(criterion))
    path = Path(wanted)
    if not path.is_file():
        raise UnknownNameError(
            f"'{wanted}' is neither a known protocol nor a file.", hint=f"Known: {', '.join(protocol_names())}."
        )
    try:
        return _read(read_text(path), path)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The protocol cannot be read ({error}).", where=path) from error


def check_functionalities(protocol: Protocol, subjects: pa.Table, methods: pa.Table) -> None:
    """Refuse pairs whose methods cannot be judged.

    Raises:
        InputError: no pair has a functionality; or some have none, and the protocol asks about the methods of all.
    """
    missing = subjects["functionality"].null_count
    if not methods.num_rows:
        raise InputError("The methods cannot be judged: the drawn pairs have no functionality.")
    if protocol.sitting and missing:
        raise InputError(
            f"The protocol '{protocol.name}' asks about the methods of every pair, but {missing:,} of "
            f"{subjects.num_rows:,} drawn pairs have no functionality.",
            hint='Draw only pairs with one: --where "functionality IS NOT NULL".',
        )


def with_training_items(checks: pa.Table, protocol: Protocol) -> pa.Table:
    """The checks of a study, with the protocol's own training items first."""
    rows = [
        {
            "kind": str(CheckKind.TRAINING),
            "left_language": item.language,
            "left_text": item.left.strip("\n") + "\n",
            "right_language": item.language if item.right else "",
            "right_text": item.right.strip("\n") + "\n" if item.right else "",
            **{
                name: getattr(item, name)
                for name in ("expected", "feedback", "functionality", "specification", "left_label", "right_label")
            },
        }
        for item in protocol.training_items
    ] + checks.to_pylist()
    numbered = [{**row, "check": number} for number, row in enumerate(rows)]
    return pa.Table.from_pylist(numbered, schema=CHECKS)


def _plain(criterion: Criterion) -> Protocol:
    rated = "agree" in criterion.values
    question = "Does the statement hold for these two?" if rated else "Are these two fragments clones of each other?"
    return Protocol(criterion.name, question, criterion.meaning, answers=criterion.values)


def _read(text: str, where: object) -> ChosenProtocol:
    try:
        content: dict[str, Any] = parse_toml(text)
    except ValueError as error:
        raise InputError(f"Not a valid TOML file: {error}", where=where) from error
    missing = [name for name in ("name", "criterion", "question") if name not in content]
    if missing:
        raise InputError(
            f"The protocol has no '{missing[0]}'.", where=where, hint="See the example in docs/studies.md."
        )
    criterion = str(content.pop("criterion"))
    try:
        protocol = build_record(Protocol, content, "protocol")
    except WrongShapeError as error:
        raise InputError(
            f"Not a study protocol: {error}.", where=where, hint="See the example in docs/studies.md."
        ) from error
    check_protocol(protocol, criterion, where)
    return ChosenProtocol(criterion, protocol)
