"""Datasets coming in: one file per dataset, each with a card of what to know before believing it.

A dataset's module is loaded when it is asked for (`from clonetruth.sources import embedded`), so that the
room stays light at import however many datasets it holds.
"""

__all__ = ["embedded"]
