"""A local chat-completions server that behaves as well or badly as a test needs."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SIMILAR = "ANSWER: SIMILAR\nEXPLANATION: Both add."
DIFFERENT = "ANSWER: DIFFERENT\nEXPLANATION: One adds, one does not."
UNSURE = "ANSWER: UNCLEAR\nEXPLANATION: Who knows."


@dataclass(frozen=True)
class Reply:
    """What the server sends: a status, a body, headers; or less than it promised, or late, or a byte at a time."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    cut: bool = False
    pause: float = 0.0


def answer(
    text: Any, *, model: str = "tiny-2026", usage: bool = True, finish: str = "stop", tokens: int = 20, **message: Any
) -> Reply:
    """A completion with this content, and further fields of the message."""
    completion = {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": finish}
        ],
    }
    if usage:
        completion["usage"] = {"prompt_tokens": 100, "completion_tokens": tokens, "total_tokens": 100 + tokens}
    return Reply(json.dumps(completion).encode())


def refusal(status: int, message: str = "no", code: str | None = None, **headers: str) -> Reply:
    """An error in the words of the API."""
    return Reply(
        json.dumps({"error": {"message": message, "code": code}}).encode(),
        status,
        {name.replace("_", "-"): value for name, value in headers.items()},
    )


@dataclass
class ChatServer:
    """What was asked of the server, and where it is."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    idempotency_keys: list[str] = field(default_factory=list)
    under_way: int = 0
    most_under_way: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def prompts(self) -> list[str]:
        """The messages of the user, in order of arrival."""
        return [request["messages"][-1]["content"] for request in self.requests]


@contextlib.contextmanager
def serving(reply: Callable[[dict[str, Any], int], Reply]) -> Iterator[ChatServer]:
    """A server whose reply depends on the request and its number, from 0."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            with server.lock:
                number = len(server.requests)
                server.requests.append(request)
                server.times.append(time.monotonic())
                server.keys.add(self.headers.get("authorization", ""))
                server.idempotency_keys.append(self.headers.get("idempotency-key", ""))
                server.under_way += 1
                server.most_under_way = max(server.most_under_way, server.under_way)
            try:
                self._send(reply(request, number) if self.path == "/v1/chat/completions" else refusal(404))
            except OSError:
                pass  # the client has gone: it was killed, or would not wait
            finally:
                with server.lock:
                    server.under_way -= 1

        def _send(self, sent: Reply) -> None:
            time.sleep(sent.delay)
            self.send_response(sent.status)
            for name, value in {"content-type": "application/json", **sent.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(sent.body)))
            self.end_headers()
            for byte in sent.body if sent.pause else b"":
                self.wfile.write(bytes([byte]))
                time.sleep(sent.pause)
            self.wfile.write(b"" if sent.pause else sent.body[: len(sent.body) // 2] if sent.cut else sent.body)
            self.close_connection = sent.cut

        def log_message(self, format: str, *args: Any) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server = ChatServer(f"http://127.0.0.1:{http.server_address[1]}/v1")
    thread = threading.Thread(target=http.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
