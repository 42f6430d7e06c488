"""The words of a study as a protocol: a model is asked what the people are asked."""

from __future__ import annotations

from clonetruth.judges.protocol import LLMProtocol
from clonetruth.store.study import Study
from clonetruth.store.study_protocol import METHOD_CRITERION

_FORMAT = """
Answer in this format, with one of {words}:
ANSWER: <answer>
EXPLANATION: <explanation>
"""
_PARAMETERS = {"temperature": 0, "top_p": 0}


def pair_protocol(study: Study) -> LLMProtocol:
    """The study's definition, question and answers on a pair."""
    told = study.plan.protocol
    answers = {value.upper(): value for value in told.answers}
    parts = (
        told.definition,
        'Code fragment 1 ({language}): """\n{left}\n"""',
        'Code fragment 2 ({language}): """\n{right}\n"""',
        told.question,
    )
    return LLMProtocol("study", study.plan.criterion, _prompt(parts, answers), answers, parameters=_PARAMETERS)


def method_protocol(study: Study) -> LLMProtocol:
    """The study's question and answers on a method and its functionality."""
    told = study.plan.protocol
    answers = {value.upper(): value for value in told.method_answers}
    parts = (
        told.definition,
        "The functionality: {functionality}\n{specification}",
        'The method ({language}): """\n{text}\n"""',
        told.method_question,
    )
    return LLMProtocol("study-methods", METHOD_CRITERION, _prompt(parts, answers), answers, parameters=_PARAMETERS)


def _prompt(parts: tuple[str, ...], answers: dict[str, str]) -> str:
    return "\n\n".join(part for part in parts if part) + "\n" + _FORMAT.format(words=", ".join(answers))
