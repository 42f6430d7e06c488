"""`clonetruth reproduce` and `clonetruth literature …`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import argument, option
from clonetruth.options.shared import HtmlOptions, JsonOptions


@dataclass(frozen=True, kw_only=True)
class ReproduceOptions(HtmlOptions, JsonOptions, command="reproduce", function="reproduce_claims"):
    """Compute numbers of papers again, and compare them with what the papers print and with what we recorded.

    NAME is an entry of the ledger, or a paper (misuse, harmful, perspectives, generalizability, gptclonebench …) for
    all of its entries. Without NAME and --all, the ledger is listed and nothing is computed. Exits with 1 if a value
    deviates from the recorded one.
    """

    names: tuple[str, ...] = argument((), metavar="NAME", help="Entries of the ledger, or papers.")
    all: bool = option(
        False,
        setting=False,
        help="Compute every entry whose data is at hand, and write a page (ledger.html by default).",
    )
    data: tuple[Path, ...] = option(
        (), metavar="FOLDER", help="Folder that holds data folders (bcb406, bigclonebench …); may be repeated."
    )
