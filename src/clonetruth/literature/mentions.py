"""What a paper was measured on, by its own sentences: datasets, splits, metrics, thresholds. No model is asked."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.evaluate.labels.claim import KNOWN_LEAKS
from clonetruth.literature.documents import PaperText, find_papers, read_paper
from clonetruth.literature.ledger import ClaimVerdict, read_ledger
from clonetruth.options.declaration import verb
from clonetruth.options.literature import CheckPaperOptions
from clonetruth.sources import SOURCES
from clonetruth.verdicts.published_samples import published_samples

DATASETS: Mapping[str, str] = {
    "bigclonebench": r"big\s?-?\s?clone\s?-?\s?bench|\bBCB\b|\bIJaDataset\b",
    "codexglue-bcb": r"code\s?-?xglue",
    "absbigclonebench": r"abs\s?-?big\s?-?clone\s?-?bench|\bAbsBCB\b",
    "conbigclonebench": r"con(?:fidence)?\s?-?big\s?-?clone\s?-?bench|\bCBCB\b",
    "graphmatch": r"\bFA-?AST\b.{0,40}(?:data|pairs)",
    "codexglue-poj104": r"\bPOJ\s?-?(?:104)?\b|\bOJ\s?-?Clones?\b",
    "gcj": r"google\s?code\s?jam(?!\s?2\b)|\bGCJ\b(?!\s?2\b)",
    "gcj2": r"google\s?code\s?jam\s?2\b|\bGCJ\s?-?2\b",
    "semanticclonebench": r"semantic\s?-?clone\s?-?bench|\bSCB\b",
    "gptclonebench": r"gpt\s?-?clone\s?-?bench",
    "sesame": r"\bSeSaMe\b",
    "clcdsa": r"\bCLCDSA\b",
    "codenet": r"\bCode\s?-?Net\b",
    "cf500": r"\bCF-?500\b",
    "code4bench": r"\bCode4Bench\b",
    "ocd": r"\bOCD\b",
    "fempd": r"\bFEMPD\b",
    "eqbench": r"\bEqBench\b",
    "clone-oracle": r"clone oracle",
    "bcb406": r"BigCloneBench-Sample-Validation",
}
"""How papers write the names of datasets, by the source that imports them."""

TOPICS: Mapping[str, str] = {
    "split": (
        r"\b(?:random(?:ly)?|train(?:ing)?|test(?:ing)?|validation)\b[^.]{0,60}\b(?:split|divid|partition)"
        r"|\b(?:split|divid|partition)\w*\b[^.]{0,60}\b(?:train|test|valid|ratio|fold)"
        r"|\b\d+\s?:\s?\d+(?:\s?:\s?\d+)\b|\b(?:\d+|ten|five)-?fold\b"
        r"|cross[- ]?(?:project|functionality|validation)|\bunseen\b"
    ),
    "metric": r"\b(?:F1|F-?score|F-?measure|precision|recall|accuracy|MAP@?R?|AUC|MCC)\b[^.]{0,80}?\d+(?:\.\d|\s?%)",
    "threshold": (
        r"\bthreshold\w*\b[^.]{0,60}\d|\d[^.]{0,40}\bthreshold"
        r"|similarity\b[^.]{0,40}(?:≥|>=|>|above|at least)\s?\d"
    ),
    "weak clones": r"\bWT3\s?/\s?(?:T4|Type-?4)|\bweak(?:ly)?[- ]type-?\s?3|\bMT3\b|\bVST3\b",
    "judged": r"\bkappa\b|\binter-?rater\b|\bmanual(?:ly)? (?:check|inspect|validat|investigat|judg)\w*",
}
"""What else is looked for, by topic."""

_CLONES = re.compile(
    r"\b(?:code|software|program|function|method)\w*\s+(?:\w+\s+)?clon(?:e|es|ing)\b|\bclones?[\s-]+(?:detect|pair|type|bench|label)"
    r"|\bcode\s+(?:similarity|search|plagiarism)|\bplagiari\w+|\b(?:similar|equivalent|duplicated?)\s+code\b"
    r"|clone\s?-?bench|\bPOJ\s?-?104\b|\bOJ\s?-?clone",
    re.IGNORECASE,
)
"""What papers about clones say. In others, BCB is a plastic and OCD an illness."""
_WARNING_CITED = re.compile(r"considered harmful for machine learning", re.IGNORECASE)
_REFERENCES = re.compile(r"^\W*(?:references|bibliography)\W*$", re.IGNORECASE | re.MULTILINE)
_END = re.compile(r"(?<=[.!?])[\"”’)\]]*\s+(?=[\"“(\[]?[A-Z0-9])|\n\s*\n")
_LIGATURE = re.compile("[\ufb00-\ufb06]")
_LONGEST = 600
_SHORTEST = 25


@dataclass(frozen=True)
class PaperSentence:
    """A sentence of a paper, and the page on which it starts."""

    page: int
    text: str


@dataclass(frozen=True)
class DatasetMention:
    """A dataset that a paper names.

    Attributes:
        source: the name of the source that imports it.
        mentions: the number of sentences that name it.
        sentences: the first of them; those with a number come first.
        criterion: what its labels mean.
        threats: what is known against its labels, splits and construction, each with its evidence.
    """

    source: str
    mentions: int
    sentences: tuple[PaperSentence, ...]
    criterion: str
    threats: tuple[str, ...]


@dataclass(frozen=True)
class PaperCheck:
    """What a paper says about its evaluation.

    Attributes:
        path: the file.
        pages: its number of pages.
        datasets: the datasets that it names, the most frequent first.
        topics: the sentences on splits, metrics, thresholds and so on.
        questions: what to ask the authors.
        notes: what limits this check: pages without text, another language.
        error: why the paper could not be read; empty if it could.
    """

    path: Path
    pages: int = 0
    datasets: tuple[DatasetMention, ...] = ()
    topics: Mapping[str, tuple[PaperSentence, ...]] | None = None
    questions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    error: str = ""


@verb(CheckPaperOptions)
def check_papers(options: CheckPaperOptions) -> tuple[PaperCheck, ...]:
    """Show what papers were measured on, and the known threats of each dataset, without a language model.

    Returns:
        One check for each paper. Of several papers, one that cannot be read has an `error`.

    Raises:
        InputError: there is no such file, or the only paper cannot be read.
        MissingExtraError: a PDF file needs the extra `pdf`.

    Example:
        >>> (found,) = clonetruth.check_papers("paper.txt")
        >>> [one.source for one in found.datasets]
        ['bigclonebench']
    """
    paths = find_papers(options.papers)
    checks = []
    for path in paths:
        try:
            checks.append(check_paper(read_paper(path), options.sentences))
        except InputError as error:
            if len(paths) == 1:
                raise
            checks.append(PaperCheck(path, error=str(error)))
    return tuple(checks)


class PaperSentences:
    """The sentences of a paper, those of its footnotes and captions last, without its references."""

    def __init__(self, paper: PaperText) -> None:
        self._paper = paper

    @cached_property
    def sentences(self) -> list[PaperSentence]:
        """The sentences, each with the page on which it starts."""
        found: list[PaperSentence] = []
        rest, start, number = "", 1, 0
        for number, page in enumerate(self._paper.pages, 1):
            end = None if number < len(self._paper.pages) / 2 else _REFERENCES.search(page)
            body = _joined(page[: end.start()] if end else page)
            *whole, last = _END.split(_joined(f"{rest}\n{body.lstrip()}") if rest else body)
            for place, text in enumerate(whole):
                found.append(PaperSentence(start if place == 0 and rest else number, " ".join(text.split())))
            rest, start = last, start if not whole and rest else number
            if end:
                break
        found.append(PaperSentence(start, " ".join(rest.split())))
        for place, aside in enumerate(self._paper.asides[:number], 1):
            found += (PaperSentence(place, " ".join(text.split())) for text in _END.split(_joined(aside)))
        return [one for one in found if len(one.text) >= _SHORTEST]

    def matching(self, pattern: str) -> list[PaperSentence]:
        """The sentences in which a pattern occurs, shortened around it."""
        compiled = re.compile(pattern, re.IGNORECASE if pattern.islower() or "(?i)" in pattern else 0)
        found = []
        for one in self.sentences:
            match = compiled.search(one.text)
            if match is not None:
                found.append(PaperSentence(one.page, _excerpt(one.text, match)))
        return found


def _joined(page: str) -> str:
    """The text of a page with words that a line break divides put together, and with letters for ligatures."""
    page = _LIGATURE.sub(lambda found: unicodedata.normalize("NFKC", found[0]), page)
    page = re.sub(r"(?<=[a-z])[-\u00ad]\s*\n\s*(?=[a-z])", "", page)
    # Beside a capital or a digit, nobody knows whether the hyphen belongs to the word; a space does not.
    return re.sub(r"(?<=\w)-\s*\n\s*(?=[A-Z\d])|(?<=\d)-\s*\n\s*(?=\w)", "-", page)


def _excerpt(text: str, match: re.Match[str]) -> str:
    if len(text) <= _LONGEST:
        return text
    start = max(0, match.start() - _LONGEST // 2)
    return f"{'… ' if start else ''}{text[start : start + _LONGEST]} …"


def check_paper(paper: PaperText, sentences: int = 3) -> PaperCheck:
    """Check one paper; see `check_papers`."""
    reading = PaperSentences(paper)
    datasets = []
    is_about_clones = any(_CLONES.search(" ".join(_joined(page).split())) for page in paper.whole_pages())
    for source, pattern in DATASETS.items():
        said = f"(?i){pattern}" if pattern.islower() else _either_case(pattern, abbreviations=is_about_clones)
        found = reading.matching(said) if said else []
        if found:
            telling = sorted(found, key=lambda one: not re.search(r"\d", one.text))
            threats = tuple(known_threats(source))
            criterion = SOURCES[source].card.card.criterion
            datasets.append(DatasetMention(source, len(found), tuple(telling[:sentences]), criterion, threats))
    datasets.sort(key=lambda one: -one.mentions)
    topics = {topic: tuple(reading.matching(f"(?i){pattern}")[:sentences]) for topic, pattern in TOPICS.items()}
    notes = []
    if paper.empty:
        notes.append(f"Pages without text, perhaps scanned: {', '.join(map(str, paper.empty))}.")
    if not is_about_clones:
        notes.append(
            "The paper does not seem to be about code clones: abbreviations such as BCB are not taken for datasets."
        )
    if not paper.is_english:
        notes.append("The text does not look English: sentences may be missed.")
    return PaperCheck(
        paper.path,
        len(paper.pages),
        tuple(datasets),
        topics,
        tuple(_questions(paper, datasets, topics)) if datasets or is_about_clones else (),
        tuple(notes),
    )


def _either_case(pattern: str, *, abbreviations: bool) -> str:
    """A pattern in which lower-case words also match capitals, and abbreviations, if wanted, only themselves."""
    parts = [(part, re.search(r"\\b[A-Z]", part) is not None) for part in re.split(r"\|(?![^(]*\))", pattern)]
    return "|".join(part if short else f"(?i:{part})" for part, short in parts if abbreviations or not short)


def known_threats(source: str) -> Iterator[str]:
    """What is known against a dataset: judged samples of its labels, leaks, flaws, numbers that do not hold."""
    card = SOURCES[source].card.card
    for one in published_samples(source):
        wrong = sum(not clone for clone in one.clone)
        counts = f"{wrong:,} of {len(one.clone):,} judged clone labels are wrong"
        yield f"{counts} ('{one.criterion}', {one.sample}). {one.source}"
    yield from (f"{one.finding} ({one.source})" for one in KNOWN_LEAKS if source in one.sets)
    yield from card.known_flaws
    if source == "bigclonebench":
        refuted = [one for one in read_ledger().entries.values() if one.verdict is ClaimVerdict.REFUTED]
        own = sum(one.name.startswith("bcb-") for one in refuted)
        yield f"{own} published counts of it contradict each other (`clonetruth reproduce`)."


def _questions(
    paper: PaperText, datasets: Sequence[DatasetMention], topics: Mapping[str, Sequence[PaperSentence]]
) -> Iterator[str]:
    names = {one.source for one in datasets}
    derived = names & {"bigclonebench", "codexglue-bcb", "absbigclonebench", "conbigclonebench", "graphmatch"}
    if derived:
        if not topics["weak clones"]:
            yield "Which clone types of BigCloneBench were used? The paper names none; 95 % of its pairs are weak ones."
        if not any(_WARNING_CITED.search(page) for page in paper.whole_pages()):
            yield "The paper does not cite the known criticism of BigCloneBench as training data (IWSC 2022). Why?"
    if datasets and not topics["split"]:
        yield "How were training and test data divided? Which functions and functionalities do they share?"
    if topics["metric"] and not topics["judged"]:
        yield "Did anybody judge a sample of the labels, or of the reported clones?"
    if topics["metric"] and not topics["threshold"]:
        yield "Which threshold was used, and on which data was it chosen?"
