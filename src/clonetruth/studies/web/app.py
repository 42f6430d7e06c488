"""The web application of a study: routes and error pages."""

from __future__ import annotations

from collections.abc import Iterable
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
from clonetruth.studies.invitations import LINK_PATH, RateLimiter
from clonetruth.studies.web.adjudication_pages import AdjudicationPages
from clonetruth.studies.web.auth import home, invitation, require_role, sign_in, sign_out
from clonetruth.studies.web.dashboard import Dashboard
from clonetruth.studies.web.judge_pages import JudgePages
from clonetruth.studies.web.participation_pages import CONSENT_PATH, WITHDRAW_PATH, ParticipationPages
from clonetruth.studies.web.review_pages import ReviewPages
from clonetruth.studies.web.security import RequestFilter, SafeHeaders
from clonetruth.studies.web.server_log import LOG
from clonetruth.studies.web.site import Site
from clonetruth.studies.web.templating import page_assets

_TITLES = {
    400: "The request is not valid",
    401: "You are not signed in",
    403: "You do not have access to this page",
    404: "Page not found",
    409: "Already answered",
    429: "Too many attempts",
    503: "Not saved",
}
_STATUSES: dict[type[CloneTruthError], int] = {ConflictError: 409, NotAllowedError: 403, UnavailableError: 503}


def create_app(
    study: Study,
    vote_store: VoteStore,
    limiter: RateLimiter | None = None,
    *,
    hosts: Iterable[str] = (),
    https: bool = False,
) -> ASGIApp:
    """Create the web application of a study.

    Args:
        study: the study.
        vote_store: where its votes are kept.
        limiter: limits the number of unknown links that an address may try (default: `RateLimiter()`).
        hosts: the names under which judges reach the pages, besides `localhost` and IP addresses.
        https: whether judges reach the pages by HTTPS only, whatever the proxy in between says.

    Raises:
        InputError: the study lacks the text of a subject.
    """
    site = Site(study, vote_store, limiter or RateLimiter(), https)

    async def asset(request: Request) -> Response:
        file = page_assets().get(request.path_params["name"])
        if file is None:
            raise HTTPException(404)
        headers = {"Cache-Control": "public, max-age=31536000, immutable"}
        return Response(file.content, media_type=file.media_type, headers=headers)

    judging, adjudication, dashboard = JudgePages(site), AdjudicationPages(site), Dashboard(site)
    taking_part = ParticipationPages(site)
    asked = taking_part.after_consent
    reviewing = ReviewPages(site, adjudication)
    judge, adjudicator, owner = JudgeRole.JUDGE, JudgeRole.ADJUDICATOR, JudgeRole.OWNER
    routes = [
        Route("/", require_role(site, None, home)),
        Route(f"{LINK_PATH}{{token}}", invitation(site)),
        Route(f"{LINK_PATH}{{token}}", sign_in(site), methods=["POST"]),
        Route("/leave", require_role(site, None, sign_out(site)), methods=["POST"]),
        Route("/assets/{name}", asset),
        Route("/judge", require_role(site, judge, asked(judging.show))),
        Route("/judge", require_role(site, judge, asked(judging.vote)), methods=["POST"]),
        Route("/judge/undo", require_role(site, judge, judging.undo), methods=["POST"]),
        Route("/judge/feedback", require_role(site, judge, asked(judging.feedback))),
        Route("/judge/unusual", require_role(site, judge, asked(judging.unusual))),
        Route("/adjudicate", require_role(site, adjudicator, asked(adjudication.show))),
        Route(
            "/adjudicate",
            require_role(site, adjudicator, asked(adjudication.decide)),
            methods=["POST"],
        ),
        Route("/adjudicate/undo", require_role(site, adjudicator, adjudication.undo), methods=["POST"]),
        Route(CONSENT_PATH, require_role(site, None, taking_part.show_consent)),
        Route(CONSENT_PATH, require_role(site, None, taking_part.accept_consent), methods=["POST"]),
        Route(WITHDRAW_PATH, require_role(site, None, taking_part.show_withdrawal)),
        Route(WITHDRAW_PATH, require_role(site, None, taking_part.withdraw), methods=["POST"]),
        Route("/review", require_role(site, adjudicator, asked(reviewing.show))),
        Route("/review", require_role(site, adjudicator, asked(reviewing.decide)), methods=["POST"]),
        Route("/review/undo", require_role(site, adjudicator, reviewing.undo), methods=["POST"]),
        Route("/dashboard", require_role(site, owner, dashboard.show)),
        Route("/votes.csv", require_role(site, owner, dashboard.csv)),
        Route("/votes.parquet", require_role(site, owner, dashboard.parquet)),
    ]

    def error_page(status: int, text: str) -> Response:
        # A visitor who is not signed in has no page to go back to.
        return site.message(_TITLES.get(status, "Something went wrong"), text, status, back=status not in (401, 429))

    async def refuse(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        # The router's own errors carry only the standard phrase of the status.
        is_standard = error.detail == HTTPStatus(error.status_code).phrase
        text = "Open your personal link: it leads to your page." if is_standard else error.detail
        response = error_page(error.status_code, text)
        response.headers.update(error.headers or {})
        return response

    async def explain(request: Request, error: Exception) -> Response:
        assert isinstance(error, CloneTruthError)
        if isinstance(error, UnavailableError):
            LOG.error("The votes are not available: %s", error.what)
        return error_page(_STATUSES.get(type(error), 400), " ".join(filter(None, (error.what, error.hint))))

    async def apologise(request: Request, error: Exception) -> Response:
        return error_page(500, "An internal error occurred. Votes that were saved are safe.")

    app = Starlette(
        routes=routes, exception_handlers={HTTPException: refuse, CloneTruthError: explain, Exception: apologise}
    )
    # The router would redirect to an address made of the visitor's `Host` header.
    app.router.redirect_slashes = False
    # The headers outermost, so that error pages and refusals carry them too.
    return SafeHeaders(RequestFilter(app, hosts))
