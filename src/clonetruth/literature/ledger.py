"""The ledger: numbers of papers, one entry each in `ledger.toml`, with what we got and what follows.

An entry's number is written as in the paper (`"93.3 %"`, `"8,915,130"`), because the digits that a paper prints say how
exact it means to be. The value that we recorded is compared with every new run.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from importlib.resources import files
from typing import Any

from clonetruth.errors import InputError, UnknownNameError
from clonetruth.parsing import parse_toml

_FILE = "ledger.toml"
_NUMBER = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+|[+-]?\d+(?:\.(?P<decimals>\d+))?")
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class ClaimVerdict(StrEnum):
    """What we conclude about a number of a paper."""

    REPRODUCED = "reproduced"
    REFUTED = "refuted"
    UNDECIDABLE = "not decidable here"


@dataclass(frozen=True)
class LedgerPaper:
    """A paper whose numbers are checked."""

    key: str
    citation: str
    url: str = ""


@dataclass(frozen=True)
class LedgerData:
    """Data that a check needs.

    Attributes:
        name: the name of its folder below a folder given as `data`.
        description: what it holds.
        get: where to get it.
    """

    name: str
    description: str
    get: str


@dataclass(frozen=True)
class LedgerEntry:
    """A number of a paper, and what we know about it.

    Attributes:
        name: its name, for `clonetruth reproduce NAME`.
        claim: what the paper says, in our words.
        reported: the number as the paper prints it.
        paper: the paper's key.
        place: the page, section or table.
        how: how we compute it.
        verdict: what we concluded from the recorded value.
        check: the name of the check function; None if there is none.
        parameters: its parameters.
        data: the names of the data that it needs.
        value: what we got; None if we never had the data.
        within: how far the value may be from the printed number (default: half a unit of its last digit).
        part: what part of the data the value was computed on, if not all of it; such a value decides nothing.
        note: what follows, or why it is not decidable here.
    """

    name: str
    claim: str
    reported: str
    paper: str
    place: str
    how: str
    verdict: ClaimVerdict
    check: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    data: tuple[str, ...] = ()
    value: float | None = None
    within: float | None = None
    part: str = ""
    note: str = ""

    @property
    def number(self) -> float:
        """The printed number."""
        return printed_number(self.reported)[0]

    @property
    def tolerance(self) -> float:
        """How far a value may be from the printed number to agree with it."""
        return printed_number(self.reported)[1] if self.within is None else self.within

    def judge(self, value: float) -> ClaimVerdict:
        """What a value says about the printed number. A value of a part of the data decides nothing."""
        if self.part:
            return ClaimVerdict.UNDECIDABLE
        # Half a unit is inclusive, and must stay so in binary fractions.
        agrees = abs(value - self.number) <= self.tolerance * (1 + 1e-9) + 1e-12
        return ClaimVerdict.REPRODUCED if agrees else ClaimVerdict.REFUTED


@dataclass(frozen=True)
class Ledger:
    """All entries, with the papers and the data that they name."""

    papers: Mapping[str, LedgerPaper]
    data: Mapping[str, LedgerData]
    entries: Mapping[str, LedgerEntry]

    def select(self, names: Sequence[str]) -> list[LedgerEntry]:
        """The named entries; a name can also be a paper's key, for all of its entries.

        Raises:
            UnknownNameError: there is no such entry.
        """
        found: dict[str, LedgerEntry] = {}
        for name in names:
            if name in self.papers:
                found.update((one.name, one) for one in self.entries.values() if one.paper == name)
            elif name in self.entries:
                found[name] = self.entries[name]
            else:
                raise UnknownNameError.suggest("claim", name, [*self.papers, *self.entries])
        return list(found.values())


def printed_number(text: str) -> tuple[float, float]:
    """A number as printed, and half a unit of its last digit; `"93.3 %"` is 0.933 and 0.0005.

    Raises:
        ValueError: the text is not a number.
    """
    plain = text.strip().removesuffix("%").strip()
    match = _NUMBER.fullmatch(plain)
    if match is None:
        raise ValueError(f"'{text}' is not a number")
    scale = 0.01 if text.strip().endswith("%") else 1.0
    decimals = len(match["decimals"] or "")
    # A count is exact; a share in whole per cent is not.
    exact = not decimals and scale == 1.0
    return float(plain.replace(",", "")) * scale, 0.0 if exact else 0.5 * 10.0**-decimals * scale


@functools.cache
def read_ledger() -> Ledger:
    """The ledger that ships with clonetruth."""
    text = files("clonetruth.literature").joinpath(_FILE).read_text(encoding="utf-8")
    return parse_ledger(text, _FILE)


def parse_ledger(text: str, where: object) -> Ledger:
    """The ledger in a TOML text.

    Raises:
        InputError: it is not valid; the message names the entry.
    """
    try:
        content = parse_toml(text)
    except ValueError as error:
        raise InputError(f"The ledger is not TOML: {error}.", where=where) from error
    papers = {key: LedgerPaper(key=key, **one) for key, one in content.get("paper", {}).items()}
    data = {key: LedgerData(name=key, **one) for key, one in content.get("data", {}).items()}
    entries: dict[str, LedgerEntry] = {}
    for row in content.get("claim", ()):
        name = str(row.get("name", "?"))
        problem = _problem(row, name, papers, data, entries)
        if problem:
            raise InputError(f"{problem}", where=f"{where}, claim '{name}'")
        known = {**row, "data": tuple(row.get("data", ())), "verdict": ClaimVerdict(row["verdict"])}
        entries[name] = LedgerEntry(**known)
    return Ledger(papers, data, entries)


_REQUIRED = ("name", "claim", "reported", "paper", "place", "how", "verdict")
_KNOWN = frozenset(LedgerEntry.__dataclass_fields__)


def _problem(
    row: Mapping[str, Any], name: str, papers: Mapping[str, Any], data: Mapping[str, Any], entries: Mapping[str, Any]
) -> str:
    """What is wrong with an entry; empty if nothing is."""
    missing = [key for key in _REQUIRED if not str(row.get(key, "")).strip()]
    unknown = [key for key in row if key not in _KNOWN]
    if missing or unknown:
        return f"'{missing[0]}' is missing." if missing else f"'{unknown[0]}' is not a key of a claim."
    if name in entries or not _NAME.fullmatch(name) or name in papers:
        return "The name is taken, or not made of lower-case words and hyphens."
    if row["paper"] not in papers or any(one not in data for one in row.get("data", ())):
        return "It names a paper or data that the ledger does not describe."
    try:
        printed_number(row["reported"])
        verdict = ClaimVerdict(row["verdict"])
    except ValueError as error:
        return f"{error}."
    if verdict is ClaimVerdict.UNDECIDABLE and not row.get("note"):
        return "A note must say why it is not decidable here."
    if "value" not in row:
        return "" if verdict is ClaimVerdict.UNDECIDABLE else "A verdict needs a recorded value."
    if "check" not in row:
        return "A recorded value needs the check that computes it."
    judged = LedgerEntry(**{**row, "data": tuple(row.get("data", ())), "verdict": verdict}).judge(row["value"])
    if judged is not verdict and verdict is not ClaimVerdict.UNDECIDABLE:
        return f"The recorded value says '{judged}', not '{verdict}'."
    return ""
