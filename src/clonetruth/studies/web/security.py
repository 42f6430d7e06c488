"""Security of the pages: which requests are answered at all, headers on every response, and forms from our own pages.

The content security policy lets a page load its own style sheets and scripts, and nothing else: an `<img>`, `<script>`
or `style` smuggled in by a fragment would neither load nor run, even if it were not escaped.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from collections.abc import Iterable, Mapping
from urllib.parse import parse_qsl

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from clonetruth.studies.web.server_log import LOG

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


class RequestFilter:
    """An ASGI application that answers only requests for its own host, and none that other sites make a browser send.

    A page of another site can point its own name at this machine (DNS rebinding); its requests then carry that name in
    `Host`. A number cannot be pointed elsewhere, so addresses are always accepted. Browsers describe in `Sec-Fetch-…`
    who causes a request: another site may link to a page, but not load it as an image, in a frame, by a form or ahead
    of time. A refused request reaches nothing: no vote store, no cookie, no count of wrong links.

    Args:
        app: the application.
        hosts: the names of the server, besides `localhost`.
    """

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = {"localhost", *(host.lower().strip("[]") for host in hosts)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        refusal = None
        if not self._is_own_host(headers.get("host", "")):
            # The name itself is logged, not returned: a page must not repeat what a stranger put there.
            LOG.warning("Refused a request for the host '%s' (see --public-url).", headers.get("host", ""))
            refusal = PlainTextResponse("This server does not answer for this host name.\n", 400)
        elif _is_foreign(scope["method"], headers):
            refusal = PlainTextResponse("This request was made by another site, or ahead of time.\n", 403)
        await (refusal or self._app)(scope, receive, send)

    def _is_own_host(self, host: str) -> bool:
        name = host_name(host)
        return name is not None and (name in self._hosts or _is_address(name))


def host_name(host: str) -> str | None:
    """The name or address in a `Host` header, without its port; None if it is malformed."""
    name, separator, port = host.rpartition(":")
    if not separator or host.endswith("]"):
        name, port = host, "0"
    if not (port.isascii() and port.isdigit()):
        return None
    if name.startswith("[") and name.endswith("]"):
        return name[1:-1] if _is_address(name[1:-1]) else None
    return name.lower()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_foreign(method: str, headers: Headers) -> bool:
    """Whether another site causes a request that is more than a link that a person follows."""
    if "prefetch" in headers.get("sec-purpose", headers.get("purpose", "")):
        return True
    if headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
        return False
    is_link = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest", "document") == "document"
    return not (is_link and method in ("GET", "HEAD"))


def client_network(address: str) -> str:
    """What counts as one client: an IPv4 address, or the 64-bit network of an IPv6 address, which one client owns."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


async def read_form(request: Request) -> Mapping[str, str]:
    """Read the fields of a posted form.

    Raises:
        HTTPException: the body is not a form (415), too long (413), or unreadable (400).
    """
    if request.headers.get("content-type", "").split(";")[0].strip() != "application/x-www-form-urlencoded":
        raise HTTPException(415, "Only forms are accepted.")
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > FORM_BYTES:
                raise HTTPException(413, "The form is too long.")
    except ClientDisconnect as error:
        raise HTTPException(400, "The form is incomplete.") from error
    try:
        return dict(parse_qsl(body.decode("ascii"), keep_blank_values=True, max_num_fields=_FORM_FIELDS))
    except ValueError as error:
        raise HTTPException(400, "The form cannot be read.") from error


def form_token(token: str) -> str:
    """The token that a form must carry: only our pages and the holder of the cookie with `token` know it."""
    return hmac.new(token.encode(), b"form", hashlib.sha256).hexdigest()


def check_form(token: str, form: Mapping[str, str]) -> None:
    """Reject a form that another site made the browser send.

    Raises:
        HTTPException: there is no cookie, or the form does not carry the right token (403).
    """
    if not token or not hmac.compare_digest(form.get("form", "").encode(), form_token(token).encode()):
        raise HTTPException(403, "The form did not come from a page of this study. Open the page again.")
