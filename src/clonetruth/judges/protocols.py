"""The protocols of an LLM judge: by name, derived from a study's own wording, or read from a file."""

from __future__ import annotations

import dataclasses
import os
import tomllib
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.judges.protocol import LLMProtocol, Order, check_protocol
from clonetruth.model import PairValue
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


def pair_protocol(study: Study) -> LLMProtocol:
    """The study's definition, question and answers on a pair."""
    wording = study.plan.protocol
    answers = {value.upper(): value for value in wording.answers}
    parts = (
        wording.definition,
        'Code fragment 1 ({language}): """\n{left}\n"""',
        'Code fragment 2 ({language}): """\n{right}\n"""',
        wording.question,
    )
    return LLMProtocol("study", study.plan.criterion, _prompt(parts, answers), answers, parameters=_PARAMETERS)


def method_protocol(study: Study) -> LLMProtocol:
    """The study's question and answers on a method and its functionality."""
    wording = study.plan.protocol
    answers = {value.upper(): value for value in wording.method_answers}
    parts = (
        wording.definition,
        "The functionality: {functionality}\n{specification}",
        'The method ({language}): """\n{text}\n"""',
        wording.method_question,
    )
    return LLMProtocol("study-methods", METHOD_CRITERION, _prompt(parts, answers), answers, parameters=_PARAMETERS)


def _prompt(parts: tuple[str, ...], answers: dict[str, str]) -> str:
    return "\n\n".join(part for part in parts if part) + "\n" + _FORMAT.format(words=", ".join(answers))


KRINKE = LLMProtocol(
    name="krinke",
    criterion="functionally-similar",
    prompt='''\
You are an experienced software engineer proficient in analysing source code.

Your task is to analyse two code snippets and check if they are functionally similar. \
Two code snippets are considered functionally similar when they achieve the same result or perform the same task, \
even if they differ in syntax, structure, or the specific steps they take to accomplish that task.

Code Snippet 1: """
{left}
"""

Code Snippet 2: """
{right}
"""

Compare the two {language} code snippets. Answer "YES-SIMILAR" if they are functionally similar. \
Answer "NO-NOT-SIMILAR" if they are not functionally similar. \
Answer "DONT-KNOW" if it is not clear if they are similar.

Format:
ANSWER: <answer>
EXPLANATION: <explanation>
''',
    answers={
        "YES-SIMILAR": PairValue.CLONE,
        "NO-NOT-SIMILAR": PairValue.NOT_CLONE,
        "DONT-KNOW": PairValue.UNDECIDED,
    },
    runs=5,
    parameters={"temperature": 0, "top_p": 0},
)

KRINKE_SWAPPED = dataclasses.replace(KRINKE, name="krinke-swapped", orders=(Order.GIVEN, Order.SWAPPED))
"""Each pair in both orders: an answer that depends on the order gets no majority, and the position bias is reported."""


PROTOCOLS: Registry[LLMProtocol] = Registry(
    "protocol",
    {
        "krinke": "clonetruth.judges.protocols:KRINKE",
        "krinke-swapped": "clonetruth.judges.protocols:KRINKE_SWAPPED",
    },
    group="clonetruth.llm_protocols",
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
    if name in STUDY_PROTOCOLS:
        return STUDY_PROTOCOLS[name](read_study(folder))
    return _read(Path(name)) if name.endswith(".toml") else PROTOCOLS[name]


def _read(path: Path) -> LLMProtocol:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
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
