"""Protocols of a literature study: what is asked about each paper, with closed words for answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.formats.streams import read_whole
from clonetruth.literature.documents import PaperText
from clonetruth.parsing import parse_toml
from clonetruth.store import hash_json

PROTOCOLS = ("krinke-literature", "krinke-2022")
"""The protocols that ship with clonetruth, files of `literature/protocols/`."""

_POSITIVE = ("Yes",)
_KEYS = frozenset(("name", "version", "system", "background", "prompt", "parameters", "question"))
_PROMPT = """\
Read the paper below and answer questions about it.
{background}
Questions, each with the permitted answers:
{questions}

Answer with one JSON object and nothing else:
{{"title": …, "authors": …, "year": …, "summary": one paragraph on aims, method, results and conclusions,
 "datasets": [names of the datasets that the evaluation uses],
 "answers": [{{"question": its letter or number, "answer": one of the permitted answers, "explanation": why,
 "quote": one passage of the paper, copied letter by letter, "page": the number in the nearest [page …] mark before
 it}}, …]}}
Give every question one entry. If the paper has no passage that supports an answer, leave the quote empty: an invented
quote makes the answer worthless.

The paper, with a mark at the start of each page:

{paper}
"""


@dataclass(frozen=True)
class PaperQuestion:
    """A question about a paper.

    Attributes:
        id: its letter or number.
        text: the question.
        words: the permitted answers.
        quoted: the answers that need a quote; the others state that something is missing, which nobody can quote.
    """

    id: str
    text: str
    words: tuple[str, ...]
    quoted: tuple[str, ...] = _POSITIVE


@dataclass(frozen=True)
class PaperProtocol:
    """What is asked about a paper, and in which words.

    Attributes:
        name: its name.
        version: its version; another wording should have another one.
        questions: the questions.
        system: the system message, if any.
        background: what the model should know, if anything.
        prompt: the message, with {paper} and {questions}, and perhaps {background}.
        parameters: further request parameters.
    """

    name: str
    version: str
    questions: tuple[PaperQuestion, ...]
    system: str | None = None
    background: str = ""
    prompt: str = _PROMPT
    parameters: Mapping[str, Any] = field(default_factory=lambda: {"temperature": 0})

    @property
    def label(self) -> str:
        """Its name and version, and a digest of its whole content: another wording is another protocol."""
        return f"{self.name} {self.version} ({hash_json(asdict(self))[:12]})"

    def message(self, paper: PaperText) -> str:
        """The message about a paper."""
        questions = "\n".join(f"{one.id}: {one.text} ({', '.join(one.words)})" for one in self.questions)
        head, _, tail = self.prompt.partition("{paper}")
        # The paper comes last, and is not a template: its braces stay as they are.
        parts = (part.format(background=self.background, questions=questions) for part in (head, tail))
        return paper.marked().join(parts)

    def respondent(self, model: str) -> Mapping[str, Any]:
        """What an answer depends on apart from the paper; see `judges.journal`."""
        asked = [[one.id, one.text, *one.words] for one in self.questions]
        return {
            "model": model,
            "system": self.system,
            "prompt": {"text": self.prompt, "background": self.background, "questions": asked},
            "parameters": dict(self.parameters),
        }


def find_paper_protocol(name: str) -> PaperProtocol:
    """A protocol that ships with clonetruth, or one in a TOML file.

    Raises:
        UnknownNameError: there is neither.
        InputError: the file is not a protocol.
    """
    if name in PROTOCOLS:
        file = files("clonetruth.literature").joinpath("protocols", f"{name}.toml")
        return _parse(file.read_text(encoding="utf-8"), name)
    if not name.lower().endswith(".toml"):
        raise UnknownNameError.suggest("protocol", name, PROTOCOLS)
    path = Path(name)
    return _parse(read_whole(path).decode("utf-8", errors="replace"), path)


def _parse(text: str, where: object) -> PaperProtocol:
    try:
        content = parse_toml(text)
        if unknown := [key for key in content if key not in _KEYS]:
            raise ValueError(f"'{unknown[0]}' is not a key of a protocol")
        rows = content.pop("question", ())
        questions = tuple(_question(row) for row in rows)
        protocol = PaperProtocol(questions=questions, **content)
        for wanted in ("{paper}", "{questions}"):
            if wanted not in protocol.prompt:
                raise ValueError(f"the prompt lacks {wanted}")
        ids = [one.id for one in questions]
        if not ids or len(set(ids)) != len(ids):
            raise ValueError("it has no questions, or two with the same id")
        protocol.message(PaperText(Path("empty"), ("",)))
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise InputError(f"The protocol is not valid: {error}.", where=where, hint="See docs/literature.md.") from error
    return protocol


def _question(row: Mapping[str, Any]) -> PaperQuestion:
    words = tuple(map(str, row["words"]))
    quoted = tuple(map(str, row.get("quoted", [word for word in words if word in _POSITIVE])))
    if len(words) < 2 or not set(quoted) <= set(words):
        raise ValueError(f"question '{row['id']}' needs two or more words, and `quoted` some of them")
    return PaperQuestion(str(row["id"]), str(row["text"]), words, quoted)
