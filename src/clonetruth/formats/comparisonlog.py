"""Logs of language models that compared pairs of snippets, in the format of Krinke and Ragkhitwetsagul's runs.

A block consists of ``### COMPARISON``, ``>>> left vs. right with model``, ``### PROMPT`` and the prompt with both
snippets between triple quotes, ``### RESPONSE`` and the answer, ``### RESULT`` and a number (0 means no).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from clonetruth.formats.answers import read_answer
from clonetruth.formats.streams import read_lines

_SECTIONS = ("COMPARISON", "PROMPT", "RESPONSE", "RESULT")
_TITLE = re.compile(r">>> (?P<left>\S.*?) vs\. (?P<right>\S.*?) with (?P<model>\S+)\s*")
_SNIPPET = re.compile(
    r'(Code Snippet (?P<number>[12]): """\n)(?P<text>.*?)\n"""\n(?=\n(?:Code Snippet 2:|Compare ))', re.DOTALL
)
_LONGEST_TITLE = 2000
_SIDES = {"1": "{left}", "2": "{right}"}


@dataclass(frozen=True)
class LoggedComparison:
    """One comparison of a log.

    Args:
        line: the block's first line, from 1.
        left: the file of the first snippet.
        right: the file of the second snippet.
        model: the model's name.
        texts: the snippets as they appear in the prompt; empty if they could not be separated.
        template: the prompt without the snippets.
        prompt: the prompt with `{left}` and `{right}` in place of the snippets.
        response: the model's full response.
        answer: the answer's word in upper case; empty if there is none, or if several differ.
        explanation: the model's reason.
        result: the number that the run recorded.
    """

    line: int
    left: str
    right: str
    model: str
    texts: tuple[str, ...]
    template: str
    prompt: str
    response: str
    answer: str
    explanation: str
    result: str


def read_comparisons(path: Path) -> Iterator[LoggedComparison | int]:
    """The comparisons of a log; for an incomplete block, only its first line."""
    line, sections, current = 0, dict[str, list[str]](), ""
    for number, content in read_lines(path):
        text = content.decode("utf-8", errors="replace")
        name = text.removeprefix("### ").rstrip() if text.startswith("### ") else ""
        if name == "COMPARISON":
            if line:
                yield _comparison(line, sections)
            line, sections, current = number, {name: []}, name
        # Headings come in order, each once; a response may contain the same marks in its own text.
        elif name and line and name in _SECTIONS and name not in sections:
            sections[name], current = [], name
        elif line:
            sections[current].append(text)
    if line:
        yield _comparison(line, sections)


def _comparison(line: int, sections: dict[str, list[str]]) -> LoggedComparison | int:
    title = _TITLE.fullmatch(sections["COMPARISON"][0][:_LONGEST_TITLE]) if sections["COMPARISON"] else None
    if title is None or tuple(sections) != _SECTIONS:
        return line
    prompt, response = ("\n".join(sections[name]) for name in ("PROMPT", "RESPONSE"))
    snippets = {match["number"]: match["text"] for match in _SNIPPET.finditer(prompt)}
    answer = read_answer(response)
    return LoggedComparison(
        line=line,
        left=title["left"],
        right=title["right"],
        model=title["model"],
        texts=(snippets["1"], snippets["2"]) if len(snippets) == 2 else (),
        template=_SNIPPET.sub(r'\1…\n"""\n', prompt).strip(),
        prompt=_SNIPPET.sub(lambda match: f'{match[1]}{_SIDES[match["number"]]}\n"""\n', prompt),
        response=response.strip(),
        answer=answer.word,
        explanation=answer.explanation,
        result="\n".join(sections["RESULT"]).strip(),
    )
