"""A study on the network: a port, a server, and a clean end."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable

import uvicorn
from starlette.types import ASGIApp

from clonetruth.errors import InputError

_SHUTDOWN_SECONDS = 5


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def serve(app: ASGIApp, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until interrupted; requests under way are finished first.

    Args:
        app: what to serve.
        host: the address to listen at.
        port: the port; 0 for any that is free.
        ready: is given the address of the pages as soon as they can be reached.

    Raises:
        InputError: the address is not of this machine, or the port is in use.
    """
    listener = _listen(host, port)
    # No log of requests: a personal link is a secret, and would be in it.
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        lifespan="off",
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )
    shown = f"[{host}]" if ":" in host else host
    ready(f"http://{shown}:{listener.getsockname()[1]}")
    try:
        uvicorn.Server(config).run(sockets=[listener])
    except KeyboardInterrupt:
        # The server has ended cleanly by then, and tells of the signal that ended it.
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
            f"The address {host} with port {port} cannot be served ({reason}).",
            hint="Another port: --port NUMBER, or --port 0 for any that is free.",
        ) from error
