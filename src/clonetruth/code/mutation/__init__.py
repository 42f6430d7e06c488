"""Mutation: a fragment edited in one known way, so that what relates both texts is known by construction."""

from clonetruth.code.mutation.edit_sites import EditSites
from clonetruth.code.mutation.operator import Mutant, Operator, Relation, mutant_of, mutate
from clonetruth.code.mutation.registry import OPERATORS

__all__ = ["OPERATORS", "EditSites", "Mutant", "Operator", "Relation", "mutant_of", "mutate"]
