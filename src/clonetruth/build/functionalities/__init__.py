"""Functionalities that a dataset dropped, recovered, with evidence and a measured confidence."""

from clonetruth.build.functionalities.building import RECIPE, build_functionalities, check_functionalities
from clonetruth.build.functionalities.recovery import Assignment, Recovery, RecoveryOptions, recover
from clonetruth.build.functionalities.trials import CurvePoint, Share

__all__ = [
    "RECIPE",
    "Assignment",
    "CurvePoint",
    "Recovery",
    "RecoveryOptions",
    "Share",
    "build_functionalities",
    "check_functionalities",
    "recover",
]
