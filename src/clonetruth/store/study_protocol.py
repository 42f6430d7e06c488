"""Study protocols: the instructions and questions for judges, and how subjects are assigned to them."""

from __future__ import annotations

from dataclasses import dataclass

from clonetruth.errors import InputError
from clonetruth.model import CRITERIA, MemberValue, PairValue, Subject

METHOD_CRITERION = "implements-functionality"
"""The criterion for methods."""


@dataclass(frozen=True)
class JudgeGroup:
    """A group of judges, and the share of the subjects that it judges, 0 to 1."""

    name: str
    share: float


@dataclass(frozen=True)
class Protocol:
    """The instructions for judges, and who judges what.

    Attributes:
        name: its name.
        question: the question on a pair, as the judge reads it.
        definition: what counts as a clone under the criterion, in Markdown; one key press away while judging.
        answers: the answers on a pair, in the order of the keys.
        method_question: the question on a method and its functionality.
        method_answers: the answers on a method, in the order of the keys.
        overlap: number of judges (of one group, if there are groups) per subject.
        groups: the groups, whose shares add up to 1; empty if every judge may get every subject.
        panel: the group that decides what all others leave undecided; None for no panel.
        training: number of pairs with a known answer and feedback that a judge sees first.
        attention: number of pairs with a known answer mixed among the subjects, without feedback.
        show_llm: whether adjudicators see an LLM's answer and reason next to those of the people.
    """

    name: str
    question: str
    definition: str = ""
    answers: tuple[str, ...] = tuple(PairValue)
    method_question: str = "Does this method implement the functionality as its main purpose?"
    method_answers: tuple[str, ...] = tuple(MemberValue)
    overlap: int = 2
    groups: tuple[JudgeGroup, ...] = ()
    panel: str | None = None
    training: int = 0
    attention: int = 0
    show_llm: bool = False


def check_protocol(protocol: Protocol, criterion: str, where: object = None) -> None:
    """Refuse a protocol that cannot be followed.

    Raises:
        InputError: the criterion does not apply to pairs or does not permit an answer, a number is negative, or the
            shares of the groups do not add up to 1.
    """
    asked = CRITERIA.get(criterion)
    if asked is None or asked.subject is not Subject.PAIR:
        raise InputError(f"'{criterion}' is not a criterion for pairs.", where=where)
    for name, given, known in (
        ("answers", protocol.answers, asked.values),
        ("method_answers", protocol.method_answers, CRITERIA[METHOD_CRITERION].values),
    ):
        unknown = [answer for answer in given if answer not in known]
        if unknown or len(set(given)) != len(given) or len(given) < 2:
            raise InputError(
                f"The {name} of the protocol are invalid: {', '.join(given) or 'none'}.",
                where=where,
                hint=f"Choose at least two of {', '.join(known)}, each once.",
            )
    if protocol.overlap < 1 or protocol.training < 0 or protocol.attention < 0:
        raise InputError("The protocol's overlap is below 1, or a number of checks is negative.", where=where)
    names = [group.name for group in protocol.groups]
    if len(set(names)) != len(names) or (protocol.panel is not None and protocol.panel in names):
        raise InputError("Two groups of the protocol have the same name, or the panel is one of them.", where=where)
    shares = [group.share for group in protocol.groups]
    if shares and (min(shares) <= 0 or abs(sum(shares) - 1) > 1e-6):
        raise InputError("The shares of the protocol's groups do not add up to 1.", where=where)
