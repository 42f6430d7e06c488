"""SeSaMe: pairs of Java methods with similar documentation, rated by eight people on goals, operations and effects."""

from __future__ import annotations

import html
import json
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clonetruth.code import decode
from clonetruth.errors import InputError
from clonetruth.formats.documents import read_document
from clonetruth.formats.sniffing import expand_folders, head, member_names
from clonetruth.formats.streams import inner_suffix
from clonetruth.formats.tables import read_csv
from clonetruth.formats.trees import is_tree, read_tree
from clonetruth.model import (
    Card,
    Dataset,
    Fragment,
    FragmentKind,
    Judge,
    JudgeKind,
    Judgement,
    Pair,
    PairValue,
    RatingValue,
)
from clonetruth.sources.json_rows import as_text
from clonetruth.sources.row_buffer import RowBuffer
from clonetruth.sources.source import ImportLog, SourceCard

CARD = Card(
    name="sesame",
    version="1",
    description=(
        "Pairs of Java methods of eleven open-source projects with similar documentation, each rated by three of eight "
        "people: same goals, same operations, same effects, each with a confidence."
    ),
    licence="CC-BY-4.0",
    citation=("Kamp, Kreutzer, Philippsen: SeSaMe: A Data Set of Semantically Similar Java Methods. MSR 2019."),
    criterion="same-goals",
    languages=("java",),
    url="https://github.com/FAU-Inf2/sesame",
    known_flaws=(
        "Most pairs were rated 'disagree': similar documentation is a weak sign of similar methods.",
        "Three ratings per pair, by changing groups of eight raters: agreement must allow for missing ratings.",
        "Of 900 sampled pairs, 857 are kept; the repository holds no texts. The public collection of the texts has the "
        "characters <, > and & as HTML entities, which the import decodes.",
    ),
)
RULE = Judge(
    id="rule:sesame-sampling",
    kind=JudgeKind.RULE,
    name="SeSaMe's sampling",
    description=(
        "Pairs were sampled by the similarity of their documentation, kept as evidence; nothing is claimed of them."
    ),
)
ACCEPTS = (
    "dataset.json or dataset-unfiltered.json and method_sources (samples/<pair>/a.java and b.java, as a folder or "
    "archive); optionally sampled-pairs.csv, which adds the sampled pairs without ratings; plain or compressed"
)
RATERS = tuple(
    Judge(f"person:sesame-rater-{number}", JudgeKind.PERSON, f"SeSaMe, rater {number}") for number in range(1, 9)
)

_ASPECTS = {"goals": "same-goals", "operations": "same-operations", "effects": "same-effects"}
_RATINGS = {0: RatingValue.DISAGREE, 1: RatingValue.CONDITIONALLY, 2: RatingValue.AGREE}
_CONFIDENCES = {0: 0.0, 1: 0.5, 2: 1.0}
_METHOD = ("dbid", "project", "file", "method")
_SAMPLE = re.compile(r"(?:^|/)(?P<pair>\d{1,9})/(?P<side>[ab])\.java$")


