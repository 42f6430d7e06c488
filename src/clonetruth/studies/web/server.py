"""Serving a study on the network: a port, a server, and a clean shutdown."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Sequence
from dataclasses import replace

import uvicorn
from starlette.types import ASGIApp

from clonetruth.errors import InputError
from clonetruth.studies.web.connections import LIMITS, ConnectionLimits, LimitedConnection, possible_connections
from clonetruth.studies.web.server_log import logging_to

_SHUTDOWN_SECONDS = 5


def is_loopback(host: str) -> bool:
    """Whether an address can be reached only from this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def server_config(app: ASGIApp, proxies: Sequence[str] = (), limits: ConnectionLimits = LIMITS) -> uvicorn.Config:
    """The configuration of the web server: limits for clients, and no access log, which would contain personal links.

    Args:
        app: the application.
        proxies: the addresses and networks whose `X-Forwarded-…` headers are believed.
        limits: what a client may take.
    """
    allowed = replace(limits, connections=possible_connections(limits.connections))
    return uvicorn.Config(
        app,
        http=type("StudyConnection", (LimitedConnection,), {"limits": allowed}),
        ws="none",
        loop="asyncio",
        h11_max_incomplete_event_size=limits.head_bytes,
        # `LimitedConnection` ends idle connections, also those whose client does not read.
        timeout_keep_alive=2 * int(limits.idle_seconds) + 1,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )


def serve(
    app: ASGIApp,
    host: str,
    port: int,
    ready: Callable[[str], None],
    log: Callable[[str], None] | None = None,
    proxies: Sequence[str] = (),
) -> None:
    """Serve an application until interrupted; open requests are finished first.

    Args:
        app: the application.
        host: the address to listen on.
        port: the port; 0 for any free one.
        ready: called with the URL of the pages as soon as they can be reached.
        log: called with each line of the server's log (default: the events go to `logging`).
        proxies: the addresses and networks whose `X-Forwarded-…` headers are believed.

    Raises:
        InputError: the address does not belong to this machine, the port is in use, or a proxy is not an address.
    """
    _check_proxies(proxies)
    listener = _listen(host, port)
    url_host = f"[{host}]" if ":" in host else host
    with logging_to(log):
        ready(f"http://{url_host}:{listener.getsockname()[1]}")
        try:
            uvicorn.Server(server_config(app, proxies)).run(sockets=[listener])
        except KeyboardInterrupt:
            # uvicorn raises the signal again after a clean shutdown.
            pass
        finally:
            listener.close()


def _check_proxies(proxies: Sequence[str]) -> None:
    for proxy in proxies:
        try:
            ipaddress.ip_network(proxy, strict=False)
        except ValueError as error:
            raise InputError(
                f"'{proxy}' is not the address of a proxy.", hint="Give an IP address or a network: 172.16.0.0/12."
            ) from error


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=256)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"Cannot listen on {host} port {port} ({reason}).",
            hint="Choose another port with --port NUMBER, or any free one with --port 0.",
        ) from error
