"""The journal of a model's answers: what was paid for is on disk before it is used, and is never asked again.

One file for each respondent (model, prompt, parameters), `llm/<digest>.jsonl` in the study folder: a header line with
the respondent, then a line for each answer. Lines are only added, each synced; a half line at the end is what a
killed process left, and is cut off by the next writer.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from clonetruth.errors import InputError
from clonetruth.judges.majority import Answer
from clonetruth.judges.protocol import Order
from clonetruth.store import hash_json
from clonetruth.store.atomic import sync
from clonetruth.store.records import WrongShapeError, build_record

if sys.platform != "win32":
    import fcntl

_SCHEMA, _VERSION = "clonetruth-llm-journal", 1


class Key(NamedTuple):
    """What an answer is to: the hash of the whole message, the order of its sides, and the run."""

    question: str
    order: Order
    run: int


class Journal:
    """The answers of one respondent; open for adding within `open_journal`."""

    def __init__(self, path: Path, answers: dict[Key, Answer], descriptor: int) -> None:
        self.path = path
        self.answers = answers
        self._descriptor = descriptor

    def add(self, question: str, answer: Answer) -> None:
        """Write an answer; when this returns it is on disk.

        Raises:
            InputError: it cannot be written.
        """
        line = json.dumps({"question": question, **dataclasses.asdict(answer)}, ensure_ascii=False) + "\n"
        with _told(self.path):
            _write(self._descriptor, line)
        self.answers[Key(question, answer.order, answer.run)] = answer


def journal_path(study: Path, respondent: Mapping[str, Any]) -> Path:
    """Where the answers of a respondent are kept."""
    return study / "llm" / f"{hash_json(respondent)[:32]}.jsonl"


def read_journal(study: Path, respondent: Mapping[str, Any]) -> dict[Key, Answer]:
    """The answers that are there.

    Raises:
        InputError: the file is damaged, or of another respondent.
    """
    path = journal_path(study, respondent)
    with _told(path):
        return _parse(path, path.read_bytes(), respondent) if path.exists() else {}


@contextlib.contextmanager
def open_journal(study: Path, respondent: Mapping[str, Any]) -> Iterator[Journal]:
    """The journal of a respondent, made where there is none. One process at a time may add to it.

    Raises:
        InputError: another process has it, or it is damaged.
    """
    path = journal_path(study, respondent)
    with _told(path):
        path.parent.mkdir(exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    try:
        _lock(path, descriptor)
        with _told(path):
            answers = _recover(path, descriptor, respondent)
        yield Journal(path, answers, descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _told(path: Path) -> Iterator[None]:
    """An error of the disk in words."""
    try:
        yield
    except OSError as error:
        raise InputError(
            f"The answers cannot be kept ({error.strerror or error}).",
            where=path,
            hint="See that there is room, and that you may write there. What was written is not paid for twice.",
        ) from error


def _recover(path: Path, descriptor: int, respondent: Mapping[str, Any]) -> dict[Key, Answer]:
    """The answers that are there, after half a line at the end was cut off, or the header written."""
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole:
        answers = _parse(path, content, respondent)
        os.ftruncate(descriptor, whole)
        return answers
    os.ftruncate(descriptor, 0)
    header = {"schema": _SCHEMA, "schema_version": _VERSION, "respondent": respondent}
    _write(descriptor, json.dumps(header, ensure_ascii=False) + "\n")
    sync(path.parent)
    sync(path.parent.parent)
    return {}


def _lock(path: Path, descriptor: int) -> None:
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise InputError(
            "Another process is asking this model the same questions.", where=path, hint="Wait for it to end."
        ) from error


def _write(descriptor: int, line: str) -> None:
    left = line.encode("utf-8", errors="replace")
    while left:
        left = left[os.write(descriptor, left) :]
    os.fsync(descriptor)


def _parse(path: Path, content: bytes, respondent: Mapping[str, Any]) -> dict[Key, Answer]:
    *lines, _ = content.split(b"\n")
    answers: dict[Key, Answer] = {}
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
            if number > 1:
                question = record.pop("question")
                answer = build_record(Answer, record, "answer")
                answers[Key(question, answer.order, answer.run)] = answer
            elif (record["schema"], record["respondent"]) != (_SCHEMA, respondent):
                raise InputError("The answers are of another model, prompt or settings.", where=path)
            elif record["schema_version"] > _VERSION:
                raise InputError("A later clonetruth wrote these answers.", where=path, hint="Use that one.")
        except (ValueError, KeyError, TypeError, AttributeError, WrongShapeError) as error:
            raise InputError(
                "The kept answers are damaged.",
                where=f"{path}, line {number}",
                hint="Take the file away to ask, and pay, again.",
            ) from error
    return answers
