"""Recovering functionalities that a dataset dropped, with evidence and a measured confidence."""

from clonetruth.build.functionalities.builder import (
    RECIPE,
    RecoveredFunctionalities,
    RecoveryCheck,
    build_functionalities,
    check_functionalities,
    recover_functionalities,
)
from clonetruth.build.functionalities.check import CheckedShare, CurvePoint, FunctionalityPoint, RecoveryResult
from clonetruth.build.functionalities.recovery import FunctionalityAssignment, Recovery, RecoveryParameters, recover

__all__ = [
    "RECIPE",
    "CheckedShare",
    "CurvePoint",
    "FunctionalityAssignment",
    "FunctionalityPoint",
    "RecoveredFunctionalities",
    "Recovery",
    "RecoveryCheck",
    "RecoveryParameters",
    "RecoveryResult",
    "build_functionalities",
    "check_functionalities",
    "recover",
    "recover_functionalities",
]
