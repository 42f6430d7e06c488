"""Study protocols: the instructions and questions for judges, who judges what, and how differences are settled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum

from clonetruth.errors import InputError
from clonetruth.model import CRITERIA, MemberValue, PairValue, Subject
from clonetruth.store.hashing import hash_json

METHOD_CRITERION = "implements-functionality"
"""The criterion for methods, in studies of pairs."""


@dataclass(frozen=True)
class JudgeGroup:
    """A group of judges, and the share of the subjects that it judges, 0 to 1."""

    name: str
    share: float


class Settlement(StrEnum):
    """What happens to a subject on which judges differ, or which they leave undecided.

    Attributes:
        NEXT_GROUP: another group judges it.
        ADJUDICATOR: one adjudicator decides.
        DISCUSSION: people who discuss it decide together, and are recorded.
        PANEL: the members of the panel decide together, as many as the quorum needs, and are recorded.
        EXCLUDE: nobody decides: the verdict stays unknown.
    """

    NEXT_GROUP = "next-group"
    ADJUDICATOR = "adjudicator"
    DISCUSSION = "discussion"
    PANEL = "panel"
    EXCLUDE = "exclude"


@dataclass(frozen=True)
class TrainingItem:
    """A pair, or a function in studies of single functions, whose answers a protocol knows.

    Attributes:
        language: the language of both sides.
        left: the text of the left side, or of the function.
        right: the text of the right side; empty in studies of single functions.
        expected: the answer.
        feedback: why, for the judge who has answered.
        left_label: the label of the left method, where methods are judged in the same sitting.
        right_label: that of the right method.
        functionality: the name of the functionality that they are said to have.
        specification: what an implementation must do.
    """

    language: str
    left: str
    expected: str
    feedback: str
    right: str = ""
    left_label: str | None = None
    right_label: str | None = None
    functionality: str | None = None
    specification: str | None = None


@dataclass(frozen=True)
class Protocol:
    """The instructions for judges, and who judges what.

    Attributes:
        name: its name.
        question: the question on a pair, as the judge reads it; on a function, if the criterion is one for fragments.
        definition: what counts under the criterion, in Markdown; one key press away while judging.
        definitions: what each answer means, by answer.
        answer_names: the words on the buttons, by answer (default: the answer itself).
        exclusions: what does not count, one sentence each.
        answers: the answers to the question, in the order of the keys.
        method_question: the question on a method and its functionality.
        method_answers: the answers on a method, in the order of the keys.
        positive_labels: the answers on a method that count as "yes" in verdicts and agreement.
        sitting: whether a judge labels both methods of a pair and then the pair, one after the other.
        clone_labels: the labels that both methods of a clone usually have; a clone with others is pointed out.
        overlap: number of judges (of one group, if there are groups) per subject.
        groups: the groups, whose shares add up to 1; empty if every judge may get every subject.
        different: what happens, in order, where the judges of a subject differ.
        undecided: what happens, in order, where one of them is undecided.
        panel: the group of adjudicators who form the panel; None for no panel.
        quorum: number of people who must take part in a decision of the panel or a discussion.
        training: number of known pairs with feedback that a judge sees first, in addition to `training_items`.
        training_items: the protocol's own training items.
        attention: number of pairs with a known answer mixed among the subjects, without feedback.
        show_llm: whether adjudicators see an LLM's answer and reason next to those of the people.
        show_functionality: whether the pages of pairs show the functionality, if all pairs have one.
        repeats: number of subjects that each judge sees a second time, much later and with swapped sides.
        attentive: the share of attention checks and repeats that a judge must pass for their votes to count in the
            second analysis; None to declare no threshold.
    """

    name: str
    question: str
    definition: str = ""
    definitions: Mapping[str, str] = field(default_factory=dict)
    answer_names: Mapping[str, str] = field(default_factory=dict)
    exclusions: tuple[str, ...] = ()
    answers: tuple[str, ...] = tuple(PairValue)
    method_question: str = "Is this functionality what the method is for?"
    method_answers: tuple[str, ...] = tuple(MemberValue)
    positive_labels: tuple[str, ...] = (MemberValue.MAJOR,)
    sitting: bool = False
    clone_labels: tuple[str, ...] = ()
    overlap: int = 2
    groups: tuple[JudgeGroup, ...] = ()
    different: tuple[Settlement, ...] = (Settlement.ADJUDICATOR,)
    undecided: tuple[Settlement, ...] = (Settlement.NEXT_GROUP, Settlement.ADJUDICATOR)
    panel: str | None = None
    quorum: int = 1
    training: int = 0
    training_items: tuple[TrainingItem, ...] = ()
    attention: int = 0
    show_llm: bool = False
    show_functionality: bool = True
    repeats: int = 0
    attentive: float | None = None

    @property
    def instructions(self) -> str:
        """Everything that a judge should have read, in Markdown: definition, answers, exclusions."""
        answers = "\n".join(
            f"- **{self.answer_names.get(answer, answer)}**: {' '.join(text.split())}"
            for answer, text in self.definitions.items()
        )
        exclusions = "\n".join(f"- {' '.join(text.split())}" for text in self.exclusions)
        parts = (self.definition.strip(), answers, f"What does not count:\n\n{exclusions}" if exclusions else "")
        return "\n\n".join(part for part in parts if part)

    @property
    def label(self) -> str:
        """Its name, and a digest of its whole content: another wording is another protocol."""
        plain = asdict(Protocol(self.name, self.question))
        # Entries that later versions add do not change the digest of protocols without them.
        content = {name: value for name, value in asdict(self).items() if value != plain[name]}
        return f"{self.name} ({hash_json({'question': self.question, **content})[:12]})"


def check_protocol(protocol: Protocol, criterion: str, where: object = None) -> None:
    """Refuse a protocol that cannot be followed.

    Raises:
        InputError: the message names the entry that is wrong.
    """
    asked = CRITERIA.get(criterion)
    if asked is None:
        raise InputError(
            f"`criterion`: there is no criterion '{criterion}'.", where=where, hint=f"Known: {', '.join(CRITERIA)}."
        )
    single = asked.subject is Subject.FRAGMENT
    _check_answers("answers", protocol.answers, asked.values, where)
    _check_answers("method_answers", protocol.method_answers, CRITERIA[METHOD_CRITERION].values, where)
    labels = protocol.answers if single else protocol.method_answers
    problems = {
        "overlap": "at least one judge is needed." if protocol.overlap < 1 else "",
        "training": _checks_problem(protocol.training, single),
        "attention": _checks_problem(protocol.attention, single),
        "repeats": _repeat_problem(protocol),
        "attentive": _share_problem(protocol.attentive),
        "sitting": "a study of single functions has no pairs." if single and protocol.sitting else "",
        "positive_labels": _unknown(protocol.positive_labels, labels) if single else "",
        "clone_labels": _unknown(protocol.clone_labels, labels),
        "definitions": _text_problem(protocol, protocol.definitions),
        "answer_names": _text_problem(protocol, protocol.answer_names),
        "groups": _group_problem(protocol),
        "different": _settlement_problem(protocol, protocol.different),
        "undecided": _settlement_problem(protocol, protocol.undecided),
        "quorum": _quorum_problem(protocol),
        **{
            f"training_items[{number}]": _training_problem(item, protocol, single)
            for number, item in enumerate(protocol.training_items)
        },
    }
    for key, problem in problems.items():
        if problem:
            raise InputError(f"`{key}`: {problem}", where=where, hint="docs/studies.md describes a protocol's entries.")


def _repeat_problem(protocol: Protocol) -> str:
    if protocol.repeats < 0:
        return "a number of pairs cannot be negative."
    if protocol.repeats and protocol.sitting:
        return "a sitting asks about the methods first, which would give away a pair that comes again."
    return ""


def _share_problem(share: float | None) -> str:
    return "" if share is None or 0 < share <= 1 else "a share is above 0 and at most 1."


def _check_answers(key: str, given: tuple[str, ...], known: tuple[str, ...], where: object) -> None:
    if set(given) - set(known) or len(set(given)) != len(given) or len(given) < 2:
        raise InputError(
            f"`{key}`: invalid answers: {', '.join(given) or 'none'}.",
            where=where,
            hint=f"Choose at least two of {', '.join(known)}, each once.",
        )


def _checks_problem(count: int, single: bool) -> str:
    if count < 0:
        return "a number of pairs cannot be negative."
    return "known pairs do not fit single functions: use `training_items`." if count and single else ""


def _unknown(given: tuple[str, ...], known: tuple[str, ...]) -> str:
    unknown = [one for one in given if one not in known]
    return f"'{unknown[0]}' is not one of {', '.join(known)}." if unknown else ""


def _text_problem(protocol: Protocol, texts: Mapping[str, object]) -> str:
    for answer, text in texts.items():
        if not isinstance(text, str) or not text.strip():
            return f"the entry of '{answer}' is not a text."
    return _unknown(tuple(texts), tuple(dict.fromkeys((*protocol.method_answers, *protocol.answers))))


def _group_problem(protocol: Protocol) -> str:
    names = [group.name for group in protocol.groups]
    if len(set(names)) != len(names) or (protocol.panel is not None and protocol.panel in names):
        return "two groups have the same name, or the panel is one of them."
    shares = [group.share for group in protocol.groups]
    if shares and not (min(shares) > 0 and abs(sum(shares) - 1) <= 1e-6):
        return "the shares do not add up to 1."
    return ""


def _settlement_problem(protocol: Protocol, steps: tuple[Settlement, ...]) -> str:
    handed_on = [one is Settlement.NEXT_GROUP for one in steps]
    if not steps or handed_on[-1] or not all(handed_on[:-1]):
        return "it must end with one of adjudicator, discussion, panel and exclude, after any number of next-group."
    if steps[-1] is Settlement.PANEL and protocol.panel is None:
        return "there is no panel: name its group in `panel`."
    return ""


def _quorum_problem(protocol: Protocol) -> str:
    if protocol.quorum < 1:
        return "at least one person is needed."
    joint = {Settlement.DISCUSSION, Settlement.PANEL} & {*protocol.different, *protocol.undecided}
    if protocol.quorum > 1 and not joint:
        return (
            "one adjudicator decides alone: a quorum needs `different` or `undecided` to end with discussion or panel."
        )
    return ""


def _training_problem(item: TrainingItem, protocol: Protocol, single: bool) -> str:
    if not item.left.strip() or bool(item.right.strip()) is single:
        return "`left` must hold the function, and `right` nothing." if single else "`left` or `right` is empty."
    if not item.feedback.strip():
        return "`feedback` is empty."
    labels = tuple(label for label in (item.left_label, item.right_label) if label is not None)
    return _unknown((item.expected,), protocol.answers) or _unknown(labels, protocol.method_answers)
