"""Matrices: detector × view × abstraction level × seed."""

from clonetruth.evaluate.matrix.plan import MatrixPlan
from clonetruth.evaluate.matrix.runner import MatrixStep, compute_matrix, run_matrix

__all__ = ["MatrixPlan", "MatrixStep", "compute_matrix", "run_matrix"]
