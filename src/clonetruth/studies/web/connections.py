"""Connections that cannot be held for nothing: time limits for every client, and a maximum number of connections.

uvicorn waits as long as a client likes for the headers of a request, for its body, and for a response to be read. Here
a connection always has a deadline, except while the server itself works on a complete request. When there are too many
connections, those that keep the server waiting are closed, so that a judge can always connect.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from clonetruth.studies.web.security import client_network
from clonetruth.studies.web.server_log import LOG


@dataclass(frozen=True)
class ConnectionLimits:
    """What a client may take.

    Attributes:
        head_seconds: until the headers of a request are complete, from the connection or the first byte on.
        body_seconds: until the body of a request is complete, from its headers on.
        send_seconds: in which at least `send_bytes` of a waiting response must be read.
        send_bytes: see `send_seconds`.
        idle_seconds: between a response and the next request.
        head_bytes: the size of the request line and all headers.
        connections: the number of connections at once.
    """

    head_seconds: float = 10
    body_seconds: float = 20
    send_seconds: float = 20
    send_bytes: int = 64 * 1024
    idle_seconds: float = 30
    head_bytes: int = 16 * 1024
    connections: int = 500


LIMITS = ConnectionLimits()
"""The limits of `clonetruth study serve`."""

_RESERVED_FILES = 100
_PIECE_BYTES = 4096
"""How much h11 gets at once, and by how much headers can exceed their maximum."""


def possible_connections(wanted: int) -> int:
    """At most the wanted number of connections, but no more than the system lets the process open."""
    try:
        import resource
    except ImportError:
        return wanted  # Windows
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return wanted if files == resource.RLIM_INFINITY else max(1, min(wanted, files - _RESERVED_FILES))


class LimitedConnection(H11Protocol):
    """One connection within the limits."""

    limits = LIMITS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._deadline: asyncio.TimerHandle | None = None
        self._unsent = 0
        self._is_idle = False
        self.since = self.loop.time()

    @property
    def is_working(self) -> bool:
        """Whether the server works on a complete request, and the client takes what it sends."""
        cycle = self.cycle
        in_progress = cycle is not None and not cycle.response_complete and not cycle.more_body
        return in_progress and not self.flow.write_paused

    def connection_made(self, transport: Any) -> None:
        """Accept a connection, and close another one if there are too many."""
        super().connection_made(transport)
        self._wait(self.limits.head_seconds)
        if len(self.connections) > self.limits.connections:
            LOG.warning("More than %d connections: the longest waiting ones are closed.", self.limits.connections)
            _least_needed(self.connections).abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read what a client sends; a request has one deadline, however often a byte of it arrives."""
        if self._is_idle:
            self._is_idle = False
            self._wait(self.limits.head_seconds)
        before = self.cycle
        # In pieces: h11 compares what it has with its maximum only between two of them.
        for start in range(0, len(data), _PIECE_BYTES):
            if not self.transport.is_closing():
                super().data_received(data[start : start + _PIECE_BYTES])
        self._follow(before)

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that is not HTTP; if a response has begun, there is nothing more to say."""
        try:
            super().send_400_response(msg)
        except h11.LocalProtocolError:
            self.transport.close()
        self._wait(self.limits.send_seconds)

    def on_response_complete(self) -> None:
        """Wait for the client to read the response, and for its next request, which may have arrived already."""
        self._is_idle = True
        self._wait(self.limits.idle_seconds)
        before = self.cycle
        super().on_response_complete()
        self._follow(before)

    def pause_writing(self) -> None:
        """The client does not read fast enough."""
        super().pause_writing()
        self._wait(self.limits.send_seconds)

    def resume_writing(self) -> None:
        """The client has read what was waiting."""
        super().resume_writing()
        if self.is_working:
            self._stop_waiting()

    def shutdown(self) -> None:
        """End the connection because the server stops; a request that is not complete is not waited for."""
        if self.cycle is not None and self.cycle.more_body:
            self.abort()
            return
        try:
            super().shutdown()
        except h11.LocalProtocolError:
            self.abort()

    def abort(self) -> None:
        """End the connection at once, without what is still to be sent."""
        self.transport.abort()

    def _unsupported_upgrade_warning(self) -> None:
        """Say nothing: the request is answered without the upgrade."""

    def _follow(self, before: object) -> None:
        """Set the deadline that the state of the request asks for, after it may have changed."""
        if self.cycle is not before:
            self._is_idle = False
        if self.is_working:
            self._stop_waiting()
        elif self.cycle is not before and self.cycle.more_body:
            self._wait(self.limits.body_seconds)

    def _wait(self, seconds: float) -> None:
        self._stop_waiting()
        self.since = self.loop.time()
        self._unsent = self.transport.get_write_buffer_size()
        self._deadline = self.loop.call_later(seconds, self._expire)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _expire(self) -> None:
        """End a connection whose client did not do its part; a slow reader may go on as long as it reads."""
        unsent = self.transport.get_write_buffer_size()
        if 0 < unsent <= self._unsent - self.limits.send_bytes:
            self._wait(self.limits.send_seconds)
        elif not self.is_working:
            self.abort()


def _least_needed(connections: set[Any]) -> LimitedConnection:
    """The connection to close: one that never completed a request, then one of the busiest client, the oldest first.

    If the server works on all of them, it is the newest, which has just arrived.
    """
    known = [one for one in connections if isinstance(one, LimitedConnection) and not one.transport.is_closing()]
    waiting = [one for one in known if not one.is_working]
    clients = Counter(_client(one) for one in waiting)
    return min(waiting or known, key=lambda one: (one.cycle is not None, -clients[_client(one)], one.since))


def _client(connection: LimitedConnection) -> str:
    return client_network(connection.client[0]) if connection.client else ""
