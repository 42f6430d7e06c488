"""Exports of digital libraries: BibTeX, RIS and CSV, read into records."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.formats.streams import inner_suffix, read_whole
from clonetruth.formats.tables import Row, read_rows

_ENTRY = re.compile(r"@(\w+)\s*([{(])")
_FIELD = re.compile(r"\s*,?\s*([\w-]+)\s*=\s*")
_NO_ENTRIES = frozenset(("comment", "preamble", "string"))
_RIS = re.compile(r"^([A-Z][A-Z0-9])  -(?: (.*))?$")
_RIS_NAMES = {
    "title": ("TI", "T1", "CT"),
    "doi": ("DO",),
    "year": ("PY", "Y1", "DA"),
    "authors": ("AU", "A1"),
    "venue": ("T2", "JO", "JF", "BT"),
}
_BIBTEX_NAMES = {
    "title": ("title",),
    "doi": ("doi",),
    "year": ("year", "date"),
    "authors": ("author",),
    "venue": ("booktitle", "journal", "journaltitle"),
}
_CSV_NAMES = {
    "title": ("document title", "title", "article title", "item title"),
    "doi": ("doi", "item doi"),
    "year": ("publication year", "year", "publication_year"),
    "authors": ("authors", "author full names", "author"),
    "venue": ("publication title", "source title", "venue", "journal", "book title"),
    "library": ("source", "database", "library"),
}
_ACCENTS = dict(zip("'`^\"~cv=", "\u0301\u0300\u0302\u0308\u0303\u0327\u030c\u0304", strict=True))
_SPECIAL = {"ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "aa": "å", "i": "ı"}


@dataclass(frozen=True)
class PaperRecord:
    """A paper in an export.

    Attributes:
        title: its title.
        library: the digital library: what the export says, or the name of its file.
        place: the file and line or number.
        doi: its DOI, lower-case and without an address; empty if there is none.
        year: its year; None if there is none.
        authors: its authors, as they are written.
        venue: where it appeared.
    """

    title: str
    library: str
    place: str
    doi: str = ""
    year: int | None = None
    authors: str = ""
    venue: str = ""

    @property
    def title_key(self) -> str:
        """The title's letters and digits, without accents and case."""
        folded = unicodedata.normalize("NFKD", self.title).casefold()
        return "".join(one for one in folded if one.isalnum())


def read_export(path: Path) -> Iterator[PaperRecord]:
    """The records of an export. The ending determines the format: .bib, .ris, .csv (or .tsv), also compressed.

    Raises:
        InputError: it cannot be read, holds no record, or a record has no title.
    """
    suffix = inner_suffix(path)
    library = path.name.split(".")[0]
    if suffix in (".bib", ".bibtex"):
        rows = _bibtex(_text(path), path)
        names = _BIBTEX_NAMES
    elif suffix == ".ris":
        rows = _ris(_text(path), path)
        names = _RIS_NAMES
    elif suffix in (".csv", ".tsv"):
        rows = (
            (
                f"line {row.line}",
                {str(name).strip().lower().lstrip("\ufeff"): str(value or "") for name, value in row.values.items()},
            )
            for row in read_rows(path)
        )
        names = _CSV_NAMES
    else:
        raise InputError(f"'{path.name}' is not an export.", where=path, hint="Accepted: .bib, .ris, .csv, .tsv.")
    count = 0
    for place, fields in rows:
        count += 1
        yield _record(fields, names, library, f"{path}, {place}")
    if not count:
        raise InputError("The export holds no records.", where=path)


def _record(fields: Mapping[str, str], names: Mapping[str, tuple[str, ...]], library: str, place: str) -> PaperRecord:
    found = {
        key: next((fields[name] for name in own if fields.get(name, "").strip()), "") for key, own in names.items()
    }
    title = " ".join(found["title"].split())
    if not title:
        raise InputError("The record has no title.", where=place, hint="Correct the export, or remove the record.")
    year = re.search(r"\b(?:19|20)\d\d\b", found["year"])
    return PaperRecord(
        title=title,
        library=found.get("library") or library,
        place=place,
        doi=plain_doi(found["doi"]),
        year=int(year[0]) if year else None,
        authors=" ".join(found["authors"].split()),
        venue=" ".join(found["venue"].split()),
    )


