"""The logs of Krinke and Ragkhitwetsagul's GPT-4o runs on the 406 pairs: an LLM judge's answers with reasons."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clonetruth.code import decode
from clonetruth.errors import InputError
from clonetruth.formats.comparisonlog import LoggedComparison, read_comparisons
from clonetruth.formats.sniffing import expand_folders, head
from clonetruth.formats.trees import is_tree, read_tree
from clonetruth.model import (
    Card,
    Dataset,
    Fragment,
    Functionality,
    Judge,
    JudgeKind,
    Judgement,
    Pair,
    PairValue,
    Role,
)
from clonetruth.sources.row_buffer import RowBuffer
from clonetruth.sources.source import ImportLog, SourceCard

CARD = Card(
    name="openai-log",
    version="1",
    description=(
        "GPT-4o's answers, in several runs, to the question whether the two snippets of a BigCloneBench pair (weak "
        "Type-3 or Type-4) are functionally similar."
    ),
    licence="none stated",
    citation=(
        "Krinke, Ragkhitwetsagul: How the Misuse of a Dataset Harmed Semantic Clone Detection. 2025 (arXiv:2505.04311)."
    ),
    criterion="functionally-similar",
    languages=("java",),
    url="https://github.com/jkrinke/BigCloneBench-Sample-Validation",
    known_flaws=(
        "One model and one prompt: the five runs are repetitions of one judge, not five independent judges.",
        "The question (functionally similar) is not the experts' (same main purpose).",
        "On 271 of the pairs a run contradicts the experts' final verdict 8 times (kappa 0.749).",
    ),
)
MODEL = Judge(
    id="llm:openai-log",
    kind=JudgeKind.LLM,
    name="GPT-4o, by run",
    description="Each run, with its model and prompt, is a separate judge, named in the log's file name.",
)
ACCEPTS = (
    "openai.<run>-<model>.log files, plain or compressed, and the snippets that they compare (a folder or archive); "
    "without the snippets, the texts are taken from the prompts"
)

_VALUES = {
    "YES-SIMILAR": PairValue.CLONE,
    "NO-NOT-SIMILAR": PairValue.NOT_CLONE,
    "DONT-KNOW": PairValue.UNDECIDED,
}
_RUN = re.compile(r"openai\.(?P<run>\w+)-")
_SNIPPET = re.compile(r"(?P<functionality>\d{1,9})_(?P<file>\w+)#(?P<first>\d{1,9})#(?P<last>\d{1,9})\.java")


class OpenAILog:
    """The registered source."""

    card = SourceCard(
        card=CARD,
        claimed_by=MODEL,
        label_means="The model's answer: YES-SIMILAR, NO-NOT-SIMILAR or DONT-KNOW, with its explanation.",
        accepts=ACCEPTS,
        published={"pairs": 406, "runs": 5},
        references=("Krinke and Ragkhitwetsagul 2025, section on the comparison with an LLM",),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`. A folder with the experts' sheets belongs to their source."""
        files = expand_folders(paths)
        if any(path.name.startswith(("Samples Investigation", "finaltruth", "iwsc2022")) for path in files):
            return None
        found = any(_is_log(path) for path in files)
        return "the log of a model that compared snippets" if found else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        if options:
            raise InputError(f"The logs take no options; given: {', '.join(options)}.")
        buffer = RowBuffer()
        return buffer.dataset(CARD, _fragments(expand_folders(paths), buffer, log), paths, ACCEPTS)


def _fragments(paths: Sequence[Path], buffer: RowBuffer, log: ImportLog) -> Iterator[Fragment]:
    texts: dict[str, str] = {}
    for path in paths:
        for member in read_tree(path) if is_tree(path) else ():
            if _SNIPPET.fullmatch(member.name.name):
                log.read("snippets")
                texts[member.name.name] = decode(member.read()).text
    reader = _Reader(buffer, log, texts)
    for path in paths:
        if _is_log(path):
            yield from reader.comparisons(path)
        elif not is_tree(path):
            log.leave_out(path, "the file is neither a log nor an archive of snippets")


class _Reader:
    """Reads logs. A pair of several logs is stored once; if one log holds it twice, it is stored twice."""

    def __init__(self, buffer: RowBuffer, log: ImportLog, texts: Mapping[str, str]) -> None:
        self.buffer = buffer
        self.log = log
        self.texts = texts
        self._known: set[str] = set()
        self._rows: dict[tuple[str, str, int], int] = {}

    def comparisons(self, path: Path) -> Iterator[Fragment]:
        times: Counter[tuple[str, str]] = Counter()
        for found in read_comparisons(path):
            self.log.read("comparisons")
            if isinstance(found, int):
                self.log.skip(path, found, "the block is incomplete")
                continue
            value = _VALUES.get(found.answer)
            texts = [self.texts.get(name) for name in (found.left, found.right)]
            sides = list(zip((found.left, found.right), texts if self.texts else found.texts, strict=False))
            if value is None or (value is PairValue.CLONE) == (found.result == "0"):
                self.log.skip(path, found.line, "the answer is unknown, or differs from the recorded result")
            elif len(sides) != 2 or any(text is None for _, text in sides):
                self.log.skip(path, found.line, "a snippet's text is missing")
            elif not all(_SNIPPET.fullmatch(name) for name, _ in sides):
                self.log.skip(path, found.line, "a snippet is not named <functionality>_<file>#<first>#<last>.java")
            else:
                yield from self._new_fragments([(name, text or "") for name, text in sides])
                times[found.left, found.right] += 1
                self._add(found, _judge(path, found), value, times[found.left, found.right])

    def _new_fragments(self, sides: Sequence[tuple[str, str]]) -> Iterator[Fragment]:
        for name, text in sides:
            place = _SNIPPET.fullmatch(name)
            if place and name not in self._known:
                self._known.add(name)
                number = place["functionality"]
                self.buffer.add_member(name, Functionality(number, f"functionality {number}"), Role.TAGGED_TRUE)
                yield Fragment(
                    name,
                    "java",
                    text,
                    path=f"{place['file']}.java",
                    first_line=int(place["first"]),
                    last_line=int(place["last"]),
                )

    def _add(self, found: LoggedComparison, judge: Judge, value: PairValue, time: int) -> None:
        key = (found.left, found.right, time)
        if key not in self._rows:
            left, right = (name.partition("_")[0] for name in (found.left, found.right))
            self._rows[key] = self.buffer.add_pair(Pair(found.left, found.right, left if left == right else None))
        self.buffer.add_judgement(
            judge,
            Judgement(
                judge.id,
                CARD.criterion,
                value,
                self._rows[key],
                reason=found.explanation or None,
                evidence=f"ANSWER: {found.answer}; RESULT: {found.result}",
                source_row=found.line,
            ),
        )


def _judge(path: Path, found: LoggedComparison) -> Judge:
    """The judge of a run: each combination of model, prompt and run is a separate judge."""
    run = _RUN.match(path.name)
    number = run["run"] if run else path.name.partition(".")[0]
    digest = hashlib.sha256(found.template.encode("utf-8")).hexdigest()
    return Judge(
        id=f"llm:{found.model}-{digest[:8]}-run-{number}",
        kind=JudgeKind.LLM,
        name=f"{found.model}, run {number}",
        description="Asked once for each pair; snippets stand for … in the prompt.",
        settings={"model": found.model, "prompt": found.template, "prompt_sha256": digest, "run": number},
    )


def _is_log(path: Path) -> bool:
    return head(path, 200).startswith(b"### COMPARISON\n>>> ")


SOURCE = OpenAILog()
