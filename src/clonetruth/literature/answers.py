"""A model's answers about a paper: read, and each quote looked up in the text. Only what is found counts."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clonetruth.literature.documents import PaperText
from clonetruth.literature.protocol import PaperProtocol, PaperQuestion
from clonetruth.literature.quotes import QuoteCheck, QuoteChecker, QuoteState
from clonetruth.parsing import parse_json

UNCOUNTED = "?"
"""Stands in the table for an answer that does not count."""


@dataclass(frozen=True)
class PaperAnswer:
    """An answer to a question about a paper.

    Attributes:
        paper: the paper's name.
        question: the question's id.
        run: the number of the run.
        word: the answer; None if there is none, or if it is not one of the permitted words.
        explanation: the model's explanation.
        quote: what became of its quote.
        context: the passage around a found quote.
        counted: whether the answer counts: a permitted word, with a found quote where the word needs one, and never
            with a quote that is not in the paper.
    """

    paper: str
    question: str
    run: int
    word: str | None
    explanation: str
    quote: QuoteCheck
    context: str
    counted: bool


@dataclass(frozen=True)
class ReadAnswers:
    """A model's reply about a paper.

    Attributes:
        paper: the paper's name.
        run: the number of the run.
        readable: whether the reply is an object as asked for.
        facts: title, authors, year, summary and datasets, as the model gave them.
        answers: one answer to each question of the protocol.
    """

    paper: str
    run: int
    readable: bool
    facts: Mapping[str, str]
    answers: tuple[PaperAnswer, ...]


def is_readable(text: str) -> bool:
    """Whether a reply holds an object with answers."""
    return isinstance(_object(text).get("answers"), list)


def read_answers(paper: PaperText, protocol: PaperProtocol, text: str, run: int) -> ReadAnswers:
    """Read a reply, and check its quotes."""
    content = _object(text)
    rows = content.get("answers")
    given = {
        str(row.get("question", "")).strip().strip(":.").casefold(): row
        for row in (rows if isinstance(rows, list) else ())
        if isinstance(row, dict)
    }
    checker = QuoteChecker(paper)
    answers = [_answer(paper, checker, one, given.get(one.id.casefold(), {}), run) for one in protocol.questions]
    facts = {key: _text(content.get(key)) for key in ("title", "authors", "year", "summary", "datasets")}
    return ReadAnswers(paper.name, run, isinstance(rows, list), facts, tuple(answers))


def _answer(
    paper: PaperText, checker: QuoteChecker, question: PaperQuestion, row: Mapping[str, Any], run: int
) -> PaperAnswer:
    said = _text(row.get("answer")).strip(" .").casefold()
    word = next((one for one in question.words if one.casefold() == said), None)
    page = re.search(r"\d+", _text(row.get("page")))
    check = checker.check(_text(row.get("quote")), int(page[0]) if page and len(page[0]) < 6 else None)
    found = check.state is QuoteState.FOUND
    missing = check.state is QuoteState.NONE and word not in question.quoted
    return PaperAnswer(
        paper.name,
        question.id,
        run,
        word,
        _text(row.get("explanation")),
        check,
        checker.context(check) if found else check.passage,
        word is not None and (found or missing),
    )


def _object(text: str) -> dict[str, Any]:
    """The JSON object in a reply, which may stand between other words; empty if there is none."""
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return {}
    try:
        content = parse_json(text[start : end + 1])
    except ValueError:
        return {}
    return content if isinstance(content, dict) else {}


def _text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


def majority(answers: Iterable[PaperAnswer]) -> Mapping[tuple[str, str], str]:
    """The answer to each question about each paper: what most of the counted runs say, `?` without a majority."""
    words: dict[tuple[str, str], Counter[str]] = {}
    for one in answers:
        found = words.setdefault((one.paper, one.question), Counter())
        if one.counted and one.word is not None:
            found[one.word] += 1
    return {key: _most(found) for key, found in words.items()}


def _most(words: Counter[str]) -> str:
    ranked = words.most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return UNCOUNTED
    return ranked[0][0]


def answer_table(protocol: PaperProtocol, papers: Sequence[str], words: Mapping[tuple[str, str], str]) -> str:
    """One row for each paper, one column for each question, as CSV."""
    ids = [one.id for one in protocol.questions]
    return _csv([("paper", *ids), *((name, *(words.get((name, one), UNCOUNTED) for one in ids)) for name in papers)])


def answers_csv(answers: Iterable[PaperAnswer]) -> str:
    """Every answer with its quote and what became of it, as CSV."""
    head = ("paper", "question", "run", "answer", "counted", "quote", "state", "pages", "given page", "explanation")
    rows = (
        (
            one.paper,
            one.question,
            one.run,
            one.word or "",
            "yes" if one.counted else "no",
            one.quote.quote,
            one.quote.state,
            "" if one.quote.pages is None else "–".join(map(str, dict.fromkeys(one.quote.pages))),
            one.quote.given_page or "",
            one.explanation,
        )
        for one in answers
    )
    return _csv([head, *rows])


def _csv(rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue()
