"""Programming contests: programs, their problems, and the verdicts of the online judge.

A problem is a functionality, a program is a member of it, a contestant is a project. An accepted program has an
`execution` judgement that it implements its problem. Contests do not publish pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

import pyarrow as pa

from clonetruth.code.languages import LANGUAGES, language_of_path
from clonetruth.errors import InputError
from clonetruth.model import Card, Dataset, Fragment, FragmentKind, Functionality, Judge, MemberValue, Role
from clonetruth.sources.pair_lists import PairLists
from clonetruth.sources.source import ImportLog

_CHUNK_ROWS = 65_536
_CRITERION = "implements-functionality"

ROLES: Mapping[MemberValue, Role] = {
    MemberValue.MAJOR: Role.TAGGED_TRUE,
    MemberValue.WRONG: Role.TAGGED_FALSE,
    MemberValue.UNDECIDED: Role.UNDECIDED,
}
"""The role of a program by the verdict of the online judge."""


@dataclass(frozen=True)
class Submission:
    """A program submitted to a problem.

    Args:
        id: the program's id, unique in the dataset.
        problem: the id of its problem; None if the dataset does not state it.
        language: the name of its language.
        text: the program.
        author: its author.
        name: its class or file name.
        path: its path in the dataset.
        role: its role according to the dataset.
        value: the verdict of the online judge; None if it is unknown.
        reason: the verdict as the online judge worded it.
        evidence: the evidence for the verdict.
        place: the file that it was read from, for messages.
        line: its line in that file.
    """

    id: str
    problem: str | None
    language: str
    text: str
    author: str | None = None
    name: str | None = None
    path: str | None = None
    role: Role = Role.TAGGED_TRUE
    value: MemberValue | None = MemberValue.MAJOR
    reason: str | None = None
    evidence: str | None = None
    place: object = None
    line: int | None = None


@dataclass
class SubmissionIndex:
    """Records problems and verdicts while programs are streamed, and provides memberships and judgements afterwards.

    Args:
        judge: the online judge; None if the dataset has no verdicts.
        log: counts programs, and records unusable ones.
        problems: descriptions of problems, by id.
        unique: ids cannot repeat, so they are not kept in memory (for datasets of millions of files).
    """

    judge: Judge | None
    log: ImportLog
    problems: Mapping[str, Functionality] = field(default_factory=dict)
    unique: bool = False

    def __post_init__(self) -> None:
        self._ids: set[str] = set()
        self._codes: dict[str, int] = {}
        self._waiting: list[tuple[str, int, str, str | None, str | None, str | None]] = []
        self._chunks: list[pa.RecordBatch] = []

    def __contains__(self, fragment: object) -> bool:
        return fragment in self._ids

    def dataset(self, card: Card, submissions: Iterable[Submission], lists: PairLists | None = None) -> Dataset:
        """The whole dataset, streamed.

        Args:
            card: the dataset's card.
            submissions: its programs.
            lists: its lists of pairs, if it has any.
        """
        judges = [judge for judge in (lists and lists.judge, self.judge) if judge]
        return Dataset(
            card=card,
            fragments=self.fragments(submissions),
            functionalities=self.functionalities(),
            memberships=self.memberships(),
            pairs=lists.pairs() if lists else (),
            judges=judges,
            judgements=chain(lists.judgements() if lists else (), self.judgements()),
        )

    def fragments(self, submissions: Iterable[Submission]) -> Iterator[Fragment]:
        """The programs as fragments. Read them to the end before any other table.

        Raises:
            InputError: there are no programs.
        """
        count = 0
        for one in submissions:
            if not self._add(one):
                continue
            count += 1
            self.log.read("programs")
            yield Fragment(
                one.id, one.language, one.text, FragmentKind.FILE, name=one.name, project=one.author, path=one.path
            )
        self._flush()
        if not count:
            raise InputError("No program was found in the files.", hint="The source's card lists the accepted files.")

    def functionalities(self) -> Iterator[Functionality]:
        """The problems, in the order of their first programs."""
        for problem in self._codes:
            yield self.problems.get(problem) or Functionality(problem, f"Problem {problem}")

    def memberships(self) -> Iterator[pa.RecordBatch]:
        """The membership of each program in its problem."""
        for chunk in self._chunks:
            yield chunk.select(["fragment", "functionality", "role"])

    def judgements(self) -> Iterator[pa.RecordBatch]:
        """The verdict of the online judge on each program."""
        if self.judge is None:
            return
        for chunk in self._chunks:
            judged = chunk.filter(chunk.column("value").is_valid())
            columns = {
                name: judged.column(name) for name in ("value", "fragment", "functionality", "reason", "evidence")
            }
            for name, text in (("judge", self.judge.id), ("criterion", _CRITERION)):
                columns[name] = pa.array([text] * judged.num_rows, pa.string())
            yield pa.RecordBatch.from_pydict(columns)

    def _add(self, one: Submission) -> bool:
        if not self.unique:
            if one.id in self._ids:
                self.log.skip(one.place, one.line, "the program's id occurs twice")
                return False
            self._ids.add(one.id)
        if one.problem is not None:
            code = self._codes.setdefault(one.problem, len(self._codes))
            self._waiting.append((one.id, code, one.role, one.value, one.reason, one.evidence))
            if len(self._waiting) >= _CHUNK_ROWS:
                self._flush()
        return True

    def _flush(self) -> None:
        """Convert buffered rows to Arrow, which takes a tenth of the memory of Python objects."""
        if not self._waiting:
            return
        names = list(self._codes)
        ids, codes, roles, values, reasons, evidence = zip(*self._waiting, strict=True)
        columns = {
            "fragment": ids,
            "functionality": [names[code] for code in codes],
            "role": roles,
            "value": values,
            "reason": reasons,
            "evidence": evidence,
        }
        self._chunks.append(
            pa.RecordBatch.from_pydict({name: pa.array(rows, pa.string()) for name, rows in columns.items()})
        )
        self._waiting.clear()


@lru_cache(maxsize=256)
def language_name(word: str) -> str:
    """The language of a name (``C++``) or a file ending (``.py``); an unknown one keeps its name."""
    if word.startswith("."):
        found = language_of_path(f"program{word}")
        return found.name if found else word.lower().lstrip(".") or "unknown"
    lowered = word.strip().lower()
    return LANGUAGES[lowered].name if lowered in LANGUAGES else lowered or "unknown"
