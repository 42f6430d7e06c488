"""Programming contests: programs, the problem each was submitted to, and what the online judge said of it.

A problem is a functionality, a program a member of it, a contestant a project. That a program was accepted is
an `execution` judgement that it implements its problem; no contest publishes pairs.
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
"""What a source says of a program, by what the online judge said."""


@dataclass(frozen=True)
class Submission:
    """A program handed in for a problem.

    Args:
        id: of the program, unique in the dataset.
        problem: the id of its problem; None where the dataset does not tell.
        language: its language's name.
        text: the program.
        author: who wrote it.
        name: its class or file name.
        path: where it stands in the dataset.
        role: what the dataset says of it.
        value: what the online judge said; None where it is not known to have spoken.
        reason: in the online judge's words.
        evidence: what it rests on.
        place: the file that it was read from, for messages.
        line: its line there.
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
    """Remembers who was where while the programs stream by, and gives memberships and judgements afterwards.

    Args:
        judge: the online judge; None where a dataset has no word of it.
        log: told of every program.
        problems: what is known of problems besides their ids.
        unique: the ids cannot occur twice, so they need not be remembered (a dataset of millions of files).
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
        """The programs as fragments; must be read to the end before anything else is asked for.

        Raises:
            InputError: there are none.
        """
        count = 0
        for one in submissions:
            if not self._enter(one):
                continue
            count += 1
            self.log.read("programs")
            yield Fragment(
                one.id, one.language, one.text, FragmentKind.FILE, name=one.name, project=one.author, path=one.path
            )
        self._flush()
        if not count:
            raise InputError("No program was found in the files.", hint="See what the source's card says it accepts.")

    def functionalities(self) -> Iterator[Functionality]:
        """The problems, in order of their first program."""
        for problem in self._codes:
            yield self.problems.get(problem) or Functionality(problem, f"Problem {problem}")

    def memberships(self) -> Iterator[pa.RecordBatch]:
        """Each program in its problem."""
        for chunk in self._chunks:
            yield chunk.select(["fragment", "functionality", "role"])

    def judgements(self) -> Iterator[pa.RecordBatch]:
        """What the online judge said of each program."""
        if self.judge is None:
            return
        for chunk in self._chunks:
            spoken = chunk.filter(chunk.column("value").is_valid())
            columns = {
                name: spoken.column(name) for name in ("value", "fragment", "functionality", "reason", "evidence")
            }
            for name, text in (("judge", self.judge.id), ("criterion", _CRITERION)):
                columns[name] = pa.array([text] * spoken.num_rows, pa.string())
            yield pa.RecordBatch.from_pydict(columns)

    def _enter(self, one: Submission) -> bool:
        if not self.unique:
            if one.id in self._ids:
                self.log.skip(one.place, one.line, "a program with the same id came before")
                return False
            self._ids.add(one.id)
        if one.problem is not None:
            code = self._codes.setdefault(one.problem, len(self._codes))
            self._waiting.append((one.id, code, one.role, one.value, one.reason, one.evidence))
            if len(self._waiting) >= _CHUNK_ROWS:
                self._flush()
        return True

    def _flush(self) -> None:
        """Pack what waits into Arrow: a tenth of the memory that the same rows take as Python objects."""
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
    """The language that a name (``C++``) or a file ending (``.py``) stands for; one unknown to us keeps its word."""
    if word.startswith("."):
        found = language_of_path(f"program{word}")
        return found.name if found else word.lower().lstrip(".") or "unknown"
    lowered = word.strip().lower()
    return LANGUAGES[lowered].name if lowered in LANGUAGES else lowered or "unknown"
