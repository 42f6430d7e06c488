"""The owner's page: how far the study is, how well the judges agree, and what the labels seem to be worth."""

from __future__ import annotations

from starlette.responses import HTMLResponse, Response

from clonetruth.labelling.web.entrance import Visit
from clonetruth.labelling.web.site import Site


class Dashboard:
    """The pages of the study's owner.

    Args:
        site: what all pages share.
    """

    def __init__(self, site: Site) -> None:
        self._site = site

    def show(self, visit: Visit) -> Response:
        """The dashboard."""
        return HTMLResponse("")

    def csv(self, visit: Visit) -> Response:
        return HTMLResponse("")

    def parquet(self, visit: Visit) -> Response:
        return HTMLResponse("")
