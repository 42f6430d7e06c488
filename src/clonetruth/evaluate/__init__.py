"""Predictions meet verdicts: matching, metrics, corrections, comparisons."""
