"""How far judges agree, and whether more than by chance."""

from clonetruth.truth.agreement.measuring import COEFFICIENT_WORDS, Agreement, AgreementInterval, measure_agreement
from clonetruth.truth.agreement.ratings import Ratings
from clonetruth.truth.agreement.report import (
    AgreementOptions,
    AgreementReport,
    agreement_of_benchmark,
    agreement_of_study,
)

__all__ = [
    "COEFFICIENT_WORDS",
    "Agreement",
    "AgreementInterval",
    "AgreementOptions",
    "AgreementReport",
    "Ratings",
    "agreement_of_benchmark",
    "agreement_of_study",
    "measure_agreement",
]
