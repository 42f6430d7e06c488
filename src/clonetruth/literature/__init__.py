"""Claims of papers: the ledger of their numbers, and audits of papers themselves."""

from clonetruth.literature.answers import PaperAnswer, ReadAnswers
from clonetruth.literature.ask import PaperStudy, ask_papers
from clonetruth.literature.collection import (
    CollectedPaper,
    ExclusionReason,
    PaperCollection,
    collect_papers,
    merge_records,
)
from clonetruth.literature.documents import PaperText, find_papers, read_paper
from clonetruth.literature.exports import PaperRecord, read_export
from clonetruth.literature.ledger import ClaimVerdict, Ledger, LedgerData, LedgerEntry, LedgerPaper, read_ledger
from clonetruth.literature.mentions import DatasetMention, PaperCheck, PaperSentence, check_papers
from clonetruth.literature.pilot import PilotDifference, PilotVersion, ProtocolPilot, pilot_protocol
from clonetruth.literature.protocol import PaperProtocol, PaperQuestion, find_paper_protocol
from clonetruth.literature.quotes import QuoteCheck, QuoteChecker, QuoteState
from clonetruth.literature.reproduce import LedgerReport, ReproducedClaim, RunState, reproduce_claims

__all__ = [
    "ClaimVerdict",
    "CollectedPaper",
    "DatasetMention",
    "ExclusionReason",
    "Ledger",
    "LedgerData",
    "LedgerEntry",
    "LedgerPaper",
    "LedgerReport",
    "PaperAnswer",
    "PaperCheck",
    "PaperCollection",
    "PaperProtocol",
    "PaperQuestion",
    "PaperRecord",
    "PaperSentence",
    "PaperStudy",
    "PaperText",
    "PilotDifference",
    "PilotVersion",
    "ProtocolPilot",
    "QuoteCheck",
    "QuoteChecker",
    "QuoteState",
    "ReadAnswers",
    "ReproducedClaim",
    "RunState",
    "ask_papers",
    "check_papers",
    "collect_papers",
    "find_paper_protocol",
    "find_papers",
    "merge_records",
    "pilot_protocol",
    "read_export",
    "read_ledger",
    "read_paper",
    "reproduce_claims",
]
