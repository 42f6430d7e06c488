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


@dataclass(frozen=True, kw_only=True)
class CollectOptions(JsonOptions, command="literature collect", function="collect_papers"):
    """Collect papers from exports of digital libraries: duplicates removed, exclusions counted by reason.

    EXPORT is a BibTeX, RIS or CSV file, plain or compressed; its name stands for the library if it does not name one.
    Records with the same DOI or title are one paper. With -o, FOLDER/papers.csv has a column to decide in; give the
    edited file as --decisions to count the flow again.
    """

    exports: tuple[Path, ...] = argument(metavar="EXPORT", help="The exports.")
    decisions: Path | None = option(
        None, setting=False, metavar="FILE", help="CSV with doi or title, and decision: why a paper is excluded."
    )
    added: tuple[Path, ...] = option(
        (), setting=False, metavar="EXPORT", help="Export of papers that were added by hand; may be repeated."
    )
    output: Path | None = option(None, names=("-o",), setting=False, help="Folder for papers.csv and flow.csv.")


@dataclass(frozen=True, kw_only=True)
class CheckPaperOptions(JsonOptions, command="literature check", function="check_papers"):
    """Show what a paper was measured on, and the known threats of each dataset. No language model is asked.

    PAPER is a PDF or text file, or a folder of them. Lists the sentences that name datasets, splits, metrics and
    thresholds, with their pages, and what is known about the labels, leaks and flaws of each dataset.
    """

    papers: tuple[Path, ...] = argument(metavar="PAPER", help="The papers.")
    sentences: int = option(3, minimum=0, help="Number of sentences to show for each dataset and topic.")
