"""Metrics, and intervals that respect how pairs came about."""
