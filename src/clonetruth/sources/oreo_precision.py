"""The precision study of Oreo's authors: clones reported by four tools, judged by two people and consolidated."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from clonetruth.errors import InputError
from clonetruth.formats.oreovalidator import BLOCK, read_blocks
from clonetruth.formats.sniffing import expand_folders, head
from clonetruth.formats.streams import inner_suffix
from clonetruth.model import Card, Dataset, Fragment, Judge, JudgeKind, Judgement, Pair, PairValue
from clonetruth.sources.bcb_functions import WITHOUT_TEXT
from clonetruth.sources.columns import check_options
from clonetruth.sources.json_rows import first_object, json_rows
from clonetruth.sources.layout import stem
from clonetruth.sources.row_buffer import RowBuffer
from clonetruth.sources.source import ImportLog, SourceCard

_CRITERION = "textual"
_VALUES = {"tp": PairValue.CLONE, "fp": PairValue.NOT_CLONE}
_CONSOLIDATED = re.compile(r"(?:original_format_)?(?P<tool>\w+?)_consolidated_(?P<value>tp|fp)")
_JUDGED = re.compile(r"(?:original_format_)?judge_(?P<judge>[12])_(?P<tool>\w+)_(?P<value>tp|fp)")
_SAMPLE = re.compile(r"(?:original_format_)?(?P<tool>\w+?)_prec_sample\w*")
_LOCATION = re.compile(r"(?P<folder>[^,]+),(?P<file>[^,]+),(?P<first>\d{1,9}),(?P<last>\d{1,9})")

_JUDGES = {
    number: Judge(
        id=f"person:oreo-precision-{number}",
        kind=JudgeKind.PERSON,
        name=f"Judge {number}",
        description="One of two judges, who both judged every pair of the samples.",
    )
    for number in ("1", "2")
}
_BOTH = Judge(
    id="person:oreo-precision-consolidated",
    kind=JudgeKind.PERSON,
    name="Both judges together",
    description="What both said, or what came of their second look at every pair that one of them called wrong.",
    settings={"speaks_for": [judge.id for judge in _JUDGES.values()]},
)


class OreoPrecision:
    """The registered source; its card describes it."""

    card = SourceCard(
        card=Card(
            name="oreo-precision",
            version="1",
            description=(
                "400 clone pairs reported by each of Oreo, SourcererCC, NiCad and CloneWorks on BigCloneBench's source "
                "files, judged true or false by two people, and consolidated."
            ),
            licence="GPL-3.0 (the artifact)",
            citation=(
                "V. Saini, F. Farmahinifarahani, Y. Lu, P. Baldi, C. Lopes. Oreo: Detection of Clones in the Twilight "
                "Zone. ESEC/FSE 2018."
            ),
            criterion=_CRITERION,
            languages=("java",),
            url="https://github.com/Mondego/oreo-artifact",
            known_flaws=(
                "Only reported pairs: they show a tool's precision, but not its recall.",
                "Only pairs that a judge considered false were reviewed again; those that both accepted were not.",
                "Kappa is 0.464 (Oreo), 0.454 (CloneWorks), 0.129 (NiCad) and 0.0 (SourcererCC, although the judges "
                "agree on 97.75 %: one of them never answered false).",
                "NiCad's 400 rows contain one pair twice.",
            ),
        ),
        claimed_by=_BOTH,
        label_means="tp: the reported pair is a textual clone, as detectors define it; fp: it is not.",
        accepts=(
            "<tool>.jsonl (fragment_a, fragment_b, judge1, judge2, code_a, code_b) with <tool>_consolidated_tp.jsonl "
            "and <tool>_consolidated_fp.jsonl, or the validator's files: <tool>_prec_sample_sourcefiles.txt, "
            "judge_<n>_<tool>_tp.txt, judge_<n>_<tool>_fp.txt; plain or compressed, or a folder of them"
        ),
        published={"pairs of each tool": 400, "tools": 4},
        references=("Precision after consolidation: Oreo .895, SourcererCC .9775, CloneWorks .9875, NiCad .99.",),
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        try:
            files = expand_folders(paths)
        except InputError:
            return None
        found = any(_is_json(path) or _is_blocks(path) for path in files)
        return "reported pairs with the verdicts of two judges" if found else None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        check_options(options, ())
        buffer = RowBuffer()
        return buffer.dataset(
            self.card.card, _Reader(buffer, log).fragments(expand_folders(paths)), paths, self.card.accepts
        )


SOURCE = OreoPrecision()


def _is_json(path: Path) -> bool:
    if inner_suffix(path) != ".jsonl":
        return False
    return first_object(head(path, 1024 * 1024)).keys() >= {"fragment_a", "fragment_b"}


def _is_blocks(path: Path) -> bool:
    # GPTCloneBench's validation blocks begin alike, but have numbers instead of the first location.
    lines = head(path, 1000).split(b"\n", 2)
    return inner_suffix(path) == ".txt" and lines[0].strip() == BLOCK and len(lines) > 1 and lines[1].count(b",") == 3


@dataclass
class _Row:
    """A reported pair and the verdicts of each judge: two, if the judge contradicts itself."""

    left: str
    right: str
    tool: str
    path: Path
    line: int
    verdicts: dict[str, set[str]] = field(default_factory=dict)


class _Reader:
    """Reads all files, then buffers the pairs with their verdicts."""

    def __init__(self, buffer: RowBuffer, log: ImportLog) -> None:
        self._buffer = buffer
        self._log = log
        self._texts: dict[str, str] = {}
        self._rows: list[_Row] = []
        self._outcomes: defaultdict[tuple[str, str, str], dict[str, tuple[Path, int]]] = defaultdict(dict)
        self._lists: list[tuple[str, str, str, str, str, Path, int]] = []

    def fragments(self, paths: Sequence[Path]) -> Iterator[Fragment]:
        for path in paths:
            if _is_json(path):
                self._json(path)
        known = {row.tool for row in self._rows}
        for path in paths:
            if _is_blocks(path):
                self._blocks(path, known)
        self._join_lists()
        for row in self._rows:
            self._add(row)
        reported = {(row.tool, row.left, row.right) for row in self._rows}
        for pair, places in self._outcomes.items():
            for path, line in places.values() if pair not in reported else ():
                self._log.skip(path, line, "the sample of the tool does not have the pair of the outcome")
        for location in dict.fromkeys(location for row in self._rows for location in (row.left, row.right)):
            match = _LOCATION.fullmatch(location)
            assert match
            text = self._texts.get(location, "")
            if not text:
                self._log.read(WITHOUT_TEXT)
            yield Fragment(
                location,
                "java",
                text,
                path=f"{match['folder']}/{match['file']}",
                first_line=int(match["first"]),
                last_line=int(match["last"]),
            )

    def _json(self, path: Path) -> None:
        consolidated = _CONSOLIDATED.fullmatch(stem(path))
        for row in json_rows(path, self._log, text=("fragment_a", "fragment_b")):
            left, right = row.values["fragment_a"].strip(), row.values["fragment_b"].strip()
            if not self._are_locations(path, row.line, left, right):
                continue
            if consolidated:
                self._log.read("consolidated outcomes")
                self._outcomes[consolidated["tool"], left, right][consolidated["value"]] = (path, row.line)
                continue
            self._log.read("pairs")
            for location, name in ((left, "code_a"), (right, "code_b")):
                if isinstance(text := row.values.get(name), str):
                    self._texts.setdefault(location, text.encode("utf-8", errors="replace").decode("utf-8"))
            verdicts = {number: str(row.values.get(f"judge{number}")) for number in _JUDGES}
            if not set(verdicts.values()) <= _VALUES.keys():
                self._log.skip(path, row.line, "a judge's verdict is neither tp nor fp")
                continue
            tool = row.values.get("tool")
            tool = tool if isinstance(tool, str) else stem(path)
            said = {number: {value} for number, value in verdicts.items()}
            self._rows.append(_Row(left, right, tool, path, row.line, said))

    def _blocks(self, path: Path, known: set[str]) -> None:
        """Read a file of the validator; it is skipped if the JSON lines of its tool were read."""

        def skip(line: int, why: str) -> None:
            self._log.skip(path, line, why)

        judged, consolidated = _JUDGED.fullmatch(stem(path)), _CONSOLIDATED.fullmatch(stem(path))
        sample = _SAMPLE.fullmatch(stem(path))
        named = judged or consolidated or sample
        tool = named["tool"] if named else stem(path)
        if tool in known:
            self._log.read("files that repeat the JSON lines")
            return
        for block in read_blocks(path, skip):
            if not self._are_locations(path, block.line, block.left, block.right):
                continue
            self._texts.setdefault(block.left, block.left_text)
            self._texts.setdefault(block.right, block.right_text)
            if judged:
                self._log.read("verdicts")
                verdict = (tool, block.left, block.right, judged["judge"], judged["value"])
                self._lists.append((*verdict, path, block.line))
            elif consolidated:
                self._log.read("consolidated outcomes")
                self._outcomes[tool, block.left, block.right][consolidated["value"]] = (path, block.line)
            else:
                self._log.read("pairs")
                self._rows.append(_Row(block.left, block.right, tool, path, block.line))

    def _are_locations(self, path: Path, line: int, left: str, right: str) -> bool:
        valid = _LOCATION.fullmatch(left) is not None and _LOCATION.fullmatch(right) is not None
        if not valid:
            self._log.skip(path, line, "a location is not folder,file,first,last")
        return valid

    def _join_lists(self) -> None:
        """Assign the verdicts of separate lists to the pairs; without a sample, the lists define the pairs."""
        by_pair: dict[tuple[str, str, str], list[_Row]] = {}
        for row in self._rows:
            by_pair.setdefault((row.tool, row.left, row.right), []).append(row)
        for tool, left, right, judge, value, path, line in self._lists:
            rows = by_pair.get((tool, left, right))
            if rows is None:
                rows = [_Row(left, right, tool, path, line)]
                by_pair[tool, left, right] = rows
                self._rows += rows
            for row in rows:
                row.verdicts.setdefault(judge, set()).add(value)

    def _add(self, row: _Row) -> None:
        pair = self._buffer.add_pair(Pair(row.left, row.right))
        tool = Judge(f"tool:{row.tool}", JudgeKind.TOOL, row.tool, "The tool that reported the pair as a clone.")
        self._buffer.add_judgement(tool, Judgement(tool.id, _CRITERION, PairValue.CLONE, pair, source_row=row.line))
        for number, values in sorted(row.verdicts.items()):
            self._judge(_JUDGES[number], values, pair, row.line)
        outcomes = self._outcomes.get((row.tool, row.left, row.right))
        if outcomes:
            # Of a pair in both lists, both outcomes are kept: a contradiction, which no policy counts.
            self._judge(_BOTH, set(outcomes), pair, row.line, "a second look together")
        elif len(row.verdicts) == len(_JUDGES) and all(values == {"tp"} for values in row.verdicts.values()):
            self._judge(_BOTH, {"tp"}, pair, row.line, "both judges said so")

    def _judge(self, judge: Judge, values: set[str], pair: int, line: int, reason: str | None = None) -> None:
        for value in sorted(values):
            judgement = Judgement(judge.id, _CRITERION, _VALUES[value], pair, reason=reason, source_row=line)
            self._buffer.add_judgement(judge, judgement)
