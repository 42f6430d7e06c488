"""GPTCloneBench: clones that GPT-3 (and, for cross-language ones, GPT-4) wrote from SemanticCloneBench's functions."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path, PurePosixPath
from typing import Any

from clonetruth.code import Language, decode, language, language_of_path
from clonetruth.errors import InputError
from clonetruth.formats.crosslanguage import LanguageBlock, parse_cross_language
from clonetruth.formats.sniffing import expand_folders, head, member_names
from clonetruth.formats.trees import ArchiveMember, is_tree, read_tree
from clonetruth.formats.validateclones import CloneLocation, parse_location, read_input, read_output
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
from clonetruth.sources.pair_files import two_functions
from clonetruth.sources.row_buffer import RowBuffer
from clonetruth.sources.source import ImportLog, SourceCard

# The readers of the three kinds of files.

RULE = Judge(
    id="rule:gptclonebench",
    kind=JudgeKind.RULE,
    name="GPTCloneBench's labels",
    description=(
        "A language model rewrote a function of SemanticCloneBench. NiCad's textual similarity divided the answers "
        "into false (above 75 %) and true semantic clones, which judges in groups then looked over; no judge's own "
        "verdict is published."
    ),
)
VALIDATORS = Judge(
    id="person:gptclonebench-validators",
    kind=JudgeKind.PERSON,
    name="The users of ValidateClones",
    description="The status that the published output of the tool records of a pair; who set it is not recorded.",
)
CUT_RULE = (
    "GPTCloneBench: NiCad's similarity with blind renaming; T4 below 0.5 and across languages, T3 from 0.5 to 0.75 "
    "(0.7 and a grey area of 0.05), above it T1/T2"
)

_CROSS = re.compile(r"(?:cross_)?(?:cs|java)_to_other", re.IGNORECASE)
_STATUSES = {"true": PairValue.CLONE, "false": PairValue.NOT_CLONE, "undecided": PairValue.UNDECIDED}
_NAME = re.compile(r"\b(\w+)\s*\(")


def kind_of(name: PurePosixPath) -> str | None:
    """The kind of a file in a tree, by its name: true, false or cross; None for other files."""
    if language_of_path(name) is None:
        return None
    for folder in reversed(name.parts[:-1]):
        if _CROSS.fullmatch(folder):
            return "cross"
        if folder.startswith(("true_semantic", "false_semantic")):
            return folder.partition("_")[0]
    return "cross" if re.match(r"Gpt\dD_Clone\d+\.", name.name) else None


class GPTCloneBenchReader:
    """Reads files in turn; repeated names are skipped.

    Args:
        buffer: collects pairs and judgements.
        log: counts files and rows, and records unusable ones.
    """

    def __init__(self, buffer: RowBuffer, log: ImportLog) -> None:
        self.buffer = buffer
        self.log = log
        self._seen: set[str] = set()
        self._blocks: dict[str, list[tuple[Fragment, LanguageBlock]]] = {}
        self._rows: dict[frozenset[str], int] = {}

    def tree(self, root: Path) -> Iterator[Fragment]:
        """The pair files and cross-language files of a folder or archive."""
        for member in read_tree(root):
            kind = kind_of(member.name if root.is_file() else PurePosixPath(root.name, member.name))
            where = f"{root}/{member.name}"
            if kind is None:
                self.log.skip(where, None, "the file is neither a pair file nor a cross-language file of GPTCloneBench")
            elif str(member.name) in self._seen:
                self.log.skip(where, None, "a file with this name was read before")
            else:
                self._seen.add(str(member.name))
                self.log.read(f"{kind} files")
                found = language_of_path(member.name)
                assert found is not None  # kind_of refuses others
                yield from (
                    self._cross(where, member, found) if kind == "cross" else self._pair(where, member, found, kind)
                )

    def input_blocks(self, path: Path) -> Iterator[Fragment]:
        """The pairs that were shown to the judges, without labels."""
        for block in read_input(path):
            self.log.read("validation blocks")
            locations = [parse_location(text) for text in block.heading[2:4]]
            known = [language_of_path(one.file) for one in locations if one]
            if len(known) != 2 or len(block.texts) != 2 or None in known:
                self.log.skip(path, block.line, "the block does not hold two fragments with their locations")
                continue
            ids = [f"{one.file}:{one.first_line}-{one.last_line}" for one in locations if one]
            if ids[0] == ids[1] or self._seen & set(ids):
                self.log.skip(path, block.line, "a fragment at this location was read before")
                continue
            self._seen.update(ids)
            fragments = [
                Fragment(id_, found.name, text, path=one.file, first_line=one.first_line, last_line=one.last_line)
                for id_, found, text, one in zip(ids, known, block.texts, locations, strict=True)
                if found and one
            ]
            yield from fragments
            self._add(fragments, Pair(ids[0], ids[1], _seed(block.texts[0]).id))

    def output_rows(self, path: Path) -> None:
        """The recorded statuses of pairs. Read their cross-language files first."""
        for row in read_output(path):
            self.log.read("validation rows")
            value = _STATUSES.get(row.status.lower())
            if value is None or len(row.locations) != 2:
                self.log.skip(path, row.line, "the row is not id,number,status,location,location")
                continue
            found = [self._at(one) for one in row.locations]
            pair = self._rows.get(frozenset(name for name in found if name))
            if pair is None or None in found:
                self.log.skip(path, row.line, "no cross-language file has a block at the row's locations")
                continue
            self.buffer.add_judgement(
                VALIDATORS,
                Judgement(VALIDATORS.id, "semantic-not-syntactic", value, pair, reason=row.status, source_row=row.line),
            )

    def _pair(self, where: str, member: ArchiveMember, found: Language, kind: str) -> Iterator[Fragment]:
        parts = two_functions(decode(member.read()).text, found)
        if parts is None:
            self.log.skip(where, None, "two blank lines do not separate exactly two functions")
            return
        name = str(member.name)
        fragments = [
            Fragment(
                f"{name}#{number}",
                found.name,
                part.text,
                path=name,
                first_line=part.first_line,
                last_line=part.last_line,
            )
            for number, part in enumerate(parts, 1)
        ]
        yield from fragments
        claimed = next((part for part in member.name.parts if part in ("T3", "T4")), None)
        seed = _seed(parts[0].text)
        pair = Pair(
            fragments[0].id,
            fragments[1].id,
            seed.id,
            claimed_type="T1/T2" if kind == "false" else claimed,
            claimed_cut_rule=CUT_RULE,
        )
        row = self._add(fragments, pair)
        self._claim(row, "semantic-not-syntactic", PairValue.CLONE if kind == "true" else PairValue.NOT_CLONE)
        if kind == "false":
            # The authors call them Type-1/Type-2 clones: they are clones, but not semantic ones.
            self._claim(row, "textual", PairValue.CLONE)

    def _cross(self, where: str, member: ArchiveMember, found: Language) -> Iterator[Fragment]:
        parsed = parse_cross_language(decode(member.read()).text)
        if parsed is None:
            self.log.skip(where, None, "the marks #input and #gpt output, or the function between them, are missing")
            return
        name, chosen = str(member.name), {found.name: parsed.seed}
        for block in parsed.blocks:
            if not block.language:
                self.log.skip(where, block.first_line, "the block does not name its language")
            elif block.language in chosen:
                self.log.skip(where, block.first_line, "the block repeats a language")
            else:
                chosen[block.language] = block
        if len(chosen) == 1:
            self.log.skip(where, None, "the answer contains no code in another language")
            return
        placed = [(_block_fragment(name, language_name, block), block) for language_name, block in chosen.items()]
        yield from (fragment for fragment, _ in placed)
        self._blocks[member.name.name] = placed
        seed = _seed(parsed.seed.text)
        for left, right in combinations([fragment for fragment, _ in placed], 2):
            row = self.buffer.add_pair(Pair(left.id, right.id, seed.id, claimed_type="T4", claimed_cut_rule=CUT_RULE))
            self._rows[frozenset((left.id, right.id))] = row
            self._claim(row, "semantic-not-syntactic", PairValue.CLONE)
        for number, (fragment, _) in enumerate(placed):
            self.buffer.add_member(fragment.id, seed, Role.TAGGED_TRUE if number else Role.EXEMPLAR)

    def _add(self, fragments: list[Fragment], pair: Pair) -> int:
        seed = _seed(fragments[0].text)
        self.buffer.add_member(fragments[0].id, seed, Role.EXEMPLAR)
        self.buffer.add_member(fragments[1].id, seed, Role.TAGGED_TRUE)
        return self.buffer.add_pair(pair)

    def _claim(self, row: int, criterion: str, value: PairValue) -> None:
        self.buffer.add_judgement(RULE, Judgement(RULE.id, criterion, value, row))

    def _at(self, one: CloneLocation) -> str | None:
        for fragment, block in self._blocks.get(one.file, ()):
            if one.first_line <= block.first_line <= one.last_line:
                return fragment.id
        return None


def _block_fragment(name: str, language_name: str, block: LanguageBlock) -> Fragment:
    return Fragment(
        f"{name}#{language_name}",
        language(language_name).name,
        block.text,
        path=name,
        first_line=block.first_line,
        last_line=block.last_line,
    )


def _seed(text: str) -> Functionality:
    """The seed function as a functionality: a split by functionality keeps all variants of a function together."""
    digest = hashlib.sha256("".join(text.split()).encode("utf-8")).hexdigest()
    found = _NAME.search(text)
    return Functionality(
        f"seed-{digest[:16]}", found.group(1)[:100] if found else "seed", "What the seed function does."
    )


# The dataset.

CARD = Card(
    name="gptclonebench",
    version="1",
    description=(
        "Pairs of a function from SemanticCloneBench and a version that a language model wrote, in the same language "
        "(Java, C, C#, Python) or in another."
    ),
    licence="CC-BY-NC-ND-4.0",
    citation=(
        "Alam, Roy, Al-Omari, Roy, Roy, Schneider: GPTCloneBench: A comprehensive benchmark of semantic clones and "
        "cross-language clones using GPT-3 model and SemanticCloneBench. ICSME 2023."
    ),
    criterion="semantic-not-syntactic",
    languages=("java", "c", "csharp", "python"),
    url="https://github.com/srlabUsask/GPTCloneBench",
    known_flaws=(
        "The false pairs are Type-1/Type-2 clones (NiCad above 75 %), not non-clones: the set has no non-clones.",
        "Few seed functions (644 in 12,942 Java Type-4 files): a split by pair leaks; split by seed, which is the "
        "pair's functionality here.",
        "Files repeat (561 of those 12,942), and four texts are in both the true and the false folder.",
        "27 of those 12,942 files consist of three or four parts; files with more than two functions are skipped.",
        "The published output of the validation tool records 'undecided' for all 5,520 cross-language pairs: no "
        "human verdict is published for them.",
        "The answers in cross-language files may be whole programs, or code that does not compile.",
    ),
)
ACCEPTS = (
    "the stand-alone tree (true_semantic_clones, false_semantic_clones), the cross-language trees (cs_to_other, "
    "java_to_other and cross_…), as folders or archives, and the input and output files of ValidateClones, plain "
    "or compressed"
)


class GPTCloneBench:
    """The registered source."""

    card = SourceCard(
        card=CARD,
        claimed_by=RULE,
        label_means=(
            "true: a semantic clone that is not a Type-1/Type-2 clone. false: a Type-1/Type-2 clone. Cross-language: "
            "all implementations in a file are clones of each other."
        ),
        accepts=ACCEPTS,
        published={
            "true semantic clone pairs": 37_149,
            "false semantic (Type-1/Type-2) pairs": 19_288,
            "cross-language pairs": 20_770,
        },
        references=(
            "Alam et al., ICSME 2023, section III (filtering and validation) and table II (sizes)",
            "The counts of seeds, repeats and parts are from the published Java Type-4 archive.",
        ),
        warning="Non-commercial, no derivatives: do not share modified copies.",
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        for path in expand_folders(paths):
            if any(kind_of(PurePosixPath(path.name, name) if path.is_dir() else name) for name in member_names(path)):
                return "GPTCloneBench's pair or cross-language files"
            if _is_input(path) or _is_output(path):
                return "files of ValidateClones on GPTCloneBench"
        return None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        if options:
            raise InputError(f"GPTCloneBench takes no options; given: {', '.join(options)}.")
        buffer = RowBuffer()
        return buffer.dataset(CARD, _fragments(expand_folders(paths), buffer, log), paths, ACCEPTS)


def _fragments(paths: Sequence[Path], buffer: RowBuffer, log: ImportLog) -> Iterator[Fragment]:
    reader = GPTCloneBenchReader(buffer, log)
    outputs = []
    for path in paths:
        if is_tree(path):
            yield from reader.tree(path)
        elif _is_output(path):
            outputs.append(path)
        elif _is_input(path):
            yield from reader.input_blocks(path)
        else:
            log.skip(path, None, "the file is neither a tree nor a file of ValidateClones")
    for path in outputs:
        reader.output_rows(path)


def _is_input(path: Path) -> bool:
    start = head(path, 400)
    return bool(re.match(rb"\s*\${40}\s*\n\d+\s*\n\d+\s*\nGpt\S* \d+ \d+\s*\n", start))


def _is_output(path: Path) -> bool:
    return bool(re.match(rb"\d+,\d+,\w+,Gpt\S+ \d+ \d+,Gpt\S+ \d+ \d+\s*(\n|$)", head(path, 400)))


SOURCE = GPTCloneBench()
