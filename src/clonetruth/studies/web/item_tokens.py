"""What a judge's pages call an item: nobody can tell from it whether the item is a check, or guess another.

A name is the item itself, encrypted for one judge: nothing is kept or searched, however large the study, and a form
that was open while the server was started again is still good. It is encrypted as in SIV (RFC 5297), with HMAC: a tag
of judge and item proves that the name is ours, and yields the pad that hides the item.
"""

from __future__ import annotations

import hmac
import struct

from clonetruth.store.votes import ItemKey, ItemKind

_KINDS = tuple(ItemKind)
_ITEM = struct.Struct(">BQ")
_TAG_BYTES = 16


class ItemTokens:
    """The names of items on judges' pages.

    Args:
        secret: the key.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def name(self, judge: str, item: ItemKey) -> str:
        """What a judge's pages call an item: always the same, and another for every judge."""
        plain = _ITEM.pack(_KINDS.index(item.kind), item.number)
        tag = self._tag(judge, plain)
        return (tag + self._mask(judge, tag, plain)).hex()

    def item(self, judge: str, name: str) -> ItemKey | None:
        """The item that a judge's pages call so; None for a name that is not ours."""
        try:
            sealed = bytes.fromhex(name)
        except ValueError:
            return None
        tag, hidden = sealed[:_TAG_BYTES], sealed[_TAG_BYTES:]
        if len(hidden) != _ITEM.size:
            return None
        plain = self._mask(judge, tag, hidden)
        if not hmac.compare_digest(tag, self._tag(judge, plain)):
            return None
        kind, number = _ITEM.unpack(plain)
        return ItemKey(_KINDS[kind], number)

    def _tag(self, judge: str, plain: bytes) -> bytes:
        return self._digest("tag", judge, plain)[:_TAG_BYTES]

    def _mask(self, judge: str, tag: bytes, text: bytes) -> bytes:
        return bytes(a ^ b for a, b in zip(text, self._digest("pad", judge, tag), strict=False))

    def _digest(self, use: str, judge: str, about: bytes) -> bytes:
        return hmac.digest(self._secret, f"{use} {judge} ".encode() + about, "sha256")
