"""Mutation: a fragment edited in one known way, so that the relation of both texts is known by construction."""

from clonetruth.code.mutation.edit_sites import EditSites
from clonetruth.code.mutation.operator import OPERATORS, Mutant, Operator, Relation, mutate, mutate_at

__all__ = ["OPERATORS", "EditSites", "Mutant", "Operator", "Relation", "mutate", "mutate_at"]
