"""The flow of a literature study: hits, duplicates, exclusions with a reason, papers that stay.

The reasons are a closed list, so that two studies can be compared. Decisions are a CSV file that people edit.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from clonetruth.errors import InputError
from clonetruth.formats.tables import read_rows
from clonetruth.literature.exports import PaperRecord, plain_doi, read_export
from clonetruth.options.declaration import verb
from clonetruth.options.literature import CollectOptions
from clonetruth.store.atomic import new_folder


class ExclusionReason(StrEnum):
    """Why a paper is excluded. The last two need the paper itself; the others are found by screening."""

    RETRACTED = "retracted"
    NOT_ENGLISH = "not-english"
    INACCESSIBLE = "inaccessible"
    IRRELEVANT = "irrelevant"
    OWN_WORK = "own-work"
    ORIGINAL = "original-paper"
    SURVEY = "survey"
    NOT_USED = "does-not-use-it"


READ_REASONS = (ExclusionReason.SURVEY, ExclusionReason.NOT_USED)
"""Reasons that need the paper itself."""

_COLUMNS = ("title", "authors", "venue", "year", "doi", "libraries", "decision")


@dataclass(frozen=True)
class CollectedPaper:
    """A paper, with all records of it.

    Attributes:
        record: the record with the most information.
        records: all records.
        reason: why it is excluded; None if it stays.
        added: whether it was added by hand.
    """

    record: PaperRecord
    records: tuple[PaperRecord, ...]
    reason: ExclusionReason | None = None
    added: bool = False


@dataclass(frozen=True)
class PaperCollection:
    """A literature study's papers, and their flow.

    Attributes:
        papers: the papers without duplicates, in the order of their first record.
        hits: the number of records of each library.
        alike: papers with the same title that stay apart, because their DOIs and years differ.
        unused: decisions that fit no paper.
        path: the folder that was written; None if none was.
    """

    papers: tuple[CollectedPaper, ...]
    hits: Mapping[str, int]
    alike: tuple[tuple[str, str], ...] = ()
    unused: tuple[str, ...] = ()
    path: Path | None = None

    @property
    def flow(self) -> Mapping[str, int]:
        """The counts from hits to included papers, as a PRISMA diagram has them."""
        reasons = Counter(one.reason for one in self.papers)
        added = sum(one.added for one in self.papers)
        hits = sum(self.hits.values())
        unique = len(self.papers) - added
        screening = {reason: reasons[reason] for reason in ExclusionReason if reason not in READ_REASONS}
        assessed = len(self.papers) - sum(screening.values())
        return {
            "hits": hits,
            "duplicates": hits - unique,
            **{f"excluded: {reason}": number for reason, number in screening.items()},
            "screened": assessed - added,
            "added by hand": added,
            "assessed": assessed,
            **{f"excluded: {reason}": reasons[reason] for reason in READ_REASONS},
            "included": reasons[None],
        }


@verb(CollectOptions)
def collect_papers(options: CollectOptions) -> PaperCollection:
    """Collect papers from exports of digital libraries: duplicates removed, exclusions counted by reason.

    Returns:
        The papers, and the flow from hits to included papers.

    Raises:
        InputError: an export or the decisions cannot be read, a reason is unknown, or the output exists.

    Example:
        >>> clonetruth.collect_papers("scopus.bib").flow["duplicates"]
        1
    """
    records = [record for path in options.exports for record in read_export(path)]
    papers, alike = merge_records(records)
    added = [record for path in options.added for record in read_export(path)]
    known = {key for one in papers for key in _keys(one)}
    papers += [
        CollectedPaper(one.record, one.records, added=True)
        for one in merge_records(added)[0]
        if known.isdisjoint(_keys(one))
    ]
    decisions = _decisions(options.decisions) if options.decisions else {}
    decided = [_decided(one, decisions) for one in papers]
    used = {key for one in papers for key in _keys(one)}
    hits = Counter(one.library for one in records)
    found = PaperCollection(
        tuple(decided),
        dict(hits),
        tuple(alike),
        tuple(place for key, (_, place) in decisions.items() if key not in used),
    )
    if options.output is None:
        return found
    with new_folder(options.output) as folder:
        (folder / "papers.csv").write_text(papers_csv(found.papers), encoding="utf-8", newline="")
        (folder / "flow.csv").write_text(_csv([("step", "papers"), *found.flow.items()]), encoding="utf-8", newline="")
    return PaperCollection(found.papers, found.hits, found.alike, found.unused, options.output)


def merge_records(records: Sequence[PaperRecord]) -> tuple[list[CollectedPaper], list[tuple[str, str]]]:
    """Records of the same paper together: the same DOI, or the same title unless DOIs and years both differ.

    Returns:
        The papers, and the pairs of places of records with the same title that stay apart.
    """
    groups: list[list[PaperRecord]] = []
    by_doi: dict[str, int] = {}
    by_title: dict[str, list[int]] = {}
    alike: list[tuple[str, str]] = []
    for record in records:
        number = by_doi.get(record.doi) if record.doi else None
        for other in by_title.get(record.title_key, ()):
            if other == number or not groups[other]:
                continue
            if not _same(record, groups[other]):
                if number is None:
                    alike.append((groups[other][0].place, record.place))
            elif number is None:
                number = other
            elif not any(one.doi for one in groups[other]):
                # Its DOI leads to one group and its title to another, which has none: both are the same paper.
                groups[number] += groups[other]
                groups[other] = []
        if number is None:
            number = len(groups)
            groups.append([])
        groups[number].append(record)
        if record.doi:
            by_doi.setdefault(record.doi, number)
        for key in {one.title_key for one in groups[number]}:
            if number not in by_title.setdefault(key, []):
                by_title[key].append(number)
    groups = [group for group in groups if group]
    best = [max(group, key=lambda one: (bool(one.doi), bool(one.authors), one.year is not None)) for group in groups]
    return [CollectedPaper(one, tuple(group)) for one, group in zip(best, groups, strict=True)], alike


def _same(record: PaperRecord, group: Sequence[PaperRecord]) -> bool:
    """Whether a record with the title of a group is the same paper: a preprint and its publication are."""
    dois = {one.doi for one in group if one.doi}
    years = {one.year for one in group if one.year is not None}
    other_doi = bool(record.doi) and bool(dois) and record.doi not in dois
    other_year = record.year is not None and bool(years) and min(abs(record.year - year) for year in years) > 1
    return not (other_doi and other_year)


def _keys(paper: CollectedPaper) -> set[str]:
    return {key for one in paper.records for key in (one.doi, one.title_key) if key}


def _decisions(path: Path) -> dict[str, tuple[ExclusionReason, str]]:
    """The reasons in a file of decisions, by DOI and by title. An empty decision keeps a paper."""
    found: dict[str, tuple[ExclusionReason, str]] = {}
    for row in read_rows(path):
        values = {str(name).strip().lower(): str(value or "").strip() for name, value in row.values.items()}
        reason, place = values.get("decision") or values.get("reason") or "", f"{path}, line {row.line}"
        if not reason:
            continue
        if reason not in set(ExclusionReason):
            raise InputError(
                f"'{reason}' is not a reason for exclusion.", where=place, hint=f"Known: {', '.join(ExclusionReason)}."
            )
        doi = plain_doi(values.get("doi", ""))
        title = PaperRecord(values.get("title", ""), "", place).title_key
        if not doi and not title:
            raise InputError("The decision names neither a DOI nor a title.", where=place)
        found[doi or title] = (ExclusionReason(reason), place)
    return found


def _decided(paper: CollectedPaper, decisions: Mapping[str, tuple[ExclusionReason, str]]) -> CollectedPaper:
    for key in _keys(paper):
        if key in decisions:
            return CollectedPaper(paper.record, paper.records, decisions[key][0], paper.added)
    return paper


def papers_csv(papers: Sequence[CollectedPaper]) -> str:
    """The papers as CSV, with a column `decision` to fill in."""
    rows = [
        (
            one.record.title,
            one.record.authors,
            one.record.venue,
            one.record.year or "",
            one.record.doi,
            "; ".join(dict.fromkeys(record.library for record in one.records)),
            one.reason or "",
        )
        for one in papers
    ]
    return _csv([_COLUMNS, *rows])


def _csv(rows: Sequence[Sequence[object]]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue()
