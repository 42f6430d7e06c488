"""Functionalities that a dataset dropped, recovered, with evidence and a measured confidence."""

from clonetruth.build.functionalities.builder import (
    RECIPE,
    RecoveryCheck,
    build_functionalities,
    check_functionalities,
)
from clonetruth.build.functionalities.check import Check, CurvePoint, FunctionalityPoint, Share
from clonetruth.build.functionalities.recovery import Assignment, Recovery, RecoveryOptions, recover

__all__ = [
    "RECIPE",
    "Assignment",
    "Check",
    "CurvePoint",
    "FunctionalityPoint",
    "Recovery",
    "RecoveryCheck",
    "RecoveryOptions",
    "Share",
    "build_functionalities",
    "check_functionalities",
    "recover",
]
