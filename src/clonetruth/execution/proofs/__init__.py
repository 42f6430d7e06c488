"""Proofs: provers that reason about two functions, as a second stage behind running them."""

from clonetruth.execution.proofs.proof import Proof, Prover
from clonetruth.execution.proofs.registry import PROVERS, provers_of

__all__ = ["PROVERS", "Proof", "Prover", "provers_of"]
