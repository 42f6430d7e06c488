"""Claims of papers: the ledger of their numbers, and audits of papers themselves."""

from clonetruth.literature.ledger import ClaimVerdict, Ledger, LedgerData, LedgerEntry, LedgerPaper, read_ledger
from clonetruth.literature.reproduce import LedgerReport, ReproducedClaim, RunState, reproduce_claims

__all__ = [
    "ClaimVerdict",
    "Ledger",
    "LedgerData",
    "LedgerEntry",
    "LedgerPaper",
    "LedgerReport",
    "ReproducedClaim",
    "RunState",
    "read_ledger",
    "reproduce_claims",
]
