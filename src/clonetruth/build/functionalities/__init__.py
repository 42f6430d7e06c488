"""Functionalities that a dataset dropped, recovered, with evidence and a measured confidence."""

from clonetruth.build.functionalities.builder import (
    RECIPE,
    RecoveryCheck,
    build_functionalities,
    check_functionalities,
)
from clonetruth.build.functionalities.check import CheckedShare, CurvePoint, FunctionalityPoint, RecoveryResult
from clonetruth.build.functionalities.recovery import FunctionalityAssignment, Recovery, RecoveryOptions, recover

__all__ = [
    "RECIPE",
    "CheckedShare",
    "CurvePoint",
    "FunctionalityAssignment",
    "FunctionalityPoint",
    "Recovery",
    "RecoveryCheck",
    "RecoveryOptions",
    "RecoveryResult",
    "build_functionalities",
    "check_functionalities",
    "recover",
]
