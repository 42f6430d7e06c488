"""Authentication: a personal link becomes a cookie, which every request carries.

The cookie holds the token of the link. Every request looks it up, so that a revoked link stops working at once and a
restarted server still knows its judges. Scripts cannot read the cookie, and no other site can make the browser send it.

A link that is opened changes nothing: it shows whom it is for, with a button. Only the button signs in, with a form
that this browser received from us. So no other site, preview or prefetch can replace a session by another one.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from clonetruth.store.votes import InvitedJudge, JudgeRole
from clonetruth.studies.invitations import LINK_PATH
from clonetruth.studies.web.security import check_form, client_network, form_token, read_form
from clonetruth.studies.web.server_log import LOG
from clonetruth.studies.web.site import JudgeRequest, Site


def require_role(
    site: Site, role: JudgeRole | None, handle: Callable[[JudgeRequest], Response]
) -> Callable[..., Awaitable[Response]]:
    """Make an endpoint for one role, or for everybody who is invited; the handler runs in a worker thread.

    The endpoint answers 401 to visitors who are not signed in, 403 to another role or a forged form, and 429 to an
    address that tries too many tokens.
    """

    async def endpoint(request: Request) -> Response:
        token = request.cookies.get(cookie_name(site), "")
        form = await read_form(request) if request.method == "POST" else None
        # Identify and respond in one trip to the thread pool instead of two.
        return await run_in_threadpool(respond, token, _address(request), dict(request.query_params), form)

    def respond(token: str, address: str, query: Mapping[str, str], form: Mapping[str, str] | None) -> Response:
        judge = _identify(site, token, address)
        if role is not None and judge.role is not role:
            raise HTTPException(403, f"This page is for the study's {role}. You are invited as {judge.role}.")
        if form is not None:
            check_form(token, form)
        return handle(JudgeRequest(judge, form_token(token), query, form or {}))

    return endpoint


def invitation(site: Site) -> Callable[..., Awaitable[Response]]:
    """Make the endpoint that shows whom a personal link is for, with the button that signs in."""

    async def endpoint(request: Request) -> Response:
        return await run_in_threadpool(
            respond,
            request.path_params["token"],
            request.cookies.get(cookie_name(site), ""),
            # A form that is open in another tab stays valid.
            request.cookies.get(_form_cookie(site)) or secrets.token_urlsafe(32),
            request,
        )

    def respond(token: str, current: str, proof: str, request: Request) -> Response:
        judge = _identify(site, token, _address(request))
        if hmac.compare_digest(token.encode(), current.encode()):
            return RedirectResponse("/", status_code=303)
        other = site.vote_store.find_judge_by_token(current) if current else None
        response = site.page(
            "enter.html.j2",
            None,
            title=f"Welcome, {judge.name}",
            judge=judge,
            other=other,
            action=f"{LINK_PATH}{token}",
            form=form_token(proof),
        )
        response.set_cookie(
            _form_cookie(site), proof, secure=_is_secure(site, request), httponly=True, samesite="strict"
        )
        return response

    return endpoint


def sign_in(site: Site) -> Callable[..., Awaitable[Response]]:
    """Make the endpoint of the button on a personal link's page: it sets the cookie, and leads to an address without
    the token.
    """

    async def endpoint(request: Request) -> Response:
        token = request.path_params["token"]
        check_form(request.cookies.get(_form_cookie(site), ""), await read_form(request))
        judge = await run_in_threadpool(_identify, site, token, _address(request))
        LOG.info("%s (%s) signed in.", judge.id, judge.role)
        response = RedirectResponse("/", status_code=303)
        response.set_cookie(
            cookie_name(site),
            token,
            max_age=max(1, int((judge.expires - _now()).total_seconds())),
            secure=_is_secure(site, request),
            httponly=True,
            samesite="strict",
        )
        response.delete_cookie(_form_cookie(site), httponly=True, samesite="strict")
        return response

    return endpoint


def home(request: JudgeRequest) -> Response:
    """Redirect to the first page of the visitor's role."""
    return RedirectResponse(request.pages[0][0], status_code=303)


def sign_out(site: Site) -> Callable[[JudgeRequest], Response]:
    """Make the handler that signs the visitor out of this browser."""

    def handle(request: JudgeRequest) -> Response:
        response = site.message("Signed out", "Your personal link signs you in again.")
        response.delete_cookie(cookie_name(site), httponly=True, samesite="strict")
        return response

    return handle


def cookie_name(site: Site) -> str:
    """The name of the study's cookie. It differs by study, because browsers share cookies between ports of a host."""
    digest = hashlib.sha256(site.vote_store.secret).hexdigest()[:8]
    return f"clonetruth-{digest}"


def _form_cookie(site: Site) -> str:
    return f"{cookie_name(site)}-form"


def _is_secure(site: Site, request: Request) -> bool:
    return site.https or request.url.scheme == "https"


def _identify(site: Site, token: str, address: str) -> InvitedJudge:
    """The judge who holds a token.

    A known token is never refused because of what others tried, from whatever address: guesses are limited after the
    look-up, not before. That is safe because of the length of tokens, which is what makes guessing hopeless: among
    2^256, a million guesses a second for a hundred years find one of a thousand judges with a probability below 10^-58.
    The limit only keeps somebody who tries anyway from making us render pages and write logs.
    """
    if not token:
        raise HTTPException(401, "Open the personal link that you received: it signs you in.")
    judge = site.vote_store.find_judge_by_token(token)
    if judge is None:
        wait = site.limiter.wait(address)
        if wait > 0:
            LOG.warning("Many unknown links were tried from one address.")
            raise HTTPException(
                429,
                "Too many unknown links were tried from your address. A valid link works all the same.",
                headers={"Retry-After": str(int(wait) + 1)},
            )
        site.limiter.count(address)
        raise HTTPException(401, "This link is unknown. Check that it is complete.")
    if judge.revoked is not None:
        raise HTTPException(403, "Your link was revoked. Ask the owner of the study for a new one.")
    if not judge.active(_now()):
        raise HTTPException(
            403, f"Your link expired on {judge.expires:%d %B %Y}. Ask the owner of the study for a new one."
        )
    return judge


def _address(request: Request) -> str:
    return client_network(request.client.host) if request.client else ""


def _now() -> datetime:
    return datetime.now(UTC)
