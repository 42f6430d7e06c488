"""Recall by locations, as BigCloneEval measures it: as shipped and repaired."""

from clonetruth.evaluate.locations.evaluation import LocationOptions, StudyRequest, evaluate_locations
from clonetruth.evaluate.locations.matchers import Matcher, parse_matcher
from clonetruth.evaluate.locations.published import published_result, published_text
from clonetruth.evaluate.locations.reported import ReportFiles
from clonetruth.evaluate.locations.selection import Behaviour, Selection, SimilarityType
from clonetruth.evaluate.locations.study import ReportedStudyOptions, study_of_reported, study_precision

__all__ = [
    "Behaviour",
    "LocationOptions",
    "Matcher",
    "ReportFiles",
    "ReportedStudyOptions",
    "Selection",
    "SimilarityType",
    "StudyRequest",
    "evaluate_locations",
    "parse_matcher",
    "published_result",
    "published_text",
    "study_of_reported",
    "study_precision",
]
