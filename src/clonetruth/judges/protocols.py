"""The protocols of an LLM judge: by name, from a study's own wording, from a recorded log, or from a file."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

from clonetruth.budgets import read_text
from clonetruth.errors import InputError
from clonetruth.formats.comparisonlog import read_comparisons
from clonetruth.judges.protocol import LLMProtocol, Order, check_protocol
from clonetruth.model import PairValue
from clonetruth.parsing import parse_toml
from clonetruth.registry import Registry
from clonetruth.store.records import WrongShapeError, build_record
from clonetruth.store.study import Study, read_study
from clonetruth.store.study_protocol import METHOD_CRITERION

# A study's own wording as a protocol: the model is asked what the people are asked.

_FORMAT = """
Answer in this format, with one of {words}:
ANSWER: <answer>
EXPLANATION: <explanation>
"""
_PARAMETERS = {"temperature": 0, "top_p": 0}

RECORDED_CRITERION = "functionally-similar"
RECORDED_ANSWERS = {
    "YES-SIMILAR": PairValue.CLONE,
    "NO-NOT-SIMILAR": PairValue.NOT_CLONE,
    "DONT-KNOW": PairValue.UNDECIDED,
}
"""The answers in recorded logs of comparisons, and the question that they answer."""


def pair_protocol(study: Study) -> LLMProtocol:
    """The study's definition, question and answers on a pair."""
    wording = study.plan.protocol
    answers = {value.upper(): value for value in wording.answers}
    parts = (
        wording.instructions,
        'Code fragment 1 ({language}): """\n{left}\n"""',
        'Code fragment 2 ({language}): """\n{right}\n"""',
        wording.question,
    )
    return LLMProtocol("study", study.plan.criterion, _prompt(parts, answers), answers, parameters=_PARAMETERS)


def method_protocol(study: Study) -> LLMProtocol:
    """The study's question and answers on a method and its functionality."""
    wording = study.plan.protocol
    question, values = study.plan.method_question
    answers = {value.upper(): value for value in values}
    parts = (
        wording.instructions,
        "The functionality: {functionality}\n{specification}",
        'The method ({language}): """\n{text}\n"""',
        question,
    )
    return LLMProtocol("study-methods", METHOD_CRITERION, _prompt(parts, answers), answers, parameters=_PARAMETERS)


def _prompt(parts: tuple[str, ...], answers: dict[str, str]) -> str:
    return "\n\n".join(part for part in parts if part) + "\n" + _FORMAT.format(words=", ".join(answers))


SIMILARITY = LLMProtocol(
    name="similarity",
    criterion="functionally-similar",
    prompt="""\
Two fragments of {language} code follow. Decide whether they do the same job for their caller.

They do if, in the same situation, both bring about the outcome that the caller wants from them. How they do it does not
matter: names, libraries, structure and the order of steps may all differ. Two fragments that only share a step on the
way to different ends do not do the same job.

Fragment A:
<<<
{left}
>>>

Fragment B:
<<<
{right}
>>>

Choose one word: SIMILAR if they do the same job, DIFFERENT if they do not, UNCLEAR if the code does not let you decide.
Reply with exactly these two entries:
ANSWER: <answer>
EXPLANATION: <the outcome of each fragment, and why they agree or differ>
""",
    answers={
        "SIMILAR": PairValue.CLONE,
        "DIFFERENT": PairValue.NOT_CLONE,
        "UNCLEAR": PairValue.UNDECIDED,
    },
    runs=5,
    parameters=_PARAMETERS,
)

SIMILARITY_SWAPPED = dataclasses.replace(SIMILARITY, name="similarity-swapped", orders=(Order.GIVEN, Order.SWAPPED))
"""Each pair in both orders: an answer that depends on the order gets no majority, and the position bias is reported."""


PROTOCOLS: Registry[LLMProtocol] = Registry(
    "protocol",
    {
        "similarity": "clonetruth.judges.protocols:SIMILARITY",
        "similarity-swapped": "clonetruth.judges.protocols:SIMILARITY_SWAPPED",
    },
    group="clonetruth.llm_protocols",
    of=LLMProtocol,
)

STUDY_PROTOCOLS = {"study": pair_protocol, "study-methods": method_protocol}
"""Protocols that use the wording of the study that is judged."""


def find_protocol(name: str, folder: str | os.PathLike[str]) -> LLMProtocol:
    """A protocol by its name, or from a TOML file with the fields of `LLMProtocol`.

    Args:
        name: a name in `PROTOCOLS` or `STUDY_PROTOCOLS`, or the path of a `.toml` file.
        folder: the study folder.

    Raises:
        UnknownNameError: there is no such protocol.
        InputError: the file cannot be read, or is not a valid protocol.
    """
    if name in ("krinke", "krinke-swapped") and name not in PROTOCOLS:
        raise InputError(
            f"The protocol '{name}' repeated a published prompt and is no longer part of clonetruth.",
            hint="Take the prompt from a recorded log (--protocol-from LOG), or use 'similarity'.",
        )
    if name in STUDY_PROTOCOLS:
        return STUDY_PROTOCOLS[name](read_study(folder))
    return _read(Path(name)) if name.endswith(".toml") else PROTOCOLS[name]


def protocol_from_log(path: str | os.PathLike[str]) -> LLMProtocol:
    """The protocol of a recorded log: its prompt with placeholders for the two snippets, and the words of its answers.

    Args:
        path: a log in the format of `formats.comparisonlog`, plain or compressed.

    Raises:
        InputError: the log holds no complete prompt, or prompts that differ in more than the snippets.
    """
    templates: dict[str, int] = {}
    for block in read_comparisons(Path(path)):
        if not isinstance(block, int) and block.texts:
            templates.setdefault(block.prompt, block.line)
    if len(templates) != 1:
        problem = "no complete prompt with two snippets" if not templates else "prompts of different wording"
        lines = ", ".join(str(line) for line in list(templates.values())[:5])
        raise InputError(
            f"The log holds {problem}" + (f" (lines {lines})." if templates else "."),
            where=path,
            hint="Write the prompt to a TOML file instead; docs/llm-judge.md has an example.",
        )
    protocol = LLMProtocol(
        "recorded", RECORDED_CRITERION, next(iter(templates)), RECORDED_ANSWERS, parameters=_PARAMETERS
    )
    check_protocol(protocol, path)
    return protocol


def _read(path: Path) -> LLMProtocol:
    try:
        content = parse_toml(read_text(path))
    except OSError as error:
        raise InputError(f"The protocol cannot be read ({error.strerror or error}).", where=path) from error
    except ValueError as error:
        raise InputError(f"Not valid TOML: {error}", where=path) from error
    try:
        protocol = build_record(LLMProtocol, content, "protocol")
    except WrongShapeError as error:
        raise InputError(
            f"Not a valid protocol: {error}.", where=path, hint="See the example in docs/llm-judge.md."
        ) from error
    check_protocol(protocol, path)
    return protocol
