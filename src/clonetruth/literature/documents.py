"""Papers as text with page numbers: PDF files by pypdf, or plain text with form feeds between pages."""

from __future__ import annotations

import io
import logging
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from clonetruth.code.source import decode
from clonetruth.errors import InputError, MissingExtraError
from clonetruth.formats.streams import inner_suffix, read_whole
from clonetruth.literature.page_layout import OrderedPage, head_key, is_page_number, order_pages, page_layout
from clonetruth.store.display import plural

PAPER_SUFFIXES = (".pdf", ".txt", ".md")
_MOST_PAGES = 2_000
_LEAST_LETTERS = 200
"""A paper with fewer letters on all pages together was scanned, or is not a paper."""
_ENGLISH = frozenset(
    [
        "the",
        "of",
        "and",
        "to",
        "in",
        "is",
        "that",
        "for",
        "with",
        "are",
        "this",
        "we",
        "as",
        "on",
        "by",
        "be",
        "not",
        "from",
        "which",
        "it",
    ]
)
_LEAST_ENGLISH = 0.12
"""The share of these words in an English text is about 0.3, and about 0.03 in German, French or Spanish."""
_EDGE = 2
"""Lines at the top and at the bottom of a page that may be running heads or page numbers."""


@dataclass(frozen=True)
class PaperText:
    """The text of a paper.

    Attributes:
        path: the file.
        pages: the text of each page, in reading order, without running heads and page numbers.
        empty: the numbers of the pages without text, which may be scanned.
        asides: the footnotes and floats of each page that stood between two parts of its text; none by default.
    """

    path: Path
    pages: tuple[str, ...]
    empty: tuple[int, ...] = ()
    asides: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the paper: its file without the ending."""
        return self.path.name.removesuffix(self.path.suffix)

    @property
    def is_english(self) -> bool:
        """Whether the text looks English, by its most frequent words."""
        words = re.findall(r"[^\W\d_]+", " ".join(self.pages).lower())
        return not words or sum(word in _ENGLISH for word in words) / len(words) >= _LEAST_ENGLISH

    def marked(self) -> str:
        """The whole text with a mark at the start of each page."""
        return "\n\n".join(f"[page {number}]\n{text}" for number, text in enumerate(self.whole_pages(), 1))

    def whole_pages(self) -> list[str]:
        """The text of each page with its asides below."""
        asides = self.asides or ("",) * len(self.pages)
        return [f"{page}\n\n{aside}" if aside else page for page, aside in zip(self.pages, asides, strict=True)]


def find_papers(paths: Sequence[Path]) -> list[Path]:
    """The papers among files and folders, sorted by name within a folder.

    Raises:
        InputError: a path does not exist, or there is no paper.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += sorted(one for one in path.rglob("*") if one.suffix.lower() in PAPER_SUFFIXES and one.is_file())
        elif path.is_file():
            found.append(path)
        else:
            raise InputError("There is no such file or folder.", where=path)
    if not found:
        raise InputError("There are no papers.", where=paths[0], hint=f"Accepted: {', '.join(PAPER_SUFFIXES)}.")
    return found


def read_paper(path: Path) -> PaperText:
    """Read a paper.

    Raises:
        InputError: it is damaged, encrypted, or has no text.
        MissingExtraError: a PDF file needs the extra `pdf`.
    """
    content = read_whole(path)
    if inner_suffix(path) == ".pdf" or content[:1024].lstrip().startswith(b"%PDF-"):
        pages = _pdf_pages(path, content)
    else:
        texts = decode(content).text.split("\f")
        pages = [OrderedPage(page) for page in _without_running_heads(texts)]
    letters = [sum(one.isalpha() for one in page.body + page.asides) for page in pages]
    if sum(letters) < _LEAST_LETTERS:
        raise InputError(
            f"The paper has no text ({plural(len(pages), 'page')}); it may be scanned.",
            where=path,
            hint="Recognise the text first (for example with ocrmypdf), and use the new file.",
        )
    empty = tuple(number for number, count in enumerate(letters, 1) if count < 20)
    bodies, asides = (
        tuple(unicodedata.normalize("NFC", text) for text in texts)
        for texts in zip(*((page.body, page.asides) for page in pages), strict=True)
    )
    return PaperText(path, bodies, empty, asides if any(asides) else ())


def _pdf_pages(path: Path, content: bytes) -> list[OrderedPage]:
    try:
        import pypdf
        from pypdf.errors import DependencyError, PyPdfError
    except ImportError as error:
        raise MissingExtraError.extra("Reading PDF files", "pdf") from error
    logging.getLogger("pypdf").setLevel(logging.ERROR)
    locked = InputError("The PDF file is encrypted.", where=path, hint="Save a copy without a password, and use that.")
    try:
        reader = pypdf.PdfReader(io.BytesIO(content))
        # Many publishers encrypt files with an empty password, only to forbid changes.
        if reader.is_encrypted and not reader.decrypt(""):
            raise locked
        count = len(reader.pages)
        if count > _MOST_PAGES:
            raise InputError(f"The PDF file has {count:,} pages, more than {_MOST_PAGES:,}.", where=path)
        return order_pages([page_layout(page) for page in reader.pages])
    except DependencyError as error:
        raise locked from error
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError, OSError) as error:
        raise InputError(f"The PDF file cannot be read: {error}.", where=path, hint="Try another copy.") from error


def _without_running_heads(pages: Sequence[str]) -> Iterator[str]:
    """The pages without lines at their edges that repeat, numbers aside, and without page numbers."""
    split = [page.splitlines() for page in pages]
    filled = [[line for line in lines if line.strip()] for lines in split]
    edges = Counter(
        key for lines in filled for key in {head_key(line) for line in (*lines[:_EDGE], *lines[-_EDGE:])} if key
    )
    heads = {key for key, count in edges.items() if count >= max(3, len(pages) // 3)}
    for lines, solid in zip(split, filled, strict=True):
        edge = {id(line) for line in (*solid[:_EDGE], *solid[-_EDGE:])} if len(solid) > 2 * _EDGE else set()
        kept = [line for line in lines if id(line) not in edge or not (is_page_number(line) or head_key(line) in heads)]
        yield "\n".join(kept)
