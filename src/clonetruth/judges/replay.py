"""Recorded logs of a model as a judge: a published LLM study, analysed again without asking the model."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.formats.comparisonlog import LoggedComparison, read_comparisons
from clonetruth.judges.majority import Answer, conclude
from clonetruth.judges.outcome import LLMOutcome, criterion_for, record_judgements
from clonetruth.judges.protocol import LLMProtocol, Order, llm_judge
from clonetruth.judges.protocols import RECORDED_ANSWERS, RECORDED_CRITERION
from clonetruth.store.study import Study, read_study


@dataclass(frozen=True)
class Replay:
    """The judgements found in recorded logs.

    Attributes:
        outcomes: the outcome of each judge, one per model and prompt in the logs.
        comparisons: number of complete blocks in the logs.
        foreign: number of blocks on pairs that the study does not have.
        repeated: number of blocks on a pair that occurs earlier in the same log; the first one counts.
        broken: number of incomplete blocks.
    """

    outcomes: tuple[LLMOutcome, ...]
    comparisons: int
    foreign: int
    repeated: int
    broken: int


def replay_logs(folder: str | os.PathLike[str], logs: Sequence[str | os.PathLike[str]]) -> Replay:
    """Add the answers of recorded logs to a study. Each log is a run.

    Pairs are matched by the ids of their fragments, or else by their texts, in either order. A pair that occurs in only
    some of the logs is judged by those.

    Args:
        folder: the study folder.
        logs: the logs, plain or compressed, in the format of `formats.comparisonlog`.

    Raises:
        InputError: a log cannot be read, no log contains a pair of the study, or the study asks for other answers.
    """
    study = read_study(folder)
    counted = criterion_for(study, LLMProtocol("recorded", RECORDED_CRITERION, "", RECORDED_ANSWERS))
    reader = _Reader(_subjects(study))
    for run, log in enumerate(logs, 1):
        for block in read_comparisons(Path(log)):
            reader.read(block, run)
    if not reader.judges:
        raise InputError("No log contains a pair of the study.", where=", ".join(map(str, logs)))
    outcomes = []
    for (model, template), subjects in reader.judges.items():
        runs = len({run for answers in subjects.values() for run in answers})
        # The log records neither the request parameters nor where the texts stood in the prompt.
        protocol = LLMProtocol("recorded", RECORDED_CRITERION, template, RECORDED_ANSWERS)
        conclusions = {
            subject: conclude(list(answers.values()), RECORDED_ANSWERS) for subject, answers in subjects.items()
        }
        outcomes.append(record_judgements(study, llm_judge(model, protocol, runs), counted, conclusions))
    return Replay(tuple(outcomes), **reader.counts)


class _Reader:
    """Sorts the blocks of logs by judge, subject and run."""

    def __init__(self, subjects: Mapping[tuple[str, str], list[int]]) -> None:
        self.judges: dict[tuple[str, str], dict[int, dict[int, Answer]]] = {}
        self.counts = {"comparisons": 0, "foreign": 0, "repeated": 0, "broken": 0}
        self._subjects = subjects

    def read(self, block: LoggedComparison | int, run: int) -> None:
        if isinstance(block, int):
            self.counts["broken"] += 1
            return
        self.counts["comparisons"] += 1
        order, subjects = self._find(block)
        if not subjects:
            self.counts["foreign"] += 1
        for subject in subjects:
            judge = self.judges.setdefault((block.model, block.template), {})
            runs = judge.setdefault(subject, {})
            if run in runs:
                self.counts["repeated"] += 1
            else:
                runs[run] = Answer(order, run, block.response, model=block.model)

    def _find(self, block: LoggedComparison) -> tuple[Order, list[int]]:
        for sides in ((block.left, block.right), tuple(text.rstrip("\n") for text in block.texts)):
            if len(sides) == 2:
                left, right = sides
                for order, key in ((Order.GIVEN, (left, right)), (Order.SWAPPED, (right, left))):
                    if key in self._subjects:
                        return order, self._subjects[key]
        return Order.GIVEN, []


def _subjects(study: Study) -> dict[tuple[str, str], list[int]]:
    """The subjects by the ids and by the texts of their sides."""
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for row in study.subjects.select(["subject", "left_id", "right_id", "left_text", "right_text"]).to_pylist():
        for left, right in ((row["left_id"], row["right_id"]), (row["left_text"], row["right_text"])):
            if left and right:
                found[left.rstrip("\n"), right.rstrip("\n")].append(row["subject"])
    return found
