"""Learners that are networks in PyTorch. Importing the package does not import PyTorch."""

from clonetruth.training.neural.learner import NetworkDetector, NetworkLearner, ReadPart

__all__ = ["NetworkDetector", "NetworkLearner", "ReadPart"]
