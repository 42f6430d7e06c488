"""`llm:MODEL`: a language model of any OpenAI-compatible server, asked about each pair.

The questions go through the judges' client, journal and budget: an answer is paid for once, and is on disk before it is
used. The score is the probability of "yes" among the first tokens of the answer where the server gives probabilities,
and otherwise 1 or 0 by the word. An answer that cannot be read, a refusal and a question that was not answered give no
score.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa

from clonetruth.detectors.detector import score_array, side_rows
from clonetruth.detectors.llm_settings import LLMDetectorSettings, read_settings
from clonetruth.errors import InputError
from clonetruth.judges.chat import Chat, RateLimit, RetryPolicy
from clonetruth.judges.journal import AnswerKey, Journal, open_journal
from clonetruth.judges.majority import Answer, AnswerState, answer_state, read_run
from clonetruth.judges.prices import Account, Budget, answer_limit, cost_of_journal
from clonetruth.judges.protocol import LLMProtocol, respondent
from clonetruth.judges.questions import LLMQuestion, pair_question
from clonetruth.judges.requests import LLMRequests
from clonetruth.model import PairValue
from clonetruth.progress import Progress, no_progress

_LEAST_MASS = 0.5
"""The probability that the first token begins one of the words, below which the words themselves are read."""
_UNREADABLE = 0.5
"""The share of unreadable answers after which a model is asked no further."""


@dataclass(frozen=True, eq=False)
class LLMDetector:
    """Asks a model about pairs.

    Attributes:
        model: the model's name on the server.
        settings: how it is asked.
    """

    model: str
    settings: LLMDetectorSettings
    default_threshold: float | None = 0.5
    _notes: list[str] = field(default_factory=list, repr=False)

    @property
    def name(self) -> str:
        """See `Detector`."""
        return f"llm:{self.model}"

    @property
    def description(self) -> str:
        """See `Detector`."""
        shots = len(self.settings.shots)
        return f"Probability of a clone by the language model '{self.model}', asked with {shots or 'no'} examples."

    def score(
        self, fragments: pa.Table, pairs: pa.Table, *, processes: int = 1, progress: Progress | None = None
    ) -> pa.DoubleArray:
        """See `Detector.score`. Null where a text is blank, or the model gave no answer that can be read.

        Raises:
            InputError: the server answers nothing, there are more questions than `most`, or an example is among the
                fragments.
            MissingExtraError: the client is not installed.
        """
        left, right = side_rows(fragments, pairs)
        rows = list(zip(np.minimum(left, right).tolist(), np.maximum(left, right).tolist(), strict=True))
        texts, languages = fragments["text"].to_pylist(), fragments["language"].to_pylist()
        self._refuse_examples(texts)
        asked = {
            pair: self._questions(*((texts[row], languages[row]) for row in pair))
            for pair in dict.fromkeys(rows)
            if all(texts[row].strip() for row in pair)
        }
        answers = self._answers([question for one in asked.values() for question in one], progress or no_progress)
        found = {pair: self._mean(questions, answers) for pair, questions in asked.items()}
        values = np.array([np.nan if found.get(pair) is None else found[pair] for pair in rows], np.float64)
        return score_array(np.nan_to_num(values), ~np.isnan(values))

    def remarks(self, fragments: pa.Table) -> tuple[str, ...]:
        """What a reader of the scores should know: questions without an answer, words instead of probabilities."""
        return tuple(dict.fromkeys(self._notes))

    @property
    def _protocol(self) -> LLMProtocol:
        return self.settings.protocol

    def _questions(self, *sides: tuple[str, str]) -> list[LLMQuestion]:
        # The first side is chosen by the texts, so that a pair is always asked in the same way.
        (one, first), (other, second) = sorted(sides)
        row = {
            "subject": 0,
            "left_text": one,
            "right_text": other,
            "left_language": first,
            "right_language": second,
        }
        questions = (pair_question(row, self._protocol, order) for order in self._protocol.orders)
        return [question for question in questions if question is not None]

    def _answers(self, questions: Sequence[LLMQuestion], report: Progress) -> Mapping[AnswerKey, Answer]:
        if not questions:
            return {}
        settings, asked = self.settings, respondent(self.model, self._protocol)
        settings.journal.mkdir(parents=True, exist_ok=True)
        with open_journal(settings.journal, asked) as journal:
            left = {_key(one): one for one in questions if _key(one) not in journal.answers}
            if len(left) > settings.most:
                raise InputError(
                    f"The model would be asked {len(left):,} questions.",
                    where=self.name,
                    hint=f"Evaluate fewer pairs, or permit it: {self.name},most={len(left)}",
                )
            if left:
                asyncio.run(self._ask(journal, asked, list(left.values()), report))
            return dict(journal.answers)

    async def _ask(
        self, journal: Journal, asked: Mapping[str, object], questions: Sequence[LLMQuestion], report: Progress
    ) -> None:
        settings, limit = self.settings, answer_limit(self._protocol.parameters)
        chat = Chat(asked, settings.base_url, RateLimit(settings.rate), RetryPolicy(timeout=settings.timeout))
        budget = None
        if settings.budget is not None and settings.price is not None:
            spent = cost_of_journal(settings.price, journal.content)
            budget = Budget(settings.price, settings.budget, limit, spent, journal.content.paid)
        account = Account(journal, budget, self._protocol.system, limit)
        requests = LLMRequests(chat, account, self._readable, _UNREADABLE, settings.concurrency, report)
        try:
            summary = await requests.run((question, 1) for question in questions)
        finally:
            await chat.close()
        missing = len(questions) - len(summary.answers)
        if missing:
            why = summary.stopped or summary.unanswered[0]
            self._notes.append(f"{self.name} did not answer {missing:,} questions, which give no score: {why}.")

    def _readable(self, answer: Answer) -> bool:
        return self._probability(answer) is not None

    def _mean(self, questions: Sequence[LLMQuestion], answers: Mapping[AnswerKey, Answer]) -> float | None:
        """The mean over the orders; None unless every order has an answer that can be read."""
        found = [self._probability(answers[_key(one)]) if _key(one) in answers else None for one in questions]
        known = [one for one in found if one is not None]
        return sum(known) / len(known) if known and len(known) == len(found) else None

    def _probability(self, answer: Answer) -> float | None:
        """The probability of a clone that an answer states; None if it cannot be read, or is undecided."""
        meanings = self._protocol.answers
        by_value = {PairValue.CLONE: 0.0, PairValue.NOT_CLONE: 0.0}
        for token, probability in (answer.first_token or {}).items():
            begun = {value for word, value in meanings.items() if _begins(token, word)}
            if len(begun) == 1 and (value := PairValue(begun.pop())) in by_value:
                by_value[value] += probability
        mass = sum(by_value.values())
        if mass >= _LEAST_MASS:
            return round(by_value[PairValue.CLONE] / mass, 9)
        if answer_state(answer, meanings) is not AnswerState.READABLE:
            self._notes.append(f"Some answers of {self.name} cannot be read; their pairs have no score.")
            return None
        self._notes.append(f"{self.name} gives no probabilities for some answers: their words count as 1 and 0.")
        said = meanings[read_run(answer, meanings).word]
        return {PairValue.CLONE: 1.0, PairValue.NOT_CLONE: 0.0}.get(PairValue(said))

    def _refuse_examples(self, texts: Sequence[str]) -> None:
        # White space aside: an example in another layout gives its answer away all the same.
        shown = {" ".join(text.split()) for shot in self.settings.shots for text in (shot.left, shot.right)}
        if shown and any(" ".join(text.split()) in shown for text in texts):
            raise InputError(
                "A fragment to be scored is among the examples that the model is shown.",
                where=self.name,
                hint="Take the examples from other code, for example from the training part.",
            )


def _key(question: LLMQuestion) -> AnswerKey:
    return AnswerKey(question.digest, question.order, 1)


def _begins(token: str, word: str) -> bool:
    """Whether a token is the beginning of a word, in any case."""
    letters = token.strip().strip("*_\"'`").upper()
    return bool(letters) and word.startswith(letters)


@dataclass(frozen=True)
class LLMFamily:
    """The detectors `llm:MODEL[,setting=value…]` (see `families.DetectorFamily`)."""

    name: str = "llm"
    description: str = "Probability of a clone by a language model of any OpenAI-compatible server."
    target: str = "MODEL"

    @property
    def parameters(self) -> Mapping[str, tuple[str, ...]]:
        """See `DetectorFamily`."""
        names = (
            "base_url",
            "journal",
            "protocol",
            "shots",
            "prices",
            "budget",
            "concurrency",
            "rate",
            "timeout",
            "most",
        )
        return {**dict.fromkeys(names, ()), "orders": ("both", "one")}

    def detector(self, target: str, values: Mapping[str, str]) -> LLMDetector:
        """See `DetectorFamily`."""
        settings = read_settings(target, values)
        if values.get("orders", "both") == "one":
            settings = replace(settings, protocol=replace(settings.protocol, orders=settings.protocol.orders[:1]))
        return LLMDetector(target, settings)


LLM = LLMFamily()
