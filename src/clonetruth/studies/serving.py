"""Serving a study to its judges; the pages themselves are in `studies.web`, which needs the extra `web`."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from urllib.parse import urlsplit

from clonetruth.errors import CloneTruthWarning, MissingExtraError
from clonetruth.options.declaration import verb
from clonetruth.options.study import ServeStudyOptions
from clonetruth.store.study import Study
from clonetruth.store.votes import VoteStore, open_vote_store
from clonetruth.studies.invitations import check_base_url
from clonetruth.studies.specifications import require_specifications
from clonetruth.studies.study_folder import open_study

Ready = Callable[[str, Study, VoteStore], None]
"""Called with the address of the pages, the study and its vote store as soon as the pages can be reached."""


@verb(ServeStudyOptions)
def serve_study(
    options: ServeStudyOptions, *, ready: Ready | None = None, log: Callable[[str], None] | None = None
) -> None:
    """Serve a study to its judges, in a browser, until the server is interrupted.

    Args:
        ready: called with the address, the study and its vote store as soon as the pages can be reached.
        log: called with each line of the server's log (default: the events go to Python's `logging`).

    Raises:
        InputError: the folder is not a study, its subjects have no texts, its methods have no specification, an
            address cannot be used, or a proxy is not an address.
        MissingExtraError: the extra `web` is not installed.
        UnavailableError: the database of votes cannot be opened.

    Example:
        >>> study = clonetruth.sample_study("my-benchmark", output="served-study", n=5)
        >>> clonetruth.serve_study(study, port=8765)  # doctest: +SKIP
    """
    try:
        from clonetruth.studies.web import create_app, is_loopback, serve
    except ImportError as error:
        raise MissingExtraError.extra("Judging in a browser", "web") from error
    study = open_study(options.study)
    require_specifications(study, options.votes)
    public = urlsplit(check_base_url(options.public_url)) if options.public_url else None
    hosts = [options.host, *([public.hostname or ""] if public else [])]
    if not is_loopback(options.host) and not options.trusted_proxy:
        warnings.warn(
            f"everybody who can reach {options.host} can reach these pages, and links travel unencrypted. "
            "Put a server with https in front of them.",
            CloneTruthWarning,
            stacklevel=2,
        )
    with open_vote_store(study.path, options.votes) as vote_store:

        def announce(address: str) -> None:
            if ready is not None:
                ready(address, study, vote_store)

        app = create_app(study, vote_store, hosts=hosts, https=public is not None and public.scheme == "https")
        serve(app, options.host, options.port, announce, log, options.trusted_proxy)
