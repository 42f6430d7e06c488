"""Studies: drawn from a benchmark, judged, resolved, and turned into an estimate."""

from clonetruth.store.study_estimate import stratified_share
from clonetruth.studies.estimation import estimate_labels
from clonetruth.studies.export import StudyExport, export_study
from clonetruth.studies.population import PopulationOptions
from clonetruth.studies.protocols import ChosenProtocol, choose_protocol, protocol_names
from clonetruth.studies.resolution import OpenSubject, Resolution, ResolvedSubjects, resolve_study
from clonetruth.studies.sampling import SampleOptions, draw_study

__all__ = [
    "ChosenProtocol",
    "OpenSubject",
    "PopulationOptions",
    "Resolution",
    "ResolvedSubjects",
    "SampleOptions",
    "StudyExport",
    "choose_protocol",
    "draw_study",
    "estimate_labels",
    "export_study",
    "protocol_names",
    "resolve_study",
    "stratified_share",
]
