"""An HTTP client that a server can neither fill nor send elsewhere.

The client of `openai` reads whatever arrives, however large when unpacked, and follows redirects: each is one more
request, which nobody counts. This one reads a response up to a maximum, and neither unpacks nor follows.
"""

from __future__ import annotations

from typing import Any

import openai

LARGEST_RESPONSE = 8 * 1024 * 1024
"""Bytes of a response: many times the longest answer of a model."""


class ResponseRefusedError(ValueError):
    """A response is too large, or compressed although it was asked for uncompressed."""


class BoundedClient(openai.DefaultAsyncHttpxClient):
    """Reads responses within bounds; see the module."""

    async def send(self, request: Any, **options: Any) -> Any:
        """Send a request and read the response.

        Raises:
            ResponseRefusedError: the response is not within the bounds.
        """
        request.headers["Accept-Encoding"] = "identity"
        response = await super().send(request, **{**options, "stream": True, "follow_redirects": False})
        try:
            if response.headers.get("content-encoding", "identity").strip().lower() != "identity":
                raise ResponseRefusedError("the server sent a compressed response")
            body = bytearray()
            async for piece in response.aiter_raw():
                body += piece
                if len(body) > LARGEST_RESPONSE:
                    raise ResponseRefusedError(f"the response has more than {LARGEST_RESPONSE:,} bytes")
        finally:
            await response.aclose()
        return type(response)(
            response.status_code, headers=response.headers, content=bytes(body), request=response.request
        )
