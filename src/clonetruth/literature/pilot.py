"""A pilot of a protocol: the same papers, asked about twice with every version of the wording."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.formats.documents import read_document
from clonetruth.literature.answers import PaperAnswer, majority
from clonetruth.literature.ask import output_folder
from clonetruth.literature.asking import ask_about, read_papers
from clonetruth.literature.documents import PaperText
from clonetruth.literature.protocol import find_paper_protocol
from clonetruth.literature.quotes import QuoteState
from clonetruth.options.declaration import verb
from clonetruth.options.literature import PilotPapersOptions
from clonetruth.progress import Progress, no_progress
from clonetruth.stats.agreement import Ratings, judge_pairs
from clonetruth.store.hashing import hash_file
from clonetruth.store.records import write_text

_FILE = "pilot.json"
_RUNS = 2


@dataclass(frozen=True)
class PilotVersion:
    """What a version of a protocol gave on the sample.

    Attributes:
        label: the protocol with its version and digest, and the model.
        answers: the number of questions that both runs answered.
        agreement: the share of them with the same answer in both runs; None without any.
        kappa: Cohen's kappa of the two runs over all questions; None if it is undefined.
        by_question: the share of equal answers of each question.
        quotes: the number of quotes that were given.
        found: how many of them are in the papers.
        unreadable: the number of replies that are not as asked for.
        words: the answer to each question, by paper and question.
    """

    label: str
    answers: int
    agreement: float | None
    kappa: float | None
    by_question: Mapping[str, float]
    quotes: int
    found: int
    unreadable: int
    words: Mapping[str, str]


@dataclass(frozen=True)
class PilotDifference:
    """A question about a paper that two versions answer differently."""

    paper: str
    question: str
    before: str
    after: str


@dataclass(frozen=True)
class ProtocolPilot:
    """A pilot so far.

    Attributes:
        papers: the names of the sampled papers.
        versions: the versions of the protocol, in the order in which they were tried.
        differences: what changed from the version before to this one.
        missing: the number of questions without a reply.
        stopped: why asking ended early; empty if it did not.
        cost: what the requests of this version have cost; None if prices are unknown.
        output: the folder.
    """

    papers: tuple[str, ...]
    versions: tuple[PilotVersion, ...]
    differences: tuple[PilotDifference, ...]
    missing: int
    stopped: str
    cost: float | None
    output: Path


@verb(PilotPapersOptions)
def pilot_protocol(options: PilotPapersOptions, *, progress: Progress | None = None) -> ProtocolPilot:
    """Try a protocol on a sample of papers: asked twice, and compared with earlier versions on the same papers.

    Args:
        progress: called for each reply.

    Returns:
        Each version with its agreement between runs and its found quotes, and what changed since the version before.

    Raises:
        InputError: a sampled paper is missing or was changed, or the server rejects everything.
        UnknownNameError: there is no such protocol.

    Example:
        >>> clonetruth.pilot_protocol("paper.txt", model="none", output="pilot", replay=True).missing
        2
    """
    protocol = find_paper_protocol(options.protocol)
    papers, _ = read_papers(options.papers)
    folder = output_folder(options.output)
    record = _read(folder / _FILE)
    chosen = _sample(papers, record, options, folder)
    replies = ask_about(folder, chosen, protocol, options, _RUNS, progress or no_progress)
    label = f"{protocol.label}, {options.model}"
    answers = [answer for one in replies.read for answer in one.answers]
    version = _version(label, answers, sum(not one.readable for one in replies.read))
    earlier = [PilotVersion(**one) for one in record.get("versions", ()) if one["label"] != label]
    versions = [*earlier, version]
    digests = {one.name: hash_file(one.path) for one in chosen}
    content = {"papers": digests, "seed": options.seed, "versions": [asdict(one) for one in versions]}
    write_text(_json(content), folder / _FILE)
    differences = _differences(earlier[-1], version) if earlier else ()
    return ProtocolPilot(
        tuple(digests), tuple(versions), differences, replies.missing, replies.stopped, replies.cost, folder
    )


def _read(path: Path) -> Mapping[str, Any]:
    if not path.exists():
        return {}
    record = read_document(path)
    if not isinstance(record, dict) or not isinstance(record.get("papers"), dict):
        raise InputError("The record of the pilot is damaged.", where=path, hint="Start again in another folder.")
    return record


def _sample(
    papers: Sequence[PaperText], record: Mapping[str, Any], options: PilotPapersOptions, folder: Path
) -> list[PaperText]:
    """The sampled papers: those of the record, or else those with the smallest hash of name and seed."""
    known = {one.name: one for one in papers}
    if record:
        for name, digest in record["papers"].items():
            if name not in known or hash_file(known[name].path) != digest:
                raise InputError(
                    f"The sampled paper '{name}' is missing or was changed.",
                    where=folder,
                    hint="Name the same papers, or start again in another folder.",
                )
        return [known[name] for name in record["papers"]]
    order = sorted(papers, key=lambda one: hashlib.sha256(f"{one.name} {options.seed}".encode()).hexdigest())
    return order[: options.n]


def _version(label: str, answers: Sequence[PaperAnswer], unreadable: int) -> PilotVersion:
    runs: dict[tuple[str, str], dict[int, str]] = {}
    for one in answers:
        if one.word is not None:
            runs.setdefault((one.paper, one.question), {})[one.run] = one.word
    both = {key: found for key, found in runs.items() if len(found) == _RUNS}
    same: dict[str, list[bool]] = {}
    for (_, question), found in both.items():
        same.setdefault(question, []).append(found[1] == found[2])
    votes = [(key, f"run {run}", word) for key, found in both.items() for run, word in found.items()]
    pairs = judge_pairs(Ratings.of(votes, sorted({word for _, _, word in votes})))
    given = [one for one in answers if one.quote.state is not QuoteState.NONE]
    return PilotVersion(
        label,
        len(both),
        pairs[0].agreement if pairs else None,
        pairs[0].cohen_kappa if pairs else None,
        {question: sum(found) / len(found) for question, found in same.items()},
        len(given),
        sum(one.quote.state is QuoteState.FOUND for one in given),
        unreadable,
        {f"{paper}/{question}": word for (paper, question), word in majority(answers).items()},
    )


def _differences(before: PilotVersion, after: PilotVersion) -> tuple[PilotDifference, ...]:
    keys = dict.fromkeys((*before.words, *after.words))
    found = []
    for key in keys:
        (paper, _, question), one, other = key.rpartition("/"), before.words.get(key, "–"), after.words.get(key, "–")
        if one != other:
            found.append(PilotDifference(paper, question, one, other))
    return tuple(found)


def _json(content: object) -> str:
    import json

    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"
