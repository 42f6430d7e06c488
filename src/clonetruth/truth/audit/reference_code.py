"""Placeholder while measuring."""
MEASURES = ("lines", "tokens", "distinct names", "calls", "mean length of a name")
QUANTILES = tuple(round(0.05 * step, 2) for step in range(1, 20))
REFERENCES = {}
