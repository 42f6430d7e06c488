"""Answers of language models in the form ``ANSWER: <word>`` and ``EXPLANATION: <text>``, or as a JSON object.

Models wrap their answers: in reasoning blocks, Markdown, other letter cases. All of that is read, and nothing is
guessed: an answer is one word that the text gives clearly, and no other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

# `(?ai:…)`: in any case, but without the characters outside ASCII that Unicode takes for the same letters.
_ANSWER = re.compile(
    r'"(?ai:answer)"\s*:\s*(?:"(?P<json>[^"\\\n]*)")?'
    r'|^[^\w\n]*(?:\d{1,2}[.)][^\w\n]*)?(?ai:(?:FINAL )?ANSWER)(?!"\s*:)[^\w\n:]*:(?P<line>[^\n]*)'
    r"(?=(?P<next>\s*[^\n]*))",
    re.MULTILINE,
)
_EXPLANATION = re.compile(r"^[^\w\n]*(?ai:EXPLANATION)[^\w\n:]*:[*_]*(?P<text>.*)\Z", re.MULTILINE | re.DOTALL)
_JSON_EXPLANATION = re.compile(r'"(?ai:explanation)"\s*:\s*"(?P<text>(?:[^"\\]|\\.)*)', re.DOTALL)
_REASON = re.compile(r"\b(?ai:EXPLANATION)\b")
_FENCED = re.compile(r"```\w*\n(?P<text>.*)```", re.DOTALL)
_TAG = re.compile(
    r"(?:<|◁|\[(?=/?THINK\]))(?P<close>/?)(?ai:think|thinking|thought|reasoning|analysis|scratchpad)[]>▷]"
)
_FINAL = "<|channel|>final<|message|>"
_WORD = re.compile(r"[A-Z](?:[A-Z-]*[A-Z])?")


@dataclass(frozen=True)
class LabelledAnswer:
    """A parsed answer.

    Attributes:
        word: the answer's word in capitals; empty if there is none, or if several differ.
        explanation: the model's reason; the whole text, without reasoning blocks, if it gives none.
    """

    word: str
    explanation: str


def is_answer_word(word: str) -> bool:
    """Whether a word has the form of an answer: capitals, with hyphens within."""
    return _WORD.fullmatch(word) is not None


def read_answer(text: str, words: Collection[str] = (), *, complete: bool = True) -> LabelledAnswer:
    """Parse the word and the reason from a model's answer.

    Args:
        text: what the model wrote.
        words: the permitted words. If they are known, a word may also stand alone, without a label, and its parts may
            be joined by spaces or underscores.
        complete: whether the model ended by itself. If it was cut off, a reasoning block that is still open holds
            drafts, not an answer.
    """
    said = without_reasoning(text, complete=complete).strip()
    fenced = _FENCED.fullmatch(said)
    said = fenced["text"] if fenced else said
    found = set(_words(said, words))
    word = found.pop() if len(found) == 1 else ""
    if not complete and said.upper().endswith(word) and any(one != word and one.startswith(word) for one in words):
        word = ""  # the text may end within a longer word
    return LabelledAnswer(word, _explanation(said))


def without_reasoning(text: str, *, complete: bool = True) -> str:
    """A text without its reasoning blocks, such as `<think>…</think>`.

    A block that is closed but not opened began in the prompt. One that is not closed is kept, without its tag, if the
    text is complete: if the model gave an answer, it stands there.
    """
    text = text.rpartition(_FINAL)[2]
    said, inside, start = "", False, 0
    for tag in _TAG.finditer(text):
        if tag["close"]:
            said = said if inside else ""
            inside, start = False, tag.end()
        elif not inside:
            said += text[start : tag.start()] + "\n"
            inside, start = True, tag.end()
    if inside:
        return said + _TAG.sub("\n", text[start:]) if complete else said
    return said + text[start:]


def _words(text: str, words: Collection[str]) -> Iterator[str]:
    """The word of each labelled answer; empty where the label has no permitted word."""
    labelled = False
    for match in _ANSWER.finditer(text):
        labelled = True
        if match["line"] is None:
            yield _word(match["json"] or "", words)
        elif re.search(r"\w", match["line"]) or not words:
            # The word ends its line or precedes the reason: a repeated list of choices is not a choice.
            yield _word(_REASON.split(match["line"], maxsplit=1)[0], words)
        else:
            yield _word(match["next"], words)
    first, _, rest = text.strip().partition("\n")
    if words and not labelled and (not rest or re.match(r"\W*(?ai:EXPLANATION)[^\w\n:]*:", rest)):
        yield _word(first, words)


def _word(text: str, words: Collection[str]) -> str:
    """The word that a text consists of, apart from punctuation around it."""
    first = re.search(r"\w", text)
    last = re.search(r"\w", text[::-1])
    if first is None or last is None:
        return ""
    inner = text[first.start() : len(text) - last.start()]
    if not inner.isascii():
        return ""
    word = inner.upper()
    if words:
        word = word.replace(" ", "-").replace("_", "-")
        return word if word in words else ""
    placeholder = word == "ANSWER"
    return word if is_answer_word(word) and not placeholder else ""


def _explanation(text: str) -> str:
    quoted = _JSON_EXPLANATION.search(text) if text.lstrip().startswith("{") else None
    if quoted is None:
        labelled = _EXPLANATION.search(text)
        return (labelled["text"] if labelled else text).strip()
    try:
        return str(json.loads(f'"{quoted["text"]}"', strict=False)).strip()
    except ValueError:
        return quoted["text"].strip()
