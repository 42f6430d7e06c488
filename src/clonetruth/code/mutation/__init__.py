"""Mutation: a fragment edited in one known way, so that what relates both texts is known by construction."""

from clonetruth.code.mutation.edit_sites import EditSites
from clonetruth.code.mutation.mutants import Mutant, mutant_of, mutate
from clonetruth.code.mutation.operator import Operator, Relation
from clonetruth.code.mutation.registry import OPERATORS

__all__ = ["OPERATORS", "Mutant", "Operator", "Relation", "EditSites", "mutant_of", "mutate"]
