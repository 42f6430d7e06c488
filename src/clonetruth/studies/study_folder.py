"""Opening a study and its votes, as the functions of the public API do."""

from __future__ import annotations

from collections.abc import Collection
from os import PathLike

import pyarrow as pa
import pyarrow.compute as pc

from clonetruth.store.study import Study, read_study
from clonetruth.store.votes import read_votes

Votes = tuple[pa.Table, pa.Table]
"""Judges and judgements from the vote store, which are not in the study folder's own files."""


def open_study(study: str | PathLike[str] | Study) -> Study:
    """Read a study folder; an open study is returned as it is.

    Raises:
        InputError: the folder is not a study, or it is damaged.
    """
    return study if isinstance(study, Study) else read_study(study)


def open_votes(study: Study, url: str | None, *, names: bool = False) -> Votes:
    """The current votes of a study, from its folder or from the database at a URL.

    Raises:
        InputError: the URL is not valid, or the votes belong to another study.
        UnavailableError: the database cannot be opened.
    """
    return read_votes(study.path, url, names=names)


def without_judges(votes: Votes, judges: Collection[str]) -> Votes:
    """Judges and judgements without those of some judges."""
    names = pa.array(sorted(judges), pa.string())
    return (
        votes[0].filter(pc.invert(pc.is_in(votes[0]["judge"], names))),
        votes[1].filter(pc.invert(pc.is_in(votes[1]["judge"], names))),
    )
