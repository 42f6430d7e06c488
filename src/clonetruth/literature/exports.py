"""Exports of digital libraries: BibTeX, RIS, CSV, EndNote and the tagged text of Web of Science, read into records."""

from __future__ import annotations

import codecs
import csv
import html
import io
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from clonetruth.budgets import budget
from clonetruth.errors import InputError
from clonetruth.formats.streams import inner_suffix, read_whole

_ENTRY = re.compile(r"@(\w+)\s*([{(])")
_FIELD = re.compile(r"\s*,?\s*([\w-]+)\s*=\s*")
_NO_ENTRIES = frozenset(("comment", "preamble", "string"))
_RIS = re.compile(r"^([A-Z][A-Z0-9]) {1,2}-(.*)$")
_RIS_NAMES = {
    "title": ("TI", "T1", "CT"),
    "doi": ("DO", "DI"),
    "address": ("UR", "L1", "L2"),
    "year": ("PY", "Y1", "DA"),
    "authors": ("AU", "A1"),
    "venue": ("T2", "JO", "JF", "BT"),
}
_TAGGED = re.compile(r"^([A-Z][A-Z0-9])(?: (.*))?$")
_TAGGED_NAMES = {
    "title": ("TI",),
    "doi": ("DI",),
    "year": ("PY", "EY"),
    "authors": ("AU", "AF"),
    "venue": ("SO", "CT"),
}
"""The fields of Web of Science, which are those of its tables, too."""
_ENDNOTE = re.compile(r"^%([A-Z0-9@!?+*~&^#$><(])(?: (.*))?$")
_ENDNOTE_NAMES = {
    "title": ("T",),
    "doi": ("R",),
    "address": ("U",),
    "year": ("D", "8"),
    "authors": ("A",),
    "venue": ("B", "J"),
}
_BIBTEX_NAMES = {
    "title": ("title",),
    "doi": ("doi",),
    "address": ("url", "ee"),
    "eprint": ("eprint",),
    "year": ("year", "date"),
    "authors": ("author",),
    "venue": ("booktitle", "journal", "journaltitle"),
}
_CSV_NAMES = {
    "title": ("document title", "title", "article title", "item title", "display_name", "ti"),
    "doi": ("doi", "item doi", "di"),
    "address": ("url", "link", "articleurl"),
    "year": ("publication year", "year", "publication_year", "py"),
    "authors": ("authors", "author full names", "author", "au"),
    "venue": ("publication title", "source title", "venue", "journal", "book title", "publication", "so"),
    "library": ("database", "library"),
    "source": ("source",),
}
_LIBRARIES = re.compile(
    r"scopus|web of science|wos|ieee|acm|dblp|springer|science ?direct|scholar|arxiv", re.IGNORECASE
)
"""What a column "source" names if it is a library; in other exports it is where a paper appeared."""
_ACCENTS = dict(
    zip(
        "'`^\"~.=cvHukrdb",
        "\u0301\u0300\u0302\u0308\u0303\u0307\u0304\u0327\u030c\u030b\u0306\u0328\u030a\u0323\u0331",
        strict=True,
    )
)
_TAGS = re.compile(r"</?(?:i|b|em|strong|sub|sup|u|tt|span|inf|scp|italic|bold)\b[^<>]*>", re.IGNORECASE)
_SPECIAL = {
    "ss": "ß",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "ae": "æ",
    "AE": "Æ",
    "aa": "å",
    "AA": "Å",
    "oe": "œ",
    "i": "ı",
}


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
        """The title's letters and digits, without accents and case; C, C++ and C# stay different."""
        folded = unicodedata.normalize("NFKD", self.title).casefold().replace("&", "and")
        return "".join(one for one in folded if one.isalnum() or one in "+#")


