"""Serving a study on the network: a port, a server, and a clean shutdown."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp

from clonetruth.errors import InputError

_SHUTDOWN_SECONDS = 5


def is_loopback(host: str) -> bool:
    """Whether an address can be reached only from this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def serve(app: ASGIApp, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve an application until interrupted; open requests are finished first.

    Args:
        app: the application.
        host: the address to listen on.
        port: the port; 0 for any free one.
        ready: called with the URL of the pages as soon as they can be reached.

    Raises:
        InputError: the address does not belong to this machine, or the port is in use.
    """
    listener = _listen(host, port)
    # No access log: it would contain the personal links, which are secrets.
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )
    url_host = f"[{host}]" if ":" in host else host
    ready(f"http://{url_host}:{listener.getsockname()[1]}")
    try:
        uvicorn.Server(config).run(sockets=[listener])
    except KeyboardInterrupt:
        # uvicorn raises the signal again after a clean shutdown.
        pass
    finally:
        listener.close()


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
