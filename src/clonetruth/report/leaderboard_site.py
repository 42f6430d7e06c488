"""A static site of results on TrueClones: checked as far as a file can be, and marked as what it is.

A hash shows that a file belongs to a benchmark and was not edited by accident. It does not prove a score: what was not
computed again here is self-reported.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from markupsafe import Markup

from clonetruth.detectors import is_detector_name
from clonetruth.errors import CloneTruthError, InputError
from clonetruth.evaluate import benchmark_detector
from clonetruth.evaluate.trueclones import MATCHED, shipped_hash
from clonetruth.html import Column, Page, Section, Table, bullets, lead, note, write
from clonetruth.html.badge import badge
from clonetruth.html.blocks import Content
from clonetruth.html.numbers import decimal
from clonetruth.store import hash_json
from clonetruth.store.atomic import new_folder
from clonetruth.store.results import Measurement, MeasurementGroup, Result, read_result, result_text

_BENCHMARK, _VERB = "trueclones", "benchmark"
_TOLERANCE = 1e-9
_METRICS = {"roc-auc": "ROC AUC", MATCHED: "matched", "f1": "F1"}
_SEPARATION = (("roc-auc", "specificity"), "ROC AUC, or, without clones, the specificity")
_SHOWN = {"view": (("f1",), "F1 on its test part, at the threshold that is best on its valid part")}
"""Which number a table shows, and its name (default: how well clones are separated)."""
_LONGEST_NAME = 120
_MOST_GROUPS = 60
"""Five languages have ten pairs; each group is a column for all other results, too."""
_TABLES = ("stratum", "difficulty", "language", "language pair", "view")
_NO_BREAK = "\u00a0"


class Standing(StrEnum):
    """Who vouches for a result."""

    SELF_REPORTED = "self-reported"
    RECOMPUTED = "recomputed here"
    DIFFERS = "recomputed here, and different"


@dataclass(frozen=True)
class SiteEntry:
    """A result on the site."""

    path: Path
    result: Result
    standing: Standing
    is_shipped: bool


@dataclass(frozen=True)
class LeaderboardSite:
    """What was written.

    Attributes:
        path: the folder of the site.
        entries: the results on it.
        left_out: files that are not on it, each with the reason.
    """

    path: Path
    entries: tuple[SiteEntry, ...]
    left_out: tuple[tuple[Path, str], ...]


def write_leaderboard_site(sources: Sequence[str | Path], output: Path, *, recompute: bool = False) -> LeaderboardSite:
    """Write a static site of the results that `clonetruth benchmark -o` wrote.

    Args:
        sources: files, or folders of files.
        output: the new folder.
        recompute: compute the results of detectors that are registered here again.

    Raises:
        InputError: no result is left, or the folder exists.
    """
    shipped = shipped_hash()
    entries: list[SiteEntry] = []
    left_out: list[tuple[Path, str]] = []
    for path in _files(sources):
        try:
            result = read_result(path)
        except InputError as error:
            left_out.append((path, error.what.rstrip(".")))
            continue
        if reason := next(_wrong(result), None):
            left_out.append((path, reason))
            continue
        is_shipped = result.benchmark.content_hash == shipped
        standing = _standing(result) if recompute and is_shipped else Standing.SELF_REPORTED
        entry = SiteEntry(path, result, standing, is_shipped)
        same = (
            at
            for at, one in enumerate(entries)
            if one.result.detector == result.detector and _same_data(one.result, result)
        )
        if (known := next(same, None)) is None:
            entries.append(entry)
            continue
        if standing is Standing.RECOMPUTED:
            # A name that comes first must not keep what was computed here off the page.
            entries[known], entry = entry, entries[known]
        shown = entries[known]
        numbers = "the same" if _same_numbers(shown.result, entry.result) else "other"
        why = f"{shown.path.name} is of '{result.detector}' on the same data, with {numbers} numbers"
        left_out.append((entry.path, why))
    if not entries:
        reasons = "; ".join(f"{path.name}: {reason}" for path, reason in left_out[:3])
        raise InputError("No result can be shown.", hint=reasons or "The folder has no .json file.")
    with new_folder(output) as folder:
        (folder / "results").mkdir()
        (folder / "badges").mkdir()
        for number, one in enumerate(entries, 1):
            name = _name(one, number)
            (folder / "results" / f"{name}.json").write_text(result_text(one.result), encoding="utf-8")
            auc = one.result["roc-auc"]
            text = f"AUC {_number(auc)}"
            (folder / "badges" / f"{name}.svg").write_text(badge("TrueClones", text, auc.value), encoding="utf-8")
        write(_page(entries, left_out), folder / "index.html")
    return LeaderboardSite(output, tuple(entries), tuple(left_out))


def _files(sources: Iterable[str | Path]) -> Iterator[Path]:
    for source in map(Path, sources):
        if source.is_dir():
            yield from sorted(one for one in source.iterdir() if one.suffix == ".json")
        else:
            yield source


def _wrong(result: Result) -> Iterator[str]:
    """What shows that a result is not what it says."""
    manifest = result.manifest
    if manifest.configuration.get("verb") != _VERB:
        yield "it was not made by `clonetruth benchmark`"
    if hash_json(dict(manifest.configuration)) != manifest.configuration_digest:
        yield "its configuration does not have the digest that it states: it was edited"
    if manifest.inputs.get("benchmark") != result.benchmark.content_hash:
        yield "the hash of its benchmark differs from that of its inputs: it was edited"
    if manifest.configuration.get("detector") != result.detector:
        yield "the name of its detector is not the one that was measured"
    # A name of 5,000 letters, or written from right to left, would make the page unreadable for all others.
    for text, what in _shown_texts(result):
        if not (text.strip() and text.isprintable() and len(text) <= _LONGEST_NAME):
            yield f"{what} is empty, too long, or has characters that are not shown"
    if any(len(one.groups) > _MOST_GROUPS for one in result.strata if one.by in _TABLES):
        yield f"it has more than {_MOST_GROUPS} groups of one kind"
    if not re.fullmatch(r"[0-9a-f]{64}", result.benchmark.content_hash or ""):
        yield "the hash of its benchmark is not a SHA-256"
    for one, of in _shown_measurements(result):
        low, high = 0 if one.low is None else one.low, 1 if one.high is None else one.high
        if one.value is not None and not 0 <= low <= one.value <= high <= 1:
            yield f"its {one.name}{of} is not a share with an interval around it"
    if result.measurement("roc-auc") is None:
        yield "it has no ROC AUC"


def _shown_texts(result: Result) -> Iterator[tuple[str, str]]:
    """Every text of a result that the page shows, and what it is."""
    yield result.detector, "the name of its detector"
    yield result.benchmark.name, "the name of its benchmark"
    yield result.benchmark.version or "1", "the version of its benchmark"
    yield result.manifest.versions.get("clonetruth", "") or "-", "its version of clonetruth"
    for stratum in result.strata:
        if stratum.by in _TABLES:
            yield from ((group.name, f"the name of a {stratum.by}") for group in stratum.groups)


def _shown_measurements(result: Result) -> Iterator[tuple[Measurement, str]]:
    """Every number of a result that the page shows, and what it is of."""
    yield from ((one, "") for one in result.headline)
    for stratum in result.strata:
        if stratum.by in _TABLES:
            for group in stratum.groups:
                yield from ((one, f" of the {stratum.by} {group.name}") for one in group.measurements)


def _same_data(one: Result, other: Result) -> bool:
    return one.benchmark.content_hash == other.benchmark.content_hash


def _standing(result: Result) -> Standing:
    """Compute a result again, where the detector is one that this machine has."""
    if not is_detector_name(result.detector):
        return Standing.SELF_REPORTED
    seed = result.manifest.configuration.get("views_seed", 0)
    try:
        own = benchmark_detector(result.detector, seed=seed)
    except CloneTruthError:
        return Standing.SELF_REPORTED
    return Standing.RECOMPUTED if _same_numbers(own, result) else Standing.DIFFERS


def _same_numbers(one: Result, other: Result) -> bool:
    """Whether a result states every number of another one."""
    for measured in one.headline:
        stated = other.measurement(measured.name)
        if stated is None or (stated.value is None) is not (measured.value is None):
            return False
        if measured.value is not None and stated.value is not None and abs(measured.value - stated.value) > _TOLERANCE:
            return False
    return True


def _name(entry: SiteEntry, number: int) -> str:
    return f"{number:03d}-{re.sub(r'[^A-Za-z0-9.-]+', '-', entry.result.detector)[:60]}"


def _number(one: Measurement | None) -> str:
    if one is None or one.value is None:
        return "–"
    shown = f"{one.value:.2f}"
    known = one.low is not None and one.high is not None
    # An interval is read as one word; a wide table scrolls.
    return f"{shown} [{decimal(one.low)}, {decimal(one.high)}]".replace(" ", _NO_BREAK) if known else shown


def _page(entries: Sequence[SiteEntry], left_out: Sequence[tuple[Path, str]]) -> Page:
    groups: dict[str | None, list[tuple[int, SiteEntry]]] = {}
    for number, one in enumerate(entries, 1):
        groups.setdefault(one.result.benchmark.content_hash, []).append((number, one))
    sections = []
    for digest, members in sorted(groups.items(), key=lambda item: not item[1][0][1].is_shipped):
        # The name and the version are what most of its results state: a hash says what data it is, and they do not.
        stated = Counter((one.result.benchmark.name, one.result.benchmark.version) for _, one in members)
        ((name, version), _), *_ = stated.most_common(1)
        members.sort(key=lambda item: -(item[1].result["roc-auc"].value or 0.0))
        which = "as it ships" if members[0][1].is_shipped else "another draw or version"
        blocks: list[Content] = [
            note(f"Content hash {digest}, {which}. Only numbers of the same content hash can be compared."),
            _board(members),
            *(_table(by, members) for by in _TABLES),
        ]
        heading = f"{name} {version or ''}".strip() + ("" if members[0][1].is_shipped else f" ({str(digest)[:12]})")
        sections.append(Section(heading, blocks, anchor=f"data-{digest}"))
    if left_out:
        said = [f"{path.name}: {reason}." for path, reason in left_out]
        sections.append(Section("Files that are left out", [bullets(said)]))
    return Page(
        title="TrueClones leaderboard",
        subtitle="Detectors on a benchmark whose every label was executed",
        opening=[
            lead(
                "The core set has clones and non-clones of the same similarity, length and language: a ROC AUC of 0.5 "
                "is what text alone reaches."
            ),
            note(
                "Hashes show that a result belongs to a benchmark and was not edited by accident. They do not prove a "
                "score: what was not computed again for this page is marked as self-reported."
            ),
        ],
        sections=sections,
    )


def _board(members: Sequence[tuple[int, SiteEntry]]) -> Table:
    rows = []
    for number, one in members:
        name = _name(one, number)
        link = Markup('<a href="results/{}.json">result</a>, <a href="badges/{}.svg">badge</a>').format(name, name)
        numbers = [_number(one.result.measurement(metric)) for metric in _METRICS]
        versions = one.result.manifest.versions.get("clonetruth", "")
        rows.append((one.result.detector, *numbers, str(one.standing), versions, link))
    heads = ("detector", *_METRICS.values(), "standing", "clonetruth", "files")
    return Table(tuple(map(Column, heads)), rows, "The core set, with 95 % intervals", filterable=True)


def _table(by: str, members: Sequence[tuple[int, SiteEntry]]) -> Table:
    names: dict[str, None] = {}
    found: list[tuple[str, dict[str, MeasurementGroup]]] = []
    for _, one in members:
        groups = {group.name: group for stratum in one.result.strata if stratum.by == by for group in stratum.groups}
        names |= dict.fromkeys(groups)
        found.append((one.result.detector, groups))
    metrics, said = _SHOWN.get(by, _SEPARATION)
    rows = [(detector, *(_of_group(groups.get(name), metrics) for name in names)) for detector, groups in found]
    return Table((Column("detector"), *map(Column, names)), rows, f"By {by}: {said}")


def _of_group(group: MeasurementGroup | None, metrics: Sequence[str]) -> str:
    by_name = {one.name: one for one in group.measurements} if group else {}
    return _number(next((by_name[name] for name in metrics if name in by_name), None))