def read_export(path: Path) -> Iterator[PaperRecord]:
    """The records of an export. The ending determines the format: .bib, .ris, .enw, .csv (or .tsv), also compressed.

    A .txt (or .ciw) is what Web of Science calls plain text or tab delimited, which its content tells.

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
    elif suffix == ".enw":
        rows = _endnote(_text(path))
        names = _ENDNOTE_NAMES
    elif suffix in (".txt", ".ciw") and "\t" not in (text := _text(path)).lstrip().partition("\n")[0]:
        rows = _tagged(text, path)
        names = _TAGGED_NAMES
    elif suffix in (".csv", ".tsv", ".txt"):
        rows = _table(_text(path), path)
        names = _CSV_NAMES
    else:
        raise InputError(
            f"'{path.name}' is not an export.", where=path, hint="Accepted: .bib, .ris, .enw, .csv, .tsv, .txt."
        )
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
    title = _shown(found["title"])
    if not title:
        raise InputError("The record has no title.", where=place, hint="Correct the export, or remove the record.")
    year = re.search(r"\b(?:19|20)\d\d\b", found["year"])
    source = found.get("source", "")
    is_library = bool(_LIBRARIES.fullmatch(source.strip()))
    address, eprint = found.get("address", ""), found.get("eprint", "").strip()
    return PaperRecord(
        title=title,
        library=found.get("library") or (source.strip() if is_library else "") or library,
        place=place,
        doi=plain_doi(found["doi"])
        or plain_doi(address if "doi.org/" in address.lower() or "arxiv.org/" in address.lower() else "")
        or plain_doi(f"arxiv:{eprint}" if eprint else ""),
        year=int(year[0]) if year else None,
        authors=_shown(found["authors"]),
        venue=_shown(found["venue"] or ("" if is_library else source)),
    )


def _shown(text: str) -> str:
    """A text without the marks and entities of HTML that exports leave in titles."""
    return " ".join(_TAGS.sub("", html.unescape(text)).split())


def plain_doi(text: str) -> str:
    """A DOI in lower case, without an address or prefix; empty if there is none."""
    plain = unquote(html.unescape(text)).strip().lower()
    match = re.search(r"10\.\d{4,9}/[^\s\"<>]+", plain)
    if match:
        return match[0].rstrip(".,;")
    arxiv = re.search(r"arxiv(?:\.org/(?:abs|pdf))?[:/ ]\s*(\d{4}\.\d{4,5})", plain)
    return f"arxiv:{arxiv[1]}" if arxiv else ""


def _text(path: Path) -> str:
    content = read_whole(path)
    if content[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _table(text: str, path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """The rows of a table whose cells are separated by commas, semicolons or tabs: by what its header has most of."""
    head = text.lstrip("\r\n").partition("\n")[0]
    # A text file of another kind can have lines that no cell may have.
    csv.field_size_limit(budget().line)
    lines = csv.reader(io.StringIO(text.replace("\0", " "), newline=""), delimiter=max(",;\t", key=head.count))
    names: list[str] = []
    try:
        for cells in lines:
            if not any(cell.strip() for cell in cells):
                continue
            if names:
                yield f"line {lines.line_num}", dict(zip(names, cells, strict=False))
                continue
            names = [cell.strip().strip("\ufeff").lower() for cell in cells]
            if not set(names) & set(_CSV_NAMES["title"]):
                shown = ", ".join(names)[:200]
                raise InputError(
                    "No column holds titles.", where=path, hint=f"Rename one to 'title'. The columns are: {shown}."
                )
    except csv.Error as error:
        raise InputError(f"Not a table: {error}.", where=f"{path}, line {lines.line_num}") from error


def _ris(text: str, path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    fields: dict[str, str] = {}
    start, last = 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        match = _RIS.match(line.rstrip())
        if match is None:
            if line.strip() and start and last in fields:
                fields[last] += f" {line.strip()}"
            continue
        last, value = match[1], match[2].strip()
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


def _tagged(text: str, path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """The records of Web of Science's plain text: two letters, a space and a value; lines without letters go on."""
    fields: dict[str, str] = {}
    start, last = 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        match = _TAGGED.match(line.rstrip())
        if match is None:
            if line.startswith("   ") and last in fields:
                fields[last] += f"{' and ' if last in ('AU', 'AF') else ' '}{line.strip()}"
            continue
        last, value = match[1], (match[2] or "").strip()
        if last == "PT":
            if start:
                raise InputError("A record does not end with 'ER'.", where=f"{path}, line {start}")
            fields, start = {}, number
        elif last == "ER" and start:
            yield f"line {start}", fields
            start = 0
        elif start:
            fields[last] = value
    if start:
        raise InputError("The last record does not end with 'ER'.", where=f"{path}, line {start}")


def _endnote(text: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The records of EndNote's import format: a per cent sign, a letter and a value; %0 begins a record."""
    fields: dict[str, str] = {}
    start, last = 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        match = _ENDNOTE.match(line.rstrip())
        if match is None:
            if line.strip() and last in fields:
                fields[last] += f" {line.strip()}"
            continue
        last, value = match[1], (match[2] or "").strip()
        if last == "0":
            if start:
                yield f"line {start}", fields
            fields, start = {}, number
        elif start:
            fields[last] = (
                f"{fields[last]} and {value}" if last in fields and last == "A" else fields.get(last) or value
            )
    if start:
        yield f"line {start}", fields


def _bibtex(text: str, path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    place = 0
    macros: dict[str, str] = {}
    # A volume that entries refer to is not a hit of its own.
    volumes = {one.strip().lower() for one in re.findall(r"crossref\s*=\s*[{\"]([^}\"]*)", text, re.IGNORECASE)}
    while (match := _ENTRY.search(text, place)) is not None:
        line = text.count("\n", 0, match.start()) + 1
        closing = "}" if match[2] == "{" else ")"
        end = _closing(text, match.end(), closing)
        if end is None:
            raise InputError("The entry is not closed.", where=f"{path}, line {line}")
        body, place = text[match.end() : end], end + 1
        kind = match[1].lower()
        if kind == "string":
            macros |= _fields(body, macros)
        elif kind not in _NO_ENTRIES:
            key, _, fields = body.partition(",")
            if key.strip().lower() not in volumes:
                yield f"line {line}", dict(_fields(fields, macros))


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


def _fields(body: str, macros: Mapping[str, str]) -> Iterator[tuple[str, str]]:
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
                word = bare[0] if bare else ""
                values.append(macros.get(word.lower(), word))
                place += len(word)
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

    def letter(match: re.Match[str]) -> str:
        return unicodedata.normalize("NFC", (match[2] or match[3]) + _ACCENTS[match[1]])

    text = re.sub(r"\\([\'`^\"~=.])\s*\{?\\?([A-Za-zıi])\}?", accent, text)
    text = re.sub(r"\\([cvHukrdb])(?:\s*\{\\?([A-Za-z])\}|\s+([A-Za-z])\b)", letter, text)
    text = re.sub(r"\\([&%_#$])", lambda match: match[1], text)
    text = re.sub(r"\\([A-Za-z]+)(?:\s*\{\}|\s+|(?![A-Za-z]))", lambda match: _SPECIAL.get(match[1], ""), text)
    return " ".join(text.replace("{", "").replace("}", "").replace("~", " ").replace("--", "–").split())
