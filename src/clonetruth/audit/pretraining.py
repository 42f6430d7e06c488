"""What a pretrained model may know already: fragments that are in a corpus that it was trained on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from clonetruth.audit.context import AuditContext
from clonetruth.audit.finding import Finding, Severity
from clonetruth.audit.papers import GENERALIZABILITY
from clonetruth.audit.rule import LEARNING, Need, RuleText, rule
from clonetruth.audit.texts import digest
from clonetruth.budgets import read_bytes, read_text
from clonetruth.code import extract
from clonetruth.code.languages import language_of_path
from clonetruth.errors import InputError

_HASH = re.compile(r"[0-9a-f]{16}")
_KNOWN = (
    "SELECT t.fragment AS fragment FROM text_facts t JOIN (SELECT DISTINCT digest FROM corpus) c ON t.digest = c.digest"
)


def corpus_hashes(path: Path) -> frozenset[int]:
    """The digests of a corpus: a folder of code, or a file with a hash on each line.

    Of a folder, whole files and the functions in them count. A hash is the BLAKE2b digest of 8 bytes, in hexadecimal,
    of a text in which every run of white space is one blank and that has none around it.

    Raises:
        InputError: there is no such corpus, it has no code, or a line is not a hash.
    """
    if path.is_dir():
        found = frozenset(_of_folder(path))
        if not found:
            raise InputError("The corpus has no file in a supported language.", where=path)
        return found
    try:
        lines = read_text(path).split()
    except (OSError, ValueError) as error:
        raise InputError(f"The corpus cannot be read: {error}", where=path) from error
    for number, line in enumerate(lines, 1):
        if not _HASH.fullmatch(line):
            raise InputError(
                f"'{line[:40]}' is not a hash of 16 hexadecimal digits.",
                where=f"{path}, entry {number}",
                hint="docs/encoders.md says how to make such a file.",
            )
    return frozenset(int.from_bytes(bytes.fromhex(line), "big", signed=True) for line in lines)


def _of_folder(folder: Path) -> Iterator[int]:
    for path in sorted(folder.rglob("*")):
        language = language_of_path(path) if path.is_file() and not path.is_symlink() else None
        if language is None:
            continue
        text = read_bytes(path, "member").decode("utf-8", errors="replace")
        yield digest(text)
        for function in extract(text, language).functions:
            yield digest(function.text)


@rule(
    "CT212",
    Severity.WARNING,
    RuleText(
        name="known-to-pretrained-models",
        what="Fragments whose text is in a corpus that a model was pretrained on (`--corpus`), up to white space.",
        why="A pretrained encoder or language model may have learned such a fragment by heart, together with the file "
        "around it. How it does on them says little about code that it has never seen.",
        reference=GENERALIZABILITY,
        fix="Report results with and without these fragments, or use code that is younger than the model.",
        needs=(Need.TEXTS,),
        threatens=LEARNING,
    ),
)
def known_to_models(context: AuditContext) -> Iterator[Finding]:
    for path in context.corpora:
        corpus = pa.table({"digest": pa.array(sorted(corpus_hashes(path)), pa.int64())})
        total = context.row("SELECT count(*) AS n FROM text_facts")["n"]
        count = context.row(f"SELECT count(*) AS n FROM ({_KNOWN}) k", corpus=corpus)["n"]
        if count:
            yield Finding(
                f"{count:,} of {total:,} fragments ({count / total:.1%}) have a text twin in the corpus “{path.name}”",
                count,
                total,
                context.fragment_examples(f"SELECT fragment, 'in the corpus' AS note FROM ({_KNOWN}) k", corpus=corpus),
            )
