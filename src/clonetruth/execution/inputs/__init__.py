"""Inputs for pieces of code: types, values, and the search for values that tell two pieces apart."""

from clonetruth.execution.inputs.types import InputType, parse_type

__all__ = ["InputType", "parse_type"]
