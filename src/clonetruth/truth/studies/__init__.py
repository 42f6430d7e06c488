"""Studies: drawn from a benchmark, judged, resolved, and turned into an estimate."""

from clonetruth.truth.studies.drawing import SampleOptions, draw_study
from clonetruth.truth.studies.estimation import estimate_labels, stratified_share
from clonetruth.truth.studies.exporting import ExportReport, export_study
from clonetruth.truth.studies.population import PopulationOptions
from clonetruth.truth.studies.protocols import ChosenProtocol, choose_protocol, protocol_names
from clonetruth.truth.studies.resolution import OpenSubject, Resolution, ResolvedSubjects, resolve_study

__all__ = [
    "ChosenProtocol",
    "ExportReport",
    "OpenSubject",
    "PopulationOptions",
    "Resolution",
    "ResolvedSubjects",
    "SampleOptions",
    "choose_protocol",
    "draw_study",
    "estimate_labels",
    "export_study",
    "protocol_names",
    "resolve_study",
    "stratified_share",
]
