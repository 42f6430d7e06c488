"""Recall by locations, as BigCloneEval measures it: shipped and repaired."""
