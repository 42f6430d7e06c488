"""`clonetruth reproduce` and `clonetruth literature …`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from clonetruth.options.declaration import Options, argument, option
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

    EXPORT is a BibTeX, RIS, EndNote or CSV file, or a text file of Web of Science, plain or compressed; an
    export that does not name its library is counted under its file name. Records with the same DOI or title are one
    paper. -o writes FOLDER/papers.csv: fill in its column 'decision', and pass the file as --decisions to count the
    flow again.
    """

    exports: tuple[Path, ...] = argument(metavar="EXPORT", help="The exports.")
    decisions: Path | None = option(
        None,
        setting=False,
        metavar="FILE",
        help="CSV file with doi or title, and the reason to exclude the paper in 'decision'.",
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


@dataclass(frozen=True, kw_only=True)
class AskingOptions(Options):
    """How a model is asked about papers."""

    papers: tuple[Path, ...] = argument(metavar="PAPER", help="Papers as PDF or text, or folders of them.")
    model: str = option(help="The model's name on the server.")
    protocol: str = option(
        "krinke-literature", help="What is asked: krinke-literature, krinke-2022, or a TOML file (docs/literature.md)."
    )
    base_url: str | None = option(None, help="A server with OpenAI's chat API (default: OpenAI).")
    prices: Path | None = option(None, project=False, help="Prices per million tokens, TOML or JSON.")
    budget: float | None = option(None, minimum=0, project=False, help="Maximum total cost of all calls.")
    concurrency: int = option(4, minimum=1, maximum=256, help="Number of concurrent requests.")
    rate: str | None = option(
        None, metavar="N/min", accepts="float", help="Maximum request rate, for example 120/min, 2/s or 7200/h."
    )
    timeout: float = option(300.0, minimum=0.1, help="Seconds to wait for an answer.")
    tries: int = option(6, minimum=1, project=False, help="Attempts per question.")
    replay: bool = option(False, setting=False, help="Ask nothing: use only the answers stored in the output folder.")
    output: Path = option(
        names=("-o",), setting=False, help="Folder for answers and tables: new, or that of an earlier run."
    )


@dataclass(frozen=True, kw_only=True)
class AskPapersOptions(AskingOptions, JsonOptions, command="literature ask", function="ask_papers"):
    """Ask a language model about papers, and look up each of its quotes in the paper.

    Every answer is stored in OUTPUT before it is used, and is not paid for twice. An answer whose quote is not in the
    paper, or was altered, is marked and never counted. OUTPUT/study holds the counted answers for people to confirm:
    `clonetruth study serve OUTPUT/study`; run the command again for the agreement between them and the model. Exits
    with 1 if questions are left without an answer.
    """

    runs: int = option(1, minimum=1, project=False, help="Number of times each paper is asked about.")


@dataclass(frozen=True, kw_only=True)
class PilotPapersOptions(AskingOptions, JsonOptions, command="literature pilot", function="pilot_protocol"):
    """Try a protocol on a sample of papers: asked twice, and compared with earlier versions on the same papers.

    The sample is drawn once and kept in OUTPUT; after a change of the protocol, the same papers are asked about again.
    For each version, shows how far two runs agree, how many quotes are found, and what changed since the one before.
    """

    n: int = option(20, minimum=1, setting=False, help="Number of papers in the sample.")
    seed: int = option(0, setting=False, help="Random seed.")
