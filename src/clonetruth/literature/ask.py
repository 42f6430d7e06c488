"""A literature study with a language model: the function behind `clonetruth literature ask`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.literature.answers import PaperAnswer, ReadAnswers, answer_table, answers_csv, majority
from clonetruth.literature.asking import ask_about, read_papers
from clonetruth.literature.confirmation import QuestionAgreement, read_confirmation, write_confirmation
from clonetruth.literature.protocol import PaperProtocol, find_paper_protocol
from clonetruth.options.declaration import verb
from clonetruth.options.literature import AskPapersOptions
from clonetruth.progress import Progress, no_progress
from clonetruth.store.records import write_text


@dataclass(frozen=True)
class PaperStudy:
    """What a model said about papers, and what became of its quotes.

    Attributes:
        protocol: what was asked.
        model: the model.
        replies: its replies, by paper and run.
        words: the answer to each question about each paper; `?` where none counts.
        quotes: the number of quotes in each state.
        unreadable: the number of replies that are not as asked for.
        missing: the number of questions without a reply.
        stopped: why asking ended early; empty if it did not.
        errors: the papers that cannot be read, and why.
        notes: papers in another language, or with pages without text.
        cost: what the requests have cost; None if prices are unknown.
        agreement: how far people confirmed the answers, by question.
        output: the folder.
        study: the study folder for people; None if nothing counts.
    """

    protocol: PaperProtocol
    model: str
    replies: tuple[ReadAnswers, ...]
    words: Mapping[tuple[str, str], str]
    quotes: Mapping[str, int]
    unreadable: int
    missing: int
    stopped: str
    errors: Mapping[str, str]
    notes: tuple[str, ...]
    cost: float | None
    agreement: tuple[QuestionAgreement, ...]
    output: Path
    study: Path | None

    @property
    def answers(self) -> tuple[PaperAnswer, ...]:
        """All answers of all replies."""
        return tuple(answer for one in self.replies for answer in one.answers)


@verb(AskPapersOptions)
def ask_papers(options: AskPapersOptions, *, progress: Progress | None = None) -> PaperStudy:
    """Ask a language model about papers, and look up each of its quotes in the paper.

    The API key is read from the environment variable OPENAI_API_KEY.

    Args:
        progress: called for each reply.

    Returns:
        The answers, what became of their quotes, and how far people confirmed them.

    Raises:
        InputError: no paper can be read, the protocol is not valid, or the server rejects everything.
        UnknownNameError: there is no such protocol.
        MissingExtraError: the extra `llm` or `pdf` is not installed.

    Example:
        >>> study = clonetruth.ask_papers("paper.txt", model="none", output="papers", replay=True)
        >>> study.missing
        1
    """
    protocol = find_paper_protocol(options.protocol)
    papers, errors = read_papers(options.papers)
    folder = output_folder(options.output)
    replies = ask_about(folder, papers, protocol, options, options.runs, progress or no_progress)
    answers = [answer for one in replies.read for answer in one.answers]
    words = majority(answers)
    names = [one.name for one in papers]
    write_text(answer_table(protocol, names, words), folder / "table.csv")
    write_text(answers_csv(answers), folder / "answers.csv")
    study = None if replies.missing else write_confirmation(folder, protocol, options.model, answers)
    notes = [f"{one.name} does not look English." for one in papers if not one.is_english]
    notes += [f"{one.name}: no text on page {', '.join(map(str, one.empty))}." for one in papers if one.empty]
    return PaperStudy(
        protocol,
        options.model,
        replies.read,
        words,
        dict(Counter(str(one.quote.state) for one in answers)),
        sum(not one.readable for one in replies.read),
        replies.missing,
        replies.stopped,
        errors,
        tuple(notes),
        replies.cost,
        read_confirmation(folder, protocol, words),
        folder,
        study,
    )


def output_folder(path: Path) -> Path:
    """The output folder, created if necessary.

    Raises:
        InputError: it is a file, or cannot be created.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"The folder cannot be created ({error.strerror or error}).", where=path) from error
    return path
