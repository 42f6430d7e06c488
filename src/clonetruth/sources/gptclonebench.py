"""GPTCloneBench: clones that GPT-3 (and, for cross-language ones, GPT-4) wrote from SemanticCloneBench's functions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from clonetruth.errors import InputError
from clonetruth.formats.sniffing import head, names, spread
from clonetruth.formats.trees import is_tree
from clonetruth.model import Card, Dataset, Fragment
from clonetruth.sources.gptclonebench_files import RULE, GPTCloneBenchReader, kind_of
from clonetruth.sources.row_buffer import RowBuffer
from clonetruth.sources.source import ImportLog, SourceCard

CARD = Card(
    name="gptclonebench",
    version="1",
    description=(
        "Pairs of a function taken from SemanticCloneBench and what a language model made of it: in the same "
        "language (Java, C, C#, Python) or across languages."
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
        "Few seed functions (644 first functions in 12,942 Java Type-4 files): a split by pair leaks; split by seed, "
        "which is the pair's functionality here.",
        "Files repeat (561 of those 12,942), and four texts are in both the true and the false folder.",
        "27 of those 12,942 files are separated into three or four parts; those that hold more than two functions "
        "are skipped.",
        "The published output of the validation tool records 'undecided' for all 5,520 cross-language pairs: no "
        "human verdict is published for them.",
        "Answers of the cross-language files may hold whole programs, or code that does not compile.",
    ),
)
ACCEPTS = (
    "the stand-alone tree (true_semantic_clones, false_semantic_clones), the cross-language trees (cs_to_other, "
    "java_to_other and cross_…), as folders or archives, and the input and output files of ValidateClones, plain "
    "or compressed"
)


class GPTCloneBench:
    """The source as the registry knows it."""

    card = SourceCard(
        card=CARD,
        claimed_by=RULE,
        label_means=(
            "true: a semantic clone that is no Type-1/Type-2 clone. false: a Type-1/Type-2 clone. Cross-language: all "
            "implementations in a file are clones of each other."
        ),
        accepts=ACCEPTS,
        published={
            "true semantic clone pairs": 37_149,
            "false semantic (Type-1/Type-2) pairs": 19_288,
            "cross-language pairs": 20_770,
        },
        references=(
            "Alam et al., ICSME 2023, section III (filtering and validation) and table II (sizes)",
            "The counts of seeds, repeats and parts were made from the published Java Type-4 archive.",
        ),
        warning="Non-commercial, no derivatives: do not share changed copies.",
    )

    def recognise(self, paths: Sequence[Path]) -> str | None:
        """See `Source.recognise`."""
        for path in spread(paths):
            if any(kind_of(PurePosixPath(path.name, name) if path.is_dir() else name) for name in names(path)):
                return "GPTCloneBench's pair or cross-language files"
            if _is_input(path) or _is_output(path):
                return "files of ValidateClones on GPTCloneBench"
        return None

    def read(self, paths: Sequence[Path], options: Mapping[str, Any], log: ImportLog) -> Dataset:
        """See `Source.read`."""
        if options:
            raise InputError(f"GPTCloneBench takes no options; given: {', '.join(options)}.")
        notes = RowBuffer()
        return notes.dataset(CARD, _fragments(spread(paths), notes, log), paths, ACCEPTS)


def _fragments(paths: Sequence[Path], notes: RowBuffer, log: ImportLog) -> Iterator[Fragment]:
    reader = GPTCloneBenchReader(notes, log)
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
