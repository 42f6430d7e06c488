"""Who is let in: a personal link becomes a cookie, and every request shows it.

The cookie holds the token of the link. It is looked up at every request, so that a revoked link ends at once, and a
server that was restarted knows its judges. Scripts cannot read it, and no other site can make the browser send it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from clonetruth.store.votes import InvitedJudge, JudgeRole
from clonetruth.studies.web.security import check_form, form_token, read_form
from clonetruth.studies.web.site import JudgeRequest, Site


def admit(
    site: Site, role: JudgeRole | None, handle: Callable[[JudgeRequest], Response]
) -> Callable[..., Awaitable[Response]]:
    """An endpoint for those of a role, or for everybody who is invited; the handler runs in a thread of its own.

    The endpoint refuses with 401 who is not signed in, with 403 another role or a form that is not ours, and with 429
    who tries too many tokens.
    """

    async def endpoint(request: Request) -> Response:
        token = request.cookies.get(cookie_name(site), "")
        form = await read_form(request) if request.method == "POST" else None
        # One way to a thread and back, and not one to know the visitor and one to serve them.
        return await run_in_threadpool(respond, token, _address(request), dict(request.query_params), form)

    def respond(token: str, address: str, query: Mapping[str, str], form: Mapping[str, str] | None) -> Response:
        judge = _identify(site, token, address)
        if role is not None and judge.role is not role:
            raise HTTPException(403, f"This page is for the study's {role}. You are invited as {judge.role}.")
        if form is not None:
            check_form(token, form)
        return handle(JudgeRequest(judge, form_token(token), query, form or {}))

    return endpoint


def enter(site: Site) -> Callable[..., Awaitable[Response]]:
    """The endpoint of personal links: sets the cookie, and leads on to an address without the token.

    It leads on by a page, not by a redirect: a browser that came here from another site, such as a mail program, would
    not send a strict cookie along with a redirect.
    """

    async def endpoint(request: Request) -> Response:
        token = request.path_params["token"]
        judge = await run_in_threadpool(_identify, site, token, _address(request))
        response = site.say(f"Welcome, {judge.name}", "You are signed in.", back=True, forward=True)
        response.set_cookie(
            cookie_name(site),
            token,
            max_age=max(1, int((judge.expires - _now()).total_seconds())),
            secure=request.url.scheme == "https",
            httponly=True,
            samesite="strict",
        )
        return response

    return endpoint


def home(visit: JudgeRequest) -> Response:
    """The first page of the visitor's role."""
    return RedirectResponse(visit.pages[0][0], status_code=303)


def leave(site: Site) -> Callable[[JudgeRequest], Response]:
    """The handler that signs the visitor out of this browser."""

    def handle(visit: JudgeRequest) -> Response:
        response = site.say("Signed out", "Your personal link lets you in again.")
        response.delete_cookie(cookie_name(site), httponly=True, samesite="strict")
        return response

    return handle


def cookie_name(site: Site) -> str:
    """The name of the study's cookie: browsers do not tell apart the ports of a host, and so two studies on it."""
    digest = hashlib.sha256(site.ballots.secret).hexdigest()[:8]
    return f"clonetruth-{digest}"


def _identify(site: Site, token: str, address: str) -> InvitedJudge:
    """Whoever holds a token. Only tokens that nobody has count as attempts: one room may share an address."""
    if not token:
        raise HTTPException(401, "Open the personal link that you were sent: it lets you in.")
    wait = site.limiter.wait(address)
    if wait > 0:
        raise HTTPException(
            429, "Too many unknown links were tried from your address.", headers={"Retry-After": str(int(wait) + 1)}
        )
    judge = site.ballots.find_judge_by_token(token)
    if judge is None:
        site.limiter.count(address)
        raise HTTPException(401, "Nobody was invited with this link. Check that it is complete.")
    if judge.revoked is not None:
        raise HTTPException(403, "Your link was withdrawn. Whoever runs the study can give you a new one.")
    if not judge.active(_now()):
        raise HTTPException(
            403, f"Your link expired on {judge.expires:%d %B %Y}. Whoever runs the study can give you a new one."
        )
    return judge


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _now() -> datetime:
    return datetime.now(UTC)
