"""The journal of a model's answers: an answer that was paid for is on disk before it is used, and not asked again.

There is one file per respondent (model, prompt, parameters), `llm/<digest>.jsonl` in the study folder: a header line
with the respondent, then a line before each request (`sent`) and one for what came of it: an answer (`question`), or a
rejection that costs nothing (`rejected`). A request with neither was cut off, by a timeout or because the process was
killed, and may have been billed. Lines are only appended, and synced with each answer; an incomplete line at the end is
left by a killed process, and truncated by the next writer.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import secrets
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from clonetruth.budgets import read_bytes
from clonetruth.errors import InputError
from clonetruth.judges.majority import Answer
from clonetruth.judges.protocol import Order
from clonetruth.parsing import parse_json
from clonetruth.store import hash_json
from clonetruth.store.atomic import sync
from clonetruth.store.records import WrongShapeError, build_record

if sys.platform != "win32":
    import fcntl

_SCHEMA, _VERSION = "clonetruth-llm-journal", 2


class AnswerKey(NamedTuple):
    """Identifies an answer: the hash of the whole message, the order of its sides, and the run."""

    question: str
    order: Order
    run: int


class Tokens(NamedTuple):
    """The tokens of a request and of its answer."""

    input: int
    output: int


@dataclass
class JournalContent:
    """What a journal holds.

    Attributes:
        answers: the latest answer to each question.
        paid: every answer, including those that were asked for again.
        open: the requests that were sent and have neither an answer nor a rejection, with their most tokens.
        lost: earlier such requests for questions that were sent again.
        token: distinguishes this journal from others of the same respondent; empty in journals of earlier versions.
        received: how often each question was answered.
    """

    answers: dict[AnswerKey, Answer] = field(default_factory=dict)
    paid: list[Answer] = field(default_factory=list)
    open: dict[AnswerKey, Tokens] = field(default_factory=dict)
    lost: list[Tokens] = field(default_factory=list)
    token: str = ""
    received: Counter[AnswerKey] = field(default_factory=Counter)

    @property
    def cut_off(self) -> list[Tokens]:
        """The most tokens of each request that was cut off."""
        return [*self.lost, *self.open.values()]

    def send(self, key: AnswerKey, tokens: Tokens) -> None:
        if key in self.open:
            self.lost.append(self.open[key])
        self.open[key] = tokens

    def reject(self, key: AnswerKey) -> None:
        self.open.pop(key, None)

    def answer(self, key: AnswerKey, answer: Answer) -> None:
        self.open.pop(key, None)
        self.answers[key] = answer
        self.paid.append(answer)
        self.received[key] += 1


class Journal:
    """The journal of one respondent, open for appending within `open_journal`."""

    def __init__(self, path: Path, content: JournalContent, descriptor: int) -> None:
        self.path = path
        self.content = content
        self._descriptor = descriptor

    @property
    def answers(self) -> Mapping[AnswerKey, Answer]:
        """The latest answer to each question."""
        return self.content.answers

    def idempotency_key(self, key: AnswerKey) -> str:
        """The same for all requests for one answer, also by later processes; another one for another answer."""
        return hash_json([self.content.token, self.path.stem, *map(str, key), self.content.received[key]])[:32]

    def send(self, key: AnswerKey, tokens: Tokens) -> None:
        """Note that a request is sent that costs at most these tokens."""
        self._append({"sent": key.question, "order": key.order, "run": key.run, "tokens": tokens}, synced=False)
        self.content.send(key, tokens)

    def reject(self, key: AnswerKey) -> None:
        """Note that the server rejected a request, which therefore costs nothing."""
        self._append({"rejected": key.question, "order": key.order, "run": key.run}, synced=False)
        self.content.reject(key)

    def add(self, question: str, answer: Answer) -> None:
        """Append an answer; it is on disk when this returns.

        Raises:
            InputError: it cannot be written.
        """
        self._append({"question": question, **_stored(answer)}, synced=True)
        self.content.answer(AnswerKey(question, answer.order, answer.run), answer)

    def _append(self, record: Mapping[str, Any], *, synced: bool) -> None:
        with _disk_errors(self.path):
            _write(self._descriptor, json.dumps(record, ensure_ascii=False) + "\n", synced=synced)


def _stored(answer: Answer) -> dict[str, Any]:
    """The fields of an answer; those that earlier versions do not know only where they say something."""
    fields = dataclasses.asdict(answer)
    later = ("reasoning", "refused", "first_token")
    return {name: value for name, value in fields.items() if value or name not in later}


def journal_path(study: Path, respondent: Mapping[str, Any]) -> Path:
    """The journal file of a respondent."""
    return study / "llm" / f"{hash_json(respondent)[:32]}.jsonl"


def read_journal(study: Path, respondent: Mapping[str, Any]) -> JournalContent:
    """What the journal of a respondent holds.

    Raises:
        InputError: the file is damaged, or belongs to another respondent.
    """
    path = journal_path(study, respondent)
    with _disk_errors(path):
        return _parse(path, read_bytes(path, "member"), respondent) if path.exists() else JournalContent()


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
            content = _recover(path, descriptor, respondent)
        yield Journal(path, content, descriptor)
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


def _recover(path: Path, descriptor: int, respondent: Mapping[str, Any]) -> JournalContent:
    """What is stored, after truncating an incomplete last line, or writing the header of a new file."""
    content = read_bytes(path, "member")
    whole = content.rfind(b"\n") + 1
    if whole:
        stored = _parse(path, content, respondent)
        os.ftruncate(descriptor, whole)
        return stored
    os.ftruncate(descriptor, 0)
    stored = JournalContent(token=secrets.token_hex(8))
    header = {"schema": _SCHEMA, "schema_version": _VERSION, "respondent": respondent, "token": stored.token}
    _write(descriptor, json.dumps(header, ensure_ascii=False) + "\n")
    sync(path.parent)
    sync(path.parent.parent)
    return stored


def _lock(path: Path, descriptor: int) -> None:
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise InputError(
            "Another process is asking this model the same questions.", where=path, hint="Wait for it to finish."
        ) from error


def _write(descriptor: int, line: str, *, synced: bool = True) -> None:
    remaining = line.encode("utf-8", errors="replace")
    while remaining:
        remaining = remaining[os.write(descriptor, remaining) :]
    if synced:
        os.fsync(descriptor)


def _parse(path: Path, content: bytes, respondent: Mapping[str, Any]) -> JournalContent:
    *lines, _ = content.split(b"\n")
    stored = JournalContent()
    for number, line in enumerate(lines, 1):
        try:
            record = parse_json(line)
            if number > 1:
                _parse_line(stored, record)
            elif (record["schema"], record["respondent"]) != (_SCHEMA, respondent):
                raise InputError("The answers belong to another model, prompt or settings.", where=path)
            elif record["schema_version"] > _VERSION:
                raise InputError("A newer clonetruth wrote these answers.", where=path, hint="Use that version.")
            else:
                stored.token = str(record.get("token", ""))
        except (ValueError, KeyError, TypeError, AttributeError, WrongShapeError) as error:
            raise InputError(
                "The stored answers are damaged.",
                where=f"{path}, line {number}",
                hint="Remove the file to ask, and pay, again.",
            ) from error
    return stored


def _parse_line(stored: JournalContent, record: dict[str, Any]) -> None:
    if "question" in record:
        question = record.pop("question")
        answer = build_record(Answer, record, "answer")
        stored.answer(AnswerKey(question, answer.order, answer.run), answer)
    elif "sent" in record:
        most_input, most_output = record["tokens"]
        stored.send(_key(record, "sent"), Tokens(int(most_input), int(most_output)))
    else:
        stored.reject(_key(record, "rejected"))


def _key(record: Mapping[str, Any], question: str) -> AnswerKey:
    return AnswerKey(str(record[question]), Order(record["order"]), int(record["run"]))
