"""Predictions for pairs meet verdicts."""