def _cells(row: Row) -> dict[str, str]:
    return {str(name).strip().lower().lstrip("\ufeff"): str(value or "") for name, value in row.values.items()}


def plain_doi(text: str) -> str:
    """A DOI in lower case, without an address or prefix; empty if there is none."""
    match = re.search(r"10\.\d{4,9}/\S+", text.strip().lower())
    if match:
        return match[0].rstrip(".,;")
    arxiv = re.search(r"arxiv[:/ ]\s*(\d{4}\.\d{4,5})", text.lower())
    return f"arxiv:{arxiv[1]}" if arxiv else ""


def _text(path: Path) -> str:
    content = read_whole(path)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _ris(text: str, path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    fields: dict[str, str] = {}
    start, last = 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        match = _RIS.match(line.rstrip())
        if match is None:
            if line.strip() and start and last in fields:
                fields[last] += f" {line.strip()}"
            continue
        last, value = match[1], (match[2] or "").strip()
        if last == "TY":
            if start:
                raise InputError("A record does not end with 'ER  -'.", where=f"{path}, line {start}")
            fields, start = {}, number
        elif last == "ER" and start:
            yield f"line {start}", fields
            start = 0
        elif start:
            fields[last] = f"{fields[last]} and {value}" if last in fields else value
    if start:
        raise InputError("The last record does not end with 'ER  -'.", where=f"{path}, line {start}")


def _bibtex(text: str, path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    place = 0
    while (match := _ENTRY.search(text, place)) is not None:
        line = text.count("\n", 0, match.start()) + 1
        closing = "}" if match[2] == "{" else ")"
        end = _closing(text, match.end(), closing)
        if end is None:
            raise InputError("The entry is not closed.", where=f"{path}, line {line}")
        body, place = text[match.end() : end], end + 1
        if match[1].lower() not in _NO_ENTRIES:
            _, _, fields = body.partition(",")
            yield f"line {line}", dict(_fields(fields))


def _closing(text: str, start: int, closing: str) -> int | None:
    """The place of the bracket that closes an entry."""
    depth = 0
    for place in range(start, len(text)):
        one = text[place]
        if text[place - 1] == "\\":
            continue
        if one == "{":
            depth += 1
        elif one == closing and depth == 0:
            return place
        elif one == "}":
            depth -= 1
    return None


def _fields(body: str) -> Iterator[tuple[str, str]]:
    place = 0
    while (match := _FIELD.match(body, place)) is not None:
        place = match.end()
        values = []
        while place < len(body):
            if body[place] == "{":
                end = _closing(body, place + 1, "}")
            elif body[place] == '"':
                end = _closing(body, place + 1, '"')
            else:
                bare = re.match(r"[^,#\s]*", body[place:])
                values.append(bare[0] if bare else "")
                place += len(values[-1])
                end = -1
            if end is not None and end >= 0:
                values.append(body[place + 1 : end])
                place = end + 1
            elif end is None:
                return
            joined = re.match(r"\s*#\s*", body[place:])
            if joined is None:
                break
            place += joined.end()
        yield match[1].lower(), _plain("".join(values))


def _plain(text: str) -> str:
    """A value without LaTeX: accents become letters, braces go."""

    def accent(match: re.Match[str]) -> str:
        return unicodedata.normalize("NFC", match[2] + _ACCENTS[match[1]])

    text = re.sub(r"\\([\'`^\"~=])\s*\{?\\?([A-Za-zıi])\}?", accent, text)
    text = re.sub(r"\\([cv])\s*\{([A-Za-z])\}", accent, text)
    text = re.sub(r"\\([&%_#$])", lambda match: match[1], text)
    text = re.sub(r"\\([A-Za-z]+)(?:\s*\{\}|\s+|(?![A-Za-z]))", lambda match: _SPECIAL.get(match[1], ""), text)
    return " ".join(text.replace("{", "").replace("}", "").replace("~", " ").replace("--", "–").split())
