"""People confirm a model's answers: a study whose subjects are an answer and the passage that it rests on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from clonetruth.errors import InputError
from clonetruth.literature.answers import UNCOUNTED, PaperAnswer
from clonetruth.literature.protocol import PaperProtocol
from clonetruth.model import JudgeKind, RatingValue
from clonetruth.stats import wilson
from clonetruth.stats.agreement import Ratings, judge_pairs
from clonetruth.store import build_manifest, hash_json
from clonetruth.store.study import StudyPlan, StudyStratum, read_study, write_study
from clonetruth.store.study_judgements import read_study_judgements
from clonetruth.store.study_protocol import Protocol
from clonetruth.studies.study_folder import open_votes

CRITERION = "answer-supported"
_LANGUAGE = "text"
_NAMES: dict[str, str] = {
    RatingValue.AGREE: "Confirmed",
    RatingValue.DISAGREE: "Rejected",
    RatingValue.CONDITIONALLY: "Unclear",
}


@dataclass(frozen=True)
class QuestionAgreement:
    """How far people and the model agree on a question.

    Attributes:
        question: the question's id.
        confirmed: the number of answers that people confirmed.
        rejected: the number that they rejected.
        share: the share of confirmed ones; None without any.
        low: the lower bound of its interval (Wilson, 95 %).
        high: the upper bound.
        kappa: Cohen's kappa of the model's word and the people's, for a question of Yes and No, where a rejected Yes is
            a No; None for other questions, or where it is undefined.
    """

    question: str
    confirmed: int
    rejected: int
    share: float | None
    low: float | None
    high: float | None
    kappa: float | None


def write_confirmation(
    folder: Path, protocol: PaperProtocol, model: str, answers: Sequence[PaperAnswer]
) -> Path | None:
    """Write the study in which people confirm the counted answers; None if there is nothing to confirm.

    A study that exists is left alone: people may have begun.

    Raises:
        InputError: the study in the folder is about other answers.
    """
    path = folder / "study"
    counted = [one for one in answers if one.counted]
    digest = hash_json([[one.paper, one.question, one.run, one.word, one.quote.quote] for one in counted])
    if path.exists():
        if read_study(path).plan.manifest.inputs.get("answers") != digest:
            raise InputError(
                "The study in the folder is about other answers.",
                where=path,
                hint="Another model, protocol or set of papers needs another output folder.",
            )
        return path
    if not counted:
        return None
    questions = {one.id: one for one in protocol.questions}
    rows = [
        {
            "subject": number,
            "stratum": one.question,
            "weight": 1.0,
            "extra": False,
            "functionality": one.question,
            "left_id": f"{one.paper}/{one.question}/{one.run}/passage",
            "left_path": one.paper,
            "left_language": _LANGUAGE,
            "left_text": _passage(one),
            "right_id": f"{one.paper}/{one.question}/{one.run}",
            "right_language": _LANGUAGE,
            "right_text": f"Question {one.question}: {questions[one.question].text}\n\nAnswer: {one.word}\n\n"
            f"Explanation: {one.explanation or '–'}\n",
        }
        for number, one in enumerate(counted)
    ]
    sizes = Counter(one.question for one in counted)
    plan = StudyPlan(
        title=f"Answers of {model} about {len({one.paper for one in counted}):,} papers",
        criterion=CRITERION,
        protocol=Protocol(
            name=protocol.label,
            question="Does the passage support the answer to the question?",
            definition="One text is the passage of the paper, the other the question with the model's answer.",
            answers=(RatingValue.AGREE, RatingValue.DISAGREE, RatingValue.CONDITIONALLY),
            answer_names=dict(_NAMES),
            overlap=1,
        ),
        population="all counted answers of the model",
        population_size=len(counted),
        confidence=0.95,
        margin=None,
        allocation="all",
        seed=0,
        strata=tuple(StudyStratum(name, size, size, 0) for name, size in sorted(sizes.items())),
        manifest=build_manifest({"answers": digest}, {"protocol": protocol.label, "model": model}),
    )
    functionalities = pa.table(
        {
            "id": [one.id for one in protocol.questions],
            "name": [f"Question {one.id}" for one in protocol.questions],
            "specification": [one.text for one in protocol.questions],
            "exemplars": pa.array([[] for _ in protocol.questions], pa.list_(pa.string())),
        }
    )
    write_study(path, plan, pa.Table.from_pylist(rows), functionalities=functionalities)
    return path


def _passage(one: PaperAnswer) -> str:
    if one.context:
        return f"From {one.paper}:\n\n{one.context}\n"
    return f"{one.paper}: the model gives no passage, since it answers that something is missing.\n"


def read_confirmation(
    folder: Path, protocol: PaperProtocol, words: Mapping[tuple[str, str], str]
) -> tuple[QuestionAgreement, ...]:
    """How far people confirmed the model's answers; empty without a study or votes."""
    path = folder / "study"
    if not path.is_dir():
        return ()
    study = read_study(path)
    judges, judgements = read_study_judgements(path, open_votes(study, None), study)
    kinds = dict(zip(judges["judge"].to_pylist(), judges["kind"].to_pylist(), strict=True))
    verdicts: dict[int, Counter[str]] = {}
    for row in judgements.to_pylist():
        if kinds.get(row["judge"]) == JudgeKind.PERSON and row["value"] in tuple(RatingValue):
            verdicts.setdefault(row["subject"], Counter())[row["value"]] += 1
    ids = study.subjects["right_id"].to_pylist()
    votes: dict[str, list[tuple[str, str, bool]]] = {}
    for subject, found in verdicts.items():
        paper, question, _ = ids[subject].rsplit("/", 2)
        agreed, against = found[RatingValue.AGREE], found[RatingValue.DISAGREE]
        if agreed != against:
            votes.setdefault(question, []).append((paper, words.get((paper, question), UNCOUNTED), agreed > against))
    return tuple(_agreement(one.id, one.words, votes[one.id]) for one in protocol.questions if one.id in votes)


def _agreement(question: str, words: Sequence[str], votes: Sequence[tuple[str, str, bool]]) -> QuestionAgreement:
    confirmed = sum(agreed for _, _, agreed in votes)
    interval = wilson(confirmed, len(votes))
    kappa = None
    if {"Yes", "No"} >= set(words):
        other = {"Yes": "No", "No": "Yes"}
        rated = [(paper, "model", word) for paper, word, _ in votes]
        rated += [(paper, "people", word if agreed else other.get(word, word)) for paper, word, agreed in votes]
        pairs = judge_pairs(Ratings.of(rated, tuple(words)))
        kappa = pairs[0].cohen_kappa if pairs else None
    return QuestionAgreement(
        question=question,
        confirmed=confirmed,
        rejected=len(votes) - confirmed,
        share=confirmed / len(votes) if votes else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        kappa=kappa,
    )
