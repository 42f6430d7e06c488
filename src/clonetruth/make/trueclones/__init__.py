"""TrueClones: functionalities in folders, executed in every language, and fresh variants of them."""

from clonetruth.make.trueclones.evidence import ExaminedFolder, examine_folder, generated_inputs
from clonetruth.make.trueclones.evidence_files import EvidenceReport, EvidenceState, make_evidence
from clonetruth.make.trueclones.fragment_runs import FragmentResults, NotRunError, run_fragment
from clonetruth.make.trueclones.rewrites import REWRITES, rewritten

__all__ = [
    "REWRITES",
    "EvidenceReport",
    "EvidenceState",
    "ExaminedFolder",
    "FragmentResults",
    "NotRunError",
    "examine_folder",
    "generated_inputs",
    "make_evidence",
    "rewritten",
    "run_fragment",
]
