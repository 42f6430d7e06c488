"""The web application of a study: which address leads where, and what is said when something goes wrong."""

from __future__ import annotations

from http import HTTPStatus

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from clonetruth.errors import CloneTruthError
from clonetruth.store.study import Study
from clonetruth.store.votes import ConflictError, JudgeRole, NotAllowedError, UnavailableError, VoteStore
from clonetruth.studies.invitations import ENTRANCE, RateLimiter
from clonetruth.studies.web.adjudication_pages import AdjudicationPages
from clonetruth.studies.web.auth import admit, enter, home, leave
from clonetruth.studies.web.dashboard import Dashboard
from clonetruth.studies.web.judge_pages import JudgePages
from clonetruth.studies.web.security import SafeHeaders
from clonetruth.studies.web.site import Site
from clonetruth.studies.web.templating import PageStyle

_TITLES = {
    400: "That cannot be taken",
    401: "You are not signed in",
    403: "This is not open to you",
    404: "There is no such page",
    409: "This was answered already",
    429: "Too many attempts",
    503: "Not saved",
}
_STATUSES: dict[type[CloneTruthError], int] = {ConflictError: 409, NotAllowedError: 403, UnavailableError: 503}


def create_app(study: Study, ballots: VoteStore, look: PageStyle, limiter: RateLimiter | None = None) -> ASGIApp:
    """The web application of a study.

    Args:
        study: the study.
        ballots: its ballot box.
        look: what the pages are drawn with.
        limiter: who may try how many tokens; a usual one unless told.

    Raises:
        InputError: the text of a subject is not in the study.
    """
    site = Site(study, ballots, look, limiter or RateLimiter())

    async def asset(request: Request) -> Response:
        found = look.assets.get(request.path_params["name"])
        if found is None:
            raise HTTPException(404)
        headers = {"Cache-Control": "public, max-age=31536000, immutable"}
        return Response(found.content, media_type=found.media_type, headers=headers)

    judging, adjudication, dashboard = JudgePages(site), AdjudicationPages(site), Dashboard(site)
    judge, adjudicator, owner = JudgeRole.JUDGE, JudgeRole.ADJUDICATOR, JudgeRole.OWNER
    routes = [
        Route("/", admit(site, None, home)),
        Route(f"{ENTRANCE}{{token}}", enter(site)),
        Route("/leave", admit(site, None, leave(site)), methods=["POST"]),
        Route("/assets/{name}", asset),
        Route("/judge", admit(site, judge, judging.show)),
        Route("/judge", admit(site, judge, judging.vote), methods=["POST"]),
        Route("/judge/undo", admit(site, judge, judging.undo), methods=["POST"]),
        Route("/judge/feedback", admit(site, judge, judging.feedback)),
        Route("/adjudicate", admit(site, adjudicator, adjudication.show)),
        Route("/adjudicate", admit(site, adjudicator, adjudication.decide), methods=["POST"]),
        Route("/adjudicate/undo", admit(site, adjudicator, adjudication.undo), methods=["POST"]),
        Route("/dashboard", admit(site, owner, dashboard.show)),
        Route("/votes.csv", admit(site, owner, dashboard.csv)),
        Route("/votes.parquet", admit(site, owner, dashboard.parquet)),
    ]

    def say(status: int, text: str) -> Response:
        # Who is not signed in has no page of their own.
        return site.say(_TITLES.get(status, "That did not work"), text, status, back=status not in (401, 429))

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        # The router's own refusals come with the bare name of the status.
        bare = error.detail == HTTPStatus(error.status_code).phrase
        response = say(error.status_code, "Open your personal link: it leads to your page." if bare else error.detail)
        response.headers.update(error.headers or {})
        return response

    async def wrong(request: Request, error: Exception) -> Response:
        assert isinstance(error, CloneTruthError)
        return say(_STATUSES.get(type(error), 400), " ".join(filter(None, (error.what, error.hint))))

    async def broken(request: Request, error: Exception) -> Response:
        return say(500, "The server made a mistake. What was saved before is safe.")

    app = Starlette(
        routes=routes, exception_handlers={HTTPException: refused, CloneTruthError: wrong, Exception: broken}
    )
    # Around everything, so that an error page is protected too.
    return SafeHeaders(app)
