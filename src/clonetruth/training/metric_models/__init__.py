"""Learners over measured numbers instead of code: `oreo`, `clcdsa` and `clonecognition`."""

from clonetruth.training.metric_models.clcdsa import CLCDSA
from clonetruth.training.metric_models.clonecognition import CLONECOGNITION
from clonetruth.training.metric_models.oreo import OREO

__all__ = ["CLCDSA", "CLONECOGNITION", "OREO"]
