"""The journal of a model's answers: an answer that was paid for is on disk before it is used, and never asked again.

There is one file per respondent (model, prompt, parameters), `llm/<digest>.jsonl` in the study folder: a header line
with the respondent, then one line per answer. Lines are only appended, each synced; an incomplete line at the end is
left by a killed process, and truncated by the next writer.
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


class AnswerKey(NamedTuple):
    """Identifies an answer: the hash of the whole message, the order of its sides, and the run."""

    question: str
    order: Order
    run: int


class Journal:
    """The answers of one respondent, open for appending within `open_journal`."""

    def __init__(self, path: Path, answers: dict[AnswerKey, Answer], descriptor: int) -> None:
        self.path = path
        self.answers = answers
        self._descriptor = descriptor

    def add(self, question: str, answer: Answer) -> None:
        """Append an answer; it is on disk when this returns.

        Raises:
            InputError: it cannot be written.
        """
        line = json.dumps({"question": question, **dataclasses.asdict(answer)}, ensure_ascii=False) + "\n"
        with _disk_errors(self.path):
            _write(self._descriptor, line)
        self.answers[AnswerKey(question, answer.order, answer.run)] = answer


def journal_path(study: Path, respondent: Mapping[str, Any]) -> Path:
    """The journal file of a respondent."""
    return study / "llm" / f"{hash_json(respondent)[:32]}.jsonl"


def read_journal(study: Path, respondent: Mapping[str, Any]) -> dict[AnswerKey, Answer]:
    """The stored answers of a respondent.

    Raises:
        InputError: the file is damaged, or belongs to another respondent.
    """
    path = journal_path(study, respondent)
    with _disk_errors(path):
        return _parse(path, path.read_bytes(), respondent) if path.exists() else {}


@contextlib.contextmanager
def open_journal(study: Path, respondent: Mapping[str, Any]) -> Iterator[Journal]:
    """Open the journal of a respondent, creating it if necessary. Only one process at a time may append.

    Raises:
        InputError: another process has it open, or it is damaged.
    """
    path = journal_path(study, respondent)
    with _disk_errors(path):
        path.parent.mkdir(exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    try:
        _lock(path, descriptor)
        with _disk_errors(path):
            answers = _recover(path, descriptor, respondent)
        yield Journal(path, answers, descriptor)
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _disk_errors(path: Path) -> Iterator[None]:
    """Turn an error of the disk into an `InputError`."""
    try:
        yield
    except OSError as error:
        raise InputError(
            f"The answers cannot be stored ({error.strerror or error}).",
            where=path,
            hint="Check the free disk space and the permissions. Stored answers are not paid for twice.",
        ) from error


def _recover(path: Path, descriptor: int, respondent: Mapping[str, Any]) -> dict[AnswerKey, Answer]:
    """The stored answers, after truncating an incomplete last line, or writing the header of a new file."""
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
            "Another process is asking this model the same questions.", where=path, hint="Wait for it to finish."
        ) from error


def _write(descriptor: int, line: str) -> None:
    remaining = line.encode("utf-8", errors="replace")
    while remaining:
        remaining = remaining[os.write(descriptor, remaining) :]
    os.fsync(descriptor)


def _parse(path: Path, content: bytes, respondent: Mapping[str, Any]) -> dict[AnswerKey, Answer]:
    *lines, _ = content.split(b"\n")
    answers: dict[AnswerKey, Answer] = {}
    for number, line in enumerate(lines, 1):
        try:
            record = json.loads(line)
            if number > 1:
                question = record.pop("question")
                answer = build_record(Answer, record, "answer")
                answers[AnswerKey(question, answer.order, answer.run)] = answer
            elif (record["schema"], record["respondent"]) != (_SCHEMA, respondent):
                raise InputError("The answers belong to another model, prompt or settings.", where=path)
            elif record["schema_version"] > _VERSION:
                raise InputError("A newer clonetruth wrote these answers.", where=path, hint="Use that version.")
        except (ValueError, KeyError, TypeError, AttributeError, WrongShapeError) as error:
            raise InputError(
                "The stored answers are damaged.",
                where=f"{path}, line {number}",
                hint="Remove the file to ask, and pay, again.",
            ) from error
    return answers
