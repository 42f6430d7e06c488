"""Security of the pages: headers on every response, a size limit for forms, and forms from our own pages only.

The content security policy lets a page load its own style sheets and scripts, and nothing else: an `<img>`, `<script>`
or `style` smuggled in by a fragment would neither load nor run, even if it were not escaped.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from urllib.parse import parse_qsl

from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

FORM_BYTES = 64 * 1024
"""Maximum size of a form; ours are shorter, because a reason has at most 4,000 characters."""
_FORM_FIELDS = 32

_HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'none'",
            "style-src 'self'",
            "script-src 'self'",
            "connect-src 'self'",
            "img-src data:",
            "form-action 'self'",
            "base-uri 'none'",
            "frame-ancestors 'none'",
        )
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class SafeHeaders:
    """An ASGI application with the security headers on every response; headers that a response sets itself are kept."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers)


async def read_form(request: Request) -> Mapping[str, str]:
    """Read the fields of a posted form.

    Raises:
        HTTPException: the body is not a form (415), too long (413), or unreadable (400).
    """
    if request.headers.get("content-type", "").split(";")[0].strip() != "application/x-www-form-urlencoded":
        raise HTTPException(415, "Only forms are accepted.")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > FORM_BYTES:
            raise HTTPException(413, "The form is too long.")
    try:
        return dict(parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=_FORM_FIELDS))
    except ValueError as error:
        raise HTTPException(400, "The form cannot be read.") from error


def form_token(token: str) -> str:
    """The token that a form must carry: only our pages and the holder of the judge's own token know it."""
    return hmac.new(token.encode(), b"form", hashlib.sha256).hexdigest()


def check_form(token: str, form: Mapping[str, str]) -> None:
    """Reject a form that another site made the browser send.

    Raises:
        HTTPException: the form does not carry the right token (403).
    """
    if not hmac.compare_digest(form.get("form", "").encode(), form_token(token).encode()):
        raise HTTPException(403, "The form did not come from a page of this study. Open the page again.")