class SeSaMe:
    """The registered source."""

    card = SourceCard(
        card=CARD,
        claimed_by=RULE,
        label_means=(
            "There are no labels, only ratings of whether both methods have the same goals, operations and effects: "
            "agree, conditionally or disagree."
        ),
        accepts=ACCEPTS,
        published={"pairs": 857, "sampled pairs": 900, "raters": 8},
        references=("Kamp, Kreutzer, Philippsen, MSR 2019",),
        warning="The methods' texts are under the licences of their projects.",
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        for path in expand_folders(paths):
            start = head(path, 500)
            if b'"pairid"' in start and b'"first"' in start:
                return "SeSaMe's ratings"
            if start.startswith(b"pairid,ident1,project1"):
                return "SeSaMe's sampled pairs"
            if any(_SAMPLE.search(str(name)) for name in member_names(path, 10)):
                return "SeSaMe's method sources"
        return None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        if options:
            raise InputError(f"SeSaMe takes no options; given: {', '.join(options)}.")
        buffer = RowBuffer()
        return buffer.dataset(CARD, _fragments(expand_folders(paths), buffer, log), paths, ACCEPTS)


def _fragments(paths: Sequence[Path], buffer: RowBuffer, log: ImportLog) -> Iterator[Fragment]:
    texts: dict[tuple[str, str], str] = {}
    for path in paths:
        if is_tree(path):
            _read_texts(path, texts, log)
    reader = _Reader(buffer, log, texts)
    for path in paths:
        if inner_suffix(path) == ".json" and not is_tree(path):
            yield from reader.ratings(path)
    for path in paths:
        if inner_suffix(path) == ".csv" and not is_tree(path):
            yield from reader.samples(path)
        elif inner_suffix(path) != ".json" and not is_tree(path):
            log.leave_out(path, "the file holds neither ratings nor sampled pairs nor texts")


def _read_texts(root: Path, texts: dict[tuple[str, str], str], log: ImportLog) -> None:
    for member in read_tree(root):
        found = _SAMPLE.search(str(member.name))
        if not found:
            log.skip(f"{root}/{member.name}", None, "the file is not <pair>/a.java or b.java")
            continue
        log.read("texts")
        text = decode(member.read()).text
        # The collection was made from web pages: a file has either entities or plain characters, never both.
        texts[found["pair"], found["side"]] = text if "<" in text else html.unescape(text)


class _Reader:
    """Reads pairs by number. A method of several pairs is one fragment, identified by its own number."""

    def __init__(self, buffer: RowBuffer, log: ImportLog, texts: Mapping[tuple[str, str], str]) -> None:
        self.buffer = buffer
        self.log = log
        self.texts = texts
        self._rows: dict[str, int] = {}
        self._known: set[str] = set()
        self._ratings: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)

    def ratings(self, path: Path) -> Iterator[Fragment]:
        for number, entry in enumerate(_entries(path), 1):
            self.log.read("rated pairs")
            sides = [entry.get(side) for side in ("first", "second")] if isinstance(entry, dict) else []
            described = [side for side in sides if isinstance(side, dict)]
            if len(described) != 2:
                self.log.skip(path, number, "the entry does not describe two methods")
                continue
            name = as_text(entry.get("pairid")) or ""
            ratings = {aspect: entry.get(aspect) for aspect in _ASPECTS}
            if name in self._rows:
                # The unfiltered file repeats the pairs of the filtered one; other ratings contradict it.
                self.log.read("rated pairs that were read before")
                if ratings not in self._ratings[name]:
                    self._ratings[name].append(ratings)
                    self._rate(path, number, entry, self._rows[name])
                continue
            methods = [tuple(as_text(side.get(key)) or "" for key in _METHOD) for side in described]
            yield from self._pair(path, number, name, methods)
            if name in self._rows:
                self._ratings[name].append(ratings)
                self._rate(path, number, entry, self._rows[name])

    def samples(self, path: Path) -> Iterator[Fragment]:
        for row in read_csv(path):
            self.log.read("sampled pairs")
            values = {key: str(value) for key, value in row.values.items()}
            name = values.get("pairid", "")
            methods = [
                tuple(values.get(f"{key}{side}", "") for key in ("ident", "project", "file", "method"))
                for side in (1, 2)
            ]
            if name not in self._rows:
                yield from self._pair(path, row.line, name, methods)
            if name in self._rows:
                self._sampled(path, row.line, values, self._rows[name])

    def _pair(self, path: Path, line: int, name: str, methods: Sequence[tuple[str, ...]]) -> Iterator[Fragment]:
        found = [self.texts.get((name, side)) for side in "ab"]
        if None in found or not all(method[0] for method in methods):
            self.log.skip(path, line, "the texts of the pair are missing")
            return
        for (id_, project, file, method), text in zip(methods, found, strict=True):
            if id_ not in self._known and text is not None:
                self._known.add(id_)
                path_in_project = file.removeprefix(f"repos/{project}/") or None
                yield Fragment(
                    id_, "java", text, FragmentKind.FUNCTION, method or None, project or None, path_in_project
                )
        self._rows[name] = self.buffer.add_pair(Pair(methods[0][0], methods[1][0]))

    def _rate(self, path: Path, line: int, entry: Mapping[str, Any], pair: int) -> None:
        for aspect, criterion in _ASPECTS.items():
            given = entry.get(aspect)
            if not isinstance(given, list) or len(given) > len(RATERS):
                self.log.skip(path, line, f"the ratings of {aspect} are not a list of eight")
                continue
            for judge, one in zip(RATERS, given, strict=False):
                rating, confidence = (
                    (one.get("rating"), one.get("confidence")) if isinstance(one, dict) else (None, None)
                )
                if rating == -1:
                    continue
                if not isinstance(rating, int) or isinstance(rating, bool) or rating not in _RATINGS:
                    self.log.skip(path, line, f"a rating of {aspect} is unknown")
                    continue
                sure = _CONFIDENCES.get(confidence) if isinstance(confidence, int) else None
                self.buffer.add_judgement(
                    judge,
                    Judgement(judge.id, criterion, _RATINGS[rating], pair, confidence=sure, source_row=line),
                )

    def _sampled(self, path: Path, line: int, values: Mapping[str, str], pair: int) -> None:
        numbers = {}
        for column, name in (("sim", "documentation_similarity"), ("sim_tok", "token_similarity")):
            try:
                number = float(values.get(column, ""))
            except ValueError:
                number = math.nan
            if not math.isfinite(number):
                self.log.skip(path, line, "a similarity is not a number")
                return
            numbers[name] = number
        self.buffer.add_judgement(
            RULE,
            Judgement(
                RULE.id,
                "functionally-similar",
                PairValue.UNDECIDED,
                pair,
                evidence=json.dumps(numbers, sort_keys=True),
                source_row=line,
            ),
        )


def _entries(path: Path) -> list[Any]:
    found = read_document(path)
    if not isinstance(found, list):
        raise InputError("The file is not a list of rated pairs.", where=path)
    return found


SOURCE = SeSaMe()
